// What learned linear maps read from a layer's input for each token: gates, or rows that gates are made of.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Of the encoding's parameters: a weight [numbers, dim] and maybe a bias [numbers]. Of a token's numbers, part by part
/// those of each head, a head gets `width` in a row.
struct LayerGates {
  const Relative& encoding;
  int dim, heads;
  int width = 1, parts = 1;
  /// Are they logits of gates, whose logarithms are made, times this?
  bool are_gates = true;
  double log_scale = 1;

  /// x [batch, positions, dim], out [batch, heads, positions, width], without a last axis where there are gates, or
  /// bthd.
  Error make(const View& x, HeadLayout layout, const View& out) const noexcept;
  Error make_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                      Training& training) const noexcept;

 private:
  int numbers() const { return heads * width; }
  Error check_input(const View& x) const;
  Shape shape(const View& x, HeadLayout layout) const;
  const float* weight_of(int number) const;
  double logit(const float* row, int number) const;
  /// visit(row, number, at): a token's row of x, and where its number stands in `out`.
  template <class Visit>
  void for_each(const View& x, HeadLayout layout, Visit&& visit) const;
};

}  // namespace posenc
