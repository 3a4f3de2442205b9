// Relative encodings that change rows of queries and keys by linear maps of where they stand; rows keep their width.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// The maps of an encoding's places, made of its learned numbers, and remembered until these change.
class RowMaps {
 public:
  using Place = std::array<Real, kMaxAxes>;
  using List = std::span<const float* const>;
  /// A row in a backward call: as it was given, as turn() made it, and the gradient of the latter.
  struct Slope {
    int head;
    const Place& place;
    /// Of scores, the same for all rows of a batch row: sums of slopes times places keep more digits of far places if
    /// these are counted from here. 0 of rows by themselves.
    const Place& origin;
    /// Which place of the call it is; several rows may stand there.
    int index;
    const float *map, *given, *made, *slopes;
  };

  RowMaps(int own_heads, int map_floats) : heads(own_heads), floats(map_floats) {}
  virtual ~RowMaps() = default;
  /// Heads that have maps of their own; 1: all share it.
  const int heads;
  /// Of the map of a place, for one head.
  const int floats;

  virtual void make(int head, const Place& place, float* map) = 0;
  /// A row for each of up to 16 maps, in place, `stride` apart.
  virtual void turn(int head, List maps, float* rows, std::ptrdiff_t stride) = 0;
  /// The same by the transposed maps.
  virtual void turn_back(int head, List maps, float* rows, std::ptrdiff_t stride) = 0;
  /// Radians for each unit of an axis, [axes, heads, pairs].
  virtual std::vector<double> frequencies() const { return {}; }

  /// Forgets what it has learned; false: no memory for the gradients of so many places.
  virtual bool begin_learning(double places) = 0;
  virtual void learn(const Slope& slope) = 0;
  /// Adds the sums to the gradients of the parameters.
  virtual void finish_learning(Training& training) = 0;

 protected:
  RowMaps(const RowMaps&) = default;
};

/// The family's object of such a kind.
class TurningRelative : public Relative {
 public:
  /// `own_heads` key heads have maps of their own; 0: all share one.
  TurningRelative(int width, int own_heads, int axis_count);
  /// null: there is no memory for them.
  virtual std::unique_ptr<RowMaps> make_maps() const = 0;
  /// Which axis of a place stands at that coordinate.
  virtual int axis_of(int axis) const { return axis; }
  /// Where a position on an axis of `extent` places is to the maps.
  virtual Real coordinate(double position, int /*axis*/, double /*extent*/) const { return {position, 0}; }
  /// Do coordinates go by the size of the grid?
  virtual bool minds_extent() const { return false; }

  Begun begin(const RelativeRequest& request) const override;
  std::unique_ptr<Cache> make_cache() const override;
  std::vector<double> frequencies() const override;
};

/// Maps that turn pairs of features: [cosines | sines] of each place. A kind says by which frequencies.
class PairMaps : public RowMaps {
 public:
  PairMaps(int own_heads, int axis_count, int pair_count, Pairing layout);
  void make(int head, const Place& place, float* map) override;
  void turn(int head, List maps, float* rows, std::ptrdiff_t stride) override;
  void turn_back(int head, List maps, float* rows, std::ptrdiff_t stride) override;
  std::vector<double> frequencies() const override;
  bool begin_learning(double places) override;
  void learn(const Slope& slope) override;

  const int axes, pairs;
  const Pairing pairing;
  /// [axes, heads, pairs]: radians for each unit of an axis.
  void set_frequency(std::size_t i, const Real& radians);

 protected:
  /// Where pair k of a turned row lies.
  std::pair<int, int> features_of(int k) const;
  std::size_t place_of(int axis, int head) const {
    return (std::size_t(axis) * std::size_t(heads) + std::size_t(head)) * std::size_t(pairs);
  }
  std::vector<Real> radians_, turns_;
  /// Of the frequencies.
  std::vector<double> slopes_;

 private:
  std::vector<Real> sum_;
  std::vector<float> reversed_;
};

/// "heads" of these kinds.
inline constexpr Field kOwnHeadsField{.name = "heads",
                                      .doc = "Key heads that have numbers of their own; 0: all heads share them.",
                                      .min = 0,
                                      .max = 65536,
                                      .unit = "heads"};
inline constexpr Field kAxesField{.name = "axes", .doc = "Numbers that make a place.", .min = 1, .max = kMaxAxes};

inline constexpr Field kTurningAxisOrderField{
    .name = "axisOrder",
    .doc = "The axis of places that each row of frequencies is for; null: in order (h, w). [1, 0]: x first.",
    .min = 0,
    .max = kMaxAxes - 1};

inline constexpr Field kTurningPairingField{
    .name = "pairing", .doc = "Features that turn together: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]."};

/// Frequencies in `axes` directions that are at right angles, a turned frame for each head: share g of the pairs goes
/// along direction g, with base^(-i/n), i = 0 … n - 1.
Parameter mixed_frequencies(int heads, int axes, int pairs, double base, const RandomInit& init);

}  // namespace posenc
