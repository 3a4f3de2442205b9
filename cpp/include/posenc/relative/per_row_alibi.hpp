// Per-row data-dependent ALiBi: forget gates that differ for each query.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Data-dependent ALiBi with gates that differ from query to query: b_ij = postLogScale · Σ_(t=j)^(i-1) ln σ(u_i · w_t
/// / √gateDim), added after scale and softcap; 0 for the query itself and keys after it.
/// u and w are small queries and keys of the layer's input x [batch, positions, dim]. make_gates() computes both,
/// [batch, heads, positions, 2 · gateDim], with u in the first half; pass them as the call's `gateRows`. Intended for
/// causal attention.
/// Source: x-transformers, `PerRowDataDependentAlibi`.
struct PerRowAlibi {
  using Family = Relative;
  static constexpr Method method{
      .kind = "per-row-alibi",
      .title = "Per-row data-dependent ALiBi",
      .formula = R"(b_{h,i,j}=s\sum_{t=j}^{i-1}\ln\sigma\big(u_{h,i}\cdot w_{h,t}/\sqrt{g}\big))",
      .source = "x-transformers, PerRowDataDependentAlibi",
      .name = "per-row ALiBi",
      .calls = {"gateRows", "gateRowsBackward", "biasOfRows"},
  };

  int dim = 512;
  int heads = 8;
  int gate_dim = 8;
  double post_log_scale = 1;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kLayerDimField);
    field(heads, kHeadsField);
    static constexpr Field kGateDim{.name = "gateDim",
                                    .doc = "Dimension of the small queries and keys.",
                                    .min = 1,
                                    .max = 4096,
                                    .unit = "features"};
    field(gate_dim, kGateDim);
    field(post_log_scale, kPostLogScaleField);
    init.visit(field);
  }
  Error validate() const { return {}; }

  /// Width of a gate row of one token and head: the small query, then the small key.
  int row_width() const { return 2 * gate_dim; }
  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weight", "outputs, dim",
                             "Weights of the small queries, then of the small keys (to_forget_gates.0.weight).",
                             {double(heads) * row_width(), double(dim)}));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
