#include "posenc/kernels/kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <vector>

#include "kernels/simd.hpp"

namespace posenc {

using simd::Floats;
using simd::kFloats;

namespace {

// Rows rotated by the same multipliers, `stride` floats apart.
struct Rows {
  float* first;
  std::ptrdiff_t stride;
  int count;
};

// kBatches batches of multipliers stay in registers while all rows are rotated.
template <int kBatches>
inline void rotate_half_step(const Rows& rows, int k, int pairs, const float* cosine, const float* sine) {
  Floats c[kBatches], s[kBatches];
#pragma GCC unroll 4
  for (int i = 0; i < kBatches; ++i) {
    c[i] = Floats::load_unaligned(cosine + k + i * kFloats);
    s[i] = Floats::load_unaligned(sine + k + i * kFloats);
  }
  float* x = rows.first + k;
  for (int r = 0; r < rows.count; ++r, x += rows.stride)
#pragma GCC unroll 4
    for (int i = 0; i < kBatches; ++i) {
      float *first = x + i * kFloats, *second = first + pairs;
      const Floats a = Floats::load_unaligned(first), b = Floats::load_unaligned(second);
      (a * c[i] - b * s[i]).store_unaligned(first);
      (a * s[i] + b * c[i]).store_unaligned(second);
    }
}

// Rotates the pairs from the k-th on, which are no whole batch. Not inlined: most heads have none.
[[gnu::noinline]] void rotate_half_rest(const Rows& rows, int k, int pairs, const float* cosine, const float* sine) {
  for (; k < pairs; ++k)
    for (int r = 0; r < rows.count; ++r) {
      float *first = rows.first + r * rows.stride + k, *second = first + pairs;
      const float a = *first, b = *second;
      *first = a * cosine[k] - b * sine[k];
      *second = a * sine[k] + b * cosine[k];
    }
}

void rotate_half(const Rows& rows, int pairs, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + 4 * kFloats <= pairs; k += 4 * kFloats) rotate_half_step<4>(rows, k, pairs, cosine, sine);
  for (; k + kFloats <= pairs; k += kFloats) rotate_half_step<1>(rows, k, pairs, cosine, sine);
  if (k < pairs) rotate_half_rest(rows, k, pairs, cosine, sine);
}

// Multipliers of a batch of pairs, spread to [c0 c0 c1 c1 …] and [-s0 s0 -s1 s1 …].
struct Spread {
  Floats c[2], s[2];
  Spread(const float* cosine, const float* sine) {
    const Floats one = Floats::load_unaligned(cosine), other = Floats::load_unaligned(sine);
    // A product: V8 computes the mask of a negation anew each time.
    const Floats negative = other * Floats(-1.0f);
    c[0] = xsimd::zip_lo(one, one), c[1] = xsimd::zip_hi(one, one);
    s[0] = xsimd::zip_lo(negative, other), s[1] = xsimd::zip_hi(negative, other);
  }
  void rotate(float* x) const {
#pragma GCC unroll 2
    for (int i = 0; i < 2; ++i) {
      const Floats a = Floats::load_unaligned(x + i * kFloats);
      (a * c[i] + simd::swap_neighbours(a) * s[i]).store_unaligned(x + i * kFloats);
    }
  }
};

[[gnu::noinline]] void rotate_interleaved_rest(const Rows& rows, int k, int pairs, const float* cosine,
                                               const float* sine) {
  for (; k < pairs; ++k)
    for (int r = 0; r < rows.count; ++r) {
      float* pair = rows.first + r * rows.stride + 2 * k;
      const float a = pair[0], b = pair[1];
      pair[0] = a * cosine[k] - b * sine[k];
      pair[1] = b * cosine[k] + a * sine[k];
    }
}

void rotate_interleaved(const Rows& rows, int pairs, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + 2 * kFloats <= pairs; k += 2 * kFloats) {
    const Spread first(cosine + k, sine + k), second(cosine + k + kFloats, sine + k + kFloats);
    float* x = rows.first + 2 * k;
    for (int r = 0; r < rows.count; ++r, x += rows.stride) {
      first.rotate(x);
      second.rotate(x + 2 * kFloats);
    }
  }
  for (; k + kFloats <= pairs; k += kFloats) {
    const Spread spread(cosine + k, sine + k);
    float* x = rows.first + 2 * k;
    for (int r = 0; r < rows.count; ++r, x += rows.stride) spread.rotate(x);
  }
  if (k < pairs) rotate_interleaved_rest(rows, k, pairs, cosine, sine);
}

