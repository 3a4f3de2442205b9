// Places with several axes: does each pair turn by the axis that it should, wherever the features lie?
#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

/// Positions, axis after axis.
struct Grid {
  std::vector<double> values;
  Positions positions;

  explicit Grid(const std::vector<std::vector<double>>& axes, int rows = 1) {
    for (const auto& axis : axes) values.insert(values.end(), axis.begin(), axis.end());
    positions.values = std::span(values).first(axes[0].size());
    positions.count = int(axes[0].size()) / rows;
    positions.axes = int(axes.size());
    positions.stride = axes[0].size();
  }
};

const std::vector<std::vector<double>> kAxisPositions{
    {0, 1, 2, 2, 2, 40}, {0, 1, 3, 4, 3.5, 2}, {0, 1, -3, 3, 5, 70000}};

struct Tables {
  std::vector<float> cosine, sine;
};

Tables tables_of(Rotation& rotation, const Positions& positions) {
  const Shape shape{double(positions.count), double(rotation.pairs)};
  Tables out{std::vector<float>(std::size_t(shape.size())), std::vector<float>(std::size_t(shape.size()))};
  const Error error = rotation.tables(positions, 0, view_of(out.cosine, shape), view_of(out.sine, shape));
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

std::vector<float> applied_along(Rotation& rotation, std::vector<float> x, const Positions& positions,
                                 Direction direction = Direction::forward, double batch = 1) {
  const double count = double(x.size()) / rotation.dim / 2 / batch;
  const Error error =
      rotation.apply(view_of(x, {batch, 2, count, double(rotation.dim)}), HeadLayout::bhtd, positions, 0, direction);
  INFO(error.message());
  REQUIRE_FALSE(error);
  return x;
}

// cos(p_axis θ) with the map, by the rows that a rotation with one axis makes.
void check_by_axis(Rotation& rotation, Rotation& plain, const std::vector<double>& map,
                   const std::vector<std::vector<double>>& axis_positions = kAxisPositions) {
  const Grid grid(axis_positions);
  const auto got = tables_of(rotation, grid.positions);
  const std::size_t pairs = std::size_t(rotation.pairs);
  for (std::size_t axis = 0; axis < axis_positions.size(); ++axis) {
    const auto row = tables_of(plain, given(axis_positions[axis]));
    for (std::size_t i = 0; i < got.cosine.size(); ++i) {
      if (map[i % pairs] != int(axis)) continue;
      REQUIRE(got.cosine[i] == row.cosine[i]);
      REQUIRE(got.sine[i] == row.sine[i]);
    }
  }
}

Rope rope_of(int dim) { return {.common = {.dim = dim}}; }

}  // namespace

TEST_CASE("sections are chunks of pairs", "[axes]") {
  RopeMrope spec{.common = {.dim = 24, .sections = {3, 5, 4}}};
  check_by_axis(*make_right(spec), *make_right(rope_of(24)), {0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2});
  spec.common.sections = {0, 12, 0};
  check_by_axis(*make_right(spec), *make_right(rope_of(24)), std::vector<double>(12, 1));
}

TEST_CASE("interleaved sections take turns until they have their share", "[axes]") {
  RopeMrope spec{.common = {.dim = 24, .sections = {5, 4, 3}, .interleaved_sections = true}};
  check_by_axis(*make_right(spec), *make_right(rope_of(24)), {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 0});
  // ggml: what three axes leave is the fourth's.
  spec.common.sections = {3, 3, 2, 4};
  const auto rotation = make_right(spec);
  CHECK(rotation->axis_of_pair == std::vector<double>{0, 1, 2, 0, 1, 2, 0, 1, 3, 3, 3, 3});
  // Qwen3-VL
  spec.common = {.dim = 128, .sections = {24, 20, 20}, .interleaved_sections = true};
  const auto qwen = make_right(spec)->axis_of_pair;
  for (int k = 0; k < 64; ++k) CHECK(qwen[std::size_t(k)] == (k < 60 ? k % 3 : 0));
}

