// Shaw's relative positions: a learned vector for each clipped distance.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// A vector for each distance j - i is added to the key, another one to the value. Distances beyond the limits use the
/// vector of the limit.
/// logits = q_i · (k_j + a_c), out_i = Σ_j w_ij (v_j + b_c), c = clip(j - i, -maxLeft, maxRight) + maxLeft. All heads
/// share the tables. Fractional distances are rounded to the nearest whole one. Attention scales the sum by 1/√dim.
/// Source: Shaw et al., "Self-Attention with Relative Position Representations", 2018, arXiv:1803.02155, eq. 3 and 4;
/// keys only (wav2vec2-BERT, `relative_key`): withValues = false.
struct Shaw {
  using Family = Relative;
  static constexpr Method method{
      .kind = "shaw",
      .title = "Shaw's relative positions",
      .formula =
          R"(e_{ij}=q_i\cdot(k_j+a_{\mathrm{clip}(j-i)}),\quad z_i=\sum_j\alpha_{ij}(v_j+b_{\mathrm{clip}(j-i)}))",
      .source = "Shaw et al. 2018, arXiv:1803.02155, eq. 3 and 4",
      .name = "Shaw’s relative vectors",
      .calls = {"bucketOf"},
  };

  int dim = 64;
  int max_distance = 16;
  int max_left = -1, max_right = -1;
  bool with_values = true;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
    static constexpr Field kMaxDistance{.name = "maxDistance",
                                        .doc = "Distances are clamped to this value in both directions.",
                                        .min = 0,
                                        .max = 1048576,
                                        .unit = "positions"};
    field(max_distance, kMaxDistance);
    static constexpr Field kMaxLeft{.name = "maxLeft",
                                    .doc = "Largest distance of keys before the query; -1: maxDistance.",
                                    .min = -1,
                                    .max = 1048576,
                                    .unit = "positions"};
    field(max_left, kMaxLeft);
    static constexpr Field kMaxRight{.name = "maxRight",
                                     .doc = "Largest distance of keys after the query; -1: maxDistance.",
                                     .min = -1,
                                     .max = 1048576,
                                     .unit = "positions"};
    field(max_right, kMaxRight);
    static constexpr Field kWithValues{
        .name = "withValues",
        .doc = "Whether distances also have vectors for the values; false: `values` is [0, dim]."};
    field(with_values, kWithValues);
    init.visit(field);
  }
  int left() const { return max_left < 0 ? max_distance : max_left; }
  int right() const { return max_right < 0 ? max_distance : max_right; }
  double rows() const { return left() + right() + 1.0; }
  Error validate() const { return {}; }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("keys", "distances, dim",
                             "Vectors added to keys, for distances from -maxLeft to maxRight.", {rows(), double(dim)}),
                   init.fill("values", "distances, dim", "Vectors added to values.",
                             {with_values ? rows() : 0.0, double(dim)}, 1));
  }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
