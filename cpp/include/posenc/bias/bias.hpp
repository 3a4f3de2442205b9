// The family "additive attention bias": the object of every bias encoding, and its operations.
#pragma once

#include <memory>

#include "posenc/core/attention_masks.hpp"
#include "posenc/core/memory.hpp"
#include "posenc/core/parameter.hpp"
#include "posenc/core/shared_fields.hpp"
#include "posenc/core/training.hpp"
#include "posenc/core/workspace.hpp"

namespace posenc {

/// The field of encodings that can treat keys before and after the query differently.
inline constexpr Field kBidirectionalField{
    .name = "bidirectional", .doc = "Whether keys after the query count by their distance; false: as distance 0."};

/// The distance that the bias uses, from query - key.
inline double reach(double distance, bool bidirectional) {
  return bidirectional ? std::abs(distance) : std::max(0.0, distance);
}

/// Query i is at position offset + i, key j at position j or key_positions[j]. In packed sequences, each sequence is
/// counted from 0, unless key_positions give the positions of both. Masked keys get -infinity.
struct BiasCall {
  double queries = 0, keys = 0, offset = 0;
  /// [keys], or [batch * keys] if there is a batch.
  Positions key_positions{};
  AttentionMasks visible{};

  Positions resolved_key_positions() const {
    const auto& values = key_positions.values;
    return values.empty() ? Positions::run(0, int(keys)) : Positions::given(values, int(keys));
  }
};

class ResolvedMask;

/// Cached results of a bias from begin() on, also used by later calls.
struct BiasScratch final : Cache {
  /// The fingerprint of the learned parameters that the contents were computed from.
  std::uint64_t made_of = 0;
  /// For a bias by distance: lines[factors?][head][key - query - first], each of `length`. If not all heads fit, this
  /// is the line of one head, for a range of distances that moves as needed.
  Buffer lines = nullptr;
  std::size_t length = 0;
  bool moves = false;
  double first = 0;
  int head = -1;
  /// Whether rows are written to a tensor too large for the caches.
  bool streamed = false;
  /// For FIRE: the position of the queries that these lines are for, and logarithms of whole distances, starting at 0.
  double query_position = -1;
  Array<double> values = nullptr;
  double count = 0, last_key = 0;
  /// For sinusoids: their cache, and their sum at the most recent distance.
  std::unique_ptr<Cache> sinusoids;
  double distance = 0, sum = 0;
};

/// A bias [heads, queries, keys] that is added to the scaled attention scores.
class Bias : public Learned {
 public:
  static constexpr FamilyName name = FamilyName::bias;
  static constexpr Prose shapes =
      "bias [heads, queries, keys], with a mask [batch, keys]: [batch, heads, queries, keys]; applyTo scores [..., "
      "heads, queries, keys]";

  Bias() : Learned(name) {}

  int heads = 0;
  /// Whether it depends only on query - key.
  bool by_distance = false;
  /// Whether it is 0 everywhere. Attention then computes the same as without it.
  bool is_zero = false;

  /// Starts a call. Receives the positions of all queries and keys of the call and checks that the bias supports them.
  /// Up to `most` floats are kept for the call.
  virtual Error begin(const Positions& queries, const Positions& keys, double most, BiasScratch& scratch) const = 0;
  /// Writes the biases of `count` keys at positions first_key, first_key + 1, … for a query.
  virtual void row(int head, double query, double first_key, std::size_t count, float* out,
                   BiasScratch& scratch) const = 0;
  /// Returns the biases if they are cached. Null: they are not, or scores are multiplied, too.
  virtual const float* kept_row(int, double, double, std::size_t, BiasScratch&) const { return nullptr; }
  /// Writes the factors that multiply the scores before the bias is added. Returns false if there are none.
  virtual bool factors(int, double, double, std::size_t, float*, BiasScratch&) const { return false; }
  /// The row of its table that a query reads for a key. Negative: there is no table.
  virtual int bucket(double /*query*/, double /*key*/) const { return -1; }
  /// Whether it is a function of one distance, as distance_profile() requires.
  virtual bool has_profile() const { return true; }
  /// Adds `slope`, the gradient of one bias, to the gradients of the parameters. For a bias by distance, `query` is the
  /// distance and `key` is 0. `of_factor`: `slope` is the gradient of a factor instead of a bias.
  virtual void scatter(int head, double query, double key, double slope, bool of_factor, Training& training,
                       const BiasScratch& scratch) const;

