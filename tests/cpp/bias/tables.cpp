// Biases that look their numbers up in a learned table.
#include "cpp/bias/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// The largest k with D^k e^(L - k) <= r^L, by logarithms in long double; ties are told by the integers themselves.
int t5_bucket(int r, int exact, int last, int max_distance) {
  const int steps = last + 1 - exact;
  if (r < exact) return r;
  const long double step = std::log((long double)r / exact) / std::log((long double)max_distance / exact) * steps;
  return std::min(exact + int(std::floor(step + 1e-12L)), last);
}

std::vector<std::int32_t> buckets_of(Bias& bias, int queries, int keys, double offset,
                                     const Positions& positions = {}) {
  std::vector<std::int32_t> out(std::size_t(queries * keys));
  const Error error = bias.buckets({double(queries), double(keys), offset, positions}, out);
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

}  // namespace

TEST_CASE("t5: where the buckets begin", "[bias]") {
  CHECK(T5{}.starts() == std::vector<double>{12, 16, 23, 32, 46, 64, 91});
  CHECK(T5{.bidirectional = false}.starts() ==
        std::vector<double>{19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113});
  CHECK(T5{.bucket_count = 4, .max_distance = 2}.starts().empty());
}

TEST_CASE("t5: buckets by the published formula", "[bias]") {
  struct Case {
    int buckets, max_distance;
    bool bidirectional;
  };
  for (const Case& c : {Case{32, 128, true}, Case{32, 128, false}, Case{16, 20, false}, Case{64, 256, true},
                        Case{320, 800, true}, Case{7, 5, true}, Case{5, 1000, false}, Case{4, 2, true}}) {
    const T5 spec{
        .heads = 1, .bucket_count = c.buckets, .max_distance = c.max_distance, .bidirectional = c.bidirectional};
    const auto bias = make_right(spec);
    for (int distance = -1100; distance <= 1100; ++distance) {
      const int side = c.bidirectional ? c.buckets / 2 : c.buckets;
      const int reach = c.bidirectional ? std::abs(distance) : std::max(distance, 0);
      const int expected =
          t5_bucket(reach, side / 2, side - 1, c.max_distance) + (c.bidirectional && distance < 0 ? side : 0);
      CAPTURE(c.buckets, c.max_distance, c.bidirectional, distance);
      REQUIRE(bias->bucket(distance, 0) == expected);
    }
  }
}

TEST_CASE("t5: the bias is the table's row of the bucket", "[bias]") {
  const auto bias = make_right(T5{.heads = 3});
  const auto& weights = bias->parameters[0];
  CHECK(weights.shape == Shape{32, 3});
  for (const double offset : {0.0, 4.0, -2.0, 200.0, 0.5}) {
    const auto look_up = [&](int h, double distance) {
      const int reach = int(std::abs(distance));
      const int bucket = t5_bucket(reach, 8, 15, 128) + (distance < 0 && reach > 0 ? 16 : 0);
      return double(weights.values[std::size_t(bucket * 3 + h)]);
    };
    CHECK(largest_difference(rows_of(*bias, 5, 9, offset), by_distance(3, 5, 9, offset, look_up)) == 0);
  }
  // Fractions are cut off towards the query.
  CHECK(buckets_of(*bias, 1, 4, 0, given({-0.5, 0.5, 1.9, -1.9})) == std::vector<std::int32_t>{0, 0, 17, 1});
}

TEST_CASE("swin: displacements inside a window", "[bias]") {
  for (const bool token : {false, true}) {
    const Swin spec{.heads = 2, .window_height = 3, .window_width = 4, .class_token = token};
    const auto bias = make_right(spec);
    const auto& weights = bias->parameters[0];
    CHECK(weights.shape == Shape{token ? 38.0 : 35.0, 2});
    const int n = spec.window().position_count();
    const auto index = buckets_of(*bias, n, n, 0);
    const auto rows = rows_of(*bias, n, n, 0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const int q = i - token, k = j - token;
        int expected = (q / 4 - k / 4 + 2) * 7 + q % 4 - k % 4 + 3;
        if (q < 0 || k < 0) expected = q >= 0 ? 36 : k >= 0 ? 35 : 37;
        CAPTURE(token, i, j);
        REQUIRE(index[std::size_t(i * n + j)] == expected);
        // A row may begin anywhere, as attention's tiles do.
        std::vector<float> rest(std::size_t(n - j));
        BiasScratch& scratch = *Workspace::of_thread().of<BiasScratch>(*bias);
        bias->row(1, i, j, rest.size(), rest.data(), scratch);
        REQUIRE(std::equal(rest.begin(), rest.end(), rows.begin() + n * n + i * n + j));
        for (std::size_t h = 0; h < 2; ++h)
          REQUIRE(rows[h * std::size_t(n * n) + std::size_t(i * n + j)] ==
                  weights.values[std::size_t(expected) * 2 + h]);
      }
  }
  // The corner that both papers print: the first place against the last of a 2 × 2 window.
  const auto small = make_right(Swin{.heads = 1, .window_height = 2, .window_width = 2});
  CHECK(buckets_of(*small, 4, 4, 0) == std::vector<std::int32_t>{4, 3, 1, 0, 5, 4, 2, 1, 7, 6, 4, 3, 8, 7, 5, 4});
}