// The same for one row, whose multipliers are loaded as they are needed.
template <int kBatches>
inline void rotate_half_row_step(float* x, int pairs, const float* cosine, const float* sine) {
#pragma GCC unroll 4
  for (int i = 0; i < kBatches * kFloats; i += kFloats) {
    float *first = x + i, *second = first + pairs;
    const Floats a = Floats::load_unaligned(first), b = Floats::load_unaligned(second);
    const Floats c = Floats::load_unaligned(cosine + i), s = Floats::load_unaligned(sine + i);
    (a * c - b * s).store_unaligned(first);
    (a * s + b * c).store_unaligned(second);
  }
}

inline void rotate_half_row(float* x, int pairs, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + 4 * kFloats <= pairs; k += 4 * kFloats) rotate_half_row_step<4>(x + k, pairs, cosine + k, sine + k);
  for (; k + kFloats <= pairs; k += kFloats) rotate_half_row_step<1>(x + k, pairs, cosine + k, sine + k);
  if (k < pairs) rotate_half_rest({x, 0, 1}, k, pairs, cosine, sine);
}

inline void rotate_interleaved_row(float* x, int pairs, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + kFloats <= pairs; k += kFloats) Spread(cosine + k, sine + k).rotate(x + 2 * k);
  if (k < pairs) rotate_interleaved_rest({x, 0, 1}, k, pairs, cosine, sine);
}

// Rearranges interleaved pairs to halves, or back.
[[gnu::noinline]] void rearrange(float* x, int pairs, bool to_half, float* buffer) {
  std::copy_n(x, 2 * pairs, buffer);
  for (int k = 0; k < pairs; ++k) {
    x[to_half ? k : 2 * k] = buffer[to_half ? 2 * k : k];
    x[to_half ? pairs + k : 2 * k + 1] = buffer[to_half ? 2 * k + 1 : pairs + k];
  }
}

// In the caches the heads of a position are rotated together: their multipliers stay in registers.
template <class Rotate>
inline void for_each_position(float* x, const RotateBlock& block, const float* const* multipliers, Rotate rotate_rows) {
  for (int t = 0; t < block.positions; ++t, x += block.position_stride)
    rotate_rows(Rows{x, block.head_stride, block.heads}, multipliers[t] + block.first_pair);
}

// Beyond the caches rows are rotated one after the other in the order of memory, as processors prefetch it.
template <class Rotate>
inline void for_each_row(float* x, const RotateBlock& block, const float* const* multipliers, Rotate rotate_row) {
  if (block.head_stride > block.position_stride) {
    for (int h = 0; h < block.heads; ++h, x += block.head_stride)
      for (int t = 0; t < block.positions; ++t)
        rotate_row(x + t * block.position_stride, multipliers[t] + block.first_pair);
    return;
  }
  for (int t = 0; t < block.positions; ++t, x += block.position_stride) {
    const float* cosine = multipliers[t] + block.first_pair;
    float* row = x;
    for (int h = 0; h < block.heads; ++h, row += block.head_stride) rotate_row(row, cosine);
  }
}

std::ptrdiff_t to_sines(const RotateBlock& block) { return block.row_pairs ? block.row_pairs : block.pairs; }

void rotate_half_heads(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  const auto rotate_rows = [pairs = block.pairs, sines = to_sines(block)](const Rows& rows, const float* cosine) {
    rotate_half(rows, pairs, cosine, cosine + sines);
  };
  for_each_position(x, block, multipliers, rotate_rows);
}

void rotate_half_rows(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  const auto rotate_row = [pairs = block.pairs, sines = to_sines(block)](float* row, const float* cosine) {
    rotate_half_row(row, pairs, cosine, cosine + sines);
  };
  for_each_row(x, block, multipliers, rotate_row);
}

void rotate_interleaved_heads(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  const auto rotate_rows = [pairs = block.pairs, sines = to_sines(block)](const Rows& rows, const float* cosine) {
    rotate_interleaved(rows, pairs, cosine, cosine + sines);
  };
  for_each_position(x, block, multipliers, rotate_rows);
}

void rotate_interleaved_rows(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  const auto rotate_row = [pairs = block.pairs, sines = to_sines(block)](float* row, const float* cosine) {
    rotate_interleaved_row(row, pairs, cosine, cosine + sines);
  };
  for_each_row(x, block, multipliers, rotate_row);
}

