// Are cosines and sines the nearest float32 or its neighbour, at any position and in any order of calls?
#include "posenc/math/sinusoids.hpp"

#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr float kGuard = 7;
constexpr std::size_t kGuards = 9;

struct Row {
  std::vector<float> cosine, sine;
  bool operator==(const Row& other) const { return same_bits(cosine, other.cosine) && same_bits(sine, other.sine); }
};

void cut_guards(std::vector<float>& row) {
  REQUIRE(std::all_of(row.end() - kGuards, row.end(), [](float x) { return x == kGuard; }));
  row.resize(row.size() - kGuards);
}

// A row with guards behind it, which must stay.
Row row_of(Sinusoids& sinusoids, double position, double magnitude = 1, double direction = 1) {
  const std::vector<float> empty(std::size_t(sinusoids.count()) + kGuards, kGuard);
  Row row{empty, empty};
  sinusoids.row(position, magnitude, direction, row.cosine.data(), row.sine.data());
  cut_guards(row.cosine);
  cut_guards(row.sine);
  return row;
}

std::vector<float> interleaved_row_of(Sinusoids& sinusoids, double position) {
  std::vector<float> row(2 * std::size_t(sinusoids.count()) + kGuards, kGuard);
  sinusoids.interleaved_row(position, row.data());
  cut_guards(row);
  return row;
}

std::vector<Real> rope_frequencies(int pairs, double base = 10000) {
  std::vector<Real> out;
  for (int k = 0; k < pairs; ++k) out.push_back(power(base, Real(-k) / Real(pairs)));
  return out;
}

// (k + 1) / 97 turns per position: where a whole position stands is then known exactly, however far it is.
constexpr std::int64_t kPrime = 97;
std::vector<Real> rational_frequencies(int count) {
  std::vector<Real> out;
  for (int k = 0; k < count; ++k) out.push_back(kTwoPi * Real(k + 1) / Real(double(kPrime)));
  return out;
}

constexpr long double kTau = 6.283185307179586476925286766559005768L;

const std::vector<double>& far_positions() {
  static const std::vector<double> all{0,
                                       1,
                                       -1,
                                       31,
                                       32,
                                       33,
                                       -32,
                                       -33,
                                       1e6,
                                       16777217,
                                       2147483647,
                                       2147483648,
                                       -99999999,
                                       1099511627776,
                                       140737488355329,
                                       281474976710655,
                                       -281474976710656,
                                       281474976710656};
  return all;
}

}  // namespace

TEST_CASE("moderate positions, whole and fractional, are rounded once", "[waves]") {
  const auto frequencies = rope_frequencies(37);
  Sinusoids sinusoids(frequencies);
  for (const double position :
       {0.0, 1.0, 2.0, 31.0, 32.0, 63.0, 100.0, 1000.0, 4095.0, -1.0, -77.0, 0.25, 1234.5678, -5.5, 1e-9}) {
    const Row row = row_of(sinusoids, position);
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const long double p = position, angle = p * frequencies[k].hi + p * frequencies[k].lo;
      CAPTURE(position, k, row.cosine[k], row.sine[k]);
      REQUIRE(is_nearest(row.cosine[k], std::cos(angle)));
      REQUIRE(is_nearest(row.sine[k], std::sin(angle)));
    }
  }
}

TEST_CASE("positions up to 2^48 lose nothing", "[waves]") {
  constexpr int kCount = 96;
  Sinusoids sinusoids(rational_frequencies(kCount));
  for (const double position : far_positions()) {
    const Row row = row_of(sinusoids, position);
    for (std::int64_t k = 0; k < kCount; ++k) {
      const auto numerator = (std::int64_t(position) % kPrime) * (k + 1) % kPrime;
      const long double angle = kTau * static_cast<long double>(numerator) / static_cast<long double>(kPrime);
      CAPTURE(position, k, row.cosine[std::size_t(k)], row.sine[std::size_t(k)]);
      REQUIRE(is_nearest(row.cosine[std::size_t(k)], std::cos(angle)));
      REQUIRE(is_nearest(row.sine[std::size_t(k)], std::sin(angle)));
    }
  }
}

TEST_CASE("cis(p + q) = cis(p) cis(q) far away and between whole positions", "[waves]") {
  Sinusoids sinusoids(rope_frequencies(64, 500000));
  for (const double p : far_positions())
    for (const double q : {0.0, 0.5, 1.0, -12.25}) {
      if (std::abs(p + q) > 281474976710656.0) continue;
      const Row a = row_of(sinusoids, p), b = row_of(sinusoids, q), sum = row_of(sinusoids, p + q);
      for (std::size_t k = 0; k < a.cosine.size(); ++k) {
        const double ca = a.cosine[k], sa = a.sine[k], cb = b.cosine[k], sb = b.sine[k];
        CAPTURE(p, q, k);
        REQUIRE(std::abs(sum.cosine[k] - (ca * cb - sa * sb)) < 2.5e-7);
        REQUIRE(std::abs(sum.sine[k] - (sa * cb + ca * sb)) < 2.5e-7);
        REQUIRE(std::abs(ca * ca + sa * sa - 1) < 1.3e-7);
      }
    }
}

