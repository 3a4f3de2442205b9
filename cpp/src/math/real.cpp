#include "posenc/math/real.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace posenc {

namespace {

inline Real two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

inline Real two_product(double a, double b) {
  constexpr double kSplitter = 134217729.0;  // 2^27 + 1
  const double product = a * b;
  const double scaled_a = kSplitter * a, scaled_b = kSplitter * b;
  const double a_hi = scaled_a - (scaled_a - a), b_hi = scaled_b - (scaled_b - b);
  const double a_lo = a - a_hi, b_lo = b - b_hi;
  return {product, ((a_hi * b_hi - product) + a_hi * b_lo + a_lo * b_hi) + a_lo * b_lo};
}

// Normalizes three parts that may overlap, the largest first (zeros may appear anywhere).
inline Real normal(double first, double second, double third) {
  const Real low = two_sum(second, third);
  const Real high = two_sum(first, low.hi);
  const Real rest = two_sum(high.lo, low.lo);
  return {high.hi, rest.hi, rest.lo};
}

Real scaled(const Real& x, int exponent) {
  return {std::ldexp(x.hi, exponent), std::ldexp(x.lo, exponent), std::ldexp(x.least, exponent)};
}

}  // namespace

// Not inlined: code that uses Real is rare, and would grow by kilobytes.
[[gnu::noinline]] Real operator+(const Real& a, const Real& b) {
  const Real high = two_sum(a.hi, b.hi), low = two_sum(a.lo, b.lo);
  const Real middle = two_sum(high.lo, low.hi);
  return normal(high.hi, middle.hi, middle.lo + low.lo + (a.least + b.least));
}

[[gnu::noinline]] Real operator*(const Real& a, const Real& b) {
  const Real high = two_product(a.hi, b.hi), left = two_product(a.hi, b.lo), right = two_product(a.lo, b.hi);
  const Real sides = two_sum(left.hi, right.hi), middle = two_sum(high.lo, sides.hi);
  const double least = a.hi * b.least + a.lo * b.lo + a.least * b.hi;
  return normal(high.hi, middle.hi, (middle.lo + sides.lo) + ((left.lo + right.lo) + least));
}

[[gnu::noinline]] Real operator/(const Real& a, const Real& b) {
  const double first = a.hi / b.hi;
  Real rest = a - b * first;
  const double second = rest.hi / b.hi;
  rest = rest - b * second;
  return normal(first, second, rest.hi / b.hi);
}

Real floor(const Real& a) {
  const double whole = std::floor(a.hi), low = std::floor(a.lo);
  if (whole != a.hi) return whole;
  return low != a.lo ? normal(whole, low, 0) : normal(whole, low, std::floor(a.least));
}

Real ceil(const Real& a) { return -floor(-a); }

namespace {

// 1 / n! for n = 0 … 10.
constexpr Real kInverseFactorials[] = {
    {1, 0},
    {1, 0},
    {0.5, 0},
    {0.16666666666666666, 9.25185853854297e-18, 5.135813185032629e-34},
    {0.041666666666666664, 2.3129646346357427e-18, 1.2839532962581572e-34},
    {0.008333333333333333, 1.1564823173178714e-19, 1.6049416203226965e-36},
    {0.001388888888888889, -5.300543954373577e-20, -1.7386867553495878e-36},
    {0.0001984126984126984, 1.7209558293420705e-22, 1.4926912391394127e-40},
    {2.48015873015873e-05, 2.1511947866775882e-23, 1.865864048924266e-41},
    {2.7557319223985893e-06, -1.858393274046472e-22, 8.491754604881993e-39},
    {2.755731922398589e-07, 2.3767714622250297e-23, -3.263188903340883e-40},
};

// The terms of e^x from x^11 / 11! on, divided by x^11. They are below 2^-108 of the sum, so doubles suffice.
double far_terms(double x) {
  double sum = 1;
  for (int n = 17; n > 11; --n) sum = 1 + sum * x / n;
  return sum / 39916800;
}

}  // namespace

// e^x: subtracts a multiple of ln 2, divides by 2^6, and sums a Taylor series up to x^17.
Real exp(const Real& x) {
  if (std::isnan(x.hi)) return x.hi;
  // Far beyond the range of a double; up to here `doublings` fits an int.
  if (std::abs(x.hi) > 2000) return x.hi > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  const double doublings = std::floor(x.hi / kLn2.hi + 0.5);
  const Real rest = scaled(x - kLn2 * Real{doublings, 0}, -6);
  Real sum{far_terms(rest.hi), 0};
  for (int n = 10; n >= 0; --n) sum = kInverseFactorials[n] + sum * rest;
  for (int i = 0; i < 6; ++i) sum = sum * sum;
  return scaled(sum, int(doublings));
}

