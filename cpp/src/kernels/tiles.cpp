#include "kernels/tiles.hpp"

#include <algorithm>
#include <cassert>

#include "kernels/simd.hpp"

namespace posenc::tiles {

using simd::Floats;
using simd::kFloats;

namespace {

constexpr int kFewTerms = 32;

constexpr int kStep = 2 * kFloats;  // columns of one register block: 4 × 2 batches stay below every engine's limit

}  // namespace

int round_down(int count) { return count / kStep * kStep; }
int round_up(int count) { return round_down(count + kStep - 1); }

namespace {

// panel[i][j] = rows[j][i]
void interleave(const float* rows, std::ptrdiff_t stride, int count, int depth, float* panel) {
  for (int j = 0; j < count; j += kFloats)
    for (int i = 0; i < depth; i += kFloats) {
      const float* from = rows + j * stride + i;
      float* to = panel + i * kStep + j;
      if (j + kFloats <= count && i + kFloats <= depth) {
        Floats square[kFloats];
#pragma GCC unroll 8
        for (int r = 0; r < kFloats; ++r) square[r] = Floats::load_unaligned(from + r * stride);
        xsimd::transpose(square, square + kFloats);
#pragma GCC unroll 8
        for (int r = 0; r < kFloats; ++r) square[r].store_unaligned(to + r * kStep);
        continue;
      }
      for (int r = 0; r < std::min(kFloats, count - j); ++r)
        for (int c = 0; c < std::min(kFloats, depth - i); ++c) to[c * kStep + r] = from[r * stride + c];
    }
}

// Multiplies a block of [4][kPanelDepth] by one panel. Strides are known to the compiler, and the loop over the depth
// takes one step per iteration: longer bodies make V8 load ahead and spill. Sums run over 16 terms at a time: long
// float32 sums lose a bit for each doubling of their length.
inline void tile_product(const float* rows, int depth, const float* column, float* out, std::ptrdiff_t out_stride,
                         bool onto) {
  constexpr int kRun = 16;
  for (int start = 0; start == 0 || start < depth; start += kRun, onto = true) {
    Floats sum[kQueries][2];
#pragma GCC unroll 4
    for (auto& pair : sum) pair[0] = pair[1] = Floats(0.0f);
    for (const float* end = rows + std::min(kRun, depth - start); rows != end; ++rows, column += kStep) {
      const Floats a = Floats::load_unaligned(column), b = Floats::load_unaligned(column + kFloats);
#pragma GCC unroll 4
      for (int r = 0; r < kQueries; ++r) {
        const Floats factor(rows[r * kPanelDepth]);
        sum[r][0] = simd::multiply_add(factor, a, sum[r][0]);
        sum[r][1] = simd::multiply_add(factor, b, sum[r][1]);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < kQueries; ++r)
#pragma GCC unroll 2
      for (int half = 0; half < 2; ++half) {
        float* target = out + r * out_stride + half * kFloats;
        (onto ? Floats::load_unaligned(target) + sum[r][half] : sum[r][half]).store_unaligned(target);
      }
  }
}

}  // namespace

void pack_keys(const float* rows, std::ptrdiff_t stride, int count, int depth, float* panels) {
  assert(count >= 0 && count <= kKeys && depth >= 0);
  for (int j = 0; j < count; j += kStep)
    interleave(rows + j * stride, stride, std::min(kStep, count - j), depth, panels + std::ptrdiff_t(j) * depth);
}

void pack_queries(const float* rows, std::ptrdiff_t stride, int count, int depth, float* blocks) {
  assert(count >= 0 && depth >= 0);
  for (int j = 0; j < count; ++j) {
    float* block =
        blocks + std::ptrdiff_t(j / kQueries * kQueries) * round_up_depth(depth) + j % kQueries * kPanelDepth;
    for (int i = 0; i < depth; i += kPanelDepth)
      std::copy_n(rows + j * stride + i, std::min(kPanelDepth, depth - i), block + i * kQueries);
  }
}

void pack_values(const float* values, std::ptrdiff_t stride, int count, int width, float* panels) {
  assert(count >= 0 && count <= kKeys && width >= 0);
  for (int i = 0; i < width; i += kStep, panels += kKeys * kStep)
    for (int j = 0; j < count; ++j) {
      const float* from = values + j * stride + i;
      float* to = panels + j * kStep;
      if (i + kStep > width) {
        std::copy_n(from, width - i, to);
        continue;
      }
      Floats::load_unaligned(from).store_unaligned(to);
      Floats::load_unaligned(from + kFloats).store_unaligned(to + kFloats);
    }
}

// Not inlined: the code is large.
[[gnu::noinline]] void block_product(const float* block, int depth, const float* panels, int panel_depth, int width,
                                     float* out, std::ptrdiff_t out_stride, bool onto) {
  assert(width % kStep == 0 && depth >= 0 && depth <= panel_depth && out_stride >= width);
  for (int j = 0; j < width; j += kStep)
    for (int i = 0; i == 0 || i < depth; i += kPanelDepth)
      tile_product(block + i * kQueries, std::min(kPanelDepth, depth - i),
                   panels + std::ptrdiff_t(j) * panel_depth + i * kStep, out + j, out_stride, onto || i > 0);
}

void careful_product(const float* block, int depth, const float* panels, int panel_depth, int width, double* out) {
  assert(width % kStep == 0 && width <= kKeys && depth >= 0 && depth <= panel_depth);
  using simd::Doubles, simd::kDoubles;
  if (depth > kFewTerms) {
    alignas(32) float products[kQueries * kKeys];
    block_product(block, depth, panels, panel_depth, width, products, kKeys, false);
    std::copy_n(products, kQueries * kKeys, out);
    return;
  }
  std::fill_n(out, kQueries * kKeys, 0.0);
  for (int j = 0; j < width; j += kStep)
    for (int i = 0; i < depth; ++i) {
      double wide[kStep];
      std::copy_n(panels + std::ptrdiff_t(j) * panel_depth + i * kStep, kStep, wide);
      for (int r = 0; r < kQueries; ++r) {
        const Doubles factor{double(block[r * kPanelDepth + i])};
        double* sums = out + r * kKeys + j;
        for (int c = 0; c < kStep; c += kDoubles)
          (Doubles::load_unaligned(sums + c) + factor * Doubles::load_unaligned(wide + c)).store_unaligned(sums + c);
      }
    }
}

void short_product(const float* block, int depth, const float* panels, int panel_depth, int width, float* out) {
  if (depth > kFewTerms) return block_product(block, depth, panels, panel_depth, width, out, kKeys, false);
  double products[kQueries * kKeys];
  careful_product(block, depth, panels, panel_depth, width, products);
  std::copy_n(products, kQueries * kKeys, out);
}

namespace {

template <int kBatches>
void add_weighted_batches(const float* weights, const float* values, std::ptrdiff_t stride, int count, float* sums) {
  Floats sum[kBatches];
#pragma GCC unroll 8
  for (Floats& batch : sum) batch = Floats(0.0f);
  for (const float* end = weights + count; weights != end; ++weights, values += stride) {
    const Floats weight(*weights);
#pragma GCC unroll 8
    for (int i = 0; i < kBatches; ++i)
      sum[i] = simd::multiply_add(weight, Floats::load_unaligned(values + i * kFloats), sum[i]);
  }
#pragma GCC unroll 8
  for (int i = 0; i < kBatches; ++i) {
    float* target = sums + i * kFloats;
    (Floats::load_unaligned(target) + sum[i]).store_unaligned(target);
  }
}

}  // namespace

void add_weighted(const float* weights, const float* values, std::ptrdiff_t stride, int count, int width, float* sums) {
  assert(count >= 0 && width >= 0);
  int i = 0;
  for (; i + 8 * kFloats <= width; i += 8 * kFloats)
    add_weighted_batches<8>(weights, values + i, stride, count, sums + i);
  for (; i + kFloats <= width; i += kFloats) add_weighted_batches<1>(weights, values + i, stride, count, sums + i);
  for (; i < width; ++i) {
    float sum = 0;
    for (int j = 0; j < count; ++j) sum += weights[j] * values[j * stride + i];
    sums[i] += sum;
  }
}

int next_above(const float* x, int from, int count, float limit) {
  assert(from >= 0);
  while (from < count) {
    if (from % kFloats == 0 && from + kFloats <= count &&
        !xsimd::any(Floats::load_unaligned(x + from) > Floats(limit))) {
      from += kFloats;
      continue;
    }
    if (x[from] > limit) return from;
    ++from;
  }
  return count;
}

bool all_finite(const float* x, int count) {
  // x - x is 0 if x is finite, else NaN.
  Floats sum(0.0f);
  float rest = 0;
  int i = 0;
  for (; i + kFloats <= count; i += kFloats) {
    const Floats some = Floats::load_unaligned(x + i);
    sum += some - some;
  }
  for (; i < count; ++i) rest += x[i] - x[i];
  return xsimd::reduce_add(sum) + rest == 0;
}

[[gnu::noinline]] void scale(float* x, int count, float factor) {
  int j = 0;
  for (; j + kFloats <= count; j += kFloats) (Floats::load_unaligned(x + j) * Floats(factor)).store_unaligned(x + j);
  for (; j < count; ++j) x[j] *= factor;
}

}  // namespace posenc::tiles
