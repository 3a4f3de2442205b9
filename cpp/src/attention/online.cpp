// attention(), by the online softmax.
#include "attention/walk.hpp"
#include "core/parallel.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

using namespace tiles;

namespace {

// The running maximum, sum and weighted values of a chunk of queries.
class OnlineSoftmax final : public Walker {
 public:
  OnlineSoftmax(Scorer& scorer, const View& out, const Sizes& sizes, const AttentionOptions& options)
      : scorer_(scorer),
        out_(out),
        sizes_(sizes),
        out_shape_(head_shape(out.shape, options.layout)),
        sinks_(options.sinks),
        width_(round_up(sizes.v.dim)),
        sums_({double(width_), double(scorer.most_rows())}),
        values_({scorer.by_rows() ? 0.0 : kKeys, double(width_)}),
        value_rows_(sizes.values.is_float32() ? 0 : double(scorer.key_heads_together()) * kKeys * sizes.v.dim),
        weights_(scorer.by_rows() ? (double(scorer.most_rows()) + 1) * kKeys : 0),
        tile_sums_(scorer.by_rows() && !scorer.careful() ? double(scorer.most_rows()) * width_ : 0),
        states_(scorer.most_rows()),
        exact_sums_(scorer.careful() ? sizes.v.dim : 0) {}
  explicit operator bool() const {
    return sums_ && values_ && value_rows_ && weights_ && tile_sums_ && states_ && exact_sums_;
  }

  void begin(const QueryChunk& chunk) override {
    chunk_ = chunk;
    std::fill_n(sums_.data(), std::ptrdiff_t(width_) * scorer_.most_rows(), 0.0f);
    for (int g = chunk.member; g < chunk.member + chunk.members; ++g)
      std::fill_n(states_.data() + chunk.index(g, chunk.query), chunk.rows,
                  start_of(sinks_, chunk.key_head * sizes_.group + g));
  }

  void tile(int first, int count) override {
    const StoredRows& values = sizes_.values;
    if (values.is_float32()) {
      tile_ = values.at(chunk_.batch, chunk_.key_head, first);
      tile_stride_ = values.strides.position;
      head_stride_ = values.strides.head;
    } else {
      tile_ = value_rows_.data();
      tile_stride_ = sizes_.v.dim;
      head_stride_ = kKeys * tile_stride_;
      for (int h = 0; h < scorer_.head_tile(0, 0, 0).heads; ++h)
        values.read(chunk_.batch, chunk_.key_head + h, first, count, sizes_.v.dim,
                    value_rows_.data() + h * head_stride_, tile_stride_);
    }
    if (!scorer_.by_rows()) pack_values(tile_, tile_stride_, count, sizes_.v.dim, values_.data());
  }

  void block(const Block& block) override {
    const int index = chunk_.index(block.member, block.query), count = block.keys.count();
    float* sums = sums_.data() + std::ptrdiff_t(index) * width_;
    Softmax* states = states_.data() + index;
    alignas(32) float block_scores[kQueries * kKeys];
    float* scores = scorer_.by_rows() ? weights_.data() + index * kKeys : block_scores;
    scorer_.scores(block, scores);
    if (scorer_.careful()) return careful_block(block, scores, sums, states);
    bool visible[kQueries * kKeys];
    for (int i = 0; once_more_ && i < block.rows * kKeys; ++i) visible[i] = scores[i] != kMinusInfinity;
    float shrinks[kQueries];
    weigh(scores, block.rows, count, states, shrinks);
    scorer_.sharpen(block, scores, states);
    for (int r = 0; r < block.rows; ++r)
      if (shrinks[r] != 1) scale(sums + r * width_, width_, shrinks[r]);
    if (once_more_) return add_visible(block, visible, scores, sums);
    scorer_.add_values(block, scores, sums, width_);
    if (!scorer_.by_rows())
      block_product(scores, count, values_.data() + block.keys.begin * round_up(1), kKeys, width_, sums, width_, true);
  }

  // By rows: adds all values of the tile for all queries. Separate sums per tile have smaller rounding errors.
  void end_tile() override {
    if (!scorer_.by_rows() || scorer_.careful() || once_more_) return;
    const KeyRange& range = scorer_.tile_range();
    const std::ptrdiff_t floats = std::ptrdiff_t(chunk_.members) * chunk_.rows * width_;
    std::fill_n(tile_sums_.data(), floats, 0.0f);
    add_tile(weights_.data(), tile_ + range.begin * tile_stride_,
             scorer_.head_tile(range.count(), head_stride_, tile_stride_), sizes_.v.dim, tile_sums_.data(), width_);
    posenc::add(sums_.data(), tile_sums_.data(), std::size_t(floats));
  }

