// Helpers of the tests of biases.
#pragma once

#include "cpp/support.hpp"

namespace posenc::test {

inline std::vector<float> rows_of(Bias& bias, int queries, int keys, double offset,
                                  const Positions& key_positions = {}) {
  std::vector<float> out(std::size_t(bias.heads * queries * keys), 99);
  const Error error = bias.bias(queries, keys, offset, key_positions,
                                view_of(out, {double(bias.heads), double(queries), double(keys)}));
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

/// A bias object's own copy of a formula: b[h, i, j] = formula(h, query - key).
template <class Formula>
std::vector<double> by_distance(int heads, int queries, int keys, double offset, const Formula& formula) {
  std::vector<double> out;
  for (int h = 0; h < heads; ++h)
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j) out.push_back(formula(h, offset + i - j));
  return out;
}

/// Gives a parameter other numbers.
inline void set(Bias& bias, std::string_view name, const std::vector<float>& values) {
  for (Parameter& parameter : bias.parameters)
    if (parameter.name == name) {
      REQUIRE(parameter.values.size() == values.size());
      parameter.values = values;
      return;
    }
  FAIL("no parameter " << name);
}

}  // namespace posenc::test
