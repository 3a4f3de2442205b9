// RoPE on a share of the pairs of the full head.
#pragma once

#include "posenc/math/powers.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// The pairs span the whole head (k, k + dim/2) and the exponent divides by dim. Only the fastest rotaryDim/2 pairs are
/// rotated. Partial RoPE is different: there, rotaryDim sets the exponent and the pair distance.
/// θ_k = base^(-2k/dim) / s for k < rotaryDim/2, else 0.
/// Source: Hugging Face `modeling_rope_utils`, rope_type "proportional" (Gemma), 2026.
struct RopeProportional {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-proportional",
      .title = "RoPE on a share of the pairs",
      .formula =
          R"(\theta_k=\begin{cases}\mathrm{base}^{-2k/\mathrm{dim}}/s&k<\mathrm{rotaryDim}/2\\0&\text{otherwise}\end{cases})",
      .source = "Hugging Face Transformers 2026",
  };

  RotaryCommon common{};
  double factor = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    static constexpr Field kFactor = kFactorField.with(&Field::required, false);
    field(factor, kFactor);
  }
  Error validate() const {
    if (common.dim % 2) return spec_error(method.kind, "dim", "must be even, got %", common.dim);
    return common.validate(method.kind, pairs());
  }

  int pairs() const { return common.dim / 2; }

  std::vector<Number> frequencies(double) const {
    std::vector<Number> out = powers(common.number(common.base), common.rotated_dim() / 2, common.dim);
    for (Number& each : out) each = 1 / each / common.number(factor);
    out.resize(std::size_t(pairs()), 0);
    return out;
  }
};

}  // namespace posenc
