// The family "rotation": what every rotary encoding becomes, and what can be done with it.
#pragma once

#include <memory>

#include "posenc/kernels.hpp"
#include "posenc/parameter.hpp"
#include "posenc/waves.hpp"

namespace posenc {

enum class Precision { exact, float32 };
enum class HeadLayout { bhtd, bthd };
enum class Direction { forward, inverse, transpose };

template <>
struct Choices<Pairing> {
  static constexpr std::array<std::string_view, 3> names{"half", "interleaved", "interleaved-to-half"};
};
template <>
struct Choices<Precision> {
  static constexpr std::array<std::string_view, 2> names{"exact", "float32"};
};

/// The sizes and strides of a tensor of heads, [batch, heads, positions, dim] or [batch, positions, heads, dim].
struct HeadShape {
  int batch = 0, heads = 0, positions = 0, dim = 0;
  HeadStrides strides;
};
HeadShape head_shape(const Shape& shape, HeadLayout layout);

/// Inverse frequencies, a magnitude and a pair layout: q and k turned by position · frequency.
/// Not thread-safe: the waves of the last sequence length are cached.
class Rotation : public Learned {
 public:
  static constexpr std::string_view shapes =
      "x [batch, heads, positions, dim] (or bthd), in place; tables cos, sin [positions, pairs]";

  int dim = 0;
  int pairs = 0;
  Pairing pairing = Pairing::half;
  Precision precision = Precision::exact;
  /// Multiplies cos and sin (YaRN, LongRoPE).
  double attention_factor = 1;

  /// Radians per position of each pair, for a sequence of that length (only dynamic and LongRoPE mind).
  virtual std::vector<Real> frequencies(double sequence_length) const = 0;
  virtual std::vector<float> rounded_frequencies(double sequence_length) const = 0;
  /// Sequence lengths of the same regime have the same frequencies.
  virtual double regime(double sequence_length) const = 0;

  /// As the caller sees them: exact, or float32 values where `precision` says so.
  std::vector<double> inverse_frequencies(double sequence_length) const;
  Waves& waves(double sequence_length);

  /// cos, sin: [count, pairs], the magnitude inside.
  Error tables(const Positions& positions, double sequence_length, const View& cosine, const View& sine);
  Error check(const View& x, HeadLayout layout, const Positions& positions) const;
  /// x turned in place. `sequence_length` <= 0: the largest position + 1.
  Error apply(const View& x, HeadLayout layout, const Positions& positions, double sequence_length,
              Direction direction);
  /// Keys that were turned one way become keys that were turned another way; `to` is a way of this rotation.
  struct Turning {
    Rotation& rotation;
    const Positions& positions;
    /// <= 0: the largest position + 1.
    double sequence_length = 0;
  };
  Error rerotate(const View& x, HeadLayout layout, const Turning& from, const Turning& to);
  double length_of(const Positions& positions, double sequence_length) const;

  /// What turns a vector to `position`, the magnitude inside: [cosines | sines], written to `own`.
  const float* turn(Waves& waves, double position, Direction direction, float* own) const;
  /// The same forward, remembered: q and k of all layers stand at the same places. Good until another position that is
  /// congruent modulo the `run` of keep_turns() is asked for.
  const float* kept_turn(Waves& waves, double position);
  /// Makes room to remember a run of consecutive positions, as far as 1 MiB goes.
  void keep_turns(int run);

 private:
  template <class Turn>
  void rotate_chunks(float* x, const HeadShape& shape, bool shared, bool backward, Turn turn);

  std::unique_ptr<Waves> waves_;
  double waves_regime_ = -1;
  std::vector<double> kept_positions_;
  std::vector<float> kept_, own_;
};

/// The fields all rotary encodings share.
struct RotaryCommon {
  int dim = 64;
  int rotary_dim = 0;
  double base = 10000;
  Pairing pairing = Pairing::half;
  Precision precision = Precision::exact;

  template <class Visitor>
  void visit(Visitor& field) {
    static constexpr Field kDim{.name = "dim",
                                .doc = "Width of a head.",
                                .min = 2,
                                .max = 65536,
                                .unit = "features",
                                .required = true,
                                .example = 64};
    field(dim, kDim);
    static constexpr Field kRotaryDim{.name = "rotaryDim",
                                      .doc = "Leading features that turn; 0 means all of them.",
                                      .min = 0,
                                      .max = 65536,
                                      .unit = "features"};
    field(rotary_dim, kRotaryDim);
    static constexpr Field kBase{
        .name = "base", .doc = "Frequency base; wavelengths run from 2π to about 2π·base.", .min = 1, .max = 1e15};
    field(base, kBase);
    static constexpr Field kPairing{
        .name = "pairing",
        .doc = "Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]."};
    field(pairing, kPairing);
    static constexpr Field kPrecision{.name = "precision", .doc = "exact angles, or the float32 steps of PyTorch."};
    field(precision, kPrecision);
  }
  int turned() const { return rotary_dim ? rotary_dim : dim; }
  Error validate(std::string_view kind) const;

  /// base^(-2k/d) for k = 0 … d/2 - 1, d = turned(): the steps of the published code in either arithmetic.
  template <class Number>
  std::vector<Number> inverse(Number with_base) const {
    std::vector<Number> out(std::size_t(turned() / 2), Number(0));
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] = Number(1) / power(with_base, Number(2.0 * double(k)) / Number(double(turned())));
    return out;
  }
  template <class Number>
  std::vector<Number> inverse() const {
    return inverse(Number(base));
  }
};

/// A spec as a Rotation. A spec has `common`, `frequencies<Number>(length)` and, where they differ from the default,
/// `pairs()`, `attention_factor()` and `regime(length)`.
template <class Spec>
class RotationOf final : public Rotation {
 public:
  explicit RotationOf(const Spec& spec) : spec_(spec) {
    dim = spec.common.dim;
    pairing = spec.common.pairing;
    precision = spec.common.precision;
    pairs = spec.common.turned() / 2;
    if constexpr (requires { spec.pairs(); }) pairs = spec.pairs();
    if constexpr (requires { spec.attention_factor(); }) attention_factor = spec.attention_factor();
  }
  std::vector<Real> frequencies(double length) const override { return spec_.template frequencies<Real>(length); }
  std::vector<float> rounded_frequencies(double length) const override {
    return spec_.template frequencies<float>(length);
  }
  double regime(double length) const override {
    if constexpr (requires { spec_.regime(length); }) return spec_.regime(length);
    return 0;
  }

 private:
  Spec spec_;
};

}  // namespace posenc
