// Tables of positions with several coordinates: sinusoids for each axis, and the columns of their sines and cosines.
#pragma once

#include "posenc/core/waves_cache.hpp"
#include "posenc/table/table.hpp"

namespace posenc {

/// The order of the sinusoids of several axes in a row. For each axis interleaved [s0 c0 s1 c1 …] or concat [s0 s1 … c0
/// c1 …]; grouped [sines of all axes | cosines of all axes]; banded: for each frequency, the sines of all axes, then
/// the cosines.
enum class WaveBlocks { interleaved, concat, grouped, banded };

/// The sine of frequency k is in column sine + k · step.
struct WaveColumns {
  int sine = 0, cosine = 0, step = 1;
};

/// One of `blocks` axes in a row, with `count` frequencies after the `before` frequencies of the previous axes.
struct WaveBlock {
  int index = 0, blocks = 1, before = 0, count = 0, total = 0;
  WaveColumns columns(WaveBlocks order, bool cosine_first, int offset = 0) const;
};

/// Writes sines and cosines to their columns. Columns beyond `dim` are omitted.
void place_waves(const WaveColumns& columns, int count, const float* sines, const float* cosines, int dim, float* out);

/// base^(-i / denominator), i = 0 … count - 1
std::vector<Real> falling_frequencies(int count, double base, const Real& denominator);

/// Conversion of one axis' positions to angles.
struct GridAxis {
  int axis = 0;
  double scale = 1;
  WaveColumns columns;
};

class WaveGrid final : public Table {
 public:
  /// Added to positions.
  double start = 0;
  /// Positions are divided by the last one + eps …
  bool normalize = false;
  double eps = 0;
  /// … or stretched to a grid of this many cells along each axis; 0: neither.
  double base_size = 0;
  std::vector<GridAxis> blocks;
  /// The sinusoids of each block.
  std::array<WaveSet, kMaxAxes> waves;

  void row(const double* place, const Positions& call, float* out, Cache& cache) const override;
  std::unique_ptr<Cache> make_cache() const override { return make_waves_cache(std::span(waves).first(blocks.size())); }

 private:
  Real coordinate(const GridAxis& block, double position, const Positions& call) const;
};

}  // namespace posenc
