#include "attention/scorer.hpp"

#include "posenc/kernels/kernels.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Floats of a chunk's queries and of their sums.
constexpr int kChunkFloats = 65536;

int rows_of_chunk(const Sizes& sizes, int width, int branches, int key_heads) {
  const int floats = round_up_depth(width) * branches + sizes.v.dim;
  const int most = std::max(1, kChunkFloats / kQueries / std::max(1, floats)) * kQueries;
  const double heads = double(sizes.group) * key_heads;
  return whole_blocks(int(std::min<double>(most, (double(sizes.q.positions) + kQueries - 1) * heads)));
}

// Number of keys on one side of a window; negative means all.
std::int64_t keys_of_window(double window) {
  constexpr double kAll = 4294967296.0;
  return std::int64_t(window < 0 ? kAll : std::min(window, kAll));
}

}  // namespace

Scorer::Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options, Workspace& workspace,
               int backward)
    : k_(k),
      sizes_(sizes),
      options_(options),
      workspace_(workspace),
      backward_(backward),
      rows_(q, sizes, options, workspace),
      most_rows_(backward ? backward
                          : rows_of_chunk(sizes, rows_.query_width(), rows_.branches().count(), key_heads_together())),
      left_(keys_of_window(options.window_left)),
      right_(options.causal ? 0 : keys_of_window(options.window_right)),
      query_rows_(double(keeps_rows() ? rows_.branches().count() * most_rows_ : Rows::kTogether) * rows_.query_width()),
      query_blocks_(by_rows() ? 0 : double(rows_.branches().count()) * most_rows_ * round_up_depth(rows_.key_width())),
      key_rows_(rows_.keys_stay()
                    ? 0
                    : double(rows_.branches().key_sets()) * key_heads_together() * kKeys * rows_.key_width()),
      key_panels_(by_rows() ? 0 : double(rows_.branches().key_sets()) * kKeys * rows_.key_width()),
      exact_rows_(double(rows_.branches().count()) * rows_.query_width() + rows_.key_width() + sizes.k.dim),
      keys_ahead_(keys_ahead()),
      products_(by_rows() ? double(most_rows_) * keys_ahead_ : 0),
      given_keys_(options.relative && !sizes.keys.is_float32() ? double(kKeys) * sizes.k.dim : 0),
      carries_(options.relative ? double(most_rows_) * options.relative->carried : 0),
      bias_scratch_(options.encoding_bias ? workspace.of<BiasScratch>(*options.encoding_bias) : nullptr) {
  const double terms = options.relative ? options.relative->terms : 1;
  scale_ = options.scale.value_or(1.0 / std::sqrt(std::max(1, sizes.q.dim) * terms));
  if (rows_.branches()) scale_ *= remap_factor(options.remap, rotation_length(options));
}

Error Scorer::prepare(RelativeRequest::Wanted wanted) {
  if (!query_rows_ || !query_blocks_ || !key_rows_ || !key_panels_ || !exact_rows_ || !products_ || !given_keys_ ||
      !carries_)
    return attention_out_of_memory();
  const Shape scores{double(sizes_.q.batch), double(sizes_.q.heads), double(sizes_.q.positions),
                     double(sizes_.k.positions)};
  if (Error error = mask_.check(options_, scores, double(sizes_.k.positions) - sizes_.q.positions)) return error;
  if (Error error = check_bias(options_.bias, scores, bias_)) return error;
  constexpr double kMostBiases = 65536;
  if (options_.encoding_bias)
    if (Error error = options_.encoding_bias->begin(options_.query_positions, options_.key_positions, kMostBiases,
                                                    *bias_scratch_))
      return error;
  return options_.relative ? begin_relative(wanted) : Error{};
}

Error Scorer::begin_relative(RelativeRequest::Wanted wanted) {
  const Positions &queries = options_.query_positions, &keys = options_.key_positions;
  RelativeRequest request{queries, keys, sizes_.q.positions, sizes_.k.positions, workspace_, wanted};
  request.query_heads = sizes_.q.heads;
  request.key_heads = sizes_.k.heads;
  request.batch = sizes_.q.batch;
  request.scored = true;
  if (queries.values.empty() && keys.values.empty())
    request.ahead = double(right_) + keys.offset + sizes_.k.positions - queries.offset - sizes_.q.positions;
  request.mask = this;
  request.layout = options_.layout;
  request.tokens = &options_.tokens;
  request.token_gradients = token_gradients;
  auto begun = options_.relative->begin(request);
  if (!begun) return std::move(begun.error());
  relative_ = std::move(*begun);
  rows_.expand_by(relative_.get());
  return {};
}

void Scorer::load_queries(const QueryChunk& chunk) {
  chunk_ = chunk;
  first_ahead_ = -1;
  if (options_.relative) std::fill_n(carries_.data(), std::ptrdiff_t(most_rows_) * options_.relative->carried, 0.0);
  query_span_ = {};
  for (int i = 0; rows_.branches() && i < chunk.queries; ++i)
    query_span_.add(query_position(head_of(chunk.member), chunk.query + i));
  for (int g = chunk.member; g < chunk.member + chunk.members; ++g)
    for (int i = 0; i < chunk.queries; i += Rows::kTogether)
      load_block(g, chunk.query + i, std::min(Rows::kTogether, chunk.queries - i));
}

