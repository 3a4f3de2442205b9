#include "attention_scorer.hpp"

#include "posenc/kernels.hpp"

namespace posenc {

using namespace tiles;

namespace {

// The strides of a broadcast tensor's dims (1 where it is the same for all) against scores [B, H, Tq, Tk].
Result<Broadcast> broadcast(const Shape& shape, const Sizes& sizes, std::string_view name, bool rows_by_batch) {
  const double b = sizes.q.batch, h = sizes.q.heads, tq = sizes.q.positions, tk = sizes.k.positions;
  std::array<double, 4> dims{1, 1, 1, 1};
  const int rank = std::min(shape.rank, 4);
  for (int i = 0; i < rank; ++i) dims[std::size_t(4 - rank + i)] = shape[i];
  if (shape.rank == 2 && rows_by_batch && shape[0] == b) dims = {b, 1, 1, shape[1]};
  if (shape.rank == 3 && rows_by_batch) dims = {shape[0], 1, shape[1], shape[2]};
  const bool fits = shape.rank >= 1 && shape.rank <= 4 && (dims[0] == 1 || dims[0] == b) &&
                    (dims[1] == 1 || dims[1] == h) && (dims[2] == 1 || dims[2] == tq) && dims[3] == tk;
  if (!fits) return error_at(Code::shape_mismatch, name, "dims % do not fit scores %", shape, Shape{b, h, tq, tk});
  const auto stride = [&](std::size_t axis, double step) { return dims[axis] == 1 ? 0 : std::ptrdiff_t(step); };
  return Broadcast{stride(0, dims[1] * dims[2] * tk), stride(1, dims[2] * tk), stride(2, tk)};
}

}  // namespace

double rotation_length(const AttentionOptions& options) {
  if (options.sequence_length > 0) return options.sequence_length;
  return std::max(options.rotation->length_of(options.key_positions, 0),
                  options.rotation->length_of(options.query_positions, 0));
}

Scorer::Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options)
    : q_(q),
      k_(k),
      sizes_(sizes),
      options_(options),
      rows_(round_up_queries(sizes.q.positions)),
      depth_(options.relative ? options.relative->key_width : sizes.q.dim),
      width_(options.relative ? options.relative->query_width : sizes.q.dim),
      query_buffer_(double(rows_) * sizes.group * width_),
      key_buffer_(double(kKeys) * depth_),
      row_buffer_(double(depth_)) {
  const double terms = options.relative ? options.relative->terms : 1;
  scale_ = float(options.scale.value_or(1.0 / std::sqrt(std::max(1, sizes.q.dim) * terms)));
  if (options.temperature.factor != 0) {
    const Positions& queries = options.query_positions;
    const std::size_t count = std::max(queries.values.size(), std::size_t(sizes.q.positions));
    for (std::size_t i = 0; i < count; ++i) temperatures_.push_back(float(options.temperature.at(queries[i])));
  }
  if (!options.rotation) return;
  Rotation& rotation = *options.rotation;
  rotation.keep_turns(sizes.k.positions);
  length_ = rotation_length(options);
  // Queries are mostly the last of the keys: they share what is remembered.
  query_turns_.emplace(rotation, options.query_positions, length_, Role::query, sizes.k.positions - sizes.q.positions);
  key_turns_.emplace(rotation, options.key_positions, length_, Role::key);
}

Error Scorer::prepare() {
  if (!query_buffer_ || !key_buffer_ || !row_buffer_) return attention_out_of_memory();
  if (const MaskView& mask = options_.mask; mask.data) {
    auto strides = broadcast(mask.shape, sizes_, "mask", true);
    if (!strides) return strides.error();
    if (Error error = check_view({nullptr, mask.length, mask.shape}, "mask")) return error;
    mask_ = *strides;
  }
  if (options_.bias.data) {
    if (Error error = check_view(options_.bias, "bias")) return error;
    auto strides = broadcast(options_.bias.shape, sizes_, "bias", false);
    if (!strides) return strides.error();
    bias_ = *strides;
  }
  if (!options_.relative) return {};
  return options_.relative->prepare(
      {options_.query_positions, options_.key_positions, sizes_.q.positions, sizes_.k.positions, sizes_.group * rows_});
}

