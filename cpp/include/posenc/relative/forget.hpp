// Forgetting attention: a bias of the forget gates between key and query.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Each token has a forget gate, which reduces the scores of all previous tokens. The score of a key gets the
/// logarithms of the gates of the tokens after it, up to the query, after scale and softcap: b_ij = c_i - c_j, c_i =
/// Σ_(t≤i) log f_t.
/// `logGates` of the call: [batch, query heads, keys], log f of each token, such as ln σ(w · x + b) (make_gates() of w
/// · x + b). The queries are the last of the tokens.
/// Without `causal`, keys after the query get c_i - c_j, too, which raises their scores.
/// Source: Lin et al., "Forgetting Transformer (FoX)", 2025, arXiv:2503.02130, eq. 3 to 5; the authors' code and
/// flash-linear-attention.
struct Forget {
  using Family = Relative;
  static constexpr Method method{
      .kind = "forget",
      .title = "Forgetting attention (FoX)",
      .formula = R"(b_{h,i,j}=\sum_{t=j+1}^{i}\log f_{h,t},\quad f_{h,t}=\sigma(w_h\cdot x_t+\beta_h))",
      .source = "Lin et al. 2025, arXiv:2503.02130, eq. 3 to 5",
      .name = "FoX",
      .calls = {"logGates", "logGatesBackward", "bias"},
  };

  int heads = 8;

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
  }
  Error validate() const { return {}; }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
