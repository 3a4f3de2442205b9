// What a rotation multiplies by: rows [cosines | sines] of places.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// The waves of a regime, and rows of multipliers made of them.
struct RegimeCache {
  std::unique_ptr<Waves> waves;
  /// What the waves were made for, and of, where that can be learned.
  double regime = -1;
  std::vector<float> made_of;
  /// Rows of multipliers, the place of each slot (its coordinates and growth), slots - 1.
  std::vector<float> rows;
  std::vector<Real> places;
  std::size_t mask = 0;
};

/// What a rotation remembers in a workspace: two regimes, as short and long sequences may take turns.
struct RotationCache final : Cache {
  std::array<RegimeCache, 2> regimes;
  std::size_t last = 0;
  std::vector<float> other_axis, chunk, undo, redo;
};

/// The multipliers of a rotation in a call; those of two sequence lengths may be at work at once.
class Multipliers {
 public:
  Multipliers(const Rotation& rotation, double sequence_length, Workspace& workspace);

  /// Those of a place, the attention factor inside, written to `out`.
  void write(Place place, Direction direction, float* out) const;
  /// The same with another magnitude; `direction` -1: backwards.
  void write_row(const Place& place, double magnitude, double direction, float* cosine, float* sine) const;
  /// Those that take a row from a place where `before`, which may be the same, rotated it, to another.
  void write_move(const Multipliers& before, const Place& from, const Place& to, float* out) const;
  /// Those of offset, offset + 1, … of plain places.
  void write_run(double offset, int count, double magnitude, float* cosine, float* sine) const;
  /// Forward, remembered: q and k of all layers stand at the same places. Good until a place whose slot is congruent
  /// modulo the `run` of remember() is asked for.
  const float* at(const Place& place) const;
  /// at() of a plain place if that is remembered; else null.
  const float* remembered(double position) const {
    const std::size_t slot = std::size_t(std::int64_t(position)) & own_.mask;
    const Real* place = own_.places.data() + 2 * slot;
    return place[0].hi == position && place[1].hi == 0 ? row_of(slot) : nullptr;
  }
  /// Makes room to remember a run of consecutive positions, as far as 1 MiB goes.
  void remember(int run);
  /// Room for so many rows.
  float* chunk(std::size_t rows) const;

 private:
  float* row_of(std::size_t slot) const { return own_.rows.data() + slot * 2 * std::size_t(rotation_.pairs); }

  static RegimeCache& regime_of(RotationCache& cache, const Rotation& rotation, double sequence_length);

  const Rotation& rotation_;
  RotationCache& cache_;
  RegimeCache& own_;
};

}  // namespace posenc
