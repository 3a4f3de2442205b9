// The kernels: spans and shapes, no specs. They assert, they do not check.
#pragma once

#include <cstddef>
#include <cstdint>

namespace posenc {

/// Which features turn together. half [a0 a1 … b0 b1 …] (Llama), interleaved [a0 b0 a1 b1 …] (GPT-J),
/// interleaved_to_half reads the second and writes the first (DeepSeek-V3).
enum class Pairing { half, interleaved, interleaved_to_half };

/// How numbers are stored; int8 with a float32 scale for each row.
enum class ElementType { float32, float16, int8 };

/// Where the heads of a batch of queries or keys lie: strides in floats.
struct HeadStrides {
  std::ptrdiff_t batch = 0, head = 0, position = 0;
};

/// The second-level cache of most machines holds so many.
inline constexpr std::ptrdiff_t kCachedFloats = 131072;

struct RotateBlock {
  int heads = 0;
  int positions = 0;
  int pairs = 0;
  std::ptrdiff_t head_stride = 0, position_stride = 0;
  /// Where these pairs lie among the `row_pairs` of a row of multipliers (0: they are all of them).
  int first_pair = 0, row_pairs = 0;
  /// Part of a tensor that no cache holds: its memory is best walked in order.
  bool streamed = false;
};

/// x[head, position, …] turned in place: y0 = x0 c - x1 s, y1 = x0 s + x1 c for each pair; turns[position] = [c … | s
/// …], row_pairs floats each. `backward` only matters to interleaved_to_half: it reads halves and writes interleaved
/// pairs.
void rotate(float* x, const RotateBlock& block, Pairing pairing, bool backward, const float* const* turns);

/// x += y
void add(float* x, const float* y, std::size_t count);

/// x += factor · y
void add_scaled(float* x, float factor, const float* y, std::size_t count);

/// Zeroes each element with probability `rate`, divides the others by 1 - rate. Element i of the whole tensor gets
/// the same fate for the same seed, however the tensor is cut.
void dropout(float* x, std::size_t count, double rate, std::uint32_t seed, std::uint64_t first_element);

/// One number in, one for each head out: out_bias + sum over units of out_weights · max(in_weights x + in_bias, 0).
struct SmallNetwork {
  std::size_t width = 0, heads = 0;
  /// [width], [width], [heads, width], [heads]
  const float *in_weights = nullptr, *in_bias = nullptr, *out_weights = nullptr, *out_bias = nullptr;
};
/// out [heads] rows of the numbers [count], `stride` apart.
void small_network(const double* x, std::size_t count, const SmallNetwork& network, float* out, std::ptrdiff_t stride);

/// out[row] = x · rows[row], rows of `width` floats that lie `stride` apart.
void dot_rows(const float* x, const float* rows, std::ptrdiff_t stride, std::size_t count, std::size_t width,
              float* out);

/// x · y in double precision: products of floats are exact there.
double exact_dot(const float* x, const float* y, std::size_t width);

/// out [width] += factor · x, in double precision.
void add_exact(double factor, const float* x, std::size_t width, double* out);

/// out[row] = x[row] · table[index[row]]; rows of x lie `stride` apart, those of the table one after another.
void dot_pairs(const float* x, std::ptrdiff_t stride, const float* table, const int* index, std::size_t count,
               std::size_t width, float* out);

/// IEEE binary16 numbers as floats, exactly.
void float32_from_float16(const std::uint16_t* halves, std::size_t count, float* out);

/// The nearest binary16 number of each float, to even between two; infinity from 65520 on; every NaN is 0x7e00 with its
/// sign.
void float16_from_float32(const float* x, std::size_t count, std::uint16_t* out);

/// bfloat16 numbers, the upper halves of floats, as floats, exactly.
void float32_from_bfloat16(const std::uint16_t* halves, std::size_t count, float* out);

/// The nearest bfloat16 number of each float, to even between two; a NaN keeps its upper digits and becomes a quiet
/// one.
void bfloat16_from_float32(const float* x, std::size_t count, std::uint16_t* out);

/// out[row, key] = sum over width of a[row, …] b[key, …]
void dot_products(const float* a, const float* b, float* out, std::size_t rows, std::size_t keys, std::size_t width);

}  // namespace posenc
