// xPos: RoPE with magnitudes. Queries and keys differ, scores do not depend on where the magnitudes are centred.
#include "cpp/support.hpp"
#include "posenc/attention.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr int kDim = 16, kLength = 9;

struct Setting {
  Xpos spec{.common = {.dim = kDim}};
  std::unique_ptr<Rotation> rotation;

  explicit Setting(std::optional<double> centre = {}, Xpos::Rounding rounding = Xpos::Rounding::up,
                   double scale_base = 16) {
    spec.centre = centre;
    spec.centre_rounding = rounding;
    spec.scale_base = scale_base;
    rotation = make_right(spec);
  }
};

std::vector<float> applied(Rotation& rotation, std::vector<float> x, const Positions& positions, Role role,
                           Direction direction = Direction::forward, double length = 0) {
  const Error error = rotation.apply(view_of(x, {1, 1, double(x.size()) / kDim, kDim}), HeadLayout::bhtd, positions,
                                     length, direction, role);
  INFO(error.message());
  REQUIRE_FALSE(error);
  return x;
}

double zeta(int k) { return (2 * k + 0.4 * kDim) / (1.4 * kDim); }

// Plain double code: pairing half.
std::vector<double> formula(const std::vector<float>& x, double first, double centre, double sign, double scale_base) {
  std::vector<double> out(x.size());
  for (std::size_t t = 0; t < x.size() / kDim; ++t)
    for (int k = 0; k < kDim / 2; ++k) {
      const double p = first + double(t), angle = p * std::pow(10000, -2.0 * k / kDim);
      const double grown = std::pow(zeta(k), sign * (p - centre) / scale_base);
      const double a = x[t * kDim + std::size_t(k)], b = x[t * kDim + std::size_t(k + kDim / 2)];
      out[t * kDim + std::size_t(k)] = (a * std::cos(angle) - b * std::sin(angle)) * grown;
      out[t * kDim + std::size_t(k + kDim / 2)] = (a * std::sin(angle) + b * std::cos(angle)) * grown;
    }
  return out;
}

}  // namespace

TEST_CASE("queries are multiplied by powers of ζ, keys divided", "[xpos]") {
  const auto x = random_floats(kLength * kDim, 1);
  Setting up, down({}, Xpos::Rounding::down), fixed(3);
  for (const Role role : {Role::query, Role::key}) {
    const double sign = role == Role::query ? 1 : -1;
    CHECK(largest_difference(applied(*up.rotation, x, run(0, kLength), role), formula(x, 0, 5, sign, 16)) < 4e-7);
    CHECK(largest_difference(applied(*down.rotation, x, run(0, kLength), role), formula(x, 0, 4, sign, 16)) < 4e-7);
    CHECK(largest_difference(applied(*fixed.rotation, x, run(7, kLength), role), formula(x, 7, 3, sign, 16)) < 4e-7);
    // A given length decides, not the positions.
    CHECK(largest_difference(applied(*up.rotation, x, run(0, kLength), role, Direction::forward, 21),
                             formula(x, 0, 11, sign, 16)) < 4e-7);
  }
}

TEST_CASE("the role must be told, and positions stay near the centre", "[xpos]") {
  auto x = random_floats(kLength * kDim, 2);
  const auto before = x;
  Setting setting(0, Xpos::Rounding::up, 512);
  const View view = view_of(x, {1, 1, kLength, kDim});
  const auto call = [&](const Positions& positions, Role role) {
    return setting.rotation->apply(view, HeadLayout::bhtd, positions, 0, Direction::forward, role);
  };
  CHECK(call(run(0, kLength), Role::none).field() == "role");
  CHECK(call(run(0, kLength), Role::none).code() == Code::invalid_argument);
  CHECK(call(run(40000, kLength), Role::key).code() == Code::out_of_range);
  CHECK(call(run(-40000, kLength), Role::query).field() == "positions");
  CHECK(same_bits(x, before));
  std::vector<float> c(kLength * kDim / 2), s(c.size());
  const Shape shape{kLength, kDim / 2};
  CHECK(setting.rotation->tables(run(0, kLength), 0, view_of(c, shape), view_of(s, shape)).field() == "role");
  REQUIRE_FALSE(call(run(32000, kLength), Role::key));
  for (const float value : x) REQUIRE(std::isfinite(value));
}

TEST_CASE("inverse undoes, transpose is the adjoint, for either role", "[xpos]") {
  const auto x = random_floats(kLength * kDim, 3), g = random_floats(kLength * kDim, 4);
  Setting setting;
  for (const Role role : {Role::query, Role::key}) {
    const auto rotated = applied(*setting.rotation, x, run(0, kLength), role);
    CHECK(largest_difference(applied(*setting.rotation, rotated, run(0, kLength), role, Direction::inverse), x) < 1e-6);
    const auto back = applied(*setting.rotation, g, run(0, kLength), role, Direction::transpose);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < x.size(); ++i) left += double(rotated[i]) * g[i], right += double(x[i]) * back[i];
    CHECK(std::abs(left - right) < 2e-6);
  }
}

TEST_CASE("remembered rows tell roles, lengths and centres apart", "[xpos]") {
  const auto x = random_floats(kLength * kDim, 5);
  Setting used;
  for (const double length : {9.0, 20.0, 9.0, 31.0})
    for (const Role role : {Role::query, Role::key, Role::query}) {
      Setting fresh;
      REQUIRE(same_bits(applied(*used.rotation, x, run(0, kLength), role, Direction::forward, length),
                        applied(*fresh.rotation, x, run(0, kLength), role, Direction::forward, length)));
    }
}

