// Biases that sum up what a query's row finds in the rows of the tokens on its way to a key.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// What is summed: factor · ln σ(own · row).
struct PathRule {
  /// Of each head.
  std::vector<double> factors;
  /// Whole rows: those of tokens, but the query's own, are normalised and turn with their positions; the product is
  /// divided by their width; the tokens are those after the key, up to the query. Otherwise the first half of a row is
  /// a query's own, the second what queries find there; the product is divided by the root of the width; the tokens are
  /// those from the key on, before the query.
  bool turns;
};

/// Numbers of a query that its tiles hand on.
inline constexpr int kPathCarried = 2;

Relative::Begun begin_path_bias(const RelativeRequest& request, PathRule rule);

}  // namespace posenc
