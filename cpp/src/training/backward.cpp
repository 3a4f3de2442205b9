#include "training/backward.hpp"

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/real.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Number of leading keys for which a chunk keeps the results of the first pass: 1 MiB.
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
      key_dim_(changes_rows(options) ? options.relative->key_width : sizes.q.dim),
      out_shape_(head_shape(gradient.shape, options.layout)),
      layout_(sizes, key_dim_, changes_rows(options) ? options.relative->query_width : sizes.q.dim,
              scorer.rows().branches()),
      memory_(layout_.size) {
  if (options.encoding_bias) scatter_.emplace(*options.encoding_bias, out.encoding_bias, scorer.bias_scratch());
  const bool reads_more = options.relative || options.softcap > 0 || (scatter_ && scatter_->reads_scores());
  if (weighs() && !reads_more) {
    kept_keys_ = std::min(kMostKept, (sizes.k.positions + kKeys - 1) / kKeys * kKeys);
    kept_ = Buffer({double(kept_keys_), 2 * kChunkQueries + 1});
    if (!kept_) kept_keys_ = 0;
  }
  scorer.key_gradients = out.k.data;
  scorer.extra_gradients = out.extra_keys.data;
  scorer.token_gradients = &out.tokens;
}

void Backward::chunk(int batch, int head, int first) {
  const int queries = std::min(kChunkQueries, sizes_.q.positions - first);
  chunk_ = {batch, head / sizes_.group, head % sizes_.group, 1, first, queries, kChunkQueries};
  head_ = head;
  scorer_.load_queries(chunk_);
  pack_chunk();
  const float sink = options_.sinks.empty() ? kMinusInfinity : options_.sinks[std::size_t(head)];
  std::fill_n(sums_, kChunkQueries, WeightSums{{sink, 0}, sink == kMinusInfinity ? 0.0 : 1.0, 0});
  // First pass: sums over all keys. Second pass: the gradients of each key.
  if (weighs() || scorer_.order() == KeyOrder::falling) pass(false, scorer_.order());
  finish_sums();
  std::fill_n(memory_.data(), layout_.out_blocks, 0.0f);
  pass(true, KeyOrder::rising);
  finish_queries();
}

void Backward::pack_chunk() {
  for (int branch = 0; branch < layout_.branches; ++branch) {
    const float* rows = scorer_.query_row(chunk_.member, chunk_.query, branch);
    float* panels = at(layout_.query_panels + branch * kChunkQueries * layout_.key_width);
    pack_values(rows, scorer_.query_stride(), chunk_.queries, key_dim_, panels);
    query_rows_[branch].find(rows, scorer_.query_stride(), chunk_.queries, key_dim_, panels);
  }
  if (!weighs()) return;
  const float* slopes = out_slopes(chunk_.query);
  const std::ptrdiff_t stride = out_shape_.strides.position;
  pack_queries(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_blocks));
  pack_values(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_panels));
  out_rows_.find(slopes, stride, chunk_.queries, sizes_.v.dim, at(layout_.out_panels));
}

void Backward::finish_sums() {
  for (int i = 0; i < chunk_.queries; ++i) {
    WeightSums& sums = sums_[i];
    // Without weights the sum stays 0; a NaN total makes it NaN.
    if (std::isnan(sums.softmax.total)) sums.share = NAN;
    sums.share = sums.share == 0 ? 0 : 1 / sums.share;
    sums.mean *= sums.share;
    if (out_.sinks.empty() || !weighs()) continue;
    const double sink = double(options_.sinks[std::size_t(head_)]);
    out_.sinks[std::size_t(head_)] -= float(quick_exp(sink - double(sums.softmax.top)) * sums.share * sums.mean);
  }
}

void Backward::finish_queries() {
  if (scorer_.rows().branches()) {
    for (int branch = 0; branch < layout_.branches; ++branch)
      add_unrotated(false, chunk_.query, chunk_.queries, query_slopes(chunk_.query, branch), layout_.stride, branch);
    return;
  }
  for (int i = chunk_.query; i < chunk_.query + chunk_.queries; ++i) {
    if (RelativeCall* relative = scorer_.relative())
      relative->expand_backward({false, chunk_.batch, head_, i, scorer_.rows().given(false, chunk_.batch, head_, i),
                                 scorer_.query_row(chunk_.member, i), query_slopes(i)});
    std::copy_n(query_slopes(i), sizes_.q.dim, features_at(out_.q, sizes_.q, chunk_.batch, head_, i));
  }
}

// Loops over the tiles of keys, and in each over the blocks of queries.
void Backward::pass(bool differentiates, KeyOrder order) {
  for_each_tile(sizes_.k.positions, order, [&](int first, int count) {
    first_key_ = first;
    key_count_ = count;
    // A kept weight of 0 does not show whether the key is masked, which matters if the result's gradient is not finite.
    computes_scores_ = !differentiates || !keeps() || out_rows_.found > 0;
    if (!scorer_.load_keys(first, count, order, computes_scores_)) return;
    pack_tile(differentiates);
    for (int i = 0; i < chunk_.queries; i += kQueries) {
      const int query = chunk_.query + i;
      const KeyRange visible = scorer_.visible_keys(query, rows_from(query));
      visible_end_ = visible.end;
      if (visible.count() > 0)
        block(query, differentiates);
      else if (differentiates)
        clear_block(i, 0);
    }
    if (differentiates) finish_tile();
  });
}

