// Scores with tables that hold a vector for each distance.
#pragma once

#include <cmath>

#include "kernels/tiles.hpp"
#include "posenc/relative/relative.hpp"

namespace posenc {

/// The whole number next to a distance, within limits.
inline int nearest_within(double distance, double low, double high) {
  const double nearest = std::floor(distance + 0.5);
  return int(nearest < low ? low : nearest > high ? high : nearest);
}

/// The gradient of row · other: `slope` times each adds to the other's, unless null.
void scatter_row(const float* row, const float* other, std::size_t dim, float slope, float* row_slopes,
                 float* other_slopes);

/// A table with a row of `dim` floats for each whole distance from `low` to `high`; farther keys share the rows at the
/// ends. `origin` is the row of distance 0, `stride` the way to the next.
struct DistanceTable {
  const float* origin;
  std::ptrdiff_t stride;
  int dim, low, high;

  /// Calls visit(key, count, row, stride): keys whose rows lie `stride` apart, 0 where they share one. Distances are
  /// key - position.
  template <class Visit>
  void for_each_run(const RelativeKeys& keys, double position, const Visit& visit) const {
    const int together = keys.consecutive ? keys.count : 1;
    for (int key = 0; key < keys.count; key += together) {
      const int first = nearest_within(keys.positions[key] - position, low - together, high + 1);
      const int begin = std::clamp(low - first, 0, together), end = std::clamp(high + 1 - first, begin, together);
      const int bounds[] = {0, begin, end, together}, rows[] = {low, first + begin, high};
      for (int part = 0; part < 3; ++part)
        if (const int count = bounds[part + 1] - bounds[part])
          visit(key + bounds[part], count, origin + rows[part] * stride, part == 1 ? stride : 0);
    }
  }
  /// scores[j] += row · the row of key j
  void add_products(const RelativeKeys& keys, double position, const float* row, float* scores) const;
  /// The same for one key in double precision.
  double product(double key, double position, const float* row) const;
  /// Its gradient: slopes [count] of the scores; adds to those of the row, unless null, and of the table.
  void scatter(const RelativeKeys& keys, double position, const float* row, const float* slopes, float* row_slopes,
               float* table_slopes) const;
};

}  // namespace posenc
