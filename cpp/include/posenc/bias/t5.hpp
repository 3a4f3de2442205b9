// T5's relative position bias.
#pragma once

#include "posenc/bias/bias.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

/// A learned bias for each head and bucket of distances. Small distances have a bucket each, larger ones share buckets
/// of increasing width.
/// With n buckets per side and e = n / 2: r = |i - j| < e has its own bucket; larger r is in bucket min(e + ⌊(n - e)
/// ln(r / e) / ln(maxDistance / e)⌋, n - 1). bidirectional: n = buckets / 2, and keys after the query add n. Otherwise
/// n = buckets, and later keys count as r = 0. Fractions are truncated. T5 does not scale q·k: use attention with
/// `scale` 1.
/// Source: Raffel et al., "Exploring the Limits of Transfer Learning", 2020, arXiv:1910.10683, section 2.1;
/// `T5Attention`.
struct T5 {
  using Family = Bias;
  static constexpr Method method{
      .kind = "t5",
      .title = "T5 bias",
      .formula = R"(b_{h,i,j}=W_{\mathrm{bucket}(i-j),\,h})",
      .source = "Raffel et al. 2020, arXiv:1910.10683, section 2.1",
      .calls = {"buckets"},
  };

  int heads = 8;
  int bucket_count = 32;
  int max_distance = 128;
  bool bidirectional = true;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    static constexpr Field kBuckets{.name = "buckets",
                                    .doc = "Number of buckets, both directions together.",
                                    .min = 2,
                                    .max = 65536,
                                    .unit = "buckets"};
    field(bucket_count, kBuckets);
    static constexpr Field kMaxDistance{.name = "maxDistance",
                                        .doc = "Smallest distance from which all distances share the last bucket.",
                                        .min = 2,
                                        .max = 1e9,
                                        .unit = "positions"};
    field(max_distance, kMaxDistance);
    static constexpr Field kBidirectional{
        .name = "bidirectional",
        .doc = "Whether keys after the query have separate buckets (T5's encoder; its decoder: false)."};
    field(bidirectional, kBidirectional);
    init.visit(field);
  }
  int side() const { return bidirectional ? bucket_count / 2 : bucket_count; }
  int exact() const { return side() / 2; }
  Error validate() const {
    if (exact() < 1) return spec_error(method.kind, "buckets", "must be ≥ 4 if bidirectional, got %", bucket_count);
    if (max_distance <= exact())
      return spec_error(method.kind, "maxDistance", "must be > % (single-distance buckets), got %", exact(),
                        max_distance);
    return {};
  }

  /// The first distance of each bucket after the single-distance ones: e (maxDistance / e)^(k / (n - e)), rounded up.
  std::vector<double> starts() const {
    const Real first = exact(), ratio = Real(max_distance) / first, steps = side() - exact();
    std::vector<double> out;
    for (int k = 1; k < side() - exact(); ++k) {
      const Real start = first * power(ratio, Real(k) / steps);
      // A whole number arrives with an error of about 1e-30.
      const Real whole = std::floor(start.hi + 0.5), off = start - whole;
      out.push_back(std::abs(off.hi) < 1e-20 * start.hi ? whole.hi : ceil(start).hi);
    }
    return out;
  }

  std::vector<Parameter> parameters() const {
    return list_of(init.fill("weights", "buckets, heads", "relative_attention_bias.weight of a checkpoint.",
                             {double(bucket_count), double(heads)}));
  }
  std::unique_ptr<Bias> make() const;
};

class T5Bias final : public DistanceBias {
 public:
  explicit T5Bias(const T5& spec) : spec_(spec), starts_(spec.starts()) { heads = spec.heads; }

  int bucket(double query, double key) const override {
    const double distance = std::trunc(query - key), away = reach(distance, spec_.bidirectional);
    const int ahead = spec_.bidirectional && distance < 0 ? spec_.side() : 0;
    if (away < spec_.exact()) return ahead + int(away);
    return ahead + spec_.exact() + int(std::upper_bound(starts_.begin(), starts_.end(), away) - starts_.begin());
  }

 protected:
  double value(int head, double distance, BiasScratch&) const override {
    return parameters[0].values[std::size_t(bucket(distance, 0)) * std::size_t(heads) + std::size_t(head)];
  }

 private:
  T5 spec_;
  std::vector<double> starts_;
};

inline std::unique_ptr<Bias> T5::make() const { return std::make_unique<T5Bias>(*this); }

}  // namespace posenc
