// Scores with tables that hold a vector for each distance.
#pragma once

#include <cmath>

#include "kernels/tiles.hpp"
#include "posenc/relative/relative.hpp"

namespace posenc {

/// The integer nearest to a distance, within limits.
inline int nearest_within(double distance, double low, double high) {
  const double nearest = std::floor(distance + 0.5);
  return int(nearest < low ? low : nearest > high ? high : nearest);
}

/// Gradient of row · other: adds slope · other to `row_slopes` and slope · row to `other_slopes`, unless null.
void scatter_row(const float* row, const float* other, std::size_t dim, float slope, float* row_slopes,
                 float* other_slopes);

/// A table with a row of `dim` floats for each whole distance from `low` to `high`; farther keys share the rows at the
/// ends. `origin` is the row of distance 0, `stride` the step to the next row.
struct DistanceTable {
  const float* origin;
  std::ptrdiff_t stride;
  int dim, low, high;

  /// Calls visit(key, count, row, stride) for runs of keys whose rows are `stride` apart, 0 if they share one.
  /// Distances are key - position.
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
  /// Gradient for slopes [count] of the scores: adds to those of the row and of the table's origin, unless null.
  void scatter(const RelativeKeys& keys, double position, const float* row, const float* slopes, float* row_slopes,
               float* table_slopes) const;
};

/// Adds vectors of distances to keys and, if `value_dim` is set, to values.
class DistanceVectors final : public RelativeCall {
 public:
  /// `learned`: the tables are parameters 0 and 1 of the encoding.
  DistanceVectors(const DistanceTable& keys, const DistanceTable& values, bool learned)
      : keys_(keys), values_(values), learned_(learned) {}

  void add(const RelativeQuery& query, const RelativeKeys& keys, float* scores) override;
  double addition(const RelativeQuery& query, const RelativeKeys& key) override;
  void add_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights, float* sums) override;
  void add_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* products, float* slopes,
                    float* row_slopes) override;
  void add_values_backward(const RelativeQuery& query, const RelativeKeys& keys, const float* out_slopes,
                           float* weight_slopes) override;
  void scatter_values(const RelativeQuery& query, const RelativeKeys& keys, const float* weights,
                      const float* out_slopes) override;

 private:
  /// Gradient of the table's row of distance 0.
  float* slopes_of(const DistanceTable& table, std::size_t parameter) const {
    return learned_ ? training->gradient(parameter) - table.low * table.stride : nullptr;
  }

  DistanceTable keys_, values_;
  bool learned_;
};

}  // namespace posenc
