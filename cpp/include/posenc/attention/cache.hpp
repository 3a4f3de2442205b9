// A cache of keys and values for generation: attention over all appended tokens, without copying them.
#pragma once

#include <limits>

#include "posenc/attention.hpp"

namespace posenc {

/// Sizes and options of a cache. Bytes: batch · heads · capacity · (dim + valueDim) elements; for int8, also two
/// float32 per token and head.
struct CacheSpec {
  int batch = 1, heads = 1, dim = 64, value_dim = 64;
  /// Number of tokens that fit. With a window policy, a longer append() temporarily takes more room, until the next
  /// append.
  int capacity = 1;
  /// float16: relative error of each value up to 2^-11. int8: a scale per token and head, max |x| / 127; error up to
  /// half the scale.
  /// For normally distributed keys and values (64 features, 512 tokens, results around 0.08), the error of attention is
  /// 3e-5 (float16) and 6e-4 (int8) on average, 1e-4 and 2e-3 at worst.
  ElementType type = ElementType::float32;
  /// Layout of the keys, values, queries and results of all calls.
  HeadLayout layout = HeadLayout::bhtd;
  /// Keeps the first `sinks` tokens and the last `window` tokens; 0: all. With sinks, positions are counted inside the
  /// cache.
  /// Source: Xiao et al., "Efficient Streaming Language Models with Attention Sinks", 2023, arXiv:2309.17453.
  int window = 0, sinks = 0;
  /// Number of tokens kept after they leave the window, so that truncate() can remove up to that many tokens.
  int undo = 0;

  Error check() const;
};

/// Keys and values of the tokens so far. Keys are stored rotated by the rotation of the last attend(), so that a token
/// costs no more than attention without an encoding.
/// Another rotation, or another regime of the same one (LongRoPE beyond its length), re-rotates all keys in one pass,
/// which rounds them once. Keys are rotated on each read instead if multipliers change with each token
/// (Rotation::can_rotate_once), if distances are remapped, or after 32 passes over the same keys, including those of
/// evict() (4 passes for float16 and int8). The cache keeps its own copy of all that it needs of an encoding, which may
/// change or be destroyed between calls. If a call returns an error, the cache is unchanged.
class KeyValueCache {
 public:
  /// Errors: invalid_argument, out_of_range; out_of_memory.
  static Result<std::unique_ptr<KeyValueCache>> make(const CacheSpec& spec) noexcept;
  ~KeyValueCache();

  /// Appends k [B, H, T, dim] and v [B, H, T, value_dim] (or bthd). Positions without values and with an offset that is
  /// NaN continue from the last position. Several axes and values per batch element are allowed. Tokens that the policy
  /// no longer needs are removed first; all tokens that the new queries attend to stay until the next append.
  /// `rotation` or `relative` is the encoding of the next attend(), if it is known: positions must have its axes.
  /// Errors: out_of_range without a policy, if there is no room; out_of_memory.
  Error append(const View& k, const View& v, const Positions& positions, const Rotation* rotation = nullptr,
               const Relative* relative = nullptr) noexcept;
  /// attention() of q [B, Hq, Tq, dim], the last Tq tokens, over the contents of the cache: out [B, Hq, Tq, value_dim].
  /// Positions are those of the cache. With a policy, each query attends to the same tokens as if the tokens had been
  /// appended one at a time.
  Error attend(const View& q, const AttentionOptions& options, const View& out,
               Workspace& workspace = Workspace::of_thread()) noexcept;

  /// Reads the past() tokens that the next token attends to besides itself, for models with attention in a graph of
  /// their own. k [B, H, past, dim] is rotated by the rotation at its positions (null: as appended), v [B, H, past,
  /// value_dim] (or bthd). Errors: shape_mismatch, invalid_argument; out_of_memory.
  Error read(const Rotation* rotation, const View& k, const View& v,
             Workspace& workspace = Workspace::of_thread()) noexcept;
  int past() const;

  const CacheSpec& spec() const;
  /// Number of tokens. With a policy it may exceed window + sinks until the next append.
  int length() const;
  /// Number of tokens that the policy has removed before these.
  double dropped() const;
  /// Size of all its current memory.
  double bytes() const;
  /// Number of coordinates per position, and number of batch elements with positions of their own.
  int position_axes() const;
  int position_rows() const;
  /// out [axes, rows, length]
  Error positions(std::span<double> out) const noexcept;

  /// Removes the newest tokens and keeps the first `length`. With a policy, tokens that left the window because of the
  /// removed tokens come back, so that the cache equals that of the shorter text. Errors: out_of_range, also if these
  /// tokens are no longer available (CacheSpec::undo).
  Error truncate(double length) noexcept;
  /// Removes all tokens.
  void clear() noexcept;
  /// Removes `count` tokens, starting at index `first`. Later tokens move to the freed positions, in one pass.
  Error evict(double first, double count) noexcept;
  /// Adds to all positions: one number, or one per axis. Errors: shape_mismatch, also if the encoding of the next
  /// attend() has another number of axes; unsupported (one per axis with sinks); invalid_argument, out_of_range,
  /// out_of_memory.
  Error shift(std::span<const double> delta, const Rotation* rotation = nullptr,
              const Relative* relative = nullptr) noexcept;
  Error shift(double delta) noexcept { return shift({&delta, 1}); }
  /// Batch element i becomes the previous batch element rows[i].
  Error reorder(std::span<const double> rows) noexcept;

  /// The contents as bytes. restore() accepts them in a cache with the same sizes, type and policy; capacity and undo
  /// may differ. A checksum detects damage. If `length` is given, it must be that of the snapshot.
  double snapshot_bytes() const;
  Error snapshot(std::span<std::uint8_t> out) const noexcept;
  Error restore(std::span<const std::uint8_t> from, double length = std::numeric_limits<double>::quiet_NaN()) noexcept;

  struct State;

 private:
  explicit KeyValueCache(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace posenc
