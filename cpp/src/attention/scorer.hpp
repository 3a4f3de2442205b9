// The scores of queries against keys, tile by tile, with everything that is added or hidden.
#pragma once

#include "core/sight.hpp"
#include "kernels/tiles.hpp"
#include "posenc/attention.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

inline Error attention_out_of_memory() { return {Code::out_of_memory, "", "attention: out of memory for its scratch"}; }

/// The heads of q, k and v, and how many query heads share a key head.
struct Sizes {
  HeadShape q, k, v;
  int group = 1;
  /// Positions that a call completes, where these are no part of those that it was given.
  Array<double> key_places, query_places;
};

/// The sequence length that the rotation goes by: that of queries and keys together.
double rotation_length(const AttentionOptions& options);

inline int whole_blocks(int queries) { return (queries + tiles::kQueries - 1) / tiles::kQueries * tiles::kQueries; }

/// Queries at hand at once: `queries` from `query` on, of the `members` heads from `member` on that share a key head.
struct QueryChunk {
  int batch = 0, key_head = 0, member = 0, members = 0, query = 0, queries = 0;
  /// From one member's first row to the next one's: whole blocks.
  int rows = 0;
  int row(int g, int i) const { return (g - member) * rows + i - query; }
};

/// Checks a call as far as its options go, and measures it; `v` may be null. Completes the positions.
Error check_call(const View& q, const View& k, const View* v, AttentionOptions& options, Sizes& sizes);

/// check_apart() with all else that a call reads.
Error check_apart_from_inputs(Regions results, Regions tensors, const AttentionOptions& options);

/// Where a position's features are.
[[gnu::noinline]] float* features_at(const View& view, const HeadShape& shape, int batch, int head, int position);

/// What scores [4][kKeys] were on their way: products of rows (-infinity where a contextual encoding must not look),
/// and what biases were then added to.
struct Trace {
  alignas(32) float products[tiles::kQueries * tiles::kKeys], scores[tiles::kQueries * tiles::kKeys];
};

