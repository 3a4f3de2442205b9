#include "posenc/attention.hpp"

#include <cstdlib>
#include <cstring>

#include "attention_tiles.hpp"

namespace posenc {

using namespace tiles;

namespace {

Error shape_error(std::string_view field, std::initializer_list<std::string_view> parts) {
  return error_at(Code::shape_mismatch, field, parts);
}

// "got [1, 2] against [3, 4]"
std::string against(const View& got, const View& other) { return join({"got ", got.shape.text(), " against ", other.shape.text()}); }

// Scratch that may be too large for the machine: asked for without exceptions.
class Buffer {
 public:
  explicit Buffer(double floats) {
    if (floats < 1e9) data_ = static_cast<float*>(std::calloc(std::max<std::size_t>(1, std::size_t(floats)), sizeof(float)));
  }
  ~Buffer() { std::free(data_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  float* data() const { return data_; }
  explicit operator bool() const { return data_; }

 private:
  float* data_ = nullptr;
};

Error out_of_memory() { return {Code::out_of_memory, "", "attention: out of memory for its scratch"}; }

// Strides (batch, head, query, key) of a mask or bias that is broadcast; 0 where it has one for all.
struct Broadcast {
  std::ptrdiff_t batch = 0, head = 0, query = 0, key = 0;
};

struct Sizes {
  HeadShape q, k, v;
  int group = 1;
};

Result<Broadcast> broadcast(const Shape& shape, const Sizes& sizes, std::string_view name, bool rows_by_batch) {
  const double b = sizes.q.batch, h = sizes.q.heads, tq = sizes.q.positions, tk = sizes.k.positions;
  std::array<double, 4> dims{1, 1, 1, 1};
  const int rank = shape.rank;
  for (int i = 0; i < std::min(rank, 4); ++i) dims[std::size_t(4 - std::min(rank, 4) + i)] = shape[i];
  if (rank == 2 && rows_by_batch && shape[0] == b) dims = {b, 1, 1, shape[1]};
  if (rank == 3 && rows_by_batch) dims = {shape[0], 1, shape[1], shape[2]};
  const bool fits = rank >= 1 && rank <= 4 && (dims[0] == 1 || dims[0] == b) && (dims[1] == 1 || dims[1] == h) &&
                    (dims[2] == 1 || dims[2] == tq) && dims[3] == tk;
  if (!fits)
    return shape_error(name, {"dims ", shape.text(), " do not fit scores ", Shape{b, h, tq, tk}.text()});
  Broadcast out;
  out.key = 1;
  out.query = dims[2] == 1 ? 0 : std::ptrdiff_t(tk);
  out.head = dims[1] == 1 ? 0 : std::ptrdiff_t(dims[2] * tk);
  out.batch = dims[0] == 1 ? 0 : std::ptrdiff_t(dims[1] * dims[2] * tk);
  return out;
}

Result<Sizes> check_heads(const View& q, const View& k, const AttentionOptions& options) {
  for (const auto& [view, name] : {std::pair{&q, "q"}, std::pair{&k, "k"}}) {
    if (view->shape.rank != 4) return shape_error(name, {"must have 4 dims, got ", view->shape.text()});
    if (Error error = check_view(*view, name)) return error;
  }
  Sizes sizes{head_shape(q.shape, options.layout), head_shape(k.shape, options.layout), {}, 1};
  if (sizes.k.batch != sizes.q.batch) return shape_error("k", {"batch must be q's, ", against(k, q)});
  if (sizes.k.dim != sizes.q.dim) return shape_error("k", {"last dim must be q's, ", against(k, q)});
  if (sizes.k.heads == 0 || sizes.q.heads % sizes.k.heads) {
    if (sizes.q.heads || sizes.k.heads)
      return shape_error("k", {"query heads must be a multiple of key heads, got ", format_number(sizes.q.heads), " and ",
                               format_number(sizes.k.heads)});
  } else {
    sizes.group = sizes.q.heads / sizes.k.heads;
  }
  return sizes;
}

Error check_options(const Sizes& sizes, const AttentionOptions& options) {
  if (options.scale && !std::isfinite(*options.scale))
    return error_at(Code::invalid_argument, "scale", {"must be finite, got ", format_number(*options.scale)});
  if (!std::isfinite(options.softcap) || options.softcap < 0)
    return error_at(Code::invalid_argument, "softcap", {"must be ≥ 0, got ", format_number(options.softcap)});
  if (!options.sinks.empty() && options.sinks.size() != std::size_t(sizes.q.heads))
    return shape_error("sinks", {"must hold a number for each of the ", format_number(sizes.q.heads), " heads, got ",
                                 format_number(double(options.sinks.size()))});
  if (options.rotation && options.rotation->dim != sizes.q.dim)
    return shape_error("encoding", {"turns heads of dim ", format_number(options.rotation->dim), ", q has ", format_number(sizes.q.dim)});
  if (options.encoding_bias && options.encoding_bias->heads != sizes.q.heads)
    return shape_error("encoding", {"has biases for ", format_number(options.encoding_bias->heads), " heads, q has ", format_number(sizes.q.heads)});
  if (Error error = options.key_positions.check(sizes.k.positions, sizes.k.batch)) return error;
  return options.query_positions.check(sizes.q.positions, sizes.q.batch);
}

// The scores of a block of queries against a tile of keys, with everything that is added or hidden.
class Scorer {
 public:
  Scorer(const View& q, const View& k, const Sizes& sizes, const AttentionOptions& options)
      : q_(q), k_(k), sizes_(sizes), options_(options), rows_(round_up_queries(sizes.q.positions)),
        query_buffer_(double(rows_) * sizes.group * sizes.q.dim), key_buffer_(double(kKeys) * (sizes.q.dim + 1)),
        row_buffer_(double(sizes.q.dim) + 1) {
    scale_ = float(options.scale.value_or(1.0 / std::sqrt(double(std::max(1, sizes.q.dim)))));
    if (options.rotation) {
      Positions both = options.key_positions;
      length_ = options.sequence_length > 0
                    ? options.sequence_length
                    : std::max(options.rotation->length_of(both, 0), options.rotation->length_of(options.query_positions, 0));
      first_.resize(std::size_t(options.rotation->row_width()));
      second_.resize(first_.size());
    }
  }
  static int round_up_queries(int count) { return (count + kQueries - 1) / kQueries * kQueries; }

  Error prepare() {
    if (!query_buffer_ || !key_buffer_ || !row_buffer_) return out_of_memory();
    if (options_.mask.data) {
      auto strides = broadcast(options_.mask.shape, sizes_, "mask", true);
      if (!strides) return strides.error();
      if (options_.mask.shape.size() != options_.mask.length)
        return shape_error("mask", {"dims ", options_.mask.shape.text(), " need ", format_number(options_.mask.shape.size()),
                                    " elements, data has ", format_number(options_.mask.length)});
      mask_ = *strides;
    }
    if (options_.bias.data) {
      if (Error error = check_view(options_.bias, "bias")) return error;
      auto strides = broadcast(options_.bias.shape, sizes_, "bias", false);
      if (!strides) return strides.error();
      bias_ = *strides;
    }
    return {};
  }

  /// Loads and turns the queries of all heads that share a key head, scaled.
  void load_queries(int batch, int key_head) {
    batch_ = batch;
    key_head_ = key_head;
    const int width = sizes_.q.dim;
    for (int g = 0; g < sizes_.group; ++g)
      for (int i = 0; i < sizes_.q.positions; ++i) {
        float* row = query_buffer_.data() + (std::ptrdiff_t(g) * rows_ + i) * width;
        load(q_, sizes_.q, key_head * sizes_.group + g, i, options_.query_positions, row);
        scale(row, width, scale_);
      }
  }

  /// Loads, turns and transposes a tile of keys.
  void load_keys(int first, int count) {
    first_key_ = first;
    key_count_ = count;
    const int width = sizes_.k.dim;
    std::memset(key_buffer_.data(), 0, sizeof(float) * std::size_t(kKeys) * std::size_t(width));
    for (int j = 0; j < count; ++j) {
      load(k_, sizes_.k, key_head_, first + j, options_.key_positions, row_buffer_.data());
      for (int i = 0; i < width; ++i) key_buffer_.data()[i * kKeys + j] = row_buffer_.data()[i];
    }
  }

  /// Is any key of the tile visible to any of these queries, by causality and window?
  bool touches(int first_query, int count) const {
    const double shift = sizes_.k.positions - sizes_.q.positions;
    const double earliest = first_query + shift, latest = first_query + count - 1 + shift;
    return first_key_ <= latest + right() && (left() < 0 || first_key_ + key_count_ - 1 >= earliest - left());
  }

  /// scores[4][kKeys] of queries first … first + 3 of group member g; hidden and missing keys are -infinity.
  void scores(int g, int first, float* out) {
    const float* rows[kQueries];
    for (int r = 0; r < kQueries; ++r) rows[r] = query_buffer_.data() + (std::ptrdiff_t(g) * rows_ + first + r) * sizes_.q.dim;
    block_product<false>(rows, sizes_.q.dim, key_buffer_.data(), kKeys, round_up(key_count_), out, kKeys);
    const int head = key_head_ * sizes_.group + g;
    for (int r = 0; r < kQueries && first + r < sizes_.q.positions; ++r) finish_row(head, first + r, out + r * kKeys);
  }

 private:
  double left() const { return options_.window_left; }
  double right() const {
    if (options_.causal) return 0;
    return options_.window_right < 0 ? kInfinity : options_.window_right;
  }

  void load(const View& source, const HeadShape& shape, int head, int t, const Positions& positions, float* row) {
    const float* from = source.data + batch_ * shape.strides.batch + head * shape.strides.head + t * shape.strides.position;
    std::memcpy(row, from, sizeof(float) * std::size_t(shape.dim));
    if (!options_.rotation) return;
    Rotation& rotation = *options_.rotation;
    const std::size_t start = positions.row_start(std::size_t(batch_), std::size_t(shape.positions));
    rotation.multipliers(rotation.waves(length_), positions[start + std::size_t(t)], Direction::forward, first_.data(), second_.data());
    rotate(row, {1, 1, rotation.pairs, 0, 0}, rotation.pairing, false, first_.data(), second_.data());
  }

  void finish_row(int head, int query, float* row) {
    const int count = key_count_;
    if (options_.softcap > 0) {
      const float cap = float(options_.softcap);
      for (int j = 0; j < count; ++j) row[j] = cap * std::tanh(row[j] / cap);
    }
    if (options_.encoding_bias) add_encoding_bias(head, query, row);
    if (options_.bias.data) {
      const float* bias = options_.bias.data + batch_ * bias_.batch + head * bias_.head + query * bias_.query + first_key_;
      for (int j = 0; j < count; ++j) row[j] += bias[j];
    }
    if (options_.mask.data) {
      const std::uint8_t* mask = options_.mask.data + batch_ * mask_.batch + head * mask_.head + query * mask_.query + first_key_;
      for (int j = 0; j < count; ++j)
        if (!mask[j]) row[j] = kMinusInfinity;
    }
    const double place = query + double(sizes_.k.positions - sizes_.q.positions) - first_key_;
    if (left() >= 0)
      for (int j = 0; j < count && j < place - left(); ++j) row[j] = kMinusInfinity;
    for (int j = int(std::max(0.0, std::min<double>(count, place + right() + 1))); j < count; ++j) row[j] = kMinusInfinity;
    for (int j = count; j < kKeys; ++j) row[j] = kMinusInfinity;
  }

  void add_encoding_bias(int head, int query, float* row) {
    float line[kKeys];
    const Positions &keys = options_.key_positions, &queries = options_.query_positions;
    const std::size_t start = keys.row_start(std::size_t(batch_), std::size_t(sizes_.k.positions)) + std::size_t(first_key_);
    const double place = queries[queries.row_start(std::size_t(batch_), std::size_t(sizes_.q.positions)) + std::size_t(query)];
    const double last = keys.values.empty() ? keys.offset + sizes_.k.positions - 1 : keys.largest();
    if (keys.values.empty())
      options_.encoding_bias->row(head, place, keys.offset + first_key_, last, std::size_t(key_count_), line);
    else
      for (int j = 0; j < key_count_; ++j)
        options_.encoding_bias->row(head, place, keys[start + std::size_t(j)], last, 1, line + j);
    for (int j = 0; j < key_count_; ++j) row[j] += line[j];
  }

  const View &q_, &k_;
  const Sizes& sizes_;
  const AttentionOptions& options_;
  int rows_;
  Buffer query_buffer_, key_buffer_, row_buffer_;
  std::vector<float> first_, second_;
  Broadcast mask_, bias_;
  float scale_ = 1;
  double length_ = 1;
  int batch_ = 0, key_head_ = 0, first_key_ = 0, key_count_ = 0;
};

// Walks batches, key heads, key tiles, query heads and blocks of queries.
template <class Begin, class Tile, class Block, class End>
void walk(Scorer& scorer, const Sizes& sizes, Begin begin, Tile tile, Block block, End end) {
  alignas(32) float scores[kQueries * kKeys];
  for (int b = 0; b < sizes.q.batch; ++b)
    for (int head = 0; head < sizes.k.heads; ++head) {
      scorer.load_queries(b, head);
      begin(b, head);
      for (int first = 0; first < sizes.k.positions; first += kKeys) {
        const int count = std::min(kKeys, sizes.k.positions - first);
        scorer.load_keys(first, count);
        tile(b, head, first, count);
        for (int g = 0; g < sizes.group; ++g)
          for (int query = 0; query < sizes.q.positions; query += kQueries) {
            const int rows = std::min(kQueries, sizes.q.positions - query);
            if (!scorer.touches(query, rows)) continue;
            scorer.scores(g, query, scores);
            block(g, query, rows, first, count, scores);
          }
      }
      end(b, head);
    }
}

// The running maximum, sum and weighted values of every query of a key head's group.
class OnlineSoftmax {
 public:
  OnlineSoftmax(const View& v, const Sizes& sizes, const AttentionOptions& options)
      : v_(v), sizes_(sizes), sinks_(options.sinks), width_(round_up(sizes.v.dim)),
        rows_(Scorer::round_up_queries(sizes.q.positions)), sums_(double(width_) * sizes.group * rows_),
        values_(double(kKeys) * width_), top_(std::size_t(sizes.group) * std::size_t(rows_)), total_(top_.size()) {}
  explicit operator bool() const { return sums_ && values_; }

  void begin(int head) {
    std::memset(sums_.data(), 0, sizeof(float) * std::size_t(width_) * top_.size());
    for (int g = 0; g < sizes_.group; ++g) {
      const bool sink = !sinks_.empty();
      const std::size_t start = std::size_t(g) * std::size_t(rows_);
      std::fill_n(top_.begin() + std::ptrdiff_t(start), rows_, sink ? sinks_[std::size_t(head * sizes_.group + g)] : kMinusInfinity);
      std::fill_n(total_.begin() + std::ptrdiff_t(start), rows_, sink ? 1.0f : 0.0f);
    }
  }

  void load_values(int batch, int head, int first, int count) {
    const HeadShape& shape = sizes_.v;
    for (int j = 0; j < count; ++j)
      std::memcpy(values_.data() + j * width_,
                  v_.data + batch * shape.strides.batch + head * shape.strides.head + (first + j) * shape.strides.position,
                  sizeof(float) * std::size_t(shape.dim));
  }

  void absorb(int g, int query, int rows, int count, float* scores) {
    const float* weights[kQueries];
    const int width = round_up(count);
    float* sums = sums_.data() + (std::ptrdiff_t(g) * rows_ + query) * width_;
    for (int r = 0; r < kQueries; ++r) {
      float* row = scores + r * kKeys;
      weights[r] = row;
      if (r >= rows) {
        std::fill_n(row, width, 0.0f);
        continue;
      }
      const std::size_t index = std::size_t(g * rows_ + query + r);
      const float top = std::max(top_[index], largest(row, width));
      if (top == kMinusInfinity) {
        std::fill_n(row, width, 0.0f);
        continue;
      }
      if (top > top_[index]) {
        const float shrink = top_[index] == kMinusInfinity ? 0.0f : exp_one(top_[index] - top);
        scale(sums + r * width_, width_, shrink);
        total_[index] *= shrink;
        top_[index] = top;
      }
      total_[index] += exp_and_sum(row, width, top);
    }
    block_product<true>(weights, count, values_.data(), width_, width_, sums, width_);
  }

  void end(const View& out, const HeadShape& shape, int batch, int head) {
    for (int g = 0; g < sizes_.group; ++g)
      for (int i = 0; i < sizes_.q.positions; ++i) {
        const std::size_t index = std::size_t(g) * std::size_t(rows_) + std::size_t(i);
        const float* sums = sums_.data() + std::ptrdiff_t(index) * width_;
        float* target = out.data + batch * shape.strides.batch + (head * sizes_.group + g) * shape.strides.head + i * shape.strides.position;
        const float factor = total_[index] > 0 ? 1.0f / total_[index] : 0.0f;
        for (int j = 0; j < shape.dim; ++j) target[j] = sums[j] * factor;
      }
  }

 private:
  const View& v_;
  const Sizes& sizes_;
  std::span<const float> sinks_;
  int width_, rows_;
  Buffer sums_, values_;
  std::vector<float> top_, total_;
};

// Hidden keys are -infinity in x; a row without any visible key becomes 0.
void softmax_row(float* x, int count, float sink) {
  float top = sink;
  for (int j = 0; j < count; ++j) top = std::max(top, x[j]);
  if (top == kMinusInfinity) return std::fill_n(x, count, 0.0f), void();
  const int whole = count / kFloats * kFloats;
  float total = exp_and_sum(x, whole, top) + (sink == kMinusInfinity ? 0.0f : exp_one(sink - top));
  for (int j = whole; j < count; ++j) total += x[j] = exp_one(x[j] - top);
  scale(x, count, 1.0f / total);
}

}  // namespace

Error attention(const View& q, const View& k, const View& v, const AttentionOptions& options, const View& out) {
  auto sizes = check_heads(q, k, options);
  if (!sizes) return sizes.error();
  if (v.shape.rank != 4) return shape_error("v", {"must have 4 dims, got ", v.shape.text()});
  if (Error error = check_view(v, "v")) return error;
  sizes->v = head_shape(v.shape, options.layout);
  if (sizes->v.batch != sizes->k.batch || sizes->v.heads != sizes->k.heads || sizes->v.positions != sizes->k.positions)
    return shape_error("v", {"batch, heads and positions must be k's, ", against(v, k)});
  if (Error error = check_options(*sizes, options)) return error;
  Shape expected = q.shape;
  expected.dims[3] = sizes->v.dim;
  if (Error error = check_result(out, expected, "out")) return error;
  Scorer scorer(q, k, *sizes, options);
  if (Error error = scorer.prepare()) return error;
  OnlineSoftmax softmax(v, *sizes, options);
  if (!softmax) return out_of_memory();
  const HeadShape out_shape = head_shape(out.shape, options.layout);
  walk(
      scorer, *sizes, [&](int, int head) { softmax.begin(head); },
      [&](int b, int head, int first, int count) { softmax.load_values(b, head, first, count); },
      [&](int g, int query, int rows, int, int count, float* scores) { softmax.absorb(g, query, rows, count, scores); },
      [&](int b, int head) { softmax.end(out, out_shape, b, head); });
  return {};
}

Error attention_weights(const View& q, const View& k, const AttentionOptions& options, const View& out) {
  auto sizes = check_heads(q, k, options);
  if (!sizes) return sizes.error();
  if (Error error = check_options(*sizes, options)) return error;
  const double heads = sizes->q.heads, queries = sizes->q.positions, keys = sizes->k.positions;
  if (Error error = check_result(out, {double(sizes->q.batch), heads, queries, keys}, "out")) return error;
  Scorer scorer(q, k, *sizes, options);
  if (Error error = scorer.prepare()) return error;
  const auto row_of = [&](int b, int head, int query) {
    return out.data + ((std::ptrdiff_t(b) * sizes->q.heads + head) * sizes->q.positions + query) * sizes->k.positions;
  };
  std::fill_n(out.data, std::size_t(out.length), kMinusInfinity);
  int batch = 0, key_head = 0;
  walk(
      scorer, *sizes, [&](int b, int head) { batch = b, key_head = head; }, [](int, int, int, int) {},
      [&](int g, int query, int rows, int first, int count, const float* scores) {
        for (int r = 0; r < rows; ++r)
          std::memcpy(row_of(batch, key_head * sizes->group + g, query + r) + first, scores + r * kKeys, sizeof(float) * std::size_t(count));
      },
      [&](int b, int head) {
        for (int g = 0; g < sizes->group; ++g)
          for (int i = 0; i < sizes->q.positions; ++i) {
            const int h = head * sizes->group + g;
            softmax_row(row_of(b, h, i), sizes->k.positions, options.sinks.empty() ? kMinusInfinity : options.sinks[std::size_t(h)]);
          }
      });
  return {};
}

}  // namespace posenc
