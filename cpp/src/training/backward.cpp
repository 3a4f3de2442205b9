#include "training/backward.hpp"

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Of so many keys, the first, a chunk keeps what the first pass computed: 1 MiB.
constexpr int kMostKept = 2048;

}  // namespace

Backward::Backward(Scorer& scorer, const View& v, const View& gradient, const Sizes& sizes,
                   const AttentionOptions& options, const AttentionGradients& out)
    : scorer_(scorer),
      v_(v),
      gradient_(gradient),
      sizes_(sizes),
      options_(options),
      out_(out),
      key_dim_(options.relative ? options.relative->key_width : sizes.q.dim),
      out_shape_(head_shape(gradient.shape, options.layout)),
      layout_(sizes, key_dim_, options.relative ? options.relative->query_width : sizes.q.dim),
      memory_(layout_.size) {
  if (options.encoding_bias) scatter_.emplace(*options.encoding_bias, out.encoding_bias, scorer.bias_scratch());
  const bool reads_more = options.relative || options.softcap > 0 || (scatter_ && scatter_->reads_scores());
  if (v.data && !reads_more) {
    kept_keys_ = std::min(kMostKept, (sizes.k.positions + kKeys - 1) / kKeys * kKeys);
    kept_ = Buffer({double(kept_keys_), 2 * kChunkQueries + 1});
    if (!kept_) kept_keys_ = 0;
  }
  scorer.key_gradients = out.k.data;
  scorer.extra_gradients = out.extra_keys.data;
}

void Backward::chunk(int batch, int head, int first) {
  const int queries = std::min(kChunkQueries, sizes_.q.positions - first);
  chunk_ = {batch, head / sizes_.group, head % sizes_.group, 1, first, queries, kChunkQueries};
  head_ = head;
  scorer_.load_queries(chunk_);
  pack_chunk();
  const float sink = options_.sinks.empty() ? kMinusInfinity : options_.sinks[std::size_t(head)];
  std::fill_n(sums_, kChunkQueries, WeightSums{{sink, 0}, sink == kMinusInfinity ? 0.0 : 1.0, 0});
  // First what all keys together say, then what each of them gets.
  if (v_.data || scorer_.order() == KeyOrder::falling) pass(false, scorer_.order());
  finish_sums();
  std::fill_n(memory_.data(), layout_.out_blocks, 0.0f);
  pass(true, KeyOrder::rising);
  finish_queries();
}

void Backward::pack_chunk() {
  const float* rows = scorer_.query_row(chunk_.member, chunk_.query);
  pack_values(rows, scorer_.query_stride(), chunk_.queries, key_dim_, at(layout_.query_panels));
  query_rows_.find(rows, scorer_.query_stride(), chunk_.queries, key_dim_, at(layout_.query_panels));
  if (!v_.data) return;
  const float* slopes = out_slopes(chunk_.query);
  const std::ptrdiff_t stride = out_shape_.strides.position;
  pack_queries(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_blocks));
  pack_values(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_panels));
  out_rows_.find(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_panels));
}

void Backward::finish_sums() {
  for (int i = 0; i < chunk_.queries; ++i) {
    WeightSums& sums = sums_[i];
    // The sum of no weights, or of none that is a number.
    if (std::isnan(sums.softmax.total)) sums.share = NAN;
    sums.share = sums.share == 0 ? 0 : 1 / sums.share;
    sums.mean *= sums.share;
    if (out_.sinks.empty() || !v_.data) continue;
    const double sink = double(options_.sinks[std::size_t(head_)]);
    out_.sinks[std::size_t(head_)] -= float(quick_exp(sink - double(sums.softmax.top)) * sums.share * sums.mean);
  }
}

void Backward::finish_queries() {
  for (int i = chunk_.query; i < chunk_.query + chunk_.queries; ++i) {
    if (RelativeCall* relative = scorer_.relative())
      relative->expand_backward(false, head_, scorer_.query_row(chunk_.member, i), query_slopes(i));
    std::copy_n(query_slopes(i), sizes_.q.dim, features_at(out_.q, sizes_.q, chunk_.batch, head_, i));
  }
}

// Over the tiles of keys, and in each over the blocks of queries.
void Backward::pass(bool differentiates, KeyOrder order) {
  for_each_tile(sizes_.k.positions, order, [&](int first, int count) {
    first_key_ = first;
    key_count_ = count;
    // A weight of 0 does not tell whether the key is hidden, which matters where 0 times the result's gradient is no 0.
    anew_ = !differentiates || !keeps() || out_rows_.found > 0;
    if (!scorer_.load_keys(first, count, order, anew_)) return;
    pack_tile(differentiates);
    for (int i = 0; i < chunk_.queries; i += kQueries) {
      const int query = chunk_.query + i;
      const KeyRange seen = scorer_.seen(query, rows_from(query));
      seen_ = seen.end;
      if (seen.count() > 0)
        block(query, differentiates);
      else if (differentiates)
        clear_block(i, 0);
    }
    if (differentiates) finish_tile();
  });
}

