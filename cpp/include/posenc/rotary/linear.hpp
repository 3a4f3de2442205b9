// RoPE with position interpolation.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// All pairs are rotated `factor` times slower, as if positions were divided by it.
/// θ'_k = θ_k / factor.
/// Source: Chen et al., "Extending Context Window … via Positional Interpolation", 2023, arXiv:2306.15595, eq. 4.
struct RopeLinear {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-linear",
      .title = "RoPE with position interpolation",
      .formula = R"(\theta'_k=\theta_k/s)",
      .source = "Chen et al. 2023, arXiv:2306.15595, eq. 4",
      .name = "RoPE, interpolated",
  };

  RotaryCommon common{};
  double factor = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    field(factor, kFactorField);
  }
  Error validate() const { return common.validate(method.kind); }

  std::vector<Number> frequencies(double) const {
    auto out = common.inverse();
    for (auto& frequency : out) frequency = frequency / common.number(factor);
    return out;
  }
};

}  // namespace posenc
