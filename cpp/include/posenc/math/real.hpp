// Triple-double arithmetic. Formulas are written once and evaluated to about 145 bits. So frequencies are exact and
// identical in every build, and angles near a zero of their sinusoid are accurate at any position. Number can replay
// PyTorch's float32 steps of the same formula.
#pragma once

#include <cmath>
#include <vector>

namespace posenc {

/// A number as an unevaluated sum hi + lo + least, each at most half a last place of the previous one.
/// Requires round-to-nearest and no contraction. Source: T. J. Dekker, Numer. Math. 18 (1971), 224-242.
struct Real {
  double hi = 0, lo = 0, least = 0;

  constexpr Real() = default;
  // Out of line: formulas use many numbers, and this makes the download smaller by kilobytes. In time-critical code,
  // which runs for each position, write Real{x, 0}.
  [[gnu::noinline]] constexpr Real(double value) : hi(value) {}
  constexpr Real(double high, double low, double lower = 0) : hi(high), lo(low), least(lower) {}
  explicit operator double() const { return hi; }
  explicit operator float() const { return static_cast<float>(hi); }
};

inline constexpr Real kLn2{0.6931471805599453, 2.3190468138462996e-17, 5.707708438416212e-34};
inline constexpr Real kTwoPi{6.283185307179586, 2.4492935982947064e-16, -5.989539619436679e-33};
inline constexpr Real kTurnsPerRadian{0.15915494309189535, -9.839338337591243e-18, -5.360718141446502e-34};

Real operator+(const Real& a, const Real& b);
Real operator*(const Real& a, const Real& b);
Real operator/(const Real& a, const Real& b);
inline Real operator-(const Real& a) { return {-a.hi, -a.lo, -a.least}; }
inline Real operator-(const Real& a, const Real& b) { return a + -b; }
inline bool operator==(const Real& a, const Real& b) { return a.hi == b.hi && a.lo == b.lo && a.least == b.least; }
inline bool operator<(const Real& a, const Real& b) {
  if (a.hi != b.hi) return a.hi < b.hi;
  return a.lo < b.lo || (a.lo == b.lo && a.least < b.least);
}

Real floor(const Real& a);
Real ceil(const Real& a);
Real sqrt(const Real& x);
Real exp(const Real& x);
/// x > 0
Real log(const Real& x);
Real power(const Real& base, const Real& exponent);

// For bulk computations that need only 1e-15. Bit-identical in every build, unlike libm.
double quick_exp(double x);
/// -infinity at 0, NaN below.
double quick_log(double x);
/// x >= 0
double quick_power(double x, double exponent);
/// 1 / (1 + e^-x)
[[gnu::noinline]] double sigmoid(double x);
/// ln(1 + e^x); its slope is sigmoid(x).
[[gnu::noinline]] double softplus(double x);

/// The float16 value nearest to x, for |x| up to 65504.
double nearest_float16(double x);

/// How a formula is evaluated: to about 145 bits, or with each step rounded to float32 or float16, (nearly) as in
/// PyTorch's kernels.
enum class Precision { exact, float32, float16 };

/// A number with its precision. The result of an operation has the lower precision of its operands.
struct Number {
  Real value;
  Precision precision = Precision::exact;

  [[gnu::noinline]] Number(double number);
  Number(const Real& number, Precision rounding = Precision::exact);
  bool operator<(const Number& other) const { return value < other.value; }
};

Number operator+(const Number& a, const Number& b);
Number operator-(const Number& a, const Number& b);
Number operator*(const Number& a, const Number& b);
Number operator/(const Number& a, const Number& b);
Number exp(const Number& x);
Number power(const Number& base, const Number& exponent);
Number clamp01(const Number& x);
std::vector<Real> values_of(const std::vector<Number>& numbers);

}  // namespace posenc