TEST_CASE("pairs can be listed, and every scaling rule has sections", "[axes]") {
  const std::vector<double> list{1, 2, 1, 2, 1, 2, 0, 0};
  const std::vector<double> map(list.begin(), list.end());
  check_by_axis(*make_right(Rope{.common = {.dim = 16, .axis_of_pair = list}}), *make_right(rope_of(16)), map);
  RopeYarn yarn{.common = {.dim = 16}, .factor = 8, .original_length = 64};
  const auto plain = make_right(yarn);
  yarn.common.axis_of_pair = list;
  check_by_axis(*make_right(yarn), *plain, map);
  // LongRoPE goes by the farthest axis.
  RopeLongrope longrope{.common = {.dim = 16}, .original_length = 60000};
  longrope.short_factor = {1};
  longrope.long_factor = {7};
  longrope.common.axis_of_pair = list;
  const auto far = make_right(longrope);
  const Grid grid(kAxisPositions);
  CHECK(far->length_of(grid.positions, 0) == 70001);
  const auto got = tables_of(*far, grid.positions);
  CHECK(std::abs(got.cosine[8] / far->attention_factor - std::cos(1 / 7.0)) < 1e-6);
}

TEST_CASE("one list of positions is text: plain RoPE to the last bit", "[axes]") {
  const auto x = random_floats(2 * 40 * 24, 1);
  RopeMrope spec{.common = {.dim = 24, .sections = {4, 4, 4}}};
  const auto rotation = make_right(spec), plain = make_right(RopeMrope{.common = {.dim = 24, .sections = {12}}});
  std::vector<double> text;
  for (int t = 0; t < 40; ++t) text.push_back(t + 7);
  const auto wanted = applied_along(*plain, x, run(7, 40));
  CHECK(same_bits(applied_along(*rotation, x, run(7, 40)), wanted));
  CHECK(same_bits(applied_along(*rotation, x, given(text)), wanted));
  CHECK(same_bits(applied_along(*rotation, x, Grid({text, text, text}).positions), wanted));
}

TEST_CASE("remembered places are told apart by all their axes, row by row of the batch", "[axes]") {
  Random random(5);
  const auto rotation = make_right(RopeMrope{.common = {.dim = 24, .sections = {4, 4, 4}}});
  for (int repeat = 0; repeat < 20; ++repeat) {
    const int rows = repeat % 2 + 1, count = 37;
    std::vector<std::vector<double>> axes(3, std::vector<double>(std::size_t(rows * count)));
    for (auto& axis : axes)
      for (double& position : axis) position = random.below(3);
    const Grid grid(axes, rows);
    const auto x = random_floats(std::size_t(rows * 2 * count * 24), 9);
    const auto got = applied_along(*rotation, x, grid.positions, Direction::forward, rows);
    const auto fresh = make_right(RopeMrope{.common = {.dim = 24, .sections = {4, 4, 4}}});
    REQUIRE(same_bits(got, applied_along(*fresh, x, grid.positions, Direction::forward, rows)));
    CHECK(largest_difference(applied_along(*rotation, got, grid.positions, Direction::inverse, rows), x) < 1e-6);
  }
}

TEST_CASE("a grid is its places", "[axes]") {
  const auto rotation = make_right(RopeAxial{.common = {.dim = 16}});
  std::vector<std::vector<double>> axes(2);
  for (int y = 0; y < 5; ++y)
    for (int x = 0; x < 7; ++x) axes[0].push_back(y), axes[1].push_back(x);
  const Positions grid{.values = {}, .offset = 0, .count = 35, .axes = 2, .extent = {5, 7}};
  const auto x = random_floats(2 * 35 * 16, 2);
  const auto wanted = applied_along(*rotation, x, Grid(axes).positions);
  CHECK(same_bits(applied_along(*rotation, x, grid), wanted));
  CHECK(same_bits(applied_along(*make_right(RopeAxial{.common = {.dim = 16}}), x, grid), wanted));
}

TEST_CASE("an axis has a block of pairs and frequencies of its own", "[axes]") {
  const auto own = make_right(RopeAxial{.common = {.dim = 16, .base = 100}});
  const std::vector<double> four{1, std::pow(100, -0.25), std::pow(100, -0.5), std::pow(100, -0.75)};
  std::vector<double> wanted = four;
  wanted.insert(wanted.end(), four.begin(), four.end());
  CHECK(largest_relative_difference(own->inverse_frequencies(1), wanted) < 1e-15);
  CHECK(own->axis_of_pair == std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1});

  RopeAxial strided{.common = {.dim = 16, .base = 100}, .form = AxialForm::strided};
  wanted = {};
  for (const int k : {0, 2, 4, 6, 1, 3, 5, 7}) wanted.push_back(std::pow(100, -k / 8.0));
  CHECK(largest_relative_difference(make_right(strided)->inverse_frequencies(1), wanted) < 1e-15);

  RopeAxial pixel{.common = {.dim = 16}, .form = AxialForm::pixel, .max_frequency = 20};
  wanted = {3.141592653589793, 12.566370614359172, 21.991148575128552, 31.41592653589793};
  wanted.insert(wanted.end(), {3.141592653589793, 12.566370614359172, 21.991148575128552, 31.41592653589793});
  CHECK(largest_relative_difference(make_right(pixel)->inverse_frequencies(1), wanted) < 1e-15);

  RopeAxial video{.common = {.dim = 24}, .axes = 3, .axis_dims = {8, 6, 6}, .axis_order = {2, 0, 1}};
  const auto rotation = make_right(video);
  CHECK(rotation->pairs == 10);
  CHECK(rotation->axis_of_pair == std::vector<double>{2, 2, 2, 2, 0, 0, 0, 1, 1, 1});
}

