// Learned maps of places, written out: what they turn rows into, where heads and tokens stand, what is kept of them.
#include "../../../cpp/src/math/matrix.hpp"
#include "cpp/support.hpp"
#include "posenc/attention.hpp"
#include "posenc/relative/liere.hpp"
#include "posenc/relative/rope_mixed.hpp"
#include "posenc/relative/string.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr int kGridCells = 6;

// The places of a grid of 2 by 3.
Positions image_positions(double prefix) {
  Positions grid{.values = {}, .offset = -prefix, .count = kGridCells + int(prefix), .axes = 2};
  grid.extent = {2, 3};
  return grid;
}

std::vector<float> mapped_rows(const Relative& encoding, std::vector<float> x, const Shape& shape, const Positions& at,
                               Direction direction = Direction::forward) {
  const Error error = encoding.apply(view_of(x, shape), HeadLayout::bhtd, at, direction);
  INFO(error.message());
  REQUIRE_FALSE(error);
  return x;
}

}  // namespace

TEST_CASE("rope-mixed: each pair turns by the sum over the axes, class tokens by nothing", "[turning]") {
  for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
    const auto mixed = make_right(RopeMixed{.dim = 6, .heads = 2, .pairing = pairing});
    const Shape shape{1, 4, kGridCells + 1, 6};
    const auto x = random_floats(std::size_t(shape.size()), 1);
    const auto mapped = mapped_rows(*mixed, x, shape, image_positions(1));
    const std::vector<float>& f = mixed->parameters[0].values;
    for (std::size_t row = 0; row < 4 * (kGridCells + 1); ++row) {
      const std::size_t head = row / (kGridCells + 1) / 2, t = row % (kGridCells + 1);
      const double y = t ? double((t - 1) / 3) : 0, column = t ? double((t - 1) % 3) : 0;
      for (std::size_t k = 0; k < 3; ++k) {
        const double angle = y * double(f[head * 3 + k]) + column * double(f[6 + head * 3 + k]);
        const std::size_t a = row * 6 + (pairing == Pairing::half ? k : 2 * k),
                          b = a + (pairing == Pairing::half ? 3 : 1);
        CHECK(std::abs(double(mapped[a]) - (double(x[a]) * std::cos(angle) - double(x[b]) * std::sin(angle))) < 2e-7);
        CHECK(std::abs(double(mapped[b]) - (double(x[a]) * std::sin(angle) + double(x[b]) * std::cos(angle))) < 2e-7);
      }
    }
    CHECK(largest_difference(mapped_rows(*mixed, mapped, shape, image_positions(1), Direction::inverse), x) < 5e-7);
  }
}

TEST_CASE("rope-mixed begins with the published sizes, in directions at right angles", "[turning]") {
  const auto mixed = make_right(RopeMixed{.dim = 16, .heads = 3, .base = 100});
  const std::vector<float>& f = mixed->parameters[0].values;
  for (std::size_t head = 0; head < 3; ++head)
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t k = head * 8 + i, other = k + 4, y = 24;
      const double size = std::pow(100, -4.0 * double(i) / 16);
      CHECK(std::abs(std::hypot(double(f[k]), double(f[y + k])) - size) < 1e-7);
      CHECK(std::abs(std::hypot(double(f[other]), double(f[y + other])) - size) < 1e-7);
      CHECK(std::abs(double(f[k]) * double(f[other]) + double(f[y + k]) * double(f[y + other])) < 1e-7);
    }
}

TEST_CASE("maps follow learned numbers, and are the same from a full memory as from an empty one", "[turning]") {
  const auto encoding = make_right(Liere{.dim = 8, .heads = 2, .block_dim = 4});
  const Shape shape{1, 2, kGridCells, 8};
  const auto x = random_floats(std::size_t(shape.size()), 2);
  const auto before = mapped_rows(*encoding, x, shape, image_positions(0));
  CHECK(same_bits(mapped_rows(*encoding, x, shape, image_positions(0)), before));
  encoding->parameters[0].values[1] += 0.5f;
  const auto after = mapped_rows(*encoding, x, shape, image_positions(0));
  CHECK(largest_difference(after, before) > 1e-2);
  encoding->parameters[0].values[1] -= 0.5f;
  CHECK(same_bits(mapped_rows(*encoding, x, shape, image_positions(0)), before));
}

TEST_CASE("string: scores see differences of places alone", "[turning]") {
  for (const StringForm form : {StringForm::cayley, StringForm::circulant}) {
    const auto encoding = make_right(String{.dim = 10, .axes = 2, .form = form, .init = {.std = 0.5, .seed = 3}});
    const Shape shape{1, 1, 1, 10};
    const auto q = random_floats(10, 4), k = random_floats(10, 5);
    const auto score = [&](double qy, double qx, double ky, double kx) {
      const std::array<double, 2> of_q{qy, qx}, of_k{ky, kx};
      Positions at = Positions::given(std::span(of_q).first(1), 1), to = Positions::given(std::span(of_k).first(1), 1);
      at.axes = to.axes = 2;
      at.stride = to.stride = 1;
      const auto a = mapped_rows(*encoding, q, shape, at), b = mapped_rows(*encoding, k, shape, to);
      double sum = 0;
      for (std::size_t i = 0; i < 10; ++i) sum += double(a[i]) * double(b[i]);
      return sum;
    };
    CHECK(std::abs(score(1, 5, 3, 2) - score(101, 15, 103, 12)) < 1e-6);
    CHECK(std::abs(score(1, 5, 3, 2) - score(1, 5, 2, 3)) > 1e-3);
  }
}

