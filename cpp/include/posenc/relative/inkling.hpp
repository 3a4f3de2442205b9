// Inkling's relative logits: each query mixes learned profiles of the distance.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Each query mixes learned profiles of the distance into a bias: b_hij = τ_i Σ_c r_hic P_c,i-j for 0 ≤ i - j < extent,
/// 0 for all other keys. Added after scale and softcap. τ is the call's `temperature`, 1 without one: it multiplies the
/// products of q and k, too.
/// `relativeStates` of the call: r [batch, query heads, queries, relativeDim], a projection of the queries' hidden
/// states (r_proj). All heads share the profiles. Fractional distances are rounded to the nearest whole one. Intended
/// for causal attention with scale 1 / dim.
/// Source: Thinking Machines, "Inkling", 2026; Hugging Face transformers, `InklingRelativeLogits`.
struct Inkling {
  using Family = Relative;
  static constexpr Method method{
      .kind = "inkling",
      .title = "Inkling's relative logits",
      .formula = R"(b_{h,i,j}=\tau_i\,r_{h,i}\cdot P_{i-j},\quad 0\le i-j<R)",
      .source = "Thinking Machines 2026, Inkling; transformers, InklingRelativeLogits",
      .name = "Inkling’s relative logits",
      .calls = {"relativeLogits"},
  };

  int relative_dim = 16;
  int extent = 1024;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kRelativeDim{.name = "relativeDim",
                                        .doc = "Number of profiles, and of values in each relative state (d_rel).",
                                        .min = 1,
                                        .max = 65536,
                                        .unit = "features"};
    field(relative_dim, kRelativeDim);
    static constexpr Field kExtent{.name = "extent",
                                   .doc = "Number of distances with a bias, from 0 on (rel_extent).",
                                   .min = 1,
                                   .max = 1048576,
                                   .unit = "positions"};
    field(extent, kExtent);
    init.visit(field);
  }
  Error validate() const { return {}; }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("profiles", "relativeDim, extent", "Bias of each profile at each distance (proj).",
                             {double(relative_dim), double(extent)}));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
