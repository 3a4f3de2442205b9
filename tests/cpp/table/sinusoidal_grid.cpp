// Sinusoids of several axes and Fourier features, against their formulas in plain double.
#include <numbers>

#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

Positions grid_of(std::initializer_list<double> sizes, int count) {
  Positions grid{.values = {}, .offset = 0, .count = count, .axes = int(sizes.size())};
  std::copy(sizes.begin(), sizes.end(), grid.extent.begin());
  return grid;
}

std::vector<float> rows_of(Table& table, const Positions& positions) {
  std::vector<float> out(std::size_t(positions.count) * std::size_t(table.dim), 99);
  const Error error = table.rows(positions, view_of(out, {double(positions.count), double(table.dim)}));
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

// The row of one place: `frequency_count` per axis at base^(-i / denominator).
struct Axis {
  double coordinate;
  int frequency_count;
  double denominator;
  double angle(int i) const { return coordinate * std::pow(10000.0, -i / denominator); }
};

std::vector<double> interleaved(std::initializer_list<Axis> axes) {
  std::vector<double> out;
  for (const Axis& axis : axes)
    for (int i = 0; i < axis.frequency_count; ++i) {
      out.push_back(std::sin(axis.angle(i)));
      out.push_back(std::cos(axis.angle(i)));
    }
  return out;
}

std::vector<double> concat(std::initializer_list<Axis> axes) {
  std::vector<double> out;
  for (const Axis& axis : axes) {
    for (int i = 0; i < axis.frequency_count; ++i) out.push_back(std::sin(axis.angle(i)));
    for (int i = 0; i < axis.frequency_count; ++i) out.push_back(std::cos(axis.angle(i)));
  }
  return out;
}

std::vector<float> row_at(const std::vector<float>& rows, std::size_t cell, int dim) {
  return {rows.begin() + std::ptrdiff_t(cell) * dim, rows.begin() + std::ptrdiff_t(cell + 1) * dim};
}

constexpr double kRounding = 6e-8;

}  // namespace

TEST_CASE("sinusoidal-2d: the arrangements of libraries", "[grid]") {
  Sinusoidal2d spec;
  spec.grid.dim = 12;
  const auto row = [&](const Positions& grid, std::size_t cell) {
    return row_at(rows_of(*make_right(spec), grid), cell, spec.grid.dim);
  };
  const Positions grid = grid_of({3, 5}, 15);  // place 13 is row 2, column 3
  CHECK(largest_difference(row(grid, 13), interleaved({{2, 3, 3}, {3, 3, 3}})) < kRounding);
  spec.grid.pairing = GridPairing::concat;
  spec.axis_order = ImageAxes::xy;  // MAE
  CHECK(largest_difference(row(grid, 13), concat({{3, 3, 3}, {2, 3, 3}})) < kRounding);
  spec.grid.base_size = 8;  // diffusers
  spec.grid.scale = 0.5;
  CHECK(largest_difference(row(grid, 13), concat({{3 * 8 / 5.0 / 2, 3, 3}, {2 * 8 / 3.0 / 2, 3, 3}})) < kRounding);
  spec = {};
  spec.grid.dim = 12;
  spec.grid.start = 1;  // DETR
  spec.grid.normalize = true;
  spec.grid.scale = 2 * std::numbers::pi;
  const double two_pi = 2 * std::numbers::pi;
  CHECK(largest_difference(row(grid, 13), interleaved({{3 / (3 + 1e-6) * two_pi, 3, 3},
                                                       {4 / (5 + 1e-6) * two_pi, 3, 3}})) < 3 * kRounding);
  spec = {};
  spec.grid.dim = 8;
  spec.grid.pairing = GridPairing::grouped;  // timm
  const auto y = concat({{2, 2, 2}}), x = concat({{3, 2, 2}});
  CHECK(largest_difference(row(grid, 13), std::vector{y[0], y[1], x[0], x[1], y[2], y[3], x[2], x[3]}) < kRounding);
}

TEST_CASE("dims without equal shares are cut or padded", "[grid]") {
  Sinusoidal2d spec;
  spec.grid.dim = 7;
  auto cut = interleaved({{2, 2, 2}, {3, 2, 2}});
  cut.pop_back();
  const Positions grid = grid_of({3, 5}, 15);
  CHECK(largest_difference(row_at(rows_of(*make_right(spec), grid), 13, 7), cut) < kRounding);
  spec.grid.uneven_dim = UnevenDim::pad;
  auto padded = interleaved({{2, 1, 1}, {3, 1, 1}});
  padded.resize(7, 0);
  CHECK(largest_difference(row_at(rows_of(*make_right(spec), grid), 13, 7), padded) < kRounding);
  spec.grid.dim = 3;
  CHECK(rows_of(*make_right(spec), grid) == std::vector<float>(45, 0));
}

