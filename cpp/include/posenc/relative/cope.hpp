// CoPE: positions counted from content-dependent gates.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// The distance of a key is the number of open gates from the key up to the query.
/// g_ij = σ(q_i · k_j / √dim), 0 for masked keys; p_ij = min(Σ_(t≥j) g_it, maxPosition - 1); logits = q_i · k_j + q_i ·
/// e[p_ij], interpolated linearly between whole p.
/// With scaledPosition false, q_i · e is multiplied by √dim, which cancels attention's scale (cope-nodiv, the paper's
/// listing).
/// Intended for causal attention: without `causal`, keys after the query count, too. If the call has `gateKeys`, these
/// open the gates instead of k (cope-sep-key).
/// Source: Golovneva et al., "Contextual Position Encoding", 2024, arXiv:2405.18719, eq. 2 to 5; the options are from
/// the authors' code.
struct Cope {
  using Family = Relative;
  static constexpr Method method{
      .kind = "cope",
      .title = "Contextual position encoding (CoPE)",
      .formula = R"(p_{ij}=\sum_{t=j}^{i}\sigma(q_i\cdot k_t),\quad a_{ij}=q_i\cdot(k_j+e[p_{ij}]))",
      .source = "Golovneva et al. 2024, arXiv:2405.18719, eq. 2 to 5",
      .name = "CoPE",
      .calls = {"contextPositions"},
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
        .doc = "Number of positions with a vector (npos_max); farther ones count as the last.",
        .min = 1,
        .max = 1048576,
        .unit = "positions"};
    field(max_position, kMaxPosition);
    static constexpr Field kScaledGates{.name = "scaledGates",
                                        .doc = "Whether gates use the scores divided by the square root of dim."};
    field(scaled_gates, kScaledGates);
    static constexpr Field kScaledPosition{
        .name = "scaledPosition",
        .doc = "Position term scaled like q·k; false: times √dim, undoing the scale (cope-nodiv, paper)."};
    field(scaled_position, kScaledPosition);
    init.visit(field);
  }
  Error validate() const { return {}; }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("embedding", "dim, maxPosition", "Vector of each position, as columns (pos_emb).",
                             {double(dim), double(max_position)}));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
