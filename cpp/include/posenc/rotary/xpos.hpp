// xPos: RoPE with scores that decay with the distance.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Queries at position p are also multiplied by ζ_k^((p - c)/scaleBase), and keys are divided by it: their score is
/// multiplied by ζ_k^(distance/scaleBase). ζ_k = (2k + 0.4 d)/(1.4 d) < 1.
/// Intended only for causal attention. The centre c cancels in scores and keeps the factors near 1. Queries and keys
/// must share it: with a cache of keys, set `centre`. At distances of about 64 · scaleBase positions from it, the
/// factors leave float32's range, which is an error.
/// Source: Sun et al., "A Length-Extrapolatable Transformer", 2022, arXiv:2212.10554, eq. 10-12 and algorithm 1.
struct Xpos {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "xpos",
      .title = "xPos",
      .formula =
          R"(q_m^\top k_n=\sum_k\zeta_k^{(m-n)/512}\,(\dots)_k\,e^{i(m-n)\theta_k},\quad\zeta_k=\frac{2k+0.4d}{1.4d})",
      .source = "Sun et al. 2022, arXiv:2212.10554, algorithm 1",
  };
  enum class Rounding { up, down };

  RotaryCommon common{};
  double scale_base = 512;
  std::optional<double> centre{};
  Rounding centre_rounding = Rounding::up;

  template <class Visitor>
  void visit(Visitor& field);
  Error validate() const { return common.validate(method.kind); }

  std::vector<Number> frequencies(double) const { return common.inverse(); }
  void arrange(Rotation& rotation) const {
    const double d = common.rotated_dim();
    for (int k = 0; k < rotation.pairs; ++k) {
      const Real zeta = (Real(2.0 * k) + Real(0.4) * Real(d)) / (Real(1.4) * Real(d));
      rotation.decay.rates.push_back((log(zeta) / Real(scale_base)).hi);
    }
    rotation.decay.centre = centre;
    rotation.decay.rounds_up = centre_rounding == Rounding::up;
  }
};

template <>
struct Choices<Xpos::Rounding> {
  static constexpr std::array<std::string_view, 2> names{"up", "down"};
};

template <class Visitor>
void Xpos::visit(Visitor& field) {
  common.visit_rotation_fields(field);
  static constexpr Field kScaleBase{.name = "scaleBase",
                                    .doc = "Number of positions over which magnitudes change by the factor ζ.",
                                    .min = 1e-3,
                                    .max = 1e12,
                                    .unit = "positions"};
  field(scale_base, kScaleBase);
  static constexpr Field kCentre{.name = "centre",
                                 .doc = "Position with magnitude 1; null: half the sequence length, rounded.",
                                 .min = -kMaxPosition,
                                 .max = kMaxPosition,
                                 .unit = "positions"};
  field(centre, kCentre);
  static constexpr Field kCentreRounding{
      .name = "centreRounding",
      .doc = "Rounding of the default centre: up (torchscale) or down (FlashAttention, lucidrains)."};
  field(centre_rounding, kCentreRounding);
}

}  // namespace posenc
