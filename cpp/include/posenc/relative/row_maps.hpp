// Relative encodings that transform the rows of queries and keys by linear, position-dependent maps. Rows keep their
// width.
#pragma once

#include "posenc/relative/relative.hpp"

namespace posenc {

/// The maps of an encoding's positions, computed from its learned parameters and cached until these change.
class RowMaps {
 public:
  using Coordinates = std::array<Real, kMaxAxes>;
  using List = std::span<const float* const>;
  /// A row in a backward call: as passed by the caller, after transform(), and the gradient of the latter.
  struct Slope {
    int head;
    const Coordinates& coordinates;
    /// For scores: the same for all rows of a batch element. Sums of slopes times positions are more accurate far from
    /// position 0 if positions are counted from this origin. 0 for rows on their own.
    const Coordinates& origin;
    /// Index of the position in the call. Several rows may share it.
    int index;
    const float *map, *given, *made, *slopes;
  };

  RowMaps(int own_heads, int map_floats) : heads(own_heads), floats(map_floats) {}
  virtual ~RowMaps() = default;
  /// Number of heads with maps of their own; 1: all heads share one.
  const int heads;
  /// Number of floats in the map of a position for one head.
  const int floats;

  virtual void make(int head, const Coordinates& coordinates, float* map) = 0;
  /// Transforms one row for each of up to 16 maps in place, rows `stride` apart.
  virtual void transform(int head, List maps, float* rows, std::ptrdiff_t stride) = 0;
  /// Like transform(), with the transposed maps.
  virtual void transform_transposed(int head, List maps, float* rows, std::ptrdiff_t stride) = 0;
  /// Radians per unit of an axis, [axes, heads, pairs].
  virtual std::vector<double> frequencies() const { return {}; }

  /// Resets the collected gradients. Returns false if there is not enough memory for the gradients of that many
  /// positions.
  virtual bool begin_learning(double position_count) = 0;
  virtual void learn(const Slope& slope) = 0;
  /// Adds the sums to the gradients of the parameters.
  virtual void finish_learning(Training& training) = 0;

 protected:
  RowMaps(const RowMaps&) = default;
};

/// The family's object of such an encoding.
class RowMapsRelative : public Relative {
 public:
  /// `own_heads` key heads have maps of their own; 0: all share one.
  RowMapsRelative(int width, int own_heads, int axis_count);
  /// Null if there is not enough memory.
  virtual std::unique_ptr<RowMaps> make_maps() const = 0;
  /// The axis of a position that provides this coordinate.
  virtual int axis_of(int axis) const { return axis; }
  /// The coordinate that the maps use for a position on an axis with `extent` cells.
  virtual Real coordinate(double position, int /*axis*/, double /*extent*/) const { return {position, 0}; }
  /// Whether coordinates depend on the size of the grid.
  virtual bool uses_extent() const { return false; }

  Begun begin(const RelativeRequest& request) const override;
  std::unique_ptr<Cache> make_cache() const override;
  std::vector<double> frequencies() const override;
};

/// Maps that rotate pairs of features: [cosines | sines] of each position. The kind sets the frequencies.
class PairMaps : public RowMaps {
 public:
  PairMaps(int own_heads, int axis_count, int pair_count, Pairing layout);
  void make(int head, const Coordinates& coordinates, float* map) override;
  void transform(int head, List maps, float* rows, std::ptrdiff_t stride) override;
  void transform_transposed(int head, List maps, float* rows, std::ptrdiff_t stride) override;
  std::vector<double> frequencies() const override;
  bool begin_learning(double position_count) override;
  void learn(const Slope& slope) override;

  const int axes, pairs;
  const Pairing pairing;
  /// Sets a frequency, in radians per unit of an axis. `i` is an index in [axes, heads, pairs].
  void set_frequency(std::size_t i, const Real& radians);

 protected:
  /// The two feature indices of pair k in a rotated row.
  std::pair<int, int> features_of(int k) const;
  std::size_t index_of(int axis, int head) const {
    return (std::size_t(axis) * std::size_t(heads) + std::size_t(head)) * std::size_t(pairs);
  }
  std::vector<Real> radians_, turns_;
  /// Gradients of the frequencies.
  std::vector<double> slopes_;

 private:
  std::vector<Real> sum_;
  std::vector<float> reversed_;
};

/// The field "heads" of these encodings.
inline constexpr Field kOwnHeadsField{.name = "heads",
                                      .doc = "Number of key heads with their own parameters; 0: all heads share them.",
                                      .min = 0,
                                      .max = 65536,
                                      .unit = "heads"};
inline constexpr Field kAxesField{
    .name = "axes", .doc = "Number of coordinates per position.", .min = 1, .max = kMaxAxes};

inline constexpr Field kRowMapAxisOrderField{
    .name = "axisOrder",
    .doc = "Axis of each row of frequencies; null: in order (h, w). [1, 0]: x first.",
    .min = 0,
    .max = kMaxAxes - 1};

inline constexpr Field kRowMapPairingField{
    .name = "pairing", .doc = "Features that form pairs: half [a0 a1 … b0 b1 …] or interleaved [a0 b0 a1 b1 …]."};

/// Frequencies in `axes` orthogonal directions, with a randomly rotated frame for each head: part g of the pairs uses
/// direction g, with base^(-i/n), i = 0 … n - 1.
Parameter mixed_frequencies(int heads, int axes, int pairs, double base, const RandomInit& init);

}  // namespace posenc
