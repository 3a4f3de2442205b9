// Are the scores of relative encodings those of the papers' formulas, whatever the shapes and tiles?
#include "cpp/relative/relative.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

void fill(Parameter& parameter, std::uint32_t seed) { parameter.values = random_floats(parameter.values.size(), seed); }

int clipped(double distance, const Shaw& spec) {
  return int(std::clamp(std::floor(distance + 0.5), -double(spec.left()), double(spec.right()))) + spec.left();
}

}  // namespace

TEST_CASE("shaw: q · (k + a) and values + b, by clipped distance") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 100);
    Shaw spec{.dim = 1 + random.below(20), .max_distance = random.below(90)};
    if (random.chance(0.3)) spec.max_left = random.below(5);
    if (random.chance(0.3)) spec.max_right = random.below(5);
    spec.with_values = random.chance(0.6);
    auto relative = make_right(spec);
    for (Parameter& parameter : relative->parameters) fill(parameter, seed + 7);
    RelativeCase call(seed, spec.dim);
    if (random.chance(0.2)) call.options.scale = 0.3;
    const auto row = [&](const RelativeCase& c, std::size_t table, int b, int i, int j) {
      return relative->parameters[table].values.data() +
             clipped(c.key_position(b, j) - c.query_position(b, i), spec) * c.dim;
    };
    check_relative(
        call, *relative,
        [&](const RelativeCase& c, int b, int h, int i, int j) {
          const float* q = c.query(b, h, i);
          return dot(q, c.key(b, h, j), c.dim) + dot(q, row(c, 0, b, i, j), c.dim);
        },
        [&](const RelativeCase& c, int b, int, int i, int j, int f) {
          return spec.with_values ? double(row(c, 1, b, i, j)[f]) : 0.0;
        });
  }
}

TEST_CASE("shaw: buckets are rows of the tables, fractions go by the nearest") {
  auto relative = make_right(Shaw{.dim = 4, .max_distance = 3, .max_right = 1});
  CHECK(relative->parameters[0].shape == Shape{5, 4});
  const std::vector<double> distances{-9, -3, -2, -0.4, 0, 0.4, 0.5, 1, 2, 1e14};
  std::vector<std::int32_t> buckets(distances.size());
  REQUIRE_FALSE(relative->buckets(distances, buckets));
  CHECK(buckets == std::vector<std::int32_t>{0, 0, 1, 3, 3, 3, 4, 4, 4, 4});
  CHECK(relative->buckets(std::vector{kInfinity}, std::span(buckets).first(1)).field() == "distances");
  // Farther than positions can be: logarithms would overflow.
  CHECK(relative->buckets(std::vector{1e300}, std::span(buckets).first(1)).code() == Code::out_of_range);
  CHECK_FALSE(relative->buckets(std::vector{2 * kMaxPosition}, std::span(buckets).first(1)));
  CHECK(make_right(Shaw{.dim = 4, .with_values = false})->parameters[1].shape == Shape{0, 4});
}

TEST_CASE("shaw: parameters are read anew at each call") {
  auto relative = make_right(Shaw{.dim = 8, .max_distance = 4});
  RelativeCase call(3, 8);
  for (std::uint32_t seed = 1; seed < 4; ++seed) {
    fill(relative->parameters[0], seed);
    std::fill(relative->parameters[1].values.begin(), relative->parameters[1].values.end(), 0.0f);
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const int index = int(std::clamp(c.key_position(b, j) - c.query_position(b, i), -4.0, 4.0)) + 4;
      return dot(c.query(b, h, i), c.key(b, h, j), 8) +
             dot(c.query(b, h, i), relative->parameters[0].values.data() + index * 8, 8);
    });
  }
}

