#include "kernels/tiles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/simd.hpp"

namespace posenc::tiles {

using simd::Floats;
using simd::kFloats;

namespace {

constexpr int kFewTerms = 32;

constexpr int kStep = 2 * kFloats;  // columns of one register block: 4 × 2 batches stay below every engine's limit

// V8 rebuilds constants in each loop that uses them, unless their values are unknown: hence volatile.
const volatile float kExpConstants[] = {1.44269504f,  -100.0f,       12582912.0f,    1.0f,           0.693147182f,
                                        0.240226477f, 0.0555033237f, 0.00961843692f, 0.00133988739f, 0.000153533620f};

// e^x for x <= 0 as 2^n · 2^f, f within ±1/2: a minimax polynomial of degree 6, exactly 1 at 0. NaN stays NaN. Results
// up to 2^-100 become exactly 0: their products with values would be denormal, which many machines multiply 100×
// slower. Outside of attention products are not fused (kFused), so that all builds agree.
template <bool kFused>
class Exp {
 public:
  Floats operator()(Floats x) const {
    const Floats scaled = x * log2e_;
    const Floats shifted = scaled + magic_;  // 1.5 · 2^23 rounds to the nearest integer
    const Floats f = scaled - (shifted - magic_);
    Floats p = c_[6];
#pragma GCC unroll 6
    for (int i = 5; i >= 0; --i) p = kFused ? simd::multiply_add(p, f, c_[i]) : p * f + c_[i];
    const auto bits = [](Floats y) { return xsimd::bitwise_cast<std::int32_t>(y); };
    const Floats power = xsimd::bitwise_cast<float>(bits(p) + (bits(shifted) << 23));
    return xsimd::bitwise_andnot(power, xsimd::bitwise_cast(scaled <= least_));
  }

 private:
  const volatile float* k_ = kExpConstants;
  Floats log2e_{k_[0]}, least_{k_[1]}, magic_{k_[2]};
  Floats c_[7] = {k_[3], k_[4], k_[5], k_[6], k_[7], k_[8], k_[9]};
};

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

namespace {

float largest(const float* x, int count) {
  Floats top(kMinusInfinity), other(kMinusInfinity);
  for (int j = 0; j < count; j += kStep) {
    top = xsimd::max(top, Floats::load_unaligned(x + j));
    other = xsimd::max(other, Floats::load_unaligned(x + j + kFloats));
  }
  return xsimd::reduce_max(xsimd::max(top, other));
}

}  // namespace

void weigh(float* scores, int rows, int count, Softmax* states, float* shrinks) {
  assert(rows >= 0 && count >= 0 && count <= kKeys);
  const Exp<true> exp;
  for (int r = 0; r < rows; ++r, scores += kKeys) {
    for (int j = count; j < round_up(count); ++j) scores[j] = kMinusInfinity;
    Softmax& state = states[r];
    const float top = std::max(state.top, largest(scores, count));
    shrinks[r] = 1;
    if (top == kMinusInfinity) {
      // All keys are masked, or all other scores are NaN.
      for (int j = 0; j < round_up(count); ++j)
        state.total += std::exchange(scores[j], 0.0f) == kMinusInfinity ? 0.0f : NAN;
      continue;
    }
    Floats sum(0.0f);
    for (int j = 0; j < count; j += kFloats) {
      const Floats e = exp(Floats::load_unaligned(scores + j) - Floats(top));
      e.store_unaligned(scores + j);
      sum += e;
    }
    if (top > state.top) shrinks[r] = exp(Floats(state.top - top)).get(0);
    state.top = top;
    state.total = state.total * shrinks[r] + xsimd::reduce_add(sum);
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

namespace {

// max(x, 0) + ln(1 + e), e = e^-|x|. The logarithm is 2 artanh(s), s = e / (2 + e) <= 1/3: a polynomial of s², error
// below 1e-8.
class SoftPlus {
 public:
  Floats operator()(Floats x) const {
    const Floats decay = exp_(xsimd::min(x, zero_ - x));
    const Floats s = decay / (decay + two_), square = s * s;
    Floats sum = c_[4];
#pragma GCC unroll 4
    for (int i = 3; i >= 0; --i) sum = sum * square + c_[i];
    return xsimd::max(x, zero_) + (s + s) * sum;
  }

 private:
  static inline const volatile float kConstants[] = {0, 2, 1, 0.333331615f, 0.200122982f, 0.139825791f, 0.140788898f};
  const Exp<false> exp_{};
  const volatile float* k_ = kConstants;
  Floats zero_{k_[0]}, two_{k_[1]}, c_[5] = {k_[2], k_[3], k_[4], k_[5], k_[6]};
};

}  // namespace

// From the last features to the first, so that no feature is overwritten before it is read.
void polar_rows(float* rows, std::ptrdiff_t stride, int row_count, int count, const float* const* multipliers,
                const float* phase) {
  assert(row_count >= 0 && count > 0);
  const SoftPlus soft_plus;
  const int sines = round_up(count);
  for (int r = 0; r < row_count; ++r) {
    float* row = rows + r * stride;
    for (int j = (count - 1) / kFloats * kFloats; j >= 0; j -= kFloats) {
      const int some = std::min(kFloats, count - j);
      float part[2 * kFloats] = {};
      if (some < kFloats) std::copy_n(row + j, some, part);
      const Floats magnitude = soft_plus(Floats::load_unaligned(some < kFloats ? part : row + j));
      Floats x = Floats::load_unaligned(multipliers[r] + j), y = Floats::load_unaligned(multipliers[r] + sines + j);
      if (phase) {
        const Floats a = Floats::load_unaligned(phase + j), b = Floats::load_unaligned(phase + sines + j);
        const Floats rotated_x = x * a - y * b;
        y = x * b + y * a;
        x = rotated_x;
      }
      simd::interleave(some < kFloats ? part : row + 2 * j, magnitude * x, magnitude * y);
      if (some < kFloats) std::copy_n(part, 2 * some, row + 2 * j);
    }
  }
}

// tanh: a series near 0, where (1 - e^(-2|y|)) / (1 + e^(-2|y|)) would lose digits.
void soft_cap(float* x, int count, float cap) {
  assert(count <= kKeys && cap > 0);
  const Exp<true> exp;
  const Floats limit(cap), one(1.0f), zero(0.0f);
  for (int j = 0; j < count; j += kFloats) {
    const Floats y = Floats::load_unaligned(x + j) / limit, away = xsimd::max(y, zero - y), square = y * y;
    const Floats decay = exp(Floats(-2.0f) * away), far = (one - decay) / (one + decay);
    Floats near(62.0f / 2835);
    for (const float term : {-17.0f / 315, 2.0f / 15, -1.0f / 3, 1.0f}) near = near * square + Floats(term);
    const Floats tanh = xsimd::select(square < Floats(0.0625f), near * away, far);
    (limit * xsimd::select(y < zero, zero - tanh, tanh)).store_unaligned(x + j);
  }
}

}  // namespace posenc::tiles
