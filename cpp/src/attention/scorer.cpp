#include "attention/scorer.hpp"

#include "posenc/kernels/kernels.hpp"

namespace posenc {

using namespace tiles;

namespace {

// Rows that are loaded and turned together. Of consecutive places that many are remembered at least.
constexpr int kTogether = 16;

// Floats of a chunk's queries and of what sums up for them, and of remembered turns.
constexpr int kChunkFloats = 65536, kMostTurns = 131072;

int rows_of_chunk(const Sizes& sizes, int width) {
  const int most = std::max(1, kChunkFloats / kQueries / std::max(1, round_up_depth(width) + sizes.v.dim)) * kQueries;
  return whole_blocks(int(std::min<double>(most, (double(sizes.q.positions) + kQueries - 1) * sizes.group)));
}

// How many keys a window reaches; negative: all.
std::int64_t reach_of(double window) {
  constexpr double kAll = 4294967296.0;
  return std::int64_t(window < 0 ? kAll : std::min(window, kAll));
}

}  // namespace

double rotation_length(const AttentionOptions& options) {
  if (options.sequence_length > 0) return options.sequence_length;
  return std::max(options.rotation->length_of(options.key_positions, 0),
                  options.rotation->length_of(options.query_positions, 0));
}

float* features_at(const View& view, const HeadShape& shape, int batch, int head, int position) {
  const HeadStrides& strides = shape.strides;
  return view.data + batch * strides.batch + head * strides.head + position * strides.position;
}

Scorer::Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options, int backward)
    : q_(q),
      k_(k),
      sizes_(sizes),
      options_(options),
      depth_(options.relative ? options.relative->key_width : sizes.q.dim),
      width_(options.relative ? options.relative->query_width : sizes.q.dim),
      backward_(backward),
      most_rows_(backward ? backward : rows_of_chunk(sizes, width_)),
      keys_change_(options.rotation || depth_ != sizes.q.dim),
      left_(reach_of(options.window_left)),
      right_(options.causal ? 0 : reach_of(options.window_right)),
      query_rows_(double(keeps_rows() ? most_rows_ : kTogether) * width_),
      query_blocks_(by_rows() ? 0 : double(most_rows_) * round_up_depth(depth_)),
      key_rows_(keys_change_ ? double(kKeys) * depth_ : 0),
      key_panels_(by_rows() ? 0 : double(kKeys) * depth_),
      exact_rows_(double(width_) + depth_) {
  const double terms = options.relative ? options.relative->terms : 1;
  scale_ = options.scale.value_or(1.0 / std::sqrt(std::max(1, sizes.q.dim) * terms));
  if (!options.rotation) return;
  Rotation& rotation = *options.rotation;
  rotation.keep_turns(std::min(sizes.k.positions, kMostTurns / std::max(1, 2 * rotation.pairs)));
  length_ = rotation_length(options);
  // Queries are mostly the last of the keys: they share what is remembered.
  query_turns_.emplace(rotation, options.query_positions, length_, Role::query, sizes.k.positions - sizes.q.positions);
  key_turns_.emplace(rotation, options.key_positions, length_, Role::key);
}

Error Scorer::prepare() {
  if (!query_rows_ || !query_blocks_ || !key_rows_ || !key_panels_ || !exact_rows_) return attention_out_of_memory();
  const Shape scores{double(sizes_.q.batch), double(sizes_.q.heads), double(sizes_.q.positions),
                     double(sizes_.k.positions)};
  if (Error error = sight_.check(options_, scores, double(sizes_.k.positions) - sizes_.q.positions)) return error;
  if (const View& bias = options_.bias; bias.data) {
    if (Error error = check_view(bias, "bias")) return error;
    auto strides = broadcast(bias.shape, scores, "bias");
    if (!strides) return strides.error();
    if (bias.shape[-1] != scores[3])
      return error_at(Code::shape_mismatch, "bias", "must have a number for each of % keys, got dims %", scores[3],
                      bias.shape);
    bias_ = *strides;
  }
  if (!options_.relative) return {};
  const Positions &queries = options_.query_positions, &keys = options_.key_positions;
  const int queries_count = sizes_.q.positions, keys_count = sizes_.k.positions;
  RelativeCall call{queries, keys, queries_count, keys_count, most_rows_};
  if (queries.values.empty() && keys.values.empty())
    call.ahead = double(right_) + keys.offset + keys_count - queries.offset - queries_count;
  return options_.relative->prepare(call);
}

double Scorer::place_of(const Positions& positions, const HeadShape& shape, int t) const {
  return positions[positions.row_start(std::size_t(chunk_.batch), std::size_t(shape.positions)) + std::size_t(t)];
}

