// RoPE with a larger base: NTK-aware scaling.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// base · s^(d/(d-2)): the fastest pair keeps its frequency, the slowest becomes s times slower.
inline Number ntk_base(const RotaryCommon& common, double scale) {
  const Real d = double(common.rotated_dim());
  return common.number(Real(common.base) * power(Real(scale), d / (d - Real(2))));
}

/// Checks that d > 2: with d = 2, the exponent d / (d - 2) is undefined.
inline Error validate_ntk(const RotaryCommon& common, std::string_view kind) {
  if (Error error = common.validate(kind)) return error;
  if (common.rotated_dim() > 2) return {};
  return spec_error(kind, common.rotary_dim ? "rotaryDim" : "dim", "must be ≥ 4 for a scaled base, got 2");
}

/// The base is enlarged so that the slowest pair covers `factor` times the context.
/// θ'_k = (base · s^(d/(d-2)))^(-2k/d).
/// Source: bloc97, "NTK-Aware Scaled RoPE", 2023; also Peng et al. 2023, arXiv:2309.00071, section 3.1.
struct RopeNtk {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-ntk",
      .title = "RoPE with NTK-aware scaling",
      .formula = R"(\theta'_k=\bigl(\mathrm{base}\cdot s^{d/(d-2)}\bigr)^{-2k/d})",
      .source = "Peng et al. 2023, arXiv:2309.00071, section 3.1",
      .name = "RoPE, NTK-aware",
  };

  RotaryCommon common{};
  double factor = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    field(factor, kFactorField);
  }
  Error validate() const { return validate_ntk(common, method.kind); }

  std::vector<Number> frequencies(double) const { return common.inverse(ntk_base(common, factor)); }
};

}  // namespace posenc
