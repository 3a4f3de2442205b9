#include "posenc/kernels/kernels.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <functional>

#include "kernels/simd.hpp"

namespace posenc {

using simd::Floats;
using simd::kFloats;

namespace {

// For assertions: whether the ranges are the same or do not overlap.
[[maybe_unused]] bool same_or_apart(const float* x, const float* y, std::size_t count) {
  const std::less_equal<const float*> before;
  return x == y || before(x + count, y) || before(y + count, x);
}

// SplitMix64's finalizer: a hash of (seed, element) instead of a generator with a state.
inline double uniform(std::uint32_t seed, std::uint64_t element) {
  std::uint64_t z = element + (std::uint64_t(seed) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

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

std::uint32_t checksum(const std::uint8_t* bytes, std::size_t count) {
  std::uint32_t sum = 0x9e3779b9u ^ std::uint32_t(count), word;
  const auto add_word = [&] {
    sum = std::rotl(sum ^ word, 13) * 0x85ebca6bu;
    sum ^= sum >> 15;
  };
  for (; count >= 4; count -= 4, bytes += 4) {
    std::memcpy(&word, bytes, 4);
    add_word();
  }
  // The last word has the bytes that are left, or none.
  word = 0;
  for (std::size_t i = 0; i < count; ++i) word |= std::uint32_t(bytes[i]) << (8 * i);
  add_word();
  return sum;
}

void rows_by_head(const std::uint8_t* from, std::size_t tokens, std::size_t heads, std::size_t row, std::uint8_t* to) {
  for (std::size_t head = 0; head < heads; ++head)
    for (std::size_t token = 0; token < tokens; ++token, to += row)
      std::memcpy(to, from + (token * heads + head) * row, row);
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
