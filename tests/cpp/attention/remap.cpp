// Remapped distances against a naive double loop that turns each query and key as their pair's rule says.
#include "cpp/attention/support.hpp"
#include "posenc/attention/cache.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// Where a query and a key of these positions are turned to.
std::array<double, 2> remapped_positions(const Remap& remap, double p, double j) {
  const double d = p - j;
  if (remap.rule == Remap::Rule::self_extend && d >= remap.window)
    return {std::floor(p / remap.group) + remap.window - remap.window / remap.group, std::floor(j / remap.group)};
  if (remap.rule == Remap::Rule::rerope && std::abs(d) >= remap.window)
    return {remap.window + remap.leak * (d - remap.window), 0};
  if (remap.rule == Remap::Rule::dual_chunk) {
    const double c = remap.chunk - remap.local, chunks = std::floor(p / c) - std::floor(j / c);
    const auto within = [&](double x) { return x - c * std::floor(x / c); };
    if (chunks <= 0) return {within(p), within(j)};
    return {std::min(chunks == 1 ? within(p) + c : 2 * c - 1, remap.chunk), within(j)};
  }
  return {p, j};
}

// Rows [dim] in double, turned forwards or back.
using PlainRow = std::vector<double>;
PlainRow rotated(const Rotation& rotation, const std::vector<double>& frequencies, PlainRow x, double position,
                 double sign) {
  const bool halves = rotation.pairing == Pairing::half;
  for (const Slice& slice : rotation.slices)
    for (int k = 0; k < slice.pairs; ++k) {
      const std::size_t a = std::size_t(slice.start + (halves ? k : 2 * k)),
                        b = a + std::size_t(halves ? slice.pairs : 1);
      const double angle = sign * position * frequencies[std::size_t(slice.first_pair + k)];
      const double c = rotation.attention_factor * std::cos(angle), s = rotation.attention_factor * std::sin(angle);
      const double first = x[a], second = x[b];
      x[a] = first * c - second * s;
      x[b] = first * s + second * c;
    }
  return x;
}

double position_at(const Positions& positions, int b, int count, int t) {
  if (positions.values.empty()) return positions.offset + t;
  return positions.values[(positions.values.size() > std::size_t(count) ? std::size_t(b * count) : 0) + std::size_t(t)];
}

