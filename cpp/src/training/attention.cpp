// The gradient of attention, by recomputation.
#include "attention/scorer.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"
#include "training/bias.hpp"

namespace posenc {

using namespace tiles;

namespace {

constexpr int kChunkQueries = 64;  // queries: with a tile of keys they make a square that stays in cache

// Smaller weights, against that of the top score, count as 0: products with denormal numbers take ten times as long.
constexpr float kLeast = 1e-30f;

// Weights with more than 1 / so many of all count.
constexpr float kFewest = 16;

// Of a query: in the first pass the sums of weights and of weights times their gradients; then 1 / the one, and the
// mean. These are in double precision: from gradients of weights their mean is taken away.
struct Row {
  Softmax softmax;
  double share, mean;
};

// turned[j][i] = rows[i][j]
void turn_block(const float* rows, int count, float* turned) {
  for (int j = 0; j < count; ++j)
    for (int r = 0; r < kQueries; ++r) turned[j * kChunkQueries + r] = rows[r * kKeys + j];
}

// Rows that hold NaN or infinity. In products of whole rows 0 · NaN is NaN where a key is hidden, too: there they are
// 0, and are added one by one where the key is seen.
struct SpoiltRows {
  // Of rows [count][width], `stride` apart, and the panels that were made of them.
  void find(const float* rows, std::ptrdiff_t stride, int count, int width, float* panels) {
    some = 0;
    const int step = round_up(1);
    for (int j = 0; j < count; ++j) {
      if (all_finite(rows + j * stride, width)) continue;
      places[some++] = j;
      for (int i = 0; i < width; i += step) std::fill_n(panels + i * kKeys + j * step, step, 0.0f);
    }
  }
  std::span<const int> all() const { return {places, std::size_t(some)}; }
  int some = 0, places[kKeys];
};

// Where the buffers of a chunk and a tile lie in one block of memory. Panels are those of pack_values().
struct Layout {
  Layout(const Sizes& sizes, int key_dim, int query_width)
      : stride(round_up(query_width)), key_width(round_up(key_dim)), value_width(round_up(sizes.v.dim)) {
    // Below, all is at most this many rows of the widest.
    const double widest = std::max({double(stride), double(key_width), double(round_up_depth(sizes.v.dim))});
    if (!can_ask(product({10, kChunkQueries, widest + kKeys, sizeof(float)}))) return;
    out_blocks = kChunkQueries * stride;
    query_panels = out_blocks + kChunkQueries * round_up_depth(sizes.v.dim);
    out_panels = query_panels + kChunkQueries * key_width;
    key_panels = out_panels + kChunkQueries * value_width;
    values = key_panels + kKeys * key_width;
    tile = values + kKeys * value_width;
    weights = tile + kKeys * std::max(key_width, value_width);
    slopes = weights + kChunkQueries * kKeys;
    size = double(slopes) + kChunkQueries * kKeys;
  }
  std::ptrdiff_t stride, key_width, value_width;
  /// Of the chunk: gradients of its expanded rows (first), those of the results as blocks and panels, rows as panels.
  /// Of the tile: keys as panels, packed values, gradients of either. Of both, turned: weights and gradients of
  /// products, [kKeys][kChunkQueries].
  std::ptrdiff_t out_blocks, query_panels, out_panels, key_panels, values, tile, weights, slopes;
  double size = kInfinity;
};

class Backward {
 public:
  Backward(Scorer& scorer, const View& v, const View& gradient, const Sizes& sizes, const AttentionOptions& options,
           const AttentionGradients& out)
      : scorer_(scorer),
        v_(v),
        gradient_(gradient),
        sizes_(sizes),
        options_(options),
        out_(out),
        relative_(options.relative),
        key_dim_(relative_ ? relative_->key_width : sizes.q.dim),
        out_shape_(head_shape(gradient.shape, options.layout)),
        layout_(sizes, key_dim_, relative_ ? relative_->query_width : sizes.q.dim),
        memory_(layout_.size) {
    if (options.encoding_bias) scatter_.emplace(*options.encoding_bias);
    scorer.key_gradients = out.k.data;
    scorer.gate_gradients = out.gate_keys.data;
  }
  explicit operator bool() const { return bool(memory_); }

