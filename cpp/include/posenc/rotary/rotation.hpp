// The family "rotation": what every rotary encoding becomes, and what can be done with it.
#pragma once

#include <memory>

#include "posenc/core/training.hpp"
#include "posenc/core/workspace.hpp"
#include "posenc/math/waves.hpp"
#include "posenc/rotary/common.hpp"

namespace posenc {

enum class HeadLayout { bhtd, bthd };
enum class Direction { forward, inverse, transpose };
/// xPos lets queries shrink where keys grow.
enum class Role { none, query, key };

/// The sizes and strides of a tensor of heads, [batch, heads, positions, dim] or [batch, positions, heads, dim].
struct HeadShape {
  int batch = 0, heads = 0, positions = 0, dim = 0;
  HeadStrides strides;
};
HeadShape head_shape(const Shape& shape, HeadLayout layout);
/// The same positions, which count as many as their tensor has where they do not say how many there are.
inline Positions counted(Positions positions, double count) {
  if (positions.count == 0) positions.count = int(count);
  return positions;
}

/// Features that pair among themselves: pairs first_pair … of the rotation, from feature `start` on.
struct Slice {
  int start = 0, first_pair = 0, pairs = 0;
  bool operator==(const Slice&) const = default;
};

/// From positions p on an axis of n places to what is turned by: start + scale · (p, linspace(-1, 1) at p, or the
/// centre of cell p of [-1, 1]).
struct AxisCoordinates {
  enum class Form { index, endpoints, centres };
  Form form = Form::index;
  double start = 0, scale = 1;
};

/// xPos: queries at position p are multiplied by e^(rate · (p - centre)) in each pair, keys divided by it.
struct Decay {
  /// Negative, one for each pair; empty: no decay.
  std::vector<double> rates;
  /// Not given: half the sequence length, rounded.
  std::optional<double> centre;
  bool rounds_up = false;
};

/// A place as a rotation sees it: a coordinate for each axis, and the exponent of xPos' rates.
struct Place {
  std::array<Real, kMaxAxes> at;
  double growth;
  /// Where its multipliers are remembered: consecutive places in consecutive slots.
  std::int64_t slot;
};
Place difference(Place to, const Place& from);

/// Inverse frequencies, a magnitude and a pair layout: q and k turned by position · frequency.
class Rotation : public Learned {
 public:
  static constexpr FamilyName name = FamilyName::rotary;
  static constexpr Prose shapes =
      "x [batch, heads, positions, dim] (or bthd), in place; tables cos, sin [positions, pairs]";

  Rotation() : Learned(name) {}

  int dim = 0;
  int pairs = 0;
  Pairing pairing = Pairing::half;
  Precision precision = Precision::exact;
  /// Multiplies cos and sin (YaRN, LongRoPE).
  double attention_factor = 1;
  /// What attention's scale is to be multiplied by (YaRN in DeepSeek's MLA).
  double softmax_factor = 1;
  int axes = 1;
  /// May one position stand for all axes (text under M-RoPE)?
  bool one_for_all = true;
  /// Empty: all by axis 0.
  std::vector<double> axis_of_pair;
  std::vector<Slice> slices;
  AxisCoordinates coordinates;
  Decay decay;

  /// Radians per position of each pair, for a sequence of that length (only dynamic and LongRoPE mind); float32 values
  /// where `precision` says so.
  std::vector<Real> frequencies(double sequence_length) const;
  /// Sequence lengths of the same regime have the same frequencies.
  virtual double regime(double sequence_length) const = 0;
  /// Does each longer sequence have a regime of its own?
  virtual bool regime_grows(double /*sequence_length*/) const { return false; }
  /// Can keys of a sequence of that length be turned once and for all, as far as distances go? Not where a token more
  /// changes what the others are turned by; nor where a learned frequency is not finite, as such turns cannot be
  /// undone.
  bool turns_once(double sequence_length) const {
    return decay.rates.empty() && coordinates.form == AxisCoordinates::Form::index && !regime_grows(sequence_length) &&
           has_finite_frequencies();
  }

  /// The same, rounded to double.
  std::vector<double> inverse_frequencies(double sequence_length) const;

