// No positional encoding, as an encoding.
#pragma once

#include "posenc/bias/bias.hpp"

namespace posenc {

/// A bias of 0 for every query and key, so that attention without positions can be used like any other encoding. It
/// fits any number of heads and any head dimension, takes positions with any number of axes, and is bit-identical to
/// attention without an encoding.
/// With a causal mask, a model still learns something about order (NoPE). Some models have such layers between rotary
/// ones (Llama 4, SmolLM3, Cohere 2), or remove their rotation after training (DroPE).
/// bias [heads, queries, keys] = 0. Source: Kazemnejad et al., "The Impact of Positional Encoding on Length
/// Generalization in Transformers", 2023, arXiv:2305.19466, section 3.
struct NoEncoding {
  using Family = Bias;
  static constexpr Method method{
      .kind = "none",
      .title = "No positional encoding",
      .formula = R"(b_{i,j}=0)",
      .source = "Kazemnejad et al. 2023, arXiv:2305.19466, section 3",
      .calls = {"addTo", "apply"},
  };

  int heads = 1;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kHeads = kHeadsField.with(&Field::required, false)
                                        .with(&Field::doc, "Number of copies of the zeros; attention shares one.");
    field(heads, kHeads);
  }
  Error validate() const { return {}; }
  std::unique_ptr<Bias> make() const;
};

class ZeroBias final : public Bias {
 public:
  explicit ZeroBias(const NoEncoding& spec) {
    heads = spec.heads;
    by_distance = is_zero = true;
  }

  Error begin(const Positions&, const Positions&, double, BiasScratch&) const override { return {}; }
  void row(int, double, double, std::size_t count, float* out, BiasScratch&) const override {
    std::fill_n(out, count, 0.0f);
  }
};

inline std::unique_ptr<Bias> NoEncoding::make() const { return std::make_unique<ZeroBias>(*this); }

}  // namespace posenc