TEST_CASE("coordinates: indices, endpoints, centres", "[axes]") {
  const Positions grid{.values = {}, .offset = 0, .count = 12, .axes = 2, .extent = {3, 4}};
  const auto coordinates = [&](AxisCoordinates::Form form, double start, double scale, const Positions& positions) {
    RopeAxial spec{.common = {.dim = 4}};
    spec.coordinates = {form, start, scale};
    std::vector<double> angles(std::size_t(positions.count) * 2);
    REQUIRE_FALSE(make_right(spec)->angles(positions, 0, angles));
    return angles;  // frequencies are 1
  };
  using Form = AxisCoordinates::Form;
  const auto index = coordinates(Form::index, 1, 1, grid), ends = coordinates(Form::endpoints, 0, 1, grid),
             centres = coordinates(Form::centres, 0, 2, grid);
  for (std::size_t i = 0; i < 12; ++i) {
    const double y = double(i / 4), x = double(i % 4);
    CHECK(index[2 * i] == y + 1);
    CHECK(index[2 * i + 1] == x + 1);
    CHECK(ends[2 * i] == y - 1);
    CHECK(std::abs(ends[2 * i + 1] - (2 * x / 3 - 1)) < 1e-15);
    CHECK(std::abs(centres[2 * i] - 2 * (2 * (y + 0.5) / 3 - 1)) < 1e-15);
    CHECK(std::abs(centres[2 * i + 1] - 2 * (2 * (x + 0.5) / 4 - 1)) < 1e-15);
  }
  // torch.linspace(-1, 1, 1) is -1; the class token of Llama 4 stands still.
  const Positions single{.values = {}, .offset = 0, .count = 1, .axes = 2, .extent = {1, 1}};
  CHECK(coordinates(Form::endpoints, 0, 1, single) == std::vector<double>{-1, -1});
  CHECK(coordinates(Form::centres, 0, 1, single) == std::vector<double>{0, 0});
  CHECK(coordinates(Form::index, 1, 1, Grid(std::vector<std::vector<double>>{{-1}, {-1}}).positions) ==
        std::vector<double>{0, 0});
}

TEST_CASE("slices: trailing features, and axes that pair apart", "[axes]") {
  const auto x = random_floats(2 * 3 * 24, 3);
  for (const Pairing pairing : {Pairing::half, Pairing::interleaved, Pairing::interleaved_to_half})
    for (const int start : {-1, 4}) {
      const Rope inner{.common = {.dim = 8, .pairing = pairing}};
      const Rope spec{.common = {.dim = 24, .rotary_dim = 8, .pairing = pairing, .rotary_start = start}};
      const auto got = applied_along(*make_right(spec), x, run(5, 3));
      const std::size_t first = start < 0 ? 16 : 4;
      for (std::size_t row = 0; row < 6; ++row) {
        std::vector<float> single(x.begin() + row * 24 + first, x.begin() + row * 24 + first + 8);
        REQUIRE_FALSE(make_right(inner)->apply(view_of(single, {1, 1, 1, 8}), HeadLayout::bhtd,
                                               run(5 + double(row % 3), 1), 0, Direction::forward));
        auto wanted = std::vector<float>(x.begin() + row * 24, x.begin() + (row + 1) * 24);
        std::copy(single.begin(), single.end(), wanted.begin() + first);
        REQUIRE(std::equal(wanted.begin(), wanted.end(), got.begin() + row * 24));
      }
      // Gemma 4: the block of each axis is a head of its own.
      RopeAxial axial{.common = {.dim = 24, .pairing = pairing}, .axis_dims = {8, 16}, .separate_axes = true};
      const std::vector<double> ys{1, 2, 3}, xs{7, 8, 9};
      const auto rotated = applied_along(*make_right(axial), x, Grid({ys, xs}).positions);
      for (std::size_t row = 0; row < 6; ++row)
        for (const int block : {0, 1}) {
          const int width = block ? 16 : 8;
          const auto begin = x.begin() + row * 24 + (block ? 8 : 0);
          std::vector<float> single(begin, begin + width);
          const Rope one{.common = {.dim = width, .pairing = pairing}};
          REQUIRE_FALSE(make_right(one)->apply(view_of(single, {1, 1, 1, double(width)}), HeadLayout::bhtd,
                                               run(block ? xs[row % 3] : ys[row % 3], 1), 0, Direction::forward));
          REQUIRE(std::equal(single.begin(), single.end(), rotated.begin() + row * 24 + (block ? 8 : 0)));
        }
    }
}

