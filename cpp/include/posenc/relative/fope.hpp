// FoPE: every pair turns by a mixture of waves.
#pragma once

#include "posenc/relative/turning.hpp"

namespace posenc {

/// What becomes of frequencies that a training sequence sees less than one wave of.
enum class FrequencyFloor { drop, zero, clamp, keep };

template <>
struct Choices<FrequencyFloor> {
  static constexpr std::array<std::string_view, 4> names{"drop", "zero", "clamp", "keep"};
};

/// Each pair (a, b) = (x_o, x_{o + d/2}) of a row becomes (a c_o - b s_o, a s_o + b c_o) with mixtures of RoPE's waves
/// c_o = Σ_i cos(p ω_i) C[h, i, o], s_o = Σ_i sin(p ω_i) S[h, i, o], ω_i = base^(-2i/d), where frequencies below 2π /
/// length, whose waves a training sequence does not see whole, are left out (`floor` has other rules). Pairs from
/// outputDim on have cosinePad and sinePad. Mixtures are no rotation: scores do not go by distances alone. cosine and
/// sine [heads, inputDim, outputDim]; with `oneBasis` cosine is both. They begin at the identity and a normal
/// distribution of deviation gain · sqrt(2 / (inputDim + outputDim)). Source: Hua et al., "Fourier Position Embedding",
/// 2024, arXiv:2412.17739, eq. 8-10.
struct Fope {
  using Family = Relative;
  static constexpr Method method{
      .kind = "fope",
      .title = "Fourier position embedding (FoPE)",
      .formula =
          R"(\begin{pmatrix}a'\\b'\end{pmatrix}=\begin{pmatrix}c_o&-s_o\\s_o&c_o\end{pmatrix}\begin{pmatrix}a\\b\end{pmatrix},\quad c_o=\sum_iC_{hio}\cos p\omega_i,\ s_o=\sum_iS_{hio}\sin p\omega_i)",
      .source = "Hua et al. 2024, arXiv:2412.17739, eq. 8",
      .summary =
          "pairs of {dim} features turn by learned mixtures of waves, "
          "{heads ? 'their own for each of ' + plural(heads, 'head') : 'the same for all heads'}; "
          "waves longer than {length} positions are {choose(floor, { drop: 'left out', zero: 'constant', "
          "clamp: 'shortened to that', keep: 'kept' })}",
      .name = "FoPE",
      .chinese = "傅里叶位置嵌入",
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
        .name = "length", .doc = "Length of the training's sequences.", .min = 1, .max = 1e12, .unit = "positions"};
    field(length, kLength);
    field(base, kBaseField);
    static constexpr Field kFloor{
        .name = "floor", .doc = "Frequencies below 2π / length: dropped, 0 (constant), raised to that, or kept."};
    field(floor, kFloor);
    static constexpr Field kInputDim{.name = "inputDim",
                                     .doc = "How many frequencies are mixed; 0: all that `floor` leaves.",
                                     .min = 0,
                                     .max = 32768};
    field(input_dim, kInputDim);
    static constexpr Field kOutputDim{
        .name = "outputDim",
        .doc = "How many pairs have mixtures; 0: as many as waves are mixed (in the authors' code at most dim / 4).",
        .min = 0,
        .max = 32768,
        .unit = "pairs"};
    field(output_dim, kOutputDim);
    static constexpr Field kCosinePad{
        .name = "cosinePad", .doc = "Cosine of the other pairs.", .min = -1000, .max = 1000};
    field(cosine_pad, kCosinePad);
    static constexpr Field kSinePad{.name = "sinePad",
                                    .doc = "Their sine: 0 as in the paper and vLLM, 1 as in the authors' code.",
                                    .min = -1000,
                                    .max = 1000};
    field(sine_pad, kSinePad);
    static constexpr Field kOneBasis{.name = "oneBasis", .doc = "Sines are mixed by the coefficients of cosines."};
    field(one_basis, kOneBasis);
    static constexpr Field kGain{.name = "gain", .doc = "Of Xavier's deviation before training.", .min = 0, .max = 1e6};
    field(gain, kGain);
    init.visit_seed(field);
  }
  Error validate() const;
  /// Those that are mixed.
  std::vector<Real> frequencies() const;
  int outputs() const;
  std::vector<Parameter> parameters() const;
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
