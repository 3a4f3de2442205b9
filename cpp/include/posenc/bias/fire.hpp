// FIRE: functional interpolation for relative position encoding.
#pragma once

#include "posenc/bias/bias.hpp"

namespace posenc {

/// A small network of the distance d relative to the query's own position i:
/// b_h = outputBias_h + outputWeights_h · relu(inputWeights x + inputBias),
/// x = ψ(d) / (ψ(max(i, |lengthFactor · length|)) + epsilon), ψ(y) = ln(1 + |c y|).
/// d = |i - j|, or 0 for later keys if not bidirectional (two published copies differ here, for keys that causal masks
/// remove anyway). Once i exceeds the threshold, the bias does not depend only on the distance.
/// Source: Li et al., "Functional Interpolation for Relative Positions", 2024, arXiv:2310.04418, equations 5 and 19.
struct Fire {
  using Family = Bias;
  static constexpr Method method{
      .kind = "fire",
      .title = "FIRE",
      .formula = R"(b_{h,i,j}=f_\theta\!\Bigl(\frac{\psi(i-j)}{\psi(\max(L,i))}\Bigr)_{\!h},\quad \psi(x)=\ln(1+c\,x))",
      .source = "Li et al. 2024, arXiv:2310.04418, equations 5 and 19",
  };

  int heads = 8;
  int width = 32;
  double length = 512;
  double epsilon = 1e-6;
  bool bidirectional = false;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    static constexpr Field kWidth{
        .name = "width", .doc = "Hidden units of the network.", .min = 1, .max = 65536, .unit = "units"};
    field(width, kWidth);
    static constexpr Field kLength{.name = "length",
                                   .doc = "Queries before this position are treated as being at it (init_L).",
                                   .min = 0,
                                   .max = kMaxPosition,
                                   .unit = "positions"};
    field(length, kLength);
    static constexpr Field kEpsilon{.name = "epsilon", .doc = "Value added to the divisor.", .min = 1e-30, .max = 1};
    field(epsilon, kEpsilon);
    field(bidirectional, kBidirectionalField);
    init.visit_seed(field);
  }
  Error validate() const { return {}; }

  std::vector<Parameter> parameters() const {
    const double units = width, bound = 1 / std::sqrt(units);
    return list_of(
        init.layer("inputWeights", "width", "First layer (mlp.0.weight).", {units}, 1, 1),
        init.layer("inputBias", "width", "First layer (mlp.0.bias).", {units}, 1, 2),
        init.layer("outputWeights", "heads, width", "Second layer (mlp.2.weight).", {double(heads), units}, bound, 3),
        init.layer("outputBias", "heads", "Second layer (mlp.2.bias).", {double(heads)}, bound, 4),
        Parameter::filled("c", "one", "The factor c in ψ(y) = ln(1 + |c y|).", {1}, 0.1f),
        Parameter::filled("lengthFactor", "one", "Learned factor of the threshold `length` (L_multiplier).", {1}, 1));
  }
  std::unique_ptr<Bias> make() const;
};

}  // namespace posenc
