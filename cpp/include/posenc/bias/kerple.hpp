// KERPLE: kernelized relative position biases.
#pragma once

#include "posenc/bias/alibi.hpp"

namespace posenc {

enum class KerpleForm { log, power, weighted, log_power };

template <>
struct Choices<KerpleForm> {
  static constexpr std::array<std::string_view, 4> names{"log", "power", "weighted", "log-power"};
};

/// A penalty that grows with the distance d; its growth is learned for each head.
/// log: -amplitude ln(1 + rate d).
/// power: -amplitude d^exponent.
/// weighted: power, and scores are first multiplied by exp(-weightRate d^weightExponent). Attention and applyTo do
/// this; `bias` is only the added part.
/// log-power (NeMo): -amplitude ln(1 + rate d^exponent).
/// d = |i - j|, or 0 for later keys if not bidirectional. As in the authors' code, parameters count as at least 0.01
/// and exponents as at most 2, except in NeMo's form.
/// Source: Chi et al., "KERPLE", 2022, arXiv:2205.09921, equations 5 and 6; `ParallelKerpleLog`, `ParallelKerplePower`.
struct Kerple {
  using Family = Bias;
  static constexpr Method method{
      .kind = "kerple",
      .title = "KERPLE",
      .formula = R"(b_{h,i,j}=-r_{1,h}\ln(1+r_{2,h}|i-j|)\ \text{or}\ -r_{1,h}|i-j|^{r_{2,h}})",
      .source = "Chi et al. 2022, arXiv:2205.09921, equations 5 and 6",
  };

  int heads = 8;
  KerpleForm form = KerpleForm::log;
  bool bidirectional = false;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    static constexpr Field kForm{
        .name = "form",
        .doc = "log -p ln(1+ad), power -a d^p, weighted (also scores × exp(-a'd^p')), log-power (NeMo)."};
    field(form, kForm);
    field(bidirectional, kBidirectionalField);
    init.visit_seed(field);
  }
  Error validate() const { return {}; }

  double limit(double number, double most = kInfinity) const {
    return form == KerpleForm::log_power ? number : std::min(std::max(number, 0.01), most);
  }
  /// The bias at a distance >= 0.
  double added(double distance, double amplitude, double rate, double exponent) const {
    if (form == KerpleForm::log) return 0.0 - limit(amplitude) * quick_log(1 + limit(rate) * distance);
    const double power = quick_power(distance, limit(exponent, 2));
    return 0.0 - limit(amplitude) * (form == KerpleForm::log_power ? quick_log(1 + rate * power) : power);
  }
  /// The factor of scores at a distance >= 0.
  double weight(double distance, double rate, double exponent) const {
    return quick_exp(0.0 - limit(rate) * quick_power(distance, limit(exponent, 2)));
  }

  /// Parameters that the form does not use are empty.
  std::vector<Parameter> parameters() const {
    const bool is_log = form == KerpleForm::log, is_nemo = form == KerpleForm::log_power;
    const auto numbers = [&](std::string_view name, Prose doc, bool used, double low, double high) {
      return Parameter::uniform(name, "heads", doc, {used ? double(heads) : 0.0}, low, high,
                                int(name.size()) * 7919 + init.seed % 1000000000);
    };
    auto out =
        list_of(numbers("amplitude", "log: bias_p in the authors' code; power: bias_a; log-power: kerple_b.", true, 0,
                        is_log ? 2 : 1),
                numbers("rate", "log: bias_a in the authors' code; log-power: kerple_a.", is_log || is_nemo, 0,
                        is_nemo ? 0 : 1),
                numbers("exponent", "power, weighted: bias_p in the authors' code; log-power: kerple_p.", !is_log,
                        is_nemo, is_nemo ? 1 : 2),
                numbers("weightRate", "weighted: wei_a in the authors' code.", form == KerpleForm::weighted, 0, 1),
                numbers("weightExponent", "weighted: wei_p in the authors' code.", form == KerpleForm::weighted, 0, 2));
    if (is_nemo) out[0].values = Alibi{.heads = heads}.slopes();
    return out;
  }
  std::unique_ptr<Bias> make() const;
};

class KerpleBias final : public DistanceBias {
 public:
  explicit KerpleBias(const Kerple& spec) : spec_(spec) {
    heads = spec.heads;
    has_factors = spec.form == KerpleForm::weighted;
  }

 protected:
  double value(int head, double distance, BiasScratch&) const override {
    return spec_.added(reach(distance, spec_.bidirectional), number(0, head), number(1, head), number(2, head));
  }
  double factor(int head, double distance) const override {
    return spec_.weight(reach(distance, spec_.bidirectional), number(3, head), number(4, head));
  }
  // Parameters beyond their limits have the slope of the limit, as in the authors' code, so that training can bring
  // them back.
  void scatter(int head, double query, double key, double slope, bool of_factor, Training& training,
               const BiasScratch&) const override {
    const double away = reach(query - key, spec_.bidirectional), logarithm = away > 0 ? quick_log(away) : 0;
    const double rate = spec_.limit(number(of_factor ? 3 : 1, head)), amplitude = spec_.limit(number(0, head));
    const double exponent = spec_.limit(number(of_factor ? 4 : 2, head), 2);
    const bool is_log = spec_.form == KerpleForm::log;
    const double power = is_log ? away : quick_power(away, exponent);
    // By amplitude, rate, exponent, weightRate, weightExponent.
    std::array<double, 5> by{};
    if (of_factor) {
      by[3] = power * quick_exp(0.0 - rate * power);
      by[4] = by[3] * rate * logarithm;
    } else if (is_log || spec_.form == KerpleForm::log_power) {
      by[0] = quick_log(1 + rate * power);
      by[1] = amplitude * power / (1 + rate * power);
      by[2] = by[1] * rate * logarithm;
    } else {
      by[0] = power;
      by[2] = amplitude * power * logarithm;
    }
    for (std::size_t i = 0; i < by.size(); ++i)
      if (!parameters[i].values.empty()) training.gradient(i)[head] -= float(by[i] * slope);
  }

 private:
  double number(std::size_t parameter, int head) const {
    const auto& values = parameters[parameter].values;
    return values.empty() ? 0.0 : double(values[std::size_t(head)]);
  }

  Kerple spec_;
};

inline std::unique_ptr<Bias> Kerple::make() const { return std::make_unique<KerpleBias>(*this); }

}  // namespace posenc
