#include "posenc/real.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace posenc {

namespace {

inline Real quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

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

}  // namespace

Real operator+(const Real& a, const Real& b) {
  Real sum = two_sum(a.hi, b.hi);
  const Real low = two_sum(a.lo, b.lo);
  sum = quick_two_sum(sum.hi, sum.lo + low.hi);
  return quick_two_sum(sum.hi, sum.lo + low.lo);
}

Real operator*(const Real& a, const Real& b) {
  const Real product = two_product(a.hi, b.hi);
  return quick_two_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

Real operator/(const Real& a, const Real& b) {
  const double first = a.hi / b.hi;
  Real rest = a - b * first;
  const double second = rest.hi / b.hi;
  rest = rest - b * second;
  return quick_two_sum(first, second) + rest.hi / b.hi;
}

Real floor(const Real& a) {
  const double whole = std::floor(a.hi);
  return whole == a.hi ? quick_two_sum(whole, std::floor(a.lo)) : Real(whole);
}

Real ceil(const Real& a) { return -floor(-a); }

// e^x by halving the range with ln 2 and a Taylor sum of 28 terms.
Real exp(const Real& x) {
  const double doublings = std::floor(x.hi / kLn2.hi + 0.5);
  const Real rest = x - kLn2 * doublings;
  Real sum = 1;
  for (int n = 28; n >= 1; --n) sum = Real(1) + sum * rest / Real(n);
  const int exponent = static_cast<int>(doublings);
  return {std::ldexp(sum.hi, exponent), std::ldexp(sum.lo, exponent)};
}

// ln x for x > 0: ln(m 2^e) = e ln 2 + 2 artanh((m - 1) / (m + 1)).
Real log(const Real& x) {
  int exponent = 0;
  double mantissa = std::frexp(x.hi, &exponent);
  if (mantissa < 0.7071067811865476) --exponent;
  const Real scaled{std::ldexp(x.hi, -exponent), std::ldexp(x.lo, -exponent)};
  const Real ratio = (scaled - Real(1)) / (scaled + Real(1));
  const Real square = ratio * ratio;
  Real sum = 0;
  for (int odd = 45; odd >= 1; odd -= 2) sum = sum * square + Real(1) / Real(odd);
  return kLn2 * double(exponent) + Real(2) * ratio * sum;
}

Real sqrt(const Real& x) {
  if (x.hi <= 0) return 0;
  const Real guess = std::sqrt(x.hi);
  return (guess + x / guess) / Real(2);
}

double quick_exp(double x) {
  if (std::isnan(x)) return x;
  x = std::min(std::max(x, -2000.0), 2000.0);
  const double doublings = std::floor(x / kLn2.hi + 0.5);
  // A whole number of few bits times ln 2 cut to 32 bits is exact.
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

Real power(const Real& base, const Real& exponent) { return exponent == Real(0) ? Real(1) : exp(exponent * log(base)); }

Number::Number(const Real& number, Precision rounding) : value(number), precision(rounding) {
  if (precision == Precision::float32) value = Real(float(number));
}

namespace {

// The operands as the result's precision sees them.
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
  std::vector<Real> out;
  for (const Number& number : numbers) out.push_back(number.value);
  return out;
}

}  // namespace posenc
