// The scores of queries against keys, a tile of keys at a time, in stages: rows → products → adjust → hide. What is
// made of them, weights or gradients, comes after.
#pragma once

#include "attention/rows.hpp"
#include "core/sight.hpp"

namespace posenc {

inline int whole_blocks(int queries) { return (queries + tiles::kQueries - 1) / tiles::kQueries * tiles::kQueries; }

/// Queries at hand at once: `queries` from `query` on, of the `members` heads from `member` on, counted from the first
/// that reads `key_head`: some that share it, or all of several key heads.
struct QueryChunk {
  int batch = 0, key_head = 0, member = 0, members = 0, query = 0, queries = 0;
  /// How many rows of scratch each member has: whole blocks, unless the scorer goes by rows.
  int rows = 0;
  /// Of a query's row among them all.
  int index(int g, int i) const { return (g - member) * rows + i - query; }
};

/// Up to four queries, of group member `member` from `query` on, against some keys of the tile.
struct Block {
  int member, query, rows;
  KeyRange keys;
};

/// What scores [4][kKeys] were on their way: products of rows, and what biases were then added to.
struct Trace {
  alignas(32) float products[tiles::kQueries * tiles::kKeys], scores[tiles::kQueries * tiles::kKeys];
};

class Scorer final : private RelativeSight {
 public:
  /// `backward`: chunks have so many rows at most, rows are kept as they are multiplied, not scaled, and scores() tells
  /// its trace. 0: for attention itself.
  Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options, Workspace& workspace,
         int backward = 0);

  /// Checks mask and bias, and that there was memory; tells the encoding what is wanted of it.
  Error prepare(RelativeRequest::Wanted wanted = RelativeRequest::Wanted::scores);
  /// How many rows a chunk of queries has at most, whole blocks: its scratch does not grow with the call.
  int most_rows() const { return most_rows_; }
  /// So many rows of scratch do queries of one head take.
  int rows_of(int queries) const { return by_rows() ? queries : whole_blocks(queries); }
  /// How many key heads a chunk has at most: several where these lie inside positions, so that memory is read in order.
  int key_heads_together() const;
  /// In which order tiles of keys come, but for a gradient's second pass. Biases mostly fall with the distance: where
  /// near keys come first, far ones are seen to weigh nothing before their scores are taken again.
  KeyOrder order() const {
    if (options_.relative) return options_.relative->order();
    return options_.encoding_bias ? KeyOrder::falling : KeyOrder::rising;
  }

  /// Rows: loads, rotates and scales queries.
  void load_queries(const QueryChunk& chunk);
  /// Rows: loads and rotates a tile of keys; false: none of the queries sees any of it.
  bool load_keys(int first, int count, KeyOrder order, bool for_products = true);
  /// Which of the tile's keys any of these queries sees, by causality, window and segments; begins at a whole step.
  KeyRange seen(int first_query, int count) const;
  /// scores [4][kKeys] of a block, through all stages; hidden ones are -infinity.
  void scores(const Block& block, float* out, Trace* trace = nullptr);
  /// As far as the encoding adjusts them: its positions, where prepare() was told that these are wanted.
  void relative_scores(const Block& block, float* out, Trace* trace = nullptr);
  /// Weigh: adds to the sums of a block's queries, rows of `width`, what their weights [rows][kKeys] select of the
  /// encoding's own values.
  void add_values(const Block& block, const float* weights, float* sums, std::ptrdiff_t width) const;

  /// Are there too few queries for blocks? Then all queries of a chunk meet the tile's keys and values together, where
  /// they are. Not for gradients, whose products are careful ones, nor where distances are remapped.
  bool by_rows() const {
    // In shares of what a row takes against keys where they are: to pack keys, and a row of a block. As measured.
    constexpr double kPacking = 5, kBlockRow = 0.72;
    const double group = sizes_.group, queries = sizes_.q.positions;
    const double block_rows = std::ceil(queries / tiles::kQueries) * tiles::kQueries;
    const bool few = group * queries <= kPacking + kBlockRow * group * block_rows;
    return few && !backward_ && !rows_.branches();
  }
  /// The tile's keys that any query of the chunk sees: by rows, what blocks are about.
  const KeyRange& tile_range() const { return tile_range_; }
  /// By rows: the chunk's queries and `count` keys of the tile, which lie as these strides say.
  tiles::HeadTile head_tile(int count, std::ptrdiff_t head_stride, std::ptrdiff_t stride) const;
  /// weights [rows][kKeys] of a block become nearer to the truth where a score's rounding shows in the result: the
  /// share of a weight times the score is above 1. Those scores are taken again in double precision; float32 logits of
  /// ±40 are off by 1e-6 and more, and so is all that the softmax makes of them. Where scores are few, all of them are.
  void sharpen(const Block& block, float* weights, tiles::Softmax* states);
  /// The same for `count` weights of a query, and for those above 1 / `fewest` of all; `first_key` is one of all keys.
  void sharpen_row(int g, int query, int first_key, int count, float* weights, tiles::Softmax& state, float fewest = 0);
  /// Are there so few scores that all sums can be taken in double precision? Then results have one rounding.
  bool careful() const {
    constexpr int kFewScores = 256;
    return can_repeat() && sizes_.k.positions <= tiles::kKeys &&
           sizes_.q.positions <= kFewScores / std::max(1, sizes_.k.positions);
  }
  /// scores [count] of all keys from `first_key` on, of which only it is read whether they are hidden, become weights
  /// in double precision; returns their sum. `start`: what else takes a share, and how large a score it has.
  double exact_weights(int g, int query, int first_key, int count, const float* scores, tiles::Softmax start,
                       double* weights);