// Reads interleaved pairs and writes halves; backward: the reverse.
void rotate_rearranged(float* x, const RotateBlock& block, bool backward, const float* const* multipliers) {
  const int pairs = block.pairs;
  // On the stack: rotating one token's heads takes less time than an allocation.
  constexpr int kUsualPairs = 128;
  float usual[2 * kUsualPairs];
  std::vector<float> wide(pairs > kUsualPairs ? 2 * std::size_t(pairs) : 0);
  float* buffer = wide.empty() ? usual : wide.data();
  const bool by_position = block.head_stride <= block.position_stride;
  for (int i = 0; i < (by_position ? block.positions : block.heads); ++i)
    for (int j = 0; j < (by_position ? block.heads : block.positions); ++j) {
      const int h = by_position ? j : i, t = by_position ? i : j;
      float* row = x + h * block.head_stride + t * block.position_stride;
      const float* cosine = multipliers[t] + block.first_pair;
      if (backward) rearrange(row, pairs, false, buffer);
      rotate_interleaved_row(row, pairs, cosine, cosine + to_sines(block));
      if (!backward) rearrange(row, pairs, true, buffer);
    }
}

// For assertions: whether the ranges are the same or do not overlap.
[[maybe_unused]] bool same_or_apart(const float* x, const float* y, std::size_t count) {
  const std::less_equal<const float*> before;
  return x == y || before(x + count, y) || before(y + count, x);
}

// For assertions: whether rows of this many floats, `stride` apart, do not overlap.
[[maybe_unused]] bool rows_apart(int count, std::ptrdiff_t stride, int floats) {
  return count <= 1 || stride >= floats || -stride >= floats;
}

// SplitMix64's finalizer: a hash of (seed, element) instead of a generator with a state.
inline double uniform(std::uint32_t seed, std::uint64_t element) {
  std::uint64_t z = element + (std::uint64_t(seed) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

void rotate(float* x, const RotateBlock& block, Pairing pairing, bool backward, const float* const* multipliers) {
  const int pairs = block.pairs;
  assert(pairs >= 0 && block.heads >= 0 && block.positions >= 0);
  assert(block.first_pair >= 0 && (block.row_pairs == 0 || block.first_pair + pairs <= block.row_pairs));
  assert(rows_apart(block.heads, block.head_stride, 2 * pairs));
  assert(rows_apart(block.positions, block.position_stride, 2 * pairs));
  if (pairs == 0) return;
  using Kernel = void(float*, const RotateBlock&, bool, const float* const*);
  // By address, so that they stay functions of their own: in one large one V8 keeps multipliers in memory. Without SIMD
  // arithmetic takes longer than memory in any order.
  constexpr bool kOrdered = !simd::kBatchesAreLoops;
  static constexpr Kernel* kKernels[][2] = {
      {rotate_half_heads, kOrdered ? rotate_half_rows : rotate_half_heads},
      {rotate_interleaved_heads, kOrdered ? rotate_interleaved_rows : rotate_interleaved_heads},
      {rotate_rearranged, rotate_rearranged}};
  kKernels[int(pairing)][block.streamed](x, block, backward, multipliers);
}

// Without the attribute the compiler would recognise the loop as a copy.
#if defined(__clang__)
[[clang::no_builtin("memcpy", "memmove")]]
#endif
void copy_row(const float* row, std::size_t count, float* out, bool streamed) {
  constexpr std::size_t kTogether = 4 * kFloats;
  std::size_t i = 0;
  for (; streamed && !simd::kBatchesAreLoops && i + kTogether <= count; i += kTogether) {
    Floats part[4];
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) part[j] = Floats::load_unaligned(row + i + j * kFloats);
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) part[j].store_unaligned(out + i + j * kFloats);
  }
  std::copy_n(row + i, count - i, out + i);
}

void add(float* x, const float* y, std::size_t count) {
  assert(same_or_apart(x, y, count));
  std::size_t i = 0;
  for (; i + kFloats <= count; i += kFloats)
    (Floats::load_unaligned(x + i) + Floats::load_unaligned(y + i)).store_unaligned(x + i);
  for (; i < count; ++i) x[i] += y[i];
}

void add_scaled(float* x, float factor, const float* y, std::size_t count) {
  assert(same_or_apart(x, y, count));
  std::size_t i = 0;
  for (; i + kFloats <= count; i += kFloats)
    (Floats::load_unaligned(x + i) + Floats(factor) * Floats::load_unaligned(y + i)).store_unaligned(x + i);
  for (; i < count; ++i) x[i] += factor * y[i];
}

