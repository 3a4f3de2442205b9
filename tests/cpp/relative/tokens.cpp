// Encodings that go by what each token says: gates of FoX and of data-dependent ALiBi, reflections of PaTH, written
// out.
#include "cpp/relative/relative.hpp"
#include "posenc/encodings.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// The inputs of a call's tokens, laid out as it is.
struct Tokens {
  Tokens(RelativeCase& call, std::uint32_t seed, int sets = 1) : call(call), sets(sets) {
    const double b = call.batch, t = call.keys, h = call.heads() * sets, k = call.key_heads;
    const bool is_bhtd = call.options.layout == HeadLayout::bhtd;
    gates = random_floats(std::size_t(b * t * h), seed + 21);
    for (float& gate : gates) gate = -std::abs(gate);
    directions = random_floats(call.k.size(), seed + 22);
    strengths = random_floats(std::size_t(b * t * k), seed + 23);
    for (float& strength : strengths) strength = 1 + strength;
    for (std::size_t row = 0; row < directions.size(); row += std::size_t(call.dim)) {
      float* direction = directions.data() + row;
      const double length = std::sqrt(dot(direction, direction, call.dim));
      for (int f = 0; f < call.dim; ++f) direction[f] = float(direction[f] / std::max(length, 1e-3));
    }
    const auto shape = [&](double heads) { return is_bhtd ? Shape{b, heads, t} : Shape{b, t, heads}; };
    gate_view = view_of(gates, shape(h));
    direction_view = view_of(directions, call.shape(call.key_heads, call.keys, call.dim));
    strength_view = view_of(strengths, shape(k));
  }
  double gate(int b, int h, int t, int set = 0) const {
    return gates[call.row(call.heads() * sets, call.keys, b, set * call.heads() + h, t, 1)];
  }
  const float* direction(int b, int h, int t) const {
    return directions.data() + call.row(call.key_heads, call.keys, b, h / call.group, t, call.dim);
  }
  double strength(int b, int h, int t) const {
    return strengths[call.row(call.key_heads, call.keys, b, h / call.group, t, 1)];
  }
  double between(int b, int h, int first, int last, int set = 0) const {
    double sum = 0;
    for (int t = first + 1; t <= last; ++t) sum += gate(b, h, t, set);
    return sum;
  }
  RelativeCase& call;
  int sets;
  std::vector<float> gates, directions, strengths;
  View gate_view, direction_view, strength_view;
};

}  // namespace

TEST_CASE("forget: gates between key and query are added to scaled scores") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    RelativeCase call(seed, 1 + int(seed % 9));
    if (call.queries > call.keys) continue;
    Tokens tokens(call, seed);
    auto relative = make_right(Forget{.heads = call.heads()});
    call.options.tokens[0] = tokens.gate_view;
    call.options.scale = 1;
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const int token = i + c.keys - c.queries;
      const double change = j <= token ? tokens.between(b, h, j, token) : -tokens.between(b, h, token, j);
      return dot(c.query(b, h, i), c.key(b, h, j), c.dim) + change;
    });
  }
}

TEST_CASE("data-dependent-alibi: both directions have gates of their own") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RelativeCase call(seed + 300, 1 + int(seed % 7));
    if (call.queries > call.keys) continue;
    Tokens tokens(call, seed, 2);
    auto relative = make_right(DataDependentAlibi{.dim = 3, .heads = call.heads(), .bidirectional = true});
    call.options.tokens[0] = tokens.gate_view;
    call.options.scale = 1;
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const int token = i + c.keys - c.queries;
      const double change = j <= token ? tokens.between(b, h, j, token) : tokens.between(b, h, token, j, 1);
      return dot(c.query(b, h, i), c.key(b, h, j), c.dim) + change;
    });
  }
}

TEST_CASE("path: reflections of the tokens between key and query") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    RelativeCase call(seed + 600, 1 + int(seed % 9));
    if (call.queries > call.keys) continue;
    Tokens tokens(call, seed);
    auto relative = make_right(Path{.dim = call.dim});
    const bool has_gates = seed % 3 > 0;
    call.options.tokens = {has_gates ? tokens.gate_view : View{}, tokens.direction_view, tokens.strength_view};
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const int token = i + c.keys - c.queries;
      std::vector<double> row(c.query(b, h, i), c.query(b, h, i) + c.dim);
      for (int t = token; t > j; --t) {
        const float* direction = tokens.direction(b, h, t);
        double along = 0;
        for (int f = 0; f < c.dim; ++f) along += row[std::size_t(f)] * double(direction[f]);
        for (int f = 0; f < c.dim; ++f) row[std::size_t(f)] -= tokens.strength(b, h, t) * along * double(direction[f]);
      }
      double sum = has_gates && j <= token ? tokens.between(b, h, j, token) : 0;
      for (int f = 0; f < c.dim; ++f) sum += row[std::size_t(f)] * double(c.key(b, h, j)[f]);
      return sum;
    });
  }
}

