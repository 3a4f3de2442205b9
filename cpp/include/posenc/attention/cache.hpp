// A cache of keys and values for generating: attention over all that was appended, without copying it.
#pragma once

#include <limits>

#include "posenc/attention.hpp"

namespace posenc {

/// What a cache is made for. Bytes: batch · heads · capacity · (dim + valueDim) elements, and for int8 two float32 a
/// row and head.
struct CacheSpec {
  int batch = 1, heads = 1, dim = 64, value_dim = 64;
  /// How many tokens there is room for. A policy takes more for the tokens of a longer append(), until the next.
  int capacity = 1;
  /// float16: each number within 2^-11 of itself; int8: a scale for each row and head, max |x| / 127, each number
  /// within half of it. Of normally distributed keys and values (64 features, 512 tokens, results around 0.08)
  /// attention is off by 3e-5 and by 6e-4 on average, by 1e-4 and 2e-3 at worst.
  ElementType type = ElementType::float32;
  /// Of the keys, values, queries and results of its calls.
  HeadLayout layout = HeadLayout::bhtd;
  /// Keeps the first `sinks` tokens and the last `window`; 0: all. With sinks positions count inside the cache.
  /// Source: Xiao et al., "Efficient Streaming Language Models with Attention Sinks", 2023, arXiv:2309.17453.
  int window = 0, sinks = 0;
  /// So many of the tokens that leave the window are kept for truncate(), which may take back as many.
  int undo = 0;

  Error check() const;
};

/// Keys and values of the tokens so far. Keys stand in it turned by the rotation that attend() was last given, so that
/// a token costs no more than attention without encoding; another rotation, or another regime of the same one (LongRoPE
/// beyond its length), turns all of them in one pass, which rounds them once. Rotations whose multipliers change with
/// each token (Rotation::turns_once), and remapped distances, turn keys as they are read; so do all after 32 passes
/// over the same keys, evict()'s among them (4 where they have 16 or 8 bits). The cache keeps all that it
/// needs of an encoding, which may change or go between calls. After an error it is as before.
class KeyValueCache {
 public:
  /// Errors: invalid_argument, out_of_range; out_of_memory.
  static Result<std::unique_ptr<KeyValueCache>> make(const CacheSpec& spec) noexcept;
  ~KeyValueCache();

  /// k [B, H, T, dim], v [B, H, T, value_dim] (or bthd). Positions without values and with an offset that is NaN go on
  /// from the last; several axes or values for each batch row are allowed. What the policy no longer needs goes first;
  /// all that the queries of these tokens attend to stays until the next append. Errors: out_of_range without a policy,
  /// if there is no room; out_of_memory.
  Error append(const View& k, const View& v, const Positions& positions) noexcept;
  /// attention() of q [B, Hq, Tq, dim], the last Tq tokens, over what the cache has: out [B, Hq, Tq, value_dim].
  /// Positions are the cache's. Under a policy each query sees what it would have seen had the tokens come one by one.
  Error attend(const View& q, const AttentionOptions& options, const View& out,
               Workspace& workspace = Workspace::of_thread()) noexcept;

  /// What the next token sees besides itself: past() tokens. k [B, H, past,
  /// dim], turned by the rotation (null: as they were given) at their positions, v [B, H, past, value_dim] (or bthd):
  /// for models whose attention is in a graph of their own. Errors: shape_mismatch, invalid_argument; out_of_memory.
  Error read(const Rotation* rotation, const View& k, const View& v,
             Workspace& workspace = Workspace::of_thread()) noexcept;
  int past() const;

  const CacheSpec& spec() const;
  /// How many tokens it has. Under a policy that may be more than window + sinks until the next are appended.
  int length() const;
  /// How many tokens the policy dropped before these.
  double dropped() const;
  /// Of all its memory now.
  double bytes() const;
  /// How many numbers a token's position has, and whether batch rows have their own.
  int position_axes() const;
  int position_rows() const;
  /// out [axes, rows, length]
  Error positions(std::span<double> out) const noexcept;

  /// Forgets the newest, all but the first `length`. Under a policy tokens that left the window for those come back, so
  /// that the cache is that of the shorter text. Errors: out_of_range, also where these are gone (CacheSpec::undo).
  Error truncate(double length) noexcept;
  /// Forgets all.
  void clear() noexcept;
  /// Removes `count` tokens from index `first` on; those after them move up to their positions, in one pass.
  Error evict(double first, double count) noexcept;
  /// Adds to all positions.
  Error shift(double delta) noexcept;
  /// Batch row i becomes what rows[i] was.
  Error reorder(std::span<const double> rows) noexcept;

  /// All it holds as bytes, which restore() of a cache of the same sizes, type and policy takes; its capacity and undo
  /// may be others. A checksum finds damage; `length`, if it is told, must be that of the cache.
  double snapshot_bytes() const;
  Error snapshot(std::span<std::uint8_t> out) const noexcept;
  Error restore(std::span<const std::uint8_t> from, double length = std::numeric_limits<double>::quiet_NaN()) noexcept;

  struct State;

 private:
  explicit KeyValueCache(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace posenc
