// Are powers exact, and in float32 those of PyTorch's kernels? (tests/js/encodings/float32.test.ts holds them against
// PyTorch's.)
#include "posenc/math/powers.hpp"

#include "cpp/support.hpp"

using namespace posenc;

TEST_CASE("powers are base^(2k / width)", "[real]") {
  for (const int count : {1, 2, 9, 70, 1030}) {
    const auto exact = powers(Number(10000), count, 2 * count);
    REQUIRE(int(exact.size()) == count);
    for (int k = 0; k < count; ++k) {
      const Real one_by_one = power(Real(10000), Real(k) / Real(count)), got = exact[std::size_t(k)].value;
      CAPTURE(count, k);
      REQUIRE(got.hi == one_by_one.hi);
      REQUIRE(std::abs((got - one_by_one).hi) <= 0x1p-146 * got.hi);
    }
  }
}

TEST_CASE("float32 powers are within a last place, and beyond runs of 32 the nearest", "[real]") {
  std::size_t others = 0;
  for (const double base : {1.0, 100.0, 10000.0, 500000.0, 1e6, 82684.62712, 1e15})
    for (const int count : {0, 1, 31, 32, 33, 64, 95}) {
      const auto list = powers(Number(Real(base), Precision::float32), count, 2 * count);
      REQUIRE(int(list.size()) == count);
      for (int k = 0; k < count; ++k) {
        const Real root = double(float(base)), exponent = double(float(double(k) / count));
        const float nearest = float(power(root, exponent)), got = float(list[std::size_t(k)].value);
        CAPTURE(base, count, k, got, nearest);
        REQUIRE(list[std::size_t(k)].precision == Precision::float32);
        REQUIRE(list[std::size_t(k)].value == Real(double(got)));
        if (k >= count / 32 * 32) REQUIRE(got == nearest);
        REQUIRE(std::abs(double(got) - power(root, exponent).hi) <= double(std::nextafter(nearest, 2e30f) - nearest));
        others += got != nearest;
      }
    }
  // The vector pow is not the nearest everywhere: that is what makes it PyTorch's.
  REQUIRE(others > 0);
}
