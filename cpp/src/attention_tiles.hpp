// Attention's inner loops: blocks of 4 queries against tiles of up to 64 keys.
#pragma once

#include <cmath>
#include <limits>

#include "simd.hpp"

namespace posenc::tiles {

using simd::Floats;
using simd::kFloats;

inline constexpr int kQueries = 4;
inline constexpr int kKeys = 64;
inline constexpr int kStep = 2 * kFloats;  // columns of one register block: 4 × 2 batches stay below every engine's limit
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

inline int round_up(int count) { return (count + kStep - 1) / kStep * kStep; }

/// out[4][kKeys] (+)= rows[4] · columns, columns [depth][stride]; `width` columns, a multiple of kStep.
template <bool kAccumulate>
inline void block_product(const float* const rows[kQueries], int depth, const float* columns, std::ptrdiff_t stride, int width,
                          float* out, std::ptrdiff_t out_stride) {
  for (int j = 0; j < width; j += kStep) {
    Floats sum[kQueries][2];
    for (int r = 0; r < kQueries; ++r)
      for (int half = 0; half < 2; ++half)
        sum[r][half] = kAccumulate ? Floats::load_unaligned(out + r * out_stride + j + half * kFloats) : Floats(0.0f);
    for (int i = 0; i < depth; ++i) {
      const float* column = columns + i * stride + j;
      const Floats a = Floats::load_unaligned(column), b = Floats::load_unaligned(column + kFloats);
      for (int r = 0; r < kQueries; ++r) {
        const Floats factor(rows[r][i]);
        sum[r][0] = simd::multiply_add(factor, a, sum[r][0]);
        sum[r][1] = simd::multiply_add(factor, b, sum[r][1]);
      }
    }
    for (int r = 0; r < kQueries; ++r)
      for (int half = 0; half < 2; ++half) sum[r][half].store_unaligned(out + r * out_stride + j + half * kFloats);
  }
}

/// e^x for x <= 0, within 2 ulp; below -87 it is 0. Cody-Waite reduction and a polynomial of degree 6.
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

inline float largest(const float* x, int width) {
  Floats top(kMinusInfinity);
  for (int j = 0; j < width; j += kFloats) top = xsimd::max(top, Floats::load_unaligned(x + j));
  return xsimd::reduce_max(top);
}

/// x = e^(x - top) in place; returns the sum. `width` is a multiple of the batch.
inline float exp_and_sum(float* x, int width, float top) {
  Floats sum(0.0f);
  const Floats peak(top);
  for (int j = 0; j < width; j += kFloats) {
    const Floats e = exp_nonpositive(Floats::load_unaligned(x + j) - peak);
    e.store_unaligned(x + j);
    sum += e;
  }
  return xsimd::reduce_add(sum);
}

inline float exp_one(float x) {
  float out[kFloats];
  exp_nonpositive(Floats(x)).store_unaligned(out);
  return out[0];
}

inline void scale(float* x, int width, float factor) {
  int j = 0;
  for (; j + kFloats <= width; j += kFloats) (Floats::load_unaligned(x + j) * Floats(factor)).store_unaligned(x + j);
  for (; j < width; ++j) x[j] *= factor;
}

}  // namespace posenc::tiles
