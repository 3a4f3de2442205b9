#include "posenc/kernels.hpp"

#include <cmath>
#include <cstring>
#include <vector>

#include "simd.hpp"

namespace posenc {

using simd::Floats;
using simd::kFloats;

namespace {

// Loads a whole cache line of each stream before it stores any: out of cache this order is worth a third of the time.
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

template <int kBatches>
inline void rotate_interleaved_step(float* x, const float* cosine, const float* sine) {
  Floats a[kBatches];
  for (int i = 0; i < kBatches; ++i) a[i] = Floats::load_unaligned(x + i * kFloats);
  for (int i = 0; i < kBatches; ++i) {
    const Floats c = Floats::load_unaligned(cosine + i * kFloats), s = Floats::load_unaligned(sine + i * kFloats);
    (a[i] * c + simd::swap_neighbours(a[i]) * s).store_unaligned(x + i * kFloats);
  }
}

inline void rotate_interleaved_row(float* x, int pairs, const float* cosine, const float* sine) {
  const int width = 2 * pairs;
  int k = 0;
  for (; k + 4 * kFloats <= width; k += 4 * kFloats) rotate_interleaved_step<4>(x + k, cosine + k, sine + k);
  for (; k + kFloats <= width; k += kFloats) rotate_interleaved_step<1>(x + k, cosine + k, sine + k);
  for (; k < width; k += 2) {
    const float a = x[k], b = x[k + 1];
    x[k] = a * cosine[k] + b * sine[k];
    x[k + 1] = b * cosine[k + 1] + a * sine[k + 1];
  }
}

void rotate_interleaved_to_half_row(float* x, int pairs, bool backward, const float* cosine, const float* sine,
                                    float* buffer) {
  if (!backward) rotate_interleaved_row(x, pairs, cosine, sine);
  std::memcpy(buffer, x, sizeof(float) * 2 * std::size_t(pairs));
  for (int k = 0; k < pairs; ++k) {
    const int half = backward ? 2 * k : k, woven = backward ? k : 2 * k;
    const int half_second = backward ? 2 * k + 1 : pairs + k, woven_second = backward ? pairs + k : 2 * k + 1;
    x[half] = buffer[woven];
    x[half_second] = buffer[woven_second];
  }
  if (backward) rotate_interleaved_row(x, pairs, cosine, sine);
}

// Runs through memory in ascending order: heads outside where a head's positions are neighbours, inside otherwise.
template <class Row>
inline void for_each_row(float* x, const RotateBlock& block, Row row) {
  const bool heads_outside = block.head_stride > block.position_stride;
  const int outer = heads_outside ? block.heads : block.positions,
            inner = heads_outside ? block.positions : block.heads;
  const std::ptrdiff_t outer_stride = heads_outside ? block.head_stride : block.position_stride;
  const std::ptrdiff_t inner_stride = heads_outside ? block.position_stride : block.head_stride;
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; ++j) row(x + i * outer_stride + j * inner_stride, heads_outside ? j : i);
}

// splitmix64's finaliser: a hash of (seed, element) in place of a generator with a state.
inline double uniform(std::uint32_t seed, std::uint64_t element) {
  std::uint64_t z = element + (std::uint64_t(seed) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return double((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

void rotate(float* x, const RotateBlock& block, Pairing pairing, bool backward, const float* first,
            const float* second) {
  const int pairs = block.pairs;
  if (pairing == Pairing::half)
    return for_each_row(x, block, [=](float* row, int t) {
      rotate_half_row(row, pairs, first + std::ptrdiff_t(t) * pairs, second + std::ptrdiff_t(t) * pairs);
    });
  if (pairing == Pairing::interleaved)
    return for_each_row(x, block, [=](float* row, int t) {
      rotate_interleaved_row(row, pairs, first + std::ptrdiff_t(t) * 2 * pairs, second + std::ptrdiff_t(t) * 2 * pairs);
    });
  std::vector<float> buffer(2 * std::size_t(pairs));
  for_each_row(x, block, [&](float* row, int t) {
    rotate_interleaved_to_half_row(row, pairs, backward, first + std::ptrdiff_t(t) * 2 * pairs,
                                   second + std::ptrdiff_t(t) * 2 * pairs, buffer.data());
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
