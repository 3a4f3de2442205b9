// Are the gradients of attention those of the naive softmax? Every kind's calls under the sanitizers; training.
#include "cpp/attention/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// Of every input, in float64.
struct NaiveGradients {
  std::vector<double> q, k, v, bias, sinks;
  NaiveGradients(const Call& call, const std::vector<float>& out_slopes)
      : q(call.q.size()), k(call.k.size()), v(call.v.size()), bias(call.bias.size()), sinks(call.sinks.size()) {
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.query_heads; ++h)
        for (int i = 0; i < call.queries; ++i) add_query(call, out_slopes, b, h, i);
  }

 private:
  void add_query(const Call& call, const std::vector<float>& out_slopes, int b, int h, int i) {
    const int key_head = h / (call.query_heads / call.key_heads);
    const auto weights = weights_of(call, b, h, i);
    const std::size_t out = call.row(call.query_heads, call.queries, b, h, i, call.value_dim);
    std::vector<double> by_weight(weights.size(), 0.0);
    double mean = 0, sum = 0;
    for (int j = 0; j < call.keys; ++j) {
      const std::size_t value = call.row(call.key_heads, call.keys, b, key_head, j, call.value_dim);
      for (std::size_t d = 0; d < std::size_t(call.value_dim); ++d) {
        by_weight[std::size_t(j)] += double(out_slopes[out + d]) * double(call.v[value + d]);
        v[value + d] += weights[std::size_t(j)] * double(out_slopes[out + d]);
      }
      mean += weights[std::size_t(j)] * by_weight[std::size_t(j)];
      sum += weights[std::size_t(j)];
    }
    if (!sinks.empty() && sum > 0) sinks[std::size_t(h)] -= (1 - sum) * mean;
    for (int j = 0; j < call.keys; ++j)
      add_key(call, b, h, i, j, weights[std::size_t(j)] * (by_weight[std::size_t(j)] - mean));
  }

  void add_key(const Call& call, int b, int h, int i, int j, double slope) {
    if (slope == 0) return;
    if (!bias.empty()) bias[broadcast_index(call.bias_shape, b, h, i, j)] += slope;
    const double cap = call.options.softcap, bent = cap > 0 ? capped_score(call, b, h, i, j) / cap : 0;
    slope *= (1 - bent * bent) * call.options.scale.value_or(1 / std::sqrt(double(call.dim)));
    const std::size_t query = call.row(call.query_heads, call.queries, b, h, i, call.dim);
    const std::size_t key =
        call.row(call.key_heads, call.keys, b, h / (call.query_heads / call.key_heads), j, call.dim);
    for (std::size_t d = 0; d < std::size_t(call.dim); ++d) {
      q[query + d] += slope * double(call.k[key + d]);
      k[key + d] += slope * double(call.q[query + d]);
    }
  }
};

struct Gradients {
  std::vector<float> q, k, v, bias, sinks;
  Training training{};
  Gradients(Call& call, std::vector<float>& out_slopes)
      : q(call.q.size(), 99),
        k(call.k.size(), 99),
        v(call.v.size(), 99),
        bias(call.bias.size(), 99),
        sinks(call.sinks) {
    const Shape q_shape = call.shape(call.query_heads, call.queries, call.dim);
    const Shape k_shape = call.shape(call.key_heads, call.keys, call.dim);
    const Shape v_shape = call.shape(call.key_heads, call.keys, call.value_dim);
    AttentionGradients out{view_of(q, q_shape), view_of(k, k_shape), view_of(v, v_shape)};
    if (!bias.empty()) out.bias = view_of(bias, call.bias_shape);
    out.sinks = sinks;
    out.rotation = out.encoding_bias = out.relative = &training;
    const Error error = attention_backward(
        view_of(call.q, q_shape), view_of(call.k, k_shape), view_of(call.v, v_shape),
        view_of(out_slopes, call.shape(call.query_heads, call.queries, call.value_dim)), call.options, out);
    INFO(error.message());
    REQUIRE_FALSE(error);
  }
};

std::vector<float> draw_slopes(const Call& call, std::uint32_t seed) {
  return random_floats(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), seed);
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

}  // namespace

TEST_CASE("gradients of attention are those of the naive softmax", "[gradients]") {
  for (std::uint32_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    Call call = draw_shapes(random, 100 * seed, random.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd);
    draw_options(random, 100 * seed, call);
    CAPTURE(seed, call.queries, call.keys, call.dim, call.value_dim, call.options.softcap);
    auto slopes = draw_slopes(call, seed + 7);
    const Gradients got(call, slopes);
    const NaiveGradients wanted(call, slopes);
    // Gradients are sums over up to 140 keys and 80 queries of several heads.
    REQUIRE(largest_difference(got.q, wanted.q) < 5e-6);
    REQUIRE(largest_difference(got.k, wanted.k) < 5e-6);
    REQUIRE(largest_difference(got.v, wanted.v) < 5e-6);
    REQUIRE(largest_difference(got.bias, wanted.bias) < 5e-6);
    REQUIRE(largest_difference(got.sinks, wanted.sinks) < 1e-5);
  }
}

