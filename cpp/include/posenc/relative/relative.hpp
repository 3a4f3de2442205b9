// The family "content-dependent relative": the object of every encoding with scores that need q and k, and its
// operations.
#pragma once

#include <memory>

#include "posenc/core/parameter.hpp"
#include "posenc/core/shared_fields.hpp"
#include "posenc/core/training.hpp"
#include "posenc/core/workspace.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// Per-token inputs of a call besides k. The tokens are the keys, except for relative_states; the queries are the last
/// of them.
enum class TokenInput { log_gates, directions, strengths, gate_rows, relative_states };
/// Names of the inputs in calls.
inline constexpr std::array<std::string_view, 5> kTokenInputs{"logGates", "directions", "strengths", "gateRows",
                                                              "relativeStates"};
/// In this order: logGates [B, Hq, Tk] (or twice as many heads), directions [B, Hk, Tk, D], strengths [B, Hk, Tk],
/// gateRows [B, Hq, Tk, an even width], relativeStates of the queries alone [B, Hq, Tq, width], or bthd. No data: not
/// given.
using TokenInputs = std::array<View, kTokenInputs.size()>;

/// The order in which tiles of keys are processed.
enum class KeyOrder { rising, falling };

/// The query whose scores are being computed.
struct RelativeQuery {
  /// The row after expand(): [query_width].
  const float* row;
  int head;
  double position;
  /// Index among the call's queries.
  int index = 0;
  /// State passed between tiles, [carried]: 0 before the first tile.
  double* carry = nullptr;
  int batch = 0;
  /// The call's temperature at its position, for encodings that read it.
  double temperature = 1;
};

/// Up to 64 consecutive keys of the call.
struct RelativeKeys {
  const double* positions;
  int count;
  /// Whether each position is one more than the previous one.
  bool consecutive;
  /// Rows of [dim] as passed by the caller. `extra_rows` is set only if the call has extra keys.
  const float *rows, *extra_rows;
  std::ptrdiff_t stride;
  /// Index of the first one among the call's keys.
  int first = 0;
  KeyOrder order = KeyOrder::rising;
  /// Their gradients, with the same layout. Only in backward calls.
  float *row_gradients = nullptr, *extra_gradients = nullptr;
};

/// Up to 16 consecutive rows of queries or keys of one head.
struct RelativeRows {
  bool is_key;
  int batch, head;
  /// Index of the first one among the call's queries or keys.
  int first;
  /// Positions on the first axis.
  std::span<const double> positions;
  float* rows;
  std::ptrdiff_t stride;
};
/// A row as passed by the caller, the row after expand(), and the gradient of the latter, [query_width or key_width].
struct RelativeSlope {
  bool is_key;
  int batch, head, index;
  const float *given, *made;
  float* slopes;
};

/// The masks of attention, for encodings that need them.
class RelativeMask {
 public:
  /// Sets the scores [count] of masked keys to -infinity.
  virtual void mask_scores(const RelativeQuery& query, const RelativeKeys& keys, float* scores) const = 0;

 protected:
  ~RelativeMask() = default;
};

/// Description of a call, passed to begin().
struct RelativeRequest {
  enum class Wanted { scores, gradients, positions };
  const Positions &queries, &keys;
  int query_count, key_count;
  Workspace& workspace;
  Wanted wanted = Wanted::scores;
  /// Sizes of the call's queries and keys.
  int query_heads = 1, key_heads = 1, batch = 1;
  /// Whether the rows are used for scores, which depend only on differences of positions.
  bool scored = false;
  /// Keys more than this far after their query are masked, whatever their scores.
  double ahead = kInfinity;
  const RelativeMask* mask = nullptr;
  /// Layout of the call's tensors, and its per-token inputs.
  HeadLayout layout = HeadLayout::bhtd;
  const TokenInputs* tokens = nullptr;
  /// Gradients of the per-token inputs, if wanted. Only in backward calls.
  const TokenInputs* token_gradients = nullptr;

  /// Index of a query among the tokens.
  int token_index(const RelativeQuery& query) const { return query.index + key_count - query_count; }
};

