// Biases that sum terms of a query's row and the rows of the tokens between the query and a key.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// The summed terms: factor · ln σ(own · row).
struct PathRule {
  /// One per head.
  std::vector<double> factors;
  /// Whether rows are used whole and rotated. Then rows, except the query's own, are normalized and rotated by their
  /// positions; the product is divided by their width; tokens are those after the key, up to the query. Otherwise the
  /// first half of a row is used for the query, the second for the tokens; the product is divided by the square root of
  /// the width; tokens are those from the key on, before the query.
  bool rotates;
};

/// Number of values in a query's state from tile to tile.
inline constexpr int kPathCarried = 2;

Relative::Begun begin_path_bias(const RelativeRequest& request, PathRule rule);

}  // namespace posenc
