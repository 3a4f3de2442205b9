// RoPE with a base that grows in steps, as in Qwen.
#pragma once

#include "posenc/rotary/ntk.hpp"

namespace posenc {

/// NTK-aware scaling that depends on the current sequence length, in steps: plain RoPE up to originalLength, 3 times
/// the context up to twice that length, 7 times up to four times that length, and so on. The base changes right after a
/// power of two.
/// α = max(1, 2^(⌈log2(L / L0)⌉ + 1) - 1), base' = base · α^(d/(d-2)).
/// Rotated keys stay valid until the next step.
/// Qwen also scales queries beyond L0 by ln(position + 1) / ln L0; that is a temperature of attention. Its own code
/// keeps the α of the prompt while generating; use `sequenceLength` for that.
/// Source: Bai et al., "Qwen Technical Report", 2023, arXiv:2309.16609, section 2.3; `get_ntk_alpha` of its code.
struct RopeQwen {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-qwen",
      .title = "RoPE with Qwen's dynamic NTK scaling",
      .formula =
          R"(\theta'_k=\bigl(\mathrm{base}\cdot\alpha^{d/(d-2)}\bigr)^{-2k/d},\quad\alpha=\max\bigl(1,2^{\lceil\log_2(L/L_0)\rceil+1}-1\bigr))",
      .source = "Bai et al. 2023, arXiv:2309.16609, section 2.3",
      .name = "RoPE, Qwen’s dynamic NTK",
  };

  RotaryCommon common{};
  double original_length = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    field(original_length, kOriginalLengthField);
  }
  Error validate() const { return validate_ntk(common, method.kind); }
  /// α: 1, 3, 7, 15 …
  double regime(double length) const {
    double steps = 1;
    while (steps * original_length < length) steps *= 2;
    return 2 * steps - 1;
  }

  std::vector<Number> frequencies(double length) const { return common.inverse(ntk_base(common, regime(length))); }
};

}  // namespace posenc
