// ALiBi: attention with linear biases.
#pragma once

#include <cmath>

#include "posenc/bias/bias.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

enum class AlibiForm { relative, key, key_absolute };

template <>
struct Choices<AlibiForm> {
  static constexpr std::array<std::string_view, 3> names{"relative", "key", "key-absolute"};
};

/// A penalty that grows with the distance between query and key, with a separate slope for each head.
/// relative: -m_h |i - j|; key: m_h (j - last key of the call) (MPT); key-absolute: m_h j (BLOOM). With a causal mask,
/// softmax makes the three equal.
/// m_h = 2^(-maxBias (h+1)/c), h < c = 2^⌊log2 heads⌋; the other heads: 2^(-maxBias (2(h-c)+1)/(2c)).
/// Source: Press et al., "Train Short, Test Long", 2021, arXiv:2108.12409, section 3.
struct Alibi {
  using Family = Bias;
  static constexpr Method method{
      .kind = "alibi",
      .title = "ALiBi",
      .formula = R"(b_{h,i,j}=-m_h\,|i-j|,\quad m_h=2^{-8(h+1)/H})",
      .source = "Press et al. 2021, arXiv:2108.12409, section 3",
      .calls = {"slopes"},
  };

  int heads = 8;
  double max_bias = 8;
  AlibiForm form = AlibiForm::relative;
  int active_heads = 0;

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    static constexpr Field kMaxBias{.name = "maxBias",
                                    .doc = "Exponent of the smallest slope, 2^-maxBias (MPT's alibi_bias_max).",
                                    .min = 0,
                                    .max = 1000};
    field(max_bias, kMaxBias);
    static constexpr Field kForm{.name = "form",
                                 .doc = "relative -m|i-j|, key m(j - last key) (MPT) or key-absolute m·j (BLOOM)."};
    field(form, kForm);
    static constexpr Field kActiveHeads{
        .name = "activeHeads",
        .doc = "Number of heads with a slope; the rest have slope 0 (NeMo). 0: all heads.",
        .min = 0,
        .max = 65536,
        .unit = "heads"};
    field(active_heads, kActiveHeads);
  }
  Error validate() const {
    if (active_heads <= heads) return {};
    return spec_error(method.kind, "activeHeads", "must be ≤ heads (%), got %", heads, active_heads);
  }

  std::vector<float> slopes() const {
    const int count = active_heads ? active_heads : heads;
    int whole = 1;
    while (2 * whole <= count) whole *= 2;
    std::vector<float> out(std::size_t(heads), 0.0f);
    for (int h = 0; h < count; ++h) {
      const double step = h < whole ? double(h + 1) / whole : double(2 * (h - whole) + 1) / (2.0 * whole);
      out[std::size_t(h)] = float(power(Real(2), Real(-max_bias) * Real(step)));
    }
    return out;
  }

  std::vector<Parameter> parameters() const {
    return list_of(
        Parameter{"slopes", "heads", "Slope of each head; learned in some models.", {double(heads)}, slopes()});
  }
  std::unique_ptr<Bias> make() const;
};

/// The form `relative`, which depends on the distance between query and key.
class AlibiBias final : public DistanceBias {
 public:
  explicit AlibiBias(const Alibi& spec) { heads = spec.heads; }

 protected:
  double value(int head, double distance, BiasScratch&) const override {
    return 0.0 - double(parameters[0].values[std::size_t(head)]) * std::abs(distance);
  }
  // The same without a virtual call for each: one token's row is all work.
  void fill(bool, int head, double relative, std::size_t count, float* out, BiasScratch& scratch) const override {
    for (std::size_t j = 0; j < count; ++j) out[j] = float(AlibiBias::value(head, relative + double(j), scratch));
  }
  void scatter(int head, double query, double key, double slope, bool, Training& training,
               const BiasScratch&) const override {
    training.gradient(0)[head] -= float(std::abs(query - key) * slope);
  }
};

/// The forms `key` and `key-absolute`, which depend only on the key's position.
class KeyAlibiBias final : public Bias {
 public:
  explicit KeyAlibiBias(const Alibi& spec) : form_(spec.form) { heads = spec.heads; }

  Error begin(const Positions&, const Positions& keys, double, BiasScratch& scratch) const override {
    scratch.last_key = form_ == AlibiForm::key && keys.count ? keys.largest() : 0;
    return {};
  }
  void row(int head, double, double first_key, std::size_t count, float* out, BiasScratch& scratch) const override {
    const double slope = double(parameters[0].values[std::size_t(head)]), start = first_key - scratch.last_key;
    for (std::size_t j = 0; j < count; ++j) out[j] = float(slope * (start + double(j)));
  }
  void scatter(int head, double, double key, double slope, bool, Training& training,
               const BiasScratch& scratch) const override {
    training.gradient(0)[head] += float((key - scratch.last_key) * slope);
  }

 private:
  AlibiForm form_;
};

inline std::unique_ptr<Bias> Alibi::make() const {
  if (form == AlibiForm::relative) return std::make_unique<AlibiBias>(*this);
  return std::make_unique<KeyAlibiBias>(*this);
}

}  // namespace posenc
