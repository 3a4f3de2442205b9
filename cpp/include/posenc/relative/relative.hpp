// The family "content-dependent relative": what every encoding becomes whose scores need q and k themselves.
#pragma once

#include <memory>

#include "posenc/core/parameter.hpp"
#include "posenc/core/shared_fields.hpp"
#include "posenc/core/training.hpp"
#include "posenc/core/workspace.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// What a call gives for each of its tokens, which are its keys (the queries are the last of them), besides k.
enum class TokenInput { log_gates, directions, strengths, gate_rows };
/// What callers know them as.
inline constexpr std::array<std::string_view, 4> kTokenInputs{"logGates", "directions", "strengths", "gateRows"};
/// In this order: logGates [B, Hq, Tk] (or twice as many heads), directions [B, Hk, Tk, D], strengths [B, Hk, Tk],
/// gateRows [B, Hq, Tk, an even width], or bthd. No data: not given.
using TokenInputs = std::array<View, kTokenInputs.size()>;

/// In which order tiles of keys come.
enum class KeyOrder { rising, falling };

/// A query whose scores are at hand.
struct RelativeQuery {
  /// As expand() made it: [query_width].
  const float* row;
  int head;
  double position;
  /// Which of the call's queries it is.
  int index = 0;
  /// [carried]: 0 before the first tile.
  double* carry = nullptr;
  int batch = 0;
};

/// Up to 64 keys, one after another.
struct RelativeKeys {
  const double* positions;
  int count;
  /// Does each stand one further than the one before?
  bool consecutive;
  /// As the caller gave them, rows of [dim]; `extra_rows` only where the call has them.
  const float *rows, *extra_rows;
  std::ptrdiff_t stride;
  /// Which of the call's keys the first one is.
  int first = 0;
  KeyOrder order = KeyOrder::rising;
  /// Of their gradients, laid out alike; only in backward calls.
  float *row_gradients = nullptr, *extra_gradients = nullptr;
};

/// Up to 16 rows of queries or keys of one head, one after another.
struct RelativeRows {
  bool is_key;
  int batch, head;
  /// Which of the call's queries or keys the first one is.
  int first;
  /// Of the first axis.
  std::span<const double> positions;
  float* rows;
  std::ptrdiff_t stride;
};
/// A row as the caller gave it, as expand() made it, and the gradient of the latter, [query_width or key_width].
struct RelativeSlope {
  bool is_key;
  int batch, head, index;
  const float *given, *made;
  float* slopes;
};

/// What attention knows about who sees whom, for encodings that ask.
class RelativeSight {
 public:
  /// scores [count] of hidden keys become -infinity.
  virtual void hide(const RelativeQuery& query, const RelativeKeys& keys, float* scores) const = 0;

 protected:
  ~RelativeSight() = default;
};

/// What one call is about, told before it.
struct RelativeRequest {
  enum class Wanted { scores, gradients, positions };
  const Positions &queries, &keys;
  int query_count, key_count;
  Workspace& workspace;
  Wanted wanted = Wanted::scores;
  /// Of the call's queries and keys.
  int query_heads = 1, key_heads = 1, batch = 1;
  /// Are the rows those of scores, which depend on differences of positions alone?
  bool scored = false;
  /// Keys farther after their query than this are hidden, whatever their scores.
  double ahead = kInfinity;
  const RelativeSight* sight = nullptr;
  /// How tensors of the call lie, and what it says of each token.
  HeadLayout layout = HeadLayout::bhtd;
  const TokenInputs* tokens = nullptr;
  /// Gradients of these, where they are wanted; only in backward calls.
  const TokenInputs* token_gradients = nullptr;

  /// Which of the tokens a query is.
  int place(const RelativeQuery& query) const { return query.index + key_count - query_count; }
};

/// What an encoding does in a call, stage by stage; a kind overrides those where it acts. Holds the call's scratch.
class RelativeCall {
 public:
  virtual ~RelativeCall() = default;

  /// Rows in place, whose first `dim` features are those of queries or keys.
  virtual void expand(const RelativeRows&) {}
  /// By the transposed maps, where rows keep their width.
  virtual void transpose(const RelativeRows&) {}
  /// Adjust: scores [count], of the products of the rows, get what positions add. Where positions are wanted they
  /// become these, 0 for hidden keys.
  virtual void add(const RelativeQuery&, const RelativeKeys&, float* /*scores*/) {}
  /// What add() adds to the score of one key, without its last rounding or better.
  virtual double addition(const RelativeQuery& query, const RelativeKeys& key) {
    float score = 0;
    add(query, key, &score);
    return double(score);
  }
  /// Adjust, too, but after scale and softcap: scores [count] get what is added to them as they are.
  virtual void adjust(const RelativeQuery&, const RelativeKeys&, float* /*scores*/) {}
  /// The same for one key, without its last rounding.
  virtual double adjustment(const RelativeQuery& query, const RelativeKeys& key) {
    float score = 0;
    adjust(query, key, &score);
    return double(score);
  }
  /// Weigh: sums [value_dim] += what the weights [count] of a query select of the encoding's own values.
  virtual void add_values(const RelativeQuery&, const RelativeKeys&, const float* /*weights*/, float* /*sums*/) {}

  // The gradients of these stages. Each adds to the gradients of the parameters and to what it is given.

  /// Where those of the parameters are; null in a call without gradients.
  Training* training = nullptr;

