// The gradient of attention, a chunk of queries at a time.
#pragma once

#include "attention/walk.hpp"
#include "training/backward_scratch.hpp"
#include "training/bias.hpp"

namespace posenc {

class Backward {
 public:
  Backward(Scorer& scorer, const View& v, const View& gradient, const Sizes& sizes, const AttentionOptions& options,
           const AttentionGradients& out);
  explicit operator bool() const { return bool(memory_); }
  /// The error, if undoing the rotation of remapped distances failed.
  Error take_error() { return std::move(error_); }

  /// Two passes over the keys for the queries of a head from `first` on.
  void chunk(int batch, int head, int first);

 private:
  float* at(std::ptrdiff_t offset) const { return memory_.data() + offset; }
  int rows_from(int query) const { return std::min(tiles::kQueries, chunk_.query + chunk_.queries - query); }
  /// Gradients of a query's expanded row, and of its result.
  float* query_slopes(int query, int branch = 0) const {
    return at((branch * kChunkQueries + query - chunk_.query) * layout_.stride);
  }
  /// Kept weights and their gradients, for queries from the chunk's `first` on and the tile's keys. kept_top(): the
  /// score of a query that these weights are relative to.
  float* kept_block(int first) const {
    return kept_.data() + (std::ptrdiff_t(first_key_) * kChunkQueries + first * tiles::kKeys) * 2;
  }
  float* kept_top(int query) const {
    return kept_.data() + std::ptrdiff_t(2 * kChunkQueries) * kept_keys_ + first_key_ + query;
  }
  const float* out_slopes(int query) const { return features_at(gradient_, out_shape_, chunk_.batch, head_, query); }

  // Chunks and tiles.
  void pack_chunk();
  void finish_sums();
  void finish_queries();
  void pass(bool differentiates, KeyOrder order);
  void pack_tile(bool differentiates);
  void clear_block(int first, int key);
  void finish_tile();
  void finish_keys(int branch);
  void add_unrotated(bool is_key, int first, int count, const float* slopes, std::ptrdiff_t stride, int way);
  void add_visible(int i, std::ptrdiff_t transposed, const float* row, int count, std::ptrdiff_t width);
  void multiply(std::ptrdiff_t transposed, std::ptrdiff_t panels, std::ptrdiff_t width);
  void multiply_block(const float* block, int depth, const float* panels, int width, float* out, std::ptrdiff_t stride,
                      bool onto);

  // Blocks of scores.
  void block(int query, bool differentiates);
  /// Whether values are given, so that scores become weights. Values may be 0 wide.
  bool weighs() const { return v_.shape.rank > 0; }
  bool has_values() const { return weighs() && options_.relative && options_.relative->value_dim > 0; }
  RelativeQuery relative_query(int query) const { return scorer_.relative_query(chunk_.member, query); }
  RelativeKeys relative_keys() const { return scorer_.relative_keys({0, visible_end_}); }
  void score_block(int query, int rows, float* scores, float* slopes, Trace* trace);
  double weigh_row(int query, float* scores);
  void find_exact(int query, const float* weights, float limit, float* slopes, ExactSlopes& exact) const;
  void sum_up(int query, float* scores, float* slopes);
  void slopes_of_scores(int query, float* scores, float* slopes);
  void given_slopes(int query, const float* scores, float* slopes) const;
  void differentiate(int query, const float* weights, float* slopes, const float* products, const float* scores);
  void keep_block(int query, int rows, float* scores, float* slopes);
  void keep_slopes(int query, int rows, const float* slopes, int branch);

  Scorer& scorer_;
  const View &v_, &gradient_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  const AttentionGradients& out_;
  int key_dim_;
  HeadShape out_shape_;
  BackwardLayout layout_;
  Buffer memory_;
  /// Results of the first pass for the second, of all tiles; null: the second pass recomputes them.
  Buffer kept_ = nullptr;
  int kept_keys_ = 0;
  bool keeps() const { return first_key_ < kept_keys_; }
  /// Whether the pass computes the tile's scores instead of reading kept ones.
  bool computes_scores_ = true;
  std::optional<BiasScatter> scatter_;
  QueryChunk chunk_;
  int head_ = 0, first_key_ = 0, key_count_ = 0;
  /// Number of the tile's keys that a block of queries may attend to; for every four keys, the first query of the chunk
  /// that attends to them.
  int visible_end_ = 0, first_query_[tiles::kKeys / tiles::kQueries];
  WeightSums sums_[kChunkQueries];
  NonFiniteRows query_rows_[Branches::kMost], out_rows_, key_rows_[Branches::kMost];
  /// Bit mask of the tile's branches.
  unsigned branches_ = 0;
  Error error_;
  /// Whether the chunk or the tile has non-finite rows; if so, which keys are masked for which queries.
  bool spotted_ = false, masked_[kChunkQueries * tiles::kKeys];
  /// What an encoding's own values add to the gradients of a block's weights.
  float more_[tiles::kQueries * tiles::kKeys];
};

}  // namespace posenc
