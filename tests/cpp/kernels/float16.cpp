// float16 and bfloat16: every number, and floats on and beside every border between two of them, against the definition
// in doubles.
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "cpp/support.hpp"
#include "posenc/kernels/kernels.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// A type of 16 bits: its exponents count from `bias`, and the kernels that read and write it.
struct Type {
  int fraction_bits, bias;
  void (*widen)(const std::uint16_t*, std::size_t, float*);
  void (*narrow)(const float*, std::size_t, std::uint16_t*);

  int infinity() const { return 0x7fff >> fraction_bits << fraction_bits; }
  // sign · 2^(exponent - bias) · 1.fraction, or · 2^(1 - bias) · 0.fraction.
  double value_of(std::uint32_t word) const {
    const int one = 1 << fraction_bits, most = infinity() >> fraction_bits;
    const int exponent = int(word >> fraction_bits) & most, fraction = int(word) & (one - 1);
    double size = std::ldexp(exponent ? one + fraction : fraction, (exponent ? exponent : 1) - bias - fraction_bits);
    if (exponent == most) size = fraction ? std::numeric_limits<double>::quiet_NaN() : HUGE_VAL;
    return word & 0x8000 ? -size : size;
  }
  float widened(std::uint16_t word) const { return converted<float>(word, widen); }
  std::uint16_t narrowed(float x) const { return converted<std::uint16_t>(x, narrow); }

 private:
  // The last number is converted alone, the others together.
  template <class To, class From>
  static To converted(From x, void (*convert)(const From*, std::size_t, To*)) {
    std::array<From, 65> run;
    std::array<To, 65> out;
    run.fill(x);
    convert(run.data(), run.size(), out.data());
    for (const To& one : out) REQUIRE(std::memcmp(&one, &out.back(), sizeof one) == 0);
    return out.back();
  }
};
constexpr Type kFloat16{10, 15, float32_from_float16, float16_from_float32},
    kBFloat16{7, 127, float32_from_bfloat16, bfloat16_from_float32};

float next(float x) { return std::nextafter(x, HUGE_VALF); }
float before(float x) { return std::nextafter(x, 0.0f); }

}  // namespace

TEST_CASE("every number of 16 bits is its float and comes back", "[halves]") {
  for (const Type& type : {kFloat16, kBFloat16})
    for (std::uint32_t word = 0; word < 65536; ++word) {
      const float got = type.widened(std::uint16_t(word));
      const double wanted = type.value_of(word);
      CAPTURE(type.bias, word);
      if (std::isnan(wanted)) {
        REQUIRE(std::isnan(got));
        // bfloat16 keeps the digits of a NaN that it has room for.
        const std::uint32_t nan = type.bias == 127 ? word | 0x40 : (word & 0x8000) | 0x7e00;
        REQUIRE(type.narrowed(got) == nan);
        continue;
      }
      REQUIRE(double(got) == wanted);
      REQUIRE(std::signbit(got) == bool(word & 0x8000));
      REQUIRE(type.narrowed(got) == word);
    }
}

TEST_CASE("floats between two numbers of 16 bits go to the nearer, or to the even one", "[halves]") {
  for (const Type& type : {kFloat16, kBFloat16})
    for (std::uint16_t word = 0; word < type.infinity(); ++word) {
      const std::uint16_t above = std::uint16_t(word + 1);
      // The number after the largest would be 2^16 or 2^128; from its middle on everything is infinity.
      const double upper = above == type.infinity() ? std::ldexp(1, type.bias + 1) : type.value_of(above);
      const float middle = float((type.value_of(word) + upper) / 2);
      CAPTURE(type.bias, word, middle);
      REQUIRE(type.narrowed(before(middle)) == word);
      REQUIRE(type.narrowed(middle) == (word & 1 ? above : word));
      REQUIRE(type.narrowed(next(middle)) == above);
      REQUIRE(type.narrowed(-middle) == (0x8000 | (word & 1 ? above : word)));
    }
}

TEST_CASE("what no number of 16 bits can be", "[halves]") {
  for (const Type& type : {kFloat16, kBFloat16}) {
    CHECK(type.narrowed(HUGE_VALF) == type.infinity());
    CHECK(type.narrowed(-HUGE_VALF) == (0x8000 | type.infinity()));
    CHECK(type.narrowed(std::numeric_limits<float>::max()) == type.infinity());
    CHECK(type.narrowed(std::numeric_limits<float>::denorm_min()) == 0);
    CHECK(type.narrowed(-std::numeric_limits<float>::denorm_min()) == 0x8000);
  }
  CHECK(kFloat16.narrowed(65536) == 0x7c00);
  CHECK(kFloat16.narrowed(-std::numeric_limits<float>::min()) == 0x8000);
  for (const std::uint32_t bits : {0x7f800001u, 0x7fc00000u, 0x7fffffffu})
    CHECK(kFloat16.narrowed(std::bit_cast<float>(bits)) == 0x7e00);
  // A NaN whose upper digits are 0 stays one.
  CHECK(kBFloat16.narrowed(std::bit_cast<float>(0x7f800001u)) == 0x7fc0);
  CHECK(kBFloat16.narrowed(std::bit_cast<float>(0xffffffffu)) == 0xffff);
}

TEST_CASE("a number that has no 16 bits, or is none, among others", "[halves]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Type& type : {kFloat16, kBFloat16})
    for (const float odd : {HUGE_VALF, -HUGE_VALF, nan, -nan, 65536.0f, -65519.0f, 65520.0f, 1e38f})
      for (std::size_t at = 0; at < 64; ++at) {
        auto x = random_floats(64, 7);
        x[at] = odd;
        std::vector<std::uint16_t> words(64);
        std::vector<float> back(64);
        type.narrow(x.data(), 64, words.data());
        type.widen(words.data(), 64, back.data());
        for (std::size_t i = 0; i < 64; ++i) {
          REQUIRE(words[i] == type.narrowed(x[i]));
          REQUIRE(std::bit_cast<std::uint32_t>(back[i]) == std::bit_cast<std::uint32_t>(type.widened(words[i])));
        }
      }
}

TEST_CASE("runs of every length, and nothing behind them", "[halves]") {
  for (const Type& type : {kFloat16, kBFloat16})
    for (std::size_t count = 0; count < 140; ++count) {
      const auto x = random_floats(count, 7);
      std::vector<std::uint16_t> words(count + 1, 0x1234);
      std::vector<float> back(count + 1, 42.0f);
      type.narrow(x.data(), count, words.data());
      type.widen(words.data(), count, back.data());
      REQUIRE(words[count] == 0x1234);
      REQUIRE(back[count] == 42.0f);
      for (std::size_t i = 0; i < count; ++i) {
        REQUIRE(words[i] == type.narrowed(x[i]));
        REQUIRE(back[i] == type.widened(words[i]));
        REQUIRE(std::abs(back[i] - x[i]) <= std::ldexp(1.0f, -type.fraction_bits - 2));
      }
    }
}
