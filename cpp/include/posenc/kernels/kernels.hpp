// The kernels: spans and shapes, no specs. They assert their preconditions and do not check their inputs.
#pragma once

#include <cstddef>
#include <cstdint>

namespace posenc {

/// Which features form pairs. half [a0 a1 … b0 b1 …] (Llama), interleaved [a0 b0 a1 b1 …] (GPT-J), interleaved_to_half
/// reads interleaved pairs and writes halves (DeepSeek-V3).
enum class Pairing { half, interleaved, interleaved_to_half };

/// Storage type of elements. int8 has a float32 scale for each row.
enum class ElementType { float32, float16, int8 };

/// Strides of the heads of a batch of queries or keys, in floats.
struct HeadStrides {
  std::ptrdiff_t batch = 0, head = 0, position = 0;
};

/// Number of floats that fit in the second-level cache of most machines.
inline constexpr std::ptrdiff_t kCachedFloats = 131072;

struct RotateBlock {
  int heads = 0;
  int positions = 0;
  int pairs = 0;
  std::ptrdiff_t head_stride = 0, position_stride = 0;
  /// Position of these pairs among the `row_pairs` of a row of multipliers (0: they are all of them).
  int first_pair = 0, row_pairs = 0;
  /// Whether this is part of a tensor too large for the caches. Its memory is then traversed in order.
  bool streamed = false;
};

/// Rotates x[head, position, …] in place: y0 = x0 c - x1 s, y1 = x0 s + x1 c for each pair; multipliers[position] = [c
/// … | s …], row_pairs floats each. `backward` affects only interleaved_to_half: it then reads halves and writes
/// interleaved pairs.
void rotate(float* x, const RotateBlock& block, Pairing pairing, bool backward, const float* const* multipliers);

/// out = row. `streamed`: out is part of a tensor too large for the caches, where vector stores are faster than the
/// engine's memory.copy, on some processors twice as fast; in the caches memory.copy is.
void copy_row(const float* row, std::size_t count, float* out, bool streamed);

/// x += y
void add(float* x, const float* y, std::size_t count);

/// x += factor · y
void add_scaled(float* x, float factor, const float* y, std::size_t count);

/// Zeroes each element with probability `rate` and divides the others by 1 - rate. The result for element i of the
/// whole tensor depends only on the seed, not on how the tensor is split.
void dropout(float* x, std::size_t count, double rate, std::uint32_t seed, std::uint64_t first_element);

/// A network with one input and one output per head: out_bias + sum over units of out_weights · max(in_weights x +
/// in_bias, 0).
struct SmallNetwork {
  std::size_t width = 0, heads = 0;
  /// [width], [width], [heads, width], [heads]
  const float *in_weights = nullptr, *in_bias = nullptr, *out_weights = nullptr, *out_bias = nullptr;
};
/// Writes [heads] rows of the outputs for x [count], `stride` apart.
void small_network(const double* x, std::size_t count, const SmallNetwork& network, float* out, std::ptrdiff_t stride);

/// out[row] = x · rows[row], with rows of `width` floats, `stride` apart.
void dot_rows(const float* x, const float* rows, std::ptrdiff_t stride, std::size_t count, std::size_t width,
              float* out);

/// x · y in double precision, in which products of floats are exact.
double exact_dot(const float* x, const float* y, std::size_t width);

/// out [width] += factor · x, in double precision.
void add_exact(double factor, const float* x, std::size_t width, double* out);

/// out[row] = x[row] · table[index[row]]. Rows of x are `stride` apart; rows of the table are contiguous.
void dot_pairs(const float* x, std::ptrdiff_t stride, const float* table, const int* index, std::size_t count,
               std::size_t width, float* out);

/// Converts IEEE binary16 values to floats, exactly.
void float32_from_float16(const std::uint16_t* bits, std::size_t count, float* out);

/// Converts floats to the nearest binary16 value, ties to even. Values from 65520 on become infinity. Every NaN becomes
/// 0x7e00 with its sign.
void float16_from_float32(const float* x, std::size_t count, std::uint16_t* out);

/// Converts bfloat16 values, the upper halves of floats, to floats, exactly.
void float32_from_bfloat16(const std::uint16_t* bits, std::size_t count, float* out);

/// Converts floats to the nearest bfloat16 value, ties to even. A NaN keeps its upper bits and becomes quiet.
void bfloat16_from_float32(const float* x, std::size_t count, std::uint16_t* out);

/// The checksum of bytes in cache files; web/src/cache-file/checksum.ts has the same in JavaScript. Each step is a
/// bijection of the sum and of the 32-bit word, little-endian: a single changed word always changes the checksum.
std::uint32_t checksum(const std::uint8_t* bytes, std::size_t count);

/// Copies rows [tokens, heads] of `row` bytes to [heads, tokens].
void rows_by_head(const std::uint8_t* from, std::size_t tokens, std::size_t heads, std::size_t row, std::uint8_t* to);

/// out[row, key] = sum over width of a[row, …] b[key, …]
void dot_products(const float* a, const float* b, float* out, std::size_t rows, std::size_t keys, std::size_t width);

}  // namespace posenc
