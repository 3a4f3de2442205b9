// Are waves right where they pass nearest to 0? tests/fixtures/worst-positions.txt holds such places up to 2^48, and
// the truth of 256-bit arithmetic (tests/js/helpers/worst-positions.ts).
#include <fstream>
#include <map>

#include "posenc/math/sinusoids.hpp"
#include "support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr int kDim = 128;

struct WorstCase {
  double base = 0;
  std::size_t pair = 0;
  double position = 0, cosine = 0, sine = 0;
};

std::vector<WorstCase> worst_cases() {
  INFO("run at the top of the checkout: it reads tests/fixtures");
  std::ifstream file("tests/fixtures/worst-positions.txt");
  REQUIRE(file.is_open());
  std::vector<WorstCase> out;
  WorstCase worst;
  while (file >> worst.base >> worst.pair >> worst.position >> worst.cosine >> worst.sine) out.push_back(worst);
  REQUIRE(file.eof());
  REQUIRE(out.size() > 500);
  return out;
}

/// |got - truth| in units of the truth's last float32 place.
double ulps(float got, double truth) {
  if (double(got) == truth) return 0;
  return std::abs(double(got) - truth) / std::ldexp(1.0, std::ilogb(truth) - 23);
}

void check(float cosine, float sine, const WorstCase& worst, double direction) {
  CAPTURE(worst.base, worst.pair, worst.position, direction, cosine, sine);
  REQUIRE(ulps(cosine, worst.cosine) <= 1);
  REQUIRE(ulps(sine, direction * worst.sine) <= 1);
  REQUIRE(std::abs(double(cosine) - worst.cosine) <= 3e-8);
  REQUIRE(std::abs(double(sine) - direction * worst.sine) <= 3e-8);
}

Positions one(const double& position) { return {.values = std::span(&position, 1), .offset = 0, .count = 1}; }

}  // namespace

TEST_CASE("rotations and sinusoids are exact beside the zeros of every wave", "[waves]") {
  std::map<double, std::unique_ptr<Rotation>> rotations;
  std::map<double, std::unique_ptr<Table>> tables;
  std::vector<float> cosine(kDim / 2), sine(kDim / 2), row(kDim), x(kDim);
  for (const WorstCase& worst : worst_cases()) {
    const SpecInput spec{{"dim", number(kDim)}, {"base", number(worst.base)}};
    auto& rotation = rotations[worst.base];
    auto& table = tables[worst.base];
    if (!rotation) rotation = create_as<Rotation>("rope", spec);
    if (!table) table = create_as<Table>("sinusoidal", spec);
    for (const double direction : {1.0, -1.0}) {
      const double position = direction * worst.position;
      REQUIRE_FALSE(rotation->tables(one(position), 0, view_of(cosine, {1, kDim / 2}), view_of(sine, {1, kDim / 2})));
      check(cosine[worst.pair], sine[worst.pair], worst, direction);
      REQUIRE_FALSE(table->rows(one(position), view_of(row, {1, kDim})));
      check(row[2 * worst.pair + 1], row[2 * worst.pair], worst, direction);
      std::fill(x.begin(), x.end(), 0.0f);
      x[worst.pair] = 1;
      const View view = view_of(x, {1, 1, 1, kDim});
      REQUIRE_FALSE(rotation->apply(view, HeadLayout::bhtd, one(position), 0, Direction::forward));
      check(x[worst.pair], x[worst.pair + kDim / 2], worst, direction);
    }
  }
}

TEST_CASE("magnitudes multiply what lies beside a zero, directions turn it", "[waves]") {
  const double position = 3587785776203, magnitude = 1.375;
  Sinusoids sinusoids({Real(1)});
  float c = 0, s = 0, scaled = 0, back = 0;
  sinusoids.row(position, 1, 1, &c, &s);
  sinusoids.row(position, magnitude, 1, &c, &scaled);
  sinusoids.row(position, magnitude, -1, &c, &back);
  REQUIRE(std::abs(s) < 1e-9f);
  CHECK(scaled == float(magnitude) * s);
  CHECK(back == -scaled);
}

TEST_CASE("waves of whole periods are 0 where they should be", "[waves]") {
  Sinusoids sinusoids({kTwoPi / Real(4), kTwoPi / Real(3), kTwoPi / Real(1000)});
  std::vector<float> c(3), s(3);
  for (const double periods : {0.0, 1.0, -7.0, 1e6, 12345678901.0, 23456248059.0}) {
    sinusoids.row(3000 * periods, 1, 1, c.data(), s.data());
    CAPTURE(periods);
    for (int k = 0; k < 3; ++k) {
      CHECK(c[std::size_t(k)] == 1);
      CHECK(s[std::size_t(k)] == 0);
    }
    sinusoids.row(3000 * periods + 1, 1, 1, c.data(), s.data());
    CHECK(c[0] == 0);
    CHECK(s[0] == 1);
  }
}

TEST_CASE("float32 waves are exact beside zeros, too", "[waves]") {
  Sinusoids sinusoids({Real(1)}, Precision::float32);
  for (const double position : {22.0, 355.0, 710.0, 103993.0, 104348.0, 208341.0, 312689.0, 833719.0, 1146408.0,
                                4272943.0, 5419351.0, 2147483648.0, 0x1.921fb6p+0, 0x1.921fb6p+1, 0x1.2d97c8p+2}) {
    float c = 0, s = 0;
    sinusoids.row(position, 1, 1, &c, &s);
    const long double angle = float(position);
    CAPTURE(position, c, s);
    CHECK(ulps(c, double(std::cos(angle))) <= 0.501);
    CHECK(ulps(s, double(std::sin(angle))) <= 0.501);
  }
}
