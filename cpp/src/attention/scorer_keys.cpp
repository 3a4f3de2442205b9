// Loads a tile of keys.
#include "attention/scorer.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

using namespace tiles;

bool Scorer::load_keys(int first, int count, KeyOrder order, bool for_products) {
  first_key_ = first;
  key_count_ = count;
  tile_range_ = visible_keys(chunk_.query, chunk_.queries);
  if (tile_range_.count() == 0) return false;
  keys_ = sizes_.keys.is_float32() ? sizes_.keys.at(chunk_.batch, chunk_.key_head, first) : nullptr;
  key_head_stride_ = sizes_.k.strides.head;
  key_stride_ = sizes_.k.strides.position;
  if (options_.relative) describe_keys(first, count, order);
  if (rows_.branches()) {
    load_key_sets(first, count, for_products);
  } else if (by_rows()) {
    if (keys_ahead_ > kKeys) {
      multiply_ahead();
    } else {
      if (!rows_.keys_stay()) load_key_rows(first, count);
      multiply_keys(keys_, tile_range_);
    }
  } else {
    load_key_set(first, count, 0, for_products);
  }
  return true;
}

void Scorer::load_key_set(int first, int count, int set, bool for_products) {
  const int width = rows_.key_width();
  if (!rows_.keys_stay()) {
    keys_ = key_rows_.data();
    key_stride_ = width;
    rows_.load_keys(chunk_.batch, chunk_.key_head, first, count, key_rows_.data() + set * set_stride(), width, set);
  }
  if (for_products) pack_keys(key_row(0, set), key_stride_, count, width, key_panels_.data() + set * set_stride());
}

// Loads the key sets of branches that occur between the chunk and the tile.
void Scorer::load_key_sets(int first, int count, bool for_products) {
  Span span;
  for (int j = 0; j < count; ++j)
    span.add(key_positions_[j] = rows_.key_position(chunk_.batch, chunk_.key_head, first + j));
  const unsigned wanted = rows_.branches().among(query_span_, span);
  for (int set = 0; set < rows_.branches().key_sets(); ++set)
    if (rows_.branches().key_sets() == 1 || (wanted >> set & 1)) load_key_set(first, count, set, for_products);
}

// Some positions of all heads, then the next: memory order if heads are stored inside positions.
void Scorer::load_key_rows(int first, int count) {
  keys_ = key_rows_.data();
  key_stride_ = rows_.key_width();
  key_head_stride_ = kKeys * key_stride_;
  for (int j = 0; j < count; j += Rows::kTogether)
    for (int h = 0; h < head_tile(0, 0, 0).heads; ++h)
      rows_.load_keys(chunk_.batch, chunk_.key_head + h, first + j, std::min(Rows::kTogether, count - j),
                      key_rows_.data() + h * key_head_stride_ + j * key_stride_, key_stride_);
}

HeadTile Scorer::head_tile(int count, std::ptrdiff_t head_stride, std::ptrdiff_t stride) const {
  const int heads = (chunk_.members + sizes_.group - 1) / sizes_.group;
  return {heads, chunk_.members / heads * chunk_.rows, count, head_stride, stride};
}

void Scorer::multiply_keys(const float* keys, const KeyRange& range) {
  dot_tile(query_row(chunk_.member, chunk_.query), query_stride(), keys + range.begin * key_stride_,
           head_tile(range.count(), key_head_stride_, key_stride_), rows_.key_width(), products_.data() + range.begin,
           keys_ahead_);
}

// As one tile of many keys: only then are the keys of a head a long run of memory, not cut up by values.
void Scorer::multiply_ahead() {
  const int first = first_key_ / keys_ahead_ * keys_ahead_;
  if (std::exchange(first_ahead_, first) == first) return;
  const auto [tile_first, tile_count] = std::pair(first_key_, key_count_);
  first_key_ = first;
  key_count_ = std::min(keys_ahead_, sizes_.k.positions - first);
  multiply_keys(sizes_.keys.at(chunk_.batch, chunk_.key_head, first), visible_keys(chunk_.query, chunk_.queries));
  first_key_ = tile_first;
  key_count_ = tile_count;
}

void Scorer::describe_keys(int first, int count, KeyOrder order) {
  bool consecutive = true;
  for (int j = 0; j < count; ++j) {
    key_positions_[j] = rows_.key_position(chunk_.batch, chunk_.key_head, first + j);
    consecutive &= key_positions_[j] == key_positions_[0] + j;
  }
  if (!keys_) {
    keys_ = given_keys_.data();
    key_stride_ = sizes_.k.dim;
    sizes_.keys.read(chunk_.batch, chunk_.key_head, first, count, sizes_.k.dim, given_keys_.data(), key_stride_);
  }
  const std::ptrdiff_t at = keys_ - k_.data;
  const float* extra = options_.extra_keys.data;
  relative_keys_ = {key_positions_, count, consecutive, keys_, extra ? extra + at : nullptr, key_stride_, first, order};
  if (key_gradients) relative_keys_.row_gradients = key_gradients + at;
  if (extra_gradients) relative_keys_.extra_gradients = extra_gradients + at;
}

RelativeKeys Scorer::relative_keys(const KeyRange& range) const {
  RelativeKeys keys = relative_keys_;
  const std::ptrdiff_t skipped = range.begin * keys.stride;
  keys.positions += range.begin;
  keys.first += range.begin;
  keys.count = range.count();
  keys.rows += skipped;
  if (keys.extra_rows) keys.extra_rows += skipped;
  if (keys.row_gradients) keys.row_gradients += skipped;
  if (keys.extra_gradients) keys.extra_gradients += skipped;
  return keys;
}

}  // namespace posenc