  /// After begin(): adds the biases to scores [count] of the keys from index `start` on, in place. With `onto` false,
  /// writes the biases themselves.
  void apply_row(int head, double query, const Positions& keys, std::size_t start, std::size_t count, bool onto,
                 float* scores, BiasScratch& scratch) const;
  /// The same for queries at query, query + 1, … and keys at key, key + 1, …: scores [rows][count], with rows `stride`
  /// apart.
  void apply_block(int head, double query, std::size_t rows, double key, std::size_t count, std::ptrdiff_t stride,
                   bool onto, float* scores, BiasScratch& scratch) const;
  /// One slope per head if the bias is linear in the distance, otherwise empty.
  std::span<const float> slopes() const {
    for (const Parameter& parameter : parameters)
      if (parameter.name == "slopes") return parameter.values;
    return {};
  }

  /// Writes the bias to out [heads, queries, keys], or [batch, heads, queries, keys] if a mask has a batch.
  Error bias(const BiasCall& call, const View& out, Workspace& workspace = Workspace::of_thread()) const noexcept;
  Error bias(double queries, double keys, double offset, const Positions& key_positions,
             const View& out) const noexcept {
    return bias({queries, keys, offset, key_positions}, out);
  }
  /// Applies the bias to scores [..., heads, queries, keys] in place, as attention does. The batch is the product of
  /// the leading dims. The numbers of queries and keys are taken from the scores.
  Error apply_to(BiasCall call, const View& scores, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// Writes the table row that each pair reads to out [queries, keys]. The call has no masks and no segments.
  Error buckets(const BiasCall& call, std::span<std::int32_t> out,
                Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// The gradient of apply_to() (and of bias()). `gradient` [..., heads, queries, keys] is the gradient of its result
  /// and becomes the gradient of the scores. The gradients of the parameters are added to. Kinds that multiply scores
  /// need the scores that apply_to() was given.
  Error backward(BiasCall call, const View& gradient, const View& scores, Training& training,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;
  std::unique_ptr<Cache> make_cache() const override { return std::make_unique<BiasScratch>(); }

 private:
  Error check(const BiasCall& call, double batch, double score_heads, ResolvedMask& mask, BiasScratch& scratch) const;
  /// Completes a call for scores [..., heads, queries, keys]. `batch` is the product of the leading dims.
  Error fit(BiasCall& call, const View& scores, std::string_view name, double& batch, ResolvedMask& mask,
            BiasScratch& scratch) const;
  void add_run(int head, double query, double first_key, std::size_t count, float* scores, BiasScratch& scratch) const;
  /// walk() without masks, segments and key positions: many rows at once.
  void walk_blocks(const BiasCall& call, int batch, int score_heads, bool onto, float* scores,
                   BiasScratch& scratch) const;
  Error walk(const BiasCall& call, const ResolvedMask& mask, int batch, int score_heads, bool onto, float* scores,
             BiasScratch& scratch) const;
};

/// Number of floats of lines that are kept for later calls.
inline constexpr double kMostLinesKept = 1048576;

/// All values of key - query in a call: `count`, starting at `first`. Empty if there are no pairs, or if positions are
/// so far apart that most of the values are not needed.
struct Distances {
  Distances(const Positions& queries, const Positions& keys);
  double first = 0, count = 0;

  /// Whether the cached lines cover all of them.
  bool within(const BiasScratch& scratch) const;
  /// Allocates `rows` empty lines that cover all of them. If the previous lines ended within them, as with a growing
  /// cache, the new lines reach further, so that the next calls can use them.
  void make_lines(double rows, BiasScratch& scratch) const;
};

/// A bias that depends only on query - key. It is computed once for each distance of a call. If there are too many
/// distances to keep, it is computed for each range of distances that queries in ascending order need.
class DistanceBias : public Bias {
 public:
  DistanceBias() { by_distance = true; }
  Error begin(const Positions& queries, const Positions& keys, double most, BiasScratch& scratch) const override;
  const float* kept_row(int head, double query, double first_key, std::size_t count,
                        BiasScratch& scratch) const override {
    return has_factors ? nullptr : kept(false, head, first_key - query, count, scratch);
  }
  void row(int head, double query, double first_key, std::size_t count, float* out,
           BiasScratch& scratch) const override;
  bool factors(int head, double query, double first_key, std::size_t count, float* out,
               BiasScratch& scratch) const override;

 protected:
  /// The bias of a head at query - key.
  virtual double value(int head, double distance, BiasScratch& scratch) const = 0;
  /// The factor of the score, for kinds that set `has_factors`.
  virtual double factor(int /*head*/, double /*distance*/) const { return 1; }
  /// value() or factor() at key - query = relative, relative + 1, …
  virtual void fill(bool is_factor, int head, double relative, std::size_t count, float* out,
                    BiasScratch& scratch) const;
  bool has_factors = false;
  /// Whether most of the work for a distance is shared by all heads.
  bool heads_share = false;

 private:
  void read(bool is_factor, int head, double relative, std::size_t count, float* out, BiasScratch& scratch) const;
  const float* kept(bool is_factor, int head, double relative, std::size_t count, BiasScratch& scratch) const;
};

}  // namespace posenc
