// GRAPE-AP: a bias that is summed along the path from a key to the query.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Each token between a key and the query lowers the score; the less it agrees with the query, the more: b_ij = s_h
/// Σ_(t=j+1)^i ln σ(p_i · R_t n(p_t) / width), s the slopes of ALiBi, n(p) = p / √(mean p² + ε), ε that of float32, R_t
/// a rotation by -t in each pair (c, c + width / 2), t the position of key t. Added after scale and softcap; 0 for keys
/// after the query.
/// `gateRows` of the call: p [batch, query heads, keys, width]; the queries are the last of the tokens. p_i is not
/// rotated, so the bias does not depend only on distances. Intended for causal attention.
/// Source: Zhang et al., "Group Representational Position Encoding (GRAPE)", 2025, arXiv:2512.07805, section 5; the
/// authors' code, `llama-mha-grape-ap-v1`.
struct GrapePath {
  using Family = Relative;
  static constexpr Method method{
      .kind = "grape-ap",
      .title = "GRAPE-AP (path integral)",
      .formula = R"(b_{h,i,j}=s_h\sum_{t=j+1}^{i}\ln\sigma\big(p_i\cdot R_t\,n(p_t)/w\big))",
      .source = "Zhang et al. 2025, arXiv:2512.07805, section 5",
      .name = "GRAPE-AP",
      .calls = {"biasOfRows"},
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
