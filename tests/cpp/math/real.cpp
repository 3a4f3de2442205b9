// Is triple-double arithmetic good to about 145 bits?
#include "posenc/math/real.hpp"

#include "cpp/support.hpp"

using namespace posenc;

namespace {

// Known digits are given in two words; what is computed in two ways agrees in three.
constexpr double kTwoWords = 0x1p-106, kThreeWords = 0x1p-148;

// |got - want| / |want|; the leading parts cancel exactly.
double relative_error(const Real& got, const Real& want) {
  return std::abs(((got.hi - want.hi) + (got.lo - want.lo) + (got.least - want.least)) / want.hi);
}

// As the type promises: each part is at most half a unit in the last place of the one before.
bool is_normal(const Real& x) { return x.hi + x.lo == x.hi && x.lo + x.least == x.lo; }

struct Known {
  const char* what;
  Real got, want;
};

}  // namespace

TEST_CASE("constants hold their first 48 digits", "[real]") {
  // 0.693147180559945309417232121458176568075500134360
  CHECK(kLn2 == Real(0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111));
  // 6.28318530717958647692528676655900576839433879875
  CHECK(kTwoPi == Real(0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52, -0x1.f1976b7ed8fbcp-108));
  // 0.159154943091895335768883763372514362034459645740
  CHECK(kTurnsPerRadian == Real(0x1.45f306dc9c883p-3, -0x1.6b01ec5417056p-57, -0x1.6447e493ad4cep-111));
  CHECK(relative_error(kTwoPi * kTurnsPerRadian, 1) < kThreeWords);
}

TEST_CASE("sums, products and quotients keep what double loses", "[real]") {
  const double tiny = 0x1p-100, small = 0x1p-30;
  CHECK(Real(1) + Real(tiny) == Real(1, tiny));
  CHECK((Real(1) + Real(tiny)) - Real(1) == Real(tiny));
  CHECK(Real(1 + small) * Real(1 + small) == Real(1 + 2 * small, small * small));
  CHECK(-Real(2, tiny) == Real(-2, -tiny));
  CHECK(Real(3) - Real(3) == Real(0));
  // 0.33333333333333333333333333333333333
  CHECK(relative_error(Real(1) / Real(3), Real(0x1.5555555555555p-2, 0x1.5555555555555p-56, 0x1.5555555555555p-110)) <
        kThreeWords);
  CHECK(Real(6) / Real(3) == Real(2));
  CHECK(double(Real(0.1, 1e-20)) == 0.1);
  CHECK(float(Real(0.1)) == 0.1f);
}

TEST_CASE("order looks at both parts", "[real]") {
  const Real below(1, -1e-20), above(1, 1e-20);
  CHECK(below < Real(1));
  CHECK(Real(1) < above);
  CHECK_FALSE(above < below);
  CHECK_FALSE(Real(1) < Real(1));
  CHECK_FALSE(above == Real(1));
}

TEST_CASE("functions agree with 32 known digits", "[real]") {
  const Known known[] = {
      {"e = 2.7182818284590452353602874713526625", exp(Real(1)), {0x1.5bf0a8b145769p+1, 0x1.4d57ee2b1013ap-53}},
      {"e^-20 = 2.0611536224385578279659403801558210e-9",
       exp(Real(-20)),
       {0x1.1b48655f37267p-29, -0x1.9fb4baeafe811p-85}},
      {"e^0.1 = 1.1051709180756476309466388234587796", exp(Real(0.1)), {0x1.1aec7b35a00d4p+0, -0x1.77d498b0e382ap-54}},
      {"ln 2 = 0.69314718055994530941723212145817657", log(Real(2)), kLn2},
      {"ln 10 = 2.3025850929940456840179914546843642", log(Real(10)), {0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53}},
      {"ln 10000 = 9.2103403719761827360719658187374568",
       log(Real(10000)),
       {0x1.26bb1bbb55516p+3, -0x1.f48ad494ea3e9p-51}},
      {"ln 0.3 = -1.2039728043259360296301803719337", log(Real(0.3)), {-0x1.34378fcbda721p+0, 0x1.9c1404e27f13dp-54}},
      {"√2 = 1.4142135623730950488016887242096981", sqrt(Real(2)), {0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54}},
      {"√1e-10 = 1.0000000000000000182160986577488707e-5",
       sqrt(Real(1e-10)),
       {0x1.4f8b588e368f1p-17, -0x1.805c0c1fc8f32p-71}},
      {"2^(1/3) = 1.2599210498948731647672106072782284",
       power(Real(2), Real(1) / Real(3)),
       {0x1.428a2f98d728bp+0, -0x1.ddc22548ea41ep-56}},
      {"10000^(-1/64) = 0.86596432336006535235316918342",
       power(Real(10000), -1.0 / 64),
       {0x1.bb5fad00ab22cp-1, 0x1.a1cecee7dcb25p-58}},
      {"500000^(-1/8) = 0.19392274474868577337429385567",
       power(Real(500000), -0.125),
       {0x1.8d275e352b568p-3, 0x1.e1b9999d4a093p-57}},
      {"1000000^(126/128) = 805842.18776148181700257539574",
       power(Real(1000000), 126.0 / 128),
       {0x1.897a4602245e0p+19, -0x1.2e078546c6cefp-35}},
  };
  for (const Known& each : known) {
    CAPTURE(each.what, each.got.hi, each.got.lo);
    CHECK(relative_error(each.got, each.want) < kTwoWords);
    CHECK(is_normal(each.got));
  }
  // exp(300) carries the error of 300 = 433 ln 2 - …, multiplied by 433.
  CHECK(relative_error(exp(Real(300)), {0x1.c05c0a7166b4ap+432, 0x1.cf59a9e7d8cb5p+378}) < kTwoWords);
  CHECK(exp(Real(6e9)).hi == std::numeric_limits<double>::infinity());
  CHECK(exp(Real(-6e9)).hi == 0);
  CHECK(std::isnan(exp(Real(NAN)).hi));
}

