// PaTH: positions as products of reflections.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Each token between a key and a query has its own transformation, a generalised reflection.
/// logits = q_i H_i H_(i-1) … H_(j+1) k_j + G_i - G_j, H_t = I - β_t w_t w_tᵀ, G_i = Σ_(t≤i) log f_t (0 without
/// `logGates`).
/// Inputs of the call: `directions` w [batch, key heads, keys, dim], of length 1 (they are not normalised); `strengths`
/// β [batch, key heads, keys], from 0 to 2; `logGates` [batch, query heads, keys], scaled like the other terms. The
/// queries are the last of the keys. The score of a key after a query is only q · k. Intended for causal attention.
/// Source: Yang et al., "PaTH Attention", 2025, arXiv:2505.16381, eq. 2 and 3, section 3.3; flash-linear-attention.
struct Path {
  using Family = Relative;
  static constexpr Method method{
      .kind = "path",
      .title = "PaTH attention",
      .formula = R"(a_{ij}=q_i\Big(\prod_{t=i}^{j+1}(I-\beta_t w_t w_t^\top)\Big)k_j+\sum_{t=j+1}^{i}\log f_t)",
      .source = "Yang et al. 2025, arXiv:2505.16381, eq. 2 and 3",
      .name = "PaTH",
  };

  int dim = 64;

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
  }
  Error validate() const { return {}; }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