void Scorer::turn(const Places& places, const Positions& positions, std::size_t index, int count, float* rows,
                  std::ptrdiff_t stride) {
  const int together = positions.values.empty() || positions.axes > 1 ? kTogether : 1;
  Rotation& rotation = *options_.rotation;
  Waves& waves = rotation.waves(length_);
  for (int i = 0; i < count; i += together) {
    const int some = std::min(together, count - i);
    const float* turns[kTogether];
    for (int t = 0; t < some; ++t) turns[t] = rotation.kept_turn(waves, places[index + std::size_t(i + t)]);
    rotation.rotate_slices(rows + i * stride, {1, some, 0, 0, stride}, rotation.pairing, false, turns);
  }
}

void Scorer::load(const View& source, const HeadShape& shape, int head, int first, int count, float* rows,
                  std::ptrdiff_t stride) {
  const bool is_key = &shape == &sizes_.k;
  const Positions& positions = is_key ? options_.key_positions : options_.query_positions;
  const HeadStrides& strides = shape.strides;
  const float* from = source.data + chunk_.batch * strides.batch + head * strides.head + first * strides.position;
  for (int i = 0; i < count; ++i) std::copy_n(from + i * strides.position, shape.dim, rows + i * stride);
  for (int i = 0; options_.relative && i < count; ++i)
    options_.relative->expand(is_key, head, place_of(positions, shape, first + i), rows + i * stride);
  if (!options_.rotation) return;
  const std::size_t index =
      positions.row_start(std::size_t(chunk_.batch), std::size_t(shape.positions)) + std::size_t(first);
  turn(is_key ? *key_turns_ : *query_turns_, positions, index, count, rows, stride);
}

void Scorer::load_queries(const QueryChunk& chunk) {
  chunk_ = chunk;
  if (options_.relative) options_.relative->restart();
  for (int g = chunk.member; g < chunk.member + chunk.members; ++g)
    for (int i = 0; i < chunk.queries; i += kTogether)
      load_block(g, chunk.query + i, std::min(kTogether, chunk.queries - i));
}

void Scorer::load_block(int g, int query, int count) {
  float* rows = query_row(g, query);
  load(q_, sizes_.q, chunk_.key_head * sizes_.group + g, query, count, rows, width_);
  // What an encoding adds to the products comes before the scale.
  for (int i = 0; !keeps_products() && i < count; ++i) scale(rows + i * width_, width_, scale_of(query + i));
  if (!by_rows()) pack_queries(rows, width_, count, depth_, query_block(g, query));
}

bool Scorer::load_keys(int first, int count) {
  first_key_ = first;
  key_count_ = count;
  if (seen(chunk_.query, chunk_.queries).count() == 0) return false;
  const HeadStrides& strides = sizes_.k.strides;
  const std::ptrdiff_t at = chunk_.batch * strides.batch + chunk_.key_head * strides.head + first * strides.position;
  keys_ = keys_change_ ? key_rows_.data() : k_.data + at;
  key_stride_ = keys_change_ ? depth_ : strides.position;
  if (keys_change_) load(k_, sizes_.k, chunk_.key_head, first, count, key_rows_.data(), key_stride_);
  if (!by_rows()) pack_keys(keys_, key_stride_, count, depth_, key_panels_.data());
  if (!options_.relative) return true;
  bool in_row = true;
  for (int j = 0; j < count; ++j) {
    key_places_[j] = place_of(options_.key_positions, sizes_.k, first + j);
    in_row &= key_places_[j] == key_places_[0] + j;
  }
  const float* gates = options_.gate_keys.data;
  relative_keys_ = {key_places_, count, in_row, k_.data + at, gates ? gates + at : nullptr, strides.position};
  if (key_gradients) relative_keys_.row_gradients = key_gradients + at;
  if (gate_gradients) relative_keys_.gate_gradients = gate_gradients + at;
  return true;
}

RelativeQuery Scorer::relative_query(int g, int query) const {
  const int index = chunk_.row(g, query);
  return {query_row(g, query), chunk_.key_head * sizes_.group + g, place_of(options_.query_positions, sizes_.q, query),
          index};
}

RelativeKeys Scorer::relative_keys(const KeyRange& range) const {
  RelativeKeys keys = relative_keys_;
  const std::ptrdiff_t skipped = range.begin * keys.stride;
  keys.places += range.begin;
  keys.count = range.count();
  keys.rows += skipped;
  if (keys.gates) keys.gates += skipped;
  if (keys.row_gradients) keys.row_gradients += skipped;
  if (keys.gate_gradients) keys.gate_gradients += skipped;
  return keys;
}

void Scorer::add_values(int g, int query, int rows, const KeyRange& range, const float* weights, float* sums,
                        std::ptrdiff_t width) const {
  if (!options_.relative || options_.relative->value_dim == 0) return;
  for (int r = 0; r < rows; ++r)
    options_.relative->add_values(relative_query(g, query + r), relative_keys(range), weights + r * kKeys,
                                  sums + r * width);
}