TEST_CASE("powers of the usual bases are exact where they must be", "[real]") {
  CHECK(power(Real(10000), -0.5).hi == 0.01);
  CHECK(relative_error(power(Real(10000), -0.5), Real(1) / Real(100)) < kThreeWords);
  CHECK(power(Real(10000), 0.25).hi == 10);
  CHECK(power(Real(2), -8).hi == 0x1p-8);
  CHECK(power(Real(7), 0) == Real(1));
  CHECK(power(Real(1), 0.75) == Real(1));
}

TEST_CASE("a float32 number rounds after every step, and whatever it meets", "[real]") {
  const Number third(Real(1) / Real(3), Precision::float32);
  CHECK(third.value == Real(float(1.0f / 3.0f)));
  CHECK((third * 0.1).value == Real(float(1.0f / 3.0f) * 0.1f));
  CHECK((0.1 + third).value == Real(0.1f + float(1.0f / 3.0f)));
  CHECK((third - 0.1).value == Real(float(1.0f / 3.0f) - 0.1f));
  CHECK((0.1 / third).value == Real(0.1f / float(1.0f / 3.0f)));
  CHECK(power(10000, Number(0.5, Precision::float32)).value == Real(100));
  CHECK(exp(Number(0.5, Precision::float32)).value == Real(1.6487212707f));
  CHECK((third * 3).precision == Precision::float32);
  CHECK((Number(Real(1) / Real(3)) * 3).value == Real(1) / Real(3) * Real(3));
}

TEST_CASE("numbers of 16 bits have 11 digits, fewer below 2^-14, and halves go to even ones", "[real]") {
  CHECK(nearest_float16(0) == 0);
  CHECK(nearest_float16(1) == 1);
  CHECK(nearest_float16(0.01) == double(0x1.47cp-7));
  CHECK(nearest_float16(1 + 0x1p-11) == 1);
  CHECK(nearest_float16(1 + 0x3p-11) == 1 + 0x1p-9);
  CHECK(nearest_float16(-65504) == -65504);
  CHECK(nearest_float16(0x1.8p-24) == 0x1p-23);
  CHECK(nearest_float16(0x1p-25) == 0);
}

TEST_CASE("exp undoes log, squares undo roots", "[real]") {
  test::Random random(1);
  for (int i = 0; i < 500; ++i) {
    const double scale = std::ldexp(1.0, random.below(60) - 30);
    const Real x(scale * random.uniform(0.5f, 2), 0x1p-60 * scale * random.uniform(),
                 0x1p-120 * scale * random.uniform());
    CAPTURE(x.hi, x.lo);
    // An absolute error of log is a relative one of exp: up to 30 ln 2 in size, hence the factor.
    REQUIRE(relative_error(exp(log(x)), x) < 32 * kThreeWords);
    REQUIRE(relative_error(sqrt(x) * sqrt(x), x) < kThreeWords);
    REQUIRE(relative_error(x / Real(3) * Real(3), x) < kThreeWords);
    REQUIRE(relative_error(power(x, 2), x * x) < 64 * kThreeWords);
  }
}

TEST_CASE("floor and ceil mind the low part", "[real]") {
  CHECK(floor(Real(5, -1e-20)) == Real(4));
  CHECK(floor(Real(5, 1e-20)) == Real(5));
  CHECK(floor(Real(5)) == Real(5));
  CHECK(floor(Real(5.5, -1e-20)) == Real(5));
  CHECK(floor(Real(-5, -1e-20)) == Real(-6));
  CHECK(ceil(Real(5, 1e-20)) == Real(6));
  CHECK(ceil(Real(5, -1e-20)) == Real(5));
  CHECK(ceil(Real(-5.5)) == Real(-5));
  CHECK(ceil(Real(-0.5)) == Real(0));
}

TEST_CASE("edges of the functions", "[real]") {
  CHECK(exp(Real(0)) == Real(1));
  CHECK(log(Real(1)) == Real(0));
  CHECK(sqrt(Real(0)) == Real(0));
  CHECK(sqrt(Real(4)) == Real(2));
  CHECK(exp(Real(-1000)) == Real(0));
  CHECK(exp(Real(1000)).hi == kInfinity);
  CHECK(clamp01(-1).value == Real(0));
  CHECK(clamp01(2).value == Real(1));
  CHECK(clamp01(Real(1, -1e-20)).value == Real(1, -1e-20));
  CHECK(clamp01(0.25).value == Real(0.25));
}
