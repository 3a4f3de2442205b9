#include "posenc/attention.hpp"

#include "attention_scorer.hpp"

namespace posenc {

using namespace tiles;

namespace {

constexpr double kLargestFloat = double(std::numeric_limits<float>::max()),
                 kSmallestFloat = double(std::numeric_limits<float>::min());

Error differs(std::string_view field, std::string_view what, const View& got, const View& other) {
  return error_at(Code::shape_mismatch, field, "%, got % against %", what, got.shape, other.shape);
}

Error check_heads(const View& view, std::string_view name) {
  if (view.shape.rank != 4) return error_at(Code::shape_mismatch, name, "must have 4 dims, got %", view.shape);
  // Where there are no positions the width can be anything, but panels and blocks are counted beyond it.
  constexpr double kMostDim = 1073741824;
  if (view.shape[3] > kMostDim)
    return error_at(Code::shape_mismatch, name, "last dim must be at most %, got %", kMostDim, view.shape);
  return check_view(view, name);
}

Error measure(const View& q, const View& k, const AttentionOptions& options, Sizes& sizes) {
  if (Error error = check_heads(q, "q")) return error;
  if (Error error = check_heads(k, "k")) return error;
  sizes.q = head_shape(q.shape, options.layout);
  sizes.k = head_shape(k.shape, options.layout);
  if (sizes.k.batch != sizes.q.batch) return differs("k", "batch must be q's", k, q);
  if (sizes.k.dim != sizes.q.dim) return differs("k", "last dim must be q's", k, q);
  if (sizes.k.heads == 0) return sizes.q.heads == 0 ? Error{} : differs("k", "has no heads", k, q);
  if (sizes.q.heads % sizes.k.heads) return differs("k", "query heads must be a multiple of key heads", k, q);
  sizes.group = sizes.q.heads / sizes.k.heads;
  return {};
}

Error check_encoding(const Sizes& sizes, const AttentionOptions& options) {
  const auto differ = [](std::string_view what, int has, int wanted) {
    return error_at(Code::shape_mismatch, "encoding", "is for %%%", has, what, wanted);
  };
  if (options.rotation && options.rotation->dim != sizes.q.dim)
    return differ(" features a head (dim), q has ", options.rotation->dim, sizes.q.dim);
  if (options.encoding_bias && options.encoding_bias->heads != 1 && options.encoding_bias->heads != sizes.q.heads)
    return differ(" heads, q has ", options.encoding_bias->heads, sizes.q.heads);
  if (!options.relative) return {};
  const Relative& relative = *options.relative;
  if (relative.dim != sizes.q.dim) return differ(" features a head (dim), q has ", relative.dim, sizes.q.dim);
  const int heads = relative.keys_have_heads ? sizes.k.heads : sizes.q.heads;
  if (relative.heads && relative.heads != heads)
    return differ(relative.keys_have_heads ? " heads, k has " : " heads, q has ", relative.heads, heads);
  return {};
}

Error check_gates(const View& k, const AttentionOptions& options) {
  if (!options.gate_keys.data) return {};
  if (!options.relative || !options.relative->contextual)
    return error_at(Code::unsupported, "gateKeys", "only a contextual encoding (cope) has gates");
  return check_result(options.gate_keys, k.shape, "gateKeys");
}

Error measure_values(const View& k, const View& v, const AttentionOptions& options, Sizes& sizes) {
  if (Error error = check_heads(v, "v")) return error;
  sizes.v = head_shape(v.shape, options.layout);
  if (sizes.v.batch == sizes.k.batch && sizes.v.heads == sizes.k.heads && sizes.v.positions == sizes.k.positions)
    return {};
  return differs("v", "batch, heads and positions must be k's", v, k);
}

// Scores are float32: what that cannot hold would make infinity, or NaN, of scores that are neither.
Error check_numbers(const AttentionOptions& options) {
  if (options.scale && !(std::abs(*options.scale) <= kLargestFloat))
    return error_at(Code::invalid_argument, "scale", "must be finite in float32, got %", *options.scale);
  const double cap = options.softcap;
  if (cap == 0 || (cap >= kSmallestFloat && cap <= kLargestFloat)) return {};
  return error_at(Code::invalid_argument, "softcap", "must be 0, for none, or from % to %, got %", kSmallestFloat,
                  kLargestFloat, cap);
}

Error check_options(const View& k, const Sizes& sizes, const AttentionOptions& options) {
  if (Error error = check_numbers(options)) return error;
  if (std::isnan(options.window_left) || std::isnan(options.window_right))
    return error_at(Code::invalid_argument, "window", "must not be NaN");
  if (!options.sinks.empty() && options.sinks.size() != std::size_t(sizes.q.heads))
    return error_at(Code::shape_mismatch, "sinks", "must hold a number for each of the % heads, got %", sizes.q.heads,
                    double(options.sinks.size()));
  if (Error error = options.temperature.check()) return error;
  if (Error error = check_encoding(sizes, options)) return error;
  if (Error error = check_gates(k, options)) return error;
  Positions keys = options.key_positions, queries = options.query_positions;
  const auto check_positions = [&](const Positions& positions, const HeadShape& heads, Role role) {
    if (!options.rotation) return positions.check(heads.positions, heads.batch);
    return options.rotation->check_positions(positions, heads.positions, heads.batch, rotation_length(options), role);
  };
  if (Error error = check_positions(keys, sizes.k, Role::key)) return error;
  if (Error error = check_positions(queries, sizes.q, Role::query)) return error;
  if (Error error = options.temperature.check_at(queries, options.scale.value_or(1))) return error;
  keys.count = sizes.k.positions;
  queries.count = sizes.q.positions;
  constexpr double kMostBiases = 65536;
  return options.encoding_bias ? options.encoding_bias->begin(queries, keys, kMostBiases) : Error{};
}

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

namespace {

// Positions that are not given follow from the tensors.
void complete(AttentionOptions& options, const Sizes& sizes) {
  Positions &keys = options.key_positions, &queries = options.query_positions;
  const int ahead = sizes.k.positions - sizes.q.positions;
  if (queries.values.empty() && std::isnan(queries.offset)) {
    const bool shared = keys.values.size() == std::size_t(sizes.k.positions) && ahead >= 0;
    queries = keys;
    queries.count = 0;
    if (keys.values.empty()) queries.offset += ahead;
    if (shared) queries.values = keys.values.subspan(std::size_t(ahead));
  }
  if (keys.count == 0) keys.count = sizes.k.positions;
  if (queries.count == 0) queries.count = sizes.q.positions;
}

}  // namespace

Error check_call(const View& q, const View& k, const View* v, AttentionOptions& options, Sizes& sizes) {
  if (Error error = measure(q, k, options, sizes)) return error;
  complete(options, sizes);
  if (v)
    if (Error error = measure_values(k, *v, options, sizes)) return error;
  if (Error error = check_options(k, sizes, options)) return error;
  const int width = v && options.relative ? options.relative->value_dim : 0;
  if (width == 0 || width == sizes.v.dim) return {};
  return error_at(Code::shape_mismatch, "v", "last dim must be the encoding's (%), whose values it joins, got %", width,
                  v->shape);
}

Error check_apart_from_inputs(Regions results, Regions tensors, const AttentionOptions& options) {
  if (Error error = check_apart(results, tensors, options.rotation, options.encoding_bias)) return error;
  return check_apart(results,
                     {{"mask", options.mask},
                      {"attentionMask", options.attention_mask},
                      {"segments", options.segments.places()},
                      {"bias", options.bias},
                      {"sinks", options.sinks},
                      {"gateKeys", options.gate_keys},
                      {"keyPositions", options.key_positions},
                      {"queryPositions", options.query_positions}},
                     options.relative);
}

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
