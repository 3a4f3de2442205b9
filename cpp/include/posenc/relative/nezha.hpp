// NEZHA's relative positions: sinusoids of the clipped distance, added to keys and values.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// Shaw's scheme without learned parameters: the vector of a distance is a row of the sinusoidal table.
/// logits = q_i · (k_j + r_c), out_i = Σ_j w_ij (v_j + r_c), c = clip(j - i, -maxDistance, maxDistance) + maxDistance,
/// r_c [2i] = sin(c / base^(2i/dim)), r_c [2i+1] = cos(c / base^(2i/dim)).
/// c is counted from the farthest key before the query, as in the published code, so that positions are never negative.
/// All heads share the rows. The last feature of an odd row is 0. Fractional distances are rounded to the nearest whole
/// one. Attention scales the sum by 1/√dim.
/// Source: Wei et al., "NEZHA", 2019, arXiv:1909.00204, eq. 4 to 6; the shifted count is from the authors' code.
struct Nezha {
  using Family = Relative;
  static constexpr Method method{
      .kind = "nezha",
      .title = "NEZHA's relative sinusoids",
      .formula =
          R"(e_{ij}=q_i\cdot(k_j+r_c),\quad z_i=\sum_j\alpha_{ij}(v_j+r_c),\quad r_{c,2i}=\sin\frac{c}{\mathrm{base}^{2i/d}},\ r_{c,2i+1}=\cos\frac{c}{\mathrm{base}^{2i/d}})",
      .source = "Wei et al. 2019, arXiv:1909.00204, eq. 4 to 6",
      .name = "NEZHA’s relative sinusoids",
      .calls = {"bucketOf"},
  };

  int dim = 64;
  int max_distance = 64;
  double base = 10000;
  bool with_values = true;

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kHeadDimField);
    static constexpr Field kMaxDistance{.name = "maxDistance",
                                        .doc = "Distances are clamped to this value in both directions.",
                                        .min = 0,
                                        .max = 1048576,
                                        .unit = "positions"};
    field(max_distance, kMaxDistance);
    field(base, kBaseField);
    static constexpr Field kWithValues{.name = "withValues",
                                       .doc = "Whether the sinusoids are also added to the values."};
    field(with_values, kWithValues);
  }
  Error validate() const { return {}; }
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
