// Data-dependent ALiBi: forget gates computed from the layer's input.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// ALiBi with a slope that each token sets: gates f = σ(w · x + bias) of the layer's input x [batch, positions, dim];
/// b_ij = c_i - c_j, c_i = postLogScale · Σ_(t≤i) ln f_t, added after scale and softcap.
/// Bidirectional: keys after the query get r_j - r_i of a second set of gates. Otherwise the scores of keys after the
/// query are raised: mask them.
/// make_gates() computes the call's `logGates` from x: [batch, heads, positions], or twice as many heads with the
/// second set last.
/// Source: x-transformers, `DataDependentAlibi`, after Lin et al. 2025, arXiv:2503.02130.
struct DataDependentAlibi {
  using Family = Relative;
  static constexpr Method method{
      .kind = "data-dependent-alibi",
      .title = "Data-dependent ALiBi",
      .formula = R"(b_{h,i,j}=s\sum_{t=j+1}^{i}\ln\sigma(w_h\cdot x_t+\beta_h))",
      .source = "x-transformers, DataDependentAlibi; Lin et al. 2025, arXiv:2503.02130",
      .name = "data-dependent ALiBi",
      .calls = {"logGates", "logGatesBackward", "bias"},
  };

  int dim = 512;
  int heads = 8;
  bool bidirectional = false;
  double post_log_scale = 1;
  double bias_init = 5;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kLayerDimField);
    field(heads, kHeadsField);
    static constexpr Field kBidirectional{.name = "bidirectional",
                                          .doc = "Whether keys after the query have separate gates (not causal)."};
    field(bidirectional, kBidirectional);
    field(post_log_scale, kPostLogScaleField);
    static constexpr Field kBiasInit{
        .name = "biasInit", .doc = "Bias of the gates before training.", .min = -1e6, .max = 1e6};
    field(bias_init, kBiasInit);
    init.visit(field);
  }
  Error validate() const { return {}; }

  /// Number of gates per token.
  int gates() const { return bidirectional ? 2 * heads : heads; }
  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weight", "gates, dim", "Weights of the gates (to_forget_gates.0.weight).",
                             {double(gates()), double(dim)}),
                   Parameter::filled("bias", "gates", "Bias of the gates (to_forget_gates.0.bias).", {double(gates())},
                                     float(bias_init)));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
