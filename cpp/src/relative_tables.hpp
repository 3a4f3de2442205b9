// Scores with tables that hold a vector for each distance.
#pragma once

#include <cmath>

#include "attention_tiles.hpp"

namespace posenc {

/// The whole number next to a distance, within limits.
inline int nearest_within(double distance, double low, double high) {
  const double nearest = std::floor(distance + 0.5);
  return int(nearest < low ? low : nearest > high ? high : nearest);
}

/// Keys with a vector for each distance: index[j] is the row of key j.
/// scores[j] += row · (the row of the table that index[j] tells); rows of `dim` floats, `stride` apart.
void add_indexed(const float* row, const float* table, std::ptrdiff_t stride, int dim, const int* index, int count,
                 float* scores);

}  // namespace posenc
