// The gradients of a block of scores: of weights, of scores, of the products of rows.
#include "posenc/kernels/kernels.hpp"
#include "training/backward.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Smaller weights, against that of the top score, count as 0: products with denormal numbers take ten times as long.
constexpr float kLeast = 1e-30f;

// Weights with more than 1 / so many of all count.
constexpr float kFewest = 16;

// transposed[j][i] = rows[i][j]
void transpose_block(const float* rows, int count, float* transposed) {
  for (int j = 0; j < count; ++j)
    for (int r = 0; r < kQueries; ++r) transposed[j * kChunkQueries + r] = rows[r * kKeys + j];
}

}  // namespace

// Scores of a block of queries, and the gradients of their weights; then what the pass does with them.
void Backward::block(int query, bool differentiates) {
  const int first = query - chunk_.query, rows = rows_from(query);
  Trace trace;
  alignas(32) float scores[kQueries * kKeys], slopes[kQueries * kKeys] = {};
  double by_weight[kQueries * kKeys];
  scorer_.scores({chunk_.member, query, rows, {0, key_count_}}, scores, &trace);
  bool* hidden = hidden_ + first * kKeys;
  for (int i = 0; i < rows * kKeys; ++i) hidden[i] = scores[i] == kMinusInfinity;
  if (v_.data) weigh_block(query, rows, scores, by_weight);
  for (int r = 0; r < rows; ++r) {
    float *score = scores + r * kKeys, *slope = slopes + r * kKeys;
    if (v_.data && differentiates)
      slopes_of_scores(sums_[first + r], score, by_weight + r * kKeys, hidden + r * kKeys, slope);
    else if (v_.data)
      sum_up(sums_[first + r], score, by_weight + r * kKeys);
    else
      given_slopes(query + r, score, slope);
    if (differentiates) differentiate(query + r, score, slope, trace.products + r * kKeys, trace.scores + r * kKeys);
  }
  if (differentiates) keep_block(query, rows, scores, slopes);
}

// Scores become weights, against the largest so far; by_weight: the gradients of weights.
void Backward::weigh_block(int query, int rows, float* scores, double* by_weight) {
  const int first = query - chunk_.query;
  careful_product(at(layout_.out_blocks + first * round_up_depth(sizes_.v.dim)), sizes_.v.dim, at(layout_.values),
                  sizes_.v.dim, round_up(key_count_), by_weight);
  for (int r = 0; r < rows; ++r) {
    WeightSums& sums = sums_[first + r];
    float shrink;
    weigh(scores + r * kKeys, 1, key_count_, &sums.softmax, &shrink);
    sharpen(query + r, sums.softmax, scores + r * kKeys, by_weight + r * kKeys);
    if (shrink != 1) sums.share *= double(shrink), sums.mean *= double(shrink);
    double* slopes = by_weight + r * kKeys;
    if (has_values()) {
      float more[kKeys] = {};
      scorer_.relative()->add_values_backward(relative_query(query + r), relative_keys(), out_slopes(query + r), more);
      for (int j = 0; j < key_count_; ++j) slopes[j] += double(more[j]);
    }
    const bool* hidden = hidden_ + (first + r) * kKeys;
    for (int j = 0; j < key_count_; ++j) slopes[j] = hidden[j] ? 0 : slopes[j];
  }
}

// Weights, and the gradients of those with a share that matters, in double precision.
void Backward::sharpen(int query, Softmax& state, float* weights, double* by_weight) {
  scorer_.sharpen_row(chunk_.member, query, first_key_, key_count_, weights, state);
  const float limit = scorer_.careful() ? 0 : state.total / kFewest;
  for (int j = 0; (j = next_above(weights, j, key_count_, limit)) < key_count_; ++j)
    by_weight[j] =
        exact_dot(out_slopes(query), features_at(v_, sizes_.v, chunk_.batch, chunk_.key_head, first_key_ + j),
                  std::size_t(sizes_.v.dim));
}

// What all keys together say.
void Backward::sum_up(WeightSums& sums, const float* weights, const double* by_weight) const {
  for (int j = 0; j < key_count_; ++j) {
    sums.share += double(weights[j]);
    sums.mean += double(weights[j]) * by_weight[j];
  }
}

// Weights become shares, the gradients of weights those of the scores.
void Backward::slopes_of_scores(const WeightSums& sums, float* weights, const double* by_weight, const bool* hidden,
                                float* slopes) const {
  for (int j = 0; j < key_count_; ++j) {
    const double share = (weights[j] <= kLeast ? 0 : double(weights[j])) * sums.share;
    weights[j] = hidden[j] ? 0 : float(share);
    slopes[j] = hidden[j] ? 0 : float(share * (by_weight[j] - sums.mean));
  }
}

// The gradients of logits are given.
void Backward::given_slopes(int query, const float* scores, float* slopes) const {
  const std::ptrdiff_t row = (std::ptrdiff_t(chunk_.batch) * sizes_.q.heads + head_) * sizes_.q.positions + query;
  const float* given = gradient_.data + row * sizes_.k.positions + first_key_;
  for (int j = 0; j < key_count_; ++j) slopes[j] = scores[j] == kMinusInfinity ? 0.0f : given[j];
}

// The stages of scores backwards: their gradients become those of the products of rows.
void Backward::differentiate(int query, const float* weights, float* slopes, const float* products,
                             const float* scores) {
  RelativeCall* relative = scorer_.relative();
  if (has_values()) relative->scatter_values(relative_query(query), relative_keys(), weights, out_slopes(query));
  if (out_.bias.data) add(out_.bias.data + scorer_.bias_at(head_, query), slopes, std::size_t(key_count_));
  if (scatter_) {
    const Positions& keys = options_.key_positions;
    const std::size_t start = keys.row_start(std::size_t(chunk_.batch), std::size_t(sizes_.k.positions));
    scatter_->row(head_, scorer_.query_position(query), keys, start + std::size_t(first_key_), std::size_t(key_count_),
                  scores, slopes);
  }
  const float cap = float(options_.softcap);
  for (int j = 0; cap > 0 && j < key_count_; ++j)
    if (slopes[j] != 0) slopes[j] *= 1 - scores[j] / cap * (scores[j] / cap);
  scale(slopes, key_count_, scorer_.scale_of(query));
  if (relative) relative->add_backward(relative_query(query), relative_keys(), products, slopes, query_slopes(query));
}

// What a block of gradients gives to its queries; the keys and values get theirs after the tile.
void Backward::keep_block(int query, int rows, float* scores, float* slopes) {
  const int first = query - chunk_.query;
  const bool* hidden = hidden_ + first * kKeys;
  std::fill(slopes + rows * kKeys, slopes + kQueries * kKeys, 0.0f);
  std::fill(scores + rows * kKeys, scores + kQueries * kKeys, 0.0f);
  transpose_block(scores, key_count_, at(layout_.weights) + first);
  transpose_block(slopes, key_count_, at(layout_.slopes) + first);
  multiply_block(slopes, key_count_, at(layout_.key_panels), int(layout_.key_width), query_slopes(query),
                 layout_.stride);
  for (const int key : key_rows_.all())
    for (int r = 0; r < rows; ++r)
      if (!hidden[r * kKeys + key])
        add_scaled(query_slopes(query + r), slopes[r * kKeys + key], scorer_.key_row(key), std::size_t(key_dim_));
}

}  // namespace posenc
