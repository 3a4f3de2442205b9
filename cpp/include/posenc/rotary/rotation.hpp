// The family "rotation": the object of every rotary encoding, and its operations.
#pragma once

#include <memory>

#include "posenc/core/training.hpp"
#include "posenc/core/workspace.hpp"
#include "posenc/math/sinusoids.hpp"
#include "posenc/rotary/common.hpp"

namespace posenc {

enum class HeadLayout { bhtd, bthd };
enum class Direction { forward, inverse, transpose };
/// The role of x in xPos, which scales queries and keys inversely.
enum class Role { none, query, key };

/// The sizes and strides of a tensor of heads, [batch, heads, positions, dim] or [batch, positions, heads, dim].
struct HeadShape {
  int batch = 0, heads = 0, positions = 0, dim = 0;
  HeadStrides strides;
};
HeadShape head_shape(const Shape& shape, HeadLayout layout);
/// The same positions; if they have no count, it becomes that of their tensor.
inline Positions counted(Positions positions, double count) {
  if (positions.count == 0) positions.count = int(count);
  return positions;
}

/// Features that form pairs with each other: pairs first_pair … of the rotation, starting at feature `start`.
struct Slice {
  int start = 0, first_pair = 0, pairs = 0;
  bool operator==(const Slice&) const = default;
};

/// Maps positions p on an axis with n cells to rotation coordinates: start + scale · (p, linspace(-1, 1) at p, or the
/// centre of cell p of [-1, 1]).
struct AxisCoordinates {
  enum class Form { index, endpoints, centres };
  Form form = Form::index;
  double start = 0, scale = 1;
};

/// xPos: queries at position p are multiplied by e^(rate · (p - centre)) in each pair, keys divided by it.
struct Decay {
  /// Negative, one per pair. Empty: no decay.
  std::vector<double> rates;
  /// Default: half the sequence length, rounded.
  std::optional<double> centre;
  bool rounds_up = false;
};

/// A position in the form that a rotation uses: a coordinate per axis, and the exponent of xPos' rates.
struct RotationPosition {
  std::array<Real, kMaxAxes> at;
  double growth;
  /// Cache slot of its multipliers. Consecutive positions have consecutive slots.
  std::int64_t slot;
};
RotationPosition difference(RotationPosition to, const RotationPosition& from);

/// Inverse frequencies, a magnitude and a pair layout. q and k are rotated by position · frequency.
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
  /// Factor for attention's scale (YaRN in DeepSeek's MLA).
  double softmax_factor = 1;
  int axes = 1;
  /// Whether a single position may be used for all axes (text under M-RoPE).
  bool one_for_all = true;
  /// The axis of each pair. Empty: axis 0 for all pairs.
  std::vector<double> axis_of_pair;
  std::vector<Slice> slices;
  AxisCoordinates coordinates;
  Decay decay;

  /// Radians per position of each pair for a given sequence length, which only dynamic scaling and LongRoPE use. The
  /// values are float32 if `precision` says so.
  std::vector<Real> frequencies(double sequence_length) const;
  /// Sequence lengths of the same regime have the same frequencies.
  virtual double regime(double sequence_length) const = 0;
  /// Whether each longer sequence has a different regime.
  virtual bool regime_grows(double /*sequence_length*/) const { return false; }
  /// Whether keys of a sequence of that length can be rotated once and then kept, for scores that depend only on
  /// distances. False if one more token changes the rotation of the other tokens. Also false if a learned frequency is
  /// not finite, because such a rotation cannot be undone.
  bool can_rotate_once(double sequence_length) const {
    return decay.rates.empty() && coordinates.form == AxisCoordinates::Form::index && !regime_grows(sequence_length) &&
           has_finite_frequencies();
  }

  /// The frequencies, rounded to double.
  std::vector<double> inverse_frequencies(double sequence_length) const;

