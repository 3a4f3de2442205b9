// Scores of queries against keys, one tile of keys at a time, in stages: rows → products → adjust → mask. Weights or
// gradients are computed from them later.
#pragma once

#include "attention/rows.hpp"
#include "core/resolved_mask.hpp"

namespace posenc {

inline int whole_blocks(int queries) { return (queries + tiles::kQueries - 1) / tiles::kQueries * tiles::kQueries; }

/// Queries processed together: `queries` from `query` on, of `members` heads from `member` on, counted from the first
/// head that reads `key_head`. Heads are some that share it, or all of several key heads.
struct QueryChunk {
  int batch = 0, key_head = 0, member = 0, members = 0, query = 0, queries = 0;
  /// Scratch rows of each member: whole blocks, unless the scorer works by rows.
  int rows = 0;
  /// Index of a query's row in the chunk's scratch.
  int index(int g, int i) const { return (g - member) * rows + i - query; }
};

/// Up to four queries, of group member `member` from `query` on, against some keys of the tile.
struct Block {
  int member, query, rows;
  KeyRange keys;
};

/// Intermediate results of scores [4][kKeys]: products of rows, and scores before the biases.
struct Trace {
  alignas(32) float products[tiles::kQueries * tiles::kKeys], scores[tiles::kQueries * tiles::kKeys];
};

class Scorer final : private RelativeMask {
 public:
  /// `backward`: maximum rows of a chunk for gradients; rows are kept unscaled, and scores() writes its trace. 0: for
  /// attention itself.
  Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options, Workspace& workspace,
         int backward = 0);

  /// Checks mask, bias and memory, and begins the encoding's call for `wanted`.
  Error prepare(RelativeRequest::Wanted wanted = RelativeRequest::Wanted::scores);
  /// Maximum rows of a chunk of queries, in whole blocks: its scratch does not grow with the call.
  int most_rows() const { return most_rows_; }
  /// Scratch rows for queries of one head.
  int rows_of(int queries) const { return by_rows() ? queries : whole_blocks(queries); }
  /// Maximum key heads of a chunk: several if heads are stored inside positions, so that memory is read in order.
  int key_heads_together() const;
  /// Order of key tiles, except in a gradient's second pass. Biases mostly fall with the distance: if near keys come
  /// first, far keys have negligible weights and their scores are not recomputed.
  KeyOrder order() const {
    if (options_.relative) return options_.relative->order();
    return options_.encoding_bias ? KeyOrder::falling : KeyOrder::rising;
  }

  /// Rows: loads, rotates and scales queries.
  void load_queries(const QueryChunk& chunk);
  /// Rows: loads and rotates a tile of keys; returns false if no query attends to any of them.
  bool load_keys(int first, int count, KeyOrder order, bool for_products = true);
  /// The tile's keys that these queries may attend to, by causality, window and segments; begins at a whole panel.
  KeyRange visible_keys(int first_query, int count) const;
  /// scores [4][kKeys] of a block, through all stages; those of masked keys are -infinity.
  void scores(const Block& block, float* out, Trace* trace = nullptr);
  /// Scores up to the encoding's adjustment; positions instead, if prepare() requested these.
  void relative_scores(const Block& block, float* out, Trace* trace = nullptr);
  /// Adds the encoding's own values, weighted by weights [rows][kKeys], to the sums of a block's queries, rows of
  /// `width`.
  void add_values(const Block& block, const float* weights, float* sums, std::ptrdiff_t width) const;

  /// Whether there are too few queries for blocks. Then all queries of a chunk are multiplied with the tile's keys and
  /// values in place. Not for gradients, which need careful products, nor with remapped distances.
  bool by_rows() const {
    // Measured costs of packing keys and of a row of a block, relative to a row against keys in place.
    constexpr double kPacking = 5, kBlockRow = 0.72;
    const double group = sizes_.group, queries = sizes_.q.positions;
    const double block_rows = std::ceil(queries / tiles::kQueries) * tiles::kQueries;
    const bool few = group * queries <= kPacking + kBlockRow * group * block_rows;
    return few && !backward_ && !rows_.branches();
  }
  /// The tile's keys that any query of the chunk attends to; by rows, the range of blocks.
  const KeyRange& tile_range() const { return tile_range_; }
  /// By rows: the chunk's queries and `count` keys, with these strides.
  tiles::HeadTile head_tile(int count, std::ptrdiff_t head_stride, std::ptrdiff_t stride) const;
  /// Improves weights [rows][kKeys] of a block where a score's rounding affects the result: the weight's share times
  /// the score is above 1. Those scores are recomputed in double precision; float32 logits of ±40 have errors of 1e-6
  /// and more, and so has their softmax. If scores are few, all are recomputed.
  void sharpen(const Block& block, float* weights, tiles::Softmax* states);
  /// Same for `count` weights of a query, also for those above 1 / `fewest` of the sum; `first_key` counts all keys.
  void sharpen_row(int g, int query, int first_key, int count, float* weights, tiles::Softmax& state, float fewest = 0);
  /// Whether scores are so few that all sums can be in double precision. Then results are rounded once.
  bool careful() const {
    constexpr int kFewScores = 256;
    return can_repeat() && sizes_.k.positions <= tiles::kKeys &&
           sizes_.q.positions <= kFewScores / std::max(1, sizes_.k.positions);
  }
  /// Converts scores [count] of all keys from `first_key` on to weights in double precision and returns their sum. The
  /// scores are read only for which keys are masked. `start`: score and weight of a sink.
  double exact_weights(int g, int query, int first_key, int count, const float* scores, tiles::Softmax start,
                       double* weights);

