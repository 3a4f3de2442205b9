// Scratch data of attention's gradient, for a chunk of queries and a tile of keys.
#pragma once

#include "attention/scorer.hpp"

namespace posenc {

/// Queries of a chunk: with a tile of keys they form a square block that stays in cache.
inline constexpr int kChunkQueries = 64;

/// Sums of a query. First pass: the sum of weights, and of weights times their gradients. Then: 1 / the sum of weights,
/// and the mean gradient. In double precision, because the mean is subtracted from gradients.
struct WeightSums {
  tiles::Softmax softmax;
  double share, mean;
};

/// Keys with significant weights, and the gradients of these weights in double precision.
struct ExactSlopes {
  struct Item {
    int key;
    double weight, slope;
  };
  std::span<const Item> all() const { return {list, std::size_t(count)}; }
  int count = 0;
  Item list[tiles::kKeys];
};

/// Rows with NaN or infinity. In matrix products 0 · NaN would be NaN for masked keys, too: there these rows are
/// zeroed, and are added one by one for visible keys.
struct NonFiniteRows {
  /// Finds these in rows [count][width], `stride` apart, and zeroes them in the panels packed from the rows.
  void find(const float* rows, std::ptrdiff_t stride, int count, int width, float* panels) {
    found = 0;
    const int step = tiles::round_up(1);
    for (int j = 0; j < count; ++j) {
      if (tiles::all_finite(rows + j * stride, width)) continue;
      indexes[found++] = j;
      for (int i = 0; i < width; i += step) std::fill_n(panels + i * tiles::kKeys + j * step, step, 0.0f);
    }
  }
  std::span<const int> all() const { return {indexes, std::size_t(found)}; }
  int found = 0, indexes[tiles::kKeys];
};

/// Offsets of the buffers of a chunk and a tile in one block of memory. Panels are those of pack_values().
struct BackwardLayout {
  BackwardLayout(const Sizes& sizes, int key_dim, int query_width, const Branches& branches)
      : branches(branches.count()),
        stride(tiles::round_up(query_width)),
        key_width(tiles::round_up(key_dim)),
        value_width(tiles::round_up(sizes.v.dim)) {
    // All buffers below have at most this many rows of the largest width.
    const double widest = std::max({double(stride), double(key_width), double(tiles::round_up_depth(sizes.v.dim))});
    if (!can_ask(product({10.0 * branches.count(), kChunkQueries, widest + tiles::kKeys, sizeof(float)}))) return;
    out_blocks = branches.count() * kChunkQueries * stride;
    query_panels = out_blocks + kChunkQueries * tiles::round_up_depth(sizes.v.dim);
    out_panels = query_panels + branches.count() * kChunkQueries * key_width;
    key_panels = out_panels + kChunkQueries * value_width;
    values = key_panels + branches.key_sets() * tiles::kKeys * key_width;
    tile = values + tiles::kKeys * value_width;
    weights = tile + tiles::kKeys * std::max(key_width, value_width);
    slopes = weights + kChunkQueries * tiles::kKeys;
    unrotated = slopes + branches.count() * kChunkQueries * tiles::kKeys;
    size = double(unrotated) + (branches ? 2 * tiles::kKeys * key_width : 0);
  }
  int branches;
  std::ptrdiff_t stride, key_width, value_width;
  /// Chunk: gradients of its expanded rows (first), gradients of the results as blocks and panels, rows as panels.
  /// Tile: keys as panels, packed values, gradients of both. Chunk and tile, transposed [kKeys][kChunkQueries]: weights
  /// and gradients of products. Gradients of rows and products, and rows as panels, exist for each branch of remapped
  /// distances. `unrotated`: rows and their gradients while a rotation is undone.
  std::ptrdiff_t out_blocks, query_panels, out_panels, key_panels, values, tile, weights, slopes, unrotated;
  double size = kInfinity;
};

}  // namespace posenc