// ln x for x > 0: ln(m 2^e) = e ln 2 + ln m. The error of ln m in double precision is ln(1 + d), d tiny.
Real log(const Real& x) {
  int exponent = 0;
  if (std::frexp(x.hi, &exponent) < 0.7071067811865476) --exponent;
  const Real mantissa = scaled(x, -exponent), near = quick_log(mantissa.hi);
  const Real d = mantissa * exp(-near) - Real{1, 0};
  // d is below 2^-50: one double suffices for its cube.
  const Real third{d.hi * d.hi * d.hi / 3, 0};
  return kLn2 * Real{double(exponent), 0} + (near + (d - d * d * Real{0.5, 0} + third));
}

Real sqrt(const Real& x) {
  if (x.hi <= 0) return 0;
  Real root = std::sqrt(x.hi);
  for (int i = 0; i < 2; ++i) root = (root + x / root) * Real(0.5);
  return root;
}

double quick_exp(double x) {
  if (std::isnan(x)) return x;
  x = std::min(std::max(x, -2000.0), 2000.0);
  const double doublings = std::floor(x / kLn2.hi + 0.5);
  // An integer of few bits times ln 2 truncated to 32 bits is exact.
  constexpr double kHigh = 0.6931471803691238, kLow = 1.9082149292705877e-10;
  const double rest = (x - doublings * kHigh) - doublings * kLow;
  double sum = 1;
  for (int n = 14; n >= 1; --n) sum = 1 + sum * rest / n;
  return std::ldexp(sum, int(doublings));
}

double quick_log(double x) {
  if (!(x > 0)) return x == 0 ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  if (x > std::numeric_limits<double>::max()) return x;
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < 0.7071067811865476) {
    mantissa *= 2;
    --exponent;
  }
  const double ratio = (mantissa - 1) / (mantissa + 1), square = ratio * ratio;
  double sum = 0;
  for (int odd = 23; odd >= 3; odd -= 2) sum = (sum + 1.0 / odd) * square;
  return exponent * kLn2.hi + 2 * (ratio + ratio * sum);
}

double quick_power(double x, double exponent) {
  if (x == 0 || exponent == 1) return exponent == 0 ? 1 : x;
  return quick_exp(exponent * quick_log(x));
}

double sigmoid(double x) {
  const double e = quick_exp(-std::abs(x));
  return (x < 0 ? e : 1.0) / (1 + e);
}

double softplus(double x) {
  // ln(1 + e), corrected for the digits of e that 1 + e rounds away.
  const double e = quick_exp(-std::abs(x)), one = 1 + e;
  return std::max(x, 0.0) + (one == 1 ? e : quick_log(one) * (e / (one - 1)));
}

double nearest_float16(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  // 11 significant bits; below 2^-14 (subnormals) the step is always 2^-24.
  const int step = std::max(exponent - 11, -24);
  return std::ldexp(std::nearbyint(std::ldexp(x, -step)), step);
}

Real power(const Real& base, const Real& exponent) { return exponent == Real(0) ? Real(1) : exp(exponent * log(base)); }

Number::Number(double number) : value(number) {}
Number::Number(const Real& number, Precision rounding) : value(number), precision(rounding) {
  if (precision != Precision::exact) value = Real(float(number));
  if (precision == Precision::float16) value = Real(nearest_float16(value.hi));
}

namespace {

// Applies the operation to operands rounded to the precision of the result.
template <class Operation>
inline Number step(const Number& a, const Number& b, const Operation& operation) {
  const Precision precision = std::max(a.precision, b.precision);
  return {operation(Number(a.value, precision).value, Number(b.value, precision).value), precision};
}

}  // namespace

Number operator+(const Number& a, const Number& b) { return step(a, b, std::plus()); }
Number operator-(const Number& a, const Number& b) { return step(a, b, std::minus()); }
Number operator*(const Number& a, const Number& b) { return step(a, b, std::multiplies()); }
Number operator/(const Number& a, const Number& b) { return step(a, b, std::divides()); }
Number power(const Number& base, const Number& exponent) {
  return step(base, exponent, [](const Real& x, const Real& y) { return power(x, y); });
}
Number exp(const Number& x) { return {exp(x.value), x.precision}; }
Number clamp01(const Number& x) { return x < 0 ? 0 : Number(1) < x ? 1 : x; }

std::vector<Real> values_of(const std::vector<Number>& numbers) {
  std::vector<Real> out(numbers.size(), Real(0));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = numbers[i].value;
  return out;
}

}  // namespace posenc
