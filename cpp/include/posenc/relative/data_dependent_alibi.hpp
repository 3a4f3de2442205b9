// Data-dependent ALiBi: forget gates made from the layer's input.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// A line of ALiBi whose slope each token sets: gates f = σ(w · x + bias) of the layer's input x [batch, positions,
/// dim]; b_ij = c_i - c_j, c_i = postLogScale · Σ_(t≤i) ln f_t, added after scale and softcap. Bidirectional: keys
/// after the query get r_j - r_i of a second set of gates. make_gates() makes them of x, [batch, heads, positions], or
/// twice as many heads, those of the second set last; they are the call's `logGates`. Where not bidirectional, keys
/// after the query are lifted: hide them. Source: x-transformers, `DataDependentAlibi`, after Lin et al. 2025,
/// arXiv:2503.02130.
struct DataDependentAlibi {
  using Family = Relative;
  static constexpr Method method{
      .kind = "data-dependent-alibi",
      .title = "Data-dependent ALiBi",
      .formula = R"(b_{h,i,j}=s\sum_{t=j+1}^{i}\ln\sigma(w_h\cdot x_t+\beta_h))",
      .source = "x-transformers, DataDependentAlibi; Lin et al. 2025, arXiv:2503.02130",
      .summary =
          "what a step of distance costs each token says itself, by learned gates of the layer's input, {dim} features "
          "wide, for each of {plural(heads, 'head')}{bidirectional ? ', with other gates for keys after the query' : "
          "''}",
      .name = "data-dependent ALiBi",
      .chinese = "数据相关 ALiBi",
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
                                          .doc = "Keys after the query have gates of their own (not causal)."};
    field(bidirectional, kBidirectional);
    field(post_log_scale, kPostLogScaleField);
    static constexpr Field kBiasInit{
        .name = "biasInit", .doc = "The bias of the gates before training.", .min = -1e6, .max = 1e6};
    field(bias_init, kBiasInit);
    init.visit(field);
  }
  Error validate() const { return {}; }

  /// Gates of a token.
  int gates() const { return bidirectional ? 2 * heads : heads; }
  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weight", "gates, dim", "What the gates read (to_forget_gates.0.weight).",
                             {double(gates()), double(dim)}),
                   Parameter::filled("bias", "gates", "How far they are open at 0 (to_forget_gates.0.bias).",
                                     {double(gates())}, float(bias_init)));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