// Logits, weights, result and gradients of a call, in double.
struct NaiveRemap {
  std::vector<double> logits, weights, out, q, k, frequencies;
  NaiveRemap(const Call& call, const std::vector<float>& slopes)
      : logits(std::size_t(call.batch * call.query_heads * call.queries * call.keys), -kInfinity),
        weights(logits.size()),
        out(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim)),
        q(call.q.size()),
        k(call.k.size()),
        frequencies(std::size_t(call.options.rotation->pairs)) {
    const double length = 1 + std::max(largest(call, true), largest(call, false));
    inverse_ = call.options.rotation->inverse_frequencies(length);
    factor_ = call.options.scale.value_or(1 / std::sqrt(double(call.dim)));
    const Remap& remap = call.options.remap;
    if (remap.trained > 0) factor_ *= std::max(1.0, 1 + 0.1 * std::log(length / remap.trained));
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.query_heads; ++h)
        for (int i = 0; i < call.queries; ++i) add_query(call, slopes, b, h, i);
  }

 private:
  static double largest(const Call& call, bool keys) {
    double most = 0;
    for (int b = 0; b < call.batch; ++b)
      for (int t = 0; t < (keys ? call.keys : call.queries); ++t) most = std::max(most, position_of(call, keys, b, t));
    return std::floor(most);
  }
  static double position_of(const Call& call, bool key, int b, int t) {
    if (key) return position_at(call.options.key_positions, b, call.keys, t);
    const Positions& queries = call.options.query_positions;
    if (!std::isnan(queries.offset)) return position_at(queries, b, call.queries, t);
    return position_at(call.options.key_positions, b, call.keys, t + call.keys - call.queries);
  }
  static PlainRow row_of(const std::vector<float>& x, std::size_t at, int width) {
    return {x.begin() + std::ptrdiff_t(at), x.begin() + std::ptrdiff_t(at) + width};
  }
  static double product(const PlainRow& x, const PlainRow& y) {
    double sum = 0;
    for (std::size_t d = 0; d < x.size(); ++d) sum += x[d] * y[d];
    return sum;
  }

  void add_query(const Call& call, const std::vector<float>& slopes, int b, int h, int i) {
    const Rotation& rotation = *call.options.rotation;
    const int key_head = h / (call.query_heads / call.key_heads);
    const double position = position_of(call, false, b, i);
    const double factor = factor_ * (call.options.temperature.is_on() ? call.options.temperature.at(position) : 1);
    const std::size_t query = call.row(call.query_heads, call.queries, b, h, i, call.dim);
    const std::size_t line = std::size_t(((b * call.query_heads + h) * call.queries + i) * call.keys);
    const PlainRow q_row = row_of(call.q, query, call.dim);
    std::vector<PlainRow> q_rows, k_rows;
    std::vector<std::array<double, 2>> remapped;
    double top = -kInfinity, total = 0;
    for (int j = 0; j < call.keys; ++j) {
      remapped.push_back(remapped_positions(call.options.remap, position, position_of(call, true, b, j)));
      q_rows.push_back(rotated(rotation, inverse_, q_row, remapped.back()[0], 1));
      k_rows.push_back(rotated(rotation, inverse_,
                               row_of(call.k, call.row(call.key_heads, call.keys, b, key_head, j, call.dim), call.dim),
                               remapped.back()[1], 1));
      if (is_visible(call, b, h, i, j)) logits[line + std::size_t(j)] = factor * product(q_rows.back(), k_rows.back());
      top = std::max(top, logits[line + std::size_t(j)]);
    }
    for (int j = 0; j < call.keys && top > -kInfinity; ++j)
      total += weights[line + std::size_t(j)] = std::exp(logits[line + std::size_t(j)] - top);
    const std::size_t target = call.row(call.query_heads, call.queries, b, h, i, call.value_dim);
    std::vector<double> by_weight(std::size_t(call.keys));
    double mean = 0;
    for (int j = 0; j < call.keys && total > 0; ++j) {
      double& weight = weights[line + std::size_t(j)] /= total;
      const std::size_t value = call.row(call.key_heads, call.keys, b, key_head, j, call.value_dim);
      for (std::size_t d = 0; d < std::size_t(call.value_dim); ++d) {
        out[target + d] += weight * double(call.v[value + d]);
        by_weight[std::size_t(j)] += double(slopes[target + d]) * double(call.v[value + d]);
      }
      mean += weight * by_weight[std::size_t(j)];
    }
    for (int j = 0; j < call.keys; ++j) {
      const double slope = factor * weights[line + std::size_t(j)] * (by_weight[std::size_t(j)] - mean);
      const std::size_t key = call.row(call.key_heads, call.keys, b, key_head, j, call.dim), at = std::size_t(j);
      const PlainRow for_q = rotated(rotation, inverse_, k_rows[at], remapped[at][0], -1);
      const PlainRow for_k = rotated(rotation, inverse_, q_rows[at], remapped[at][1], -1);
      for (std::size_t d = 0; d < std::size_t(call.dim); ++d) {
        q[query + d] += slope * for_q[d];
        k[key + d] += slope * for_k[d];
      }
      add_frequencies(rotation, q_row, for_q, slope * (remapped[at][0] - remapped[at][1]));
    }
  }

  // A frequency turns a pair by the distance: x_a g_b - x_b g_a, g what the query meets.
  void add_frequencies(const Rotation& rotation, const PlainRow& x, const PlainRow& g, double slope) {
    const bool halves = rotation.pairing == Pairing::half;
    for (const Slice& slice : rotation.slices)
      for (int k = 0; k < slice.pairs; ++k) {
        const std::size_t a = std::size_t(slice.start + (halves ? k : 2 * k)),
                          b = a + std::size_t(halves ? slice.pairs : 1);
        frequencies[std::size_t(slice.first_pair + k)] += slope * (x[a] * g[b] - x[b] * g[a]);
      }
  }

  std::vector<double> inverse_;
  double factor_ = 1;
};

