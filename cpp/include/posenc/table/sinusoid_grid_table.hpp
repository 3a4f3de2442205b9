// Tables of positions with several coordinates: sinusoids for each axis, and the columns of their sines and cosines.
#pragma once

#include "posenc/core/sinusoids_cache.hpp"
#include "posenc/table/table.hpp"

namespace posenc {

/// The order of the sinusoids of several axes in a row. For each axis interleaved [s0 c0 s1 c1 …] or concat [s0 s1 … c0
/// c1 …]; grouped [sines of all axes | cosines of all axes]; banded: for each frequency, the sines of all axes, then
/// the cosines.
enum class SinusoidBlocks { interleaved, concat, grouped, banded };

/// The sine of frequency k is in column sine + k · step.
struct SinusoidColumns {
  int sine = 0, cosine = 0, step = 1;
};

/// One of `blocks` axes in a row, with `count` frequencies after the `before` frequencies of the previous axes.
struct SinusoidBlock {
  int index = 0, blocks = 1, before = 0, count = 0, total = 0;
  SinusoidColumns columns(SinusoidBlocks order, bool cosine_first, int offset = 0) const;
};

/// Writes sines and cosines to their columns. Columns beyond `dim` are omitted.
void write_sinusoids(const SinusoidColumns& columns, int count, const float* sines, const float* cosines, int dim,
                     float* out);

/// base^(-i / denominator), i = 0 … count - 1
std::vector<Real> falling_frequencies(int count, double base, const Real& denominator);

/// Conversion of one axis' positions to angles.
struct GridAxis {
  int axis = 0;
  double scale = 1;
  SinusoidColumns columns;
};

class SinusoidGridTable final : public Table {
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
  std::array<SinusoidSet, kMaxAxes> sinusoids;

  void row(const double* coordinates, const Positions& call, float* out, Cache& cache) const override;
  std::unique_ptr<Cache> make_cache() const override {
    return make_sinusoids_cache(std::span(sinusoids).first(blocks.size()));
  }

 private:
  Real coordinate(const GridAxis& block, double position, const Positions& call) const;
};

}  // namespace posenc
