// LieRE: rotations of whole blocks of features, by learned generators.
#pragma once

#include "posenc/relative/row_maps.hpp"

namespace posenc {

/// Each block of blockDim features is rotated by R = exp(Σ_a p_a (U_a - U_aᵀ)), with U_a the part above the diagonal of
/// a learned matrix for each axis a. These are rotations in all planes of the block, which need not commute. Features
/// beyond the last whole block are unchanged, and so are tokens before the first cell of a grid.
/// generators [axes, blocks, blockDim, blockDim], one head after another if heads have their own; initial values are
/// uniform between 0 and 2π. With modelGrid, the number of cells of the model's image along each axis, positions 0 … n
/// - 1 become linspace(0, n / modelGrid, n).
/// Source: Ostmeier et al., "LieRE: Lie Rotational Positional Encodings", 2024, arXiv:2406.10322, section 4.
struct Liere {
  using Family = Relative;
  static constexpr Method method{
      .kind = "liere",
      .title = "Lie rotational position encoding (LieRE)",
      .formula = R"(x'=\exp\Big(\sum_ap_a\,(U_a-U_a^\top)\Big)\,x\ \text{ in each block},\quad U_a\text{ learned})",
      .source = "Ostmeier et al. 2024, arXiv:2406.10322, section 4",
      .name = "LieRE",
      .calls = {"apply", "applyBackward", "frequencies"},
  };

  int dim = 64;
  int heads = 0;
  int axes = 2;
  int block_dim = 8;
  std::vector<double> model_grid{};
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kHeadDimField.with(&Field::min, 2);
    field(dim, kDim);
    field(heads, kOwnHeadsField);
    field(axes, kAxesField);
    static constexpr Field kBlockDim{
        .name = "blockDim", .doc = "Features that are rotated together.", .min = 2, .max = 1024, .unit = "features"};
    field(block_dim, kBlockDim);
    static constexpr Field kModelGrid{
        .name = "modelGrid",
        .doc = "Cells along each axis of the model's image, spanning 0 to 1; null: positions unchanged.",
        .min = 1,
        .max = 16777216,
        .unit = "cells"};
    field(model_grid, kModelGrid);
    init.visit_seed(field);
  }
  Error validate() const;
  int blocks() const { return dim / block_dim; }
  std::vector<Parameter> parameters() const {
    return list_of(Parameter::uniform(
        "generators", "axes, blocks, blockDim, blockDim", "Learned matrices; only the part above the diagonal is used.",
        {double(axes), double(blocks()) * std::max(1, heads), double(block_dim), double(block_dim)}, 0, double(kTwoPi),
        init.seed));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