KeyRange Scorer::visible(int query) const {
  const std::int64_t place = std::int64_t(query) + sizes_.k.positions - sizes_.q.positions;
  const KeyRange own = sight_.sequence(chunk_.batch, query);
  const auto within = [&](std::int64_t key) { return int(std::clamp<std::int64_t>(key - first_key_, 0, key_count_)); };
  return {within(std::max<std::int64_t>(place - left_, own.begin)),
          within(std::min<std::int64_t>(place + right_ + 1, own.end))};
}

KeyRange Scorer::seen(int first_query, int count) const {
  const KeyRange range{visible(first_query).begin, visible(first_query + count - 1).end};
  if (range.count() <= 0) return {};
  return {round_down(range.begin), std::min(key_count_, round_up(range.end))};
}

void Scorer::products(int g, int first, int count, const KeyRange& range, float* out) const {
  const int wanted = range.count();
  if (backward_) {
    double products[kQueries * kKeys];
    careful_product(query_block(g, first), depth_, key_panels_.data(), depth_, round_up(wanted), products);
    std::copy_n(products, kQueries * kKeys, out);
    return;
  }
  if (!by_rows())
    return block_product(query_block(g, first), depth_, key_panels_.data() + range.begin * depth_, depth_,
                         round_up(wanted), out, kKeys, false);
  for (int r = 0; r < count; ++r)
    dot_rows(query_row(g, first + r), keys_ + range.begin * key_stride_, key_stride_, std::size_t(wanted),
             std::size_t(depth_), out + r * kKeys);
}

void Scorer::scores(int g, int first, const KeyRange& range, float* out, Trace* trace) {
  const int count = std::min(kQueries, chunk_.query + chunk_.queries - first);
  const int head = chunk_.key_head * sizes_.group + g;
  products(g, first, count, range, out);
  if (keeps_products() || options_.softcap > 0)
    for (int r = 0; r < count; ++r)
      finish_products(g, first + r, range, out + r * kKeys, trace ? trace->products + r * kKeys : nullptr);
  if (finds_places_) return;
  if (trace) std::copy_n(out, kQueries * kKeys, trace->scores);
  if (options_.encoding_bias) add_encoding_bias(head, first, count, range, out);
  const bool all_visible = visible(first).end >= range.end && visible(first + count - 1).begin <= range.begin;
  if (all_visible && !options_.bias.data && !sight_.hides()) return;
  for (int r = 0; r < count; ++r, out += kKeys) {
    if (options_.bias.data)
      add(out, options_.bias.data + bias_at(head, first + r) + range.begin, std::size_t(range.count()));
    hide(head, first + r, range, out);
  }
}

double Scorer::exact_scale_of(int query) const {
  if (options_.temperature.factor == 0) return scale_;
  return scale_ * options_.temperature.at(place_of(options_.query_positions, sizes_.q, query));
}

float Scorer::scale_of(int query) const { return float(exact_scale_of(query)); }

void Scorer::finish_products(int g, int query, const KeyRange& range, float* row, float* kept) {
  if (Relative* relative = options_.relative) {
    const int head = chunk_.key_head * sizes_.group + g;
    if (relative->contextual) hide(head, query, range, row);
    if (kept) std::copy_n(row, range.count(), kept);
    if (finds_places_) return relative->find_places(relative_query(g, query), relative_keys(range), row);
    relative->add(relative_query(g, query), relative_keys(range), row);
  }
  if (keeps_products()) scale(row, range.count(), scale_of(query));
  if (options_.softcap > 0) soft_cap(row, range.count(), float(options_.softcap));
}

void Scorer::hide(int head, int query, const KeyRange& range, float* row) const {
  const int count = range.count();
  sight_.hide(chunk_.batch, head, query, first_key_ + range.begin, count, row, kMinusInfinity);
  const KeyRange own = visible(query);
  std::fill(row, row + std::clamp(own.begin - range.begin, 0, count), kMinusInfinity);
  std::fill(row + std::clamp(own.end - range.begin, 0, count), row + count, kMinusInfinity);
}

void Scorer::add_encoding_bias(int head, int query, int count, const KeyRange& range, float* rows) const {
  const Positions &keys = options_.key_positions, &queries = options_.query_positions;
  const std::size_t wanted = std::size_t(range.count());
  const std::size_t start = keys.row_start(std::size_t(chunk_.batch), std::size_t(sizes_.k.positions)) +
                            std::size_t(first_key_ + range.begin);
  const auto place = [&](int i) { return place_of(queries, sizes_.q, query + i); };
  if (keys.values.empty() && queries.values.empty())
    return options_.encoding_bias->add_block(head, place(0), std::size_t(count), keys[start], wanted, kKeys, rows);
  for (int r = 0; r < count; ++r)
    options_.encoding_bias->apply_row(head, place(r), keys, start, wanted, true, rows + r * kKeys);
}

}  // namespace posenc
