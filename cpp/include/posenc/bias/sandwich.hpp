// Sandwich: the position part of sinusoidal attention as a bias.
#pragma once

#include "posenc/bias/bias.hpp"
#include "posenc/math/real.hpp"
#include "posenc/math/waves.hpp"

namespace posenc {

/// The dot product of two sinusoidal encodings, which goes by their distance d, with a strength for each head:
/// (sum over i = 1 … dim/2 of cos(d base^(-2i/dim)) - dim/2) · heads / (8 (h + 1)).
/// d = |i - j|, or 0 for later keys where not bidirectional. The waves start at i = 1, as in the only published code:
/// the frequency 1 is not among them. Source: Chi et al., "Dissecting Transformer Length Extrapolation", 2023,
/// arXiv:2212.10356, equation 5; NeMo.
struct Sandwich {
  using Family = Bias;
  static constexpr Method method{
      .kind = "sandwich",
      .title = "Sandwich",
      .formula = R"(b_{h,i,j}=\frac{H}{8(h+1)}\Bigl(\sum_{k=1}^{d/2}\cos\bigl((i-j)\,b^{-2k/d}\bigr)-\frac d2\Bigr))",
      .source = "Chi et al. 2023, arXiv:2212.10356, equation 5",
      .summary =
          "the sum of {plural(dim / 2, 'cosine')} of the distance (dim {dim}, base {about(base)}), "
          "weaker from head to head ({heads})",
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
                                      .with(&Field::doc, "Width of a head: twice the number of waves.");
    field(dim, kDim);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Frequency base of the waves.");
    field(base, kBase);
    field(bidirectional, kBidirectionalField);
  }
  Error validate() const {
    if (dim % 2 == 0) return {};
    return spec_error(method.kind, "dim", "must be even, got %", dim);
  }

  std::vector<Real> frequencies() const {
    std::vector<Real> out;
    for (int i = 1; i <= dim / 2; ++i) out.push_back(power(Real(base), Real(-2 * i) / Real(dim)));
    return out;
  }
  std::unique_ptr<Bias> make() const;
};

class SandwichBias final : public DistanceBias {
 public:
  explicit SandwichBias(const Sandwich& spec) : spec_(spec), waves_(spec.frequencies()) {
    heads = spec.heads;
    heads_share = true;
  }

 protected:
  double value(int head, double distance) const override {
    const double away = reach(distance, spec_.bidirectional);
    // Heads differ by a factor only.
    if (away != distance_) sum_ = waves_.cosine_sum(distance_ = away) - waves_.count();
    return sum_ * heads / (8.0 * (head + 1));
  }

 private:
  Sandwich spec_;
  mutable Waves waves_;
  mutable double distance_ = 0, sum_ = 0;
};

inline std::unique_ptr<Bias> Sandwich::make() const { return std::make_unique<SandwichBias>(*this); }

}  // namespace posenc