TEST_CASE("grape-m: learned logarithms of any size turn rows to numbers", "[turning]") {
  const auto encoding = make_right(GrapeM{.dim = 4, .heads = 1});
  const auto x = random_floats(2 * 4, 9);
  for (const float log : {3e38f, 6e9f, -3e38f}) {
    encoding->parameters[0].values.assign(2, log);
    for (const float value : mapped_rows(*encoding, x, {1, 1, 2, 4}, run(kMaxPosition - 2, 2)))
      CHECK(std::isfinite(value));
  }
  // Numbers that are none stay none.
  encoding->parameters[0].values.assign(2, NAN);
  for (const float value : mapped_rows(*encoding, x, {1, 1, 2, 4}, run(1, 2))) CHECK(std::isnan(value));
}

TEST_CASE("queries of heads that stand at places of their own have the temperature of these", "[turning]") {
  constexpr std::size_t kBatch = 2, kHeads = 4, kQueries = 3, kDim = 4;
  const auto encoding = make_right(GrapeM{.dim = int(kDim)});
  const Shape shape{kBatch, kHeads, kQueries, kDim}, square{kBatch, kHeads, kQueries, kQueries};
  auto q = random_floats(std::size_t(shape.size()), 7), k = random_floats(std::size_t(shape.size()), 8);
  // Two heads share theirs; keys have those that queries have.
  std::vector<double> positions;
  for (std::size_t i = 0; i < kBatch * kHeads / 2 * kQueries; ++i) positions.push_back(double(i * i));
  AttentionOptions options;
  options.relative = encoding.get();
  options.key_positions = Positions::given(positions, int(kQueries));
  const auto logits = [&] {
    std::vector<float> out(std::size_t(square.size()));
    const Error error =
        attention_rows(view_of(q, shape), view_of(k, shape), options, view_of(out, square), AttentionRows::logits);
    INFO(error.message());
    REQUIRE_FALSE(error);
    return out;
  };
  const auto before = logits();
  options.temperature = {.factor = 0.5, .length = 2};
  const auto after = logits();
  for (std::size_t at = 0; at < after.size(); ++at) {
    const std::size_t row = at / kQueries, head = row / kQueries, query = row % kQueries;
    const double factor = options.temperature.at(positions[head / 2 * kQueries + query]);
    CHECK(std::abs(double(after[at]) - factor * double(before[at])) < 1e-6 * factor);
  }
}

TEST_CASE("matrices: exponentials and solutions", "[turning]") {
  // e^A of a turn by 2000 radians, and of a nilpotent matrix.
  double rotation[]{0, -2000, 2000, 0}, nilpotent[]{0, 3, 4, 0, 0, 5, 0, 0, 0};
  Exponential of_two(2), of_three(3);
  of_two(rotation);
  CHECK(std::abs(rotation[0] - std::cos(2000)) < 1e-12);
  CHECK(std::abs(rotation[2] - std::sin(2000)) < 1e-12);
  of_three(nilpotent);
  const double wanted[]{1, 3, 11.5, 0, 1, 5, 0, 0, 1};
  for (int i = 0; i < 9; ++i) CHECK(std::abs(nilpotent[i] - wanted[i]) < 1e-14);
  double a[]{0, 2, 4, 1}, x[]{2, 4, 9, 6};
  REQUIRE(solve(a, x, 2));
  const double solution[]{2, 1, 1, 2};
  for (int i = 0; i < 4; ++i) CHECK(std::abs(x[i] - solution[i]) < 1e-14);
  double singular[]{1, 2, 2, 4}, any[]{1, 0, 0, 1};
  CHECK_FALSE(solve(singular, any, 2));
}

TEST_CASE("rows that do not turn say so, and turning ones name what does not fit", "[turning]") {
  const auto mixed = make_right(RopeMixed{.dim = 6, .heads = 2});
  auto x = random_floats(2 * kGridCells * 6, 6);
  const View view = view_of(x, {1, 2, kGridCells, 6});
  const auto refusal = [&](const View& of, const Positions& at) {
    return mixed->apply(of, HeadLayout::bhtd, at, Direction::forward);
  };
  CHECK(refusal(view, run(0, kGridCells)).field() == "positions");
  CHECK(refusal(view_of(x, {1, 1, 2 * kGridCells, 6}), image_positions(0)).field() == "x");
  CHECK(refusal(view, image_positions(1)).field().empty());
  for (const double nonsense : {1e300, -1.0, 0.5}) {
    View odd = view;
    odd.shape.dims[1] = nonsense;
    CHECK(refusal(odd, image_positions(0)).field() == "x");
  }
  const auto liere = make_right(Liere{.dim = 6, .axes = 1, .block_dim = 6});
  CHECK(liere->apply(view, HeadLayout::bhtd, run(65532, kGridCells), Direction::forward).code() == Code::out_of_range);
  const auto shaw = create_as<Relative>("shaw", {{"dim", number(6)}});
  CHECK(shaw->apply(view, HeadLayout::bhtd, run(0, kGridCells), Direction::forward).code() == Code::unsupported);
}