  // Values of masked keys have weight 0, but 0 · NaN is NaN: then the chunk is repeated without these values.
  bool end() override {
    const HeadStrides& strides = out_shape_.strides;
    bool finite = true;
    for (int g = chunk_.member; g < chunk_.member + chunk_.members; ++g)
      for (int i = chunk_.query; i < chunk_.query + chunk_.queries; ++i) {
        const std::ptrdiff_t row = chunk_.index(g, i);
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
  const float* values_at(int member, int key) const {
    return tile_ + member / sizes_.group * head_stride_ + key * tile_stride_;
  }

  // Adds the values of the keys that a query attends to, run by run.
  void add_visible(const Block& block, const bool* visible, const float* weights, float* sums) {
    for (int r = 0; r < block.rows; ++r, visible += kKeys, weights += kKeys, sums += width_)
      for (int j = 0, end; j < block.keys.count(); j = end) {
        for (end = j; end < block.keys.count() && visible[end] == visible[j];) ++end;
        if (!visible[j]) continue;
        const Block run{block.member, block.query + r, 1, {block.keys.begin + j, block.keys.begin + end}};
        scorer_.add_values(run, weights + j, sums, width_);
        add_weighted(weights + j, values_at(run.member, run.keys.begin), tile_stride_, run.keys.count(), sizes_.v.dim,
                     sums);
      }
  }

  // All keys are in one tile. The values of masked keys are not read.
  void careful_block(const Block& block, float* weights, float* sums, Softmax* states) {
    for (int r = 0; r < block.rows; ++r)
      careful_row({block.member, block.query + r, 1, block.keys}, weights + r * kKeys, sums + r * width_, states[r]);
  }

  void careful_row(const Block& row, float* weights, float* sums, Softmax& state) {
    double exact[kKeys];
    const int count = row.keys.count();
    const double total = scorer_.exact_weights(row.member, row.query, scorer_.first_key() + row.keys.begin, count,
                                               weights, state, exact);
    state.total = total == 0 ? 0.0f : 1.0f;
    double* exact_sums = exact_sums_.data();
    std::fill_n(exact_sums, sizes_.v.dim, 0.0);
    for (int j = 0; total != 0 && j < count; ++j)
      if (weights[j] != kMinusInfinity)
        add_exact(exact[j], values_at(row.member, row.keys.begin + j), std::size_t(sizes_.v.dim), exact_sums);
    for (int i = 0; total != 0 && i < sizes_.v.dim; ++i) sums[i] = float(exact_sums[i] / total);
    for (int j = 0; j < count; ++j) weights[j] = total == 0 ? 0.0f : float(exact[j] / total);
    scorer_.add_values(row, weights, sums, width_);
  }

  Scorer& scorer_;
  const View& out_;
  const Sizes& sizes_;
  HeadShape out_shape_;
  std::span<const float> sinks_;
  int width_;
  Buffer sums_, values_, value_rows_;
  /// By rows: the chunk's weights of the tile's keys [rows][kKeys], and the weighted sums of the values.
  Buffer weights_, tile_sums_;
  Array<Softmax> states_;
  Array<double> exact_sums_;
  QueryChunk chunk_;
  bool once_more_ = false;
  const float* tile_ = nullptr;
  std::ptrdiff_t head_stride_ = 0, tile_stride_ = 0;
};

// Number of threads for a call. Waking a thread and preparing its data takes as long as some hundred thousand products.
int threads_for(const Sizes& sizes) {
  constexpr double kLeastProducts = 8388608;
  const double width = double(sizes.q.dim) + sizes.v.dim;
  const double products = product(
      {double(sizes.q.batch), double(sizes.q.heads), double(sizes.q.positions), double(sizes.k.positions), width});
  return products < kLeastProducts ? 1 : pool_threads();
}

// The chunks of this call, of `all`.
struct ChosenChunks {
  int first, count;
};

ChosenChunks chosen_chunks(ChunkRange* range, int all) {
  if (!range) return {0, all};
  range->all = all;
  const int first = int(std::clamp(range->first, 0.0, double(all)));
  return {first, int(std::clamp(range->most, 0.0, double(all - first)))};
}

// The last chunk first: with causality earlier chunks are cheaper, so threads finish at about the same time.
void walk_claims(Claims& claims, int first, const Chunks& chunks, Scorer& scorer, const Sizes& sizes, Walker& walker) {
  for (int i; (i = claims.next()) >= 0;) walk_chunk(scorer, chunks[chunks.count() - 1 - first - i], sizes, walker);
}

}  // namespace

Error attention(const View& q, const View& k, const View& v, const AttentionOptions& options, const View& out,
                Workspace& workspace) noexcept {
  Sizes sizes;
  return attend_stored(q, k, v, options, out, sizes, workspace);
}

Error attend_stored(const View& q, const View& k, const View& v, AttentionOptions options, const View& out,
                    Sizes& sizes, Workspace& workspace) {
  if (Error error = check_call(q, k, &v, options, sizes)) return error;
  Shape expected = q.shape;
  expected.dims[3] = sizes.v.dim;
  if (Error error = check_result(out, expected, "out")) return error;
  // Memory of stored keys and values is not the caller's.
  const View nowhere, &keys = sizes.stored ? nowhere : k, &values = sizes.stored ? nowhere : v;
  if (Error error = check_apart_from_inputs({{"out", out}}, {{"q", q}, {"k", keys}, {"v", values}}, options))
    return error;
  Scorer scorer(q, k, sizes, options, workspace);
  if (Error error = scorer.prepare()) return error;
  if (out.length == 0) return {};
  OnlineSoftmax softmax(scorer, out, sizes, options);
  if (!softmax) return attention_out_of_memory();
  const int threads = threads_for(sizes);
  const Chunks chunks(scorer, sizes, threads);
  const auto [first, count] = chosen_chunks(options.chunks, chunks.count());
  for (int i = 1; i < threads; ++i) workspace.of_helper(i);
  parallel_for(count, threads, [&, first = first](Claims& claims, int thread) {
    if (thread == 0) return walk_claims(claims, first, chunks, scorer, sizes, softmax);
    // A thread without memory leaves its work to the others.
    Scorer own_scorer(q, k, sizes, options, workspace.of_helper(thread));
    if (own_scorer.prepare()) return;
    OnlineSoftmax own_softmax(own_scorer, out, sizes, options);
    if (own_softmax) walk_claims(claims, first, chunks, own_scorer, sizes, own_softmax);
  });
  return {};
}

}  // namespace posenc
