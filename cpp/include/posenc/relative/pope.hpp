// PoPE: polar coordinates with content-dependent magnitudes and position-dependent angles.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Each feature is a magnitude. Its angle depends only on the position and on a learned phase of the key.
/// logits = Σ_c μ(q_c) μ(k_c) cos((i - j) θ_c - δ_c) + the product of the features that are not rotated, μ(x) = ln(1 +
/// e^x), θ_c = base^(-c/d), c = 0 … d - 1, d = rotaryDim; δ = bias of the key's head, clamped to [-2π, 0].
/// A row becomes [μ cos, μ sin of each rotated feature, interleaved | the rest]; for keys, the angle includes the
/// phase.
/// Source: Gopalakrishnan et al., "Decoupling the What and Where With Polar Coordinate Positional Embeddings", 2025,
/// arXiv:2509.10534.
struct Pope {
  using Family = Relative;
  static constexpr Method method{
      .kind = "pope",
      .title = "Polar coordinate position embedding (PoPE)",
      .formula =
          R"(a_{ij}=\sum_c\mu(q_{ic})\,\mu(k_{jc})\cos\big((i-j)\theta_c-\delta_c\big),\quad\mu(x)=\ln(1+e^x),\ \theta_c=\mathrm{base}^{-c/d})",
      .source = "Gopalakrishnan et al. 2025, arXiv:2509.10534",
      .name = "PoPE",
      .calls = {"expand"},
  };

  int dim = 64;
  int heads = 8;
  int rotary_dim = 0;
  double base = 10000;

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
    static constexpr Field kHeads = kHeadsField.with(&Field::doc, "Number of key heads.");
    field(heads, kHeads);
    static constexpr Field kRotaryDim =
        kRotaryDimField.with(&Field::doc, "Leading features that are rotated; 0: all of them.");
    field(rotary_dim, kRotaryDim);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Frequency base.");
    field(base, kBase);
  }
  int rotated_dim() const { return rotary_dim ? rotary_dim : dim; }
  Error validate() const {
    if (rotated_dim() > dim) return spec_error(method.kind, "rotaryDim", "must be ≤ dim (%), got %", dim, rotary_dim);
    return {};
  }

  std::vector<Parameter> parameters() const {
    return list_of(Parameter::filled("bias", "heads, rotaryDim", "Phase of each key feature, from -2π to 0.",
                                     {double(heads), double(rotated_dim())}));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