/// The stages of an encoding in a call. A kind overrides those that it needs. Holds the call's scratch buffers.
class RelativeCall {
 public:
  virtual ~RelativeCall() = default;

  /// Transforms rows in place. Their first `dim` features are those of queries or keys.
  virtual void expand(const RelativeRows&) {}
  /// Applies the transposed maps, for encodings that keep the row width.
  virtual void transpose(const RelativeRows&) {}
  /// Adds the positional terms to scores [count], which are the products of the rows. If positions are wanted, writes
  /// these instead, 0 for masked keys.
  virtual void add(const RelativeQuery&, const RelativeKeys&, float* /*scores*/) {}
  /// The value that add() adds to the score of one key, before its last rounding or more accurate.
  virtual double addition(const RelativeQuery& query, const RelativeKeys& key) {
    float score = 0;
    add(query, key, &score);
    return double(score);
  }
  /// Like add(), but after scale and softcap: adds unscaled terms to scores [count].
  virtual void adjust(const RelativeQuery&, const RelativeKeys&, float* /*scores*/) {}
  /// The value that adjust() adds for one key, before its last rounding.
  virtual double adjustment(const RelativeQuery& query, const RelativeKeys& key) {
    float score = 0;
    adjust(query, key, &score);
    return double(score);
  }
  /// Adds to sums [value_dim] the encoding's own values, multiplied by the weights [count] of a query.
  virtual void add_values(const RelativeQuery&, const RelativeKeys&, const float* /*weights*/, float* /*sums*/) {}

  // The gradients of these stages. Each adds to the gradients of the parameters and to what it is given.

  /// Gradients of the parameters; null in a call without gradients.
  Training* training = nullptr;

  /// Gradient of expand(): slopes [query_width or key_width] become [dim].
  virtual void expand_backward(const RelativeSlope&) {}
  /// Gradient of add(), called after it. `products` are the scores passed to add(). slopes [count] are the gradients of
  /// its results and become those of the products. row_slopes [query_width].
  virtual void add_backward(const RelativeQuery&, const RelativeKeys&, const float* /*products*/, float* /*slopes*/,
                            float* /*row_slopes*/) {}
  /// Gradient of adjust(): slopes [count] of the scores; row_slopes [query_width].
  virtual void adjust_backward(const RelativeQuery&, const RelativeKeys&, const float* /*slopes*/,
                               float* /*row_slopes*/) {}
  /// Gradient of add_values(): out_slopes [value_dim] of the sums, weight_slopes [count].
  virtual void add_values_backward(const RelativeQuery&, const RelativeKeys&, const float* /*out_slopes*/,
                                   float* /*weight_slopes*/) {}
  /// Adds the gradient of add_values() for these weights [count] to the parameters' gradients.
  virtual void scatter_values(const RelativeQuery&, const RelativeKeys&, const float* /*weights*/,
                              const float* /*out_slopes*/) {}
  /// Called after the last of these.
  virtual void finish_backward() {}
};

/// An encoding of scores that depends on the contents of q and k and on their positions.
class Relative : public Learned {
 public:
  static constexpr FamilyName name = FamilyName::relative;
  static constexpr Prose shapes =
      "logits [batch, heads, queries, keys] of q [batch, heads, queries, dim], k [batch, heads, keys, dim] (or bthd)";

