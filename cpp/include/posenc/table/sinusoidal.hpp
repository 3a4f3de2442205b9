// Sinusoidal positions, in all published arrangements.
#pragma once

#include "posenc/rotary/rotation.hpp"
#include "posenc/table/sinusoid_table.hpp"

namespace posenc {

enum class SinusoidPairing { interleaved, concat };
enum class SinusoidOrder { sine_cosine, cosine_sine };
enum class OddDim { truncate, pad, round_up };

template <>
struct Choices<SinusoidPairing> {
  static constexpr std::array<std::string_view, 2> names{"interleaved", "concat"};
};
template <>
struct Choices<SinusoidOrder> {
  static constexpr std::array<std::string_view, 2> names{"sin-cos", "cos-sin"};
};
inline constexpr Field kSinusoidOrderField{.name = "order", .doc = "Whether sines or cosines come first."};
template <>
struct Choices<OddDim> {
  static constexpr std::array<std::string_view, 3> names{"truncate", "pad", "round-up"};
};

/// Sines and cosines of geometrically decreasing frequencies: interleaved [s0 c0 s1 c1 …] or concat [s0 s1 … c0 c1 …].
/// PE(m) = sin(m ω_i), cos(m ω_i), ω_i = base^(-i / (dim/2 - frequencyShift)), i = 0 … dim/2 - 1.
/// With frequencyShift 1, the last frequency is exactly 1/base (tensor2tensor, fairseq, Whisper); a single frequency is
/// then 1.
/// Source: Vaswani et al., "Attention Is All You Need", 2017, arXiv:1706.03762, section 3.5.
struct Sinusoidal {
  using Family = Table;
  static constexpr Method method{
      .kind = "sinusoidal",
      .title = "Sinusoidal",
      .formula =
          R"(\mathrm{PE}(m)_{2i}=\sin\frac{m}{\mathrm{base}^{2i/d}},\quad\mathrm{PE}(m)_{2i+1}=\cos\frac{m}{\mathrm{base}^{2i/d}})",
      .source = "Vaswani et al. 2017, arXiv:1706.03762, section 3.5",
      .calls = {"shift"},
  };

  int dim = 64;
  double base = 10000;
  SinusoidPairing pairing = SinusoidPairing::interleaved;
  SinusoidOrder order = SinusoidOrder::sine_cosine;
  double frequency_shift = 0;
  double scale = 1, start = 0;
  OddDim odd_dim = OddDim::truncate;
  int padding_index = -1;
  Precision precision = Precision::exact;

  template <class Visitor>
  void visit(Visitor& field) {
    field(dim, kTableDimField);
    field(base, kBaseField);
    static constexpr Field kPairing{.name = "pairing",
                                    .doc = "interleaved [s0 c0 s1 c1 …] or concat [s0 s1 … c0 c1 …]."};
    field(pairing, kPairing);
    field(order, kSinusoidOrderField);
    static constexpr Field kFrequencyShift{
        .name = "frequencyShift",
        .doc = "Value subtracted from dim/2 in the exponent: 0 (paper, DiT) or 1 (fairseq, Whisper).",
        .min = 0,
        .max = 1};
    field(frequency_shift, kFrequencyShift);
    static constexpr Field kScale = kScaleField.with(&Field::doc, "Multiplier of positions.");
    field(scale, kScale);
    field(start, kStartField);
    static constexpr Field kOddDim{
        .name = "oddDim", .doc = "Odd dim: drop the last cosine, end in a zero, or use the frequencies of dim + 1."};
    field(odd_dim, kOddDim);
    static constexpr Field kPaddingIndex{
        .name = "paddingIndex", .doc = "Position whose row is zero (fairseq); -1: none.", .min = -1, .max = 2147483647};
    field(padding_index, kPaddingIndex);
    field(precision, kPrecisionField);
  }
  Error validate() const { return {}; }

  /// Number of frequencies.
  int frequency_count() const { return odd_dim == OddDim::pad ? dim / 2 : (dim + 1) / 2; }

  std::vector<Real> frequencies(Precision rounding) const {
    const double width = odd_dim == OddDim::truncate ? dim / 2.0 : frequency_count();
    const Real shifted = Real(width) - Real(frequency_shift), least = frequency_shift > 0 ? 1.0 : 0.5;
    const Number rate(-log(Real(base)) / std::max(shifted, least), rounding);
    std::vector<Real> out(std::size_t(frequency_count()), Real(0));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = exp(Number(double(i)) * rate).value;
    return out;
  }

  std::unique_ptr<Table> make() const {
    SinusoidArrangement a{.dim = dim, .interleaved = pairing == SinusoidPairing::interleaved};
    a.order = order == SinusoidOrder::sine_cosine ? SinusoidArrangement::Order::sine_cosine
                                                  : SinusoidArrangement::Order::cosine_sine;
    a.first_count = frequency_count();
    a.second_count = std::min(frequency_count(), dim - frequency_count());
    a.scale = scale;
    a.start = start;
    a.padding_index = padding_index;
    return std::make_unique<SinusoidTable>(a, frequencies(Precision::exact),
                                           SinusoidSet{frequencies(precision), precision});
  }
};

}  // namespace posenc
