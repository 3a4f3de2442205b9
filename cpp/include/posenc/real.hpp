// Double-double arithmetic: formulas are written once and evaluated to about 100 bits, so that frequencies are exact
// and identical in every build. `float` beside it replays PyTorch's float32 steps of the same formula.
#pragma once

#include <cmath>

namespace posenc {

/// A number as an unevaluated sum hi + lo, |lo| <= ulp(hi) / 2.
/// Needs round-to-nearest and no contraction. Source: T. J. Dekker, Numer. Math. 18 (1971), 224-242.
struct Real {
  double hi = 0;
  double lo = 0;

  constexpr Real() = default;
  constexpr Real(double value) : hi(value) {}
  constexpr Real(double high, double low) : hi(high), lo(low) {}
  explicit operator double() const { return hi; }
  explicit operator float() const { return static_cast<float>(hi); }
};

inline constexpr Real kLn2{0.6931471805599453, 2.3190468138462996e-17};
inline constexpr Real kTwoPi{6.283185307179586, 2.4492935982947064e-16};
inline constexpr Real kTurnsPerRadian{0.15915494309189535, -9.839338337591243e-18};

Real operator+(const Real& a, const Real& b);
Real operator*(const Real& a, const Real& b);
Real operator/(const Real& a, const Real& b);
inline Real operator-(const Real& a) { return {-a.hi, -a.lo}; }
inline Real operator-(const Real& a, const Real& b) { return a + -b; }
inline bool operator<(const Real& a, const Real& b) { return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo); }
inline bool operator==(const Real& a, const Real& b) { return a.hi == b.hi && a.lo == b.lo; }

Real floor(const Real& a);
Real ceil(const Real& a);
Real sqrt(const Real& x);
Real exp(const Real& x);
/// x > 0
Real log(const Real& x);
Real power(const Real& base, const Real& exponent);

// Where numbers are many and 1e-15 is enough; the same bits in every build, as libm's are not.
double quick_exp(double x);
/// -infinity at 0, NaN below.
double quick_log(double x);
/// x >= 0
double quick_power(double x, double exponent);

// The float32 twins round once, as PyTorch's correctly rounded kernels nearly do.
inline float exp(float x) { return static_cast<float>(exp(Real(x))); }
Real power(double, double) = delete;  // would pick one of the two by chance
inline float power(float base, float exponent) { return static_cast<float>(power(Real(base), Real(exponent))); }

template <class Number>
Number clamp01(Number x) {
  return x < Number(0) ? Number(0) : Number(1) < x ? Number(1) : x;
}

}  // namespace posenc