TEST_CASE("grape-a: slopes by keys and queries") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RelativeCase call(seed + 900, 1 + int(seed % 9));
    GrapeAdditive spec{
        .dim = call.dim, .heads = call.heads(), .gates = GrapeGates(seed % 3), .normalize = seed % 4 > 0};
    auto relative = make_right(spec);
    for (Parameter& parameter : relative->parameters)
      parameter.values = random_floats(parameter.values.size(), seed + std::uint32_t(parameter.name.size()));
    const auto slopes = Alibi{.heads = call.heads()}.slopes();
    call.options.scale = 1;
    const auto softplus_of = [](double x) { return std::log1p(std::exp(x)); };
    const auto rate = [&](std::size_t which, int h, const float* row) {
      if (relative->parameters[which].values.empty()) return 0.0;
      const float* by = relative->parameters[which].values.data() + h * call.dim;
      const double length = spec.normalize ? std::sqrt(dot(by, by, call.dim)) : 1;
      return softplus_of(dot(by, row, call.dim) / length / std::sqrt(double(call.dim)));
    };
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const double distance = std::max(0.0, c.query_position(b, i) - c.key_position(b, j));
      const double steep =
          softplus_of(double(relative->parameters[0].values[std::size_t(h)])) * double(slopes[std::size_t(h)]);
      const double rates = rate(1, h, c.key(b, h, j)) + rate(2, h, c.query(b, h, i));
      return dot(c.query(b, h, i), c.key(b, h, j), c.dim) - distance * steep * rates;
    });
  }
}

TEST_CASE("grape-ap: what the query finds along the path") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RelativeCase call(seed + 1200, 1 + int(seed % 5));
    if (call.queries > call.keys) continue;
    const int width = 2 * (1 + int(seed % 4));
    std::vector<float> rows = random_floats(std::size_t(call.batch * call.heads() * call.keys * width), seed + 31);
    auto relative = make_right(GrapePath{.heads = call.heads()});
    const auto slopes = Alibi{.heads = call.heads()}.slopes();
    call.options.tokens[3] = view_of(rows, call.shape(call.heads(), call.keys, width));
    call.options.scale = 1;
    const auto row = [&](int b, int h, int t) {
      return rows.data() + call.row(call.heads(), call.keys, b, h, t, width);
    };
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const int token = i + c.keys - c.queries;
      double sum = 0;
      for (int t = j + 1; t <= token; ++t) {
        const float *own = row(b, h, token), *other = row(b, h, t);
        const double length = std::sqrt(dot(other, other, width) / width + 1.1920928955078125e-7);
        const double cosine = std::cos(c.key_position(b, t)), sine = std::sin(c.key_position(b, t));
        double logit = 0;
        for (int f = 0; f < width / 2; ++f) {
          const double x = other[f], y = other[f + width / 2];
          logit += own[f] * (x * cosine + y * sine) + own[f + width / 2] * (y * cosine - x * sine);
        }
        sum -= std::log1p(std::exp(-logit / length / width));
      }
      return dot(c.query(b, h, i), c.key(b, h, j), c.dim) + sum * double(slopes[std::size_t(h)]);
    });
  }
}

TEST_CASE("per-row-alibi: what each query finds before it") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    RelativeCase call(seed + 1500, 1 + int(seed % 5));
    if (call.queries > call.keys) continue;
    const int width = 1 + int(seed % 4);
    const PerRowAlibi spec{.dim = 3, .heads = call.heads(), .gate_dim = width, .post_log_scale = 0.5 + seed % 3};
    std::vector<float> rows = random_floats(std::size_t(call.batch * call.heads() * call.keys * 2 * width), seed + 41);
    auto relative = make_right(PerRowAlibi(spec));
    call.options.tokens[3] = view_of(rows, call.shape(call.heads(), call.keys, 2 * width));
    call.options.scale = 1;
    const auto row = [&](int b, int h, int t) {
      return rows.data() + call.row(call.heads(), call.keys, b, h, t, 2 * width);
    };
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const int token = i + c.keys - c.queries;
      double sum = 0;
      for (int t = j; t < token; ++t)
        sum -= std::log1p(std::exp(-dot(row(b, h, token), row(b, h, t) + width, width) / std::sqrt(double(width))));
      return dot(c.query(b, h, i), c.key(b, h, j), c.dim) + sum * spec.post_log_scale;
    });
  }
}

