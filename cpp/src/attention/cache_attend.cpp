#include <utility>

#include "attention/cache_state.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

namespace {

// Some queries of a call, and their results.
struct QueryPart {
  Buffer q, out;
  View q_view, out_view;
};

// All other encodings use only the first axis.
bool has_axes(const AttentionOptions& options) {
  return options.rotation || (options.relative && options.relative->axes > 1);
}

// Checks the mask and bias of a call; attention() over all keys does this itself.
Error check_scores(const AttentionOptions& options, const Sizes& sizes) {
  const double queries = sizes.q.positions, keys = sizes.k.positions;
  const Shape scores{double(sizes.q.batch), double(sizes.q.heads), queries, keys};
  ResolvedMask mask;
  Broadcast strides;
  if (Error error = mask.check(options, scores, keys - queries)) return error;
  return check_bias(options.bias, scores, strides);
}

}  // namespace

// Attends with the last queries of rows first … first + count, rotated by position - `offset`.
Error KeyValueCache::State::attend_rows(const View& q, const AttentionOptions& given, int first, int count,
                                        const Frame& offset, const View& out, Workspace& of_rotation) const {
  AttentionOptions options = given;
  Sizes sizes;
  sizes.stored = true;
  sizes.keys = keys.stored(start + first);
  sizes.values = values.stored(start + first);
  Array<double> positions_memory = nullptr, rotated_memory = nullptr;
  // With sinks, positions count inside the cache, so each part begins at `first_position`.
  if (options.key_positions.values.empty()) {
    if (!read_positions(first, count, kNoFrame, positions_memory, options.key_positions))
      return cache_out_of_memory("cache");
    if (consecutive && spec.sinks) options.key_positions.offset = first_position;
    if (consecutive && !spec.sinks && options.segments.data) options.key_positions.offset = first_position - dropped;
  }
  if (!has_axes(options)) options.key_positions.axes = 1;
  // Coordinates as fractions of the sequence (LieRE's modelGrid) do not depend on the number of queries per call.
  const int most = spec.sinks + spec.window;
  if (spec.sinks && options.relative && options.relative->axes == 1 && length > most)
    options.key_positions.extent[0] = most;
  const int queries = head_shape(q.shape, options.layout).positions;
  sizes.keys_rotated = options.rotation && rotated_by;
  if (sizes.keys_rotated &&
      !read_positions(first + count - queries, queries, offset, rotated_memory, sizes.query_rotation_positions))
    return cache_out_of_memory("cache");
  const auto of_cache = [&](const CacheRows& rows, int width) {
    return heads(rows.floats(0, 0, start + first), spec.batch, spec.heads, count, width);
  };
  return attend_stored(q, of_cache(keys, spec.dim), of_cache(values, spec.value_dim), options, out, sizes, of_rotation);
}

// Under a policy with sinks: queries that attend to all tokens run together. Each later query runs alone, with the
// sinks in the rows at the start of its window.
Error KeyValueCache::State::attend_each(const View& q, const AttentionOptions& given, const View& out,
                                        Workspace& of_rotation) {
  const int most = spec.sinks + spec.window;
  const HeadShape from = head_shape(q.shape, given.layout), to = head_shape(out.shape, given.layout);
  const Shape scores{double(from.batch), double(from.heads), double(from.positions), double(visible())};
  const bool by_key = QueryInputs::are_given(given);
  AttentionOptions options = given;
  options.layout = HeadLayout::bhtd;
  // All queries are one chunk.
  if (ChunkRange* range = std::exchange(options.chunks, nullptr)) {
    range->all = 1;
    if (range->first > 0) return {};
  }
  QueryInputs inputs;
  for (int query = 0; query < from.positions;) {
    const int token = length - from.positions + query;
    const int count = token < most && !by_key ? std::min(from.positions, query + most - token) - query : 1;
    const int first = std::max(0, token + 1 - most), rows = from.batch * from.heads;
    QueryPart part{Buffer({double(rows), double(count), double(from.dim)}),
                   Buffer({double(rows), double(count), double(to.dim)}),
                   {},
                   {}};
    if (!part.q || !part.out) return attention_out_of_memory();
    part.q_view = heads(part.q.data(), from.batch, from.heads, count, from.dim);
    part.out_view = heads(part.out.data(), from.batch, from.heads, count, to.dim);
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < count; ++i)
        std::copy_n(features_at(q, from, row / from.heads, row % from.heads, query + i), from.dim,
                    part.q.data() + std::ptrdiff_t(row * count + i) * from.dim);
    const int visible_count = std::min(most, token + count);
    // The inputs of a call do not include restorable rows.
    if (by_key &&
        !inputs.take(given, scores, query, {spec.sinks, std::max(0, first - restorable), visible_count}, options))
      return attention_out_of_memory();
    Error error = with_sinks_at(first, [&] {
      return attend_rows(part.q_view, options, first, visible_count, frame, part.out_view, of_rotation);
    });
    if (error) return error;
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < count; ++i)
        std::copy_n(part.out.data() + std::ptrdiff_t(row * count + i) * to.dim, to.dim,
                    features_at(out, to, row / from.heads, row % from.heads, query + i));
    query += count;
  }
  return {};
}

