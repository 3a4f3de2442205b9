// Sinusoidal positions, in all published arrangements.
#pragma once

#include "posenc/rotary/rotation.hpp"
#include "posenc/table/wave_table.hpp"

namespace posenc {

enum class WavePairing { interleaved, concat };
enum class WaveOrder { sine_cosine, cosine_sine };
enum class OddDim { truncate, pad, round_up };

template <>
struct Choices<WavePairing> {
  static constexpr std::array<std::string_view, 2> names{"interleaved", "concat"};
};
template <>
struct Choices<WaveOrder> {
  static constexpr std::array<std::string_view, 2> names{"sin-cos", "cos-sin"};
};
inline constexpr Field kWaveOrderField{.name = "order", .doc = "Whether sines or cosines come first."};
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
      .summary =
          "sines and cosines over {dim} features, base {base}, {pairing} in the order {order}"
          "{frequencyShift ? ', exponents over dim/2 - ' + frequencyShift + ' (the slowest wave is exactly 1/base)' : "
          "''}"
          "{scale === 1 ? '' : ', positions times ' + scale}{start === 0 ? '' : ', counted from ' + start}"
          "{paddingIndex < 0 ? '' : ', position ' + paddingIndex + ' a row of zeros'}"
          R"({dim % 2 ? ', the odd dim by "' + oddDim + '"' : ""})",
      .chinese = "正弦编码",
  };

  int dim = 64;
  double base = 10000;
  WavePairing pairing = WavePairing::interleaved;
  WaveOrder order = WaveOrder::sine_cosine;
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
    field(order, kWaveOrderField);
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
  int waves() const { return odd_dim == OddDim::pad ? dim / 2 : (dim + 1) / 2; }

  std::vector<Real> frequencies(Precision rounding) const {
    const double width = odd_dim == OddDim::truncate ? dim / 2.0 : waves();
    const Real shifted = Real(width) - Real(frequency_shift), least = frequency_shift > 0 ? 1.0 : 0.5;
    const Number rate(-log(Real(base)) / std::max(shifted, least), rounding);
    std::vector<Real> out(std::size_t(waves()), Real(0));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = exp(Number(double(i)) * rate).value;
    return out;
  }

  std::unique_ptr<Table> make() const {
    WaveArrangement a{.dim = dim, .interleaved = pairing == WavePairing::interleaved};
    a.order =
        order == WaveOrder::sine_cosine ? WaveArrangement::Order::sine_cosine : WaveArrangement::Order::cosine_sine;
    a.first_count = waves();
    a.second_count = std::min(waves(), dim - waves());
    a.scale = scale;
    a.start = start;
    a.padding_index = padding_index;
    return std::make_unique<WaveTable>(a, frequencies(Precision::exact), WaveSet{frequencies(precision), precision});
  }
};

}  // namespace posenc