TEST_CASE("inkling: profiles of the distance that each query mixes") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    RelativeCase call(seed + 1800, 1 + int(seed % 5));
    const int width = 1 + int(seed % 5), extent = seed % 3 ? 1 + int(seed % 90) : 4;
    auto states = random_floats(std::size_t(call.batch * call.heads() * call.queries * width), seed + 51);
    auto relative = make_right(Inkling{.relative_dim = width, .extent = extent});
    const std::vector<float> profiles = random_floats(std::size_t(width * extent), seed + 52);
    relative->parameters[0].values = profiles;
    call.options.tokens[4] = view_of(states, call.shape(call.heads(), call.queries, width));
    call.options.scale = 1;
    const Temperature temperature{.factor = 0.3, .length = 7, .offset = 1, .rule = Temperature::Rule::log};
    if (seed % 2) call.options.temperature = temperature;
    check_relative(call, *relative, [&](const RelativeCase& c, int b, int h, int i, int j) {
      const double position = c.query_position(b, i);
      const double distance = std::floor(position - c.key_position(b, j) + 0.5);
      double sum = dot(c.query(b, h, i), c.key(b, h, j), c.dim);
      const float* state = states.data() + c.row(c.heads(), c.queries, b, h, i, width);
      for (int p = 0; distance >= 0 && distance < extent && p < width; ++p)
        sum += double(state[p]) * double(profiles[std::size_t(p * extent) + std::size_t(distance)]);
      const double growth = std::log(std::max(1.0, (position + 2) / 7));
      return seed % 2 ? (1 + 0.3 * growth) * sum : sum;
    });
  }
}

TEST_CASE("inputs of tokens: what is missing, wrong or of no use is refused") {
  const Shape shape{1, 2, 5, 4}, gates_shape{1, 2, 5};
  std::vector<float> x = random_floats(40, 1), gates(10, -0.5f), out(40);
  const auto attend = [&](Relative* relative, const TokenInputs& tokens, double queries = 5) {
    AttentionOptions options;
    options.relative = relative;
    options.tokens = tokens;
    const View q{x.data(), 8 * queries, {1, 2, queries, 4}}, to{out.data(), 8 * queries, {1, 2, queries, 4}};
    return attention(q, view_of(x, shape), view_of(x, shape), options, to);
  };
  const auto forget = make_right(Forget{.heads = 2});
  const auto path = make_right(Path{.dim = 4});
  const auto shaw = make_right(Shaw{.dim = 4});
  const View right = view_of(gates, gates_shape), direction = view_of(x, shape);
  CHECK_FALSE(attend(forget.get(), {right}));
  CHECK(attend(forget.get(), {}).message() == "logGates: required by this encoding");
  CHECK(attend(forget.get(), {right, direction}).message() == "directions: cannot be used with this encoding");
  CHECK(attend(shaw.get(), {right}).code() == Code::unsupported);
  CHECK(attend(nullptr, {right}).field() == "logGates");
  CHECK(attend(forget.get(), {view_of(gates, {1, 5, 2})}).code() == Code::shape_mismatch);
  CHECK_FALSE(attend(path.get(), {View{}, direction, right}));
  CHECK(attend(path.get(), {View{}, direction, right, direction}).field() == "gateRows");
  CHECK(attend(path.get(), {View{}, direction}).field() == "strengths");
  const auto per_row = make_right(PerRowAlibi{.dim = 3, .heads = 2, .gate_dim = 2});
  CHECK_FALSE(attend(per_row.get(), {View{}, View{}, View{}, direction}));
  CHECK(attend(per_row.get(), {View{}, View{}, View{}, view_of(x, {1, 2, 5, 2})}).field() == "gateRows");
  gates[3] = NAN;
  CHECK(attend(forget.get(), {right}).message() == "logGates: must be finite");
  gates[3] = float(-kInfinity);
  CHECK(attend(forget.get(), {right}).message() == "logGates: must be finite");
}

TEST_CASE("forget: logarithms of gates keep their digits where gates are open") {
  const auto forget = make_right(Forget{.heads = 1});
  const std::vector<float> x{-200, -3, 0, 3, 20, 40, 90};
  std::vector<float> out(x.size()), input = x;
  REQUIRE_FALSE(forget->make_gates(view_of(input, {7}), HeadLayout::bhtd, view_of(out, {7})));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double truth = -std::max(-(long double)x[i], 0.0L) - std::log1p(std::exp(-std::abs((long double)x[i])));
    CHECK(std::abs(double(out[i]) - double(truth)) <= 6e-8 * std::abs(double(truth)) + 1e-44);
  }
}
