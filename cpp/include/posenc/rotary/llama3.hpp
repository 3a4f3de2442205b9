// RoPE with the scaling of Llama 3.1.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Pairs with short wavelengths are unchanged, frequencies of pairs with long ones are divided by `factor`, and those
/// in between are blended.
/// λ = 2π/θ; λ > L0/low: θ/s; λ < L0/high: θ; else m = (L0/λ - low)/(high - low), θ ((1 - m)/s + m).
/// Source: Llama 3 model card and code, Meta 2024; arXiv:2407.21783.
struct RopeLlama3 {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-llama3",
      .title = "RoPE with Llama 3 scaling",
      .formula =
          R"(\theta'_k=\theta_k\Bigl(\frac{1-m_k}{s}+m_k\Bigr),\quad m_k=\mathrm{clamp}\Bigl(\frac{L_0\theta_k/2\pi-\mathrm{low}}{\mathrm{high}-\mathrm{low}},0,1\Bigr))",
      .source = "Meta 2024, arXiv:2407.21783",
      .name = "RoPE, Llama 3 scaling",
  };

  RotaryCommon common{};
  double factor = 1;
  double low_frequency_factor = 1, high_frequency_factor = 4;
  double original_length = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    static constexpr Field kFactor = kFactorField.with(&Field::example, 8);
    field(factor, kFactor);
    static constexpr Field kLowFrequencyFactor{
        .name = "lowFrequencyFactor",
        .doc = "Pairs with fewer rotations than this in L0 positions are divided by s.",
        .min = 1e-6,
        .max = 1e9,
        .unit = "rotations"};
    field(low_frequency_factor, kLowFrequencyFactor);
    static constexpr Field kHighFrequencyFactor{
        .name = "highFrequencyFactor",
        .doc = "Pairs with more rotations than this in L0 positions are unchanged.",
        .min = 1e-6,
        .max = 1e9,
        .unit = "rotations"};
    field(high_frequency_factor, kHighFrequencyFactor);
    static constexpr Field kOriginalLength = kOriginalLengthField.with(&Field::example, 8192);
    field(original_length, kOriginalLength);
  }
  Error validate() const {
    if (high_frequency_factor < low_frequency_factor)
      return spec_error(method.kind, "highFrequencyFactor", "must be ≥ lowFrequencyFactor (%), got %",
                        low_frequency_factor, high_frequency_factor);
    return common.validate(method.kind);
  }

  std::vector<Number> frequencies(double) const {
    auto out = common.inverse();
    const Number low = common.number(low_frequency_factor), high = common.number(high_frequency_factor);
    for (auto& frequency : out) {
      const Number rotations = original_length / (common.number(kTwoPi) / frequency);
      // Llama 4 leaves no band between the two.
      const Number blend = low < high ? clamp01((rotations - low) / (high - low)) : Number(rotations < low ? 0.0 : 1.0);
      frequency = (1 - blend) * (frequency / factor) + blend * frequency;
    }
    return out;
  }
};

}  // namespace posenc
