// Learned tables: their rows, the memory they need, and what resizing makes of them.
#include "cpp/support.hpp"
#include "posenc/table/resize.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

std::vector<float> resized(std::vector<float> table, double dim, const Resize& options) {
  const double kept = options.prefix + options.suffix;
  std::vector<float> out(std::size_t((kept + options.to.size()) * dim), 99);
  const Error error =
      resize(view_of(table, {kept + options.from.size(), dim}), options, view_of(out, {kept + options.to.size(), dim}));
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

std::vector<float> counted(int count) {
  std::vector<float> out;
  for (int i = 0; i < count; ++i) out.push_back(float(i));
  return out;
}

}  // namespace

TEST_CASE("a learned table hands out its rows, as they are at each call", "[learned]") {
  auto table = make_right(LearnedTable{.length = 5, .dim = 3, .init = {.std = 0.5, .seed = 7}});
  Parameter& weights = table->parameters[0];
  CHECK(weights.name == "weights");
  CHECK(weights.shape == Shape{5, 3});
  std::vector<float> rows(6);
  const auto ask = [&] { return table->rows(given({4, 0}), view_of(rows, {2, 3})); };
  REQUIRE_FALSE(ask());
  CHECK(std::equal(rows.begin(), rows.begin() + 3, weights.values.begin() + 12));
  CHECK(std::equal(rows.begin() + 3, rows.end(), weights.values.begin()));
  weights.values[12] = 42;
  REQUIRE_FALSE(ask());
  CHECK(rows[0] == 42);
}

TEST_CASE("positions without a row are refused", "[learned]") {
  auto table = make_right(LearnedTable{.length = 5, .dim = 1});
  std::vector<float> row(1);
  for (const double position : {-1.0, 5.0, 0.5, 1e9}) {
    const Error error = table->rows(given({position}), view_of(row, {1, 1}));
    CHECK(error.code() == Code::out_of_range);
    CHECK(error.field() == "positions");
    CHECK(error.message().find("has 5 rows") != std::string::npos);
  }
  CHECK(table->rows(run(3, 3), view_of(row, {3, 1})).code() == Code::out_of_range);
}

TEST_CASE("memory that cannot be had is an error", "[learned]") {
  const auto too_large = make(LearnedTable{.length = 2147483647, .dim = 1048576});
  CHECK(too_large.error().code() == Code::out_of_memory);
  CHECK(too_large.error().field() == "weights");
  CHECK(create("learned", {{"length", number(1e9)}, {"dim", number(1)}}).error().code() == Code::out_of_memory);
  // Large ones are filled in later than small ones, with the same numbers.
  const LearnedTable large{.length = 1100000, .dim = 1}, small{.length = 1000, .dim = 1};
  CHECK(large.parameters()[0].values.empty());
  const auto made = make_right(large), first = make_right(small);
  REQUIRE(made->parameters[0].values.size() == 1100000);
  CHECK(std::equal(first->parameters[0].values.begin(), first->parameters[0].values.end(),
                   made->parameters[0].values.begin()));
}

TEST_CASE("resizing to the same grid changes nothing", "[resize]") {
  const auto table = random_floats(3 * 4 * 5, 1);
  for (const ResizeMode mode : {ResizeMode::nearest, ResizeMode::linear, ResizeMode::cubic})
    for (const bool antialias : {false, true})
      for (const bool corners : {false, true}) {
        Resize options{.from = {3, 4}, .to = {3, 4}, .mode = mode, .antialias = antialias, .align_corners = corners};
        if (mode == ResizeMode::nearest) options.antialias = options.align_corners = false;
        if (antialias) options.align_corners = false;
        CHECK(same_bits(resized(table, 5, options), table));
      }
}

TEST_CASE("linear resizing takes places as the middles of cells, or holds the corners", "[resize]") {
  Resize options{.from = {4}, .to = {8}, .mode = ResizeMode::linear};
  CHECK(resized(counted(4), 1, options) == std::vector<float>{0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.75, 3});
  options.align_corners = true;
  options.to = {7};
  CHECK(resized(counted(4), 1, options) == std::vector<float>{0, 0.5, 1, 1.5, 2, 2.5, 3});
  options.to = {1};
  CHECK(resized(counted(4), 1, options) == std::vector<float>{0});
  options = {.from = {6}, .to = {2}, .mode = ResizeMode::linear};
  CHECK(resized(counted(6), 1, options) == std::vector<float>{1, 4});
  // A triangle six wide about 1: 1/3 of 1, 2/9 of its neighbours, 1/9 of 3, what lies outside is left out.
  options.antialias = true;
  const auto smooth = resized(counted(6), 1, options);
  CHECK(std::abs(smooth[0] - 10.0 / 8) < 1e-6);
  CHECK(std::abs(smooth[0] + smooth[1] - 5) < 1e-6);
}