TEST_CASE("gradients of attention over more keys than they keep anything of", "[gradients]") {
  Random random(5);
  Call call = draw_shapes(random, 500, HeadLayout::bhtd);
  call.batch = 1, call.query_heads = 2, call.key_heads = 1, call.queries = 70, call.keys = 2200;
  call.options.causal = true;
  fill_random(77, call);
  auto slopes = draw_slopes(call, 12);
  const Gradients got(call, slopes);
  const NaiveGradients wanted(call, slopes);
  REQUIRE(largest_difference(got.q, wanted.q) < 5e-6);
  REQUIRE(largest_difference(got.k, wanted.k) < 5e-6);
  REQUIRE(largest_difference(got.v, wanted.v) < 5e-6);
}

TEST_CASE("every encoding's gradients are finite, and reach its numbers", "[gradients]") {
  for (const FamilyName family : {FamilyName::rotary, FamilyName::bias, FamilyName::relative})
    for (const Sample& sample : samples_of(family))
      for (const bool far : {false, true}) {
        CAPTURE(sample.kind, far);
        auto encoding = create(sample.kind, small(sample).required);
        REQUIRE(encoding);
        Learned& learned = **encoding;
        Call call{};
        const auto* relative = as<Relative>(learned);
        const auto* rotation = as<Rotation>(learned);
        const auto* bias = as<Bias>(learned);
        call.batch = 2;
        call.query_heads = call.key_heads = bias ? bias->heads : relative ? std::max(1, relative->heads) : 2;
        call.dim = relative ? width_of(*relative) : rotation ? rotation->dim : 5;
        call.value_dim = call.dim;
        const bool in_window = sample.kind.starts_with("swin");
        call.queries = in_window || !far ? 3 : 67;
        call.keys = in_window ? 20 : far ? 130 : 5;
        call.q = random_floats(std::size_t(call.batch * call.query_heads * call.queries * call.dim), 1);
        call.k = random_floats(std::size_t(call.batch * call.key_heads * call.keys * call.dim), 2);
        call.v = random_floats(std::size_t(call.batch * call.key_heads * call.keys * call.value_dim), 3);
        call.options.causal = far;
        put_inside(call.options, learned);
        TokenInputValues tokens(relative, call.batch, call.query_heads, call.key_heads, call.queries, call.keys);
        call.options.tokens = tokens.views();
        const int axes = rotation && !rotation->one_for_all ? rotation->axes : 1;
        Positions keys = run(0, call.keys), queries = run(call.keys - call.queries, call.queries);
        for (Positions* positions : {&keys, &queries}) {
          positions->axes = axes;
          for (int axis = 0; axes > 1 && axis < axes; ++axis) positions->extent[std::size_t(axis)] = 130;
        }
        call.options.key_positions = keys;
        call.options.query_positions = queries;
        auto slopes = draw_slopes(call, 4);
        Gradients got(call, slopes);
        for (const auto* values : {&got.q, &got.k, &got.v}) REQUIRE(all_finite(*values));
        for (std::size_t i = 0; i < learned.parameters.size(); ++i) {
          const std::size_t count = learned.parameters[i].values.size();
          const std::vector<float> values(got.training.gradient(i), got.training.gradient(i) + count);
          REQUIRE(all_finite(values));
          // Attention does not read what gates are made by.
          const bool makes_gates = relative && relative->makes_gates;
          if (count > 0 && !makes_gates)
            REQUIRE(std::any_of(values.begin(), values.end(), [](float x) { return x != 0; }));
        }
        REQUIRE_FALSE(
            got.training.step(learned, {.kind = Optimizer::Kind::adamw, .learning_rate = 0.1, .weight_decay = 0.01}));
      }
}

TEST_CASE("a learned table is trained", "[gradients]") {
  const auto table = make_right(LearnedTable{.length = 4, .dim = 3, .init = {.std = 0}});
  std::vector<float> x(2 * 4 * 3, 1.0f);
  const View view = view_of(x, {2, 4, 3});
  // The row at 2 is padding; the row at 1 is read twice.
  const std::vector<double> positions{2, 1, 1, 0};
  Training training, other;
  REQUIRE_FALSE(table->backward(view, given(positions), {.padding = 2}, training));
  const std::vector<float> gradient(training.gradient(0), training.gradient(0) + 12);
  REQUIRE(same_bits(gradient, {2, 2, 2, 4, 4, 4, 0, 0, 0, 0, 0, 0}));
  REQUIRE_FALSE(training.step(*table, {.learning_rate = 0.5}));
  REQUIRE(same_bits(table->parameters[0].values, {-1, -1, -1, -2, -2, -2, 0, 0, 0, 0, 0, 0}));
  REQUIRE_FALSE(table->backward(view, given(positions), {.by_frequency = true}, training));
  REQUIRE(training.gradient(0)[3] == 1);
  REQUIRE(training.step(*table, {.learning_rate = -1}).field() == "learningRate");
  REQUIRE(make_right(Sinusoidal{.dim = 4})->backward(view, given(positions), {}, other).code() == Code::unsupported);
}

