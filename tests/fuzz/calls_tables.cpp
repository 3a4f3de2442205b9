// Calls of tables.
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

// The table's rows at these places, against numbers [.., width] that begin with `skip` others; `before`: what they were
// added to.
void check_rows(const Model& model, const Positions& positions, double per_row, double runs, const Tensor& result,
                std::size_t skip, const std::vector<float>* before) {
  const std::size_t count = std::size_t(per_row * runs), step = step_over(count, 12);
  const std::size_t width = count ? result.values().size() / count : 0;
  std::vector<Near> row;
  for (std::size_t i = 0; i < count; i += step) {
    const double run = std::floor(double(i) / per_row), index = double(i) - run * per_row;
    double coordinates[kMaxAxes];
    for (int axis = 0; axis < positions.axes; ++axis)
      coordinates[axis] = position_of(positions, per_row, run, index, axis);
    const bool is_prefix = positions.axes > 1 && positions.values.empty() && positions.offset + index < 0;
    if (!table_row(model, coordinates, positions, row)) return;
    if (is_prefix) row.assign(row.size(), Near{});
    for (std::size_t c = skip; c < width; ++c) {
      Near wanted = row[c - skip];
      const double old = before ? double((*before)[i * width + c]) : 0;
      if (before) wanted = {old + wanted.value, wanted.bound + std::abs(old + wanted.value) * kHalfUlp};
      expect("table", i * width + c, double(result.values()[i * width + c]), wanted);
    }
  }
}

void rows(Input& input, Subject& subject) {
  Table& table = *as<Table>(*subject.encoding);
  const RandomPositions random_positions(input, size_from(input), 1, table.axes);
  const Tensor out(input, {double(random_positions.positions().count), double(table.dim)});
  const Error error = table.rows(random_positions.positions(), out.view());
  expect_same_bits("table.rows", error, out);
  if (const Model* model = error ? nullptr : subject.formula())
    check_rows(*model, random_positions.positions(), random_positions.positions().count, 1, out, 0, nullptr);
}

void add_to(Input& input, Subject& subject) {
  Table& table = *as<Table>(*subject.encoding);
  const Tensor x(input, features_shape(input, table.dim));
  const Shape& shape = x.view().shape;
  const RandomPositions random_positions(input, shape.rank > 1 ? shape[-2] : 1, runs_of(shape), table.axes);
  const Dropout dropout = dropout_from(input);
  const Error before = table.check_add({nullptr, x.view().length, shape}, random_positions.positions());
  const Error error = table.add_to(x.view(), random_positions.positions(), dropout);
  require(!before || error, "check_add() refuses what add_to() does");
  check_untouched(error, x);
  expect_same_bits("table.add_to", error, x);
  if (const Model* model = error || dropout.rate > 0 ? nullptr : subject.formula())
    check_rows(*model, random_positions.positions(), shape[-2], runs_of(shape), x, 0, &x.before());
}

void concat_to(Input& input, Subject& subject) {
  Table& table = *as<Table>(*subject.encoding);
  const Tensor x(input, features_shape(input, size_from(input)));
  Shape shape = x.view().shape;
  const RandomPositions random_positions(input, shape.rank > 1 ? shape[-2] : 1, runs_of(shape), table.axes);
  const double features = shape.rank > 0 ? shape[-1] : 0;
  if (shape.rank > 0) shape.dims[std::size_t(shape.rank - 1)] += table.dim;
  const Tensor out(input, shape);
  const Error error = table.concat_to(x.view(), random_positions.positions(), out.view());
  check_untouched(error, x);
  require(x.unchanged(), "concat_to() changed its input");
  expect_same_bits("table.concat_to", error, out);
  if (const Model* model = error ? nullptr : subject.formula())
    check_rows(*model, random_positions.positions(), shape[-2], runs_of(shape), out, std::size_t(features), nullptr);
}

