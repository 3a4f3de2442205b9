// Products of few queries with keys and values in place.
#include <algorithm>
#include <cassert>

#include "kernels/simd.hpp"
#include "kernels/tiles.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc::tiles {

using simd::Floats;
using simd::kFloats;

namespace {

// out[r · out_stride + i · spread] = rows[r] · keys[i], for as many keys as a batch has lanes. A single row sums in two
// halves, because each addition waits for the previous one.
template <int kRows>
[[gnu::noinline]] void dot_together(const float* rows, std::ptrdiff_t row_stride, const float* keys,
                                    std::ptrdiff_t stride, int depth, float* out, std::ptrdiff_t out_stride,
                                    int spread) {
  constexpr int kHalves = kRows == 1 && kFloats < 8 ? 2 : 1, kSums = kHalves * kRows, kStep = kHalves * kFloats;
  Floats sum[kSums][kFloats];
#pragma GCC unroll 16
  for (int i = 0; i < kSums * kFloats; ++i) sum[i / kFloats][i % kFloats] = Floats(0.0f);
  const float *left = rows, *end = rows + depth / kStep * kStep, *right = keys;
  for (; left != end; left += kStep, right += kStep) {
    Floats row[kSums];
#pragma GCC unroll 2
    for (int s = 0; s < kSums; ++s)
      row[s] = Floats::load_unaligned(left + (kHalves > 1 ? s * kFloats : s * row_stride));
#pragma GCC unroll 8
    for (int i = 0; i < kFloats; ++i)
#pragma GCC unroll 2
      for (int s = 0; s < kSums; ++s)
        sum[s][i] = simd::multiply_add(
            row[s], Floats::load_unaligned(right + i * stride + (kHalves > 1 ? s * kFloats : 0)), sum[s][i]);
  }
#pragma GCC unroll 8
  for (int i = 0; kHalves > 1 && i < kFloats; ++i) sum[0][i] += sum[kSums - 1][i];
  float sums[kRows][kFloats];
#pragma GCC unroll 2
  for (int r = 0; r < kRows; ++r) xsimd::haddp(sum[r]).store_unaligned(sums[r]);
  for (; left != rows + depth; ++left, ++right)
    for (int i = 0; i < kRows * kFloats; ++i)
      sums[i / kFloats][i % kFloats] += left[i / kFloats * row_stride] * right[i % kFloats * stride];
#pragma GCC unroll 2
  for (int r = 0; r < kRows; ++r, out += out_stride) {
    float* to = out;
#pragma GCC unroll 8
    for (int i = 0; i < kFloats; ++i, to += spread) *to = sums[r][i];
  }
}

// sums[r] += Σ_i weights[r][i · spread] · values[i]: kRows rows, kTogether values.
template <int kRows, int kTogether>
[[gnu::noinline]] void add_together(const float* weights, int spread, const float* values, std::ptrdiff_t stride,
                                    int width, float* sums, std::ptrdiff_t sums_stride) {
  Floats weight[kRows][kTogether];
#pragma GCC unroll 8
  for (int i = 0; i < kRows * kTogether; ++i)
    weight[i / kTogether][i % kTogether] = Floats(weights[i / kTogether * kKeys + i % kTogether * spread]);
  const float* end = values + width / kFloats * kFloats;
  for (; values != end; values += kFloats, sums += kFloats) {
    Floats sum[kRows], other(0.0f);
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r) sum[r] = Floats::load_unaligned(sums + r * sums_stride);
#pragma GCC unroll 8
    for (int i = 0; i < kTogether; ++i) {
      const Floats value = Floats::load_unaligned(values + i * stride);
      // For a single row, each addition would wait for the previous one.
      if (kRows == 1 && i % 2) {
        other = simd::multiply_add(weight[0][i], value, other);
        continue;
      }
#pragma GCC unroll 2
      for (int r = 0; r < kRows; ++r) sum[r] = simd::multiply_add(weight[r][i], value, sum[r]);
    }
    if (kRows == 1 && kTogether > 1) sum[0] += other;
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r) sum[r].store_unaligned(sums + r * sums_stride);
  }
  for (int c = 0; c < width % kFloats; ++c)
    for (int r = 0; r < kRows; ++r) {
      float sum = 0;
      for (int i = 0; i < kTogether; ++i) sum += weights[r * kKeys + i * spread] * values[i * stride + c];
      sums[r * sums_stride + c] += sum;
    }
}

