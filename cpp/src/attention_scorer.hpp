// The scores of queries against keys, tile by tile, with everything that is added or hidden.
#pragma once

#include "attention_tiles.hpp"
#include "posenc/attention.hpp"
#include "posenc/memory.hpp"

namespace posenc {

inline Error attention_out_of_memory() { return {Code::out_of_memory, "", "attention: out of memory for its scratch"}; }

/// The heads of q, k and v, and how many query heads share a key head.
struct Sizes {
  HeadShape q, k, v;
  int group = 1;
};

/// Strides of a mask or bias that is broadcast; 0 where it has one for all.
struct Broadcast {
  std::ptrdiff_t batch = 0, head = 0, query = 0;
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

/// Keys of a tile, counted from its first.
struct KeyRange {
  int begin = 0, end = 0;
  int count() const { return end - begin; }
};

class Scorer {
 public:
  Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options);

  /// Checks mask and bias, and that there was memory.
  Error prepare();
  /// How many rows a chunk of queries has at most, whole blocks: its scratch does not grow with the call.
  int most_rows() const { return most_rows_; }
  /// Loads, turns and scales queries.
  void load_queries(const QueryChunk& chunk);
  /// Loads and turns a tile of keys; false: none of the queries sees any of it.
  bool load_keys(int first, int count);
  /// Which of the tile's keys any of these queries sees, by causality and window; begins at a whole step.
  KeyRange seen(int first_query, int count) const;
  /// Adds to the sums of queries of group member g, rows of `width`, what their weights [rows][kKeys] of these keys
  /// select of the encoding's own values.
  void add_values(int g, int query, int rows, const KeyRange& range, const float* weights, float* sums,
                  std::ptrdiff_t width) const;
  /// Must tiles of keys come from the last to the first?
  bool from_last() const { return options_.relative && options_.relative->contextual; }
  /// Are there too few queries for blocks? Then keys and values are read row by row, where they are. Not where an
  /// encoding needs the products themselves: they keep their bits whatever the number of queries.
  bool by_rows() const { return sizes_.q.positions < tiles::kQueries && !options_.relative; }
  /// From now on scores() gives the places that a contextual encoding finds.
  void find_places() { finds_places_ = true; }
  /// scores[4][kKeys] of queries first … first + 3 of group member g and the keys of `range`; hidden ones are
  /// -infinity.
  void scores(int g, int first, const KeyRange& range, float* out);
  /// What products of this query with keys are multiplied by: the scale, and its temperature.
  float scale_of(int query) const;

 private:
  void load(const View& source, const HeadShape& shape, int head, int first, int count, float* rows,
            std::ptrdiff_t stride);
  void turn(const Places& places, const Positions& positions, std::size_t index, int count, float* rows,
            std::ptrdiff_t stride);
  double place_of(const Positions& positions, const HeadShape& shape, int t) const;
  void load_block(int g, int query, int count);
  /// Does each query keep its row, besides blocks of them?
  bool keeps_rows() const { return by_rows() || options_.relative; }
  float* query_row(int g, int query) const {
    return query_rows_.data() + (keeps_rows() ? std::ptrdiff_t(chunk_.row(g, query)) * width_ : 0);
  }
  float* query_block(int g, int query) const {
    return query_blocks_.data() + std::ptrdiff_t(chunk_.row(g, query)) * tiles::round_up_to_pieces(depth_);
  }
  KeyRange visible(int query) const;
  RelativeQuery relative_query(int g, int query) const;
  RelativeKeys relative_keys(const KeyRange& range) const;
  void products(int g, int first, int count, const KeyRange& range, float* out) const;
  void finish_products(int g, int query, const KeyRange& range, float* row);
  void hide(int head, int query, const KeyRange& range, float* row) const;
  std::ptrdiff_t at(const Broadcast& strides, int head, int query) const;
  void add_encoding_bias(int head, int query, int count, const KeyRange& range, float* rows) const;

  const View &q_, &k_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  int depth_, width_, most_rows_;
  bool keys_change_;
  std::int64_t left_, right_;
  Buffer query_rows_, query_blocks_, key_rows_, key_panels_;
  /// Rows of the tile's keys.
  const float* keys_ = nullptr;
  std::ptrdiff_t key_stride_ = 0;
  Broadcast mask_, bias_;
  RelativeKeys relative_keys_{};
  double key_places_[tiles::kKeys];
  bool finds_places_ = false;
  float scale_ = 1;
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
  virtual void end() {}
};
void walk(Scorer& scorer, const Sizes& sizes, Walker& walker);

}  // namespace posenc