class Scorer {
 public:
  /// `backward`: chunks have so many rows at most, rows are kept as they are multiplied, not scaled, and scores() tells
  /// its trace. 0: for attention itself.
  Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options, int backward = 0);

  /// Checks mask and bias, and that there was memory.
  Error prepare();
  /// How many rows a chunk of queries has at most, whole blocks: its scratch does not grow with the call.
  int most_rows() const { return most_rows_; }
  /// Loads, turns and scales queries.
  void load_queries(const QueryChunk& chunk);
  /// Loads and turns a tile of keys; false: none of the queries sees any of it.
  bool load_keys(int first, int count);
  /// Which of the tile's keys any of these queries sees, by causality, window and segments; begins at a whole step.
  KeyRange seen(int first_query, int count) const;
  /// Adds to the sums of queries of group member g, rows of `width`, what their weights [rows][kKeys] of these keys
  /// select of the encoding's own values.
  void add_values(int g, int query, int rows, const KeyRange& range, const float* weights, float* sums,
                  std::ptrdiff_t width) const;
  /// Must tiles of keys come from the last to the first?
  bool from_last() const { return options_.relative && options_.relative->contextual; }
  /// Are there too few queries for blocks? Then keys and values are read row by row, where they are. Not where an
  /// encoding needs the products themselves: they keep their bits whatever the number of queries.
  bool by_rows() const { return sizes_.q.positions < tiles::kQueries && !keeps_products(); }
  /// From now on scores() gives the places that a contextual encoding finds.
  void find_places() { finds_places_ = true; }
  /// scores[4][kKeys] of queries first … first + 3 of group member g and the keys of `range`; hidden ones are
  /// -infinity.
  void scores(int g, int first, const KeyRange& range, float* out, Trace* trace = nullptr);
  /// weights [rows][kKeys] of `count` keys from `first_key` on become nearer to the truth where a score's rounding
  /// shows in the result: the share of a weight times the score is above 1. Those scores are taken again in double
  /// precision; float32 logits of ±40 are off by 1e-6 and more, and so is all that the softmax makes of them.
  /// Where scores are few, all of them are.
  void sharpen(int g, int query, int rows, int first_key, int count, float* weights, tiles::Softmax* states);
  /// Are there so few scores that all sums can be taken in double precision? Then results have one rounding.
  bool careful() const {
    constexpr int kFewScores = 256;
    return !from_last() && sizes_.k.positions <= tiles::kKeys &&
           sizes_.q.positions <= kFewScores / std::max(1, sizes_.k.positions);
  }
  /// scores [count] from `first_key` on, of which only it is read whether they are hidden, become weights in double
  /// precision; returns their sum. `start`: what else takes a share, and how large a score it has.
  double exact_weights(int g, int query, int first_key, int count, const float* scores, tiles::Softmax start,
                       double* weights);
  /// What products of this query with keys are multiplied by: the scale, and its temperature.
  float scale_of(int query) const;
  double exact_scale_of(int query) const;
  /// Rows as they are multiplied, of queries where they are kept, and of the tile's keys.
  float* query_row(int g, int query) const {
    return query_rows_.data() + (keeps_rows() ? std::ptrdiff_t(chunk_.row(g, query)) * width_ : 0);
  }
  std::ptrdiff_t query_stride() const { return width_; }
  const float* key_row(int j) const { return keys_ + j * key_stride_; }
  std::ptrdiff_t key_stride() const { return key_stride_; }
  RelativeQuery relative_query(int g, int query) const;
  RelativeKeys relative_keys(const KeyRange& range) const;
  /// Where the number of a dense bias (and of its gradient) for the tile's first key is.
  std::ptrdiff_t bias_at(int head, int query) const { return bias_.at(chunk_.batch, head, query) + first_key_; }
  /// Where the gradients of k and of gateKeys go, laid out as these are.
  float *key_gradients = nullptr, *gate_gradients = nullptr;

 private:
  /// Does the scale come after the products, because an encoding adds to them, or their gradient is wanted?
  bool keeps_products() const { return options_.relative || backward_; }
  void load(const View& source, const HeadShape& shape, int head, int first, int count, float* rows,
            std::ptrdiff_t stride);
  void turn(const Places& places, const Positions& positions, std::size_t index, int count, float* rows,
            std::ptrdiff_t stride);
  double place_of(const Positions& positions, const HeadShape& shape, int t) const;
  void load_block(int g, int query, int count);
  /// Does each query keep its row, besides blocks of them?
  bool keeps_rows() const { return by_rows() || keeps_products(); }
  float* query_block(int g, int query) const {
    return query_blocks_.data() + std::ptrdiff_t(chunk_.row(g, query)) * tiles::round_up_depth(depth_);
  }
  /// Keys of the tile.
  KeyRange visible(int query) const;
  void products(int g, int first, int count, const KeyRange& range, float* out) const;
  void finish_products(int g, int query, const KeyRange& range, float* row, float* kept);
  void hide(int head, int query, const KeyRange& range, float* row) const;
  double exact_score(int g, int query, int key);
  void add_encoding_bias(int head, int query, int count, const KeyRange& range, float* rows) const;

  const View &q_, &k_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  int depth_, width_, backward_, most_rows_;
  bool keys_change_;
  std::int64_t left_, right_;
  /// exact_rows_: a query and a key whose score is taken again.
  Buffer query_rows_, query_blocks_, key_rows_, key_panels_, exact_rows_;
  /// Rows of the tile's keys.
  const float* keys_ = nullptr;
  std::ptrdiff_t key_stride_ = 0;
  Sight sight_;
  Broadcast bias_;
  RelativeKeys relative_keys_{};
  double key_places_[tiles::kKeys];
  bool finds_places_ = false;
  double scale_ = 1;
  double length_ = 1;
  std::optional<Places> query_turns_, key_turns_;
  QueryChunk chunk_;
  int first_key_ = 0, key_count_ = 0;
};

/// What happens along a walk over batches, key heads, chunks of queries, key tiles and blocks of queries.
class Walker {
 public:
  virtual ~Walker() = default;
  virtual void begin(const QueryChunk&) {}
  virtual void tile(int /*first_key*/, int /*count*/) {}
  /// scores [4][kKeys] of group member g's queries against `count` keys.
  virtual void block(int g, int query, int rows, int first_key, int count, float* scores) = 0;
  /// false: once more, from begin() on.
  virtual bool end() { return true; }
};
void walk(Scorer& scorer, const Sizes& sizes, Walker& walker);

}  // namespace posenc
