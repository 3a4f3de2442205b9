// RoPE-Mixed: pairs that are rotated by all axes at once.
#pragma once

#include "posenc/relative/row_maps.hpp"

namespace posenc {

/// Each pair of features is rotated by the sum of all coordinates, each multiplied by a learned frequency, so that
/// directions between the axes are treated like the axes. Pair k of head h is rotated by Σ_a p_a f[a, h, k], with
/// frequencies [axes, heads, pairs]; interleaved [a0 b0 a1 b1 …] or half [a0 a1 … b0 b1 …].
/// Initial frequencies are base^(-i/n), with n pairs along each direction of a frame that is rotated randomly for each
/// head. A token before the first cell of a grid, or at position 0 on all axes, is unchanged.
/// Source: Heo et al., "Rotary Position Embedding for Vision Transformer", 2024, arXiv:2403.13298, eq. 10-13.
struct RopeMixed {
  using Family = Relative;
  static constexpr Method method{
      .kind = "rope-mixed",
      .title = "Mixed learnable RoPE (RoPE-Mixed)",
      .formula = R"(\text{pair }k\text{ of head }h\text{ is rotated by }\sum_a p_a\,f_{ahk},\quad f\text{ learned})",
      .source = "Heo et al. 2024, arXiv:2403.13298, eq. 10",
      .name = "RoPE-Mixed",
      .calls = {"apply", "applyBackward", "frequencies"},
  };

  int dim = 64;
  int heads = 8;
  int rotary_dim = 0;
  int axes = 2;
  std::vector<double> axis_order{};
  double base = 10;
  Pairing pairing = Pairing::interleaved;
  RandomInit init{.std = 1, .seed = 0};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kHeadDimField.with(&Field::min, 2);
    field(dim, kDim);
    static constexpr Field kHeads = kHeadsField.with(&Field::doc, "Number of key heads.");
    field(heads, kHeads);
    static constexpr Field kRotaryDim =
        kRotaryDimField.with(&Field::doc, "Leading features that are rotated; 0: all of them.");
    field(rotary_dim, kRotaryDim);
    field(axes, kAxesField);
    field(axis_order, kRowMapAxisOrderField);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Frequency base before training.");
    field(base, kBase);
    field(pairing, kRowMapPairingField);
    init.visit_seed(field);
  }
  int rotated_dim() const { return rotary_dim ? rotary_dim : dim; }
  Error validate() const;
  std::vector<Parameter> parameters() const {
    return list_of(mixed_frequencies(heads, axes, rotated_dim() / 2, base, init));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