TEST_CASE("keys are moved with their magnitudes", "[xpos]") {
  const auto x = random_floats(kLength * kDim, 6);
  Setting one(4), other(11, Xpos::Rounding::up, 64);
  const auto plain = make_right(Rope{.common = {.dim = kDim}});
  const Positions from = run(2, kLength), to = run(9, kLength);
  for (Rotation* target : {one.rotation.get(), other.rotation.get(), plain.get()}) {
    auto keys = applied(*one.rotation, x, from, Role::key);
    REQUIRE_FALSE(
        target->rerotate(view_of(keys, {1, 1, kLength, kDim}), HeadLayout::bhtd, {*one.rotation, from}, {*target, to}));
    CHECK(largest_difference(keys, applied(*target, x, to, Role::key)) < 4e-6);
  }
}

TEST_CASE("attention turns queries and keys as it should", "[xpos]") {
  auto q = random_floats(kLength * kDim, 7), v = random_floats(kLength * kDim, 9);
  const Shape shape{1, 1, kLength, kDim};
  Setting setting;
  // One tensor as queries and keys: they still differ.
  auto rotated_q = applied(*setting.rotation, q, run(0, kLength), Role::query),
       rotated_k = applied(*setting.rotation, q, run(0, kLength), Role::key);
  std::vector<float> wanted(q.size()), got(q.size());
  AttentionOptions options;
  options.causal = true;
  options.temperature = {.factor = 0.5, .length = 2, .offset = 1};
  options.query_positions = options.key_positions = run(0, kLength);
  REQUIRE_FALSE(attention(view_of(rotated_q, shape), view_of(rotated_k, shape), view_of(v, shape), options,
                          view_of(wanted, shape)));
  options.rotation = setting.rotation.get();
  const View both = view_of(q, shape);
  REQUIRE_FALSE(attention(both, both, view_of(v, shape), options, view_of(got, shape)));
  CHECK(largest_difference(got, wanted) < 1e-6);
}

TEST_CASE("temperature grows with the logarithm of the position", "[temperature]") {
  const Temperature llama4{.factor = 0.1, .length = 8192, .offset = 1};
  CHECK(llama4.at(0) == 1);
  CHECK(llama4.at(8190) == 1);
  CHECK(std::abs(llama4.at(8191) - (1 + 0.1 * std::log(2))) < 1e-15);
  CHECK(std::abs(llama4.at(1e6) - (1 + 0.1 * std::log(1 + std::floor(1000001 / 8192.0)))) < 1e-15);
  CHECK(llama4.at(-5) == 1);
  std::vector<float> out(3);
  REQUIRE_FALSE(query_temperature(run(8190, 3), llama4, view_of(out, {3})));
  CHECK(out[0] == 1);
  CHECK(out[1] == float(1 + 0.1 * std::log(2)));
  for (const double factor : {0.1, -0.25, 1e-9, 3e37}) {
    const Temperature each{.factor = factor, .length = 1};
    std::vector<float> many(5000);
    REQUIRE_FALSE(query_temperature(run(-10, 5000), each, view_of(many, {5000})));
    for (int t = 0; t < 5000; ++t) REQUIRE(many[std::size_t(t)] == float(each.at(t - 10)));
  }
  CHECK(query_temperature(run(0, 3), {.factor = 1, .length = 0}, view_of(out, {3})).field() == "temperature");
  CHECK(query_temperature(run(0, 3), {.factor = kInfinity}, view_of(out, {3})).field() == "temperature");
}

TEST_CASE("a scaled query is a scaled score", "[temperature]") {
  auto q = random_floats(6 * kDim, 10), k = random_floats(6 * kDim, 11);
  const Shape shape{1, 1, 6, kDim};
  std::vector<float> got(36), wanted(36);
  AttentionOptions options;
  options.query_positions = options.key_positions = run(3, 6);
  options.temperature = {.factor = 2, .length = 2};
  REQUIRE_FALSE(attention_weights(view_of(q, shape), view_of(k, shape), options, view_of(got, {1, 1, 6, 6})));
  for (std::size_t t = 0; t < 6; ++t)
    for (std::size_t i = 0; i < kDim; ++i) q[t * kDim + i] *= float(options.temperature.at(3 + double(t)));
  options.temperature = {};
  REQUIRE_FALSE(attention_weights(view_of(q, shape), view_of(k, shape), options, view_of(wanted, {1, 1, 6, 6})));
  CHECK(largest_difference(got, wanted) < 1e-6);
}

TEST_CASE("what MLA multiplies the softmax scale by", "[rotary]") {
  const auto factor = [](double scale, double mscale, double all_dim) {
    RopeYarn spec{.factor = scale, .original_length = 4096};
    spec.mscale = mscale;
    spec.mscale_all_dim = all_dim;
    return make_right(spec)->softmax_factor;
  };
  CHECK(factor(40, 0, 0) == 1);
  CHECK(std::abs(factor(40, 1, 1) - 1.8738542070926265) < 1e-14);          // DeepSeek-V3
  CHECK(std::abs(factor(40, 0.707, 0.707) - 1.5896261651208736) < 1e-14);  // DeepSeek-V2-Lite
  CHECK(std::abs(factor(32, 1, 1) - 1.8132604340394958) < 1e-14);          // Kimi K2
  CHECK(make_right(Rope{})->softmax_factor == 1);
}
