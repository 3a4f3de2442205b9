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

/// Blocks read columns in panels of round_up(1), [depth][round_up(1)] one after another: widths are whole panels.
int round_up(int count);
/// The same, downwards.
int round_down(int count);

/// Panels [width][depth] of the rows [count][depth] that lie `stride` apart. What is missing of the last panel keeps
/// what it was.
void pack_keys(const float* rows, std::ptrdiff_t stride, int count, int depth, float* panels);
/// Panels [width][kKeys] of rows.
void pack_values(const float* values, std::ptrdiff_t stride, int count, int width, float* panels);
/// Blocks of four rows, [depth, rounded up][kQueries][kPanelDepth]: so many features of a row in one run.
inline constexpr int kPanelDepth = kKeys;
inline int round_up_depth(int depth) { return (depth + kPanelDepth - 1) / kPanelDepth * kPanelDepth; }
void pack_queries(const float* rows, std::ptrdiff_t stride, int count, int depth, float* blocks);

/// out[4][width] = block · columns, or with `onto` added to out; panels of [panel_depth] rows each, of which the
/// product takes `depth`.
void block_product(const float* block, int depth, const float* panels, int panel_depth, int width, float* out,
                   std::ptrdiff_t out_stride, bool onto);
/// out[4][kKeys] = block · columns for gradients: sums of few terms, whose roundings would be a gradient's largest
/// errors, are taken in double precision.
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
/// out[heads · rows][kKeys]: products of the rows, `row_stride` apart, with the keys of their head. Heads are walked
/// inside keys, and keys from several places of the tile at once: memory answers several streams sooner than one.
void dot_tile(const float* rows, std::ptrdiff_t row_stride, const float* keys, const HeadTile& tile, int depth,
              float* out);
/// sums[heads · rows][width], `sums_stride` apart, += weights[heads · rows][kKeys] · values, walked in the same way.
void add_tile(const float* weights, const float* values, const HeadTile& tile, int width, float* sums,
              std::ptrdiff_t sums_stride);

/// What the online softmax knows of a query: the largest score, and the sum of e^(score - top).
struct Softmax {
  float top, total;
};
/// Scores [rows][kKeys] become weights e^(score - top) against the new largest, with a relative error of about 1e-7 and
/// as much for each unit of top - score; shrinks[r]: what was summed before is to be multiplied by. Hidden keys weigh
/// 0.
void weigh(float* scores, int rows, int count, Softmax* states, float* shrinks);

/// The first of x[from …) above a limit, or count.
int next_above(const float* x, int from, int count, float limit);

void scale(float* x, int count, float factor);

/// Is none of them NaN or infinite?
bool all_finite(const float* x, int count);
/// Features [count] of rows become magnitudes m = ln(1 + e^x), within a few ulp, and these [m x, m y …] in place,
/// 2 · count floats. (x, y) is where the row's turn points, with `phase` on top unless that is null: [cosines | sines],
/// each round_up(count) long.
void polar_rows(float* rows, std::ptrdiff_t stride, int row_count, int count, const float* const* turns,
                const float* phase);
/// cap · tanh(x / cap) of a row of scores [kKeys]
void soft_cap(float* x, int count, float cap);

}  // namespace posenc::tiles