TEST_CASE("sinusoidal-3d: frame, row and column, each with its share", "[grid]") {
  Sinusoidal3d spec;
  spec.grid.dim = 16;
  spec.grid.pairing = GridPairing::concat;
  spec.axis_order = VideoAxes::txy;
  spec.temporal_dim = 4;
  spec.temporal_scale = 0.25;
  spec.grid.scale = 0.5;
  const Positions grid = grid_of({2, 3, 4}, 24);  // place 22 is frame 1, row 2, column 2; 23 column 3
  const auto rows = rows_of(*make_right(spec), grid);
  CHECK(largest_difference(row_at(rows, 23, 16), concat({{0.25, 2, 2}, {1.5, 3, 3}, {1, 3, 3}})) < kRounding);
  spec.axis_order = VideoAxes::xyt;
  CHECK(largest_difference(row_at(rows_of(*make_right(spec), grid), 23, 16),
                           concat({{1.5, 3, 3}, {1, 3, 3}, {0.25, 2, 2}})) < kRounding);
  spec.temporal_dim = 3;
  CHECK(make(spec).error().field() == "temporalDim");
}

TEST_CASE("class tokens before a grid get rows of zeros", "[grid]") {
  Sinusoidal2d spec;
  spec.grid.dim = 8;
  auto table = make_right(spec);
  Positions grid = grid_of({2, 3}, 8);
  grid.offset = -2;
  const auto rows = rows_of(*table, grid), plain = rows_of(*table, grid_of({2, 3}, 6));
  CHECK(std::vector<float>(rows.begin(), rows.begin() + 16) == std::vector<float>(16, 0));
  CHECK(same_bits({rows.begin() + 16, rows.end()}, plain));
  std::vector<float> out(8 * 9);
  grid.count = 9;
  CHECK(table->rows(grid, view_of(out, {9, 8})).field() == "grid");
  CHECK(table->rows(run(0, 9), view_of(out, {9, 8})).field() == "positions");
}

TEST_CASE("normalize and baseSize exclude each other", "[grid]") {
  Sinusoidal2d spec;
  spec.grid.normalize = true;
  spec.grid.base_size = 16;
  CHECK(make(spec).error().field() == "baseSize");
  // Nothing to divide by.
  spec.grid.base_size = 0;
  spec.grid.eps = 0;
  const auto rows = rows_of(*make_right(spec), grid_of({1, 2}, 2));
  for (const float x : rows) REQUIRE(std::abs(x) <= 1);
}

TEST_CASE("fourier: gaussian features mix the coordinates, read anew at each call", "[grid]") {
  Fourier spec{.dim = 6, .inputs = 2};
  auto table = make_right(spec);
  std::vector<float>& b = table->parameters[0].values;
  REQUIRE(table->parameters[0].shape == Shape{2, 3});
  const std::vector<double> coordinates{0.3, 0.7};
  const Positions at{.values = std::span(coordinates).first(1), .offset = 0, .count = 1, .axes = 2, .stride = 1};
  for (const float change : {0.0f, 3.5f}) {
    b[1] += change;
    std::vector<double> wanted;
    for (std::size_t k = 0; k < 3; ++k)
      wanted.push_back(std::sin(2 * std::numbers::pi * (0.3 * double(b[k]) + 0.7 * double(b[3 + k]))));
    for (std::size_t k = 0; k < 3; ++k)
      wanted.push_back(std::cos(2 * std::numbers::pi * (0.3 * double(b[k]) + 0.7 * double(b[3 + k]))));
    CHECK(largest_difference(rows_of(*table, at), wanted) < kRounding);
  }
}

TEST_CASE("fourier: bands of powers of two (NeRF) and evenly spaced ones (Perceiver)", "[grid]") {
  const double pi = std::numbers::pi;
  Fourier nerf{.dim = 10, .inputs = 2, .form = FourierForm::geometric, .include_input = true};
  nerf.pairing = SinusoidBlocks::banded;
  const std::vector<double> coordinates{0.3, -0.7};
  const Positions at{.values = std::span(coordinates).first(1), .offset = 0, .count = 1, .axes = 2, .stride = 1};
  const auto row = rows_of(*make_right(nerf), at);
  std::vector<double> wanted{0.3, -0.7};
  for (const double band : {1.0, 2.0})
    for (const double quarter : {0.0, pi / 2})
      for (const double c : coordinates) wanted.push_back(std::sin(pi * band * c + quarter));
  CHECK(largest_difference(row, wanted) < kRounding);

  Fourier perceiver{.dim = 12, .inputs = 2, .form = FourierForm::linear, .max_frequency = 4};
  perceiver.coordinates = FourierCoordinates::endpoints;
  const auto rows = rows_of(*make_right(perceiver), grid_of({3, 5}, 15));  // place 13: (1, 0.5)
  wanted.clear();
  for (const double quarter : {0.0, pi / 2})
    for (const double c : {1.0, 0.5})
      for (const double band : {1.0, 2.5, 4.0}) wanted.push_back(std::sin(pi * band * c + quarter));
  CHECK(largest_difference(row_at(rows, 13, 12), wanted) < kRounding);
  CHECK(make(Fourier{.dim = 7}).error().field() == "dim");
  CHECK(make(Fourier{.dim = 10, .inputs = 2, .form = FourierForm::linear}).error().field() == "dim");
  CHECK(make(Fourier{.dim = 1024, .form = FourierForm::geometric}).error().field() == "maxFrequency");
}
