// The multipliers of a rotation: rows [cosines | sines], one per position.
#pragma once

#include <span>

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// The frequencies of a regime, and rows of multipliers computed from them.
struct RegimeCache {
  std::unique_ptr<Sinusoids> sinusoids;
  /// The regime and the learned parameters that `sinusoids` was computed for.
  double regime = -1;
  std::vector<float> made_of;
  /// Rows of multipliers; the position of each slot (its coordinates and growth); number of slots - 1.
  std::vector<float> rows;
  std::vector<Real> slot_positions;
  std::size_t mask = 0;
  /// Whole plain positions, from the first to before the end, whose rows are known to be in their slots.
  double run_first = 0, run_end = 0;
};

/// Cached results of a rotation in a workspace: two regimes, since short and long sequences may alternate.
struct RotationCache final : Cache {
  std::array<RegimeCache, 2> regimes;
  std::size_t last = 0;
  std::vector<float> other_axis, chunk, undo, redo;
};

/// The multipliers of a rotation in a call. Two sequence lengths may be in use at the same time.
class Multipliers {
 public:
  Multipliers(const Rotation& rotation, double sequence_length, Workspace& workspace);

  /// Writes the multipliers of a position, times the attention factor, to `out`.
  void write(RotationPosition position, Direction direction, float* out) const;
  /// Same as write(), with the given magnitude; `direction` -1 rotates backwards.
  void write_row(const RotationPosition& position, double magnitude, double direction, float* cosine,
                 float* sine) const;
  /// Writes multipliers that move a row from `from`, where `before` (may be this object) rotated it, to `to`.
  void write_move(const Multipliers& before, const RotationPosition& from, const RotationPosition& to,
                  float* out) const;
  /// Writes the multipliers of plain positions offset, offset + 1, …
  void write_run(double offset, int count, double magnitude, float* cosine, float* sine) const;
  /// Forward multipliers, cached because q and k of all layers share positions. Valid until at() is called for another
  /// position whose slot is congruent modulo the `run` of reserve_slots().
  const float* at(const RotationPosition& position) const;
  /// The same of the plain, whole positions first, first + 1, …, of which slots must be usable for all at a time.
  void run(double first, std::span<const float*> out) const;
  /// Reserves slots for a run of consecutive positions, up to 1 MiB.
  void reserve_slots(int run);
  /// Number of positions in a row whose rows from at() are valid at the same time. `consecutive`: they are whole, with
  /// one row each.
  int usable_slots(bool consecutive) const { return int(own_.mask + 1) / (consecutive ? 1 : kSlotsPerPosition); }
  /// Scratch for this many rows of multipliers.
  float* chunk(std::size_t rows) const;

 private:
  void extend_run(double first, double end) const;
  /// Floors of neighbouring positions may be two apart, and xPos has two rows per position.
  static constexpr int kSlotsPerPosition = 4;

  std::size_t slot_of(double position) const { return std::size_t(std::int64_t(position)) & own_.mask; }
  float* row_of(std::size_t slot) const { return own_.rows.data() + slot * 2 * std::size_t(rotation_.pairs); }

  static RegimeCache& regime_of(RotationCache& cache, const Rotation& rotation, double sequence_length);

  const Rotation& rotation_;
  RotationCache& cache_;
  RegimeCache& own_;
};

}  // namespace posenc
