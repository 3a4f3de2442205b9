#include "attention/cache_state.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

namespace {

// Some queries of a call, and what becomes of them.
struct QueryPart {
  Buffer q, out;
  View q_view, out_view;
};

// All but these go by the first axis.
bool has_axes(const AttentionOptions& options) {
  return options.rotation || (options.relative && options.relative->axes > 1);
}

}  // namespace

// The last queries of tokens first … first + count, positions less `offset`.
Error KeyValueCache::State::attend_rows(const View& q, const AttentionOptions& given, int first, int count,
                                        double offset, const View& out, Workspace& of_rotation) const {
  AttentionOptions options = given;
  Sizes sizes;
  sizes.stored = true;
  sizes.keys = keys.stored(start + first);
  sizes.values = values.stored(start + first);
  Array<double> told_memory = nullptr, turned_memory = nullptr;
  if (!told(first, count, 0, told_memory, options.key_positions)) return cache_out_of_memory("cache");
  if (!has_axes(options)) options.key_positions.axes = 1;
  // A run begins anew for a part of it: positions count inside the cache.
  if (consecutive) options.key_positions.offset = first_position;
  const int queries = head_shape(q.shape, options.layout).positions;
  sizes.keys_turned = options.rotation && turned_by;
  if (sizes.keys_turned && !told(first + count - queries, queries, offset, turned_memory, sizes.turned_queries))
    return cache_out_of_memory("cache");
  const auto of_cache = [&](const CacheRows& rows, int width) {
    return heads(rows.floats(0, 0, start + first), spec.batch, spec.heads, count, width);
  };
  return attend_stored(q, of_cache(keys, spec.dim), of_cache(values, spec.value_dim), options, out, sizes, of_rotation);
}

// Under a policy with sinks: queries that see all there is together, those after them one by one, each with the sinks
// where they would be then.
Error KeyValueCache::State::attend_each(const View& q, const AttentionOptions& given, const View& out,
                                        Workspace& of_rotation) {
  const int most = spec.sinks + spec.window;
  std::string_view by_key = given.mask.data             ? "mask"
                            : given.attention_mask.data ? "attentionMask"
                            : given.segments.data       ? "segments"
                                                        : "";
  for (std::size_t i = 0; i < kTokenInputs.size() && by_key.empty(); ++i)
    if (given.tokens[i].data) by_key = kTokenInputs[i];
  if (by_key.empty() && given.bias.data) by_key = "bias";
  if (!by_key.empty())
    return error_at(Code::unsupported, by_key,
                    "with sinks, tokens of one call that no longer fit beside each other see other keys each: append "
                    "and attend fewer at a time, % tokens at most are in view",
                    most);
  const HeadShape from = head_shape(q.shape, given.layout), to = head_shape(out.shape, given.layout);
  AttentionOptions options = given;
  options.layout = HeadLayout::bhtd;
  for (int query = 0; query < from.positions;) {
    const int token = length - from.positions + query;
    const int count = token < most ? std::min(from.positions, query + most - token) - query : 1;
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
    const int seen = std::min(most, token + count);
    if (first > 0) {
      saved_keys.copy(keys, start + first, 0, spec.sinks);
      saved_values.copy(values, start + first, 0, spec.sinks);
      write_sinks(start + first, frame - first);
    }
    const Error error = attend_rows(part.q_view, options, first, seen, frame, part.out_view, of_rotation);
    if (first > 0) {
      keys.copy(saved_keys, 0, start + first, spec.sinks);
      values.copy(saved_values, 0, start + first, spec.sinks);
    }
    if (error) return error;
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < count; ++i)
        std::copy_n(part.out.data() + std::ptrdiff_t(row * count + i) * to.dim, to.dim,
                    features_at(out, to, row / from.heads, row % from.heads, query + i));
    query += count;
  }
  return {};
}

Error KeyValueCache::attend(const View& q, const AttentionOptions& given, const View& out,
                            Workspace& workspace) noexcept {
  State& state = *state_;
  const CacheSpec& spec = state.spec;
  AttentionOptions options = given;
  options.layout = spec.layout;
  if (options.extra_keys.data) return error_at(Code::unsupported, kExtraKeys, "a cache has no second set of keys");
  if (q.shape.rank != 4) return error_at(Code::shape_mismatch, "q", "must have 4 dims, got %", q.shape);
  const double queries = q.shape[spec.layout == HeadLayout::bhtd ? 2 : 1];
  if (queries > state.length - state.answerable)
    return error_at(Code::out_of_range, "q", "has % tokens, but only the last % can be asked for%", queries,
                    state.length - state.answerable,
                    state.answerable ? ": what those before them saw is no longer there" : "");
  const bool whole = spec.window == 0 || (spec.sinks > 0 && state.length <= spec.sinks + spec.window);
  if (spec.window > 0) {
    if (!options.causal && queries > 1)
      return error_at(Code::unsupported, "causal", "must be true for several tokens under a policy");
    if (spec.sinks == 0)
      options.window_left =
          options.window_left < 0 ? spec.window - 1 : std::min<double>(options.window_left, spec.window - 1);
  }
  // Everything is checked before any key is turned.
  const int seen = whole || spec.sinks == 0 ? state.length : spec.sinks + spec.window;
  Sizes sizes;
  sizes.stored = true;
  sizes.keys = state.keys.stored(state.start);
  sizes.values = state.values.stored(state.start);
  AttentionOptions checked = options;
  Array<double> memory = nullptr;
  if (!state.told(0, state.length, 0, memory, checked.key_positions)) return cache_out_of_memory("cache");
  if (!has_axes(options)) checked.key_positions.axes = 1;
  const View k = heads(state.keys.floats(0, 0, state.start), spec.batch, spec.heads, state.length, spec.dim);
  const View v = heads(state.values.floats(0, 0, state.start), spec.batch, spec.heads, state.length, spec.value_dim);
  if (Error error = check_call(q, k, &v, checked, sizes)) return error;
  Shape expected = q.shape;
  expected.dims[3] = spec.value_dim;
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart_from_inputs({{"out", out}}, {{"q", q}}, checked)) return error;
  const Rotation* turning = options.rotation;
  if (turning) {
    // Positions inside the cache end with what a query sees.
    options.sequence_length = seen == state.length ? rotation_length(checked)
                                                   : turning->length_of(Positions::run(state.first_position, seen), 0);
    // Where distances are remapped, a key stands elsewhere for each query.
    if (!turning->turns_once(options.sequence_length) || options.remap.rule != Remap::Rule::none || state.is_worn())
      turning = nullptr;
  }
  if (Error error = state.turn_by(turning, options.sequence_length, workspace)) return error;
  if (queries == 0 || q.length == 0) return {};
  if (whole || spec.sinks == 0) return state.attend_rows(q, options, 0, state.length, state.frame, out, workspace);
  return state.attend_each(q, options, out, workspace);
}

}  // namespace posenc
