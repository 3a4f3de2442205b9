// RoPE with NTK-by-parts interpolation, an intermediate between NTK-aware scaling and YaRN.
#pragma once

#include "posenc/rotary/ntk.hpp"
#include "posenc/rotary/ramp.hpp"

namespace posenc {

/// Slow pairs are interpolated linearly, middle pairs use the larger base, fast pairs are unchanged.
/// There are two ramps: 1.25 … 0.75 rotations (linear to NTK) and 16 … 2 rotations (scaled to unscaled).
/// Source: jquesnelle/yarn, LlamaPartNTKScaledRotaryEmbedding, 2023.
struct RopeNtkByParts {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-ntk-by-parts",
      .title = "RoPE with NTK-by-parts scaling",
      .formula =
          R"(\theta'_k=\gamma_k\theta_k+(1-\gamma_k)\bigl(\beta_k\theta^{\mathrm{ntk}}_k+(1-\beta_k)\theta_k/s\bigr))",
      .source = "Peng et al. 2023, arXiv:2309.00071, section 3.2",
      .name = "RoPE, NTK by parts",
  };

  RotaryCommon common{};
  double factor = 1;
  double original_length = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    field(factor, kFactorField);
    field(original_length, kOriginalLengthField);
  }
  Error validate() const {
    if (Error error = Ramp::validate(common, method.kind)) return error;
    return validate_ntk(common, method.kind);
  }

  std::vector<Number> frequencies(double) const {
    const auto plain = common.inverse();
    const auto ntk = common.inverse(ntk_base(common, factor));
    const Ramp outer(common, original_length, 1.25, 0.75, true), inner(common, original_length, 16, 2, true);
    std::vector<Number> out = plain;
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Number linear_share = outer.at(k), scaled_share = inner.at(k);
      const Number scaled = plain[k] / common.number(factor) * linear_share + ntk[k] * (1 - linear_share);
      out[k] = scaled * scaled_share + plain[k] * (1 - scaled_share);
    }
    return out;
  }
};

}  // namespace posenc