struct ComputedRemap {
  std::vector<float> logits, weights, out, q, k, v;
  Training training{};
  ComputedRemap(Call& call, std::vector<float>& slopes)
      : logits(std::size_t(call.batch * call.query_heads * call.queries * call.keys), 99),
        weights(logits),
        out(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), 99),
        q(call.q.size(), 99),
        k(call.k.size(), 99),
        v(call.v.size(), 99) {
    const Shape q_shape = call.shape(call.query_heads, call.queries, call.dim);
    const Shape k_shape = call.shape(call.key_heads, call.keys, call.dim);
    const Shape v_shape = call.shape(call.key_heads, call.keys, call.value_dim);
    const Shape out_shape = call.shape(call.query_heads, call.queries, call.value_dim);
    const Shape all{double(call.batch), double(call.query_heads), double(call.queries), double(call.keys)};
    const View query = view_of(call.q, q_shape), key = view_of(call.k, k_shape), value = view_of(call.v, v_shape);
    const Error error = attention(query, key, value, call.options, view_of(out, out_shape));
    INFO(error.message());
    REQUIRE_FALSE(error);
    REQUIRE_FALSE(attention_rows(query, key, call.options, view_of(weights, all), AttentionRows::weights));
    REQUIRE_FALSE(attention_rows(query, key, call.options, view_of(logits, all), AttentionRows::logits));
    AttentionGradients wanted{view_of(q, q_shape), view_of(k, k_shape), view_of(v, v_shape)};
    wanted.rotation = &training;
    REQUIRE_FALSE(attention_backward(query, key, value, view_of(slopes, out_shape), call.options, wanted));
  }
};

Remap draw_remap(Random& random) {
  Remap remap{.rule = Remap::Rule(1 + random.below(3))};
  remap.group = 1 + random.below(9);
  remap.window = 1 + random.below(random.chance(0.5) ? 12 : 90);
  if (random.chance(0.5)) remap.leak = random.uniform(0, 1);
  remap.local = random.below(8);
  remap.chunk = remap.local + 1 + random.below(random.chance(0.5) ? 12 : 90);
  if (remap.rule == Remap::Rule::dual_chunk && random.chance(0.3)) remap.trained = 1 + random.below(200);
  return remap;
}

const SpecInput kPlain{{"dim", number(12)}};

}  // namespace

TEST_CASE("remapped distances are those of the naive loop", "[attention][remap]") {
  const std::pair<std::string_view, SpecInput> specs[]{
      {"rope", kPlain},
      {"rope", {{"dim", number(12)}, {"pairing", text("interleaved")}}},
      {"rope", {{"dim", number(12)}, {"pairing", text("interleaved-to-half")}}},
      {"rope", {{"dim", number(12)}, {"rotaryDim", number(6)}}},
      {"rope", {{"dim", number(12)}, {"frequencies", numbers({1, 0.3, 0.1, 0.03, 0.01, 0.003})}}},
      {"rope-yarn", {{"dim", number(12)}, {"factor", number(4)}, {"originalLength", number(32)}}},
      {"rope-dynamic", {{"dim", number(12)}, {"factor", number(4)}, {"originalLength", number(16)}}},
  };
  for (std::uint32_t seed = 1; seed <= 260; ++seed) {
    Random random(seed);
    Call call = draw_shapes(random, 100 * seed, random.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd);
    call.dim = 12;
    fill_random(seed, call);
    const auto& [kind, input] = specs[std::size_t(random.below(int(std::size(specs))))];
    const auto rotation = create_as<Rotation>(kind, input);
    AttentionOptions& options = call.options;
    options.rotation = rotation.get();
    options.remap = draw_remap(random);
    options.causal = random.chance(0.5);
    if (random.chance(0.2)) options.window_left = random.below(40);
    if (random.chance(0.2)) options.temperature = {.length = 3, .rule = Temperature::Rule::log_n};
    std::vector<double> values;
    if (random.chance(0.3)) {
      for (int j = 0; j < call.keys * call.batch; ++j) values.push_back(j % call.keys + random.below(3));
      options.key_positions = Positions::given(values, call.keys);
    } else if (random.chance(0.3)) {
      options.key_positions = run(random.below(100), 0);
    }
    if (call.queries > call.keys && !values.empty()) options.query_positions = run(2, 0);
    auto slopes = random_floats(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), seed + 7);
    CAPTURE(seed, kind, int(options.remap.rule), options.remap.group, options.remap.window, options.remap.leak,
            options.remap.chunk, options.remap.local, call.queries, call.keys, options.causal);
    const NaiveRemap wanted(call, slopes);
    ComputedRemap got(call, slopes);
    for (std::size_t at = 0; at < got.logits.size(); ++at) {
      if (wanted.logits[at] == -kInfinity) {
        REQUIRE(got.logits[at] == float(-kInfinity));
        got.logits[at] = 0;
      }
    }
    std::vector<double> logits = wanted.logits;
    for (double& logit : logits) logit = std::max(logit, -1e30) == -1e30 ? 0 : logit;
    REQUIRE(largest_difference(got.logits, logits) < 4e-6);
    REQUIRE(largest_difference(got.weights, wanted.weights) < 2e-6);
    REQUIRE(largest_difference(got.out, wanted.out) < 4e-6);
    REQUIRE(largest_difference(got.q, wanted.q) < 1e-5);
    REQUIRE(largest_difference(got.k, wanted.k) < 1e-5);
    if (rotation->parameters.empty()) continue;
    const float* learned = got.training.gradient(0);
    double largest = 1;
    for (const double each : wanted.frequencies) largest = std::max(largest, std::abs(each));
    for (int k = 0; k < rotation->pairs; ++k)
      REQUIRE(std::abs(double(learned[k]) - wanted.frequencies[std::size_t(k)]) < 2e-5 * largest);
  }
}