void Scorer::load_block(int g, int query, int count) {
  const int width = rows_.query_width();
  for (int branch = 0; branch < rows_.branches().count(); ++branch) {
    float* rows = query_row(g, query, branch);
    rows_.load_queries(chunk_.batch, head_of(g), query, count, rows, width, branch);
    // Terms that an encoding adds to the products come before the scale.
    for (int i = 0; !keeps_products() && i < count; ++i)
      scale(rows + i * width, width, scale_of(head_of(g), query + i));
    if (!by_rows()) pack_queries(rows, width, count, rows_.key_width(), query_block(g, query, branch));
  }
}

int Scorer::key_heads_together() const {
  if (!by_rows() || options_.relative || sizes_.k.strides.head >= sizes_.k.strides.position) return 1;
  const int most = rows_.keys_stay() ? sizes_.k.heads : kChunkFloats / kKeys / std::max(1, rows_.key_width());
  return std::clamp(most, 1, std::max(1, sizes_.k.heads));
}

int Scorer::keys_ahead() const {
  constexpr int kMostProducts = 16384;
  if (!by_rows() || !rows_.keys_stay() || key_heads_together() > 1) return kKeys;
  const int most = std::min(kMostProducts / std::max(1, most_rows_), sizes_.k.positions + kKeys - 1);
  return std::max(1, most / kKeys) * kKeys;
}

RelativeQuery Scorer::relative_query(int g, int query) const {
  double* carry = carries_.data() + std::ptrdiff_t(chunk_.index(g, query)) * options_.relative->carried;
  return relative_query(head_of(g), query, query_row(g, query), carry);
}

RelativeQuery Scorer::relative_query(int head, int query, const float* row, double* carry) const {
  const double position = query_position(head, query);
  const bool reads = options_.relative && options_.relative->reads_temperature && options_.temperature.is_on();
  return {row, head, position, query, carry, chunk_.batch, reads ? options_.temperature.at(position) : 1};
}

void Scorer::add_values(const Block& block, const float* weights, float* sums, std::ptrdiff_t width) const {
  if (!relative_ || options_.relative->value_dim == 0) return;
  for (int r = 0; r < block.rows; ++r)
    relative_->add_values(relative_query(block.member, block.query + r), relative_keys(block.keys), weights + r * kKeys,
                          sums + r * width);
}

KeyRange Scorer::visible(int query) const {
  const std::int64_t index = std::int64_t(query) + sizes_.k.positions - sizes_.q.positions;
  const KeyRange sequence = mask_.sequence(chunk_.batch, query);
  const auto within = [&](std::int64_t key) { return int(std::clamp<std::int64_t>(key - first_key_, 0, key_count_)); };
  return {within(std::max<std::int64_t>(index - left_, sequence.begin)),
          within(std::min<std::int64_t>(index + right_ + 1, sequence.end))};
}

KeyRange Scorer::visible_keys(int first_query, int count) const {
  KeyRange range = visible(first_query);
  if (count > 1) range.end = visible(first_query + count - 1).end;
  if (range.count() <= 0) return {};
  return {round_down(range.begin), std::min(key_count_, round_up(range.end))};
}

void Scorer::products(const Block& block, float* out) const {
  std::uint8_t branches[kQueries * kKeys];
  const unsigned found = branches_of(block, branches);
  if (std::has_single_bit(found)) return branch_products(block, std::countr_zero(found), out);
  for (int branch = 0; branch < Branches::kMost; ++branch) {
    KeyRange range{kKeys, 0};
    for (int i = 0; i < block.rows * kKeys; ++i) {
      if (i % kKeys >= block.keys.count() || branches[i] != branch) continue;
      range.begin = std::min(range.begin, i % kKeys);
      range.end = std::max(range.end, i % kKeys + 1);
    }
    if (range.count() <= 0) continue;
    const int first = round_down(range.begin), begin = block.keys.begin;
    alignas(32) float products[kQueries * kKeys];
    branch_products({block.member, block.query, block.rows, {begin + first, begin + range.end}}, branch, products);
    for (int r = 0; r < block.rows; ++r)
      for (int j = range.begin; j < range.end; ++j)
        if (branches[r * kKeys + j] == branch) out[r * kKeys + j] = products[r * kKeys + j - first];
  }
}

unsigned Scorer::branches_of(const Block& block, std::uint8_t* branches) const {
  const Branches& all = rows_.branches();
  if (!all) return 1;
  const int head = head_of(block.member);
  Span queries, keys;
  for (int r = 0; r < block.rows; ++r) queries.add(query_position(head, block.query + r));
  for (int j = block.keys.begin; j < block.keys.end; ++j) keys.add(key_positions_[j]);
  const unsigned found = all.among(queries, keys);
  for (int r = 0; !std::has_single_bit(found) && r < block.rows; ++r) {
    const double position = query_position(head, block.query + r);
    for (int j = 0; j < block.keys.count(); ++j)
      branches[r * kKeys + j] = std::uint8_t(all.of(position, key_positions_[block.keys.begin + j]));
  }
  return found;
}

