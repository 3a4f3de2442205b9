// RoPE whose base grows with the sequence.
#pragma once

#include "posenc/rotary/ntk.hpp"

namespace posenc {

/// NTK-aware scaling that depends on the current sequence length. Up to originalLength it is plain RoPE; beyond, the
/// base grows.
/// base' = base · (s L / L0 - (s - 1))^(d/(d-2)), L = max(sequence length, L0).
/// The result depends only on the length. Unlike the Transformers module, it does not remember longer calls.
/// Source: emozilla, "Dynamically Scaled RoPE", 2023; Hugging Face `modeling_rope_utils`.
struct RopeDynamic {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-dynamic",
      .title = "RoPE with dynamic NTK scaling",
      .formula =
          R"(\theta'_k=\Bigl(\mathrm{base}\cdot\bigl(\tfrac{sL}{L_0}-(s-1)\bigr)^{d/(d-2)}\Bigr)^{-2k/d},\quad L=\max(\text{length},L_0))",
      .source = "Peng et al. 2023, arXiv:2309.00071, section 3.3",
      .name = "RoPE, dynamic NTK",
  };

  RotaryCommon common{};
  double factor = 1;
  double original_length = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    static constexpr Field kFactor = kFactorField.with(&Field::example, 2);
    field(factor, kFactor);
    field(original_length, kOriginalLengthField);
  }
  Error validate() const { return validate_ntk(common, method.kind); }
  double regime(double length) const { return std::max(length, original_length); }
  bool regime_grows(double length) const { return length > original_length; }

  std::vector<Number> frequencies(double length) const {
    // factor · length / original − (factor − 1), without what cancels.
    const double growth = 1 + factor * ((regime(length) - original_length) / original_length);
    return common.inverse(ntk_base(common, growth));
  }
};

}  // namespace posenc
