#include "posenc/attention.hpp"

#include "attention/scorer.hpp"

namespace posenc {

using namespace tiles;

namespace {

// A sink is a key without value.
Softmax start_of(std::span<const float> sinks, int head) {
  return sinks.empty() ? Softmax{kMinusInfinity, 0} : Softmax{sinks[std::size_t(head)], 1};
}

// The running maximum, sum and weighted values of a chunk of queries.
class OnlineSoftmax final : public Walker {
 public:
  OnlineSoftmax(Scorer& scorer, const View& v, const View& out, const Sizes& sizes, const AttentionOptions& options)
      : scorer_(scorer),
        v_(v),
        out_(out),
        sizes_(sizes),
        out_shape_(head_shape(out.shape, options.layout)),
        sinks_(options.sinks),
        width_(round_up(sizes.v.dim)),
        sums_({double(width_), double(scorer.most_rows())}),
        values_({scorer.by_rows() ? 0.0 : kKeys, double(width_)}),
        states_(scorer.most_rows()) {}
  explicit operator bool() const { return sums_ && values_ && states_; }

  void begin(const QueryChunk& chunk) override {
    chunk_ = chunk;
    std::fill_n(sums_.data(), std::ptrdiff_t(width_) * scorer_.most_rows(), 0.0f);
    for (int g = chunk.member; g < chunk.member + chunk.members; ++g)
      std::fill_n(states_.data() + chunk.row(g, chunk.query), chunk.rows,
                  start_of(sinks_, chunk.key_head * sizes_.group + g));
  }

  void tile(int first, int count) override {
    const HeadStrides& strides = sizes_.v.strides;
    first_ = first;
    tile_ = v_.data + chunk_.batch * strides.batch + chunk_.key_head * strides.head + first * strides.position;
    if (!scorer_.by_rows()) pack_values(tile_, strides.position, count, sizes_.v.dim, values_.data());
  }

  void block(int g, int query, int rows, int first, int count, float* scores) override {
    const int row = chunk_.row(g, query);
    float *sums = sums_.data() + std::ptrdiff_t(row) * width_, shrinks[kQueries];
    bool seen[kQueries * kKeys];
    for (int i = 0; once_more_ && i < rows * kKeys; ++i) seen[i] = scores[i] != kMinusInfinity;
    for (int r = 0; scorer_.careful() && r < rows; ++r)
      careful_row(g, query + r, {first - first_, first - first_ + count}, scores + r * kKeys, sums + r * width_,
                  states_.data()[std::size_t(row + r)]);
    if (scorer_.careful()) return;
    weigh(scores, rows, count, states_.data() + row, shrinks);
    scorer_.sharpen(g, query, rows, first, count, scores, states_.data() + row);
    for (int r = 0; r < rows; ++r)
      if (shrinks[r] != 1) scale(sums + r * width_, width_, shrinks[r]);
    const KeyRange range{first - first_, first - first_ + count};
    for (int r = 0; once_more_ && r < rows; ++r)
      add_seen(g, query + r, range, seen + r * kKeys, scores + r * kKeys, sums + r * width_);
    if (once_more_) return;
    scorer_.add_values(g, query, rows, range, scores, sums, width_);
    if (!scorer_.by_rows())
      return block_product(scores, count, values_.data() + range.begin * round_up(1), kKeys, width_, sums, width_,
                           true);
    const std::ptrdiff_t stride = sizes_.v.strides.position;
    for (int r = 0; r < rows; ++r)
      add_weighted(scores + r * kKeys, tile_ + range.begin * stride, stride, count, sizes_.v.dim, sums + r * width_);
  }

  // Values of hidden keys weigh 0, which is not enough where they are NaN or infinite: then once more, without them.
  bool end() override {
    const HeadStrides& strides = out_shape_.strides;
    bool finite = true;
    for (int g = chunk_.member; g < chunk_.member + chunk_.members; ++g)
      for (int i = chunk_.query; i < chunk_.query + chunk_.queries; ++i) {
        const std::ptrdiff_t row = chunk_.row(g, i);
        float *sums = sums_.data() + row * width_, total = states_.data()[row].total;
        scale(sums, out_shape_.dim, total == 0 ? 0.0f : 1.0f / total);
        finite &= all_finite(sums, out_shape_.dim);
        const int head = chunk_.key_head * sizes_.group + g;
        std::copy_n(sums, out_shape_.dim,
                    out_.data + chunk_.batch * strides.batch + head * strides.head + i * strides.position);
      }
    once_more_ = !finite && !once_more_;
    return !once_more_;
  }

 private:
  // The values of the keys that a query sees, one run of them after the other.
  void add_seen(int g, int query, const KeyRange& range, const bool* seen, const float* weights, float* sums) {
    const std::ptrdiff_t stride = sizes_.v.strides.position;
    for (int j = 0, end; j < range.count(); j = end) {
      for (end = j; end < range.count() && seen[end] == seen[j];) ++end;
      if (!seen[j]) continue;
      const KeyRange run{range.begin + j, range.begin + end};
      scorer_.add_values(g, query, 1, run, weights + j, sums, width_);
      add_weighted(weights + j, tile_ + run.begin * stride, stride, run.count(), sizes_.v.dim, sums);
    }
  }

