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

// All loads of a step come before its stores: out of cache this order is worth a third of the time.
template <int kBatches>
inline void rotate_half_step(float* x, float* y, const float* cosine, const float* sine) {
  Floats a[kBatches], b[kBatches];
  for (int i = 0; i < kBatches; ++i) a[i] = Floats::load_unaligned(x + i * kFloats);
  for (int i = 0; i < kBatches; ++i) b[i] = Floats::load_unaligned(y + i * kFloats);
  for (int i = 0; i < kBatches; ++i) {
    const Floats c = Floats::load_unaligned(cosine + i * kFloats), s = Floats::load_unaligned(sine + i * kFloats);
    (a[i] * c - b[i] * s).store_unaligned(x + i * kFloats);
    (a[i] * s + b[i] * c).store_unaligned(y + i * kFloats);
  }
}

inline void rotate_half_row(float* x, int pairs, const float* cosine, const float* sine) {
  float* y = x + pairs;
  int k = 0;
  for (; k + 4 * kFloats <= pairs; k += 4 * kFloats) rotate_half_step<4>(x + k, y + k, cosine + k, sine + k);
  for (; k + kFloats <= pairs; k += kFloats) rotate_half_step<1>(x + k, y + k, cosine + k, sine + k);
  for (; k < pairs; ++k) {
    const float a = x[k], b = y[k];
    x[k] = a * cosine[k] - b * sine[k];
    y[k] = a * sine[k] + b * cosine[k];
  }
}

// wide_cosine = [c0 c0 c1 c1 …], wide_sine = [-s0 s0 -s1 s1 …]; two rows at once share their loads.
template <int kRows, int kBatches>
inline void rotate_interleaved_step(float* x, std::ptrdiff_t stride, const float* wide_cosine, const float* wide_sine) {
  Floats a[kRows][kBatches];
  for (int r = 0; r < kRows; ++r)
    for (int i = 0; i < kBatches; ++i) a[r][i] = Floats::load_unaligned(x + r * stride + i * kFloats);
  for (int i = 0; i < kBatches; ++i) {
    const Floats c = Floats::load_unaligned(wide_cosine + i * kFloats),
                 s = Floats::load_unaligned(wide_sine + i * kFloats);
    for (int r = 0; r < kRows; ++r)
      (a[r][i] * c + simd::swap_neighbours(a[r][i]) * s).store_unaligned(x + r * stride + i * kFloats);
  }
}

inline void rotate_interleaved_row(float* x, int width, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + 4 * kFloats <= width; k += 4 * kFloats) rotate_interleaved_step<1, 4>(x + k, 0, cosine + k, sine + k);
  for (; k + kFloats <= width; k += kFloats) rotate_interleaved_step<1, 1>(x + k, 0, cosine + k, sine + k);
  for (; k < width; k += 2) {
    const float a = x[k], b = x[k + 1];
    x[k] = a * cosine[k] + b * sine[k];
    x[k + 1] = b * cosine[k + 1] + a * sine[k + 1];
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

void rotate_half(const Rows& rows, int pairs, const float* cosine, const float* sine) {
  for (int r = 0; r < rows.count; ++r) rotate_half_row(rows.first + r * rows.stride, pairs, cosine, sine);
}

void rotate_interleaved(const Rows& rows, int width, const float* wide_cosine, const float* wide_sine) {
  const auto row = [&](int r) { return rows.first + r * rows.stride; };
  int r = 0;
  if (width % (4 * kFloats) == 0)
    for (; r + 2 <= rows.count; r += 2)
      for (int k = 0; k < width; k += 4 * kFloats)
        rotate_interleaved_step<2, 4>(row(r) + k, rows.stride, wide_cosine + k, wide_sine + k);
  for (; r < rows.count; ++r) rotate_interleaved_row(row(r), width, wide_cosine, wide_sine);
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

// Runs through memory in ascending order. Where heads lie inside positions, those of a position turn together.
template <class Turn>
inline void for_each_group(float* x, const RotateBlock& block, Turn turn) {
  const bool heads_inside = block.head_stride <= block.position_stride;
  const int outer = heads_inside ? 1 : block.heads;
  for (int h = 0; h < outer; ++h)
    for (int t = 0; t < block.positions; ++t) {
      float* first = x + h * block.head_stride + t * block.position_stride;
      turn(Rows{first, block.head_stride, heads_inside ? block.heads : 1}, t);
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
  if (pairing == Pairing::half)
    return for_each_group(x, block,
                          [&](const Rows& rows, int t) { rotate_half(rows, pairs, turns[t], turns[t] + pairs); });
  const bool rearranged = pairing == Pairing::interleaved_to_half;
  std::vector<float> wide(6 * std::size_t(pairs));
  float *cosine = wide.data(), *sine = cosine + 2 * pairs, *buffer = sine + 2 * pairs;
  for_each_group(x, block, [&](const Rows& rows, int t) {
    widen(pairs, turns[t], turns[t] + pairs, cosine, sine);
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
