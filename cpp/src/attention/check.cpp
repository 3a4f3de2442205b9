#include "attention/check.hpp"

#include "attention/branches.hpp"

namespace posenc {

namespace {

constexpr double kLargestFloat = double(std::numeric_limits<float>::max()),
                 kSmallestFloat = double(std::numeric_limits<float>::min());

Error differs(std::string_view field, std::string_view what, const View& got, const View& other) {
  return error_at(Code::shape_mismatch, field, "%, got % against %", what, got.shape, other.shape);
}

Error check_heads(const View& view, std::string_view name) {
  if (Error error = check_heads_view(view, name)) return error;
  // Without positions any width is possible, but the sizes of panels and blocks exceed it and must not overflow.
  constexpr double kMostDim = 1073741824;
  if (view.shape[3] > kMostDim)
    return error_at(Code::shape_mismatch, name, "last dim must be at most %, got %", kMostDim, view.shape);
  return {};
}

Error measure(const View& q, const View& k, const AttentionOptions& options, Sizes& sizes) {
  if (Error error = check_heads(q, "q")) return error;
  if (Error error = check_heads(k, "k")) return error;
  sizes.q = head_shape(q.shape, options.layout);
  sizes.k = head_shape(k.shape, sizes.stored ? HeadLayout::bhtd : options.layout);
  if (sizes.stored)
    sizes.k.strides = sizes.keys.strides;
  else
    sizes.keys = {k.data, ElementType::float32, sizes.k.strides};
  if (sizes.k.batch != sizes.q.batch) return differs("k", "batch must match q", k, q);
  if (sizes.k.dim != sizes.q.dim) return differs("k", "last dim must match q", k, q);
  if (sizes.k.heads == 0) return sizes.q.heads == 0 ? Error{} : differs("k", "must have heads", k, q);
  if (sizes.q.heads % sizes.k.heads)
    return error_at(
        Code::shape_mismatch, "k", "query heads must be a multiple of key heads, got % against %%", k.shape, q.shape,
        options.layout == HeadLayout::bhtd ? "; dims are [batch, heads, positions, dim] unless layout is \"bthd\""
                                           : "; with layout \"bthd\" dims are [batch, positions, heads, dim]");
  sizes.group = sizes.q.heads / sizes.k.heads;
  return {};
}

Error check_encoding(const Sizes& sizes, const AttentionOptions& options) {
  const auto differ = [](std::string_view what, int has, int wanted) {
    return error_at(Code::shape_mismatch, "encoding", "must have %%%", wanted, what, has);
  };
  if (options.rotation && options.rotation->dim != sizes.q.dim)
    return differ(" features per head (dim) like q, got ", options.rotation->dim, sizes.q.dim);
  if (options.encoding_bias && options.encoding_bias->heads != 1 && options.encoding_bias->heads != sizes.q.heads)
    return differ(" heads like q, got ", options.encoding_bias->heads, sizes.q.heads);
  if (!options.relative) return {};
  const Relative& relative = *options.relative;
  if (relative.dim > 0 && relative.dim != sizes.q.dim)
    return differ(" features per head (dim) like q, got ", relative.dim, sizes.q.dim);
  const int heads = relative.keys_have_heads ? sizes.k.heads : sizes.q.heads;
  if (relative.heads && relative.heads != heads)
    return differ(relative.keys_have_heads ? " heads like k, got " : " heads like q, got ", relative.heads, heads);
  return {};
}

Error check_extra_keys(const View& k, const AttentionOptions& options) {
  if (!options.extra_keys.data) return {};
  if (!options.relative || !options.relative->reads_extra_keys)
    return error_at(Code::unsupported, kExtraKeys, "requires an encoding with content-dependent positions");
  return check_result(options.extra_keys, k.shape, kExtraKeys);
}

// Expected shape of an input. `given` determines the width if the encoding does not.
Shape token_shape(const Shape& given, TokenInput input, const Sizes& sizes, const AttentionOptions& options) {
  const HeadShape &q = sizes.q, &k = sizes.k;
  const bool of_keys = input == TokenInput::directions || input == TokenInput::strengths;
  const int width = options.relative->token_widths[std::size_t(input)];
  const bool has_rows = input == TokenInput::gate_rows || input == TokenInput::relative_states;
  const double heads = of_keys ? k.heads : double(q.heads) * (has_rows ? 1 : width);
  const double tokens = input == TokenInput::relative_states ? q.positions : k.positions;
  const bool is_bhtd = options.layout == HeadLayout::bhtd;
  Shape shape{double(k.batch), is_bhtd ? heads : tokens, is_bhtd ? tokens : heads};
  if (input == TokenInput::directions) shape.dims[std::size_t(shape.rank++)] = k.dim;
  if (has_rows)
    shape.dims[std::size_t(shape.rank++)] = width > 1 || input == TokenInput::relative_states ? width
                                            : given.rank == 4                                 ? given[3]
                                                                                              : 2;
  return shape;
}

Error check_tokens(const Sizes& sizes, const AttentionOptions& options) {
  for (std::size_t i = 0; i < kTokenInputs.size(); ++i) {
    const View& given = options.tokens[i];
    const bool is_read = options.relative && options.relative->token_widths[i] > 0;
    if (!given.data && given.shape.rank == 0) {
      const bool may_lack = options.relative && options.relative->may_lack_gates && i == 0;
      if (!is_read || may_lack) continue;
      return error_at(Code::invalid_argument, kTokenInputs[i], "required by this encoding");
    }
    if (!is_read) return error_at(Code::unsupported, kTokenInputs[i], "cannot be used with this encoding");
    const Shape expected = token_shape(given.shape, TokenInput(i), sizes, options);
    if (TokenInput(i) == TokenInput::gate_rows && std::fmod(given.shape[3], 2) != 0)
      return error_at(Code::shape_mismatch, kTokenInputs[i], "last dim must be even, got %", given.shape);
    if (Error error = check_result(given, expected, kTokenInputs[i])) return error;
    if (TokenInput(i) != TokenInput::relative_states && sizes.q.positions > sizes.k.positions)
      return error_at(Code::shape_mismatch, "q", "must have at most as many positions as k (%), got %",
                      sizes.k.positions, sizes.q.positions);
  }
  return {};
}

Error measure_values(const View& k, const View& v, const AttentionOptions& options, Sizes& sizes) {
  if (Error error = check_heads(v, "v")) return error;
  sizes.v = head_shape(v.shape, sizes.stored ? HeadLayout::bhtd : options.layout);
  if (sizes.stored)
    sizes.v.strides = sizes.values.strides;
  else
    sizes.values = {v.data, ElementType::float32, sizes.v.strides};
  if (sizes.v.batch == sizes.k.batch && sizes.v.heads == sizes.k.heads && sizes.v.positions == sizes.k.positions)
    return {};
  return differs("v", "batch, heads and positions must match k", v, k);
}

// Scores are float32: values beyond its range would make finite scores infinite or NaN.
Error check_scale_and_softcap(const AttentionOptions& options) {
  if (options.scale && !(std::abs(*options.scale) <= kLargestFloat))
    return error_at(Code::invalid_argument, "scale", "must be finite in float32, got %", *options.scale);
  const double cap = options.softcap;
  if (cap == 0 || (cap >= kSmallestFloat && cap <= kLargestFloat)) return {};
  return error_at(Code::invalid_argument, "softcap", "must be 0 (none) or from % to %, got %", kSmallestFloat,
                  kLargestFloat, cap);
}

Error check_options(const View& k, const Sizes& sizes, const AttentionOptions& options) {
  if (Error error = check_scale_and_softcap(options)) return error;
  if (std::isnan(options.window_left) || std::isnan(options.window_right))
    return error_at(Code::invalid_argument, "window", "must not be NaN");
  if (!options.sinks.empty() && options.sinks.size() != std::size_t(sizes.q.heads))
    return error_at(Code::shape_mismatch, "sinks", "must have one value per head (%), got %", sizes.q.heads,
                    double(options.sinks.size()));
  if (Error error = options.temperature.check()) return error;
  if (Error error = check_encoding(sizes, options)) return error;
  if (Error error = check_extra_keys(k, options)) return error;
  if (Error error = check_tokens(sizes, options)) return error;
  if (Error error = check_remap(options)) return error;
  Positions keys = options.key_positions, queries = options.query_positions;
  // If the encoding uses no positions, they may have any number of axes.
  const bool is_zero = options.encoding_bias && options.encoding_bias->is_zero;
  const auto check_positions = [&](const Positions& positions, const HeadShape& heads, Role role) {
    if (options.relative)
      return options.relative->check_positions(positions, heads.positions, heads.batch, heads.heads);
    if (!options.rotation) return positions.check(heads.positions, heads.batch, is_zero ? positions.axes : 1, is_zero);
    return options.rotation->check_positions(positions, heads.positions, heads.batch, rotation_length(options), role);
  };
  if (Error error = check_positions(keys, sizes.k, Role::key)) return error;
  if (Error error = check_positions(queries, sizes.q, Role::query)) return error;
  if (Error error = options.temperature.check_at(queries, options.scale.value_or(1))) return error;
  return {};
}

// In packed sequences, keys count from the first key's position in each sequence.
Error position_keys(AttentionOptions& options, Sizes& sizes) {
  Positions& keys = options.key_positions;
  const SegmentsView& segments = options.segments;
  const double per_row = sizes.k.positions;
  if (!segments.data || !keys.values.empty() || keys.axes > 1) return {};
  // ResolvedMask reports segments that do not fit.
  if (sizes.q.positions > per_row || per_row == 0 ||
      (segments.length != per_row && segments.length != per_row * sizes.k.batch))
    return {};
  if (!compute_segment_positions(segments, sizes.k.positions, keys.offset, sizes.key_positions))
    return attention_out_of_memory();
  keys = Positions::given({sizes.key_positions.data(), std::size_t(segments.length)}, sizes.k.positions);
  return {};
}

// Takes the last `count` positions of each batch element of `keys`, which has `per_row`.
Error take_last(const Positions& keys, std::size_t per_row, std::size_t count, Sizes& sizes, Positions& out) {
  const std::size_t rows = keys.values.size() / per_row, skipped = per_row - count;
  out.values = keys.values.subspan(skipped);
  out.offset += double(skipped);
  if (rows == 1) return {};
  out.stride = rows * count;
  sizes.query_positions = Array<double>({double(out.stride), double(keys.axes)});
  if (!sizes.query_positions) return attention_out_of_memory();
  double* target = sizes.query_positions.data();
  out.values = {target, out.stride};
  for (int axis = 0; axis < keys.axes; ++axis)
    for (std::size_t r = 0; r < rows; ++r)
      target = std::copy_n(keys.values_of(axis).data() + r * per_row + skipped, count, target);
  return {};
}

// Derives positions that are not given from the tensors.
Error complete(AttentionOptions& options, Sizes& sizes) {
  if (Error error = position_keys(options, sizes)) return error;
  Positions &keys = options.key_positions, &queries = options.query_positions;
  const int per_row = sizes.k.positions, ahead = per_row - sizes.q.positions;
  if (keys.count == 0) keys.count = per_row;
  if (queries.values.empty() && std::isnan(queries.offset)) {
    queries = keys;
    queries.count = 0;
    if (keys.values.empty())
      queries.offset += ahead;
    else if (ahead > 0 && keys.values.size() % std::size_t(per_row) == 0)
      if (Error error = take_last(keys, std::size_t(per_row), std::size_t(sizes.q.positions), sizes, queries))
        return error;
  }
  if (queries.count == 0) queries.count = sizes.q.positions;
  return {};
}

}  // namespace

Error check_call(const View& q, const View& k, const View* v, AttentionOptions& options, Sizes& sizes) {
  if (Error error = measure(q, k, options, sizes)) return error;
  if (Error error = complete(options, sizes)) return error;
  if (v)
    if (Error error = measure_values(k, *v, options, sizes)) return error;
  if (Error error = check_options(k, sizes, options)) return error;
  if (options.encoding_bias && options.encoding_bias->is_zero) options.encoding_bias = nullptr;
  if (options.encoding_bias) {
    options.key_positions.count = sizes.k.positions;
    options.query_positions.count = sizes.q.positions;
  }
  const int width = v && options.relative ? options.relative->value_dim : 0;
  if (width == 0 || width == sizes.v.dim) return {};
  return error_at(Code::shape_mismatch, sizes.stored ? "encoding" : "v",
                  "values must have % features like the encoding, got %", width, v->shape);
}

Error check_bias(const View& bias, const Shape& scores, Broadcast& strides) {
  if (!bias.data) return {};
  if (Error error = check_view(bias, "bias")) return error;
  auto found = broadcast(bias.shape, scores, "bias");
  if (!found) return std::move(found.error());
  if (bias.shape[-1] != scores[3])
    return error_at(Code::shape_mismatch, "bias", "last dim must be % (keys), got %", scores[3], bias.shape);
  strides = *found;
  return {};
}

Error check_apart_from_inputs(Regions results, Regions tensors, const AttentionOptions& options) {
  if (Error error = check_apart(results, tensors, options.rotation, options.encoding_bias)) return error;
  return check_apart(results,
                     {{"mask", options.mask},
                      {"attentionMask", options.attention_mask},
                      {"segments", options.segments.ids()},
                      {"bias", options.bias},
                      {"sinks", options.sinks},
                      {kExtraKeys, options.extra_keys},
                      {kTokenInputs[0], options.tokens[0]},
                      {kTokenInputs[1], options.tokens[1]},
                      {kTokenInputs[2], options.tokens[2]},
                      {kTokenInputs[3], options.tokens[3]},
                      {kTokenInputs[4], options.tokens[4]},
                      {"keyPositions", options.key_positions},
                      {"queryPositions", options.query_positions}},
                     options.relative);
}

}  // namespace posenc
