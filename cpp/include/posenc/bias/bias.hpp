// The family "additive attention bias": what every bias encoding becomes, and what can be done with it.
#pragma once

#include <memory>

#include "posenc/core/memory.hpp"
#include "posenc/core/parameter.hpp"
#include "posenc/core/shared_fields.hpp"
#include "posenc/core/training.hpp"
#include "posenc/core/visibility.hpp"
#include "posenc/core/workspace.hpp"

namespace posenc {

/// The field of those that tell keys before the query from keys after it.
inline constexpr Field kBidirectionalField{
    .name = "bidirectional",
    .doc = "Keys after the query count by their distance, too (true), or as distance 0 (false)."};

/// The distance that counts, of query - key.
inline double reach(double distance, bool bidirectional) {
  return bidirectional ? std::abs(distance) : std::max(0.0, distance);
}

/// Query i stands at offset + i, key j at j or at key_positions[j]; of packed sequences each counts from 0, or both
/// stand where key_positions say. Hidden keys get -infinity.
struct BiasCall {
  double queries = 0, keys = 0, offset = 0;
  /// [keys], or [batch * keys] where there is a batch.
  Positions key_positions{};
  Visibility visible{};

  Positions places_of_keys() const {
    const auto& values = key_positions.values;
    return values.empty() ? Positions::run(0, int(keys)) : Positions::given(values, int(keys));
  }
};

class Sight;

/// What a call of a bias needs more than once, from begin() on, and the next one, too.
struct BiasScratch final : Cache {
  /// The fingerprint of the learned numbers that all this is made of.
  std::uint64_t made_of = 0;
  /// Of a bias by distance: lines[factors?][head][key - query - first], each of `length`; a single head's where all do
  /// not fit, which then moves along.
  Buffer lines = nullptr;
  std::size_t length = 0;
  bool moves = false;
  double first = 0;
  int head = -1;
  /// Of FIRE: the place of the queries that these lines are for; logarithms of whole distances, from 0 on.
  double place = -1;
  Array<double> numbers = nullptr;
  double count = 0, last_key = 0;
  /// Of waves: these, and their sum at the distance that was asked for last.
  std::unique_ptr<Cache> waves;
  double distance = 0, sum = 0;
};

/// A number [heads, queries, keys] added to the scaled attention scores.
class Bias : public Learned {
 public:
  static constexpr FamilyName name = FamilyName::bias;
  static constexpr Prose shapes =
      "bias [heads, queries, keys], with a mask [batch, keys]: [batch, heads, queries, keys]; applyTo scores [..., "
      "heads, queries, keys]";

  Bias() : Learned(name) {}

  int heads = 0;
  /// Is it a function of query - key?
  bool by_distance = false;
  /// Is it 0 everywhere? Attention then goes as without it.
  bool is_zero = false;

  /// Every call begins with all places that its queries and keys have. Can they be asked for? Up to `most` floats are
  /// kept for the call.
  virtual Error begin(const Positions& queries, const Positions& keys, double most, BiasScratch& scratch) const = 0;
  /// The biases of `count` keys at first_key, first_key + 1, … for a query.
  virtual void row(int head, double query, double first_key, std::size_t count, float* out,
                   BiasScratch& scratch) const = 0;
  /// The same where they are at hand already; null: they are not, or scores are multiplied, too.
  virtual const float* kept_row(int, double, double, std::size_t, BiasScratch&) const { return nullptr; }
  /// What scores are multiplied by before the bias is added; false: nothing.
  virtual bool factors(int, double, double, std::size_t, float*, BiasScratch&) const { return false; }
  /// Which row of its table a query reads for a key; negative: there is no table.
  virtual int bucket(double /*query*/, double /*key*/) const { return -1; }
  /// Is it a function of one distance, as a profile needs?
  virtual bool has_profile() const { return true; }
  /// Adds `slope`, the gradient of one of its numbers, to the gradients of the parameters; by distance, that is the
  /// query's and the key's is 0. `of_factor`: of what scores are multiplied by.
  virtual void scatter(int head, double query, double key, double slope, bool of_factor, Training& training,
                       const BiasScratch& scratch) const;

