// Attention's inner loops: blocks of 4 queries against tiles of up to 64 keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace posenc::tiles {

inline constexpr int kQueries = 4;
inline constexpr int kKeys = 64;
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// Widths of blocks are whole multiples of this many floats.
int round_up(int count);

/// out[4][width] = rows[4] · columns, columns [depth][stride]; `width` a rounded-up count of columns.
void block_product(const float* const rows[kQueries], int depth, const float* columns, std::ptrdiff_t stride, int width,
                   float* out, std::ptrdiff_t out_stride);
/// The same, added to out.
void add_block_product(const float* const rows[kQueries], int depth, const float* columns, std::ptrdiff_t stride,
                       int width, float* out, std::ptrdiff_t out_stride);

float largest(const float* x, int count);
/// x = e^(x - top) in place, for x <= top; returns the sum.
float exp_and_sum(float* x, int count, float top);
void scale(float* x, int count, float factor);
/// x becomes -infinity where mask is 0.
void hide(float* x, const std::uint8_t* mask, int count);
/// ln(1 + e^x) in place, within a few ulp.
void soft_plus(float* x, int count);
/// cap · tanh(x / cap)
void soft_cap(float* x, int count, float cap);

}  // namespace posenc::tiles