TEST_CASE("swin: places outside of the window are refused", "[bias]") {
  const auto bias = make_right(Swin{.heads = 1, .window_height = 2, .window_width = 3});
  std::vector<float> out(6 * 7, 5.0f);
  const auto before = out;
  const auto refused = [&](double queries, double keys, double offset, const Positions& positions = {}) {
    const Error error = bias->bias(queries, keys, offset, positions, view_of(out, {1, queries, keys}));
    CAPTURE(error.message());
    CHECK(error.code() == Code::out_of_range);
    CHECK(error.field() == "positions");
    CHECK(same_bits(out, before));
  };
  refused(6, 7, 0);
  refused(6, 7, 1);
  const std::vector<double> fraction{0, 1, 2.5}, negative{0, -1};
  refused(14, 3, 0, given(fraction));
  refused(1, 42, 0);
  out.resize(2);
  CHECK(bias->bias(1, 2, 0, given(negative), view_of(out, {1, 1, 2})).code() == Code::out_of_range);
  CHECK(bias->bias(1, 2, 0.5, {}, view_of(out, {1, 1, 2})).code() == Code::out_of_range);
}

TEST_CASE("positions far apart have the biases of near ones", "[bias]") {
  const auto bias = make_right(T5{.heads = 2});
  const auto rows = rows_of(*bias, 1, 5, 1e9, given({1e9, 1e9 - 1, 0, 1e9 + 300, 3}));
  const auto near = rows_of(*bias, 1, 2, 1);
  CHECK(rows[0] == near[1]);
  CHECK(rows[1] == near[0]);
  const auto& weights = bias->parameters[0].values;
  CHECK(rows[2] == weights[30]);
  CHECK(rows[3] == weights[62]);
  CHECK(rows[4] == weights[30]);
}

TEST_CASE("parameters are read anew at each call", "[bias]") {
  const auto bias = make_right(T5{.heads = 2});
  const auto before = rows_of(*bias, 4, 4, 0);
  set(*bias, "weights", std::vector<float>(64, 2.5f));
  CHECK(rows_of(*bias, 4, 4, 0) == std::vector<float>(32, 2.5f));
  CHECK_FALSE(same_bits(before, rows_of(*bias, 4, 4, 0)));
}

TEST_CASE("buckets are for kinds with a table", "[bias]") {
  std::vector<std::int32_t> out(4);
  CHECK(make_right(Alibi{.heads = 2})->buckets({2, 2, 0}, out).code() == Code::unsupported);
  CHECK(make_right(T5{})->buckets({-1, 2, 0}, out).field() == "queries");
}

TEST_CASE("swin-v2: a network of logarithms of displacements", "[bias]") {
  const SwinV2 specs[]{{.heads = 2, .window_height = 3, .window_width = 4, .width = 5},
                       {.heads = 1, .window_height = 1, .window_width = 5, .pretrained_width = 3, .width = 40},
                       {.heads = 3, .window_height = 2, .window_width = 2, .pretrained_height = 7, .width = 1}};
  for (const SwinV2& spec : specs) {
    const auto bias = make_right(spec);
    const int width = spec.window_width, n = spec.window().position_count();
    const auto number = [&](int parameter, int at) {
      return double(bias->parameters[std::size_t(parameter)].values[std::size_t(at)]);
    };
    const auto spread = [](int away, int pretrained, int own) {
      const double most = (pretrained ? pretrained : own) - 1;
      return away == 0 ? 0 : std::copysign(std::log2(8 * std::abs(away) / most + 1) / 3, away);
    };
    const auto rows = rows_of(*bias, n, n, 0);
    for (int h = 0; h < spec.heads; ++h)
      for (int q = 0; q < n; ++q)
        for (int k = 0; k < n; ++k) {
          const double y = spread(q / width - k / width, spec.pretrained_height, spec.window_height),
                       x = spread(q % width - k % width, spec.pretrained_width, width);
          double sum = 0;
          for (int unit = 0; unit < spec.width; ++unit)
            sum += number(2, h * spec.width + unit) *
                   std::max(0.0, number(0, 2 * unit) * y + number(0, 2 * unit + 1) * x + number(1, unit));
          CAPTURE(h, q, k);
          REQUIRE(std::abs(rows[std::size_t((h * n + q) * n + k)] - 16 / (1 + std::exp(-sum))) < 1e-6);
        }
  }
  // What is kept follows the numbers.
  const auto bias = make_right(specs[0]);
  const auto before = rows_of(*bias, 12, 12, 0);
  bias->parameters[1].values[3] += 2;
  CHECK(largest_difference(rows_of(*bias, 12, 12, 0), before) > 1e-3);
  bias->parameters[1].values[3] -= 2;
  CHECK(largest_difference(rows_of(*bias, 12, 12, 0), before) < 1e-5);
  CHECK(make(SwinV2{.pretrained_width = 1}).error().field() == "pretrainedWidth");
  CHECK(make(SwinV2{.heads = 1000, .window_height = 100, .window_width = 100}).error().field() == "windowHeight");
}