  // All keys are in one tile. The values of hidden keys are not read.
  void careful_row(int g, int query, const KeyRange& range, float* weights, float* sums, Softmax& state) {
    double exact[kKeys];
    const double total = scorer_.exact_weights(g, query, first_ + range.begin, range.count(), weights, state, exact);
    state.total = total == 0 ? 0.0f : 1.0f;
    const std::ptrdiff_t stride = sizes_.v.strides.position;
    for (int i = 0; total != 0 && i < sizes_.v.dim; ++i) {
      double sum = 0;
      for (int j = 0; j < range.count(); ++j)
        if (weights[j] != kMinusInfinity) sum += exact[j] * double(tile_[(range.begin + j) * stride + i]);
      sums[i] = float(sum / total);
    }
    for (int j = 0; j < range.count(); ++j) weights[j] = total == 0 ? 0.0f : float(exact[j] / total);
    scorer_.add_values(g, query, 1, range, weights, sums, width_);
  }

  Scorer& scorer_;
  const View &v_, &out_;
  const Sizes& sizes_;
  HeadShape out_shape_;
  std::span<const float> sinks_;
  int width_;
  Buffer sums_, values_;
  Array<Softmax> states_;
  QueryChunk chunk_;
  int first_ = 0;
  bool once_more_ = false;
  const float* tile_ = nullptr;
};

// Collects the scores of whole rows, then takes their softmax unless the scores are wanted.
class WholeRows final : public Walker {
 public:
  WholeRows(Scorer& scorer, const View& out, const Sizes& sizes, const AttentionOptions& options, bool weights)
      : scorer_(scorer), out_(out), sizes_(sizes), sinks_(options.sinks), weights_(weights) {}
  void begin(const QueryChunk& chunk) override { chunk_ = chunk; }

  void block(int g, int query, int rows, int first, int count, float* scores) override {
    for (int r = 0; r < rows; ++r) std::copy_n(scores + r * kKeys, count, row(g, query + r) + first);
  }

  bool end() override {
    for (int g = chunk_.member; weights_ && g < chunk_.member + chunk_.members; ++g)
      for (int i = chunk_.query; i < chunk_.query + chunk_.queries; ++i)
        softmax(g, i, start_of(sinks_, chunk_.key_head * sizes_.group + g));
    return true;
  }

 private:
  float* row(int g, int query) const {
    const std::ptrdiff_t head = std::ptrdiff_t(chunk_.batch) * sizes_.q.heads + chunk_.key_head * sizes_.group + g;
    return out_.data + (head * sizes_.q.positions + query) * sizes_.k.positions;
  }
  void softmax(int g, int query, Softmax state) const {
    float* x = row(g, query);
    const int count = sizes_.k.positions;
    if (count == 0) return;
    if (scorer_.careful()) {
      double exact[kKeys];
      const double total = scorer_.exact_weights(g, query, 0, count, x, state, exact);
      for (int j = 0; j < count; ++j) x[j] = total == 0 ? 0.0f : float(exact[j] / total);
      return;
    }
    const float start = state.total;
    float tile[kKeys], shrink;
    tile[0] = *std::max_element(x, x + count);
    weigh(tile, 1, 1, &state, &shrink);
    // The largest was only looked at.
    state.total = start * shrink;
    for (int j = 0; j < count; j += kKeys) {
      const int some = std::min(kKeys, count - j);
      std::copy_n(x + j, some, tile);
      weigh(tile, 1, some, &state, &shrink);
      std::copy_n(tile, some, x + j);
    }
    for (int j = 0; j < count; j += kKeys) scorer_.sharpen(g, query, 1, j, std::min(kKeys, count - j), x + j, &state);
    if (state.total != 0) scale(x, count, 1.0f / state.total);
  }

  Scorer& scorer_;
  const View& out_;
  const Sizes& sizes_;
  std::span<const float> sinks_;
  bool weights_;
  QueryChunk chunk_;
};

}  // namespace

Error attention(const View& q, const View& k, const View& v, const AttentionOptions& given, const View& out) {
  Sizes sizes;
  AttentionOptions options = given;
  if (Error error = check_call(q, k, &v, options, sizes)) return error;
  Shape expected = q.shape;
  expected.dims[3] = sizes.v.dim;
  if (Error error = check_result(out, expected, "out")) return error;
  if (Error error = check_apart_from_inputs({{"out", out}}, {{"q", q}, {"k", k}, {"v", v}}, options)) return error;
  Scorer scorer(q, k, sizes, options);
  if (Error error = scorer.prepare()) return error;
  if (out.length == 0) return {};
  OnlineSoftmax softmax(scorer, v, out, sizes, options);
  if (!softmax) return attention_out_of_memory();
  walk(scorer, sizes, softmax);
  return {};
}

Error attention_rows(const View& q, const View& k, const AttentionOptions& given, const View& out,
                     AttentionRows wanted) {
  Sizes sizes;
  AttentionOptions options = given;
  if (Error error = check_call(q, k, nullptr, options, sizes)) return error;
  const double queries = sizes.q.positions, keys = sizes.k.positions;
  if (Error error = check_result(out, {double(sizes.q.batch), double(sizes.q.heads), queries, keys}, "out"))
    return error;
  if (wanted == AttentionRows::places && !(options.relative && options.relative->contextual))
    return error_at(Code::unsupported, "encoding", "has no places of its own for keys: it goes by their positions");
  if (Error error = check_apart_from_inputs({{"out", out}}, {{"q", q}, {"k", k}}, options)) return error;
  Scorer scorer(q, k, sizes, options);
  if (wanted == AttentionRows::places) scorer.find_places();
  if (Error error = scorer.prepare()) return error;
  if (out.length == 0) return {};
  // What no tile touches is hidden.
  std::fill_n(out.data, std::size_t(out.length), wanted == AttentionRows::places ? 0.0f : kMinusInfinity);
  WholeRows rows(scorer, out, sizes, options, wanted == AttentionRows::weights);
  walk(scorer, sizes, rows);
  return {};
}

}  // namespace posenc
