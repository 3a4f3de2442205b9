// Rotations of rows by ready multipliers.
#include <algorithm>
#include <cassert>
#include <vector>

#include "kernels/simd.hpp"
#include "posenc/kernels/kernels.hpp"

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
  // Two bases, so that each address is one of them and a constant.
  float *first = rows.first + k, *second = first + pairs;
  for (int r = 0; r < rows.count; ++r, first += rows.stride, second += rows.stride)
#pragma GCC unroll 4
    for (int i = 0; i < kBatches; ++i) {
      const Floats a = Floats::load_unaligned(first + i * kFloats), b = Floats::load_unaligned(second + i * kFloats);
      (a * c[i] - b * s[i]).store_unaligned(first + i * kFloats);
      (a * s[i] + b * c[i]).store_unaligned(second + i * kFloats);
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
    // For a negation V8 computes a mask each time.
    const Floats signs = xsimd::zip_lo(Floats(-1.0f), Floats(1.0f));
    c[0] = xsimd::zip_lo(one, one), c[1] = xsimd::zip_hi(one, one);
    s[0] = xsimd::zip_lo(other, other) * signs, s[1] = xsimd::zip_hi(other, other) * signs;
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

// The same for one row.
inline void rotate_half_row(float* x, int pairs, const float* cosine, const float* sine) {
  int k = 0;
  for (; k + 4 * kFloats <= pairs; k += 4 * kFloats) rotate_half_step<4>({x, 0, 1}, k, pairs, cosine, sine);
  for (; k + kFloats <= pairs; k += kFloats) rotate_half_step<1>({x, 0, 1}, k, pairs, cosine, sine);
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

std::ptrdiff_t to_sines(const RotateBlock& block) { return block.row_pairs ? block.row_pairs : block.pairs; }

// In the caches the heads of a position are rotated together: their multipliers stay in registers.
template <void rotate_rows(const Rows&, int pairs, const float* cosine, const float* sine)>
void rotate_positions(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  const std::ptrdiff_t sines = to_sines(block);
  for (int t = 0; t < block.positions; ++t, x += block.position_stride) {
    const float* cosine = multipliers[t] + block.first_pair;
    rotate_rows({x, block.head_stride, block.heads}, block.pairs, cosine, cosine + sines);
  }
}

// Beyond the caches rows are rotated one after the other in the order of memory, as processors prefetch it.
template <void rotate_row(float*, int pairs, const float* cosine, const float* sine)>
void rotate_in_order(float* x, const RotateBlock& block, bool, const float* const* multipliers) {
  // Copies: members of the block would be loaded again for each row.
  const int heads = block.heads, positions = block.positions, pairs = block.pairs, first_pair = block.first_pair;
  const std::ptrdiff_t head_stride = block.head_stride, position_stride = block.position_stride;
  const std::ptrdiff_t sines = to_sines(block);
  if (head_stride > position_stride) {
    for (int h = 0; h < heads; ++h, x += head_stride) {
      float* row = x;
      for (int t = 0; t < positions; ++t, row += position_stride) {
        const float* cosine = multipliers[t] + first_pair;
        rotate_row(row, pairs, cosine, cosine + sines);
      }
    }
    return;
  }
  for (int t = 0; t < positions; ++t, x += position_stride) {
    const float* cosine = multipliers[t] + first_pair;
    float* row = x;
    for (int h = 0; h < heads; ++h, row += head_stride) rotate_row(row, pairs, cosine, cosine + sines);
  }
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

// For assertions: whether rows of this many floats, `stride` apart, do not overlap.
[[maybe_unused]] bool rows_apart(int count, std::ptrdiff_t stride, int floats) {
  return count <= 1 || stride >= floats || -stride >= floats;
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
      {rotate_positions<rotate_half>, kOrdered ? rotate_in_order<rotate_half_row> : rotate_positions<rotate_half>},
      {rotate_positions<rotate_interleaved>,
       kOrdered ? rotate_in_order<rotate_interleaved_row> : rotate_positions<rotate_interleaved>},
      {rotate_rearranged, rotate_rearranged}};
  kKernels[int(pairing)][block.streamed](x, block, backward, multipliers);
}

}  // namespace posenc
