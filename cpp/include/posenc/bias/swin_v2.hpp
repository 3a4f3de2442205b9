// Relative position bias of Swin V2: a small network of the logarithms of the displacement.
#pragma once

#include "posenc/bias/window.hpp"

namespace posenc {

/// A network of the displacement (Δy, Δx) = query - key inside a window of h × w patches, numbered row by row. It also
/// provides biases for larger windows:
/// b_h = 16 · sigmoid(outputWeights_h · relu(inputWeights (ŷ, x̂) + inputBias)), ŷ = sign(Δy) · log8(1 + 8 |Δy| / (n -
/// 1)), and x̂ likewise.
/// n is the number of rows (columns) of the window that the network was trained on: pretrainedHeight (pretrainedWidth),
/// or that of this window if 0. Along an axis with one patch, ŷ is 0; the authors' code divides 0 by 0 there. The rows
/// of the table are the same as in Swin.
/// Attention in the model uses the cosine of q and k, divided by a learned temperature: pass q and k of unit length and
/// the learned scale. Queries and keys are indices in the window.
/// Source: Liu et al., "Swin Transformer V2", 2022, arXiv:2111.09883, equations 3 to 5; the factors 8 and 16 are from
/// the authors' code.
struct SwinV2 {
  using Family = Bias;
  static constexpr Method method{
      .kind = "swin-v2",
      .title = "Swin V2's continuous bias",
      .formula =
          R"(b_{h,i,j}=16\,\sigma\bigl(f_\theta(\hat{y},\hat{x})_h\bigr),\quad\hat{y}=\operatorname{sign}(y_i-y_j)\,\log_8\Bigl(1+\tfrac{8\,\lvert y_i-y_j\rvert}{n-1}\Bigr))",
      .source = "Liu et al. 2022, arXiv:2111.09883, equations 3 to 5",
      .name = "Swin V2’s continuous bias",
      .calls = {"buckets"},
  };

  int heads = 8;
  int window_height = 4, window_width = 4;
  int pretrained_height = 0, pretrained_width = 0;
  int width = 512;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    field(window_height, kWindowHeightField);
    field(window_width, kWindowWidthField);
    static constexpr Field kHeight{.name = "pretrainedHeight",
                                   .doc = "Rows of the window that the network was trained on; 0: windowHeight.",
                                   .min = 0,
                                   .max = 4096,
                                   .unit = "patches"};
    field(pretrained_height, kHeight);
    static constexpr Field kWidth =
        kHeight.with(&Field::name, "pretrainedWidth")
            .with(&Field::doc, "Columns of the window that the network was trained on; 0: windowWidth.");
    field(pretrained_width, kWidth);
    static constexpr Field kUnits{
        .name = "width", .doc = "Hidden units of the network.", .min = 1, .max = 65536, .unit = "units"};
    field(width, kUnits);
    init.visit_seed(field);
  }
  Error validate() const;

  Window window() const { return {window_height, window_width}; }
  std::vector<Parameter> parameters() const {
    const double units = width, in = std::sqrt(0.5), out = 1 / std::sqrt(units);
    return list_of(init.layer("inputWeights", "width, 2",
                              "First layer (cpb_mlp.0.weight); inputs are rows and columns.", {units, 2}, in, 1),
                   init.layer("inputBias", "width", "First layer (cpb_mlp.0.bias).", {units}, in, 2),
                   init.layer("outputWeights", "heads, width", "Second layer (cpb_mlp.2.weight).",
                              {double(heads), units}, out, 3));
  }
  std::unique_ptr<Bias> make() const;
};

}  // namespace posenc