  /// cos, sin: [count, pairs], the magnitude inside.
  Error tables(const Positions& positions, double sequence_length, const View& cosine, const View& sine,
               Role role = Role::none, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// out [count, pairs]: what cos and sin are taken of.
  Error angles(const Positions& positions, double sequence_length, std::span<double> out) const noexcept;
  /// Can this rotation turn by these positions? `sequence_length` <= 0: the largest position + 1.
  Error check_positions(const Positions& positions, double per_row, double rows, double sequence_length,
                        Role role) const noexcept;
  Error check(const View& x, HeadLayout layout, const Positions& positions, double sequence_length = 0,
              Role role = Role::none) const noexcept;
  /// x turned in place. `sequence_length` <= 0: the largest position + 1.
  Error apply(const View& x, HeadLayout layout, const Positions& positions, double sequence_length, Direction direction,
              Role role = Role::none, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// The gradient of apply(), of x as it was before: `gradient`, of what apply() made, becomes that of x, and adds to
  /// that of learned frequencies.
  Error backward(const View& x, const View& gradient, HeadLayout layout, const Positions& positions,
                 double sequence_length, Role role, Training& training,
                 Workspace& workspace = Workspace::of_thread()) const noexcept {
    return backward_from(nullptr, x, gradient, layout, positions, sequence_length, role, training, workspace);
  }
  /// The same of queries, and of keys, whose scores depend on differences of positions alone. The sum of both gradients
  /// of frequencies keeps its digits far from position 0: positions count from the first of each batch row of
  /// `origins`.
  Error backward_from(const Positions* origins, const View& x, const View& gradient, HeadLayout layout,
                      const Positions& positions, double sequence_length, Role role, Training& training,
                      Workspace& workspace) const noexcept;
  /// Keys that were turned one way become keys that were turned another way; `to` is a way of this rotation.
  struct Turning {
    const Rotation& rotation;
    const Positions& positions;
    /// <= 0: the largest position + 1.
    double sequence_length = 0;
  };
  Error rerotate(const View& x, HeadLayout layout, const Turning& from, const Turning& to,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;
  Error check_memory() const;
  double length_of(const Positions& positions, double sequence_length) const;
  std::unique_ptr<Cache> make_cache() const override;

  /// rotate(), slice by slice; block's pairs are filled in.
  void rotate_slices(float* x, RotateBlock block, Pairing layout, bool backward, const float* const* multipliers) const;

 protected:
  void configure(const RotaryCommon& common, int pair_count);
  virtual std::vector<Number> unscaled_frequencies(double sequence_length) const = 0;

 private:
  bool has_finite_frequencies() const;
  template <class MultipliersAt>
  void rotate_chunks(float* x, const HeadShape& shape, bool shared, Pairing layout, bool backward,
                     const MultipliersAt& multipliers_at) const;
  /// Of a slice's pair k, where `gradient` is that of x.
  void add_frequency_gradient(const View& x, const View& gradient, const HeadShape& shape, const Positions& positions,
                              const Positions* origins, const Slice& slice, int k, Training& training) const;

  std::vector<double> frequency_factors_;
};

/// The places of one call.
class Places {
 public:
  /// With several axes the slots begin at `first_slot`.
  Places(const Rotation& rotation, const Positions& positions, double sequence_length, Role role, int first_slot = 0);
  Place operator[](std::size_t index) const {
    if (!plain_) return place(index);
    const double position = positions_[index];
    return {{Real{position, 0}}, 0, std::int64_t(std::floor(position))};
  }
  /// Is the position the coordinate, and all there is to a place?
  bool plain() const { return plain_; }
  /// How far the places reach from where xPos is centred.
  double reach() const;

 private:
  Place place(std::size_t index) const;
  Real coordinate(double position, int axis) const;

  const Rotation& rotation_;
  const Positions& positions_;
  bool plain_;
  double sign_, centre_ = 0;
  int first_slot_;
  std::array<double, kMaxAxes> extent_{};
};

/// A spec as a Rotation. A spec has `common`, `frequencies(length)` and, where they differ from the default,
/// `pairs()`, `attention_factor()`, `softmax_factor()`, `regime(length)` and `arrange(rotation)`.
template <class Spec>
class RotationOf final : public Rotation {
 public:
  explicit RotationOf(const Spec& spec) : spec_(spec) {
    if constexpr (requires { spec.pairs(); })
      configure(spec.common, spec.pairs());
    else
      configure(spec.common, spec.common.turned() / 2);
    if constexpr (requires { spec.attention_factor(); }) attention_factor = spec.attention_factor();
    if constexpr (requires { spec.softmax_factor(); }) softmax_factor = spec.softmax_factor();
    if constexpr (requires { spec.arrange(*this); }) spec.arrange(*this);
  }
  double regime(double length) const override {
    if constexpr (requires { spec_.regime(length); }) return spec_.regime(length);
    return 0;
  }
  bool regime_grows(double length) const override {
    if constexpr (requires { spec_.regime_grows(length); }) return spec_.regime_grows(length);
    return false;
  }

 private:
  std::vector<Number> unscaled_frequencies(double length) const override { return spec_.frequencies(length); }

  Spec spec_;
};

}  // namespace posenc
