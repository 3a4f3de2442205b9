// KERPLE: kernelized relative position biases.
#pragma once

#include "posenc/bias/alibi.hpp"

namespace posenc {

enum class KerpleForm { log, power, weighted, log_power };

template <>
struct Choices<KerpleForm> {
  static constexpr std::array<std::string_view, 4> names{"log", "power", "weighted", "log-power"};
};

/// A penalty whose growth with the distance d is learned, for each head:
/// log -amplitude ln(1 + rate d); power -amplitude d^exponent; weighted: power, and scores are first multiplied by
/// exp(-weightRate d^weightExponent) (attention and applyTo do that; `bias` is the added part);
/// log-power (NeMo) -amplitude ln(1 + rate d^exponent). d = |i - j|, or 0 for later keys where not bidirectional.
/// As the authors' code does, numbers count as at least 0.01 and exponents as at most 2, but not in NeMo's form.
/// Source: Chi et al., "KERPLE", 2022, arXiv:2205.09921, equations 5 and 6; `ParallelKerpleLog`, `ParallelKerplePower`.
struct Kerple {
  using Family = Bias;
  static constexpr Method method{
      .kind = "kerple",
      .title = "KERPLE",
      .formula = R"(b_{h,i,j}=-r_{1,h}\ln(1+r_{2,h}|i-j|)\ \text{or}\ -r_{1,h}|i-j|^{r_{2,h}})",
      .source = "Chi et al. 2022, arXiv:2205.09921, equations 5 and 6",
      .summary =
          "{choose(form, { log: '-amplitude ln(1 + rate d)', power: '-amplitude d^exponent', "
          "weighted: '-amplitude d^exponent, added to scores that were multiplied by exp(-weightRate "
          "d^weightExponent)', "
          "'log-power': '-amplitude ln(1 + rate d^exponent), as NeMo has it' })}"
          ", learned for each of {plural(heads, 'head')}",
  };

  int heads = 8;
  KerpleForm form = KerpleForm::log;
  bool bidirectional = false;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    field(heads, kHeadsField);
    static constexpr Field kForm{.name = "form",
                                 .doc =
                                     "log -p ln(1 + a d), power -a d^p, weighted (power, and scores times "
                                     "exp(-a' d^p')) or log-power -b ln(1 + a d^p) (NeMo)."};
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
  /// What scores are multiplied by at a distance >= 0.
  double weight(double distance, double rate, double exponent) const {
    return quick_exp(0.0 - limit(rate) * quick_power(distance, limit(exponent, 2)));
  }

  /// Those that the form does not have are empty.
  std::vector<Parameter> parameters() const {
    const bool is_log = form == KerpleForm::log, is_nemo = form == KerpleForm::log_power;
    const auto numbers = [&](std::string_view name, Prose doc, bool used, double low, double high) {
      return Parameter::uniform(name, "heads", doc, {used ? double(heads) : 0.0}, low, high,
                                int(name.size()) * 7919 + init.seed % 1000000000);
    };
    auto out = list_of(
        numbers("amplitude", "log: bias_p of the authors; power: bias_a; log-power: kerple_b.", true, 0,
                is_log ? 2 : 1),
        numbers("rate", "log: bias_a of the authors; log-power: kerple_a.", is_log || is_nemo, 0, is_nemo ? 0 : 1),
        numbers("exponent", "power, weighted: bias_p of the authors; log-power: kerple_p.", !is_log, is_nemo,
                is_nemo ? 1 : 2),
        numbers("weightRate", "weighted: wei_a of the authors.", form == KerpleForm::weighted, 0, 1),
        numbers("weightExponent", "weighted: wei_p of the authors.", form == KerpleForm::weighted, 0, 2));
    if (is_nemo) out[0].values = Alibi{.heads = heads}.slopes();
    return out;
  }
  std::unique_ptr<Bias> make() const;
};

}  // namespace posenc