  void chunk(int batch, int head, int first) {
    chunk_ = {batch,
              head / sizes_.group,
              head % sizes_.group,
              1,
              first,
              std::min(kChunkQueries, sizes_.q.positions - first),
              kChunkQueries};
    head_ = head;
    scorer_.load_queries(chunk_);
    pack_chunk();
    const float sink = options_.sinks.empty() ? kMinusInfinity : options_.sinks[std::size_t(head)];
    std::fill_n(rows_, kChunkQueries, Row{{sink, 0}, sink == kMinusInfinity ? 0.0 : 1.0, 0});
    // First what all keys together say, then what each of them gets.
    if (v_.data || scorer_.from_last()) pass(false);
    for (int i = 0; i < chunk_.queries; ++i) {
      Row& row = rows_[i];
      // The sum of no weights, or of none that is a number.
      if (std::isnan(row.softmax.total)) row.share = NAN;
      row.share = row.share == 0 ? 0 : 1 / row.share;
      row.mean *= row.share;
      if (!out_.sinks.empty() && v_.data)
        out_.sinks[std::size_t(head)] -=
            float(quick_exp(double(sink) - double(row.softmax.top)) * row.share * row.mean);
    }
    if (relative_) relative_->turn_back();
    std::fill_n(memory_.data(), layout_.out_blocks, 0.0f);
    pass(true);
    for (int i = first; i < first + chunk_.queries; ++i) {
      if (relative_) relative_->expand_backward(false, head, scorer_.query_row(chunk_.member, i), query_slopes(i));
      std::copy_n(query_slopes(i), sizes_.q.dim, features_at(out_.q, sizes_.q, batch, head, i));
    }
  }

 private:
  float* at(std::ptrdiff_t place) const { return memory_.data() + place; }
  int rows_from(int query) const { return std::min(kQueries, chunk_.query + chunk_.queries - query); }
  float* query_slopes(int query) const { return at((query - chunk_.query) * layout_.stride); }
  const float* out_slopes(int query) const { return features_at(gradient_, out_shape_, chunk_.batch, head_, query); }

