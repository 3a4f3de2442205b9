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
  /// What went wrong where remapped distances were turned back.
  Error take_error() { return std::move(error_); }

  /// Two passes over the keys for queries from `first` on of a head.
  void chunk(int batch, int head, int first);

 private:
  float* at(std::ptrdiff_t place) const { return memory_.data() + place; }
  int rows_from(int query) const { return std::min(tiles::kQueries, chunk_.query + chunk_.queries - query); }
  /// Gradients of a query's expanded row, and of its result.
  float* query_slopes(int query, int branch = 0) const {
    return at((branch * kChunkQueries + query - chunk_.query) * layout_.stride);
  }
  /// Weights, and their gradients, of queries from the chunk's `first` on against the tile; and of a query the score
  /// that these weights were taken against.
  float* kept_block(int first) const {
    return kept_.data() + (std::ptrdiff_t(first_key_) * kChunkQueries + first * tiles::kKeys) * 2;
  }
  float* kept_top(int query) const {
    return kept_.data() + std::ptrdiff_t(2 * kChunkQueries) * kept_keys_ + first_key_ + query;
  }
  const float* out_slopes(int query) const { return features_at(gradient_, out_shape_, chunk_.batch, head_, query); }

  // Over chunk and tiles.
  void pack_chunk();
  void finish_sums();
  void finish_queries();
  void pass(bool differentiates, KeyOrder order);
  void pack_tile(bool differentiates);
  void clear_block(int first, int key);
  void finish_tile();
  void finish_keys(int branch);
  void add_turned_back(bool is_key, int first, int count, const float* slopes, std::ptrdiff_t stride, int way);
  void add_seen(int i, std::ptrdiff_t transposed, const float* row, int count, std::ptrdiff_t width);
  void multiply(std::ptrdiff_t transposed, std::ptrdiff_t panels, std::ptrdiff_t width);
  void multiply_block(const float* block, int depth, const float* panels, int width, float* out, std::ptrdiff_t stride,
                      bool onto);

  // Over blocks of scores.
  void block(int query, bool differentiates);
  /// Were values given, so that scores are weighed? They may be 0 wide.
  bool weighs() const { return v_.shape.rank > 0; }
  bool has_values() const { return weighs() && options_.relative && options_.relative->value_dim > 0; }
  RelativeQuery relative_query(int query) const { return scorer_.relative_query(chunk_.member, query); }
  RelativeKeys relative_keys() const { return scorer_.relative_keys({0, seen_}); }
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
  /// Of all tiles, from the first pass to the second; null: these are computed anew.
  Buffer kept_ = nullptr;
  int kept_keys_ = 0;
  bool keeps() const { return first_key_ < kept_keys_; }
  /// Does the second pass compute the tile's scores anew?
  bool anew_ = true;
  std::optional<BiasScatter> scatter_;
  QueryChunk chunk_;
  int head_ = 0, first_key_ = 0, key_count_ = 0;
  /// How many of the tile's keys a block of queries may see, and from which of the chunk's queries on four keys are
  /// seen.
  int seen_ = 0, first_query_[tiles::kKeys / tiles::kQueries];
  WeightSums sums_[kChunkQueries];
  NonFiniteRows query_rows_[Branches::kMost], out_rows_, key_rows_[Branches::kMost];
  /// A bit for each branch that the tile has.
  unsigned branches_ = 0;
  Error error_;
  /// Of the chunk and the tile: are there rows that are no numbers? Then, which queries do not see which keys.
  bool spotted_ = false, hidden_[kChunkQueries * tiles::kKeys];
  /// What an encoding's own values add to the gradients of a block's weights.
  float more_[tiles::kQueries * tiles::kKeys];
};

}  // namespace posenc