  int first_key() const { return first_key_; }
  /// Factor of this query's products with keys: the scale, times its temperature.
  float scale_of(int head, int query) const;
  double exact_scale_of(int head, int query) const;
  /// Rows as multiplied: of queries, if they are kept, and of the tile's keys.
  float* query_row(int g, int query, int branch = 0) const {
    return query_rows_.data() + (keeps_rows() ? row_of_query(g, query, branch) * rows_.query_width() : 0);
  }
  std::ptrdiff_t query_stride() const { return rows_.query_width(); }
  const float* key_row(int j, int set = 0) const { return keys_ + set * set_stride() + j * key_stride_; }
  std::ptrdiff_t key_stride() const { return key_stride_; }
  const Rows& rows() const { return rows_; }
  Workspace& workspace() const { return workspace_; }
  /// Bit mask of the branches of a block's scores; if several, branches [4][kKeys] gets the branch of each score.
  unsigned branches_of(const Block& block, std::uint8_t* branches) const;
  double query_position(int head, int query) const { return rows_.query_position(chunk_.batch, head, query); }
  BiasScratch& bias_scratch() const { return *bias_scratch_; }
  /// The encoding's call; null if the encoding is of another family.
  RelativeCall* relative() const { return relative_.get(); }
  RelativeQuery relative_query(int g, int query) const;
  RelativeKeys relative_keys(const KeyRange& range) const;
  /// Offset in a dense bias (and in its gradient) for the tile's first key.
  std::ptrdiff_t bias_at(int head, int query) const { return bias_.at(chunk_.batch, head, query) + first_key_; }
  /// Gradients of k and of the extra keys, in the same layouts.
  float *key_gradients = nullptr, *extra_gradients = nullptr;
  const TokenInputs* token_gradients = nullptr;

 private:
  /// Whether the scale comes after the products, because an encoding adds to them or for gradients.
  bool keeps_products() const { return options_.relative || backward_; }
  /// Whether rows of queries are kept in addition to blocks.
  bool keeps_rows() const { return by_rows() || keeps_products(); }
  /// Whether single scores can be recomputed.
  bool can_repeat() const { return !options_.relative || options_.relative->order() == KeyOrder::rising; }
  int head_of(int g) const { return chunk_.key_head * sizes_.group + g; }
  int key_head_of(int head) const { return head / sizes_.group; }
  Error begin_relative(RelativeRequest::Wanted wanted);
  void load_block(int g, int query, int count);
  void load_key_set(int first, int count, int set, bool for_products);
  void load_key_sets(int first, int count, bool for_products);
  void load_key_rows(int first, int count);
  int keys_ahead() const;
  void multiply_keys(const float* keys, const KeyRange& range);
  void multiply_ahead();
  void describe_keys(int first, int count, KeyOrder order);
  std::ptrdiff_t row_of_query(int g, int query, int branch) const {
    return std::ptrdiff_t(branch) * most_rows_ + chunk_.index(g, query);
  }
  float* query_block(int g, int query, int branch) const {
    return query_blocks_.data() + row_of_query(g, query, branch) * tiles::round_up_depth(rows_.key_width());
  }
  std::ptrdiff_t set_stride() const { return std::ptrdiff_t(tiles::kKeys) * rows_.key_width(); }
  /// The tile's keys that a query may attend to, by causality, window and segments.
  KeyRange visible(int query) const;
  void products(const Block& block, float* out) const;
  void branch_products(const Block& block, int branch, float* out) const;
  void adjust(const Block& block, float* out, Trace* trace) const;
  void add_encoding_bias(const Block& block, float* out) const;
  void mask_block(const Block& block, float* out) const;
  void mask_row(int head, int query, const KeyRange& range, float* row) const;
  void mask_scores(const RelativeQuery& query, const RelativeKeys& keys, float* scores) const override;
  /// Loads a query for exact_score(); valid until the next query is loaded.
  RelativeQuery load_exact_query(int g, int query);
  RelativeQuery relative_query(int head, int query, const float* row, double* carry) const;
  double exact_score(const RelativeQuery& query, int key);

  const View& k_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  Workspace& workspace_;
  int backward_;
  Rows rows_;
  int most_rows_;
  std::int64_t left_, right_;
  /// exact_rows_: a query and a key whose score is recomputed, and that key as given.
  Buffer query_rows_, query_blocks_, key_rows_, key_panels_, exact_rows_;
  /// By rows: how many keys are multiplied at once, whole tiles.
  int keys_ahead_;
  /// By rows: products of the chunk's queries with these keys, [rows][keys_ahead_], and the first of the keys.
  Buffer products_;
  int first_ahead_ = 0;
  /// Keys of the tile as given, for encodings that read them, if they are not float32.
  Buffer given_keys_;
  /// Per-query state that an encoding keeps from tile to tile.
  Array<double> carries_;
  std::unique_ptr<RelativeCall> relative_;
  /// Rows of the tile's keys.
  const float* keys_ = nullptr;
  std::ptrdiff_t key_head_stride_ = 0, key_stride_ = 0;
  ResolvedMask mask_;
  /// Null if there is no such bias.
  BiasScratch* bias_scratch_;
  Broadcast bias_;
  RelativeKeys relative_keys_{};
  double key_positions_[tiles::kKeys];
  /// The range of positions of the chunk's queries.
  Span query_span_;
  double scale_ = 1;
  QueryChunk chunk_;
  int first_key_ = 0, key_count_ = 0;
  KeyRange tile_range_;
};

}  // namespace posenc
