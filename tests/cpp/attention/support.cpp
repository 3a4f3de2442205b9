#include "cpp/attention/support.hpp"

namespace posenc::test {

std::vector<TokenShape> token_shapes(const Relative* relative, double batch, double query_heads, double key_heads,
                                     double queries, double keys) {
  if (!relative) return {};
  const double rows = relative->token_widths[std::size_t(TokenInput::gate_rows)];
  const Shape shapes[]{{batch, query_heads * relative->token_widths[0], keys},
                       {batch, key_heads, keys, double(width_of(*relative))},
                       {batch, key_heads, keys},
                       {batch, query_heads, keys, rows > 1 ? rows : 4},
                       {batch, query_heads, queries, double(relative->token_widths[4])}};
  std::vector<TokenShape> out;
  for (std::size_t i = 0; i < kTokenInputs.size(); ++i)
    if (relative->token_widths[i] > 0) out.push_back({i, shapes[i]});
  return out;
}

namespace {

void make_unit(std::span<float> row) {
  double square = 0;
  for (const float x : row) square += double(x) * double(x);
  for (float& x : row) x /= float(std::sqrt(square));
}

}  // namespace

TokenInputValues::TokenInputValues(const Relative* relative, double batch, double query_heads, double key_heads,
                                   double queries, double keys)
    : shapes_(token_shapes(relative, batch, query_heads, key_heads, queries, keys)) {
  for (const auto& [which, shape] : shapes_) {
    auto values = random_floats(std::size_t(shape.size()), 71 + std::uint32_t(which));
    if (TokenInput(which) == TokenInput::log_gates)
      for (float& x : values) x = -0.5f * std::abs(x);
    if (TokenInput(which) == TokenInput::strengths)
      for (float& x : values) x = 1 + 0.5f * x;
    const std::size_t dim = std::size_t(shape[-1]);
    for (std::size_t row = 0; TokenInput(which) == TokenInput::directions && row < values.size(); row += dim)
      make_unit(std::span(values).subspan(row, dim));
    values_.push_back(std::move(values));
  }
}

TokenInputs TokenInputValues::views() {
  TokenInputs out{};
  for (std::size_t n = 0; n < shapes_.size(); ++n) out[shapes_[n].which] = view_of(values_[n], shapes_[n].shape);
  return out;
}

void fill_random(std::uint32_t seed, Call& call) {
  call.q = random_floats(std::size_t(call.batch * call.query_heads * call.queries * call.dim), seed + 1);
  call.k = random_floats(std::size_t(call.batch * call.key_heads * call.keys * call.dim), seed + 2);
  call.v = random_floats(std::size_t(call.batch * call.key_heads * call.keys * call.value_dim), seed + 3);
}

Call draw_shapes(Random& random, std::uint32_t seed, HeadLayout layout) {
  Call call{};
  call.batch = 1 + random.below(3);
  call.key_heads = 1 + random.below(3);
  call.query_heads = call.key_heads * (1 + random.below(3));
  // Tiles hold 64 keys, blocks 4 queries: some calls must be longer than one of either.
  call.queries = random.chance(0.3) ? 60 + random.below(20) : 1 + random.below(9);
  call.keys = random.chance(0.4) ? 60 + random.below(80) : 1 + random.below(9);
  call.dim = 2 * (1 + random.below(20));
  call.value_dim = 1 + random.below(37);
  call.options.layout = layout;
  fill_random(seed, call);
  return call;
}

namespace {

// Any of the shapes that scores [B, H, Tq, Tk] can be broadcast from; only masks may have one number for all keys.
Shape draw_broadcast(Random& random, const Call& call, bool is_mask) {
  const double all[] = {double(call.batch), double(call.query_heads), double(call.queries), double(call.keys)};
  Shape shape;
  shape.rank = 1 + random.below(4);
  for (int i = 0; i < shape.rank; ++i) {
    const int axis = 4 - shape.rank + i;
    shape.dims[std::size_t(i)] = (axis == 3 && !is_mask) || random.chance(0.6) ? all[axis] : 1;
  }
  return shape;
}

void draw_segments(Random& random, Call& call) {
  const bool for_all = random.chance(0.3), contiguous = random.chance(0.7);
  for (int b = 0; b < (for_all ? 1 : call.batch); ++b)
    for (int j = 0, id = -3; j < call.keys; ++j) {
      if (random.chance(0.1)) id += 2;
      call.segments.push_back(contiguous ? id : random.below(3));
    }
  const double keys = call.keys;
  call.options.segments = {call.segments.data(), double(call.segments.size()),
                           for_all ? Shape{keys} : Shape{double(call.batch), keys}};
}

void draw_flags(Random& random, std::vector<std::uint8_t>& flags, const Shape& shape) {
  flags.resize(std::size_t(shape.size()));
  for (auto& visible : flags) visible = random.chance(0.7) ? std::uint8_t(1 + random.below(255)) : 0;
}

}  // namespace

void draw_options(Random& random, std::uint32_t seed, Call& call) {
  AttentionOptions& options = call.options;
  options.causal = random.chance(0.4);
  if (random.chance(0.3)) options.window_left = random.below(20);
  if (random.chance(0.3)) options.window_right = random.below(20);
  if (random.chance(0.3)) options.scale = random.uniform(0.1f, 2);
  if (random.chance(0.3)) options.softcap = random.uniform(0.5f, 50);
  if (random.chance(0.3)) {
    call.sinks = random_floats(std::size_t(call.query_heads), seed + 4);
    options.sinks = call.sinks;
  }
  if (random.chance(0.5)) {
    call.mask_shape = draw_broadcast(random, call, true);
    draw_flags(random, call.mask, call.mask_shape);
    options.mask = {call.mask.data(), double(call.mask.size()), call.mask_shape};
  }
  if (random.chance(0.3)) {
    const Shape shape = random.chance(0.3) ? Shape{double(call.keys)} : Shape{double(call.batch), double(call.keys)};
    draw_flags(random, call.attention_mask, shape);
    options.attention_mask = {call.attention_mask.data(), double(call.attention_mask.size()), shape};
  }
  if (call.queries <= call.keys && random.chance(0.4)) draw_segments(random, call);
  if (random.chance(0.5)) {
    call.bias_shape = draw_broadcast(random, call, false);
    call.bias = random_floats(std::size_t(call.bias_shape.size()), seed + 5);
    options.bias = view_of(call.bias, call.bias_shape);
  }
}

std::size_t broadcast_index(const Shape& shape, int b, int h, int i, int j) {
  const int coordinates[] = {b, h, i, j};
  std::size_t index = 0;
  for (int axis = 0; axis < shape.rank; ++axis)
    index = index * std::size_t(shape[axis]) + (shape[axis] == 1 ? 0 : std::size_t(coordinates[4 - shape.rank + axis]));
  return index;
}

bool is_visible(const Call& call, int b, int h, int i, int j) {
  const AttentionOptions& options = call.options;
  const int token = i + call.keys - call.queries;
  const double right = options.causal ? 0 : options.window_right < 0 ? kInfinity : options.window_right;
  if (j > token + right || (options.window_left >= 0 && j < token - options.window_left)) return false;
  const auto of_row = [&](const auto& rows, int key) {
    return rows[std::size_t((int(rows.size()) > call.keys ? b : 0) * call.keys + key)];
  };
  if (!call.attention_mask.empty() && !of_row(call.attention_mask, j)) return false;
  if (!call.segments.empty() && of_row(call.segments, j) != of_row(call.segments, token)) return false;
  return call.mask.empty() || call.mask[broadcast_index(call.mask_shape, b, h, i, j)];
}

double capped_score(const Call& call, int b, int h, int i, int j) {
  const AttentionOptions& options = call.options;
  if (!is_visible(call, b, h, i, j)) return -kInfinity;
  const int key_head = h / (call.query_heads / call.key_heads);
  const float* q = call.q.data() + call.row(call.query_heads, call.queries, b, h, i, call.dim);
  const float* k = call.k.data() + call.row(call.key_heads, call.keys, b, key_head, j, call.dim);
  double sum = 0;
  for (int d = 0; d < call.dim; ++d) sum += double(q[d]) * k[d];
  sum *= options.scale.value_or(1 / std::sqrt(double(call.dim)));
  if (options.softcap > 0) sum = options.softcap * std::tanh(sum / options.softcap);
  return sum;
}

namespace {

double score(const Call& call, int b, int h, int i, int j) {
  const double bias = call.bias.empty() ? 0 : call.bias[broadcast_index(call.bias_shape, b, h, i, j)];
  return capped_score(call, b, h, i, j) + bias;
}

}  // namespace

std::vector<double> weights_of(const Call& call, int b, int h, int i) {
  std::vector<double> weights;
  double total = call.sinks.empty() ? 0 : std::exp(double(call.sinks[std::size_t(h)]));
  for (int j = 0; j < call.keys; ++j) {
    weights.push_back(std::exp(score(call, b, h, i, j)));
    total += weights.back();
  }
  for (double& weight : weights) weight = total > 0 ? weight / total : 0;
  return weights;
}

Naive::Naive(const Call& call) : out(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), 0.0) {
  for (int b = 0; b < call.batch; ++b)
    for (int h = 0; h < call.query_heads; ++h)
      for (int i = 0; i < call.queries; ++i) {
        const auto row = weights_of(call, b, h, i);
        weights.insert(weights.end(), row.begin(), row.end());
        const std::size_t target = call.row(call.query_heads, call.queries, b, h, i, call.value_dim);
        for (int j = 0; j < call.keys; ++j) {
          if (row[std::size_t(j)] == 0) continue;
          const std::size_t source =
              call.row(call.key_heads, call.keys, b, h / (call.query_heads / call.key_heads), j, call.value_dim);
          for (std::size_t d = 0; d < std::size_t(call.value_dim); ++d)
            out[target + d] += row[std::size_t(j)] * call.v[source + d];
        }
      }
}

