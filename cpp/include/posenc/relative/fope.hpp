// FoPE: every pair is rotated by a mixture of sinusoids.
#pragma once

#include "posenc/relative/row_maps.hpp"

namespace posenc {

/// Treatment of frequencies with less than one cycle in a training sequence.
enum class FrequencyFloor { drop, zero, clamp, keep };

template <>
struct Choices<FrequencyFloor> {
  static constexpr std::array<std::string_view, 4> names{"drop", "zero", "clamp", "keep"};
};

/// Each pair (a, b) = (x_o, x_{o + d/2}) of a row becomes (a c_o - b s_o, a s_o + b c_o) with mixtures of RoPE's
/// sinusoids c_o = Σ_i cos(p ω_i) C[h, i, o], s_o = Σ_i sin(p ω_i) S[h, i, o], ω_i = base^(-2i/d).
/// Frequencies below 2π / length, which do not complete a cycle in a training sequence, are dropped (`floor` has other
/// rules). Pairs from outputDim on have cosinePad and sinePad. Mixtures are not rotations: scores do not depend only on
/// distances.
/// cosine and sine are [heads, inputDim, outputDim]; with `oneBasis`, cosine is used for both. They begin as the
/// identity plus a normal distribution of deviation gain · sqrt(2 / (inputDim + outputDim)).
/// Source: Hua et al., "Fourier Position Embedding", 2024, arXiv:2412.17739, eq. 8-10.
struct Fope {
  using Family = Relative;
  static constexpr Method method{
      .kind = "fope",
      .title = "Fourier position embedding (FoPE)",
      .formula =
          R"(\begin{pmatrix}a'\\b'\end{pmatrix}=\begin{pmatrix}c_o&-s_o\\s_o&c_o\end{pmatrix}\begin{pmatrix}a\\b\end{pmatrix},\quad c_o=\sum_iC_{hio}\cos p\omega_i,\ s_o=\sum_iS_{hio}\sin p\omega_i)",
      .source = "Hua et al. 2024, arXiv:2412.17739, eq. 8",
      .name = "FoPE",
      .calls = {"apply", "applyBackward", "frequencies"},
  };

  int dim = 64;
  int heads = 0;
  double length = 2048;
  double base = 10000;
  FrequencyFloor floor = FrequencyFloor::drop;
  int input_dim = 0, output_dim = 0;
  double cosine_pad = 1, sine_pad = 0;
  bool one_basis = false;
  double gain = 0.3;
  RandomInit init{.std = 1, .seed = 0};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kHeadDimField.with(&Field::min, 2);
    field(dim, kDim);
    field(heads, kOwnHeadsField);
    static constexpr Field kLength{
        .name = "length", .doc = "Length of the training sequences.", .min = 1, .max = 1e12, .unit = "positions"};
    field(length, kLength);
    field(base, kBaseField);
    static constexpr Field kFloor{
        .name = "floor", .doc = "Frequencies below 2π / length: dropped, set to 0 (constant), raised to it, or kept."};
    field(floor, kFloor);
    static constexpr Field kInputDim{.name = "inputDim",
                                     .doc = "Number of frequencies that are mixed; 0: all that `floor` leaves.",
                                     .min = 0,
                                     .max = 32768};
    field(input_dim, kInputDim);
    static constexpr Field kOutputDim{
        .name = "outputDim",
        .doc = "Number of pairs with mixtures; 0: the number of frequencies (authors' code: ≤ dim / 4).",
        .min = 0,
        .max = 32768,
        .unit = "pairs"};
    field(output_dim, kOutputDim);
    static constexpr Field kCosinePad{
        .name = "cosinePad", .doc = "Cosine of the pairs without mixtures.", .min = -1000, .max = 1000};
    field(cosine_pad, kCosinePad);
    static constexpr Field kSinePad{.name = "sinePad",
                                    .doc = "Sine of the pairs without mixtures: 0 (paper, vLLM) or 1 (authors' code).",
                                    .min = -1000,
                                    .max = 1000};
    field(sine_pad, kSinePad);
    static constexpr Field kOneBasis{.name = "oneBasis",
                                     .doc = "Whether sines use the mixing coefficients of the cosines."};
    field(one_basis, kOneBasis);
    static constexpr Field kGain{
        .name = "gain", .doc = "Gain of the Xavier standard deviation before training.", .min = 0, .max = 1e6};
    field(gain, kGain);
    init.visit_seed(field);
  }
  Error validate() const;
  /// The frequencies that are mixed.
  std::vector<Real> frequencies() const;
  int outputs() const;
  std::vector<Parameter> parameters() const;
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
