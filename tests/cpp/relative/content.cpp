// Encodings whose positions or magnitudes come from the contents: CoPE and PoPE, written out.
#include "cpp/relative/relative.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// How far query i sees key j: open gates from the last key down to j.
double context_position(const RelativeCase& c, const Cope& spec, const std::vector<float>& gates, int b, int h, int i,
                        int j) {
  double open = 0;
  for (int t = c.keys - 1; t >= j; --t) {
    if (!c.visible(b, i, t)) continue;
    const float* key = gates.data() + c.row(c.key_heads, c.keys, b, h / c.group, t, c.dim);
    const double logit = dot(c.query(b, h, i), key, c.dim) / (spec.scaled_gates ? std::sqrt(c.dim) : 1);
    open += 1 / (1 + std::exp(-logit));
  }
  return std::min(open, spec.max_position - 1.0);
}

}  // namespace

TEST_CASE("cope: positions are open gates, embeddings between them are blended") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 400);
    Cope spec{.dim = 1 + random.below(12), .max_position = 1 + random.below(60)};
    spec.scaled_gates = random.chance(0.7);
    spec.scaled_position = random.chance(0.7);
    auto relative = make_right(spec);
    CHECK(relative->parameters[0].values == std::vector<float>(relative->parameters[0].values.size()));
    std::vector<float>& embedding = relative->parameters[0].values;
    embedding = random_floats(embedding.size(), seed + 9);
    RelativeCase call(seed, spec.dim);
    std::vector<float> gates = call.k;
    if (random.chance(0.4)) {
      gates = random_floats(gates.size(), seed + 11);
      call.options.extra_keys = view_of(gates, call.shape(call.key_heads, call.keys, call.dim));
    }
    const auto expected_position = [&](const RelativeCase& c, int b, int h, int i, int j) {
      return context_position(c, spec, gates, b, h, i, j);
    };
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const double at = expected_position(c, b, h, i, j), low = std::floor(at);
      double below = 0, above = 0;
      for (int f = 0; f < c.dim; ++f) {
        const float* row = embedding.data() + f * spec.max_position;
        below += double(c.query(b, h, i)[f]) * row[int(low)];
        above += double(c.query(b, h, i)[f]) * row[int(std::ceil(at))];
      }
      const double position = above * (at - low) + below * (1 - at + low);
      return dot(c.query(b, h, i), c.key(b, h, j), c.dim) + position * (spec.scaled_position ? 1 : std::sqrt(c.dim));
    });
    std::vector<float> positions(std::size_t(call.scores().size()));
    REQUIRE_FALSE(context_positions(call.q_view(), call.k_view(), call.options, view_of(positions, call.scores())));
    double error = 0;
    std::size_t n = 0;
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.heads(); ++h)
        for (int i = 0; i < call.queries; ++i)
          for (int j = 0; j < call.keys; ++j, ++n)
            error = std::max(
                error, std::abs(positions[n] - (call.visible(b, i, j) ? expected_position(call, b, h, i, j) : 0)));
    CHECK(error < 4e-6);
  }
}

TEST_CASE("cope: a gate that is no number spoils what sees it, and nothing else") {
  constexpr int kCount = 130, kSpoilt = 66;
  const Shape shape{1, 1, kCount, 2};
  auto relative = make_right(Cope{.dim = 2, .max_position = 200});
  relative->parameters[0].values = random_floats(2 * 200, 1);
  std::vector<float> q = random_floats(2 * kCount, 2), k = random_floats(2 * kCount, 3),
                     v = random_floats(2 * kCount, 4), gates = random_floats(2 * kCount, 5), out(2 * kCount),
                     by_q(2 * kCount), by_k(2 * kCount), by_v(2 * kCount), by_gates(2 * kCount);
  gates[2 * kSpoilt] = NAN;
  AttentionOptions options;
  options.relative = relative.get();
  options.causal = true;
  options.extra_keys = view_of(gates, shape);
  REQUIRE_FALSE(attention(view_of(q, shape), view_of(k, shape), view_of(v, shape), options, view_of(out, shape)));
  for (std::size_t i = 0; i < kCount; ++i) CHECK(std::isnan(out[2 * i]) == (i >= kSpoilt));
  Training training;
  AttentionGradients gradients{view_of(by_q, shape), view_of(by_k, shape), view_of(by_v, shape)};
  gradients.extra_keys = view_of(by_gates, shape);
  gradients.relative = &training;
  REQUIRE_FALSE(attention_backward(view_of(q, shape), view_of(k, shape), view_of(v, shape), view_of(v, shape), options,
                                   gradients));
  for (std::size_t i = 0; i < kSpoilt; ++i) CHECK(std::isfinite(by_q[2 * i]));
}

TEST_CASE("pope: magnitudes by content, angles by position and the key's phase") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 500);
    const int key_heads = 1 + random.below(3);
    Pope spec{.dim = 1 + random.below(20), .heads = key_heads};
    spec.rotary_dim = random.chance(0.5) ? 1 + random.below(spec.dim) : 0;
    RelativeCase call(seed, spec.dim);
    spec.heads = call.key_heads;
    auto relative = make_right(spec);
    std::vector<float>& bias = relative->parameters[0].values;
    for (float& phase : bias) phase = random.uniform(-9, 2);
    const auto plus = [](double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); };
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const float *q = c.query(b, h, i), *k = c.key(b, h, j);
      const double distance = c.query_position(b, i) - c.key_position(b, j);
      double sum = dot(q + spec.rotated_dim(), k + spec.rotated_dim(), c.dim - spec.rotated_dim());
      for (int f = 0; f < spec.rotated_dim(); ++f) {
        const double phase =
            std::clamp<double>(bias[std::size_t(h / c.group * spec.rotated_dim() + f)], -2 * std::acos(-1.0), 0);
        const double angle = distance * std::pow(10000.0, -double(f) / spec.rotated_dim());
        sum += plus(q[f]) * plus(k[f]) * std::cos(angle - phase);
      }
      return sum;
    });
  }
}

TEST_CASE("pope: expanded rows are those that attention multiplies") {
  auto relative = make_right(Pope{.dim = 3, .heads = 1, .rotary_dim = 2});
  relative->parameters[0].values = {-1.5f, 0};
  std::vector<float> x{100, -100, 7}, out(5);
  const Shape shape{1, 1, 1, 3}, wide{1, 1, 1, 5};
  REQUIRE_FALSE(relative->expanded(view_of(x, shape), false, HeadLayout::bhtd, run(0, 1), view_of(out, wide)));
  CHECK(largest_difference(out, std::vector<float>{100, 0, 0, 0, 7}) < 1e-30);
  REQUIRE_FALSE(relative->expanded(view_of(x, shape), true, HeadLayout::bhtd, run(0, 1), view_of(out, wide)));
  CHECK(std::abs(out[0] - 100 * std::cos(-1.5)) < 1e-5);
  CHECK(std::abs(out[1] - 100 * std::sin(-1.5)) < 1e-5);
  std::vector<float> two(6), wide_two(10);
  CHECK(
      relative->expanded(view_of(two, {1, 2, 1, 3}), true, HeadLayout::bhtd, run(0, 1), view_of(wide_two, {1, 2, 1, 5}))
          .field() == "x");
  CHECK(relative->expanded(view_of(x, shape), true, HeadLayout::bhtd, run(NAN, 1), view_of(out, wide)).field() ==
        "offset");
  CHECK(make_right(Shaw{.dim = 3})
            ->expanded(view_of(x, shape), true, HeadLayout::bhtd, run(0, 1), view_of(out, wide))
            .code() == Code::unsupported);
}
