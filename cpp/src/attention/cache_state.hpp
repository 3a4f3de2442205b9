// What a cache of keys and values has.
#pragma once

#include "attention/cache_inputs.hpp"
#include "attention/cache_rows.hpp"
#include "attention/cache_turning.hpp"
#include "attention/check.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc {

/// Shifts may add up to this, whatever was forgotten between them: places less a frame are still whole numbers.
inline constexpr double kMostFrame = 4 * kMaxPosition;

struct KeyValueCache::State {
  explicit State(const CacheSpec& spec);

  CacheSpec spec;
  /// Tokens are the rows from `start` on.
  CacheRows keys, values;
  /// The first tokens under a policy with sinks: keys as they were given, and values as they are stored.
  CacheRows sink_keys, sink_values;
  /// What lies where a query has its sinks.
  CacheRows saved_keys, saved_values;
  int start = 0, length = 0;
  /// Under a policy: so many rows, the oldest but for the sinks, wait for truncate() to take back the tokens that they
  /// made room for; nobody else knows of them. Tokens before these were `dropped`.
  int hidden = 0;
  double dropped = 0;
  /// So many tokens stand as `turned_by` says; keys after them are as they were given, float32, and where that is not
  /// the cache's type they are in `given_keys`.
  int turned = 0;
  CacheRows given_keys;

  /// Positions: one after another from `first_position` on (else that is 0), or places [axes][batch][rows], rows as
  /// those of keys.
  bool consecutive = true;
  double first_position = 0;
  int axes = 1;
  Array<double> places = nullptr;
  /// Keys are turned by position - this.
  double frame = 0;

  /// Null: keys stand as they were given.
  std::unique_ptr<RotationSnapshot> turned_by;
  /// The encoding it was made of, its regime and learned numbers then.
  std::uint64_t source = 0;
  double regime = 0;
  std::vector<float> learned;
  Workspace workspace;
  /// How often keys that stood turned were turned anew or moved: each time rounds them.
  int passes = 0;
  /// Rows and multipliers of a few tokens.
  Buffer scratch = nullptr;
  double scratch_floats = 0;

  double* place(int axis, int batch, int row) const {
    return places.data() + (std::ptrdiff_t(axis) * spec.batch + batch) * keys.capacity() + row;
  }
  /// How many tokens everybody knows of, and under a policy how many of them the next one attends to.
  int visible() const { return length - hidden; }
  int past() const { return spec.window ? std::min(visible(), spec.sinks + spec.window - 1) : visible(); }
  /// Visible tokens before this one are not asked for any more: some of what they saw is gone.
  int answerable() const { return dropped + hidden > 0 ? past() : 0; }
  /// Were keys rounded so often that they are better left as they were given?
  bool rerotation_limit_reached() const { return passes >= (spec.type == ElementType::float32 ? 32 : 4); }
  double next_position(int batch) const;
  Error check_positions(const Positions& given, int count) const;
  /// The largest position after evict() moved the tokens from `end` on to where those from `begin` on are.
  double largest_without(int begin, int end) const;
  /// Positions of `count` tokens from `first` on, less `offset`; `memory` holds them where they are not consecutive.
  /// False: there is none.
  bool told(int first, int count, double offset, Array<double>& memory, Positions& out) const;

  // Rows.
  Error check_rows(const View& view, std::string_view name, int width, int& count) const;
  void move_to_front();
  /// Memory for so many tokens, which those that there are move into; false: there is none, and nothing changed.
  bool resize(int rows);
  void clear();
  /// Of an empty cache: what rotated tokens that are gone says nothing of those that come.
  void forget_rotation() {
    turned_by = nullptr;
    frame = 0;
    passes = 0;
  }
  void write(const View& k, const View& v, int count);
  /// Memory for `count` tokens after `kept` of those that there are.
  Error make_room(int kept, int count);
  /// Under the policy: forgets so many of all rows.
  Error forget(int count);
  void write_sinks(int row, double offset);
  /// Calls work() while the sinks are in the rows of tokens first, first + 1, …, as if those after them followed.
  template <class Work>
  Error with_sinks_at(int first, const Work& work) {
    if (first == 0 || spec.sinks == 0) return work();
    saved_keys.copy(keys, start + first, 0, spec.sinks);
    saved_values.copy(values, start + first, 0, spec.sinks);
    write_sinks(start + first, frame - first);
    Error error = work();
    keys.copy(saved_keys, 0, start + first, spec.sinks);
    values.copy(saved_values, 0, start + first, spec.sinks);
    return error;
  }
  /// Memory for so many keys as they were given, of at most `most` tokens.
  Error reserve_given(int rows, int most);
  Error reserve_scratch(int pairs);
  Error reserve_places(int wanted_axes);
  void place_rows(const Positions& positions, int count);

  Error reserve(int rows, int staged);
  /// The numbers of a snapshot that stand in front, and how many bytes it has.
  double describe(std::span<double> numbers) const;

  // Turning.
  void change(const CacheRows& from, int from_row, int to_row, int first, int count, std::span<const Turning> steps);
  void turn_given(const Turning& turning);
  /// All rows stand as they did, those that were given since, too.
  Error rotate_pending_keys();
  /// All rows stand as this rotation has it; null: as they were given.
  Error turn_by(const Rotation* rotation, double length, Workspace& of_rotation);

  // Attention.
  Error check_queries(const View& q, const AttentionOptions& options, double& queries) const;
  Error place_segments(AttentionOptions& options, TailSegments& tail) const;
  Error attend_rows(const View& q, const AttentionOptions& options, int first, int count, double offset,
                    const View& out, Workspace& of_rotation) const;
  Error attend_each(const View& q, const AttentionOptions& options, const View& out, Workspace& of_rotation);
};

Error check_count(std::string_view field, double value, double least, double most);
inline Error cache_out_of_memory(std::string_view field) {
  return error_at(Code::out_of_memory, field, "out of memory for the cache");
}

}  // namespace posenc