  int first_key() const { return first_key_; }
  /// What products of this query with keys are multiplied by: the scale, and its temperature.
  float scale_of(int head, int query) const;
  double exact_scale_of(int head, int query) const;
  /// Rows as they are multiplied, of queries where they are kept, and of the tile's keys.
  float* query_row(int g, int query, int branch = 0) const {
    return query_rows_.data() + (keeps_rows() ? row_of_query(g, query, branch) * rows_.query_width() : 0);
  }
  std::ptrdiff_t query_stride() const { return rows_.query_width(); }
  const float* key_row(int j, int set = 0) const { return keys_ + set * set_stride() + j * key_stride_; }
  std::ptrdiff_t key_stride() const { return key_stride_; }
  const Rows& rows() const { return rows_; }
  Workspace& workspace() const { return workspace_; }
  /// A bit for each branch that a block's scores are of; branches [4][kKeys]: that of each, where these are several.
  unsigned branches_of(const Block& block, std::uint8_t* branches) const;
  double query_position(int head, int query) const { return rows_.query_position(chunk_.batch, head, query); }
  BiasScratch& bias_scratch() const { return *bias_scratch_; }
  /// What the encoding does in this call; null: there is none of that family.
  RelativeCall* relative() const { return relative_.get(); }
  RelativeQuery relative_query(int g, int query) const;
  RelativeKeys relative_keys(const KeyRange& range) const;
  /// Where the number of a dense bias (and of its gradient) for the tile's first key is.
  std::ptrdiff_t bias_at(int head, int query) const { return bias_.at(chunk_.batch, head, query) + first_key_; }
  /// Where the gradients of k and of the extra keys go, laid out as these are.
  float *key_gradients = nullptr, *extra_gradients = nullptr;
  const TokenInputs* token_gradients = nullptr;

 private:
  /// Does the scale come after the products, because an encoding adds to them, or their gradient is wanted?
  bool keeps_products() const { return options_.relative || backward_; }
  /// Does each query keep its row, besides blocks of them?
  bool keeps_rows() const { return by_rows() || keeps_products(); }
  /// Can a score be taken again by itself?
  bool can_repeat() const { return !options_.relative || options_.relative->order() == KeyOrder::rising; }
  int head_of(int g) const { return chunk_.key_head * sizes_.group + g; }
  int key_head_of(int head) const { return head / sizes_.group; }
  Error begin_relative(RelativeRequest::Wanted wanted);
  void load_block(int g, int query, int count);
  void load_key_set(int first, int count, int set, bool for_products);
  void load_key_sets(int first, int count, bool for_products);
  void load_key_rows(int first, int count);
  void multiply_tile();
  void describe_keys(int first, int count, KeyOrder order);
  std::ptrdiff_t row_of_query(int g, int query, int branch) const {
    return std::ptrdiff_t(branch) * most_rows_ + chunk_.index(g, query);
  }
  float* query_block(int g, int query, int branch) const {
    return query_blocks_.data() + row_of_query(g, query, branch) * tiles::round_up_depth(rows_.key_width());
  }
  std::ptrdiff_t set_stride() const { return std::ptrdiff_t(tiles::kKeys) * rows_.key_width(); }
  /// Keys of the tile.
  KeyRange visible(int query) const;
  void products(const Block& block, float* out) const;
  void branch_products(const Block& block, int branch, float* out) const;
  void adjust(const Block& block, float* out, Trace* trace) const;
  void add_encoding_bias(const Block& block, float* out) const;
  void hide_block(const Block& block, float* out) const;
  void hide(int head, int query, const KeyRange& range, float* row) const;
  void hide(const RelativeQuery& query, const RelativeKeys& keys, float* scores) const override;
  /// A query whose scores are taken again, a key at a time: as long as no other is.
  RelativeQuery load_exact_query(int g, int query);
  double exact_score(const RelativeQuery& query, int key);

  const View& k_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  Workspace& workspace_;
  int backward_;
  Rows rows_;
  int most_rows_;
  std::int64_t left_, right_;
  /// exact_rows_: a query and a key whose score is taken again, and that key as it was given.
  Buffer query_rows_, query_blocks_, key_rows_, key_panels_, exact_rows_;
  /// By rows: products of the chunk's queries with the tile, [rows][kKeys].
  Buffer products_;
  /// Keys of the tile as they were given, for encodings that read them, where they are not float32.
  Buffer given_keys_;
  /// What queries carry from tile to tile.
  Array<double> carries_;
  std::unique_ptr<RelativeCall> relative_;
  /// Rows of the tile's keys.
  const float* keys_ = nullptr;
  std::ptrdiff_t key_head_stride_ = 0, key_stride_ = 0;
  ResolvedMask sight_;
  /// Null where there is no such bias.
  BiasScratch* bias_scratch_;
  Broadcast bias_;
  RelativeKeys relative_keys_{};
  double key_positions_[tiles::kKeys];
  /// Where the chunk's queries stand.
  Span query_span_;
  double scale_ = 1;
  QueryChunk chunk_;
  int first_key_ = 0, key_count_ = 0;
  KeyRange tile_range_;
};

}  // namespace posenc
