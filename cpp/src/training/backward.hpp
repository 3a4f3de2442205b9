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

  /// Two passes over the keys for queries from `first` on of a head.
  void chunk(int batch, int head, int first);

 private:
  float* at(std::ptrdiff_t place) const { return memory_.data() + place; }
  int rows_from(int query) const { return std::min(tiles::kQueries, chunk_.query + chunk_.queries - query); }
  /// Gradients of a query's expanded row, and of its result.
  float* query_slopes(int query) const { return at((query - chunk_.query) * layout_.stride); }
  const float* out_slopes(int query) const { return features_at(gradient_, out_shape_, chunk_.batch, head_, query); }

  // Over chunk and tiles.
  void pack_chunk();
  void finish_sums();
  void finish_queries();
  void pass(bool differentiates, KeyOrder order);
  void pack_tile(bool differentiates);
  void finish_tile();
  void add_seen(int i, std::ptrdiff_t transposed, const float* row, int count, std::ptrdiff_t width);
  void multiply(std::ptrdiff_t transposed, std::ptrdiff_t panels, std::ptrdiff_t width);
  void multiply_block(const float* block, int depth, const float* panels, int width, float* out, std::ptrdiff_t stride);

  // Over blocks of scores.
  void block(int query, bool differentiates);
  bool has_values() const { return v_.data && options_.relative && options_.relative->value_dim > 0; }
  RelativeQuery relative_query(int query) const { return scorer_.relative_query(chunk_.member, query); }
  RelativeKeys relative_keys() const { return scorer_.relative_keys({0, key_count_}); }
  void weigh_block(int query, int rows, float* scores, double* by_weight);
  void sharpen(int query, tiles::Softmax& state, float* weights, double* by_weight);
  void sum_up(WeightSums& sums, const float* weights, const double* by_weight) const;
  void slopes_of_scores(const WeightSums& sums, float* weights, const double* by_weight, const bool* hidden,
                        float* slopes) const;
  void given_slopes(int query, const float* scores, float* slopes) const;
  void differentiate(int query, const float* weights, float* slopes, const float* products, const float* scores);
  void keep_block(int query, int rows, float* scores, float* slopes);

  Scorer& scorer_;
  const View &v_, &gradient_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  const AttentionGradients& out_;
  int key_dim_;
  HeadShape out_shape_;
  BackwardLayout layout_;
  Buffer memory_;
  std::optional<BiasScatter> scatter_;
  QueryChunk chunk_;
  int head_ = 0, first_key_ = 0, key_count_ = 0;
  WeightSums sums_[kChunkQueries];
  NonFiniteRows query_rows_, out_rows_, key_rows_;
  /// Of the chunk and the tile.
  bool hidden_[kChunkQueries * tiles::kKeys];
};

}  // namespace posenc
