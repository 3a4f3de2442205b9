#include "posenc/math/powers.hpp"

#include <bit>

namespace posenc {

namespace {

// PyTorch's vectorized pow is SLEEF's: logarithm and exponential in pairs of float32, products by fused multiply-add.
// The order of operations determines the last bit, so Real is not used here.
// Source: N. Shibata, F. Petrogalli, "SLEEF: A Portable Vectorized Library of C Standard Mathematical Functions", IEEE
// TPDS 31 (2020), arXiv:2001.09258; the coefficients are those of its powf_u10.

// A value as the unevaluated sum of two floats.
struct Pair {
  float high = 0, low = 0;
};

// a + b, whichever is larger in magnitude.
Pair two_sum(float a, float b) {
  const float sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

Pair sum_of(const Pair& a, const Pair& b) {
  const Pair high = two_sum(a.high, b.high);
  return {high.high, high.low + (a.low + b.low)};
}

// a + b for |a| >= |b|, in fewer steps.
Pair sum_onto(const Pair& a, const Pair& b) {
  const float sum = a.high + b.high;
  return {sum, a.high - sum + b.high + a.low + b.low};
}

Pair product(const Pair& a, const Pair& b) {
  const float high = a.high * b.high;
  return {high, std::fma(a.high, b.low, std::fma(a.low, b.high, std::fma(a.high, b.high, -high)))};
}

Pair product(const Pair& a, float b) {
  const float high = a.high * b;
  return {high, std::fma(a.low, b, std::fma(a.high, b, -high))};
}

Pair quotient(const Pair& a, const Pair& b) {
  const float inverse = 1 / b.high, high = a.high * inverse, rounding = std::fma(inverse, a.high, -high);
  const float miss = std::fma(-b.low, inverse, std::fma(-b.high, inverse, 1.0f));
  return {high, std::fma(high, miss, std::fma(a.low, inverse, rounding))};
}

// ln x = e ln 2 + 2 artanh((m - 1) / (m + 1)), x = m 2^e with m from 3/4 to 3/2.
Pair logarithm(float x) {
  const int exponent = std::ilogb(x * (1 / 0.75f));
  const float mantissa = std::ldexp(x, -exponent);
  const Pair ratio = quotient(two_sum(-1, mantissa), two_sum(1, mantissa));
  const Pair square{ratio.high * ratio.high, std::fma(ratio.high + ratio.high, ratio.low,
                                                      std::fma(ratio.high, ratio.high, -(ratio.high * ratio.high)))};
  float series = 0.2403203547f;
  series = std::fma(series, square.high, 0.2851126790f);
  series = std::fma(series, square.high, 0.4000079930f);
  const Pair terms = sum_of(product(square, series), {0.6666666269f, 3.691838613e-9f});
  const Pair twos = product({0.6931471825f, -1.904654323e-9f}, float(exponent));
  const Pair linear = sum_onto(twos, {2 * ratio.high, 2 * ratio.low});
  return sum_onto(linear, product(product(square, ratio), terms));
}

float exponential(const Pair& x) {
  const float doublings = std::nearbyint((x.high + x.low) * 1.442695041f);
  Pair rest = sum_of(x, {doublings * -0.6931457520f, 0});
  rest = sum_of(rest, {doublings * -1.428606765e-6f, 0});
  const float high = rest.high + rest.low;
  rest = {high, rest.high - high + rest.low};
  float series = 0.001363246469f;
  for (const float next : {0.008365969174f, 0.04167108238f, 0.1666655242f, 0.4999998509f})
    series = std::fma(series, rest.high, next);
  const Pair square{rest.high * rest.high, std::fma(rest.high + rest.high, rest.low,
                                                    std::fma(rest.high, rest.high, -(rest.high * rest.high)))};
  const Pair all = sum_onto({1, 0}, sum_onto(rest, product(square, series)));
  return std::ldexp(all.high + all.low, int(doublings));
}

// PyTorch's vectorized loop takes two AVX-512 registers at a time; the rest uses scalar pow.
constexpr int kTogether = 32;

// About 145 bits: powers 1, 8, 64, … come from the logarithm, the others are products of these. This takes 1/20 of the
// time and loses 4 of 150 bits.
std::vector<Number> exact_powers(const Real& base, int count, double width) {
  std::vector<Number> out(std::size_t(count), Number(1));
  const Real rate = log(base) * (Real{2, 0} / Real{width, 0});
  for (std::size_t k = 1; k < out.size(); ++k) {
    const std::size_t last = k & -k, rest = k - last;
    Real& power = out[k].value;
    if (rest > 0)
      power = out[rest].value * out[last].value;
    else if (std::countr_zero(k) % 3 == 0)
      power = exp(rate * Real{double(k), 0});
    else
      power = out[k / 2].value * out[k / 2].value;
  }
  return out;
}

}  // namespace

std::vector<Number> powers(const Number& base, int count, double width) {
  if (base.precision == Precision::exact) return exact_powers(base.value, count, width);
  const int vectorized = count / kTogether * kTogether;
  const Pair root = logarithm(float(base.value));
  std::vector<Number> out(std::size_t(count), Number(0));
  for (int k = 0; k < count; ++k) {
    Number& number = out[std::size_t(k)];
    const Number exponent(Real(2.0 * k) / Real(width), base.precision);
    const bool by_vector = k < vectorized;
    number = by_vector ? Number(double(exponential(product(root, float(exponent.value))))) : power(base, exponent);
    number.precision = base.precision;
  }
  return out;
}

}  // namespace posenc
