// Training, and calls that need no encoding.
#include "calls.hpp"
#include "posenc/insight.hpp"
#include "posenc/kernels.hpp"
#include "posenc/resize.hpp"

namespace posenc::fuzz {

namespace {

Optimizer optimizer_from(Input& input) {
  Optimizer how;
  how.kind = input.choice<Optimizer::Kind>(3);
  how.learning_rate = input.rarely(4) ? input.number() : 0.01;
  if (input.rarely(4)) how.weight_decay = input.number();
  if (input.rarely(3)) how.momentum = input.rarely(4) ? input.number() : 0.9;
  how.nesterov = input.rarely(4);
  if (input.rarely(8)) how.beta1 = input.number();
  if (input.rarely(8)) how.beta2 = input.number();
  if (input.rarely(8)) how.epsilon = input.number();
  return how;
}

// The caller may write whatever it likes.
void overwrite(Input& input, Learned& encoding) {
  if (encoding.parameters.empty()) return;
  auto& values = encoding.parameters[std::size_t(input.below(int(encoding.parameters.size())))].values;
  if (values.empty()) return;
  const double number = input.number();
  values[std::size_t(input.byte()) % values.size()] =
      std::abs(number) > 3.4e38 ? std::numeric_limits<float>::quiet_NaN() : float(number);
}

Shape grid_from(Input& input, int rank) {
  Shape grid;
  grid.rank = rank;
  for (int axis = 0; axis < rank; ++axis) grid.dims[std::size_t(axis)] = input.between(1, rank > 2 ? 4 : 9);
  return altered(input, grid);
}

void resize_table(Input& input) {
  Resize options;
  const int rank = input.between(1, 4);
  options.from = grid_from(input, rank);
  options.to = grid_from(input, input.rarely(24) ? input.between(1, 4) : rank);
  options.prefix = input.rarely(24) ? input.number() : input.below(3);
  options.suffix = input.rarely(24) ? input.number() : input.below(3);
  options.mode = input.choice<ResizeMode>(3);
  options.antialias = input.rarely(3);
  options.align_corners = input.rarely(3);
  if (input.rarely(4)) options.scale_offset = input.rarely(4) ? input.number() : 0.1;
  options.transpose = input.rarely(3);
  const double kept = options.prefix + options.suffix, dim = size_from(input);
  const Shape old_shape{kept + options.from.size(), dim}, new_shape{kept + options.to.size(), dim};
  const Tensor table(input, options.transpose ? new_shape : old_shape);
  const Tensor out(input, options.transpose ? old_shape : new_shape);
  check_error(resize(table.view(), options, out.view()));
  require(table.unchanged(), "resize() changed its table");
}

void terms(Input& input) {
  const double count = size_from(input), width = size_from(input), inner = size_from(input);
  const Tensor x(input, {count, width}), table(input, {count, width}), wq(input, {inner, width}),
      wk(input, {inner, width});
  const Shape square{count, count};
  const Tensor a(input, square), b(input, square), c(input, square), d(input, square);
  check_error(score_terms(x.view(), table.view(), wq.view(), wk.view(), {a.view(), b.view(), c.view(), d.view()}));
}

void shift(Input& input) {
  Shape shape{double(input.below(4)), double(size_from(input)), double(size_from(input))};
  const Tensor x(input, shape);
  if (input.flag()) shape.dims[2] = input.below(int(shape[2]) + 1);
  const Tensor out(input, shape);
  check_error(relative_shift(x.view(), input.flag(), out.view()));
}

void temperature(Input& input) {
  const Places places(input, size_from(input), 1, 1);
  const Tensor out(input, {double(places.positions().count)});
  check_error(query_temperature(places.positions(), {input.number(), input.number(), input.number()}, out.view()));
}

// There and back again.
void halves(Input& input) {
  const std::size_t count = std::size_t(size_from(input));
  const auto bits = std::make_unique<std::uint16_t[]>(count), back = std::make_unique<std::uint16_t[]>(count);
  const auto floats = std::make_unique<float[]>(count);
  for (std::size_t i = 0; i < count; ++i) bits[i] = std::uint16_t(input.byte() * 256 + input.byte());
  floats_of_halves(bits.get(), count, floats.get());
  halves_of_floats(floats.get(), count, back.get());
  for (std::size_t i = 0; i < count; ++i)
    require(bits[i] == back[i] || std::isnan(floats[i]), "a float16 number that does not come back");
}

void profile(Input& input, Learned& encoding) {
  const double count = size_from(input);
  const Bias* bias = as<Bias>(encoding);
  const Tensor out(input, bias ? Shape{double(bias->heads), count} : Shape{count});
  check_error(distance_profile(encoding, out.view()));
}

}  // namespace

void call_training(Input& input, Learned& encoding) {
  switch (input.below(4)) {
    case 0:
      return overwrite(input, encoding);
    case 1:
      return check_error(encoding.step(optimizer_from(input)));
    case 2:
      return check_error(encoding.allocate_gradients());
  }
  if (!encoding.allocate_gradients()) encoding.zero_gradients();
}

void call_others(Input& input, Learned& encoding) {
  switch (input.below(7)) {
    case 0:
      return resize_table(input);
    case 1:
      return terms(input);
    case 2:
      return shift(input);
    case 3:
      return temperature(input);
    case 4:
      return profile(input, encoding);
    case 5:
      return halves(input);
  }
  const double rows = size_from(input);
  const Tensor table(input, {rows, double(size_from(input))}), out(input, {rows, rows});
  check_error(similarity(table.view(), out.view()));
}

}  // namespace posenc::fuzz