  void pack_chunk() {
    pack_values(scorer_.query_row(chunk_.member, chunk_.query), scorer_.query_stride(), chunk_.queries, key_dim_,
                at(layout_.query_panels));
    spoilt_queries_.find(scorer_.query_row(chunk_.member, chunk_.query), scorer_.query_stride(), chunk_.queries,
                         key_dim_, at(layout_.query_panels));
    if (!v_.data) return;
    const float* slopes = out_slopes(chunk_.query);
    const std::ptrdiff_t stride = out_shape_.strides.position;
    pack_queries(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_blocks));
    pack_values(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_panels));
    spoilt_out_.find(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_panels));
  }

  // Over the tiles of keys, and in each over the blocks of queries.
  void pass(bool differentiates) {
    const int tiles = (sizes_.k.positions + kKeys - 1) / kKeys;
    for (int i = 0; i < tiles; ++i) {
      first_key_ = kKeys * (scorer_.from_last() && !differentiates ? tiles - 1 - i : i);
      key_count_ = std::min(kKeys, sizes_.k.positions - first_key_);
      if (!scorer_.load_keys(first_key_, key_count_)) continue;
      if (v_.data)
        pack_keys(features_at(v_, sizes_.v, chunk_.batch, chunk_.key_head, first_key_), sizes_.v.strides.position,
                  key_count_, sizes_.v.dim, at(layout_.values));
      if (differentiates) {
        pack_values(scorer_.key_row(0), scorer_.key_stride(), key_count_, key_dim_, at(layout_.key_panels));
        spoilt_keys_.find(scorer_.key_row(0), scorer_.key_stride(), key_count_, key_dim_, at(layout_.key_panels));
        std::fill_n(hidden_, kChunkQueries * kKeys, true);
        std::fill_n(at(layout_.weights), 2 * kChunkQueries * kKeys, 0.0f);
      }
      for (int row = 0; row < chunk_.queries; row += kQueries)
        if (scorer_.seen(chunk_.query + row, rows_from(chunk_.query + row)).count() > 0)
          block(chunk_.query + row, differentiates);
      if (differentiates) finish_tile();
    }
  }

  // Scores of a block of queries, and the gradients of their weights; then what the pass does with them.
  void block(int query, bool differentiates) {
    const int first = query - chunk_.query, rows = rows_from(query);
    Trace trace;
    alignas(32) float scores[kQueries * kKeys], slopes[kQueries * kKeys] = {};
    double by_weight[kQueries * kKeys];
    scorer_.scores(chunk_.member, query, {0, key_count_}, scores, &trace);
    bool* hidden = hidden_ + first * kKeys;
    for (int i = 0; i < rows * kKeys; ++i) hidden[i] = scores[i] == kMinusInfinity;
    if (v_.data) weigh_block(query, rows, scores, by_weight);
    for (int r = 0; r < rows; ++r) {
      float *score = scores + r * kKeys, *slope = slopes + r * kKeys;
      if (v_.data)
        softmax_row(rows_[first + r], differentiates, score, by_weight + r * kKeys, hidden + r * kKeys, slope);
      else
        given_row(query + r, score, slope);
      if (differentiates) differentiate(query + r, score, slope, trace.products + r * kKeys, trace.scores + r * kKeys);
    }
    if (!differentiates) return;
    std::fill(slopes + rows * kKeys, slopes + kQueries * kKeys, 0.0f);
    std::fill(scores + rows * kKeys, scores + kQueries * kKeys, 0.0f);
    turn_block(scores, key_count_, at(layout_.weights) + first);
    turn_block(slopes, key_count_, at(layout_.slopes) + first);
    multiply_block(slopes, key_count_, at(layout_.key_panels), int(layout_.key_width), query_slopes(query),
                   layout_.stride);
    for (const int key : spoilt_keys_.all())
      for (int r = 0; r < rows; ++r)
        if (!hidden[r * kKeys + key])
          add_scaled(query_slopes(query + r), slopes[r * kKeys + key], scorer_.key_row(key), std::size_t(key_dim_));
  }

  bool has_values() const { return v_.data && relative_ && relative_->value_dim > 0; }
  RelativeQuery relative_query(int query) const { return scorer_.relative_query(chunk_.member, query); }
  RelativeKeys relative_keys() const { return scorer_.relative_keys({0, key_count_}); }

  // Scores become weights, against the largest so far; by_weight: the gradients of weights.
  void weigh_block(int query, int rows, float* scores, double* by_weight) {
    const int first = query - chunk_.query;
    careful_product(at(layout_.out_blocks + first * round_up_depth(sizes_.v.dim)), sizes_.v.dim, at(layout_.values),
                    sizes_.v.dim, round_up(key_count_), by_weight);
    for (int r = 0; r < rows; ++r) {
      Row& row = rows_[first + r];
      float shrink;
      weigh(scores + r * kKeys, 1, key_count_, &row.softmax, &shrink);
      sharpen(query + r, row.softmax, scores + r * kKeys, by_weight + r * kKeys);
      if (shrink != 1) row.share *= double(shrink), row.mean *= double(shrink);
      double* slopes = by_weight + r * kKeys;
      if (has_values()) {
        float more[kKeys] = {};
        relative_->add_values_backward(relative_query(query + r), relative_keys(), out_slopes(query + r), more);
        for (int j = 0; j < key_count_; ++j) slopes[j] += double(more[j]);
      }
      const bool* hidden = hidden_ + (first + r) * kKeys;
      for (int j = 0; j < key_count_; ++j) slopes[j] = hidden[j] ? 0 : slopes[j];
    }
  }

  // Weights, and the gradients of those with a share that matters, in double precision.
  void sharpen(int query, Softmax& state, float* weights, double* by_weight) {
    scorer_.sharpen(chunk_.member, query, 1, first_key_, key_count_, weights, &state);
    for (int j = 0;
         (j = next_above(weights, j, key_count_, scorer_.careful() ? 0 : state.total / kFewest)) < key_count_; ++j)
      by_weight[j] =
          exact_dot(out_slopes(query), features_at(v_, sizes_.v, chunk_.batch, chunk_.key_head, first_key_ + j),
                    std::size_t(sizes_.v.dim));
  }

  // Sums up what all keys together say; or the gradients of weights become those of the scores.
  void softmax_row(Row& row, bool differentiates, float* weights, const double* by_weight, const bool* hidden,
                   float* slopes) {
    for (int j = 0; j < key_count_; ++j) {
      const double weight = double(weights[j]);
      if (!differentiates) {
        row.share += weight;
        row.mean += weight * by_weight[j];
        continue;
      }
      const double share = (weights[j] <= kLeast ? 0 : weight) * row.share;
      weights[j] = hidden[j] ? 0 : float(share);
      slopes[j] = hidden[j] ? 0 : float(share * (by_weight[j] - row.mean));
    }
  }

  // The gradients of logits are given.
  void given_row(int query, const float* scores, float* slopes) const {
    const std::ptrdiff_t row = (std::ptrdiff_t(chunk_.batch) * sizes_.q.heads + head_) * sizes_.q.positions + query;
    const float* given = gradient_.data + row * sizes_.k.positions + first_key_;
    for (int j = 0; j < key_count_; ++j) slopes[j] = scores[j] == kMinusInfinity ? 0.0f : given[j];
  }

  // The gradients of scores become those of the products of rows.
  void differentiate(int query, const float* weights, float* slopes, const float* products, const float* scores) {
    if (has_values()) relative_->scatter_values(relative_query(query), relative_keys(), weights, out_slopes(query));
    if (out_.bias.data) add(out_.bias.data + scorer_.bias_at(head_, query), slopes, std::size_t(key_count_));
    if (scatter_) {
      const Positions& keys = options_.key_positions;
      const std::size_t start = keys.row_start(std::size_t(chunk_.batch), std::size_t(sizes_.k.positions));
      scatter_->row(head_, relative_query(query).place, keys, start + std::size_t(first_key_), std::size_t(key_count_),
                    scores, slopes);
    }
    const float cap = float(options_.softcap);
    for (int j = 0; cap > 0 && j < key_count_; ++j)
      if (slopes[j] != 0) slopes[j] *= 1 - scores[j] / cap * (scores[j] / cap);
    scale(slopes, key_count_, scorer_.scale_of(query));
    if (relative_)
      relative_->add_backward(relative_query(query), relative_keys(), products, slopes, query_slopes(query));
  }

  // What the chunk gives to the keys and values of the tile.
  void finish_tile() {
    multiply(layout_.slopes, layout_.query_panels, layout_.key_width);
    for (const int i : spoilt_queries_.all())
      add_seen(i, layout_.slopes, scorer_.query_row(chunk_.member, chunk_.query + i), key_dim_, layout_.key_width);
    for (int j = 0; j < key_count_; ++j) {
      float* row = at(layout_.tile + j * layout_.key_width);
      if (relative_) relative_->expand_backward(true, chunk_.key_head, scorer_.key_row(j), row);
      add(features_at(out_.k, sizes_.k, chunk_.batch, chunk_.key_head, first_key_ + j), row, std::size_t(sizes_.k.dim));
    }
    if (!v_.data) return;
    multiply(layout_.weights, layout_.out_panels, layout_.value_width);
    for (const int i : spoilt_out_.all())
      add_seen(i, layout_.weights, out_slopes(chunk_.query + i), sizes_.v.dim, layout_.value_width);
    for (int j = 0; j < key_count_; ++j)
      add(features_at(out_.v, sizes_.v, chunk_.batch, chunk_.key_head, first_key_ + j),
          at(layout_.tile + j * layout_.value_width), std::size_t(sizes_.v.dim));
  }

  // The tile [keys][width] += turned · row of the chunk's query i, for the keys that it sees.
  void add_seen(int i, std::ptrdiff_t turned, const float* row, int count, std::ptrdiff_t width) {
    for (int j = 0; j < key_count_; ++j)
      if (!hidden_[i * kKeys + j])
        add_scaled(at(layout_.tile + j * width), *at(turned + j * kChunkQueries + i), row, std::size_t(count));
  }

  // The tile [keys][width] = turned [keys][kChunkQueries] · panels of rows
  void multiply(std::ptrdiff_t turned, std::ptrdiff_t panels, std::ptrdiff_t width) {
    static_assert(kChunkQueries == kKeys, "turned blocks are weights");
    std::fill_n(at(layout_.tile), whole_blocks(key_count_) * width, 0.0f);
    for (int j = 0; j < key_count_; j += kQueries)
      multiply_block(at(turned + j * kChunkQueries), chunk_.queries, at(panels), int(width),
                     at(layout_.tile + j * width), width);
  }

  // out [4][width] += block · panels
  void multiply_block(const float* block, int depth, const float* panels, int width, float* out,
                      std::ptrdiff_t stride) {
    if (!scorer_.careful()) return block_product(block, depth, panels, kKeys, width, out, stride, true);
    double sums[kQueries * kKeys];
    for (int i = 0; i < width; i += kKeys) {
      const int some = std::min(kKeys, width - i);
      careful_product(block, depth, panels + i * kKeys, kKeys, some, sums);
      for (int r = 0; r < kQueries; ++r)
        for (int c = 0; c < some; ++c) out[r * stride + i + c] += float(sums[r * kKeys + c]);
    }
  }

  Scorer& scorer_;
  const View &v_, &gradient_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  const AttentionGradients& out_;
  Relative* relative_;
  int key_dim_;
  HeadShape out_shape_;
  Layout layout_;
  Buffer memory_;
  std::optional<BiasScatter> scatter_;
  QueryChunk chunk_;
  int head_ = 0, first_key_ = 0, key_count_ = 0;
  Row rows_[kChunkQueries];
  SpoiltRows spoilt_queries_, spoilt_out_, spoilt_keys_;
  /// Of the chunk and the tile.
  bool hidden_[kChunkQueries * kKeys];
};