void Scorer::branch_products(const Block& block, int branch, float* out) const {
  const int wanted = block.keys.count(), first = block.keys.begin, depth = rows_.key_width();
  const int set = rows_.branches().key_set(branch);
  const float* panels = key_panels_.data() + set * set_stride();
  if (backward_)
    return short_product(query_block(block.member, block.query, branch), depth, panels + first * depth, depth,
                         round_up(wanted), out);
  if (!by_rows())
    return block_product(query_block(block.member, block.query, branch), depth, panels + first * depth, depth,
                         round_up(wanted), out, kKeys, false);
  const std::ptrdiff_t row = chunk_.index(block.member, block.query);
  const float* products = products_.data() + row * keys_ahead_ + first_key_ % keys_ahead_ + first;
  for (int r = 0; r < block.rows; ++r) std::copy_n(products + r * keys_ahead_, wanted, out + r * kKeys);
}

void Scorer::scores(const Block& block, float* out, Trace* trace) {
  relative_scores(block, out, trace);
  adjust(block, out, trace);
  mask_block(block, out);
}

void Scorer::relative_scores(const Block& block, float* out, Trace* trace) {
  products(block, out);
  if (!relative_) return;
  if (trace) std::copy_n(out, kQueries * kKeys, trace->products);
  for (int r = 0; r < block.rows; ++r)
    relative_->add(relative_query(block.member, block.query + r), relative_keys(block.keys), out + r * kKeys);
}

void Scorer::adjust(const Block& block, float* out, Trace* trace) const {
  const int count = block.keys.count();
  const int head = head_of(block.member);
  for (int r = 0; keeps_products() && r < block.rows; ++r)
    scale(out + r * kKeys, count, scale_of(head, block.query + r));
  for (int r = 0; options_.softcap > 0 && r < block.rows; ++r)
    soft_cap(out + r * kKeys, count, float(options_.softcap));
  if (trace) std::copy_n(out, kQueries * kKeys, trace->scores);
  if (options_.encoding_bias) add_encoding_bias(block, out);
  for (int r = 0; relative_ && r < block.rows; ++r)
    relative_->adjust(relative_query(block.member, block.query + r), relative_keys(block.keys), out + r * kKeys);
  for (int r = 0; options_.bias.data && r < block.rows; ++r) {
    const float* bias = options_.bias.data + bias_at(head, block.query + r) + block.keys.begin;
    add(out + r * kKeys, bias, std::size_t(count));
  }
}

double Scorer::exact_scale_of(int head, int query) const {
  if (!options_.temperature.is_on()) return scale_;
  return scale_ * options_.temperature.at(query_position(head, query));
}

float Scorer::scale_of(int head, int query) const { return float(exact_scale_of(head, query)); }

void Scorer::mask_block(const Block& block, float* out) const {
  const KeyRange first = visible(block.query);
  const KeyRange last = block.rows > 1 ? visible(block.query + block.rows - 1) : first;
  if (first.end >= block.keys.end && last.begin <= block.keys.begin && !mask_.masks_any()) return;
  for (int r = 0; r < block.rows; ++r) mask_row(head_of(block.member), block.query + r, block.keys, out + r * kKeys);
}

void Scorer::mask_row(int head, int query, const KeyRange& range, float* row) const {
  const int count = range.count();
  mask_.mask_row(chunk_.batch, head, query, first_key_ + range.begin, count, row, kMinusInfinity);
  const KeyRange keys = visible(query);
  std::fill(row, row + std::clamp(keys.begin - range.begin, 0, count), kMinusInfinity);
  std::fill(row + std::clamp(keys.end - range.begin, 0, count), row + count, kMinusInfinity);
}

void Scorer::mask_scores(const RelativeQuery& query, const RelativeKeys& keys, float* scores) const {
  const int begin = keys.first - first_key_;
  mask_row(query.head, query.index, {begin, begin + keys.count}, scores);
}

void Scorer::add_encoding_bias(const Block& block, float* out) const {
  const Positions &keys = options_.key_positions, &queries = options_.query_positions;
  const std::size_t wanted = std::size_t(block.keys.count());
  const std::size_t start = keys.row_start(std::size_t(chunk_.batch), std::size_t(sizes_.k.positions)) +
                            std::size_t(first_key_ + block.keys.begin);
  const int head = head_of(block.member);
  if (keys.values.empty() && queries.values.empty())
    return options_.encoding_bias->apply_block(head, query_position(head, block.query), std::size_t(block.rows),
                                               keys[start], wanted, kKeys, true, out, *bias_scratch_);
  for (int r = 0; r < block.rows; ++r)
    options_.encoding_bias->apply_row(head, query_position(head, block.query + r), keys, start, wanted, true,
                                      out + r * kKeys, *bias_scratch_);
}

}  // namespace posenc