TEST_CASE("another optimizer begins anew", "[gradients]") {
  const auto steps = [](std::initializer_list<Optimizer::Kind> kinds) {
    const auto table = make_right(LearnedTable{.length = 1, .dim = 2, .init = {.std = 0}});
    std::vector<float> last;
    Training training;
    for (const Optimizer::Kind kind : kinds) {
      table->parameters[0].values = {1, -1};
      std::vector<float> gradient{0.5f, 2};
      REQUIRE_FALSE(table->backward(view_of(gradient, {1, 2}), run(0, 1), {}, training));
      REQUIRE_FALSE(training.step(*table, {.kind = kind, .learning_rate = 0.1}));
      last = table->parameters[0].values;
    }
    return last;
  };
  using enum Optimizer::Kind;
  CHECK(same_bits(steps({adam, adam, adamw}), steps({adamw})));
  CHECK(same_bits(steps({adamw, sgd}), steps({sgd})));
}

TEST_CASE("tables of several axes are trained at given places", "[gradients]") {
  const auto table = create_as<Table>("fourier", {{"dim", number(8)}, {"inputs", number(2)}});
  std::vector<float> gradient = random_floats(3 * 8, 5);
  // Three places: the first coordinates, then the second ones, and nothing behind them.
  const std::vector<double> values{0, 1, 2, 5, 3, 4};
  Positions positions{.values = std::span(values).first(3), .offset = 0, .count = 3, .axes = 2, .stride = 3};
  positions.extent = {3, 6};
  Training training;
  REQUIRE_FALSE(table->backward(view_of(gradient, {3, 8}), positions, {}, training));
  CHECK(std::any_of(training.gradient(0), training.gradient(0) + 4, [](float x) { return x != 0; }));
}

TEST_CASE("gradients of logits are linear in what comes back", "[gradients]") {
  for (const Sample& sample : samples_of(FamilyName::relative)) {
    CAPTURE(sample.kind);
    const auto learned_from = [&](float slope) {
      auto encoding = create(sample.kind, small(sample).required);
      const Learned& learned = **encoding;
      const Relative& relative = *as<Relative>(learned);
      const int heads = std::max(1, relative.heads), dim = width_of(relative);
      const Shape shape{1, double(heads), 5, double(dim)}, scores{1, double(heads), 5, 5};
      std::vector<float> q = random_floats(std::size_t(shape.size()), 1), k = random_floats(q.size(), 2);
      std::vector<float> by_q(q.size()), by_k(q.size()), slopes(std::size_t(scores.size()), slope);
      AttentionOptions options;
      options.relative = &relative;
      options.scale = 1;
      TokenInputValues tokens(&relative, 1, heads, heads, 5, 5);
      options.tokens = tokens.views();
      Training training;
      AttentionGradients out{view_of(by_q, shape), view_of(by_k, shape), {}};
      out.relative = &training;
      REQUIRE_FALSE(
          attention_backward(view_of(q, shape), view_of(k, shape), {}, view_of(slopes, scores), options, out));
      by_q.insert(by_q.end(), training.gradients().begin(), training.gradients().end());
      by_q.insert(by_q.end(), by_k.begin(), by_k.end());
      return by_q;
    };
    auto once = learned_from(1);
    for (float& number : once) number *= 2;
    CHECK(same_bits(once, learned_from(2)));
  }
}

TEST_CASE("gradients of logits need no values", "[gradients]") {
  std::vector<float> q{1, 2, 3, 4}, k{5, 6, 7, 8}, slopes{1, 10, 100, 1000}, by_q(4), by_k(4);
  const Shape shape{1, 1, 2, 2};
  AttentionOptions options;
  options.scale = 1;
  options.causal = true;
  REQUIRE_FALSE(attention_backward(view_of(q, shape), view_of(k, shape), {}, view_of(slopes, shape), options,
                                   {view_of(by_q, shape), view_of(by_k, shape), {}}));
  // The first query does not see the second key.
  REQUIRE(same_bits(by_q, {5, 6, 7500, 8600}));
  REQUIRE(same_bits(by_k, {301, 402, 3000, 4000}));
}

TEST_CASE("gradients of attention are wanted of all three tensors", "[gradients]") {
  std::vector<float> x{1, 2, 3, 4}, made[3]{x, x, x};
  const Shape shape{1, 1, 2, 2};
  const View given = view_of(x, shape);
  for (std::size_t missing = 0; missing < 3; ++missing) {
    View views[3];
    for (std::size_t i = 0; i < 3; ++i)
      if (i != missing) views[i] = view_of(made[i], shape);
    CHECK(attention_backward(given, given, given, given, {}, {views[0], views[1], views[2]}).code() ==
          Code::shape_mismatch);
  }
}
