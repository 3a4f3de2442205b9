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
// Without a loop for the others.
struct OneRow {
  float* first;
  static constexpr std::ptrdiff_t stride = 0;
  static constexpr int count = 1;
};

// kBatches batches of multipliers stay in registers while all rows are rotated.
template <int kBatches, class Rows>
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

template <class Rows>
void rotate_half(const Rows& rows, int pairs, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + 4 * kFloats <= pairs; k += 4 * kFloats) rotate_half_step<4>(rows, k, pairs, cosine, sine);
  for (; k + kFloats <= pairs; k += kFloats) rotate_half_step<1>(rows, k, pairs, cosine, sine);
  for (; k < pairs; ++k)
    for (int r = 0; r < rows.count; ++r) {
      float *first = rows.first + r * rows.stride + k, *second = first + pairs;
      const float a = *first, b = *second;
      *first = a * cosine[k] - b * sine[k];
      *second = a * sine[k] + b * cosine[k];
    }
}

// Multipliers are spread to [c0 c0 c1 c1 …] and [-s0 s0 -s1 s1 …] once for all rows.
template <int kBatches, class Rows>
inline void rotate_interleaved_step(const Rows& rows, int k, const float* cosine, const float* sine) {
  Floats c[2 * kBatches], s[2 * kBatches];
#pragma GCC unroll 4
  for (int i = 0; i < kBatches; ++i) {
    const Floats one = Floats::load_unaligned(cosine + k + i * kFloats);
    const Floats other = Floats::load_unaligned(sine + k + i * kFloats);
    c[2 * i] = xsimd::zip_lo(one, one);
    c[2 * i + 1] = xsimd::zip_hi(one, one);
    s[2 * i] = xsimd::zip_lo(-other, other);
    s[2 * i + 1] = xsimd::zip_hi(-other, other);
  }
  float* x = rows.first + 2 * k;
  for (int r = 0; r < rows.count; ++r, x += rows.stride)
#pragma GCC unroll 4
    for (int i = 0; i < 2 * kBatches; ++i) {
      const Floats a = Floats::load_unaligned(x + i * kFloats);
      (a * c[i] + simd::swap_neighbours(a) * s[i]).store_unaligned(x + i * kFloats);
    }
}

template <class Rows>
void rotate_interleaved(const Rows& rows, int pairs, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + 2 * kFloats <= pairs; k += 2 * kFloats) rotate_interleaved_step<2>(rows, k, cosine, sine);
  for (; k + kFloats <= pairs; k += kFloats) rotate_interleaved_step<1>(rows, k, cosine, sine);
  for (; k < pairs; ++k)
    for (int r = 0; r < rows.count; ++r) {
      float* pair = rows.first + r * rows.stride + 2 * k;
      const float a = pair[0], b = pair[1];
      pair[0] = a * cosine[k] - b * sine[k];
      pair[1] = b * cosine[k] + a * sine[k];
    }
}

// Rearranges interleaved pairs to halves, or back.
template <class Rows>
void rearrange(const Rows& rows, int pairs, bool to_half, float* buffer) {
  for (int r = 0; r < rows.count; ++r) {
    float* x = rows.first + r * rows.stride;
    std::copy_n(x, 2 * pairs, buffer);
    for (int k = 0; k < pairs; ++k) {
      x[to_half ? k : 2 * k] = buffer[to_half ? 2 * k : k];
      x[to_half ? pairs + k : 2 * k + 1] = buffer[to_half ? 2 * k + 1 : pairs + k];
    }
  }
}

// If the data fits the cache, the heads of a position are rotated together, to load their multipliers once. Otherwise
// rows are rotated one after the other in the order of memory, as processors prefetch it.
template <class Rotate>
inline void for_each_group(float* x, const RotateBlock& block, const float* const* multipliers, Rotate rotate_group) {
  const bool streamed = block.streamed || block.head_stride * block.heads > kCachedFloats;
  const bool heads_inside = !streamed || block.head_stride <= block.position_stride;
  const int together = streamed ? 1 : std::max(1, block.heads);
  const int outer = heads_inside ? block.positions : block.heads, inner = heads_inside ? block.heads : block.positions;
  const std::ptrdiff_t to_sines = block.row_pairs ? block.row_pairs : block.pairs;
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; j += together) {
      const int h = heads_inside ? j : i, t = heads_inside ? i : j;
      float* first = x + h * block.head_stride + t * block.position_stride;
      const float *cosine = multipliers[t] + block.first_pair, *sine = cosine + to_sines;
      if (streamed)
        rotate_group(OneRow{first}, cosine, sine);
      else
        rotate_group(Rows{first, block.head_stride, together}, cosine, sine);
    }
}

void rotate_halves(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  for_each_group(x, block, multipliers,
                 [pairs = block.pairs](const auto& rows, const float* cosine, const float* sine) {
                   rotate_half(rows, pairs, cosine, sine);
                 });
}

void rotate_neighbours(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  for_each_group(x, block, multipliers,
                 [pairs = block.pairs](const auto& rows, const float* cosine, const float* sine) {
                   rotate_interleaved(rows, pairs, cosine, sine);
                 });
}

// Reads interleaved pairs and writes halves; backward: the reverse.
void rotate_rearranged(float* x, const RotateBlock& block, bool backward, const float* const* multipliers) {
  const int pairs = block.pairs;
  // On the stack: rotating one token's heads takes less time than an allocation.
  constexpr int kUsualPairs = 128;
  float usual[2 * kUsualPairs];
  std::vector<float> wide(pairs > kUsualPairs ? 2 * std::size_t(pairs) : 0);
  float* buffer = wide.empty() ? usual : wide.data();
  for_each_group(x, block, multipliers, [&](const auto& rows, const float* cosine, const float* sine) {
    if (backward) rearrange(rows, pairs, false, buffer);
    rotate_interleaved(rows, pairs, cosine, sine);
    if (!backward) rearrange(rows, pairs, true, buffer);
  });
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
  // By address, so that they stay functions of their own: in one large one V8 keeps multipliers in memory.
  using Kernel = void(float*, const RotateBlock&, bool, const float* const*);
  static constexpr Kernel* kKernels[] = {rotate_halves, rotate_neighbours, rotate_rearranged};
  kKernels[int(pairing)](x, block, backward, multipliers);
}

// Without the attribute the compiler would recognise the loop as a copy.
#if defined(__clang__)
[[clang::no_builtin("memcpy", "memmove")]]
#endif
void copy_row(const float* row, std::size_t count, float* out, bool streamed) {
  constexpr std::size_t kTogether = 4 * kFloats;
  std::size_t i = 0;
  for (; streamed && i + kTogether <= count; i += kTogether) {
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
