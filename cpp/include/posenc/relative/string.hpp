// STRING: learned rotations that commute, in a learned basis.
#pragma once

#include "posenc/relative/row_maps.hpp"

namespace posenc {

enum class StringForm { cayley, circulant };

template <>
struct Choices<StringForm> {
  static constexpr std::array<std::string_view, 2> names{"cayley", "circulant"};
};

/// Rotations exp(Σ_a p_a L_a) by generators that commute, so that scores depend only on differences of positions,
/// exactly and for any number of axes.
/// cayley: x' = RoPE(P x) with the learned rotation P = (I - S)(I + S)⁻¹ and learned frequencies of RoPE as in
/// rope-mixed. S is U - Uᵀ, U the part above the diagonal of generators [heads, dim, dim], frequencies [axes, heads,
/// pairs]. The inverse rotation by Pᵀ cancels in scores and is omitted.
/// circulant: L_a = C - Cᵀ, C[i, j] = c[(i - j) mod dim], coefficients c [axes, heads, dim]: rotations in the planes of
/// the discrete Fourier transform.
/// Source: Schenck et al., "Learning the RoPEs: Better 2D and 3D Position Encodings with STRING", 2025,
/// arXiv:2502.02562, section 3.2.
struct String {
  using Family = Relative;
  static constexpr Method method{
      .kind = "string",
      .title = "Separable translationally invariant encoding (STRING)",
      .formula = R"(x'=\exp\Big(\sum_ap_aL_a\Big)\,x,\quad L_aL_b=L_bL_a\text{ learned})",
      .source = "Schenck et al. 2025, arXiv:2502.02562, section 3.2",
      .name = "STRING",
      .calls = {"apply", "applyBackward", "frequencies"},
  };

  int dim = 64;
  int heads = 0;
  int axes = 2;
  StringForm form = StringForm::cayley;
  double base = 10000;
  Pairing pairing = Pairing::interleaved;
  RandomInit init{};

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim = kHeadDimField.with(&Field::min, 2).with(&Field::max, 4096);
    field(dim, kDim);
    field(heads, kOwnHeadsField);
    field(axes, kAxesField);
    static constexpr Field kForm{.name = "form", .doc = "Construction of the commuting generators."};
    field(form, kForm);
    static constexpr Field kBase = kBaseField.with(&Field::doc, "Form cayley: frequency base before training.");
    field(base, kBase);
    static constexpr Field kPairing = kRowMapPairingField.with(
        &Field::doc, "Form cayley: feature pairs, half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …].");
    field(pairing, kPairing);
    init.visit(field);
  }
  Error validate() const;
  std::vector<Parameter> parameters() const;
  std::unique_ptr<Relative> make() const;
};

}  // namespace posenc