TEST_CASE("woven rows hold the same waves, at every size", "[waves]") {
  for (int count : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 32, 33, 64, 67}) {
    Sinusoids sinusoids(rope_frequencies(count));
    for (const double position : {0.0, 7.0, 40.0, -3.0, 0.75, 2147483647.0}) {
      const Row row = row_of(sinusoids, position);
      std::vector<float> interleaved;
      for (std::size_t k = 0; k < row.sine.size(); ++k)
        interleaved.insert(interleaved.end(), {row.sine[k], row.cosine[k]});
      CAPTURE(count, position);
      REQUIRE(same_bits(interleaved_row_of(sinusoids, position), interleaved));
    }
  }
}

TEST_CASE("a wave does not depend on how many others there are", "[waves]") {
  const auto frequencies = rope_frequencies(67);
  Sinusoids all(frequencies);
  for (const double position : {3.0, 0.3, 123456789.0}) {
    const Row wanted = row_of(all, position);
    for (std::size_t count = 1; count < frequencies.size(); ++count) {
      Sinusoids some(std::vector<Real>(frequencies.begin(), frequencies.begin() + std::ptrdiff_t(count)));
      const Row row = row_of(some, position);
      REQUIRE(std::equal(row.cosine.begin(), row.cosine.end(), wanted.cosine.begin()));
      REQUIRE(std::equal(row.sine.begin(), row.sine.end(), wanted.sine.begin()));
    }
  }
}

TEST_CASE("a position gives the same bits in any order of calls", "[waves]") {
  const auto frequencies = rope_frequencies(19);
  Sinusoids used(frequencies);
  Random random(5);
  for (int i = 0; i < 400; ++i) {
    double position = random.below(200) - 100;
    if (random.chance(0.3)) position *= 32;
    if (random.chance(0.2)) position += 0.5;
    if (random.chance(0.1)) position *= 1e9;
    Sinusoids fresh(frequencies);
    // The last magnitude is kept for the next row.
    const double magnitude = random.chance(0.3) ? 1.25 : 1;
    CAPTURE(position, magnitude);
    REQUIRE(row_of(used, position, magnitude) == row_of(fresh, position, magnitude));
    if (random.chance(0.3)) REQUIRE(same_bits(interleaved_row_of(used, position), interleaved_row_of(fresh, position)));
  }
}

TEST_CASE("magnitude multiplies before rounding, direction turns the other way", "[waves]") {
  const auto frequencies = rope_frequencies(11);
  Sinusoids sinusoids(frequencies);
  const double magnitude = 1.1386294361119891;
  for (const double position : {0.0, 5.0, 1000.0, 2.5}) {
    const Row row = row_of(sinusoids, position, magnitude), back = row_of(sinusoids, position, magnitude, -1);
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const long double p = position, angle = p * frequencies[k].hi + p * frequencies[k].lo;
      REQUIRE(is_nearest(row.cosine[k], magnitude * std::cos(angle)));
      REQUIRE(is_nearest(row.sine[k], magnitude * std::sin(angle)));
      REQUIRE(back.cosine[k] == row.cosine[k]);
      REQUIRE(back.sine[k] == -row.sine[k]);
    }
  }
}

TEST_CASE("float32 waves round the angle, then the wave, then the product", "[waves]") {
  std::vector<float> frequencies;
  for (const Real& frequency : rope_frequencies(35)) frequencies.push_back(float(frequency));
  Sinusoids sinusoids(rope_frequencies(35), Precision::float32);
  for (const double position : {0.0, 1.0, 33.0, 1000.0, -77.0, 0.3, 16777217.0, 2147483647.0}) {
    const Row row = row_of(sinusoids, position), scaled = row_of(sinusoids, position, 1.1);
    for (std::size_t k = 0; k < frequencies.size(); ++k) {
      const float angle = float(position) * frequencies[k];
      CAPTURE(position, k, angle);
      REQUIRE(is_nearest(row.cosine[k], std::cos(static_cast<long double>(angle))));
      REQUIRE(is_nearest(row.sine[k], std::sin(static_cast<long double>(angle))));
      REQUIRE(scaled.cosine[k] == row.cosine[k] * 1.1f);
      REQUIRE(scaled.sine[k] == row.sine[k] * 1.1f);
    }
  }
}
