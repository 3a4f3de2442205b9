// Biases that are functions of the distance: kernels, waves, networks, masks.
#include "cpp/bias/support.hpp"
#include "posenc/math/real.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

const std::vector<float> kAmplitude{1.5f, 0.25f}, kRate{0.7f, 2.0f}, kExponent{1.25f, 0.5f};

std::unique_ptr<Bias> kerple(KerpleForm form, bool bidirectional) {
  auto bias = make_right(Kerple{.heads = 2, .form = form, .bidirectional = bidirectional});
  for (Parameter& parameter : bias->parameters) {
    if (parameter.values.empty()) continue;
    const bool is_rate = parameter.name == "rate" || parameter.name == "weightRate";
    parameter.values = parameter.name == "amplitude" ? kAmplitude : is_rate ? kRate : kExponent;
  }
  return bias;
}

double away(double distance, bool bidirectional) {
  return bidirectional ? std::abs(distance) : std::max(distance, 0.0);
}

}  // namespace

TEST_CASE("quick exp, log and power are those of mathematics", "[real]") {
  Random random(5);
  for (int i = 0; i < 20000; ++i) {
    const double x = random.uniform(-700, 700);
    REQUIRE(std::abs(quick_exp(x) / std::exp(x) - 1) < 4e-16 * (1 + std::abs(x) / 100));
    const double y = std::exp(double(random.uniform(-40, 40)));
    REQUIRE(std::abs(quick_log(y) - std::log(y)) <= 3e-16 * (0.01 + std::abs(std::log(y))));
    const double p = random.uniform(-3, 3);
    REQUIRE(std::abs(quick_power(y, p) / std::pow(y, p) - 1) < 1e-13);
  }
  for (const double tiny : {1e-12, -1e-12, 1e-3, -1e-3})
    CHECK(std::abs(quick_log(1 + tiny) - std::log(1 + tiny)) <= 1e-16 * std::abs(tiny) + 1e-30);
  CHECK(quick_exp(0) == 1);
  CHECK(quick_exp(-1e300) == 0);
  CHECK(quick_exp(1e300) == kInfinity);
  CHECK(std::isnan(quick_exp(std::nan(""))));
  CHECK(quick_log(1) == 0);
  CHECK(quick_log(0) == -kInfinity);
  CHECK(quick_log(kInfinity) == kInfinity);
  CHECK(std::isnan(quick_log(-1)));
  CHECK(quick_power(0, 0) == 1);
  CHECK(quick_power(0, 2.5) == 0);
  CHECK(quick_power(7, 1) == 7);
}

TEST_CASE("kerple: each form is its formula", "[bias]") {
  for (const bool bidirectional : {false, true})
    for (const double offset : {0.0, 4.0, -3.0, 1.5}) {
      CAPTURE(bidirectional, offset);
      const auto compare = [&](KerpleForm form, const auto& formula) {
        const auto bias = kerple(form, bidirectional);
        CHECK(largest_difference(rows_of(*bias, 5, 9, offset), by_distance(2, 5, 9, offset, [&](int h, double d) {
                                   const std::size_t at = std::size_t(h);
                                   return formula(away(d, bidirectional), kAmplitude[at], kRate[at], kExponent[at]);
                                 })) < 1e-6);
      };
      compare(KerpleForm::log, [](double d, double p, double a, double) { return -p * std::log(1 + a * d); });
      compare(KerpleForm::power, [](double d, double a, double, double p) { return -a * std::pow(d, p); });
      compare(KerpleForm::weighted, [](double d, double a, double, double p) { return -a * std::pow(d, p); });
      compare(KerpleForm::log_power,
              [](double d, double b, double a, double p) { return -b * std::log(1 + a * std::pow(d, p)); });
    }
}

TEST_CASE("kerple: the weighted form multiplies scores first", "[bias]") {
  const auto bias = kerple(KerpleForm::weighted, false);
  auto scores = random_floats(3 * 2 * 5 * 9, 1);
  const auto before = scores;
  REQUIRE_FALSE(bias->apply_to({.offset = 4}, view_of(scores, {3, 2, 5, 9})));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t h = i / 45 % 2;
    const double d = std::max(4.0 + double(i / 9 % 5) - double(i % 9), 0.0);
    const double expected =
        double(before[i]) * std::exp(-kRate[h] * std::pow(d, kExponent[h])) - kAmplitude[h] * std::pow(d, kExponent[h]);
    REQUIRE(std::abs(scores[i] - expected) < 3e-6);
  }
}

