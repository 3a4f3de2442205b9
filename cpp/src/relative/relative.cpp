#include "posenc/relative/relative.hpp"

namespace posenc {

Error Relative::buckets(std::span<const double> distances, std::span<std::int32_t> out) const noexcept {
  if (!has_buckets()) return {Code::unsupported, "bucketOf", "bucketOf: this kind has no buckets"};
  if (out.size() != distances.size())
    return error_at(Code::shape_mismatch, "out", "must hold % numbers", double(distances.size()));
  if (Error error = check_apart({{"out", out}}, {{"distances", distances}}, this)) return error;
  std::int32_t* row = out.data();
  for (double distance : distances) {
    if (!std::isfinite(distance))
      return error_at(Code::invalid_argument, "distances", "must be finite, got %", distance);
    if (std::abs(distance) > 2 * kMaxPosition)
      return error_at(Code::out_of_range, "distances", "must lie within ±2^49, got %", distance);
    const double found = bucket(distance);
    *row++ = std::int32_t(std::clamp(found, -2147483648.0, 2147483647.0));
  }
  return {};
}

Error Relative::log_gates(const View&, HeadLayout, const View&) const noexcept {
  return {Code::unsupported, "logGates", "logGates: this kind makes no gates"};
}
Error Relative::log_gates_backward(const View& x, const View&, HeadLayout layout, const View& out,
                                   Training&) const noexcept {
  return log_gates(x, layout, out);
}

Error relative_shift(const View& x, bool zero_wrapped, const View& out) noexcept {
  if (x.shape.rank < 2) return error_at(Code::shape_mismatch, "x", "must have 2 dims or more, got %", x.shape);
  if (Error error = check_view(x, "x")) return error;
  Shape expected = x.shape;
  double& keys = expected.dims[std::size_t(x.shape.rank - 1)];
  keys = std::min(keys, out.shape.rank ? out.shape[-1] : 0.0);
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}})) return error;
  // The original pads each row by a zero in front, drops as many numbers as there are rows, and reads rows anew.
  if (out.length == 0) return {};
  const int queries = int(x.shape[-2]), columns = int(x.shape[-1]), pad = int(keys) == columns, row = columns + pad;
  const float* source = x.data;
  float *target = out.data, *const end = target + std::ptrdiff_t(out.length);
  for (int i = 0; target < end; i = (i + 1) % queries) {
    if (i == 0 && target > out.data) source += std::ptrdiff_t(queries) * columns;
    for (int j = 0; j < int(keys); ++j) {
      const std::ptrdiff_t at = queries + std::ptrdiff_t(i) * (row - 1) + j, line = at / row, column = at % row - pad;
      *target++ = column < 0 || (zero_wrapped && line > i) ? 0.0f : source[line * columns + column];
    }
  }
  return {};
}

Error Relative::expanded(const View& x, bool is_key, HeadLayout layout, const Positions& positions, const View& out,
                         Workspace& workspace) const noexcept {
  if (key_width == dim) return {Code::unsupported, "expand", "expand: rows of this kind do not change"};
  if (Error error = check_view(x, "x")) return error;
  const HeadShape from = x.shape.rank == 4 ? head_shape(x.shape, layout) : HeadShape{};
  const bool has_heads = heads && is_key == keys_have_heads;
  if (x.shape.rank != 4 || from.dim != dim || (has_heads && from.heads != heads))
    return has_heads ? error_at(Code::shape_mismatch, "x", "must have 4 dims, the last %, and heads %, got %", dim,
                                heads, x.shape)
                     : error_at(Code::shape_mismatch, "x", "must have 4 dims, the last %, got %", dim, x.shape);
  if (Error error = positions.check(from.positions, from.batch)) return error;
  Shape expected = x.shape;
  expected.dims[3] = is_key ? key_width : query_width;
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}, {"positions", positions}}, this)) return error;
  auto call = begin({positions, positions, from.positions, from.positions, workspace});
  if (!call) return std::move(call.error());
  const HeadShape to = head_shape(out.shape, layout);
  for (int b = 0; b < from.batch; ++b)
    for (int h = 0; h < from.heads; ++h)
      for (int t = 0; t < from.positions; ++t) {
        const auto at = [&](const HeadStrides& s) { return b * s.batch + h * s.head + t * s.position; };
        float* row = std::copy_n(x.data + at(from.strides), dim, out.data + at(to.strides)) - dim;
        const double position =
            positions[positions.row_start(std::size_t(b), std::size_t(from.positions)) + std::size_t(t)];
        (*call)->expand(is_key, h, {&position, 1}, row, 0);
      }
  return {};
}

}  // namespace posenc
