#include "posenc/relative/relative.hpp"

namespace posenc {

Error Relative::buckets(std::span<const double> distances, std::span<std::int32_t> out) const noexcept {
  if (!has_buckets()) return {Code::unsupported, "bucketOf", "bucketOf: this kind has no buckets"};
  if (out.size() != distances.size())
    return error_at(Code::shape_mismatch, "out", "must have % values", double(distances.size()));
  if (Error error = check_apart({{"out", out}}, {{"distances", distances}}, this)) return error;
  std::int32_t* row = out.data();
  for (double distance : distances) {
    if (!std::isfinite(distance))
      return error_at(Code::invalid_argument, "distances", "must be finite, got %", distance);
    if (std::abs(distance) > 2 * kMaxPosition)
      return error_at(Code::out_of_range, "distances", "must be within ±2^49, got %", distance);
    const double found = bucket(distance);
    *row++ = std::int32_t(std::clamp(found, -2147483648.0, 2147483647.0));
  }
  return {};
}

Error Relative::make_gates(const View&, HeadLayout, const View&) const noexcept {
  return {Code::unsupported, "logGates", "logGates: this kind does not compute gates"};
}
Error Relative::make_gates_backward(const View& x, const View&, HeadLayout layout, const View& out,
                                    Training&) const noexcept {
  return make_gates(x, layout, out);
}

Error relative_shift(const View& x, bool zero_wrapped, const View& out) noexcept {
  if (x.shape.rank < 2) return error_at(Code::shape_mismatch, "x", "must have 2 dims or more, got %", x.shape);
  if (Error error = check_view(x, "x")) return error;
  Shape expected = x.shape;
  double& keys = expected.dims[std::size_t(x.shape.rank - 1)];
  keys = std::min(keys, out.shape.rank ? out.shape[-1] : 0.0);
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}})) return error;
  // The original code pads each row by a leading zero, removes as many values as there are rows, and reshapes.
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

Error Relative::check_positions(const Positions& positions, double per_row, double rows,
                                double row_heads) const noexcept {
  const double given = per_row > 0 ? double(positions.values.size()) / per_row : 0, own = rows > 0 ? given / rows : 0;
  const bool by_head = maps_rows && own > 1 && own == std::floor(own) && std::fmod(row_heads, own) == 0;
  if (Error error = positions.check(per_row, by_head ? given : rows, axes, maps_rows)) return error;
  const Positions all = counted(positions, per_row);
  double most = 0;
  for (int axis = 0; farthest < kMaxPosition && axis < axes && all.count > 0; ++axis)
    if (all.values.empty())
      most = std::max({most, std::abs(all.at(0, axis)), axes > 1 ? all.extent_of(axis) - 1 : std::abs(all.largest())});
    else
      for (const double position : all.values_of(axis)) most = std::max(most, std::abs(position));
  if (most <= farthest) return {};
  return error_at(Code::out_of_range, "positions", "must be within ±% for this kind, got %", farthest, most);
}

namespace {

// Sets `shape` only if x has 4 dims.
Error take_row_heads(const Relative& encoding, const View& x, HeadLayout layout, bool has_heads, HeadShape& shape) {
  if (Error error = check_view(x, "x")) return error;
  if (x.shape.rank == 4) shape = head_shape(x.shape, layout);
  const int heads = has_heads ? encoding.heads : 0;
  // Query heads share the maps of key heads.
  const bool fits = heads == 0 || shape.heads == heads || (encoding.maps_rows && shape.heads % heads == 0);
  if (x.shape.rank == 4 && shape.dim == encoding.dim && fits) return {};
  return heads ? error_at(Code::shape_mismatch, "x", "must have 4 dims, the last %, and heads %, got %", encoding.dim,
                          heads, x.shape)
               : error_at(Code::shape_mismatch, "x", "must have 4 dims, the last %, got %", encoding.dim, x.shape);
}

// Calls each(batch, head, first position, count, positions of the first axis) for up to 16 rows at a time.
template <class Each>
void for_each_rows(const HeadShape& shape, const Positions& positions, const Each& each) {
  constexpr int kTogether = 16;
  double row_positions[kTogether];
  for (int b = 0; b < shape.batch; ++b)
    for (int h = 0; h < shape.heads; ++h)
      for (int t = 0; t < shape.positions; t += kTogether) {
        const int some = std::min(kTogether, shape.positions - t);
        const std::size_t start = positions.row_start(std::size_t(b), std::size_t(shape.positions)) + std::size_t(t);
        for (int i = 0; i < some; ++i) row_positions[i] = positions[start + std::size_t(i)];
        each(b, h, t, std::span<const double>(row_positions, std::size_t(some)));
      }
}

std::ptrdiff_t row_offset(const HeadStrides& strides, int batch, int head, int t) {
  return batch * strides.batch + head * strides.head + t * strides.position;
}

RelativeRequest request_of(const Positions& positions, const HeadShape& shape, Workspace& workspace) {
  RelativeRequest request{positions, positions, shape.positions, shape.positions, workspace};
  request.query_heads = request.key_heads = shape.heads;
  request.batch = shape.batch;
  return request;
}

}  // namespace

