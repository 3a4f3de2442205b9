// Projected sinusoids of whole distances, cached between calls.
#pragma once

#include "kernels/tiles.hpp"
#include "posenc/core/memory.hpp"
#include "posenc/math/sinusoids.hpp"

namespace posenc {

/// weights [heads · dim, width]
struct Projection {
  const float* weights;
  int dim, heads;
  std::size_t width;
  Sinusoids& sinusoids;

  /// row = [sin … | cos …] of a distance.
  void sinusoid(double distance, float* row) const { sinusoids.row(distance, 1, 1, row + width / 2, row); }
};

/// Rows [heads][capacity][dim, rounded up] of consecutive distances.
class ProjectedRows {
 public:
  /// Maximum floats that are kept between calls.
  static constexpr double kMostKept = 8388608;
  static double floats_of(double count, int dim, int heads) {
    return product({count, double(tiles::round_up(dim)), double(heads)});
  }

  /// Provides the rows of `count` distances from `first` on. Reuses earlier rows while `made_of`, the projection's
  /// fingerprint, is unchanged. `exact`: each value is rounded once. Returns false if out of memory.
  bool find(const Projection& by, std::uint64_t made_of, double first, double count, bool exact);
  float* row_at(int head, double distance) const {
    return rows_.data() + (head * capacity_ + std::ptrdiff_t(distance - first_)) * stride_;
  }

 private:
  bool reserve_rows(int heads, double from, double count);
  bool project(const Projection& by, double from, double to, bool exact);
  bool project_exactly(const Projection& by, double from, double to);

  Buffer rows_ = nullptr;
  std::uint64_t made_of_ = 0;
  double first_ = 0;
  std::ptrdiff_t count_ = 0, capacity_ = 0, stride_ = 0;
};

}  // namespace posenc