// The sum of slopes times rows, as a function of the parameters: its slope in a direction is that of the gradient.
void check_gradient(const Model& model, const Training& training, const Positions& positions, const Tensor& slopes,
                    const ScatterOptions& options, std::uint32_t seed) {
  const Shape& shape = slopes.view().shape;
  const double per_row = shape[-2], count = per_row * runs_of(shape);
  if (slopes.values().size() > 600 || !slopes.tame()) return;
  std::map<double, double> times;
  const auto at = [&](double i, int axis) {
    return position_of(positions, per_row, std::floor(i / per_row), std::fmod(i, per_row), axis);
  };
  for (double i = 0; i < count; ++i) times[at(i, 0)] += 1;
  std::vector<std::vector<double>> ways;
  for (const auto& list : model.parameters) ways.push_back(direction(list.size(), seed += 77));
  double size = 0;
  const auto value = [&](double step) {
    Model moved = model;
    for (std::size_t p = 0; p < ways.size(); ++p)
      for (std::size_t i = 0; i < ways[p].size(); ++i) moved.parameters[p][i] += step * ways[p][i];
    double sum = 0;
    std::vector<Near> row;
    for (double i = 0; i < count; ++i) {
      double coordinates[kMaxAxes];
      for (int axis = 0; axis < positions.axes; ++axis) coordinates[axis] = at(i, axis);
      if (positions.axes == 1 && *coordinates + model.number("start", 0) == options.padding) continue;
      if (positions.axes > 1 && positions.values.empty() && positions.offset + std::fmod(i, per_row) < 0) continue;
      table_row(moved, coordinates, positions, row);
      for (std::size_t c = 0; c < row.size(); ++c)
        sum += double(slopes.before()[std::size_t(i) * row.size() + c]) * row[c].value /
               (options.by_frequency ? times[*coordinates] : 1);
    }
    return sum;
  };
  double got = 0;
  for (std::size_t p = 0; p < ways.size(); ++p)
    for (std::size_t i = 0; i < ways[p].size(); ++i) {
      const double part = double(training.gradient(p)[i]) * ways[p][i];
      got += part, size += std::abs(part);
    }
  if (const double wanted = slope_of(value); std::isfinite(wanted))
    expect("table.backward along a direction", 0, got, {wanted, 1e-4 * size + 1e-5});
}

void scatter(Input& input, Subject& subject) {
  Table& table = *as<Table>(*subject.encoding);
  const Tensor gradient(input, features_shape(input, table.dim));
  const Shape& shape = gradient.view().shape;
  const RandomPositions random_positions(input, shape.rank > 1 ? shape[-2] : 1, runs_of(shape), table.axes);
  ScatterOptions options;
  if (input.rarely(4)) options.padding = input.number();
  options.by_frequency = input.rarely(4);
  options.dropout = dropout_from(input);
  const bool fresh = subject.fresh_gradients(input);
  const Error error = table.backward(gradient.view(), random_positions.positions(), options, subject.training);
  check_untouched(error, gradient);
  expect_same_bits("table.backward", error, gradient);
  if (error) return;
  if (const Model* model = fresh && options.dropout.rate == 0 ? subject.formula() : nullptr)
    check_gradient(*model, subject.training, random_positions.positions(), gradient, options, input.byte());
  else
    input.byte();
  subject.share_gradients(gradient.tame() ? 1e-4 : kInfinity);
}

void shift(Input& input, Subject& subject) {
  Table& table = *as<Table>(*subject.encoding);
  const Tensor out(input, {double(table.frequencies().size()), 2, 2});
  expect_same_bits("table.shift", table.shift(input.number(), out.view()), out);
}

}  // namespace

void call_table(Input& input, Subject& subject) {
  switch (input.below(5)) {
    case 0:
      return rows(input, subject);
    case 1:
      return add_to(input, subject);
    case 2:
      return concat_to(input, subject);
    case 3:
      return scatter(input, subject);
  }
  shift(input, subject);
}

}  // namespace posenc::fuzz
