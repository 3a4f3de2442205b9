// Attention's inner loops: blocks of 4 queries against tiles of up to 64 keys, and few queries against keys in
// place.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace posenc::tiles {

inline constexpr int kQueries = 4;
inline constexpr int kKeys = 64;
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// Rounds up to whole panels, [depth][round_up(1)] one after another, in which blocks read columns.
int round_up(int count);
/// Rounds down to whole panels.
int round_down(int count);

/// Packs the rows [count][depth], `stride` apart, into panels [width][depth]. Missing rows of the last panel keep their
/// values.
void pack_keys(const float* rows, std::ptrdiff_t stride, int count, int depth, float* panels);
/// Packs rows of values into panels [width][kKeys].
void pack_values(const float* values, std::ptrdiff_t stride, int count, int width, float* panels);
/// Blocks of four rows, [depth, rounded up][kQueries][kPanelDepth]: runs of kPanelDepth features of a row.
inline constexpr int kPanelDepth = kKeys;
inline int round_up_depth(int depth) { return (depth + kPanelDepth - 1) / kPanelDepth * kPanelDepth; }
void pack_queries(const float* rows, std::ptrdiff_t stride, int count, int depth, float* blocks);

/// out[4][width] = block · columns, or added to out if `onto`. Panels have [panel_depth] rows, of which the product
/// takes `depth`.
void block_product(const float* block, int depth, const float* panels, int panel_depth, int width, float* out,
                   std::ptrdiff_t out_stride, bool onto);
/// out[4][kKeys] = block · columns in double precision, for gradients: the rounding of these sums of few terms would be
/// the largest error of a gradient.
void careful_product(const float* block, int depth, const float* panels, int panel_depth, int width, double* out);
/// The same, rounded to out[4][kKeys].
void short_product(const float* block, int depth, const float* panels, int panel_depth, int width, float* out);
/// sums[width] += weights[j] · values[j], values [count] rows, `stride` apart.
void add_weighted(const float* weights, const float* values, std::ptrdiff_t stride, int count, int width, float* sums);

/// Some keys, or values, of several heads, and how many query rows read each head.
struct HeadTile {
  int heads, rows, count;
  std::ptrdiff_t head_stride, stride;
};
/// out[heads · rows], `out_stride` apart: products of the rows, `row_stride` apart, with the keys of their head. Loops
/// over heads inside keys, and reads keys from several places at once: several memory streams are faster than one, and
/// long streams faster than short ones.
void dot_tile(const float* rows, std::ptrdiff_t row_stride, const float* keys, const HeadTile& tile, int depth,
              float* out, std::ptrdiff_t out_stride);
/// sums[heads · rows][width], `sums_stride` apart, += weights[heads · rows][kKeys] · values, in the same order.
void add_tile(const float* weights, const float* values, const HeadTile& tile, int width, float* sums,
              std::ptrdiff_t sums_stride);

/// State of the online softmax of a query: the largest score, and the sum of e^(score - top).
struct Softmax {
  float top, total;
};
/// Converts scores [rows][kKeys] to weights e^(score - top) relative to the new largest score. The relative error is
/// about 1e-7, and as much for each unit of top - score. shrinks[r]: factor for previous sums. Masked keys have weight
/// 0.
void weigh(float* scores, int rows, int count, Softmax* states, float* shrinks);

/// Index of the first of x[from …) above a limit, or count.
int next_above(const float* x, int from, int count, float limit);

void scale(float* x, int count, float factor);

/// Whether all elements are finite.
bool all_finite(const float* x, int count);
/// Replaces features [count] of rows in place by [m x, m y …], 2 · count floats, with magnitudes m = ln(1 + e^feature)
/// within a few ulp. (x, y) are the cosine and sine of the row in `multipliers`, rotated by `phase` unless that is
/// null. Both are [cosines | sines], each round_up(count) long.
void polar_rows(float* rows, std::ptrdiff_t stride, int row_count, int count, const float* const* multipliers,
                const float* phase);
/// cap · tanh(x / cap) of a row of scores [kKeys]
void soft_cap(float* x, int count, float cap);

}  // namespace posenc::tiles