TEST_CASE("kerple: numbers stay within the authors' limits, and begin as theirs", "[bias]") {
  const auto bias = make_right(Kerple{.heads = 1, .form = KerpleForm::power});
  set(*bias, "amplitude", {-4});
  set(*bias, "exponent", {9});
  CHECK(std::abs(rows_of(*bias, 1, 4, 3)[0] + 0.01 * 9) < 1e-7);
  const auto log = make_right(Kerple{.heads = 64});
  for (const float amplitude : log->parameters[0].values) CHECK((amplitude > 0 && amplitude < 2));
  for (const float rate : log->parameters[1].values) CHECK((rate > 0 && rate < 1));
  CHECK(log->parameters[2].values.empty());
  const auto nemo = make_right(Kerple{.heads = 12, .form = KerpleForm::log_power});
  CHECK(nemo->parameters[0].values == Alibi{.heads = 12}.slopes());
  CHECK(nemo->parameters[1].values == std::vector<float>(12, 0.0f));
  CHECK(nemo->parameters[2].values == std::vector<float>(12, 1.0f));
  CHECK_FALSE(same_bits(make_right(Kerple{.init = {.seed = 1}})->parameters[0].values,
                        make_right(Kerple{.init = {.seed = 2}})->parameters[0].values));
}

TEST_CASE("sandwich: a sum of cosines, less in later heads", "[bias]") {
  for (const int dim : {2, 6, 10, 64})
    for (const bool bidirectional : {false, true})
      for (const double offset : {0.0, 1000.0, -2.5}) {
        const auto bias = make_right(Sandwich{.heads = 3, .dim = dim, .bidirectional = bidirectional});
        CAPTURE(dim, bidirectional, offset);
        CHECK(largest_difference(rows_of(*bias, 4, 6, offset), by_distance(3, 4, 6, offset, [&](int h, double d) {
                                   double sum = 0;
                                   for (int i = 1; i <= dim / 2; ++i)
                                     sum += std::cos(away(d, bidirectional) * std::pow(10000.0, -2.0 * i / dim));
                                   return (sum - dim / 2) * 3 / (8.0 * (h + 1));
                                 })) < 2e-6);
      }
}

TEST_CASE("fire: a network of the distance relative to the query's place", "[bias]") {
  for (const bool bidirectional : {false, true})
    for (const double length : {0.0, 3.0, 512.0})
      for (const double offset : {0.0, 7.0}) {
        const Fire spec{.heads = 2, .width = 5, .length = length, .bidirectional = bidirectional};
        const auto bias = make_right(spec);
        set(*bias, "c", {-0.3f});
        set(*bias, "lengthFactor", {-0.75f});
        const auto& p = bias->parameters;
        const auto spread = [](double y) { return std::log(1 + std::abs(double(-0.3f) * y)); };
        std::vector<double> expected;
        for (std::size_t h = 0; h < 2; ++h)
          for (int i = 0; i < 5; ++i)
            for (int j = 0; j < 70; ++j) {
              const double query = offset + i, d = away(query - j, bidirectional);
              const double x = spread(d) / (spread(std::max(query, 0.75 * length)) + 1e-6);
              double sum = p[3].values[h];
              for (std::size_t u = 0; u < 5; ++u)
                sum += p[2].values[h * 5 + u] * std::max(0.0, double(p[0].values[u]) * x + p[1].values[u]);
              expected.push_back(sum);
            }
        CAPTURE(bidirectional, length, offset);
        const auto got = rows_of(*bias, 5, 70, offset);
        for (std::size_t i = 0; i < got.size(); ++i)
          REQUIRE(std::abs(got[i] - expected[i]) <= 2e-7 * std::max(1.0, std::abs(expected[i])));
      }
}

TEST_CASE("no encoding: zeros for whoever asks", "[bias]") {
  CHECK(rows_of(*make_right(NoEncoding{}), 3, 5, -2) == std::vector<float>(15, 0.0f));
  CHECK(rows_of(*make_right(NoEncoding{.heads = 2}), 3, 2, 1e9, given({5.5, -3})) == std::vector<float>(12, 0.0f));
}

TEST_CASE("mask: causal triangles and windows", "[bias]") {
  const float masked = -std::numeric_limits<float>::infinity();
  for (const bool causal : {false, true})
    for (const int left : {-1, 0, 2})
      for (const int right : {-1, 0, 3}) {
        const auto bias = make_right(Mask{.causal = causal, .window_left = left, .window_right = right});
        const auto rows = rows_of(*bias, 6, 9, 3);
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 9; ++j) {
            const int query = 3 + i;
            const bool visible =
                (!causal || j <= query) && (left < 0 || j >= query - left) && (right < 0 || j <= query + right);
            REQUIRE(rows[std::size_t(i * 9 + j)] == (visible ? 0 : masked));
          }
      }
  CHECK(rows_of(*make_right(Mask{.hidden = -1e4}), 1, 3, 0) == std::vector<float>{0, -1e4f, -1e4f});
}
