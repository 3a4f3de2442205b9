// RoPE with position interpolation.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// All pairs turn `factor` times slower, as if positions were divided by it.
/// θ'_k = θ_k / factor.
/// Source: Chen et al., "Extending Context Window … via Positional Interpolation", 2023, arXiv:2306.15595, eq. 4.
struct RopeLinear {
  using Family = Rotation;
  static constexpr Method method{"rope-linear", "RoPE with position interpolation", R"(\theta'_k=\theta_k/s)",
                                 "Chen et al. 2023, arXiv:2306.15595, eq. 4"};

  RotaryCommon common{};
  double factor = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    static constexpr Field kFactor{.name = "factor",
                                   .doc = "How many times longer the context becomes (s).",
                                   .min = 1,
                                   .max = 1e9,
                                   .required = true,
                                   .example = 4};
    field(factor, kFactor);
  }
  Error validate() const { return common.validate(method.kind); }

  template <class Number>
  std::vector<Number> frequencies(double) const {
    auto out = common.inverse<Number>();
    for (auto& frequency : out) frequency = frequency / Number(factor);
    return out;
  }
};

}  // namespace posenc
