#include "posenc/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "simd.hpp"

namespace posenc {

using simd::Floats;
using simd::kFloats;

namespace {

// Rows that turn by the same multipliers, `stride` floats apart.
struct Rows {
  float* first;
  std::ptrdiff_t stride;
  int count;
};

// kBatches of multipliers stay in registers while all rows turn by them.
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

// wide_cosine = [c0 c0 c1 c1 …], wide_sine = [-s0 s0 -s1 s1 …]
template <int kBatches>
inline void rotate_interleaved_step(const Rows& rows, int k, const float* wide_cosine, const float* wide_sine) {
  Floats c[kBatches], s[kBatches];
#pragma GCC unroll 4
  for (int i = 0; i < kBatches; ++i) {
    c[i] = Floats::load_unaligned(wide_cosine + k + i * kFloats);
    s[i] = Floats::load_unaligned(wide_sine + k + i * kFloats);
  }
  float* x = rows.first + k;
  for (int r = 0; r < rows.count; ++r, x += rows.stride)
#pragma GCC unroll 4
    for (int i = 0; i < kBatches; ++i) {
      const Floats a = Floats::load_unaligned(x + i * kFloats);
      (a * c[i] + simd::swap_neighbours(a) * s[i]).store_unaligned(x + i * kFloats);
    }
}

void rotate_interleaved(const Rows& rows, int width, const float* wide_cosine, const float* wide_sine) {
  int k = 0;
  for (; k + 4 * kFloats <= width; k += 4 * kFloats) rotate_interleaved_step<4>(rows, k, wide_cosine, wide_sine);
  for (; k + kFloats <= width; k += kFloats) rotate_interleaved_step<1>(rows, k, wide_cosine, wide_sine);
  for (; k < width; k += 2)
    for (int r = 0; r < rows.count; ++r) {
      float* pair = rows.first + r * rows.stride + k;
      const float a = pair[0], b = pair[1];
      pair[0] = a * wide_cosine[k] + b * wide_sine[k];
      pair[1] = b * wide_cosine[k + 1] + a * wide_sine[k + 1];
    }
}

void widen(int pairs, const float* cosine, const float* sine, float* wide_cosine, float* wide_sine) {
  int k = 0;
  for (; k + kFloats <= pairs; k += kFloats) {
    const Floats c = Floats::load_unaligned(cosine + k), s = Floats::load_unaligned(sine + k);
    simd::weave(wide_cosine + 2 * k, c, c);
    simd::weave(wide_sine + 2 * k, -s, s);
  }
  for (; k < pairs; ++k) {
    wide_cosine[2 * k] = wide_cosine[2 * k + 1] = cosine[k];
    wide_sine[2 * k] = -sine[k];
    wide_sine[2 * k + 1] = sine[k];
  }
}

// Neighbours become halves, or the other way round.
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

// Where heads lie inside positions, about `floats_together` turn at once: their multipliers are loaded once, and out of
// cache it is worth a third of the time that memory is still read nearly in order. Where positions lie inside heads,
// the heads of a position turn together as long as all of them stay in the cache; else memory is read in order.
template <class Turn>
inline void for_each_group(float* x, const RotateBlock& block, std::ptrdiff_t floats_together, Turn turn) {
  constexpr std::ptrdiff_t kCached = 131072;
  const bool adjacent = block.head_stride <= block.position_stride;
  const bool heads_inside = adjacent || block.head_stride * block.heads <= kCached;
  const int together = adjacent ? int(floats_together / (block.head_stride + 1)) + 1 : heads_inside ? block.heads : 1;
  const int outer = heads_inside ? block.positions : block.heads, inner = heads_inside ? block.heads : block.positions;
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; j += together) {
      const int h = heads_inside ? j : i, t = heads_inside ? i : j;
      float* first = x + h * block.head_stride + t * block.position_stride;
      turn(Rows{first, block.head_stride, std::min(together, block.heads - h)}, t);
    }
}

// splitmix64's finaliser: a hash of (seed, element) in place of a generator with a state.
inline double uniform(std::uint32_t seed, std::uint64_t element) {
  std::uint64_t z = element + (std::uint64_t(seed) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

void rotate(float* x, const RotateBlock& block, Pairing pairing, bool backward, const float* const* turns) {
  const int pairs = block.pairs;
  if (pairs == 0) return;
  const bool half = pairing == Pairing::half, rearranged = pairing == Pairing::interleaved_to_half;
  // One token's heads turn faster than the allocator answers.
  constexpr int kUsualPairs = 128;
  float usual[6 * kUsualPairs];
  std::vector<float> wide(half || pairs <= kUsualPairs ? 0 : 6 * std::size_t(pairs));
  float *cosine = wide.empty() ? usual : wide.data(), *sine = cosine + 2 * pairs, *buffer = sine + 2 * pairs;
  int widened = -1;
  const std::ptrdiff_t to_sines = block.row_pairs ? block.row_pairs : pairs;
  for_each_group(x, block, half ? 1024 : 2048, [&](const Rows& rows, int t) {
    const float* turn = turns[t] + block.first_pair;
    if (half) return rotate_half(rows, pairs, turn, turn + to_sines);
    if (t != widened) widen(pairs, turn, turn + to_sines, cosine, sine);
    widened = t;
    if (rearranged && backward) rearrange(rows, pairs, false, buffer);
    rotate_interleaved(rows, 2 * pairs, cosine, sine);
    if (rearranged && !backward) rearrange(rows, pairs, true, buffer);
  });
}

void add(float* x, const float* y, std::size_t count) {
  std::size_t i = 0;
  for (; i + kFloats <= count; i += kFloats)
    (Floats::load_unaligned(x + i) + Floats::load_unaligned(y + i)).store_unaligned(x + i);
  for (; i < count; ++i) x[i] += y[i];
}

void add_scaled(float* x, float factor, const float* y, std::size_t count) {
  std::size_t i = 0;
  for (; i + kFloats <= count; i += kFloats)
    (Floats::load_unaligned(x + i) + Floats(factor) * Floats::load_unaligned(y + i)).store_unaligned(x + i);
  for (; i < count; ++i) x[i] += factor * y[i];
}

void dropout(float* x, std::size_t count, double rate, std::uint32_t seed, std::uint64_t first_element) {
  const float keep = float(1.0 / (1.0 - rate));
  for (std::size_t i = 0; i < count; ++i) x[i] = uniform(seed, first_element + i) < rate ? 0.0f : x[i] * keep;
}

void dot_products(const float* a, const float* b, float* out, std::size_t rows, std::size_t keys, std::size_t width) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t key = 0; key < keys; ++key) {
      const float *x = a + row * width, *y = b + key * width;
      Floats sum(0.0f);
      std::size_t i = 0;
      for (; i + kFloats <= width; i += kFloats)
        sum = simd::multiply_add(Floats::load_unaligned(x + i), Floats::load_unaligned(y + i), sum);
      float total = xsimd::reduce_add(sum);
      for (; i < width; ++i) total += x[i] * y[i];
      out[row * keys + key] = total;
    }
}

}  // namespace posenc
