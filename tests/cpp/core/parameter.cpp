// Do learned numbers begin as they should, and do positions with several axes stand where they should?
#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

Parameter begun(const RandomInit& init, const Shape& shape, int stream = 0) {
  std::vector<Parameter> list{init.fill("weights", "rows, columns", "", shape, stream)};
  REQUIRE(list[0].values.empty());
  REQUIRE_FALSE(allocate(list));
  return list[0];
}

}  // namespace

TEST_CASE("random first values are normally distributed, and the same for the same seed", "[parameter]") {
  const RandomInit init{.std = 0.5, .seed = 3};
  const Parameter first = begun(init, {200, 101});
  CHECK(first.shape == Shape{200, 101});
  REQUIRE(first.values.size() == 20200);
  CHECK(same_bits(first.values, begun(init, {200, 101}).values));
  double sum = 0, squares = 0, within = 0;
  for (float value : first.values) {
    sum += double(value);
    squares += double(value) * double(value);
    within += std::abs(value) < 0.5f;
  }
  CHECK(std::abs(sum / 20200) < 0.015);
  CHECK(std::abs(std::sqrt(squares / 20200) - 0.5) < 0.01);
  CHECK(std::abs(within / 20200 - 0.6827) < 0.015);
}

TEST_CASE("numbers that come next are not drawn, and shapes alone take no memory", "[parameter]") {
  const SpecInput spec{{"dim", number(8)}, {"maxDistance", number(3)}};
  auto drawn = create("shaw", spec), given = create("shaw", spec, {.given = 2}),
       bare = create("shaw", spec, {.shapes_only = true});
  REQUIRE(drawn);
  REQUIRE(given);
  REQUIRE(bare);
  const auto &all = (*drawn)->parameters, &some = (*given)->parameters, &none = (*bare)->parameters;
  REQUIRE(all.size() == 2);
  CHECK(same_bits(some[0].values, all[0].values));
  CHECK(same_bits(some[1].values, std::vector<float>(all[1].values.size())));
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(none[i].shape == all[i].shape);
    CHECK(none[i].values.empty());
  }
}

TEST_CASE("other seeds and streams give other values, a deviation of 0 zeros", "[parameter]") {
  const auto values = [](const RandomInit& init, int stream) { return begun(init, {64}, stream).values; };
  CHECK_FALSE(same_bits(values({.std = 1, .seed = 1}, 0), values({.std = 1, .seed = 2}, 0)));
  CHECK_FALSE(same_bits(values({.std = 1, .seed = 1}, 0), values({.std = 1, .seed = 1}, 1)));
  CHECK(largest_difference(values({.std = 0, .seed = 1}, 0), std::vector<double>(64, 0)) == 0);
}

TEST_CASE("a grid is walked row by row, from any place on", "[positions]") {
  const Positions grid{.values = {}, .offset = 0, .count = 24, .axes = 3, .stride = 0, .extent = {2, 3, 4}};
  std::size_t index = 0;
  for (double t = 0; t < 2; ++t)
    for (double y = 0; y < 3; ++y)
      for (double x = 0; x < 4; ++x, ++index) {
        CHECK(grid.at(index, 0) == t);
        CHECK(grid.at(index, 1) == y);
        CHECK(grid.at(index, 2) == x);
      }
  CHECK(grid.largest() == 3);
  CHECK(grid.extent_of(1) == 3);
  CHECK_FALSE(grid.check(24, 1, 3));
  Positions later = grid;
  later.offset = 17;
  CHECK(later.at(0, 0) == 1);
  CHECK(later.at(0, 1) == 1);
  CHECK(later.at(0, 2) == 1);
  CHECK(later.check(8, 1, 3).field() == "grid");
  CHECK_FALSE(later.check(7, 1, 3));
}

TEST_CASE("positions of each axis follow those of the one before", "[positions]") {
  const std::vector<double> values{1, 2, 3, 10, 20, 30};
  const Positions two{.values = std::span(values).first(3), .offset = 0, .count = 3, .axes = 2, .stride = 3};
  CHECK(two.at(2, 0) == 3);
  CHECK(two.at(1, 1) == 20);
  CHECK(two.largest() == 30);
  CHECK(two.extent_of(0) == 4);
  CHECK(two.extent_of(1) == 31);
  CHECK_FALSE(two.check(3, 1, 2));
  CHECK(two.check(3, 1, 1).code() == Code::shape_mismatch);
  CHECK(two.check(3, 1, 3).code() == Code::shape_mismatch);
  CHECK(two.check(4, 2, 2).code() == Code::shape_mismatch);
  const std::vector<double> bad{1, 2, 3, 10, std::nan(""), 30};
  const Positions broken{.values = std::span(bad).first(3), .offset = 0, .count = 3, .axes = 2, .stride = 3};
  CHECK(broken.check(3, 1, 2).code() == Code::invalid_argument);
}
