// GRAPE-M: rotations with learned frequencies, by positions or by content-dependent phases.
#pragma once

#include "posenc/relative/row_maps.hpp"

namespace posenc {

/// RoPE with frequencies that are learned as logarithms, which keeps them positive, for all heads or for each head.
/// Pair k is rotated by minus p · exp(logFrequencies[h, k] / logScale); the sign cancels in scores. Initial frequencies
/// are those of RoPE, base^(-2k/d).
/// Contextual: positions are content-dependent phases, the exclusive sums of gates (cumulative_phases()), [batch *
/// heads * positions] if each head has its own.
/// Source: Zhang et al., "Group Representational Position Encoding", 2025, arXiv:2512.07805, section 3.
struct GrapeM {
  using Family = Relative;
  static constexpr Method method{
      .kind = "grape-m",
      .title = "Multiplicative GRAPE (GRAPE-M)",
      .formula = R"(\text{pair }k\text{ of head }h\text{ is rotated by }-p\,e^{\ell_{hk}/s},\quad \ell\text{ learned})",
      .source = "Zhang et al. 2025, arXiv:2512.07805, section 3",
      .name = "GRAPE-M",
      .calls = {"apply", "applyBackward", "frequencies"},
  };

  int dim = 64;
  int heads = 0;
  double base = 10000;
  double log_scale = 1;
  Pairing pairing = Pairing::half;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kHeadDimField.with(&Field::min, 2);
    field(dim, kDim);
    field(heads, kOwnHeadsField);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Frequency base before training.");
    field(base, kBase);
    static constexpr Field kLogScale{
        .name = "logScale", .doc = "Divisor of the learned logarithms.", .min = 1e-6, .max = 1e6};
    field(log_scale, kLogScale);
    field(pairing, kRowMapPairingField);
  }
  Error validate() const {
    if (dim % 2) return spec_error(method.kind, "dim", "must be even: features form pairs, got %", dim);
    return {};
  }
  std::vector<Parameter> parameters() const;
  std::unique_ptr<Relative> make() const;
};

/// The function of a gate: the logistic function, or ln(1 + e^x).
enum class GateForm { sigmoid, softplus };

/// Content-dependent positions: out [batch, heads, positions] = the sum over all previous positions of gate(gates /
/// scale), with gates [batch, positions, heads] as a linear layer returns them. Source: Zhang et al. 2025,
/// arXiv:2512.07805.
Error cumulative_phases(const View& gates, GateForm form, double scale, std::span<double> out) noexcept;

}  // namespace posenc
