#include "kernels/slopes.hpp"

#include "kernels/simd.hpp"
#include "kernels/tiles.hpp"

namespace posenc::tiles {

using simd::Doubles;
using simd::Floats;
using simd::kDoubles;
using simd::kFloats;

void mask_slopes(const float* scores, int count, float* slopes) {
  const Floats masked(kMinusInfinity), zero(0.0f);
  int j = 0;
  for (; j + kFloats <= count; j += kFloats)
    xsimd::select(Floats::load_unaligned(scores + j) == masked, zero, Floats::load_unaligned(slopes + j))
        .store_unaligned(slopes + j);
  for (; j < count; ++j)
    if (scores[j] == kMinusInfinity) slopes[j] = 0;
  std::fill(slopes + count, slopes + kKeys, 0.0f);
}

WeightedSums weighted_sums(const float* weights, const float* slopes, int count) {
  Doubles all(0.0), weighted(0.0);
  for (int j = 0; j < count; j += kDoubles) {
    const Doubles weight = simd::widen(weights + j);
    all += weight;
    weighted += weight * simd::widen(slopes + j);
  }
  return {xsimd::reduce_add(all), xsimd::reduce_add(weighted)};
}

void softmax_slopes(float* weights, float* slopes, int count, float share, float mean, float least) {
  const Floats shares(share), means(mean), limit(least), zero(0.0f);
  for (int j = 0; j < count; j += kFloats) {
    const Floats weight = Floats::load_unaligned(weights + j);
    const auto small = weight <= limit;
    const Floats own = xsimd::select(small, zero, weight * shares);
    own.store_unaligned(weights + j);
    // 0 · NaN would be NaN.
    xsimd::select(small, zero, own * (Floats::load_unaligned(slopes + j) - means)).store_unaligned(slopes + j);
  }
}

void transpose_block(const float* rows, int count, float* transposed, std::ptrdiff_t stride) {
  int j = 0;
  for (; kFloats == kQueries && j + kFloats <= count; j += kFloats) {
    Floats square[kFloats];
#pragma GCC unroll 8
    for (int r = 0; r < kFloats; ++r) square[r] = Floats::load_unaligned(rows + r % kQueries * kKeys + j);
    xsimd::transpose(square, square + kFloats);
#pragma GCC unroll 8
    for (int r = 0; r < kFloats; ++r) square[r].store_unaligned(transposed + (j + r) * stride);
  }
  for (; j < count; ++j)
    for (int r = 0; r < kQueries; ++r) transposed[j * stride + r] = rows[r * kKeys + j];
}

}  // namespace posenc::tiles