Error check_out(const View& q, const View& k, const View& v, const View& gradient, const AttentionOptions& options,
                const AttentionGradients& out) {
  if (!out.sinks.empty() && out.sinks.size() != options.sinks.size())
    return error_at(Code::shape_mismatch, "out.sinks", "must hold % numbers", double(options.sinks.size()));
  const View* inputs[]{&q, &k, &v, &options.bias, &options.gate_keys};
  const View* results[]{&out.q, &out.k, &out.v, &out.bias, &out.gate_keys};
  constexpr std::string_view kNames[]{"out.q", "out.k", "out.v", "out.bias", "out.gateKeys"};
  for (std::size_t i = 0; i < std::size(results); ++i) {
    if (!results[i]->data) continue;
    if (Error error = check_result(*results[i], inputs[i]->shape, kNames[i])) return error;
  }
  return check_apart_from_inputs({{kNames[0], out.q},
                                  {kNames[1], out.k},
                                  {kNames[2], out.v},
                                  {kNames[3], out.bias},
                                  {kNames[4], out.gate_keys},
                                  {"out.sinks", out.sinks}},
                                 {{"q", q}, {"k", k}, {"v", v}, {"gradOut", gradient}}, options);
}

void clear(const AttentionGradients& out) {
  for (const View* result : {&out.q, &out.k, &out.v, &out.bias, &out.gate_keys})
    if (result->data) std::fill_n(result->data, std::size_t(result->length), 0.0f);
  std::fill(out.sinks.begin(), out.sinks.end(), 0.0f);
}

}  // namespace

