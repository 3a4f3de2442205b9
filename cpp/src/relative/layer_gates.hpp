// Learned linear maps of a layer's input for each token: gates, or rows that gates are computed from.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Parameters of the encoding: a weight [outputs, dim] and maybe a bias [outputs]. The outputs of a token are ordered
/// by part, head and column; each head gets a row of `width` columns, an equal share from each part.
struct LayerGates {
  const Relative& encoding;
  int dim, heads;
  int width = 1, parts = 1;
  /// Whether outputs are logits of gates. Then results are log_scale · log gate.
  bool are_gates = true;
  double log_scale = 1;

  /// x [batch, positions, dim], out [batch, heads, positions, width], or bthd. Gates have no last axis.
  Error make(const View& x, HeadLayout layout, const View& out) const noexcept;
  Error make_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                      Training& training) const noexcept;

 private:
  int outputs() const { return heads * width; }
  Error check_input(const View& x) const;
  Shape shape(const View& x, HeadLayout layout) const;
  const float* weight_of(int number) const;
  double logit(const float* row, int number) const;
  /// Calls visit(row, number, at): a token's row of x, the index of an output, and its offset in `out`.
  template <class Visit>
  void for_each(const View& x, HeadLayout layout, Visit&& visit) const;
};

}  // namespace posenc
