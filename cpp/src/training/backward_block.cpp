// The gradients of a block: of weights, of scores, of the products of rows.
#include "kernels/slopes.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"
#include "training/backward.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Weights below this fraction of the top score's weight count as 0: products with denormals are 10× slower.
constexpr double kLeast = 1e-30;

// Weights above 1 / kFewest of the sum are recomputed in double precision.
constexpr float kFewest = 16;

}  // namespace

// A pass over a block of queries and the tile: scores and gradients of weights, then sums or gradients.
void Backward::block(int query, bool differentiates) {
  const int first = query - chunk_.query, rows = rows_from(query);
  Trace trace;
  alignas(32) float own[2 * kQueries * kKeys];
  float *scores = keeps() && !(differentiates && computes_scores_) ? kept_block(first) : own,
        *slopes = scores + kQueries * kKeys;
  if (computes_scores_) score_block(query, rows, scores, slopes, &trace);
  for (int r = 0; !differentiates && weighs() && r < rows; ++r)
    sum_up(query + r, scores + r * kKeys, slopes + r * kKeys);
  if (!differentiates) return;
  const float masked = computes_scores_ ? kMinusInfinity : 0;
  for (int r = 0; spotted_ && r < rows; ++r)
    for (int j = 0; j < visible_end_; ++j) masked_[(first + r) * kKeys + j] = scores[r * kKeys + j] == masked;
  for (int r = 0; r < rows; ++r) {
    float *score = scores + r * kKeys, *slope = slopes + r * kKeys;
    if (weighs())
      slopes_of_scores(query + r, score, slope);
    else
      given_slopes(query + r, score, slope);
    differentiate(query + r, score, slope, trace.products + r * kKeys, trace.scores + r * kKeys);
  }
  keep_block(query, rows, scores, slopes);
}

// slopes: the gradients of weights.
void Backward::score_block(int query, int rows, float* scores, float* slopes, Trace* trace) {
  scorer_.scores({chunk_.member, query, rows, {0, visible_end_}}, scores, trace);
  if (!weighs()) return;
  const float* blocks = at(layout_.out_blocks + (query - chunk_.query) * round_up_depth(sizes_.v.dim));
  short_product(blocks, sizes_.v.dim, at(layout_.values), sizes_.v.dim, round_up(visible_end_), slopes);
  for (int r = 0; r < rows; ++r) {
    float* row = slopes + r * kKeys;
    if (has_values()) {
      float* more = std::fill_n(more_ + r * kKeys, kKeys, 0.0f) - kKeys;
      scorer_.relative()->add_values_backward(relative_query(query + r), relative_keys(), out_slopes(query + r), more);
      add(row, more, std::size_t(visible_end_));
    }
    mask_slopes(scores + r * kKeys, visible_end_, row);
  }
}

// Converts scores to weights relative to the largest score so far. Returns the factor for previous sums.
double Backward::weigh_row(int query, float* scores) {
  Softmax& state = sums_[query - chunk_.query].softmax;
  float shrink;
  weigh(scores, 1, visible_end_, &state, &shrink);
  // Small scores of relative encodings may be sums of large terms, with larger rounding errors.
  scorer_.sharpen_row(chunk_.member, query, first_key_, visible_end_, scores, state, scorer_.relative() ? kFewest : 0);
  return double(shrink);
}

// Recomputes the gradients of weights above a limit in double precision.
void Backward::find_exact(int query, const float* weights, float limit, float* slopes, ExactSlopes& exact) const {
  for (int j = 0; (j = next_above(weights, j, visible_end_, scorer_.careful() ? 0 : limit)) < visible_end_; ++j) {
    const float* value = features_at(v_, sizes_.v, chunk_.batch, chunk_.key_head, first_key_ + j);
    const double slope = exact_dot(out_slopes(query), value, std::size_t(sizes_.v.dim)) +
                         (has_values() ? double(more_[(query - chunk_.query) % kQueries * kKeys + j]) : 0);
    exact.list[exact.count++] = {j, double(weights[j]), slope};
    slopes[j] = float(slope);
  }
}

// Adds a query's scores to its sums over all keys.
void Backward::sum_up(int query, float* scores, float* slopes) {
  WeightSums& sums = sums_[query - chunk_.query];
  const double shrink = weigh_row(query, scores);
  ExactSlopes exact;
  find_exact(query, scores, sums.softmax.total / kFewest, slopes, exact);
  const WeightedSums more = weighted_sums(scores, slopes, visible_end_);
  sums.share = sums.share * shrink + more.weights;
  sums.mean = sums.mean * shrink + more.slopes;
  for (const auto& [key, weight, slope] : exact.all()) sums.mean += weight * (slope - double(slopes[key]));
  if (keeps()) *kept_top(query - chunk_.query) = sums.softmax.top;
}