Error attention_backward(const View& q, const View& k, const View& v, const View& gradient,
                         const AttentionOptions& given, const AttentionGradients& out) {
  Sizes sizes;
  AttentionOptions options = given;
  const bool has_values = v.shape.rank > 0;
  if (Error error = check_call(q, k, has_values ? &v : nullptr, options, sizes)) return error;
  Shape expected{double(sizes.q.batch), double(sizes.q.heads), double(sizes.q.positions), double(sizes.k.positions)};
  if (has_values) (expected = q.shape).dims[3] = sizes.v.dim;
  if (Error error = check_result(gradient, expected, "gradOut")) return error;
  if (Error error = check_out(q, k, v, gradient, options, out)) return error;
  Scorer scorer(q, k, sizes, options, kChunkQueries);
  Backward backward(scorer, v, gradient, sizes, options, out);
  if (!backward) return attention_out_of_memory();
  if (Error error = scorer.prepare()) return error;
  for (Learned* learned : std::initializer_list<Learned*>{options.rotation, options.encoding_bias, options.relative})
    if (learned)
      if (Error error = learned->begin_backward()) return error;
  if (options.relative)
    if (Error error = options.relative->prepare_backward()) return error;
  clear(out);
  for (int batch = 0; batch < sizes.q.batch; ++batch)
    for (int head = 0; head < sizes.q.heads; ++head)
      for (int first = 0; first < sizes.q.positions; first += kChunkQueries) backward.chunk(batch, head, first);
  if (options.relative) options.relative->finish_backward();
  if (!options.rotation) return {};
  const double length = rotation_length(options);
  if (Error error = options.rotation->backward(k, out.k, options.layout, options.key_positions, length, Role::key))
    return error;
  return options.rotation->backward(q, out.q, options.layout, options.query_positions, length, Role::query);
}

}  // namespace posenc
