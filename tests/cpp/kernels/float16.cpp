// float16 and bfloat16: every number, and floats on and beside every border between two of them, against the definition
// in doubles.
#include <bit>
#include <limits>

#include "cpp/support.hpp"
#include "posenc/kernels/kernels.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// sign · 2^(exponent - 15) · 1.fraction, or · 2^-14 · 0.fraction.
double value_of(std::uint32_t half) {
  const int exponent = int(half >> 10 & 31), fraction = int(half & 1023);
  double size = std::ldexp(exponent ? 1024 + fraction : fraction, (exponent ? exponent : 1) - 25);
  if (exponent == 31) size = fraction ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
  return half & 0x8000 ? -size : size;
}

float widened(std::uint16_t half) {
  float out;
  float32_from_float16(&half, 1, &out);
  return out;
}

std::uint16_t narrowed(float x) {
  std::uint16_t out;
  float16_from_float32(&x, 1, &out);
  return out;
}

// sign · 2^(exponent - 127) · 1.fraction, or · 2^-126 · 0.fraction.
double brain_value_of(std::uint32_t brain) {
  const int exponent = int(brain >> 7 & 255), fraction = int(brain & 127);
  double size = std::ldexp(exponent ? 128 + fraction : fraction, (exponent ? exponent : 1) - 134);
  if (exponent == 255) size = fraction ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
  return brain & 0x8000 ? -size : size;
}

float brain_widened(std::uint16_t brain) {
  float out;
  float32_from_bfloat16(&brain, 1, &out);
  return out;
}

std::uint16_t brain_narrowed(float x) {
  std::uint16_t out;
  bfloat16_from_float32(&x, 1, &out);
  return out;
}

float next(float x) { return std::nextafter(x, HUGE_VALF); }
float before(float x) { return std::nextafter(x, 0.0f); }

}  // namespace

TEST_CASE("every half is its float and comes back", "[halves]") {
  for (std::uint32_t half = 0; half < 65536; ++half) {
    const float got = widened(std::uint16_t(half));
    const double wanted = value_of(half);
    if (std::isnan(wanted)) {
      REQUIRE(std::isnan(got));
      REQUIRE(narrowed(got) == (half & 0x8000 ? 0xfe00 : 0x7e00));
      continue;
    }
    REQUIRE(double(got) == wanted);
    REQUIRE(std::signbit(got) == bool(half & 0x8000));
    REQUIRE(narrowed(got) == half);
  }
}

TEST_CASE("floats between two halves go to the nearer, or to the even one", "[halves]") {
  for (std::uint16_t half = 0; half < 0x7c00; ++half) {
    const std::uint16_t above = std::uint16_t(half + 1);
    // The half after the largest would be 65536; from its middle on everything is infinity.
    const double upper = above == 0x7c00 ? 65536 : value_of(above);
    const float middle = float((value_of(half) + upper) / 2);
    CAPTURE(half, middle);
    REQUIRE(narrowed(before(middle)) == half);
    REQUIRE(narrowed(middle) == (half & 1 ? above : half));
    REQUIRE(narrowed(next(middle)) == above);
    REQUIRE(narrowed(-middle) == (0x8000 | (half & 1 ? above : half)));
  }
}

TEST_CASE("what no half can be", "[halves]") {
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(narrowed(infinity) == 0x7c00);
  CHECK(narrowed(-infinity) == 0xfc00);
  CHECK(narrowed(std::numeric_limits<float>::max()) == 0x7c00);
  CHECK(narrowed(65536) == 0x7c00);
  CHECK(narrowed(std::numeric_limits<float>::denorm_min()) == 0);
  CHECK(narrowed(-std::numeric_limits<float>::min()) == 0x8000);
  for (const std::uint32_t bits : {0x7f800001u, 0x7fc00000u, 0x7fffffffu})
    CHECK(narrowed(std::bit_cast<float>(bits)) == 0x7e00);
}

TEST_CASE("every bfloat16 number is its float and comes back", "[halves]") {
  for (std::uint32_t brain = 0; brain < 65536; ++brain) {
    const float got = brain_widened(std::uint16_t(brain));
    const double wanted = brain_value_of(brain);
    if (std::isnan(wanted)) {
      REQUIRE(std::isnan(got));
      REQUIRE(brain_narrowed(got) == (brain | 0x40));
      continue;
    }
    REQUIRE(double(got) == wanted);
    REQUIRE(std::signbit(got) == bool(brain & 0x8000));
    REQUIRE(brain_narrowed(got) == brain);
  }
}

TEST_CASE("floats between two bfloat16 numbers go to the nearer, or to the even one", "[halves]") {
  for (std::uint16_t brain = 0; brain < 0x7f80; ++brain) {
    const std::uint16_t above = std::uint16_t(brain + 1);
    // The number after the largest would be 2^128; from its middle on everything is infinity.
    const double upper = above == 0x7f80 ? 0x1p128 : brain_value_of(above);
    const float middle = float((brain_value_of(brain) + upper) / 2);
    CAPTURE(brain, middle);
    REQUIRE(brain_narrowed(before(middle)) == brain);
    REQUIRE(brain_narrowed(middle) == (brain & 1 ? above : brain));
    REQUIRE(brain_narrowed(next(middle)) == above);
    REQUIRE(brain_narrowed(-middle) == (0x8000 | (brain & 1 ? above : brain)));
  }
  CHECK(brain_narrowed(std::numeric_limits<float>::infinity()) == 0x7f80);
  CHECK(brain_narrowed(std::numeric_limits<float>::max()) == 0x7f80);
  CHECK(brain_narrowed(-std::numeric_limits<float>::denorm_min()) == 0x8000);
  // A NaN whose upper digits are 0 stays one.
  CHECK(brain_narrowed(std::bit_cast<float>(0x7f800001u)) == 0x7fc0);
  CHECK(brain_narrowed(std::bit_cast<float>(0xffffffffu)) == 0xffff);
}

TEST_CASE("runs of bfloat16 of every length, and nothing behind them", "[halves]") {
  for (std::size_t count = 0; count < 40; ++count) {
    const auto x = random_floats(count, 7);
    std::vector<std::uint16_t> brains(count + 1, 0x1234);
    std::vector<float> back(count + 1, 42.0f);
    bfloat16_from_float32(x.data(), count, brains.data());
    float32_from_bfloat16(brains.data(), count, back.data());
    REQUIRE(brains[count] == 0x1234);
    REQUIRE(back[count] == 42.0f);
    for (std::size_t i = 0; i < count; ++i) {
      REQUIRE(brains[i] == brain_narrowed(x[i]));
      REQUIRE(back[i] == brain_widened(brains[i]));
    }
  }
}

TEST_CASE("runs of every length, and nothing behind them", "[halves]") {
  for (std::size_t count = 0; count < 40; ++count) {
    const auto x = random_floats(count, 7);
    std::vector<std::uint16_t> halves(count + 1, 0x1234);
    std::vector<float> back(count + 1, 42.0f);
    float16_from_float32(x.data(), count, halves.data());
    float32_from_float16(halves.data(), count, back.data());
    REQUIRE(halves[count] == 0x1234);
    REQUIRE(back[count] == 42.0f);
    for (std::size_t i = 0; i < count; ++i) {
      REQUIRE(halves[i] == narrowed(x[i]));
      REQUIRE(std::abs(back[i] - x[i]) <= 0x1p-12f);
    }
  }
}