// Calls each(j, h, spread) for groups of `together` keys, `spread` apart; then rest(j, h) for each remaining key.
template <class Each, class Rest>
void for_each_key(const HeadTile& tile, int together, Each each, Rest rest) {
  const int spread = tile.count / together;
  for (int j = 0; j < spread; ++j)
    for (int h = 0; h < tile.heads; ++h) each(j, h, spread);
  for (int j = spread * together; j < tile.count; ++j)
    for (int h = 0; h < tile.heads; ++h) rest(j, h);
}

}  // namespace

void dot_tile(const float* rows, std::ptrdiff_t row_stride, const float* keys, const HeadTile& tile, int depth,
              float* out, std::ptrdiff_t out_stride) {
  assert(tile.count >= 0 && tile.count <= out_stride && depth >= 0);
  const std::size_t width = std::size_t(depth);
  const auto row_at = [&](int h, int r) { return rows + (h * tile.rows + r) * row_stride; };
  const auto key_at = [&](int h, int j) { return keys + h * tile.head_stride + j * tile.stride; };
  const auto out_at = [&](int h, int r, int j) { return out + (h * tile.rows + r) * out_stride + j; };
  for_each_key(
      tile, kFloats,
      [&](int j, int h, int spread) {
        const float* key = key_at(h, j);
        const std::ptrdiff_t stride = spread * tile.stride;
        int r = 0;
        for (; r + 2 <= tile.rows; r += 2)
          dot_together<2>(row_at(h, r), row_stride, key, stride, depth, out_at(h, r, j), out_stride, spread);
        if (r < tile.rows) dot_together<1>(row_at(h, r), 0, key, stride, depth, out_at(h, r, j), 0, spread);
      },
      [&](int j, int h) {
        for (int r = 0; r < tile.rows; ++r)
          dot_rows(row_at(h, r), key_at(h, j), tile.stride, 1, width, out_at(h, r, j));
      });
}

void add_tile(const float* weights, const float* values, const HeadTile& tile, int width, float* sums,
              std::ptrdiff_t sums_stride) {
  assert(tile.count >= 0 && tile.count <= kKeys && width >= 0);
  const auto weight_at = [&](int h, int r, int j) { return weights + std::ptrdiff_t(h * tile.rows + r) * kKeys + j; };
  const auto value_at = [&](int h, int j) { return values + h * tile.head_stride + j * tile.stride; };
  const auto sums_at = [&](int h, int r) { return sums + (h * tile.rows + r) * sums_stride; };
  for_each_key(
      tile, 8,
      [&](int j, int h, int spread) {
        const std::ptrdiff_t stride = spread * tile.stride;
        int r = 0;
        for (; r + 2 <= tile.rows; r += 2)
          for (int half = 0; half < 8; half += 4)
            add_together<2, 4>(weight_at(h, r, j + half * spread), spread, value_at(h, j + half * spread), stride,
                               width, sums_at(h, r), sums_stride);
        if (r < tile.rows)
          add_together<1, 8>(weight_at(h, r, j), spread, value_at(h, j), stride, width, sums_at(h, r), sums_stride);
      },
      [&](int j, int h) {
        for (int r = 0; r < tile.rows; ++r)
          add_together<1, 1>(weight_at(h, r, j), 1, value_at(h, j), tile.stride, width, sums_at(h, r), sums_stride);
      });
}

}  // namespace posenc::tiles