Error Relative::expanded(const View& x, bool is_key, HeadLayout layout, const Positions& positions, const View& out,
                         Workspace& workspace) const noexcept {
  if (key_width == dim) return {Code::unsupported, "expand", "expand: this kind does not expand rows"};
  HeadShape from;
  if (Error error = take_row_heads(*this, x, layout, is_key == keys_have_heads, from)) return error;
  if (Error error = positions.check(from.positions, from.batch)) return error;
  Shape expected = x.shape;
  expected.dims[3] = is_key ? key_width : query_width;
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"x", x}, {"positions", positions}}, this)) return error;
  auto call = begin(request_of(positions, from, workspace));
  if (!call) return std::move(call.error());
  const HeadShape to = head_shape(out.shape, layout);
  for_each_rows(from, positions, [&](int b, int h, int t, std::span<const double> row_positions) {
    float* rows = out.data + row_offset(to.strides, b, h, t);
    for (std::size_t i = 0; i < row_positions.size(); ++i)
      std::copy_n(x.data + row_offset(from.strides, b, h, t + int(i)), dim,
                  rows + std::ptrdiff_t(i) * to.strides.position);
    (*call)->expand({is_key, b, h, t, row_positions, rows, to.strides.position});
  });
  return {};
}

Error Relative::apply(const View& x, HeadLayout layout, const Positions& given, Direction direction,
                      Workspace& workspace) const noexcept {
  if (!maps_rows) return {Code::unsupported, "apply", "apply: this kind does not rotate rows"};
  HeadShape shape;
  if (Error error = take_row_heads(*this, x, layout, true, shape)) return error;
  if (direction == Direction::inverse && !has_orthogonal_maps)
    return {Code::unsupported, "inverse", "inverse: mixed frequencies have no inverse"};
  if (Error error = check_positions(given, shape.positions, shape.batch, shape.heads)) return error;
  if (Error error = check_apart({{"x", x}}, {{"positions", given}}, this)) return error;
  if (x.length == 0) return {};
  const Positions positions = counted(given, shape.positions);
  auto call = begin(request_of(positions, shape, workspace));
  if (!call) return std::move(call.error());
  for_each_rows(shape, positions, [&](int b, int h, int t, std::span<const double> row_positions) {
    const RelativeRows rows{
        true, b, h, t, row_positions, x.data + row_offset(shape.strides, b, h, t), shape.strides.position};
    direction == Direction::forward ? (*call)->expand(rows) : (*call)->transpose(rows);
  });
  return {};
}

Error Relative::apply_backward(const View& x, const View& gradient, HeadLayout layout, const Positions& given,
                               Training& training, Workspace& workspace) const noexcept {
  if (!maps_rows) return {Code::unsupported, "apply", "apply: this kind does not rotate rows"};
  HeadShape shape;
  if (Error error = take_row_heads(*this, x, layout, true, shape)) return error;
  if (Error error = check_result(gradient, x.shape, "gradOut")) return error;
  if (Error error = check_positions(given, shape.positions, shape.batch, shape.heads)) return error;
  if (Error error = check_apart({{"gradOut", gradient}}, {{"x", x}, {"positions", given}}, this)) return error;
  Buffer made(dim);
  if (!made) return {Code::out_of_memory, "x", "x: out of memory for a row"};
  if (Error error = training.begin_backward(*this)) return error;
  if (x.length == 0) return {};
  const Positions positions = counted(given, shape.positions);
  RelativeRequest request = request_of(positions, shape, workspace);
  request.wanted = RelativeRequest::Wanted::gradients;
  auto call = begin(request);
  if (!call) return std::move(call.error());
  (*call)->training = &training;
  for_each_rows(shape, positions, [&](int b, int h, int t, std::span<const double> row_positions) {
    for (int i = 0; i < int(row_positions.size()); ++i) {
      const std::ptrdiff_t at = row_offset(shape.strides, b, h, t + i);
      std::copy_n(x.data + at, dim, made.data());
      (*call)->expand({true, b, h, t + i, row_positions.subspan(std::size_t(i), 1), made.data(), 0});
      (*call)->expand_backward({true, b, h, t + i, x.data + at, made.data(), gradient.data + at});
    }
  });
  (*call)->finish_backward();
  return {};
}

}  // namespace posenc
