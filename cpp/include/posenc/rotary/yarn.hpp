// YaRN: RoPE with frequencies scaled by wavelength.
#pragma once

#include "posenc/rotary/ramp.hpp"

namespace posenc {

/// Pairs with many rotations within the training length are unchanged; pairs with less than one are interpolated.
/// θ'_k = θ_k (r_k / s + 1 - r_k); cos and sin are multiplied by g(s, mscale) / g(s, mscaleAllDim), g(s, m) = 0.1 m ln
/// s + 1.
/// Source: Peng et al., "YaRN", 2023, arXiv:2309.00071, eq. 20-23.
struct RopeYarn {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-yarn",
      .title = "YaRN",
      .formula =
          R"(\theta'_k=\theta_k\Bigl(\frac{r_k}{s}+1-r_k\Bigr),\quad r_k=\mathrm{clamp}\Bigl(\frac{k-c(\beta_{\mathrm{fast}})}{c(\beta_{\mathrm{slow}})-c(\beta_{\mathrm{fast}})},0,1\Bigr),\quad c(r)=\frac{d\ln(L_0/2\pi r)}{2\ln\mathrm{base}})",
      .source = "Peng et al. 2023, arXiv:2309.00071, eq. 20-23",
  };

  RotaryCommon common{};
  double factor = 1;
  double original_length = 1;
  double beta_fast = 32, beta_slow = 1;
  bool truncate = true;
  double mscale = 0, mscale_all_dim = 0;
  std::optional<double> given_attention_factor{};

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    field(factor, kFactorField);
    static constexpr Field kOriginalLength = kOriginalLengthField.with(&Field::example, 4096);
    field(original_length, kOriginalLength);
    static constexpr Field kBetaFast{.name = "betaFast",
                                     .doc = "Pairs with at least this many rotations in L0 positions are unchanged.",
                                     .min = 1e-6,
                                     .max = 1e9,
                                     .unit = "rotations"};
    field(beta_fast, kBetaFast);
    static constexpr Field kBetaSlow{.name = "betaSlow",
                                     .doc = "Pairs with at most this many rotations in L0 positions are interpolated.",
                                     .min = 1e-6,
                                     .max = 1e9,
                                     .unit = "rotations"};
    field(beta_slow, kBetaSlow);
    static constexpr Field kTruncate{.name = "truncate",
                                     .doc = "Whether the ramp's ends are rounded to whole pairs (gpt-oss: false)."};
    field(truncate, kTruncate);
    static constexpr Field kMscale{
        .name = "mscale", .doc = "Weight of the magnitude correction (DeepSeek); 0: not given.", .min = 0, .max = 100};
    field(mscale, kMscale);
    static constexpr Field kMscaleAllDim{.name = "mscaleAllDim",
                                         .doc = "Divisor of the magnitude correction (DeepSeek); 0: not given.",
                                         .min = 0,
                                         .max = 100};
    field(mscale_all_dim, kMscaleAllDim);
    field(given_attention_factor, kAttentionFactorField);
  }
  Error validate() const {
    if (Error error = Ramp::validate(common, method.kind)) return error;
    if (beta_fast < beta_slow)
      return spec_error(method.kind, "betaFast", "must be ≥ betaSlow (%), got %", beta_slow, beta_fast);
    return {};
  }

  Real magnitude(double weight) const {
    return factor <= 1 ? Real(1) : Real(0.1) * Real(weight) * log(Real(factor)) + Real(1);
  }
  /// DeepSeek's multi-head latent attention applies the mscaleAllDim part of the magnitude in the softmax.
  double softmax_factor() const {
    const Real part = mscale_all_dim > 0 ? magnitude(mscale_all_dim) : Real(1);
    return (part * part).hi;
  }
  double attention_factor() const {
    if (given_attention_factor) return *given_attention_factor;
    if (mscale > 0 && mscale_all_dim > 0) return (magnitude(mscale) / magnitude(mscale_all_dim)).hi;
    return magnitude(1).hi;
  }

  std::vector<Number> frequencies(double) const {
    auto out = common.inverse();
    const Ramp ramp(common, original_length, beta_fast, beta_slow, truncate);
    for (std::size_t k = 0; k < out.size(); ++k) {
      const Number kept = 1 - ramp.at(k);
      out[k] = out[k] / common.number(factor) * (1 - kept) + out[k] * kept;
    }
    return out;
  }
};

}  // namespace posenc