TEST_CASE("the scale offset makes steps shorter, as DINOv2 asks for it", "[resize]") {
  const auto made = resized(counted(4), 1, {.from = {4}, .to = {8}, .mode = ResizeMode::linear, .scale_offset = 0.1});
  for (std::size_t i = 1; i + 1 < made.size(); ++i)
    CHECK(std::abs(double(made[i]) - ((double(i) + 0.5) * 4 / 8.1 - 0.5)) < 1e-6);
}

TEST_CASE("nearest takes the place where the cell begins", "[resize]") {
  Resize options{.from = {3}, .to = {7}, .mode = ResizeMode::nearest};
  CHECK(resized(counted(3), 1, options) == std::vector<float>{0, 0, 0, 1, 1, 2, 2});
  options = {.from = {7}, .to = {3}, .mode = ResizeMode::nearest};
  CHECK(resized(counted(7), 1, options) == std::vector<float>{0, 2, 4});
}

TEST_CASE("cubic weights add up to 1, and are those of Keys' kernel", "[resize]") {
  for (const double offset : {0.0, 0.1})
    for (const bool antialias : {false, true}) {
      Resize options{.from = {8}, .to = {8}, .antialias = antialias, .scale_offset = offset};
      for (const double size : {5.0, 8.0, 13.0}) {
        options.to = {size};
        CHECK(largest_difference(resized(std::vector<float>(8, 3.0f), 1, options),
                                 std::vector<double>(std::size_t(size), 3.0)) < 1e-6);
      }
    }
  // Keys' kernel with a = -0.75 half way between two places.
  const auto halves = resized({0, 0, 0, 1, 0, 0, 0, 0}, 1, {.from = {8}, .to = {4}});
  CHECK(halves == std::vector<float>{0, 0.59375f, -0.09375f, 0});
}

TEST_CASE("rows before and after the grid are kept, several axes are resized one by one", "[resize]") {
  const auto grid = random_floats(2 * 3 * 4, 5);
  std::vector<float> table{7, 7, 7, 7};
  table.insert(table.end(), grid.begin(), grid.end());
  table.insert(table.end(), {8, 8, 8, 8});
  Resize options{.from = {2, 3}, .to = {4, 5}, .prefix = 1, .suffix = 1};
  const auto out = resized(table, 4, options);
  CHECK(std::vector<float>(out.begin(), out.begin() + 4) == std::vector<float>(4, 7));
  CHECK(std::vector<float>(out.end() - 4, out.end()) == std::vector<float>(4, 8));
  // First the rows of the grid, then its columns.
  const auto tall = resized(grid, 12, {.from = {2}, .to = {4}});
  std::vector<float> wanted;
  for (std::ptrdiff_t y = 0; y < 4; ++y) {
    const auto line = resized({tall.begin() + 12 * y, tall.begin() + 12 * (y + 1)}, 4, {.from = {3}, .to = {5}});
    wanted.insert(wanted.end(), line.begin(), line.end());
  }
  CHECK(largest_difference({out.begin() + 4, out.end() - 4}, wanted) < 1e-6);
}

TEST_CASE("what cannot be resized is refused", "[resize]") {
  std::vector<float> table(24), out(400, 5);
  const auto refused = [&](const Shape& shape, const Resize& options, Code code, std::string_view field) {
    const double rows = options.prefix + options.to.size();
    const Error error = resize(view_of(table, shape), options, {out.data(), rows * 4, {rows, 4}});
    CAPTURE(error.message());
    CHECK(error.code() == code);
    CHECK(error.field() == field);
  };
  refused({6, 4}, {.from = {2, 3}, .to = {4}}, Code::shape_mismatch, "grid");
  refused({6, 4}, {.from = {2, 3}, .to = {0, 3}}, Code::invalid_argument, "grid");
  refused({6, 4}, {.from = {2.5, 3}, .to = {2, 3}}, Code::invalid_argument, "from");
  refused({6, 4}, {.from = {2, 2}, .to = {2, 3}}, Code::shape_mismatch, "table");
  refused({24}, {.from = {2, 3}, .to = {2, 3}}, Code::shape_mismatch, "table");
  refused({2, 3, 4}, {.from = {3}, .to = {2}}, Code::shape_mismatch, "table");
  refused({6, 4}, {.from = {6}, .to = {2}, .prefix = -1}, Code::invalid_argument, "prefix");
  refused({6, 4}, {.from = {6}, .to = {2}, .scale_offset = -0.1}, Code::invalid_argument, "scaleOffset");
  refused({6, 4}, {.from = {6}, .to = {2}, .mode = ResizeMode::nearest, .antialias = true}, Code::invalid_argument,
          "antialias");
  refused({6, 4}, {.from = {6}, .to = {2}, .mode = ResizeMode::nearest, .align_corners = true}, Code::invalid_argument,
          "alignCorners");
  refused({8, 3}, {.from = {8}, .to = {2}}, Code::shape_mismatch, "out");
  CHECK(out == std::vector<float>(400, 5));
}