TEST_CASE("nezha: keys and values with sinusoids of clipped distances") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    Random random(seed + 900);
    const Nezha spec{.dim = 1 + random.below(20),
                     .max_distance = random.below(90),
                     .base = random.chance(0.5) ? 10000.0 : 50.0,
                     .with_values = random.chance(0.6)};
    const auto relative = make_right(spec);
    RelativeCase call(seed, spec.dim);
    const auto number = [&](const RelativeCase& c, int b, int i, int j, int f) {
      if (f == spec.dim - spec.dim % 2) return 0.0;
      const double most = spec.max_distance, away = std::floor(c.key_position(b, j) - c.query_position(b, i) + 0.5);
      const double angle = (std::clamp(away, -most, most) + most) / std::pow(spec.base, 2.0 * (f / 2) / spec.dim);
      return f % 2 ? std::cos(angle) : std::sin(angle);
    };
    check_relative(
        call, *relative,
        [&](const RelativeCase& c, int b, int h, int i, int j) {
          const float* q = c.query(b, h, i);
          double sum = dot(q, c.key(b, h, j), c.dim);
          for (int f = 0; f < c.dim; ++f) sum += double(q[f]) * number(c, b, i, j, f);
          return sum;
        },
        [&](const RelativeCase& c, int b, int, int i, int j, int f) {
          return spec.with_values ? number(c, b, i, j, f) : 0.0;
        });
  }
}

TEST_CASE("transformer-xl: (q + u) · k + (q + v) · W R") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 200);
    const int heads = 1 + random.below(4);
    TransformerXl spec{.dim = 1 + random.below(12), .heads = heads, .model_dim = 2 * (1 + random.below(9))};
    if (random.chance(0.3)) spec.clamp_length = random.below(20);
    auto relative = make_right(spec);
    for (std::size_t i = 0; i < 3; ++i) fill(relative->parameters[i], seed + 7 + std::uint32_t(i));
    RelativeCase call(seed, spec.dim, heads);
    // Fractions and far distances take another way.
    if (random.chance(0.3) && !call.key_position_values.empty())
      call.key_position_values[0] += random.chance(0.5) ? 0.25 : 1e6;
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const float *u = relative->parameters[0].values.data() + h * c.dim,
                  *v = relative->parameters[1].values.data() + h * c.dim;
      double distance = c.query_position(b, i) - c.key_position(b, j), sum = 0;
      if (spec.clamp_length > 0) distance = std::clamp(distance, -spec.clamp_length, spec.clamp_length);
      const int half = spec.model_dim / 2;
      for (int f = 0; f < c.dim; ++f) {
        const float* row = relative->parameters[2].values.data() + (h * c.dim + f) * spec.model_dim;
        double projected = 0;
        for (int n = 0; n < half; ++n) {
          const double angle = distance * std::pow(10000.0, -2.0 * n / spec.model_dim);
          projected += row[n] * std::sin(angle) + row[half + n] * std::cos(angle);
        }
        const double q = c.query(b, h, i)[f];
        sum += (q + u[f]) * c.key(b, h, j)[f] + (q + v[f]) * projected;
      }
      return sum;
    });
  }
}

namespace {

/// `make_log_bucket_position` of DeBERTa v2 for query - key; whole results stay whole. `buckets` 0: none.
double published_bucket(double relative, int buckets, int max_distance) {
  const double distance = std::abs(relative), middle = buckets / 2;
  if (buckets == 0 || distance <= middle) return relative;
  const double steps = std::log(distance / middle) / std::log((max_distance - 1) / middle) * (middle - 1);
  const double ceiled = std::abs(steps - std::round(steps)) < 1e-9 ? std::round(steps) : std::ceil(steps);
  return std::copysign(ceiled + middle, relative);
}

}  // namespace

TEST_CASE("deberta: contents and positions by bucket") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    Random random(seed + 300);
    const int heads = 1 + random.below(4);
    Deberta spec{.dim = 1 + random.below(12), .heads = heads, .max_distance = 8 + random.below(60)};
    if (random.chance(0.5)) spec.buckets = 4 + 2 * random.below(4);
    spec.content_to_position = random.chance(0.8);
    spec.position_to_content = random.chance(0.8);
    spec.clamp_distance = random.chance(0.5);
    auto relative = make_right(spec);
    for (std::size_t i = 0; i < 2; ++i) fill(relative->parameters[i], seed + 7 + std::uint32_t(i));
    CHECK(relative->terms == 1 + int(spec.content_to_position) + int(spec.position_to_content));
    RelativeCase call(seed, spec.dim, heads);
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      double distance = c.query_position(b, i) - c.key_position(b, j);
      const double farthest = spec.max_distance - 1.0;
      if (spec.clamp_distance) distance = std::clamp(distance, -farthest, farthest);
      const double bucket = published_bucket(distance, spec.buckets, spec.max_distance);
      const int at = (h * 2 * spec.span() + int(std::clamp(bucket + spec.span(), 0.0, 2.0 * spec.span() - 1))) * c.dim;
      double sum = dot(c.query(b, h, i), c.key(b, h, j), c.dim);
      if (spec.content_to_position) sum += dot(c.query(b, h, i), relative->parameters[0].values.data() + at, c.dim);
      if (spec.position_to_content) sum += dot(c.key(b, h, j), relative->parameters[1].values.data() + at, c.dim);
      return sum;
    });
  }
}