double Scorer::place_of(const Positions& positions, const HeadShape& shape, int t) const {
  return positions[positions.row_start(std::size_t(batch_), std::size_t(shape.positions)) + std::size_t(t)];
}

void Scorer::load(const View& source, const HeadShape& shape, int head, int t, const Positions& positions, float* row) {
  const HeadStrides& strides = shape.strides;
  const float* from = source.data + batch_ * strides.batch + head * strides.head + t * strides.position;
  std::copy_n(from, shape.dim, row);
  const std::size_t first = positions.row_start(std::size_t(batch_), std::size_t(shape.positions));
  const std::size_t index = first + std::size_t(t);
  if (options_.relative) options_.relative->expand(&shape == &sizes_.k, head, positions[index], row);
  if (!options_.rotation) return;
  Rotation& rotation = *options_.rotation;
  const Places& places = &shape == &sizes_.k ? *key_turns_ : *query_turns_;
  const float* turn = rotation.kept_turn(rotation.waves(length_), places[index]);
  rotation.rotate_slices(row, {1, 1, 0, 0, 0}, rotation.pairing, false, &turn);
}

void Scorer::load_queries(int batch, int key_head) {
  batch_ = batch;
  key_head_ = key_head;
  if (options_.relative) options_.relative->restart();
  for (int g = 0; g < sizes_.group; ++g)
    for (int i = 0; i < sizes_.q.positions; ++i)
      load(q_, sizes_.q, key_head * sizes_.group + g, i, options_.query_positions,
           query_buffer_.data() + (std::ptrdiff_t(g) * rows_ + i) * width_);
}

void Scorer::load_keys(int first, int count) {
  first_key_ = first;
  key_count_ = count;
  float *keys = key_buffer_.data(), *row = row_buffer_.data();
  for (int j = 0; j < count; ++j) {
    load(k_, sizes_.k, key_head_, first + j, options_.key_positions, row);
    for (int i = 0; i < depth_; ++i) keys[i * kKeys + j] = row[i];
  }
  if (!options_.relative) return;
  for (int j = 0; j < count; ++j) key_places_[j] = place_of(options_.key_positions, sizes_.k, first + j);
  const HeadStrides& strides = sizes_.k.strides;
  const std::ptrdiff_t at = batch_ * strides.batch + key_head_ * strides.head + first * strides.position;
  const float* gates = options_.gate_keys.data;
  keys_ = {key_places_, count, k_.data + at, gates ? gates + at : nullptr, strides.position};
}

RelativeQuery Scorer::relative_query(int g, int query) const {
  const int index = g * rows_ + query;
  return {query_buffer_.data() + std::ptrdiff_t(index) * width_, key_head_ * sizes_.group + g,
          place_of(options_.query_positions, sizes_.q, query), index};
}

void Scorer::add_values(int g, int query, const float* weights, float* sums) const {
  if (options_.relative && options_.relative->value_dim > 0)
    options_.relative->add_values(relative_query(g, query), keys_, weights, sums);
}

double Scorer::right() const {
  if (options_.causal) return 0;
  return options_.window_right < 0 ? kInfinity : options_.window_right;
}

bool Scorer::touches(int first_query, int count) const {
  const double earliest = first_query + double(sizes_.k.positions - sizes_.q.positions), latest = earliest + count - 1;
  const double left = options_.window_left;
  return first_key_ <= latest + right() && (left < 0 || first_key_ + key_count_ - 1 >= earliest - left);
}

