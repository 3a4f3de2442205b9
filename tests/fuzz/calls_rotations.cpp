// Calls of rotations.
#include "calls.hpp"

namespace posenc::fuzz {

namespace {

HeadLayout layout_from(Input& input) { return input.choice<HeadLayout>(2); }
Role role_from(Input& input) { return input.choice<Role>(3); }

Shape heads_shape(Input& input, HeadLayout layout, double width) {
  const double batch = input.between(0, 3), heads = input.between(0, 4), positions = size_from(input);
  return layout == HeadLayout::bhtd ? Shape{batch, heads, positions, width} : Shape{batch, positions, heads, width};
}

// Positions as many as x has, of its own axes or of one for all.
Places places_for(Input& input, const View& x, HeadLayout layout, const Rotation& rotation) {
  const bool whole = x.shape.rank == 4;
  return {input, whole ? x.shape[layout == HeadLayout::bhtd ? 2 : 1] : 1, whole ? x.shape[0] : 1,
          input.rarely(4) ? 1 : rotation.axes};
}

void tables(Input& input, Rotation& rotation) {
  const Places places(input, size_from(input), 1, input.rarely(4) ? 1 : rotation.axes);
  const Shape shape{double(places.positions().count), double(rotation.pairs)};
  const Tensor cosine(input, shape), sine(input, shape);
  const double length = sequence_length_from(input);
  check_error(rotation.tables(places.positions(), length, cosine.view(), sine.view(), role_from(input)));
}

void angles(Input& input, Rotation& rotation) {
  const Places places(input, size_from(input), 1, input.rarely(4) ? 1 : rotation.axes);
  const auto out = std::make_unique<double[]>(std::size_t(places.positions().count) * std::size_t(rotation.pairs));
  check_error(rotation.angles(places.positions(), sequence_length_from(input), out.get()));
}

void apply(Input& input, Rotation& rotation) {
  const HeadLayout layout = layout_from(input);
  const Tensor x(input, heads_shape(input, layout, rotation.dim));
  const Places places = places_for(input, x.view(), layout, rotation);
  const double length = sequence_length_from(input);
  const auto direction = input.choice<Direction>(3);
  const Role role = role_from(input);
  const Error before = rotation.check(x.view(), layout, places.positions(), length, role);
  const Error error = rotation.apply(x.view(), layout, places.positions(), length, direction, role);
  require(bool(before) == bool(error), "check() and apply() do not agree");
  check_untouched(error, x);
}

void backward(Input& input, Rotation& rotation) {
  const HeadLayout layout = layout_from(input);
  const Tensor x(input, heads_shape(input, layout, rotation.dim)), gradient(input, x.view().shape);
  const Places places = places_for(input, x.view(), layout, rotation);
  const double length = sequence_length_from(input);
  check_untouched(rotation.backward(x.view(), gradient.view(), layout, places.positions(), length, role_from(input)),
                  gradient);
  require(x.unchanged(), "backward() changed its input");
}

void rerotate(Input& input, Rotation& rotation, Rotation& other) {
  const HeadLayout layout = layout_from(input);
  const Tensor x(input, heads_shape(input, layout, rotation.dim));
  const Places from = places_for(input, x.view(), layout, other), to = places_for(input, x.view(), layout, rotation);
  const double from_length = sequence_length_from(input), to_length = sequence_length_from(input);
  check_untouched(rotation.rerotate(x.view(), layout, {other, from.positions(), from_length},
                                    {rotation, to.positions(), to_length}),
                  x);
}

}  // namespace

void call_rotation(Input& input, Rotation& rotation, Rotation& other) {
  switch (input.below(6)) {
    case 0:
      return tables(input, rotation);
    case 1:
      return angles(input, rotation);
    case 2:
      return backward(input, rotation);
    case 3:
      return rerotate(input, rotation, other);
    case 4: {
      // The binding refuses other lengths.
      const double length = input.number();
      if (length >= 1 && length <= kMaxPosition)
        require(rotation.inverse_frequencies(length).size() == std::size_t(rotation.pairs), "not a frequency a pair");
      return;
    }
  }
  apply(input, rotation);
}

}  // namespace posenc::fuzz