  /// Of expand(): slopes [query_width or key_width] become [dim].
  virtual void expand_backward(const RelativeSlope&) {}
  /// Of add(), after it: `products` are the scores that it was given; slopes [count], of those that it made, become
  /// those of the products; row_slopes [query_width].
  virtual void add_backward(const RelativeQuery&, const RelativeKeys&, const float* /*products*/, float* /*slopes*/,
                            float* /*row_slopes*/) {}
  /// Of adjust(): slopes [count] of the scores; row_slopes [query_width].
  virtual void adjust_backward(const RelativeQuery&, const RelativeKeys&, const float* /*slopes*/,
                               float* /*row_slopes*/) {}
  /// Of add_values(): out_slopes [value_dim] of the sums, weight_slopes [count].
  virtual void add_values_backward(const RelativeQuery&, const RelativeKeys&, const float* /*out_slopes*/,
                                   float* /*weight_slopes*/) {}
  /// What the same gives to the parameters, for these weights [count].
  virtual void scatter_values(const RelativeQuery&, const RelativeKeys&, const float* /*weights*/,
                              const float* /*out_slopes*/) {}
  /// After the last of these.
  virtual void finish_backward() {}
};

/// Scores of q and k that depend on their contents and on where they stand.
class Relative : public Learned {
 public:
  static constexpr FamilyName name = FamilyName::relative;
  static constexpr Prose shapes =
      "logits [batch, heads, queries, keys] of q [batch, heads, queries, dim], k [batch, heads, keys, dim] (or bthd)";

  /// Width of a head; 0: any, rows do not change.
  int dim = 0;
  /// How many query heads (key heads where `keys_have_heads`); 0: any.
  int heads = 0;
  bool keys_have_heads = false;
  /// Width of the values that add_values() adds; 0: none.
  int value_dim = 0;
  /// Width of the rows that expand() makes. Their first key_width features are multiplied with each other.
  int query_width = 0, key_width = 0;
  /// Numbers that make a place.
  int axes = 1;
  /// Are rows changed by a linear map of where they stand, and keep their width? Their positions may then differ from
  /// head to head.
  bool turns = false;
  /// Positions beyond are refused: what they would turn by is not known exactly enough.
  double farthest = kMaxPosition;
  /// Is what undoes such a map the transposed one?
  bool turns_rigidly = true;
  /// Attention's scale is 1 / sqrt(dim · terms) where none is given.
  double terms = 1;
  /// How many numbers of a query its tiles hand on. If any, what is added for a key follows from the keys after it,
  /// too: tiles come in falling order (those of a gradient then once more, rising), and no score is taken again by
  /// itself.
  int carried = 0;
  /// Does it read the call's extra keys?
  bool reads_extra_keys = false;
  /// Does it give keys positions of its own?
  bool has_positions = false;
  /// Which inputs of tokens it reads: of so many numbers each, for each head (of gateRows: 1 for any); which of them a
  /// call may leave out.
  std::array<int, kTokenInputs.size()> token_widths{};
  bool may_lack_gates = false;
  /// Does it make the inputs of tokens that it reads, logarithms of gates or rows of them?
  bool makes_gates = false;
  /// Is all that it does a bias, made of queries and keys?
  bool adds_bias = false;

  /// Reads the parameters, which stay as they are during the call.
  using Begun = Result<std::unique_ptr<RelativeCall>>;
  virtual Begun begin(const RelativeRequest& request) const = 0;
  /// Does the encoding sort distances (key - query) into buckets, and into which?
  virtual bool has_buckets() const { return false; }
  virtual double bucket(double /*distance*/) const { return 0; }
  /// Radians by which pairs turn for each unit of an axis, [axes, heads, pairs]; empty: it has none.
  virtual std::vector<double> frequencies() const { return {}; }
  Error check_positions(const Positions& positions, double per_row, double rows, double row_heads) const noexcept;

  /// out: logarithms of gates, or their rows, for the tokens that x tells of; what the shapes of both are says the
  /// kind. The kinds that make none: unsupported.
  virtual Error make_gates(const View& x, HeadLayout layout, const View& out) const noexcept;
  /// Of make_gates(), for `gradient`, shaped like its result: out, shaped like x; adds to the parameters' gradients.
  virtual Error make_gates_backward(const View& x, const View& gradient, HeadLayout layout, const View& out,
                                    Training& training) const noexcept;

  /// The order of tiles in a call without gradients.
  KeyOrder order() const { return carried > 0 ? KeyOrder::falling : KeyOrder::rising; }
  /// out [..., query_width or key_width] = the rows of x as attention multiplies them; `positions` of x.
  Error expanded(const View& x, bool is_key, HeadLayout layout, const Positions& positions, const View& out,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// The rows of x [batch, heads, positions, dim] changed in place, for a kind that `turns`.
  Error apply(const View& x, HeadLayout layout, const Positions& positions, Direction direction,
              Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// The gradient of apply(), of x as it was before: `gradient`, of what apply() made, becomes that of x, and adds to
  /// those of the parameters.
  Error apply_backward(const View& x, const View& gradient, HeadLayout layout, const Positions& positions,
                       Training& training, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// distances [n]: key - query; out [n]
  Error buckets(std::span<const double> distances, std::span<std::int32_t> out) const noexcept;

 protected:
  template <class Call, class... Arguments>
  static Begun begun(Arguments&&... arguments) {
    return std::unique_ptr<RelativeCall>(new Call(std::forward<Arguments>(arguments)...));
  }
  explicit Relative(int width) : Learned(name), dim(width), query_width(width), key_width(width) {}
};

/// Transformer-XL's shift of scores by distance: out[i, j] = x[i, queries - 1 - i + j] of x [..., queries, width].
/// Where that leaves the row its end wraps into the next row; `zero_wrapped` writes 0 there. As wide as x:
/// Transformer-XL's; out [..., queries, keys < width]: XLNet's, whose rows hold one distance more in front. Source: Dai
/// et al. 2019, arXiv:1901.02860, appendix B.
Error relative_shift(const View& x, bool zero_wrapped, const View& out) noexcept;

}  // namespace posenc