void Scorer::scores(int g, int first, float* out) {
  const float* rows[kQueries];
  for (int r = 0; r < kQueries; ++r) rows[r] = query_buffer_.data() + (std::ptrdiff_t(g) * rows_ + first + r) * width_;
  block_product(rows, depth_, key_buffer_.data(), kKeys, round_up(key_count_), out, kKeys);
  const int head = key_head_ * sizes_.group + g;
  for (int r = 0; r < kQueries && first + r < sizes_.q.positions; ++r) {
    float* row = out + r * kKeys;
    if (Relative* relative = options_.relative) {
      if (relative->contextual) hide_row(head, first + r, row);
      if (finds_places_) {
        relative->find_places(relative_query(g, first + r), keys_, row);
        continue;
      }
      relative->add(relative_query(g, first + r), keys_, row);
    }
    finish_row(head, first + r, row);
  }
}

std::ptrdiff_t Scorer::at(const Broadcast& strides, int head, int query) const {
  return batch_ * strides.batch + head * strides.head + query * strides.query + first_key_;
}

float Scorer::scale_of(int query) const {
  if (temperatures_.empty()) return scale_;
  const std::size_t count = std::size_t(sizes_.q.positions);
  return scale_ * temperatures_[options_.query_positions.row_start(std::size_t(batch_), count) + std::size_t(query)];
}

void Scorer::finish_row(int head, int query, float* row) const {
  const int count = key_count_;
  scale(row, count, scale_of(query));
  if (options_.softcap > 0) soft_cap(row, count, float(options_.softcap));
  if (options_.encoding_bias) add_encoding_bias(head, query, row);
  if (options_.bias.data) add(row, options_.bias.data + at(bias_, head, query), std::size_t(count));
  hide_row(head, query, row);
}

void Scorer::hide_row(int head, int query, float* row) const {
  const int count = key_count_;
  if (options_.mask.data) hide(row, options_.mask.data + at(mask_, head, query), count);
  // The first and the last key that the query sees, counted from the tile's first.
  const double place = query + double(sizes_.k.positions - sizes_.q.positions) - first_key_;
  const double begin = options_.window_left < 0 ? 0 : place - options_.window_left;
  const double end = std::max(0.0, std::min<double>(count, place + right() + 1));
  for (int j = 0; j < count && j < begin; ++j) row[j] = kMinusInfinity;
  for (int j = int(end); j < kKeys; ++j) row[j] = kMinusInfinity;
}

void Scorer::add_encoding_bias(int head, int query, float* row) const {
  const Bias& bias = *options_.encoding_bias;
  const Positions& keys = options_.key_positions;
  const double place = place_of(options_.query_positions, sizes_.q, query);
  const std::size_t start =
      keys.row_start(std::size_t(batch_), std::size_t(sizes_.k.positions)) + std::size_t(first_key_);
  bias.apply_row(head, place, keys, start, std::size_t(key_count_), true, row);
}

void walk(Scorer& scorer, const Sizes& sizes, Walker& walker) {
  alignas(32) float scores[kQueries * kKeys];
  for (int batch = 0; batch < sizes.q.batch; ++batch)
    for (int head = 0; head < sizes.k.heads; ++head) {
      scorer.load_queries(batch, head);
      walker.begin(batch, head);
      const bool from_last = scorer.from_last();
      const int tiles = (sizes.k.positions + kKeys - 1) / kKeys;
      for (int tile = 0; tile < tiles; ++tile) {
        const int first = kKeys * (from_last ? tiles - 1 - tile : tile);
        const int count = std::min(kKeys, sizes.k.positions - first);
        scorer.load_keys(first, count);
        walker.tile(first, count);
        for (int g = 0; g < sizes.group; ++g)
          for (int query = 0; query < sizes.q.positions; query += kQueries) {
            const int rows = std::min(kQueries, sizes.q.positions - query);
            if (!scorer.touches(query, rows)) continue;
            scorer.scores(g, query, scores);
            walker.block(g, query, rows, first, count, scores);
          }
      }
      walker.end();
    }
}

}  // namespace posenc