TEST_CASE("frequencies can be given, or divided pair by pair", "[axes]") {
  const std::vector<double> list{0.5, 0.25, 0, 3};
  const auto given_ones = make_right(Rope{.common = {.dim = 8}, .given_frequencies = list});
  CHECK(given_ones->inverse_frequencies(1) == list);
  RopeLinear linear{.common = {.dim = 8, .frequency_factors = {1, 2, 4, 8}}, .factor = 2};
  std::vector<double> wanted;
  for (int k = 0; k < 4; ++k) wanted.push_back(std::pow(10000, -k / 4.0) / 2 / std::pow(2, k));
  for (const Precision precision : {Precision::exact, Precision::float32}) {
    linear.common.precision = precision;
    const double allowed = precision == Precision::exact ? 1e-15 : 1e-6;
    CHECK(largest_relative_difference(make_right(linear)->inverse_frequencies(1), wanted) < allowed);
  }
  const auto all = make_right(Rope{.common = {.dim = 8, .frequency_factors = {4}}});
  CHECK(all->inverse_frequencies(1)[0] == 0.25);
}

TEST_CASE("rerotating moves keys between places with several axes", "[axes]") {
  const Grid from(kAxisPositions), to({{5, 6, 7, 7, 7, 8}, {1, 2, 3, 4, 5, 6}, {9, 8, 7, 6, 5, 4}});
  const auto x = random_floats(2 * 6 * 24, 4);
  const auto chunked = make_right(RopeMrope{.common = {.dim = 24, .sections = {4, 4, 4}}});
  const auto interleaved =
      make_right(RopeMrope{.common = {.dim = 24, .sections = {4, 4, 4}, .interleaved_sections = true}});
  for (Rotation* target : {chunked.get(), interleaved.get()}) {
    auto keys = applied_along(*chunked, x, from.positions);
    REQUIRE_FALSE(target->rerotate(view_of(keys, {1, 2, 6, 24}), HeadLayout::bhtd, {*chunked, from.positions},
                                   {*target, to.positions}));
    CHECK(largest_difference(keys, applied_along(*target, x, to.positions)) < 4e-6);
    REQUIRE_FALSE(target->rerotate(view_of(keys, {1, 2, 6, 24}), HeadLayout::bhtd, {*target, to.positions},
                                   {*target, run(3, 6)}));
    CHECK(largest_difference(keys, applied_along(*target, x, run(3, 6))) < 4e-6);
  }
}

TEST_CASE("places of the wrong number of axes are refused", "[axes]") {
  auto x = random_floats(2 * 6 * 24, 5);
  const auto before = x;
  const View view = view_of(x, {1, 2, 6, 24});
  const auto refused = [&](Rotation& rotation, const Positions& positions) {
    const Error error = rotation.apply(view, HeadLayout::bhtd, positions, 0, Direction::forward);
    CHECK(error.code() == Code::shape_mismatch);
    CHECK(error.field() == "positions");
    CHECK(same_bits(x, before));
  };
  const auto mrope = make_right(RopeMrope{.common = {.dim = 24, .sections = {4, 4, 4}}});
  const auto axial = make_right(RopeAxial{.common = {.dim = 24}});
  refused(*mrope, Grid({kAxisPositions[0], kAxisPositions[1]}).positions);
  refused(*axial, run(0, 6));
  refused(*axial, Grid(kAxisPositions).positions);
  refused(*make_right(rope_of(24)), Grid({kAxisPositions[0], kAxisPositions[1]}).positions);
}