  /// Writes cos and sin [count, pairs], including the magnitude.
  Error tables(const Positions& positions, double sequence_length, const View& cosine, const View& sine,
               Role role = Role::none, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// Writes the angles to out [count, pairs]. tables() takes their cos and sin.
  Error angles(const Positions& positions, double sequence_length, std::span<double> out) const noexcept;
  /// Checks that this rotation supports these positions. `sequence_length` <= 0: the largest position + 1.
  Error check_positions(const Positions& positions, double per_row, double rows, double sequence_length,
                        Role role) const noexcept;
  Error check(const View& x, HeadLayout layout, const Positions& positions, double sequence_length = 0,
              Role role = Role::none) const noexcept;
  /// Rotates x in place. `sequence_length` <= 0: the largest position + 1.
  Error apply(const View& x, HeadLayout layout, const Positions& positions, double sequence_length, Direction direction,
              Role role = Role::none, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// The gradient of apply(). x is the input of apply(). `gradient` is the gradient of its result and becomes the
  /// gradient of x. The gradient of learned frequencies is added to.
  Error backward(const View& x, const View& gradient, HeadLayout layout, const Positions& positions,
                 double sequence_length, Role role, Training& training,
                 Workspace& workspace = Workspace::of_thread()) const noexcept {
    return backward_from(nullptr, x, gradient, layout, positions, sequence_length, role, training, workspace);
  }
  /// Like backward(), for queries and keys whose scores depend only on differences of positions. Positions are counted
  /// from the first one of each batch element of `origins`; so the sum of the frequency gradients of queries and keys
  /// stays accurate far from position 0.
  Error backward_from(const Positions* origins, const View& x, const View& gradient, HeadLayout layout,
                      const Positions& positions, double sequence_length, Role role, Training& training,
                      Workspace& workspace) const noexcept;
  /// A rotation with its positions, for rerotate(), which replaces the rotation `from` of keys by the rotation `to`;
  /// `to` must belong to this object.
  struct PositionedRotation {
    const Rotation& rotation;
    const Positions& positions;
    /// <= 0: the largest position + 1.
    double sequence_length = 0;
  };
  Error rerotate(const View& x, HeadLayout layout, const PositionedRotation& from, const PositionedRotation& to,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;
  Error check_memory() const;
  double length_of(const Positions& positions, double sequence_length) const;
  std::unique_ptr<Cache> make_cache() const override;

  /// Calls rotate() for each slice. The pair fields of `block` are filled in.
  void rotate_slices(float* x, RotateBlock block, Pairing layout, bool backward, const float* const* multipliers) const;

 protected:
  void configure(const RotaryCommon& common, int pair_count);
  virtual std::vector<Number> unscaled_frequencies(double sequence_length) const = 0;

 private:
  bool has_finite_frequencies() const;
  /// Number of positions whose multipliers are computed before all heads are rotated.
  int chunk_rows(const HeadShape& shape) const;
  template <class Fill>
  void rotate_chunks(float* x, const HeadShape& shape, int rows, bool shared, Pairing layout, bool backward,
                     const Fill& fill) const;
  /// Adds the frequency gradient of pair k of a slice. `gradient` is that of x.
  void add_frequency_gradient(const View& x, const View& gradient, const HeadShape& shape, const Positions& positions,
                              const Positions* origins, const Slice& slice, int k, Training& training) const;

  std::vector<double> frequency_factors_;
};

/// The positions of one call, as the rotation uses them.
class RotationPositions {
 public:
  /// With several axes the slots begin at `first_slot`.
  RotationPositions(const Rotation& rotation, const Positions& positions, double sequence_length, Role role,
                    int first_slot = 0);
  RotationPosition operator[](std::size_t index) const {
    if (!plain_) return position_at(index);
    const double position = positions_[index];
    return {{Real{position, 0}}, 0, std::int64_t(std::floor(position))};
  }
  /// Whether the coordinate is the position itself and nothing else is needed.
  bool plain() const { return plain_; }
  /// Largest distance of a position from the centre of xPos.
  double reach() const;

 private:
  RotationPosition position_at(std::size_t index) const;
  Real coordinate(double position, int axis) const;

  const Rotation& rotation_;
  const Positions& positions_;
  bool plain_;
  double sign_, centre_ = 0;
  int first_slot_;
  std::array<double, kMaxAxes> extent_{};
};

/// A Rotation made from a spec. A spec has `common`, `frequencies(length)` and, if they differ from the default,
/// `pairs()`, `attention_factor()`, `softmax_factor()`, `regime(length)` and `arrange(rotation)`.
template <class Spec>
class RotationOf final : public Rotation {
 public:
  explicit RotationOf(const Spec& spec) : spec_(spec) {
    if constexpr (requires { spec.pairs(); })
      configure(spec.common, spec.pairs());
    else
      configure(spec.common, spec.common.rotated_dim() / 2);
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
