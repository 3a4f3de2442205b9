// Gradients of a row of attention: of its weights, of its scores, and of blocks on their way to keys.
#pragma once

#include <cstddef>

namespace posenc::tiles {

/// The gradients [kKeys] of the weights of hidden keys, whose scores are -infinity, and of what lies beyond `count`
/// become 0, whatever their values made of them.
void hide_slopes(const float* scores, int count, float* slopes);

struct WeightedSums {
  double weights, slopes;
};
/// Σ w and Σ w · slope over rows [kKeys] that are 0 beyond `count`.
WeightedSums weighted_sums(const float* weights, const float* slopes, int count);

/// Weights become shares, weight · share, and the gradients of weights those of scores, share · (slope - mean). Weights
/// up to `least` count as 0.
void softmax_slopes(float* weights, float* slopes, int count, float share, float mean, float least);

/// transposed[j · stride + r] = rows[r · kKeys + j] of a block of 4 rows.
void transpose_block(const float* rows, int count, float* transposed, std::ptrdiff_t stride);

}  // namespace posenc::tiles
