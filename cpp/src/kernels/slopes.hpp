// Gradients of attention rows: of weights, of scores, and blocks transposed for keys.
#pragma once

#include <cstddef>

namespace posenc::tiles {

/// Zeroes the gradients [kKeys] of the weights of masked keys (scores of -infinity) and beyond `count`, even if they
/// are NaN.
void mask_slopes(const float* scores, int count, float* slopes);

struct WeightedSums {
  double weights, slopes;
};
/// Σ w and Σ w · slope over rows [kKeys] that are 0 beyond `count`.
WeightedSums weighted_sums(const float* weights, const float* slopes, int count);

/// Converts weights to normalized weights, w = weight · share, and gradients of weights to gradients of scores, w ·
/// (slope - mean). Weights up to `least` count as 0.
void softmax_slopes(float* weights, float* slopes, int count, float share, float mean, float least);

/// transposed[j · stride + r] = rows[r · kKeys + j] of a block of 4 rows.
void transpose_block(const float* rows, int count, float* transposed, std::ptrdiff_t stride);

}  // namespace posenc::tiles
