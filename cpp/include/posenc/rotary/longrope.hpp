// LongRoPE: RoPE with a divisor for each pair, found by a search.
#pragma once

#include "posenc/math/powers.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Each pair's frequency has its own divisor: one list up to originalLength, another for longer sequences.
/// θ'_k = θ_k / λ_k; cos and sin are multiplied by √(1 + ln s / ln L0).
/// The whole call uses one list, chosen by its sequence length (the largest position + 1, unless given).
/// Source: Ding et al., "LongRoPE", 2024, arXiv:2402.13753, eq. 3; Hugging Face Phi-3.
struct RopeLongrope {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope-longrope",
      .title = "LongRoPE",
      .formula =
          R"(\theta'_k=\theta_k/\lambda_k,\quad\lambda=\begin{cases}\text{short}&L\le L_0\\\text{long}&L>L_0\end{cases})",
      .source = "Ding et al. 2024, arXiv:2402.13753, eq. 3",
  };

  RotaryCommon common{};
  std::vector<double> short_factor{}, long_factor{};
  double original_length = 1;
  double factor = 1;
  std::optional<double> given_attention_factor{};

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    static constexpr Field kShortFactor{.name = "shortFactor",
                                        .doc = "Divisor of each pair up to originalLength (one value: for all pairs).",
                                        .min = 1e-6,
                                        .max = 1e9,
                                        .required = true,
                                        .example = 1};
    field(short_factor, kShortFactor);
    static constexpr Field kLongFactor{.name = "longFactor",
                                       .doc = "Divisor of each pair beyond originalLength (one value: for all pairs).",
                                       .min = 1e-6,
                                       .max = 1e9,
                                       .required = true,
                                       .example = 4};
    field(long_factor, kLongFactor);
    static constexpr Field kOriginalLength = kOriginalLengthField.with(&Field::min, 2).with(&Field::example, 4096);
    field(original_length, kOriginalLength);
    static constexpr Field kFactor = kFactorField.with(&Field::required, false);
    field(factor, kFactor);
    field(given_attention_factor, kAttentionFactorField);
  }
  Error validate() const {
    if (Error error = common.validate(method.kind)) return error;
    if (Error error = validate_list("shortFactor", short_factor)) return error;
    return validate_list("longFactor", long_factor);
  }
  Error validate_list(std::string_view name, const std::vector<double>& list) const {
    return list.size() == 1 ? Error{} : check_per_pair(method.kind, name, list, common.rotated_dim() / 2);
  }

  double regime(double length) const { return length > original_length; }
  double attention_factor() const {
    if (given_attention_factor) return *given_attention_factor;
    if (factor <= 1) return 1;
    return sqrt(Real(1) + log(Real(factor)) / log(Real(original_length))).hi;
  }

  std::vector<Number> frequencies(double length) const {
    const auto& divisors = regime(length) ? long_factor : short_factor;
    std::vector<Number> out = powers(common.number(common.base), common.rotated_dim() / 2, common.rotated_dim());
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = 1 / (common.number(divisors.size() == 1 ? divisors[0] : divisors[k]) * out[k]);
    return out;
  }
};

}  // namespace posenc
