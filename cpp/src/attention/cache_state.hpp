// The state of a cache of keys and values.
#pragma once

#include "attention/cache_inputs.hpp"
#include "attention/cache_rotation.hpp"
#include "attention/cache_rows.hpp"
#include "attention/check.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc {

/// Maximum sum of shifts, whatever is evicted between them: position - frame is still an exact integer.
inline constexpr double kMostFrame = 4 * kMaxPosition;

/// A number for each axis of positions.
using Frame = std::array<double, kMaxAxes>;
inline constexpr Frame kNoFrame{};

struct KeyValueCache::State {
  explicit State(const CacheSpec& spec);

  CacheSpec spec;
  /// Tokens are in the rows from `start` on.
  CacheRows keys, values;
  /// The first tokens under a policy with sinks: keys as given (not rotated), values as stored.
  CacheRows sink_keys, sink_values;
  /// The rows that with_sinks_at() temporarily overwrites.
  CacheRows saved_keys, saved_values;
  int start = 0, length = 0;
  /// Under a policy: number of the oldest rows, except sinks, that are kept only for truncate() to restore evicted
  /// tokens; they are not visible to callers. `dropped`: number of tokens before these.
  int restorable = 0;
  double dropped = 0;
  /// Number of tokens whose keys are rotated by `rotated_by`. Later keys are as given, in float32; if the cache has
  /// another type, they are in `given_keys`.
  int rotated_count = 0;
  CacheRows given_keys;

  /// Positions: consecutive from `first_position` on, or else explicit in explicit_positions [axes][batch][rows], rows
  /// as in `keys`. `first_position` is then 0.
  bool consecutive = true;
  double first_position = 0;
  int axes = 1;
  Array<double> explicit_positions = nullptr;
  /// Keys are rotated by position - frame. Axes have different frames only if positions are explicit.
  Frame frame{};

  /// The rotation of cached keys. Null: keys are as given.
  std::unique_ptr<RotationSnapshot> rotated_by;
  /// The encoding that `rotated_by` is a snapshot of; its regime and learned parameters at that time.
  std::uint64_t source = 0;
  double regime = 0;
  std::vector<float> learned;
  Workspace workspace;
  /// How often rotated keys were re-rotated or shifted: each time rounds them.
  int passes = 0;
  /// Scratch: rows and multipliers of a few tokens.
  Buffer scratch = nullptr;
  double scratch_floats = 0;

  double* position_at(int axis, int batch, int row) const {
    return explicit_positions.data() + (std::ptrdiff_t(axis) * spec.batch + batch) * keys.capacity() + row;
  }
  /// Number of tokens that callers know of, and of those that the next token attends to.
  int visible() const { return length - restorable; }
  int past() const { return spec.window ? std::min(visible(), spec.sinks + spec.window - 1) : visible(); }
  /// First visible token that can still be a query: earlier ones attended to evicted tokens.
  int first_queryable() const { return dropped + restorable > 0 ? past() : 0; }
  /// Whether keys were rounded so often that they should be kept unrotated.
  bool rerotation_limit_reached() const { return passes >= (spec.type == ElementType::float32 ? 32 : 4); }
  double next_position(int batch) const;
  Error check_positions(const Positions& given, int count) const;
  Error check_axes(int given, const Rotation* rotation, const Relative* relative) const;
  void move_frame(double delta) {
    for (double& each : frame) each += delta;
  }
  /// Largest position after evict() shifts the tokens from `end` on to the positions from `begin` on.
  double largest_without(int begin, int end) const;
  /// Positions of `count` tokens from `first` on, minus `offset`; stored in `memory` if not consecutive. Returns false
  /// if out of memory.
  bool read_positions(int first, int count, const Frame& offset, Array<double>& memory, Positions& out) const;

  // Rows.
  /// `groups`: heads may be any multiple of the cache's.
  Error check_rows(const View& view, std::string_view name, int width, int& count, bool groups = false) const;
  void move_to_front();
  /// Moves all tokens to new memory for `rows` tokens; if out of memory, returns false and changes nothing.
  bool resize(int rows);
  void clear();
  /// For an empty cache: the rotation of removed tokens does not apply to later ones.
  void forget_rotation() {
    rotated_by = nullptr;
    frame = {};
    passes = 0;
  }
  void write(const View& k, const View& v, int count);
  /// Reserves memory for `count` tokens after the `kept` ones that stay.
  Error reserve_rows(int kept, int count);
  /// Under the policy: evicts `count` tokens of all batch elements.
  Error forget(int count);
  void write_sinks(int row, double offset);
  /// Calls work() while the sinks are in the rows of tokens first, first + 1, …, before those after them.
  template <class Work>
  Error with_sinks_at(int first, const Work& work) {
    if (first == 0 || spec.sinks == 0) return work();
    saved_keys.copy(keys, start + first, 0, spec.sinks);
    saved_values.copy(values, start + first, 0, spec.sinks);
    write_sinks(start + first, frame[0] - first);
    Error error = work();
    keys.copy(saved_keys, 0, start + first, spec.sinks);
    values.copy(saved_values, 0, start + first, spec.sinks);
    return error;
  }
  /// Reserves memory for at least `rows` and at most `most` unrotated keys.
  Error reserve_given(int rows, int most);
  Error reserve_scratch(int pairs);
  Error reserve_explicit_positions(int wanted_axes);
  void write_positions(const Positions& positions, int count);

  Error reserve(int rows, int staged);
  /// Writes the header of a snapshot; returns the size of the snapshot in bytes.
  double describe(std::span<double> header) const;

  // Rotation.
  void change(const CacheRows& from, int from_row, int to_row, int first, int count,
              std::span<const RotationChange> steps);
  void rotate_given(const RotationChange& change);
  /// Rotates keys appended since like the others.
  Error rotate_pending_keys();
  /// Rotates all keys by this rotation; null: undoes their rotation.
  Error rotate_by(const Rotation* rotation, double length, Workspace& of_rotation);

  // Attention.
  Error check_queries(const View& q, const AttentionOptions& options, double& queries) const;
  Error position_segments(AttentionOptions& options, TailSegments& tail) const;
  Error attend_rows(const View& q, const AttentionOptions& options, int first, int count, const Frame& offset,
                    const View& out, Workspace& of_rotation) const;
  Error attend_each(const View& q, const AttentionOptions& options, const View& out, Workspace& of_rotation);
};

Error check_count(std::string_view field, double value, double least, double most);
inline Error cache_out_of_memory(std::string_view field) {
  return error_at(Code::out_of_memory, field, "out of memory for the cache");
}

}  // namespace posenc
