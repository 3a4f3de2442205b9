// Calls of tables and biases.
#include "calls.hpp"

namespace posenc::fuzz {

namespace {

double runs_of(const Shape& shape) {
  double runs = 1;
  for (int axis = 0; axis < shape.rank - 2; ++axis) runs *= shape[axis];
  return runs;
}

Shape features_shape(Input& input, double width) {
  const double positions = size_from(input);
  if (input.flag()) return {positions, width};
  if (input.flag()) return {double(input.below(4)), positions, width};
  return {double(input.between(1, 2)), double(input.between(1, 3)), positions, width};
}

Dropout dropout_from(Input& input) {
  Dropout dropout;
  if (!input.rarely(3)) return dropout;
  dropout.rate = input.rarely(8) ? input.number() : input.byte() / 256.0;
  dropout.seed = input.byte();
  dropout.first_element = std::uint64_t(input.byte()) << 30;
  return dropout;
}

void rows(Input& input, Table& table) {
  const Places places(input, size_from(input), 1, table.axes);
  const Tensor out(input, {double(places.positions().count), double(table.dim)});
  check_error(table.rows(places.positions(), out.view()));
}

void add_to(Input& input, Table& table) {
  const Tensor x(input, features_shape(input, table.dim));
  const Shape& shape = x.view().shape;
  const Places places(input, shape.rank > 1 ? shape[-2] : 1, runs_of(shape), table.axes);
  const Dropout dropout = dropout_from(input);
  const Error before = table.check_add({nullptr, x.view().length, shape}, places.positions());
  const Error error = table.add_to(x.view(), places.positions(), dropout);
  require(!before || error, "check_add() refuses what add_to() does");
  check_untouched(error, x);
}

void concat_to(Input& input, Table& table) {
  const Tensor x(input, features_shape(input, size_from(input)));
  Shape shape = x.view().shape;
  const Places places(input, shape.rank > 1 ? shape[-2] : 1, runs_of(shape), table.axes);
  if (shape.rank > 0) shape.dims[std::size_t(shape.rank - 1)] += table.dim;
  const Tensor out(input, shape);
  check_untouched(table.concat_to(x.view(), places.positions(), out.view()), x);
  require(x.unchanged(), "concat_to() changed its input");
}

void backward(Input& input, Table& table) {
  const Tensor gradient(input, features_shape(input, table.dim));
  const Shape& shape = gradient.view().shape;
  const Places places(input, shape.rank > 1 ? shape[-2] : 1, runs_of(shape), table.axes);
  ScatterOptions options;
  if (input.rarely(4)) options.padding = input.number();
  options.by_frequency = input.rarely(4);
  options.dropout = dropout_from(input);
  check_untouched(table.backward(gradient.view(), places.positions(), options), gradient);
}

BiasCall call_of(Input& input, const Places& keys, const Mask& mask, double queries, double key_count) {
  BiasCall call;
  call.queries = input.rarely(48) ? input.number() : queries;
  call.keys = input.rarely(48) ? input.number() : key_count;
  call.offset = input.rarely(4) ? input.number() : key_count - queries;
  if (input.rarely(2)) call.key_positions = keys.positions();
  if (input.rarely(3)) call.visible.attention_mask = mask.view();
  if (input.rarely(4)) call.visible.segments = mask.segments();
  if (input.rarely(4)) call.visible.mask = mask.view();
  return call;
}

}  // namespace

void call_table(Input& input, Table& table) {
  switch (input.below(5)) {
    case 0:
      return rows(input, table);
    case 1:
      return add_to(input, table);
    case 2:
      return concat_to(input, table);
    case 3:
      return backward(input, table);
  }
  const Tensor out(input, {double(table.frequencies().size()), 2, 2});
  check_error(table.shift(input.number(), out.view()));
}

void call_bias(Input& input, Bias& bias) {
  const double queries = size_from(input), keys = size_from(input), batch = input.below(4);
  const double heads = bias.heads == 1 ? input.below(4) : bias.heads;
  const Places places(input, keys, batch, 1);
  const bool per_row = input.flag();
  const Mask mask(input, per_row ? Shape{batch, keys} : Shape{keys});
  const BiasCall call = call_of(input, places, mask, queries, keys);
  const int task = input.below(4);
  if (task == 0) {
    const bool has_batch = (call.visible.attention_mask.data || call.visible.segments.data) && per_row;
    const Tensor out(input, has_batch ? Shape{batch, heads, queries, keys} : Shape{heads, queries, keys});
    return check_error(bias.bias(call, out.view()));
  }
  if (task == 1) {
    const std::size_t count = input.rarely(16) ? input.byte() : std::size_t(queries * keys);
    const auto out = std::make_unique<std::int32_t[]>(count);
    return check_error(bias.buckets(call, {out.get(), count}));
  }
  const Shape shape = input.flag() ? Shape{batch, heads, queries, keys} : Shape{heads, queries, keys};
  const Tensor scores(input, shape), gradient(input, shape);
  if (task == 2) return check_untouched(bias.apply_to(call, scores.view()), scores);
  check_untouched(bias.backward(call, gradient.view(), input.rarely(4) ? View{} : scores.view()), gradient);
  require(scores.unchanged(), "backward() changed the scores");
}

}  // namespace posenc::fuzz