  /// After begin(): scores [count] of the keys from index `start` on, in place; without `onto` the biases themselves.
  void apply_row(int head, double query, const Positions& keys, std::size_t start, std::size_t count, bool onto,
                 float* scores, BiasScratch& scratch) const;
  /// After begin(): scores [rows][count], `stride` apart, get the biases of queries at query, query + 1, … for keys at
  /// key, key + 1, …
  void add_block(int head, double query, std::size_t rows, double key, std::size_t count, std::ptrdiff_t stride,
                 float* scores, BiasScratch& scratch) const;
  /// One slope per head where the bias is a straight line, else none.
  std::span<const float> slopes() const {
    for (const Parameter& parameter : parameters)
      if (parameter.name == "slopes") return parameter.values;
    return {};
  }

  /// out [heads, queries, keys]; [batch, heads, queries, keys] where what hides keys has a batch.
  Error bias(const BiasCall& call, const View& out, Workspace& workspace = Workspace::of_thread()) const noexcept;
  Error bias(double queries, double keys, double offset, const Positions& key_positions,
             const View& out) const noexcept {
    return bias({queries, keys, offset, key_positions}, out);
  }
  /// scores [..., heads, queries, keys] in place: what attention does with the bias. The batch is the product of the
  /// leading dims; queries and keys of the call are the scores'.
  Error apply_to(BiasCall call, const View& scores, Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// out [queries, keys]: which row of the table each pair reads. The call has no masks and no segments.
  Error buckets(const BiasCall& call, std::span<std::int32_t> out,
                Workspace& workspace = Workspace::of_thread()) const noexcept;
  /// The gradient of apply_to() (and of bias()): adds to the gradients of the parameters; `gradient`, of what it made
  /// [..., heads, queries, keys], becomes that of the scores. Kinds that weigh scores need those it was given.
  Error backward(BiasCall call, const View& gradient, const View& scores, Training& training,
                 Workspace& workspace = Workspace::of_thread()) const noexcept;
  std::unique_ptr<Cache> make_cache() const override { return std::make_unique<BiasScratch>(); }

 private:
  Error check(const BiasCall& call, double batch, double score_heads, Sight& sight, BiasScratch& scratch) const;
  /// Completes a call about scores [..., heads, queries, keys]; `batch` is the product of the leading dims.
  Error fit(BiasCall& call, const View& scores, std::string_view name, double& batch, Sight& sight,
            BiasScratch& scratch) const;
  void add_run(int head, double query, double first_key, std::size_t count, float* scores, BiasScratch& scratch) const;
  Error walk(const BiasCall& call, const Sight& sight, int batch, int score_heads, bool onto, float* scores,
             BiasScratch& scratch) const;
};

/// How many floats of lines are kept for the calls to come.
inline constexpr double kMostLinesKept = 1048576;

/// All values of key - query in a call, `count` from `first` on; none where there are no pairs, or where positions are
/// so far apart that nobody asks for most of them.
struct Distances {
  Distances(const Positions& queries, const Positions& keys);
  double first = 0, count = 0;

  /// Do the lines reach over all of them?
  bool within(const BiasScratch& scratch) const;
  /// Makes room for `rows` lines over all of them, with nothing in it; further than they go where a line before ended
  /// amid them, as a growing cache's does: the next calls then find theirs.
  void make_lines(double rows, BiasScratch& scratch) const;
};

/// A bias that is a function of query - key: it is computed once for each distance of a call, or, where there are too
/// many to be kept, for each run of distances that rows of queries in ascending order need.
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
  /// What the score is multiplied by; used by kinds that say so.
  virtual double factor(int /*head*/, double /*distance*/) const { return 1; }
  /// value() or factor() at key - query = relative, relative + 1, …
  virtual void fill(bool is_factor, int head, double relative, std::size_t count, float* out,
                    BiasScratch& scratch) const;
  bool has_factors = false;
  /// Is most of the work for a distance the same for all heads?
  bool heads_share = false;

 private:
  void read(bool is_factor, int head, double relative, std::size_t count, float* out, BiasScratch& scratch) const;
  const float* kept(bool is_factor, int head, double relative, std::size_t count, BiasScratch& scratch) const;
};

}  // namespace posenc