TEST_CASE("a cache answers remapped distances as attention does", "[attention][remap]") {
  const auto rotation = create_as<Rotation>("rope", kPlain);
  auto k = random_floats(2 * 90 * 12, 1), v = random_floats(2 * 90 * 12, 2), q = random_floats(4 * 2 * 12, 3);
  const View keys = view_of(k, {1, 2, 90, 12}), values = view_of(v, {1, 2, 90, 12}),
             queries = view_of(q, {1, 4, 2, 12});
  auto cache = KeyValueCache::make({.heads = 2, .dim = 12, .value_dim = 12, .capacity = 90});
  REQUIRE(cache);
  REQUIRE_FALSE((*cache)->append(keys, values, {.values = {}, .offset = std::numeric_limits<double>::quiet_NaN()}));
  for (std::uint32_t seed = 1; seed <= 12; ++seed) {
    Random random(seed);
    AttentionOptions options;
    options.causal = true;
    options.rotation = rotation.get();
    std::vector<float> wanted(q.size()), got(q.size());
    // Keys that a call without them has turned come back.
    REQUIRE_FALSE((*cache)->attend(queries, options, view_of(got, {1, 4, 2, 12})));
    options.remap = draw_remap(random);
    REQUIRE_FALSE(attention(queries, keys, values, options, view_of(wanted, {1, 4, 2, 12})));
    REQUIRE_FALSE((*cache)->attend(queries, options, view_of(got, {1, 4, 2, 12})));
    CHECK(largest_difference(got, wanted) < 1e-5);
  }
}

TEST_CASE("remaps that mean nothing are refused", "[attention][remap]") {
  std::vector<float> x(24, 1.0f), out(24, 5.0f);
  const View view = view_of(x, {1, 1, 2, 12});
  const auto refuse = [&](const Rotation* rotation, const Remap& remap, Code code, int axes = 1) {
    AttentionOptions options;
    options.rotation = rotation;
    options.remap = remap;
    options.key_positions = run(0, 2);
    options.key_positions.axes = axes;
    options.query_positions = options.key_positions;
    const Error error = attention(view, view, view, options, view_of(out, {1, 1, 2, 12}));
    CHECK(error.code() == code);
    CHECK(error.field() == "remap");
    CHECK(out == std::vector<float>(24, 5.0f));
  };
  using Rule = Remap::Rule;
  const auto rope = create_as<Rotation>("rope", kPlain);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double wrong : {0.0, -1.0, 1.5, nan, 1e300}) {
    refuse(rope.get(), {.rule = Rule::self_extend, .group = wrong}, Code::invalid_argument);
    refuse(rope.get(), {.rule = Rule::self_extend, .window = wrong}, Code::invalid_argument);
    refuse(rope.get(), {.rule = Rule::rerope, .window = wrong}, Code::invalid_argument);
    refuse(rope.get(), {.rule = Rule::dual_chunk, .chunk = wrong, .local = 0}, Code::invalid_argument);
    if (wrong != 0) refuse(rope.get(), {.rule = Rule::dual_chunk, .trained = wrong}, Code::invalid_argument);
  }
  for (const double wrong : {-0.1, 1.1, nan})
    refuse(rope.get(), {.rule = Rule::rerope, .leak = wrong}, Code::invalid_argument);
  refuse(rope.get(), {.rule = Rule::dual_chunk, .chunk = 4, .local = 4}, Code::invalid_argument);
  refuse(nullptr, {.rule = Rule::rerope}, Code::unsupported);
  refuse(create_as<Rotation>("xpos", kPlain).get(), {.rule = Rule::rerope}, Code::unsupported);
  refuse(create_as<Rotation>("rope-axial", {{"dim", number(12)}, {"axes", number(2)}}).get(), {.rule = Rule::rerope},
         Code::unsupported, 2);
}
