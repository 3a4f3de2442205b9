// Relative position bias of Swin and BEiT, for a window of patches.
#pragma once

#include "posenc/bias/window.hpp"

namespace posenc {

/// A learned bias for each head and displacement (Δy, Δx) inside a window of h × w patches, numbered row by row. It is
/// in row (Δy + h - 1)(2w - 1) + Δx + w - 1 of the table, Δ = query - key.
/// With a class token (BEiT), index 0 is the token and the table has three more rows: token to patch, patch to token,
/// token to token. Queries and keys are indices in the window: whole numbers from 0. Attention treats windows as its
/// batch.
/// Source: Liu et al., "Swin Transformer", 2021, arXiv:2103.14030, equation 4; Bao et al., "BEiT", 2022,
/// arXiv:2106.08254.
struct Swin {
  using Family = Bias;
  static constexpr Method method{
      .kind = "swin",
      .title = "Swin and BEiT bias",
      .formula = R"(b_{h,i,j}=W_{\mathrm{index}(y_i-y_j,\;x_i-x_j),\,h})",
      .source = "Liu et al. 2021, arXiv:2103.14030, equation 4",
      .calls = {"resize", "buckets"},
  };

  int heads = 8;
  int window_height = 4, window_width = 4;
  bool class_token = false;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    field(window_height, kWindowHeightField);
    field(window_width, kWindowWidthField);
    static constexpr Field kClassToken{.name = "classToken",
                                       .doc = "Whether a class token precedes the patches (BEiT)."};
    field(class_token, kClassToken);
    init.visit(field);
  }
  Error validate() const { return {}; }

  Window window() const { return {window_height, window_width, class_token}; }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weights", "displacements, heads", "relative_position_bias_table of a checkpoint.",
                             {double(window().rows()), double(heads)}));
  }
  std::unique_ptr<Bias> make() const;
};

class SwinBias final : public WindowBias {
 public:
  explicit SwinBias(const Swin& spec) : WindowBias(spec.window(), spec.heads) {}

  void row(int head, double query, double first_key, std::size_t count, float* out, BiasScratch&) const override {
    const float* weights = parameters[0].values.data();
    look_up(head, query, first_key, count, out,
            [&](int row) { return weights + std::size_t(row) * std::size_t(heads); });
  }
};

inline std::unique_ptr<Bias> Swin::make() const { return std::make_unique<SwinBias>(*this); }

}  // namespace posenc
