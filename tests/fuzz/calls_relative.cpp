// Calls of relative encodings by themselves.
#include "calls_attention.hpp"

namespace posenc::fuzz {

namespace {

// Only the axes that the other calls have.
void call_row_maps(Input& input, Subject& subject, const Relative& relative) {
  const auto layout = input.choice<HeadLayout>(2);
  const double heads = relative.heads ? relative.heads * (1 + input.below(2)) : input.below(4),
               positions = size_from(input), batch = input.below(3);
  const Tensor x(input, heads_shape(layout, batch, heads, positions, relative.dim));
  const Tensor gradient(input, x.view().shape);
  const int axes = input.rarely(4) ? 1 : relative.axes;
  const RandomPositions random_positions(input, positions, batch, axes);
  const auto direction = input.choice<Direction>(3);
  if (input.flag()) {
    const Error error =
        relative.apply_backward(x.view(), gradient.view(), layout, random_positions.positions(), subject.training);
    return expect_same_bits("relative.apply_backward", error, gradient);
  }
  const Error error = relative.apply(x.view(), layout, random_positions.positions(), direction);
  expect_same_bits("relative.apply", error, x);
}

}  // namespace

void call_relative(Input& input, Subject& subject) {
  Relative& relative = *as<Relative>(*subject.encoding);
  if (relative.maps_rows && input.flag()) return call_row_maps(input, subject, relative);
  if (input.flag()) {
    const std::size_t count = input.byte();
    const auto distances = std::make_unique<double[]>(count);
    const auto out = std::make_unique<std::int32_t[]>(count);
    for (std::size_t i = 0; i < count; ++i) distances[i] = input.empty() ? double(i) : input.number();
    return expect_same_error("relative.buckets", relative.buckets({distances.get(), count}, {out.get(), count}));
  }
  const auto layout = input.choice<HeadLayout>(2);
  const bool is_key = input.flag();
  const double heads = relative.heads ? relative.heads : input.below(4), positions = size_from(input);
  const Tensor x(input, heads_shape(layout, input.below(3), heads, positions, relative.dim));
  const Shape& shape = x.view().shape;
  Shape wanted = shape;
  if (wanted.rank > 0) wanted.dims[std::size_t(wanted.rank - 1)] = is_key ? relative.key_width : relative.query_width;
  const Tensor out(input, wanted);
  const RandomPositions random_positions(input, positions, shape.rank == 4 ? shape[0] : 1, 1);
  const Error error = relative.expanded(x.view(), is_key, layout, random_positions.positions(), out.view());
  expect_same_error("relative.expanded", error);
  if (!error) twin::near("relative.expanded", out.values(), std::array{x.tame() ? 1e-6 + 1e-2 : kInfinity});
  require(x.unchanged(), "expanded() changed its input");
}

}  // namespace posenc::fuzz
