// Sandwich: the position part of sinusoidal attention as a bias.
#pragma once

#include "posenc/bias/bias.hpp"
#include "posenc/core/sinusoids_cache.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

/// The dot product of two sinusoidal encodings, which depends on their distance d, with a separate strength for each
/// head:
/// (sum over i = 1 … dim/2 of cos(d base^(-2i/dim)) - dim/2) · heads / (8 (h + 1)).
/// d = |i - j|, or 0 for later keys if not bidirectional. Frequencies start at i = 1, as in the only published code, so
/// the frequency 1 is not included.
/// Source: Chi et al., "Dissecting Transformer Length Extrapolation", 2023, arXiv:2212.10356, equation 5; NeMo.
struct Sandwich {
  using Family = Bias;
  static constexpr Method method{
      .kind = "sandwich",
      .title = "Sandwich",
      .formula = R"(b_{h,i,j}=\frac{H}{8(h+1)}\Bigl(\sum_{k=1}^{d/2}\cos\bigl((i-j)\,b^{-2k/d}\bigr)-\frac d2\Bigr))",
      .source = "Chi et al. 2023, arXiv:2212.10356, equation 5",
  };

  int heads = 8;
  int dim = 64;
  double base = 10000;
  bool bidirectional = false;

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    static constexpr Field kDim = kHeadDimField.with(&Field::required, false)
                                      .with(&Field::min, 2)
                                      .with(&Field::doc, "Head dimension: twice the number of frequencies.");
    field(dim, kDim);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Frequency base of the cosines.");
    field(base, kBase);
    field(bidirectional, kBidirectionalField);
  }
  Error validate() const {
    if (dim % 2 == 0) return {};
    return spec_error(method.kind, "dim", "must be even, got %", dim);
  }

  std::vector<Real> frequencies() const {
    std::vector<Real> out(std::size_t(dim / 2), Real(0));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = power(Real(base), Real(-2 * double(i + 1)) / Real(dim));
    return out;
  }
  std::unique_ptr<Bias> make() const;
};

class SandwichBias final : public DistanceBias {
 public:
  explicit SandwichBias(const Sandwich& spec) : spec_(spec), sinusoids_{spec.frequencies()} {
    heads = spec.heads;
    heads_share = true;
  }

  Error begin(const Positions& queries, const Positions& keys, double most, BiasScratch& scratch) const override {
    if (!scratch.sinusoids) scratch.sinusoids = make_sinusoids_cache({&sinusoids_, 1});
    if (!scratch.sinusoids) return no_memory_for_rows();
    return DistanceBias::begin(queries, keys, most, scratch);
  }

 protected:
  double value(int head, double distance, BiasScratch& scratch) const override {
    const double away = reach(distance, spec_.bidirectional);
    Sinusoids& sinusoids = *static_cast<SinusoidsCache&>(*scratch.sinusoids).sinusoids[0];
    // Heads differ by a factor only.
    if (away != scratch.distance) scratch.sum = sinusoids.cosine_sum(scratch.distance = away) - sinusoids.count();
    return scratch.sum * heads / (8.0 * (head + 1));
  }

 private:
  Sandwich spec_;
  SinusoidSet sinusoids_;
};

inline std::unique_ptr<Bias> Sandwich::make() const { return std::make_unique<SandwichBias>(*this); }

}  // namespace posenc