void dropout(float* x, std::size_t count, double rate, std::uint32_t seed, std::uint64_t first_element) {
  assert(rate >= 0 && rate < 1);
  const float keep = float(1.0 / (1.0 - rate));
  for (std::size_t i = 0; i < count; ++i) x[i] = uniform(seed, first_element + i) < rate ? 0.0f : x[i] * keep;
}

// As many rows at once as a batch has lanes: their sums become the lanes of one batch. Short batches sum in two halves,
// because each addition waits for the previous one. Remaining rows come one by one, in all lanes. Not inlined: the code
// is large.
[[gnu::noinline]] void dot_rows(const float* x, const float* rows, std::ptrdiff_t stride, std::size_t count,
                                std::size_t width, float* out) {
  constexpr int kHalves = kFloats < 8 ? 2 : 1, kStep = kHalves * kFloats;
  while (count > 0) {
    const std::size_t together = count < kFloats ? 1 : kFloats;
    const std::ptrdiff_t step = together == 1 ? 0 : stride;
    Floats sum[kHalves][kFloats];
#pragma GCC unroll 8
    for (int i = 0; i < kHalves * kFloats; ++i) sum[i / kFloats][i % kFloats] = Floats(0.0f);
    const float *left = x, *end = x + width / kStep * kStep, *right = rows;
    for (; left != end; left += kStep, right += kStep)
#pragma GCC unroll 8
      for (int r = 0; r < kFloats; ++r) {
        const float* row = right + r * step;
#pragma GCC unroll 2
        for (int half = 0; half < kHalves; ++half)
          sum[half][r] = simd::multiply_add(Floats::load_unaligned(left + half * kFloats),
                                            Floats::load_unaligned(row + half * kFloats), sum[half][r]);
      }
#pragma GCC unroll 8
    for (int r = 0; kHalves > 1 && r < kFloats; ++r) sum[0][r] += sum[kHalves - 1][r];
    float sums[kFloats];
    xsimd::haddp(sum[0]).store_unaligned(sums);
    for (; left != x + width; ++left, ++right)
      for (int r = 0; r < kFloats; ++r) sums[r] += *left * right[r * step];
    out = std::copy_n(sums, together, out);
    rows += std::ptrdiff_t(together) * stride;
    count -= together;
  }
}

double exact_dot(const float* x, const float* y, std::size_t width) {
  using simd::Doubles, simd::kDoubles;
  Doubles sum(0.0), other(0.0);
  std::size_t i = 0;
  for (; i + 2 * kDoubles <= width; i += 2 * kDoubles) {
    sum += simd::widen(x + i) * simd::widen(y + i);
    other += simd::widen(x + i + kDoubles) * simd::widen(y + i + kDoubles);
  }
  double total = xsimd::reduce_add(sum + other);
  for (; i < width; ++i) total += double(x[i]) * double(y[i]);
  return total;
}

void add_exact(double factor, const float* x, std::size_t width, double* out) {
  using simd::Doubles, simd::kDoubles;
  const Doubles factors(factor);
  std::size_t i = 0;
  for (; i + kDoubles <= width; i += kDoubles)
    (Doubles::load_unaligned(out + i) + factors * simd::widen(x + i)).store_unaligned(out + i);
  for (; i < width; ++i) out[i] += factor * double(x[i]);
}

void dot_pairs(const float* x, std::ptrdiff_t stride, const float* table, const int* index, std::size_t count,
               std::size_t width, float* out) {
  for (std::size_t j = 0; j < count; ++j, x += stride) {
    assert(index[j] >= 0);
    const float* y = table + index[j] * std::ptrdiff_t(width);
    Floats sum(0.0f), other(0.0f);
    std::size_t i = 0;
    for (; i + 2 * kFloats <= width; i += 2 * kFloats) {
      sum = simd::multiply_add(Floats::load_unaligned(x + i), Floats::load_unaligned(y + i), sum);
      other =
          simd::multiply_add(Floats::load_unaligned(x + i + kFloats), Floats::load_unaligned(y + i + kFloats), other);
    }
    float total = xsimd::reduce_add(sum + other);
    for (; i < width; ++i) total += x[i] * y[i];
    out[j] = total;
  }
}

void dot_products(const float* a, const float* b, float* out, std::size_t rows, std::size_t keys, std::size_t width) {
  for (std::size_t row = 0; row < rows; ++row)
    dot_rows(a + row * width, b, std::ptrdiff_t(width), keys, width, out + row * keys);
}

}  // namespace posenc
