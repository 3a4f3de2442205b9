// The family "additive attention bias": what every bias encoding becomes, and what can be done with it.
#pragma once

#include <memory>

#include "posenc/parameter.hpp"

namespace posenc {

/// A number [heads, queries, keys] added to the scaled attention scores.
class Bias : public Learned {
 public:
  static constexpr std::string_view shapes = "bias [heads, queries, keys]";

  int heads = 0;

  /// One row: the biases of `count` keys at `first_key`, first_key + 1, … for a query. `last_key` is the largest key.
  virtual void row(int head, double query, double first_key, double last_key, std::size_t count, float* out) const = 0;
  /// One slope per head where the bias is a straight line, else none.
  std::span<const float> slopes() const {
    for (const Parameter& parameter : parameters)
      if (parameter.name == "slopes") return parameter.values;
    return {};
  }

  /// out [heads, queries, keys]; query i stands at offset + i, key j at j or at key_positions[j].
  Error bias(double queries, double keys, double offset, const Positions& key_positions, const View& out) const;
};

}  // namespace posenc
