// Masks by position as a bias: causal and sliding windows.
#pragma once

#include "posenc/bias/bias.hpp"

namespace posenc {

/// An additive mask as other runtimes take it: 0 for keys that a query attends to, -infinity (or `hidden`) for masked
/// keys.
/// causal masks keys after the query; windowLeft and windowRight mask keys more than that many positions before or
/// after it.
/// Source: Vaswani et al. 2017, section 3.2.3; Beltagy et al., "Longformer", 2020, arXiv:2004.05150, section 3.1.
struct Mask {
  using Family = Bias;
  static constexpr Method method{
      .kind = "mask",
      .title = "Mask",
      .formula = R"(b_{i,j}=0\ \text{if}\ j\le i\ \text{and}\ i-j\le w,\ \text{else}\ -\infty)",
      .source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.2.3",
  };

  int heads = 1;
  bool causal = true;
  int window_left = -1, window_right = -1;
  std::optional<double> hidden{};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kHeads = kHeadsField.with(&Field::required, false)
                                        .with(&Field::doc, "Number of copies of the mask; attention shares one.");
    field(heads, kHeads);
    static constexpr Field kCausal{.name = "causal", .doc = "Whether keys after the query are masked."};
    field(causal, kCausal);
    static constexpr Field kLeft{.name = "windowLeft",
                                 .doc = "Number of keys before its own position that a query attends to; -1: all.",
                                 .min = -1,
                                 .max = 2147483647,
                                 .unit = "positions"};
    field(window_left, kLeft);
    static constexpr Field kRight{.name = "windowRight",
                                  .doc = "Number of keys after its own position that a query attends to; -1: all.",
                                  .min = -1,
                                  .max = 2147483647,
                                  .unit = "positions"};
    field(window_right, kRight);
    static constexpr Field kHidden{
        .name = "hidden", .doc = "Bias of masked keys, such as -10000; null: -Infinity.", .min = -3e38, .max = 0};
    field(hidden, kHidden);
  }
  Error validate() const { return {}; }

  double value(double distance) const {
    const bool is_masked = (causal && distance < 0) || (window_left >= 0 && distance > window_left) ||
                           (window_right >= 0 && -distance > window_right);
    return is_masked ? hidden.value_or(-kInfinity) : 0.0;
  }
  std::unique_ptr<Bias> make() const;
};

class MaskBias final : public DistanceBias {
 public:
  explicit MaskBias(const Mask& spec) : spec_(spec) { heads = spec.heads; }

 protected:
  double value(int, double distance, BiasScratch&) const override { return spec_.value(distance); }

 private:
  Mask spec_;
};

inline std::unique_ptr<Bias> Mask::make() const { return std::make_unique<MaskBias>(*this); }

}  // namespace posenc
