#include "attention_tiles.hpp"

#include <algorithm>
#include <cmath>

#include "simd.hpp"

namespace posenc::tiles {

using simd::Floats;
using simd::kFloats;

namespace {

constexpr int kStep = 2 * kFloats;  // columns of one register block: 4 × 2 batches stay below every engine's limit

// Sums run over 16 terms at a time: long float32 sums lose a bit for each doubling of their length.
template <bool kAccumulate>
void product(const float* const rows[kQueries], int depth, const float* columns, std::ptrdiff_t stride, int width,
             float* out, std::ptrdiff_t out_stride) {
  constexpr int kRun = 16;
  for (int j = 0; j < width; j += kStep)
    for (int start = 0; start == 0 || start < depth; start += kRun) {
      Floats sum[kQueries][2];
      for (auto& pair : sum) pair[0] = pair[1] = Floats(0.0f);
      for (int i = start; i < std::min(start + kRun, depth); ++i) {
        const float* column = columns + i * stride + j;
        const Floats a = Floats::load_unaligned(column), b = Floats::load_unaligned(column + kFloats);
        for (int r = 0; r < kQueries; ++r) {
          const Floats factor(rows[r][i]);
          sum[r][0] = simd::multiply_add(factor, a, sum[r][0]);
          sum[r][1] = simd::multiply_add(factor, b, sum[r][1]);
        }
      }
      for (int r = 0; r < kQueries; ++r)
        for (int half = 0; half < 2; ++half) {
          float* target = out + r * out_stride + j + half * kFloats;
          const Floats total = kAccumulate || start > 0 ? Floats::load_unaligned(target) + sum[r][half] : sum[r][half];
          total.store_unaligned(target);
        }
    }
}

// e^x for x <= 0, within 2 ulp; below -87 it is 0. Cody-Waite reduction and a polynomial of degree 6.
inline Floats exp_nonpositive(Floats x) {
  const Floats clamped = xsimd::max(x, Floats(-87.0f));
  const Floats magic(12582912.0f);  // 1.5 · 2^23 rounds to the nearest integer
  const Floats shifted = clamped * Floats(1.44269504f) + magic;
  const Floats n = shifted - magic;
  const Floats r = (clamped - n * Floats(0.693145752f)) - n * Floats(1.42860677e-6f);
  Floats p(1.0f / 720);
  p = p * r + Floats(1.0f / 120);
  p = p * r + Floats(1.0f / 24);
  p = p * r + Floats(1.0f / 6);
  p = p * r + Floats(0.5f);
  p = p * r + Floats(1.0f);
  p = p * r + Floats(1.0f);
  using Ints = xsimd::batch<std::int32_t>;
  const Ints power = (xsimd::bitwise_cast<std::int32_t>(n + magic) + Ints(127)) << 23;
  return xsimd::select(x < Floats(-87.0f), Floats(0.0f), p * xsimd::bitwise_cast<float>(power));
}

float exp_one(float x) {
  float out[kFloats];
  exp_nonpositive(Floats(x)).store_unaligned(out);
  return out[0];
}

// tanh: a series near 0, where (1 - e^(-2|y|)) / (1 + e^(-2|y|)) would lose its digits.
float tanh_of(float y) {
  const float square = y * y;
  if (square < 0.0625f)
    return y * (1.0f + square * (-1.0f / 3 + square * (2.0f / 15 + square * (-17.0f / 315 + square * (62.0f / 2835)))));
  const float decay = exp_one(-2.0f * std::abs(y));
  return std::copysign((1.0f - decay) / (1.0f + decay), y);
}

}  // namespace

int round_up(int count) { return (count + kStep - 1) / kStep * kStep; }

void block_product(const float* const rows[kQueries], int depth, const float* columns, std::ptrdiff_t stride, int width,
                   float* out, std::ptrdiff_t out_stride) {
  product<false>(rows, depth, columns, stride, width, out, out_stride);
}

void add_block_product(const float* const rows[kQueries], int depth, const float* columns, std::ptrdiff_t stride,
                       int width, float* out, std::ptrdiff_t out_stride) {
  product<true>(rows, depth, columns, stride, width, out, out_stride);
}

float largest(const float* x, int count) {
  Floats top(kMinusInfinity);
  int j = 0;
  for (; j + kFloats <= count; j += kFloats) top = xsimd::max(top, Floats::load_unaligned(x + j));
  float result = xsimd::reduce_max(top);
  for (; j < count; ++j) result = std::max(result, x[j]);
  return result;
}

float exp_and_sum(float* x, int count, float top) {
  Floats sum(0.0f);
  int j = 0;
  for (; j + kFloats <= count; j += kFloats) {
    const Floats e = exp_nonpositive(Floats::load_unaligned(x + j) - Floats(top));
    e.store_unaligned(x + j);
    sum += e;
  }
  float total = xsimd::reduce_add(sum);
  for (; j < count; ++j) total += x[j] = exp_one(x[j] - top);
  return total;
}

void scale(float* x, int count, float factor) {
  int j = 0;
  for (; j + kFloats <= count; j += kFloats) (Floats::load_unaligned(x + j) * Floats(factor)).store_unaligned(x + j);
  for (; j < count; ++j) x[j] *= factor;
}

void hide(float* x, const std::uint8_t* mask, int count) {
  for (int j = 0; j < count; ++j)
    if (!mask[j]) x[j] = kMinusInfinity;
}

// max(x, 0) + ln(1 + e), e = e^-|x|; the logarithm by the series of its inverse tangent at e / (2 + e) <= 1/3.
void soft_plus(float* x, int count) {
  for (int j = 0; j < count; j += kFloats) {
    float four[kFloats] = {};
    std::copy_n(x + j, std::min(kFloats, count - j), four);
    const Floats value = Floats::load_unaligned(four), zero(0.0f);
    const Floats decay = exp_nonpositive(xsimd::min(value, zero - value));
    const Floats s = decay / (decay + Floats(2.0f)), square = s * s;
    Floats sum(1.0f / 15);
    for (int n = 13; n > 0; n -= 2) sum = sum * square + Floats(1.0f / float(n));
    (xsimd::max(value, zero) + (s + s) * sum).store_unaligned(four);
    std::copy_n(four, std::min(kFloats, count - j), x + j);
  }
}

void soft_cap(float* x, int count, float cap) {
  for (int j = 0; j < count; ++j) x[j] = cap * tanh_of(x[j] / cap);
}

}  // namespace posenc::tiles