// Positions within segments, if the policy evicted the beginning of the text: they depend on evicted tokens, too.
Error KeyValueCache::State::position_segments(AttentionOptions& options, TailSegments& tail) const {
  const SegmentsView& segments = options.segments;
  const double gone = dropped + restorable, total = gone + visible();
  if (!segments.data || gone == 0 || spec.sinks || !consecutive) return {};
  const double offset = first_position - dropped, per_row = segments.shape[-1];
  const double rows = segments.shape.rank == 2 ? segments.shape[0] : 1;
  if (segments.shape.rank <= 2 && per_row == total && (rows == 1 || rows == spec.batch) &&
      segments.length == total * rows)
    return tail.take(options, int(total), visible(), offset) ? Error{} : attention_out_of_memory();
  const Rotation* rotation = options.rotation;
  const Bias* bias = options.encoding_bias;
  const auto length_at = [&](double first) { return rotation->length_of(Positions::run(first, visible()), 0); };
  const bool uses_positions =
      options.temperature.is_on() || options.remap.rule != Remap::Rule::none || options.relative ||
      (bias && !bias->by_distance && !bias->is_zero) ||
      (rotation && (rotation->regime_grows(length_at(offset + gone)) ||
                    rotation->regime(length_at(offset)) != rotation->regime(length_at(offset + gone))));
  if (!uses_positions) return {};
  return error_at(
      Code::shape_mismatch, "segments",
      "must cover all % tokens, including % removed ones, if results depend on positions in a sequence, got %", total,
      gone, segments.shape);
}

Error KeyValueCache::State::check_queries(const View& q, const AttentionOptions& options, double& queries) const {
  if (options.extra_keys.data) return error_at(Code::unsupported, kExtraKeys, "cannot be used with a cache");
  int count = -1;
  if (Error error = check_rows(q, "q", spec.dim, count, true)) return error;
  queries = count;
  const int queryable = visible() - first_queryable();
  if (queries > queryable)
    return error_at(Code::out_of_range, "q", "must have at most % tokens, got %%", queryable, queries,
                    first_queryable() ? "; the policy removed keys of earlier queries" : "");
  if (spec.window > 0 && !options.causal && queries > 1)
    return error_at(Code::unsupported, "causal", "must be true for several tokens with a policy");
  return {};
}

Error KeyValueCache::attend(const View& q, const AttentionOptions& given, const View& out,
                            Workspace& workspace) noexcept {
  State& state = *state_;
  const CacheSpec& spec = state.spec;
  AttentionOptions options = given;
  options.layout = spec.layout;
  double queries = 0;
  if (Error error = state.check_queries(q, options, queries)) return error;
  const int most = spec.sinks + spec.window, visible = state.visible(), first = spec.sinks ? 0 : state.restorable;
  const bool each = spec.sinks > 0 && state.length > most;
  if (spec.window > 0 && spec.sinks == 0)
    options.window_left =
        options.window_left < 0 ? spec.window - 1 : std::min<double>(options.window_left, spec.window - 1);
  TailSegments tail;
  if (Error error = state.position_segments(options, tail)) return error;
  // Everything is checked before any key is rotated.
  const int visible_count = each ? most : visible;
  Sizes sizes;
  sizes.stored = true;
  sizes.keys = state.keys.stored(state.start + first);
  sizes.values = state.values.stored(state.start + first);
  AttentionOptions checked = options;
  Array<double> memory = nullptr;
  if (checked.key_positions.values.empty()) {
    if (!state.read_positions(first, visible, kNoFrame, memory, checked.key_positions))
      return cache_out_of_memory("cache");
    if (state.consecutive && spec.sinks == 0 && options.segments.data)
      checked.key_positions.offset = state.first_position - state.dropped;
  }
  if (!has_axes(options)) checked.key_positions.axes = 1;
  const View k = heads(state.keys.floats(0, 0, state.start + first), spec.batch, spec.heads, visible, spec.dim);
  const View v = heads(state.values.floats(0, 0, state.start + first), spec.batch, spec.heads, visible, spec.value_dim);
  if (Error error = check_call(q, k, &v, checked, sizes)) return error;
  if (each)
    if (Error error = check_scores(options, sizes)) return error;
  Shape expected = q.shape;
  expected.dims[3] = spec.value_dim;
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart_from_inputs({{"out", out}}, {{"q", q}}, checked)) return error;
  const Rotation* cached_rotation = options.rotation;
  if (cached_rotation) {
    // Positions inside the cache end with the last key that a query attends to.
    options.sequence_length = visible_count == visible
                                  ? rotation_length(checked)
                                  : cached_rotation->length_of(Positions::run(state.first_position, visible_count), 0);
    // With remapped distances, the rotation of a key depends on the query.
    if (!cached_rotation->can_rotate_once(options.sequence_length) || options.remap.rule != Remap::Rule::none ||
        state.rerotation_limit_reached())
      cached_rotation = nullptr;
  }
  if (Error error = state.rotate_by(cached_rotation, options.sequence_length, workspace)) return error;
  if (queries == 0 || q.length == 0) return {};
  if (each) return state.attend_each(q, options, out, workspace);
  return state.attend_rows(q, options, first, visible, state.frame, out, workspace);
}

}  // namespace posenc
