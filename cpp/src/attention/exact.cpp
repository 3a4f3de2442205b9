// Recomputes scores in double precision: those whose rounding would affect the result, or all if they are few.
#include "attention/scorer.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

using namespace tiles;

namespace {

// tanh of y >= 0: a series near 0, where (1 - e^(-2y)) / (1 + e^(-2y)) would lose digits.
double quick_tanh(double y) {
  const double square = y * y, decay = quick_exp(-2 * y);
  if (y < 0.02) return y * (1 - square * (1.0 / 3 - square * (2.0 / 15 - square * 17 / 315)));
  return (1 - decay) / (1 + decay);
}

}  // namespace

RelativeQuery Scorer::load_exact_query(int g, int query) {
  const int head = head_of(g);
  const int width = rows_.query_width();
  for (int branch = 0; branch < rows_.branches().count(); ++branch)
    rows_.load_queries(chunk_.batch, head, query, 1, exact_rows_.data() + branch * width, width, branch);
  return relative_query(head, query, exact_rows_.data(), nullptr);
}

double Scorer::exact_score(const RelativeQuery& query, int key) {
  const Branches& branches = rows_.branches();
  const int key_head = key_head_of(query.head);
  const int branch = branches ? branches.of(query.position, rows_.key_position(chunk_.batch, key_head, key)) : 0;
  float *loaded = exact_rows_.data() + branches.count() * rows_.query_width(), *copy = loaded + rows_.key_width();
  const float* given = copy;
  if (sizes_.keys.is_float32())
    given = sizes_.keys.at(chunk_.batch, key_head, key);
  else if (relative_)
    sizes_.keys.read(chunk_.batch, key_head, key, 1, sizes_.k.dim, copy, 0);
  const float* row = given;
  if (!rows_.keys_stay()) {
    rows_.load_keys(chunk_.batch, key_head, key, 1, loaded, rows_.key_width(), branches.key_set(branch));
    row = loaded;
  }
  double score = exact_dot(query.row + branch * rows_.query_width(), row, std::size_t(rows_.key_width()));
  const double position = relative_ || options_.encoding_bias ? rows_.key_position(chunk_.batch, key_head, key) : 0;
  const RelativeKeys self{&position, 1, true, given, nullptr, sizes_.k.strides.position, key};
  if (relative_) score += relative_->addition(query, self);
  score *= exact_scale_of(query.head, query.index);
  if (const double cap = options_.softcap; cap > 0)
    score = std::copysign(cap * quick_tanh(std::abs(score) / cap), score);
  if (relative_) score += relative_->adjustment(query, self);
  float bias = 0, factor = 1;
  if (options_.encoding_bias) {
    if (options_.encoding_bias->factors(query.head, query.position, position, 1, &factor, *bias_scratch_))
      score *= double(factor);
    const Positions& keys = options_.key_positions;
    const std::size_t start = keys.row_start(std::size_t(chunk_.batch), std::size_t(sizes_.k.positions));
    options_.encoding_bias->apply_row(query.head, query.position, keys, start + std::size_t(key), 1, false, &bias,
                                      *bias_scratch_);
  }
  if (options_.bias.data) score += double(options_.bias.data[bias_at(query.head, query.index) - first_key_ + key]);
  return score + double(bias);
}

double Scorer::exact_weights(int g, int query, int first_key, int count, const float* scores, Softmax start,
                             double* weights) {
  const RelativeQuery loaded = load_exact_query(g, query);
  double top = double(start.top);
  for (int j = 0; j < count; ++j) {
    weights[j] = scores[j] == kMinusInfinity ? -kInfinity : exact_score(loaded, first_key + j);
    top = std::max(top, weights[j]);
  }
  double total =
      start.total > 0 && start.top > kMinusInfinity ? double(start.total) * quick_exp(double(start.top) - top) : 0;
  for (int j = 0; j < count; ++j) total += weights[j] = weights[j] == -kInfinity ? 0 : quick_exp(weights[j] - top);
  return total;
}

void Scorer::sharpen(const Block& block, float* weights, Softmax* states) {
  for (int r = 0; r < block.rows; ++r)
    sharpen_row(block.member, block.query + r, first_key_ + block.keys.begin, block.keys.count(), weights + r * kKeys,
                states[r]);
}

void Scorer::sharpen_row(int g, int query, int first_key, int count, float* weights, Softmax& state, float fewest) {
  if (!can_repeat()) return;
  // Weights are at most 1, up to the rounding of scores, which must stay well below 1.
  const float top = std::max(std::abs(state.top), fewest), limit = careful() ? 0.0f : state.total / top;
  if (!(limit < 1 && top < 1e6f)) return;
  int j = next_above(weights, 0, count, limit);
  if (j == count) return;
  const RelativeQuery loaded = load_exact_query(g, query);
  for (; j < count; j = next_above(weights, j + 1, count, limit)) {
    const double exact = exact_score(loaded, first_key + j);
    const float weight = float(quick_exp(exact - double(state.top)));
    state.total += weight - weights[j];
    weights[j] = weight;
  }
}

}  // namespace posenc