namespace {

struct Computed {
  std::vector<float> weights, out;
  explicit Computed(Call& call)
      : weights(std::size_t(call.batch * call.query_heads * call.queries * call.keys), 99),
        out(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), 99) {
    const View q = view_of(call.q, call.shape(call.query_heads, call.queries, call.dim));
    const View k = view_of(call.k, call.shape(call.key_heads, call.keys, call.dim));
    const View v = view_of(call.v, call.shape(call.key_heads, call.keys, call.value_dim));
    const double b = call.batch, h = call.query_heads, tq = call.queries, tk = call.keys;
    const Error error =
        attention(q, k, v, call.options, view_of(out, call.shape(call.query_heads, call.queries, call.value_dim)));
    INFO(error.message());
    REQUIRE_FALSE(error);
    REQUIRE_FALSE(attention_weights(q, k, call.options, view_of(weights, {b, h, tq, tk})));
  }
};

}  // namespace

void check_against_naive(Call& call, const Naive& wanted) {
  CAPTURE(call.batch, call.query_heads, call.key_heads, call.queries, call.keys, call.dim, call.value_dim,
          call.options.softcap);
  const Computed got(call);
  REQUIRE(largest_difference(got.weights, wanted.weights) < 2e-6);
  REQUIRE(largest_difference(got.out, wanted.out) < 4e-6);
}

}  // namespace posenc::test