  /// Head dimension; 0: any, rows do not change.
  int dim = 0;
  /// Number of query heads (key heads if `keys_have_heads`); 0: any.
  int heads = 0;
  bool keys_have_heads = false;
  /// Dimension of the values that add_values() adds; 0: none.
  int value_dim = 0;
  /// Widths of the rows after expand(). Their first key_width features are multiplied with each other.
  int query_width = 0, key_width = 0;
  /// Number of coordinates per position.
  int axes = 1;
  /// Whether rows are transformed by a linear, position-dependent map that keeps their width. Their positions may then
  /// differ from head to head.
  bool maps_rows = false;
  /// Positions beyond this are rejected, because their rotation cannot be computed accurately enough.
  double farthest = kMaxPosition;
  /// Whether the inverse of such a map is its transpose.
  bool has_orthogonal_maps = true;
  /// The default of attention's scale is 1 / sqrt(dim · terms).
  double terms = 1;
  /// Number of values per query that tiles pass on. If not 0, the terms of a key depend on the keys after it, too:
  /// tiles are processed in falling order (for a gradient then once more in rising order), and no score is recomputed
  /// on its own.
  int carried = 0;
  /// Whether it reads the call's extra keys.
  bool reads_extra_keys = false;
  /// Whether adjust() depends on the call's temperature.
  bool reads_temperature = false;
  /// Whether it assigns positions of its own to keys.
  bool has_positions = false;
  /// Number of values per token and head of each per-token input (gateRows: 1 for any number); 0: not read.
  /// may_lack_gates: whether a call may omit the gates.
  std::array<int, kTokenInputs.size()> token_widths{};
  bool may_lack_gates = false;
  /// Whether make_gates() computes the per-token inputs that it reads: logarithms of gates, or gate rows.
  bool makes_gates = false;

  /// Starts a call. Reads the parameters, which must not change during the call.
  using Begun = Result<std::unique_ptr<RelativeCall>>;
  virtual Begun begin(const RelativeRequest& request) const = 0;
  /// Whether the encoding sorts distances (key - query) into buckets, and the bucket of a distance.
  virtual bool has_buckets() const { return false; }
  virtual double bucket(double /*distance*/) const { return 0; }
  /// Radians of rotation per unit of an axis, [axes, heads, pairs]. Empty: no frequencies.
  virtual std::vector<double> frequencies() const { return {}; }
  Error check_positions(const Positions& positions, double per_row, double rows, double row_heads) const noexcept;

  /// Writes logarithms of gates, or gate rows, for the tokens with inputs x to `out`. The kind defines both shapes.
  /// Kinds without gates: unsupported.
  virtual Error make_gates(const View& x, HeadLayout layout, const View& out) const noexcept;
  /// The gradient of make_gates(). `gradient` is shaped like its result, `out` like x. The gradients of the parameters
  /// are added to.
  virtual Error make_gates_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                                    Training& training) const noexcept;

  /// The order of tiles in a call without gradients.
  KeyOrder order() const { return carried > 0 ? KeyOrder::falling : KeyOrder::rising; }
  /// Writes the rows of x, as attention multiplies them, to out [..., query_width or key_width]. `positions` are those
  /// of x.
  Error expanded(const View& x, bool is_key, HeadLayout layout, const Positions& positions, const View& out,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// Transforms the rows of x [batch, heads, positions, dim] in place. Only for kinds with `maps_rows`.
  Error apply(const View& x, HeadLayout layout, const Positions& positions, Direction direction,
              Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// The gradient of apply(). x is the input of apply(). `gradient` is the gradient of its result and becomes the
  /// gradient of x. The gradients of the parameters are added to.
  Error apply_backward(const View& x, const View& gradient, HeadLayout layout, const Positions& positions,
                       Training& training, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// Writes the buckets of distances [n] (key - query) to out [n].
  Error buckets(std::span<const double> distances, std::span<std::int32_t> out) const noexcept;

 protected:
  template <class Call, class... Arguments>
  static Begun begun(Arguments&&... arguments) {
    return std::unique_ptr<RelativeCall>(new Call(std::forward<Arguments>(arguments)...));
  }
  explicit Relative(int width) : Learned(name), dim(width), query_width(width), key_width(width) {}
};

/// Transformer-XL's shift of scores by distance: out[i, j] = x[i, queries - 1 - i + j] for x [..., queries, width].
/// Indices beyond the row wrap into the next row; `zero_wrapped` writes 0 there.
/// An output as wide as x is Transformer-XL's shift. out [..., queries, keys < width] is XLNet's, with one more
/// distance at the front of each row.
/// Source: Dai et al. 2019, arXiv:1901.02860, appendix B.
Error relative_shift(const View& x, bool zero_wrapped, const View& out) noexcept;

}  // namespace posenc
