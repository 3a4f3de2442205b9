// Calls of relative encodings by themselves.
#include "calls_attention.hpp"

namespace posenc::fuzz {

void call_relative(Input& input, Relative& relative) {
  if (input.flag()) {
    const std::size_t count = input.byte();
    const auto distances = std::make_unique<double[]>(count);
    const auto out = std::make_unique<std::int32_t[]>(count);
    for (std::size_t i = 0; i < count; ++i) distances[i] = input.empty() ? double(i) : input.number();
    return tell("relative.buckets", relative.buckets({distances.get(), count}, {out.get(), count}));
  }
  const auto layout = input.choice<HeadLayout>(2);
  const bool is_key = input.flag();
  const double heads = relative.heads ? relative.heads : input.below(4), positions = size_from(input);
  const Tensor x(input, heads_shape(layout, input.below(3), heads, positions, relative.dim));
  const Shape& shape = x.view().shape;
  Shape wanted = shape;
  if (wanted.rank > 0) wanted.dims[std::size_t(wanted.rank - 1)] = is_key ? relative.key_width : relative.query_width;
  const Tensor out(input, wanted);
  const Places places(input, positions, shape.rank == 4 ? shape[0] : 1, 1);
  const Error error = relative.expanded(x.view(), is_key, layout, places.positions(), out.view());
  tell("relative.expanded", error);
  if (!error) twin::near("relative.expanded", out.numbers(), std::array{x.tame() ? 1e-6 + 1e-2 : kInfinity});
  require(x.unchanged(), "expanded() changed its input");
}

}  // namespace posenc::fuzz