void Backward::pack_tile(bool differentiates) {
  if (differentiates) {
    int found = out_rows_.found;
    for (const NonFiniteRows& rows : query_rows_) found += rows.found;
    for (int set = 0; set < scorer_.rows().branches().key_sets(); ++set) {
      float* panels = at(layout_.key_panels + set * kKeys * layout_.key_width);
      pack_values(scorer_.key_row(0, set), scorer_.key_stride(), key_count_, key_dim_, panels);
      key_rows_[set].find(scorer_.key_row(0, set), scorer_.key_stride(), key_count_, key_dim_, panels);
      found += key_rows_[set].found;
    }
    spotted_ = found > 0;
    branches_ = 0;
    // The scores of a block may belong to different branches.
    if (scorer_.rows().branches()) std::fill_n(at(layout_.slopes), layout_.branches * kChunkQueries * kKeys, 0.0f);
    if (spotted_) std::fill_n(masked_, kChunkQueries * kKeys, true);
    std::fill(std::begin(first_query_), std::end(first_query_), chunk_.queries);
  }
  if (weighs() && computes_scores_)
    pack_keys(features_at(v_, sizes_.v, chunk_.batch, chunk_.key_head, first_key_), sizes_.v.strides.position,
              key_count_, sizes_.v.dim, at(layout_.values));
}

// Four queries do not attend to the tile's keys from `key` on: zeros their weights and gradients.
void Backward::clear_block(int first, int key) {
  for (const std::ptrdiff_t transposed : {layout_.weights, layout_.slopes})
    for (int j = key; j < key_count_; ++j) std::fill_n(at(transposed + j * kChunkQueries + first), kQueries, 0.0f);
}

// Adds the chunk's part to the gradients of the tile's keys and values.
void Backward::finish_tile() {
  for (int branch = 0; branch < layout_.branches; ++branch)
    if (branches_ >> branch & 1) finish_keys(branch);
  if (!weighs()) return;
  multiply(layout_.weights, layout_.out_panels, layout_.value_width);
  for (const int i : out_rows_.all())
    add_visible(i, layout_.weights, out_slopes(chunk_.query + i), sizes_.v.dim, layout_.value_width);
  for (int j = 0; j < key_count_; ++j)
    add(features_at(out_.v, sizes_.v, chunk_.batch, chunk_.key_head, first_key_ + j),
        at(layout_.tile + j * layout_.value_width), std::size_t(sizes_.v.dim));
}

void Backward::finish_keys(int branch) {
  const std::ptrdiff_t slopes = layout_.slopes + branch * kChunkQueries * kKeys;
  multiply(slopes, layout_.query_panels + branch * kChunkQueries * layout_.key_width, layout_.key_width);
  for (const int i : query_rows_[branch].all())
    add_visible(i, slopes, scorer_.query_row(chunk_.member, chunk_.query + i, branch), key_dim_, layout_.key_width);
  const Branches& branches = scorer_.rows().branches();
  if (branches)
    return add_unrotated(true, first_key_, key_count_, at(layout_.tile), layout_.key_width, branches.key_set(branch));
  for (int j = 0; j < key_count_; ++j) {
    float* row = at(layout_.tile + j * layout_.key_width);
    if (RelativeCall* relative = scorer_.relative())
      relative->expand_backward({true, chunk_.batch, chunk_.key_head, first_key_ + j,
                                 scorer_.rows().given(true, chunk_.batch, chunk_.key_head, first_key_ + j),
                                 scorer_.key_row(j), row});
    add(features_at(out_.k, sizes_.k, chunk_.batch, chunk_.key_head, first_key_ + j), row, std::size_t(sizes_.k.dim));
  }
}

// Propagates the gradients of rows rotated for a branch to the rows as given and to learned frequencies.
void Backward::add_unrotated(bool is_key, int first, int count, const float* slopes, std::ptrdiff_t stride, int way) {
  const HeadShape& shape = is_key ? sizes_.k : sizes_.q;
  const View& target = is_key ? out_.k : out_.q;
  const int head = is_key ? chunk_.key_head : head_, dim = shape.dim;
  const View rows = heads(at(layout_.unrotated), 1, 1, count, dim);
  const View gradients = heads(at(layout_.unrotated + count * dim), 1, 1, count, dim);
  scorer_.rows().read(is_key, chunk_.batch, head, first, count, rows.data, dim);
  double positions[kKeys];
  for (int i = 0; i < count; ++i) {
    std::copy_n(slopes + i * stride, dim, gradients.data + i * dim);
    positions[i] = scorer_.rows().remapped_position(is_key, chunk_.batch, first + i, way);
  }
  const Positions& queries = options_.query_positions;
  const double origin = queries[queries.row_start(std::size_t(chunk_.batch), std::size_t(sizes_.q.positions))];
  const Positions origins = Positions::given({&origin, 1}, 1);
  Error error = options_.rotation->backward_from(
      &origins, rows, gradients, HeadLayout::bhtd, Positions::given({positions, std::size_t(count)}, count),
      rotation_length(options_), is_key ? Role::key : Role::query, *out_.rotation, scorer_.workspace());
  if (error) error_ = std::move(error);
  for (int i = 0; i < count; ++i)
    add(features_at(target, shape, chunk_.batch, head, first + i), gradients.data + i * dim, std::size_t(dim));
}

// The tile [keys][width] += transposed · row of the chunk's query i, for the keys that it attends to.
void Backward::add_visible(int i, std::ptrdiff_t transposed, const float* row, int count, std::ptrdiff_t width) {
  for (int j = 0; j < key_count_; ++j)
    if (!masked_[i * kKeys + j])
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
        float& target = out[r * stride + i + c];
        target = (onto ? target : 0.0f) + float(sums[r * kKeys + c]);
      }
  }
}

}  // namespace posenc
