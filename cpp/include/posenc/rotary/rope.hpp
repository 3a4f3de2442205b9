// RoPE: rotary position embedding.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Each pair (a, b) of q and k is rotated by position · θ_k, so that scores depend only on distances.
/// θ_k = base^(-2k/d), k = 0 … d/2 - 1, d = rotaryDim; half [a0 a1 … b0 b1 …], interleaved [a0 b0 a1 b1 …].
/// Source: Su et al., "RoFormer", 2021, arXiv:2104.09864, eq. 15 and 34.
struct Rope {
  using Family = Rotation;
  static constexpr Method method{
      .kind = "rope",
      .title = "Rotary position embedding (RoPE)",
      .formula =
          R"(\begin{pmatrix}a'\\b'\end{pmatrix}=\begin{pmatrix}\cos m\theta_k&-\sin m\theta_k\\\sin m\theta_k&\cos m\theta_k\end{pmatrix}\begin{pmatrix}a\\b\end{pmatrix},\quad\theta_k=\mathrm{base}^{-2k/d})",
      .source = "Su et al. 2021, arXiv:2104.09864, eq. 15",
      .name = "RoPE",
  };

  RotaryCommon common{};
  std::vector<double> given_frequencies{};

  template <class Visitor>
  void visit(Visitor& field) {
    common.visit(field);
    static constexpr Field kFrequencies{
        .name = "frequencies",
        .doc = "Radians per position of each pair, instead of those from `base`; trainable.",
        .min = 0,
        .max = 1e6};
    field(given_frequencies, kFrequencies);
  }
  Error validate() const {
    if (Error error = common.validate(method.kind)) return error;
    if (given_frequencies.empty()) return {};
    return check_per_pair(method.kind, "frequencies", given_frequencies, common.rotated_dim() / 2);
  }

  /// Given frequencies are learnable. Until they change, they are used in full (double) precision.
  std::vector<Parameter> parameters() const {
    if (given_frequencies.empty()) return {};
    auto out = Parameter::filled("frequencies", "pairs", "Radians per position.", {double(given_frequencies.size())});
    out.begin();
    std::copy(given_frequencies.begin(), given_frequencies.end(), out.values.begin());
    return list_of(out);
  }
  std::vector<Number> frequencies(double) const {
    auto out = common.inverse();
    for (std::size_t k = 0; k < given_frequencies.size(); ++k) out[k] = common.number(given_frequencies[k]);
    return out;
  }
};

}  // namespace posenc
