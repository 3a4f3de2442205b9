// FIRE: functional interpolation for relative position encoding.
#pragma once

#include "posenc/bias/bias.hpp"

namespace posenc {

/// A small network of the distance d relative to the query's own position i:
/// b_h = outputBias_h + outputWeights_h · relu(inputWeights x + inputBias),
/// x = ψ(d) / (ψ(max(i, |lengthFactor · length|)) + epsilon), ψ(y) = ln(1 + |c y|).
/// d = |i - j|, or 0 for later keys where not bidirectional (two published copies differ in that, for keys that causal
/// masks hide anyway). Not a function of the distance alone once i passes the threshold.
/// Source: Li et al., "Functional Interpolation for Relative Positions", 2024, arXiv:2310.04418, equations 5 and 19.
struct Fire {
  using Family = Bias;
  static constexpr Method method{
      .kind = "fire",
      .title = "FIRE",
      .formula = R"(b_{h,i,j}=f_\theta\!\Bigl(\frac{\psi(i-j)}{\psi(\max(L,i))}\Bigr)_{\!h},\quad \psi(x)=\ln(1+c\,x))",
      .source = "Li et al. 2024, arXiv:2310.04418, equations 5 and 19",
      .summary =
          "a network of {plural(width, 'hidden unit')} gives {plural(heads, 'head')} a bias for the distance "
          "relative to the query's place, which counts as at least {about(length)}",
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
                                   .doc = "Queries nearer to the start count as standing here (init_L).",
                                   .min = 0,
                                   .max = kMaxPosition,
                                   .unit = "positions"};
    field(length, kLength);
    static constexpr Field kEpsilon{.name = "epsilon", .doc = "Added to the divisor.", .min = 1e-30, .max = 1};
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
        Parameter::filled("c", "one", "How fast near distances spread.", {1}, 0.1f),
        Parameter::filled("lengthFactor", "one", "The threshold is length times this (L_multiplier).", {1}, 1));
  }
  std::unique_ptr<Bias> make() const;
};

}  // namespace posenc