void Backward::pack_tile(bool differentiates) {
  if (differentiates) {
    pack_values(scorer_.key_row(0), scorer_.key_stride(), key_count_, key_dim_, at(layout_.key_panels));
    key_rows_.find(scorer_.key_row(0), scorer_.key_stride(), key_count_, key_dim_, at(layout_.key_panels));
    spotted_ = query_rows_.found + out_rows_.found + key_rows_.found > 0;
    if (spotted_) std::fill_n(hidden_, kChunkQueries * kKeys, true);
    std::fill(std::begin(first_query_), std::end(first_query_), chunk_.queries);
  }
  if (v_.data && anew_)
    pack_keys(features_at(v_, sizes_.v, chunk_.batch, chunk_.key_head, first_key_), sizes_.v.strides.position,
              key_count_, sizes_.v.dim, at(layout_.values));
}

// Four queries see nothing of the tile from a key on.
void Backward::clear_block(int first, int key) {
  for (const std::ptrdiff_t transposed : {layout_.weights, layout_.slopes})
    for (int j = key; j < key_count_; ++j) std::fill_n(at(transposed + j * kChunkQueries + first), kQueries, 0.0f);
}

// What the chunk gives to the keys and values of the tile.
void Backward::finish_tile() {
  multiply(layout_.slopes, layout_.query_panels, layout_.key_width);
  for (const int i : query_rows_.all())
    add_seen(i, layout_.slopes, scorer_.query_row(chunk_.member, chunk_.query + i), key_dim_, layout_.key_width);
  for (int j = 0; j < key_count_; ++j) {
    float* row = at(layout_.tile + j * layout_.key_width);
    if (RelativeCall* relative = scorer_.relative())
      relative->expand_backward(true, chunk_.key_head, scorer_.key_row(j), row);
    add(features_at(out_.k, sizes_.k, chunk_.batch, chunk_.key_head, first_key_ + j), row, std::size_t(sizes_.k.dim));
  }
  if (!v_.data) return;
  multiply(layout_.weights, layout_.out_panels, layout_.value_width);
  for (const int i : out_rows_.all())
    add_seen(i, layout_.weights, out_slopes(chunk_.query + i), sizes_.v.dim, layout_.value_width);
  for (int j = 0; j < key_count_; ++j)
    add(features_at(out_.v, sizes_.v, chunk_.batch, chunk_.key_head, first_key_ + j),
        at(layout_.tile + j * layout_.value_width), std::size_t(sizes_.v.dim));
}

// The tile [keys][width] += transposed · row of the chunk's query i, for the keys that it sees.
void Backward::add_seen(int i, std::ptrdiff_t transposed, const float* row, int count, std::ptrdiff_t width) {
  for (int j = 0; j < key_count_; ++j)
    if (!hidden_[i * kKeys + j])
      add_scaled(at(layout_.tile + j * width), *at(transposed + j * kChunkQueries + i), row, std::size_t(count));
}

// The tile [keys][width] = transposed [keys][kChunkQueries] · panels of rows
void Backward::multiply(std::ptrdiff_t transposed, std::ptrdiff_t panels, std::ptrdiff_t width) {
  static_assert(kChunkQueries == kKeys, "transposed blocks are weights");
  for (int j = 0; j < key_count_; j += kQueries) {
    const int first = first_query_[j / kQueries];
    multiply_block(at(transposed + j * kChunkQueries + first), chunk_.queries - first, at(panels) + first * round_up(1),
                   int(width), at(layout_.tile + j * width), width, false);
  }
}

// out [4][width] = block · panels, or with `onto` added to out.
void Backward::multiply_block(const float* block, int depth, const float* panels, int width, float* out,
                              std::ptrdiff_t stride, bool onto) {
  if (!scorer_.careful()) return block_product(block, depth, panels, kKeys, width, out, stride, onto);
  double sums[kQueries * kKeys];
  for (int i = 0; i < width; i += kKeys) {
    const int some = std::min(kKeys, width - i);
    careful_product(block, depth, panels + i * kKeys, kKeys, some, sums);
    for (int r = 0; r < kQueries; ++r)
      for (int c = 0; c < some; ++c) {
        float& place = out[r * stride + i + c];
        place = (onto ? place : 0.0f) + float(sums[r * kKeys + c]);
      }
  }
}

}  // namespace posenc