// Converts scores (or kept weights) to normalized weights, and gradients of weights to gradients of scores.
void Backward::slopes_of_scores(int query, float* scores, float* slopes) {
  const WeightSums& sums = sums_[query - chunk_.query];
  double shrink = 1;
  if (computes_scores_)
    weigh_row(query, scores);
  else if (const float top = *kept_top(query - chunk_.query); top != sums.softmax.top)
    shrink = quick_exp(double(top) - double(sums.softmax.top));
  const double factor = shrink * sums.share;
  ExactSlopes exact;
  find_exact(query, scores, float(1 / (factor * kFewest)), slopes, exact);
  softmax_slopes(scores, slopes, visible_end_, float(factor), float(sums.mean), float(kLeast / shrink));
  for (const auto& [key, weight, slope] : exact.all()) {
    const double share = weight * factor;
    scores[key] = float(share);
    slopes[key] = float(share * (slope - sums.mean));
  }
}

// Copies the given gradients of logits; those of masked keys are 0.
void Backward::given_slopes(int query, const float* scores, float* slopes) const {
  const std::ptrdiff_t row = (std::ptrdiff_t(chunk_.batch) * sizes_.q.heads + head_) * sizes_.q.positions + query;
  const float* given = gradient_.data + row * sizes_.k.positions + first_key_;
  for (int j = 0; j < visible_end_; ++j) slopes[j] = scores[j] == kMinusInfinity ? 0.0f : given[j];
}

// The stages of scores backwards, down to the gradients of the products of rows.
void Backward::differentiate(int query, const float* weights, float* slopes, const float* products,
                             const float* scores) {
  RelativeCall* relative = scorer_.relative();
  if (has_values()) relative->scatter_values(relative_query(query), relative_keys(), weights, out_slopes(query));
  if (out_.bias.data) add(out_.bias.data + scorer_.bias_at(head_, query), slopes, std::size_t(visible_end_));
  if (scatter_) {
    const Positions& keys = options_.key_positions;
    const std::size_t start = keys.row_start(std::size_t(chunk_.batch), std::size_t(sizes_.k.positions));
    scatter_->row(head_, scorer_.query_position(head_, query), keys, start + std::size_t(first_key_),
                  std::size_t(visible_end_), scores, slopes);
  }
  if (relative) relative->adjust_backward(relative_query(query), relative_keys(), slopes, query_slopes(query));
  const float cap = float(options_.softcap);
  for (int j = 0; cap > 0 && j < visible_end_; ++j)
    if (slopes[j] != 0) slopes[j] *= 1 - scores[j] / cap * (scores[j] / cap);
  scale(slopes, visible_end_, scorer_.scale_of(head_, query));
  if (relative) relative->add_backward(relative_query(query), relative_keys(), products, slopes, query_slopes(query));
}

// Adds a block's gradients to those of its queries. Keys and values follow after the tile.
void Backward::keep_block(int query, int rows, float* scores, float* slopes) {
  std::fill(slopes + rows * kKeys, slopes + kQueries * kKeys, 0.0f);
  std::fill(scores + rows * kKeys, scores + kQueries * kKeys, 0.0f);
  const int first = query - chunk_.query;
  transpose_block(scores, visible_end_, at(layout_.weights) + first, kChunkQueries);
  clear_block(first, visible_end_);
  for (int j = 0; j < visible_end_; j += kQueries)
    first_query_[j / kQueries] = std::min(first_query_[j / kQueries], first);
  std::uint8_t branches[kQueries * kKeys];
  const unsigned found = scorer_.branches_of({chunk_.member, query, rows, {0, visible_end_}}, branches);
  branches_ |= found;
  if (std::has_single_bit(found)) return keep_slopes(query, rows, slopes, std::countr_zero(found));
  for (int branch = 0; branch < layout_.branches; ++branch) {
    if (!(found >> branch & 1)) continue;
    float own[kQueries * kKeys] = {};
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < visible_end_; ++j)
        if (branches[r * kKeys + j] == branch) own[r * kKeys + j] = slopes[r * kKeys + j];
    keep_slopes(query, rows, own, branch);
  }
}

void Backward::keep_slopes(int query, int rows, const float* slopes, int branch) {
  const int first = query - chunk_.query, set = scorer_.rows().branches().key_set(branch);
  const bool* masked = masked_ + first * kKeys;
  transpose_block(slopes, visible_end_, at(layout_.slopes + branch * kChunkQueries * kKeys) + first, kChunkQueries);
  multiply_block(slopes, visible_end_, at(layout_.key_panels + set * kKeys * layout_.key_width), int(layout_.key_width),
                 query_slopes(query, branch), layout_.stride, true);
  for (const int key : key_rows_[set].all())
    for (int r = 0; r < rows; ++r)
      if (!masked[r * kKeys + key])
        add_scaled(query_slopes(query + r, branch), slopes[r * kKeys + key], scorer_.key_row(key, set),
                   std::size_t(key_dim_));
}

}  // namespace posenc