TEST_CASE("deberta: buckets are the published formula, exact where it is whole") {
  Deberta spec{.max_distance = 512, .buckets = 256};
  for (int r = -1100; r <= 1100; ++r) CHECK(spec.bucket(r) == published_bucket(r, 256, 512));
  CHECK(spec.bucket(511) == 255);
  CHECK(spec.bucket(512) == 256);
  spec.clamp_distance = true;
  CHECK(spec.bucket(-1e9) == -255);
  CHECK(make(Deberta{.max_distance = 9, .buckets = 16}).error().field() == "buckets");
  CHECK(make(Deberta{.max_distance = 90, .buckets = 15}).error().field() == "buckets");
}

TEST_CASE("relative: what does not fit is named") {
  auto relative = make_right(Shaw{.dim = 8, .max_distance = 4});
  RelativeCase call(5, 6);
  call.options.relative = relative.get();
  std::vector<float> out(std::size_t(call.scores().size()));
  Error error = attention_weights(call.q_view(), call.k_view(), call.options, view_of(out, call.scores()));
  CHECK(error.code() == Code::shape_mismatch);
  CHECK(error.field() == "encoding");
  RelativeCase narrow(5, 8);
  narrow.options.relative = relative.get();
  narrow.value_dim = 3;
  narrow.v.resize(std::size_t(narrow.batch * narrow.key_heads * narrow.keys * 3));
  std::vector<float> result(narrow.q.size() / 8 * 3);
  error = attention(narrow.q_view(), narrow.k_view(), narrow.v_view(), narrow.options,
                    view_of(result, narrow.shape(narrow.heads(), narrow.queries, 3)));
  CHECK(error.field() == "v");
  std::vector<float> results(std::size_t(narrow.scores().size()));
  error = context_positions(narrow.q_view(), narrow.k_view(), narrow.options, view_of(results, narrow.scores()));
  CHECK(error.code() == Code::unsupported);
  narrow.options.extra_keys = narrow.k_view();
  error = attention_weights(narrow.q_view(), narrow.k_view(), narrow.options, view_of(results, narrow.scores()));
  CHECK(error.field() == "gateKeys");
  CHECK(make(Shaw{.dim = 65536, .max_distance = 1048576}).error().code() == Code::out_of_memory);
  // At once, not after its frequencies.
  CHECK(make(TransformerXl{.dim = 65536, .heads = 4096}).error().field() == "projection");
}

TEST_CASE("relative_shift is Transformer-XL's and XLNet's") {
  // [3, 5]: rows of scores for distances 4 … 0, the second query one further on.
  std::vector<float> x(15), out(15), narrow(6);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(i + 1);
  REQUIRE_FALSE(relative_shift(view_of(x, {3, 5}), false, view_of(out, {3, 5})));
  CHECK(out == std::vector<float>{3, 4, 5, 0, 6, 7, 8, 9, 10, 0, 11, 12, 13, 14, 15});
  REQUIRE_FALSE(relative_shift(view_of(x, {3, 5}), true, view_of(out, {3, 5})));
  CHECK(out == std::vector<float>{3, 4, 5, 0, 0, 7, 8, 9, 10, 0, 11, 12, 13, 14, 15});
  REQUIRE_FALSE(relative_shift(view_of(x, {3, 5}), false, view_of(narrow, {3, 2})));
  CHECK(narrow == std::vector<float>{4, 5, 8, 9, 12, 13});
  CHECK(relative_shift(view_of(x, {15}), false, view_of(out, {15})).field() == "x");
  CHECK(relative_shift(view_of(x, {3, 5}), false, view_of(out, {5, 3})).field() == "out");
}
