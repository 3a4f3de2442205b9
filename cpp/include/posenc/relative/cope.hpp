// CoPE: positions counted by content.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// How far away a key is, is how many gates are open from it up to the query.
/// g_ij = σ(q_i · k_j / √dim), 0 for hidden keys; p_ij = min(Σ_(t≥j) g_it, maxPosition - 1);
/// logits = q_i · k_j + q_i · e[p_ij], the latter blended linearly between whole p. Made for causal attention: without
/// `causal` keys after the query count, too. `gateKeys` of the call open the gates in place of k (cope-sep-key).
/// Source: Golovneva et al., "Contextual Position Encoding", 2024, arXiv:2405.18719, eq. 2 to 5; the options are those
/// of the authors' code.
struct Cope {
  using Family = Relative;
  static constexpr Method method{
      .kind = "cope",
      .title = "Contextual position encoding (CoPE)",
      .formula = R"(p_{ij}=\sum_{t=j}^{i}\sigma(q_i\cdot k_t),\quad a_{ij}=q_i\cdot(k_j+e[p_{ij}]))",
      .source = "Golovneva et al. 2024, arXiv:2405.18719, eq. 2 to 5",
      .summary =
          "a key is as far away as gates between it and the query are open, at most {maxPosition - 1}; "
          "between two learned positions their scores are blended",
      .name = "CoPE",
  };

  int dim = 64;
  int max_position = 64;
  bool scaled_gates = true;
  bool scaled_position = true;
  RandomInit init{.std = 0};

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
    static constexpr Field kMaxPosition{
        .name = "maxPosition",
        .doc = "How many positions have a vector (npos_max); farther ones count as the last.",
        .min = 1,
        .max = 1048576,
        .unit = "positions"};
    field(max_position, kMaxPosition);
    static constexpr Field kScaledGates{.name = "scaledGates",
                                        .doc = "Gates see the scores divided by the square root of dim."};
    field(scaled_gates, kScaledGates);
    static constexpr Field kScaledPosition{
        .name = "scaledPosition",
        .doc =
            "The position's part is scaled like the contents; if not, it comes times the square root of dim, which "
            "attention's scale takes away (cope-nodiv, the paper's listing)."};
    field(scaled_position, kScaledPosition);
    init.visit(field);
  }
  Error validate() const { return {}; }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("embedding", "dim, maxPosition", "The vector of each position, as columns (pos_emb).",
                             {double(dim), double(max_position)}));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
