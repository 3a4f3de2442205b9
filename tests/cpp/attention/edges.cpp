// What attention gives where there is little to attend to, and what it refuses.
#include "cpp/support.hpp"
#include "posenc/attention.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// Attention of one head over `keys` keys, v counting them.
struct OneHead {
  std::vector<float> q, k, v, out;
  AttentionOptions options;
  int queries, keys;

  OneHead(int queries_, int keys_, float value = 0)
      : q(std::size_t(queries_) * 4, value),
        k(std::size_t(keys_) * 4, value),
        v(std::size_t(keys_)),
        out(std::size_t(queries_), 99),
        queries(queries_),
        keys(keys_) {
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = float(j + 1);
  }
  std::vector<float> run_it() {
    const double tq = queries, tk = keys;
    const Error error = attention(view_of(q, {1, 1, tq, 4}), view_of(k, {1, 1, tk, 4}), view_of(v, {1, 1, tk, 1}),
                                  options, view_of(out, {1, 1, tq, 1}));
    INFO(error.message());
    REQUIRE_FALSE(error);
    return out;
  }
};

// A call whose parts can be spoilt one at a time.
struct Spoilt {
  std::vector<float> values = random_floats(4096, 1), out = std::vector<float>(4096, 5.0f);
  Shape q{2, 4, 3, 8}, k{2, 2, 5, 8}, v{2, 2, 5, 6}, result{2, 4, 3, 6};
  AttentionOptions options;

  View view(std::vector<float>& data, const Shape& shape) { return {data.data(), shape.size(), shape}; }
  Error call() { return attention(view(values, q), view(values, k), view(values, v), options, view(out, result)); }
  void check(Code code, std::string_view field) {
    const Error error = call();
    CAPTURE(error.message());
    CHECK(error.code() == code);
    CHECK(error.field() == field);
    CHECK(std::all_of(out.begin(), out.end(), [](float x) { return x == 5; }));
  }
};

}  // namespace

TEST_CASE("equal scores give the mean of what is visible", "[attention]") {
  OneHead causal(4, 4);
  causal.options.causal = true;
  CHECK(largest_difference(causal.run_it(), std::vector<double>{1, 1.5, 2, 2.5}) < 1e-6);
  OneHead window(4, 6);
  window.options.window_left = 1;
  window.options.window_right = 1;
  CHECK(largest_difference(window.run_it(), std::vector<double>{3, 4, 5, 5.5}) < 1e-6);
  OneHead sink(1, 3);
  const std::vector<float> sinks{0};
  sink.options.sinks = sinks;
  CHECK(largest_difference(sink.run_it(), std::vector<double>{1.5}) < 1e-6);
}

TEST_CASE("a query that sees no key gives zeros", "[attention]") {
  OneHead more_queries(5, 2);
  more_queries.options.causal = true;
  CHECK(largest_difference(more_queries.run_it(), std::vector<double>{0, 0, 0, 1, 1.5}) < 1e-6);
  OneHead masked(2, 70);
  const std::vector<std::uint8_t> mask(70, 0);
  masked.options.mask = {mask.data(), 70, {70}};
  CHECK(masked.run_it() == std::vector<float>{0, 0});
  std::vector<float> weights(140, 99);
  REQUIRE_FALSE(attention_weights(view_of(masked.q, {1, 1, 2, 4}), view_of(masked.k, {1, 1, 70, 4}), masked.options,
                                  view_of(weights, {1, 1, 2, 70})));
  CHECK(weights == std::vector<float>(140, 0.0f));
  OneHead no_keys(3, 0);
  CHECK(no_keys.run_it() == std::vector<float>{0, 0, 0});
}

TEST_CASE("no batch, heads, queries, dim or values is no error", "[attention]") {
  std::vector<float> none, k(20), v(20);
  CHECK_FALSE(attention(view_of(none, {0, 2, 3, 4}), view_of(none, {0, 2, 5, 4}), view_of(none, {0, 2, 5, 4}), {},
                        view_of(none, {0, 2, 3, 4})));
  CHECK_FALSE(attention(view_of(none, {1, 0, 3, 4}), view_of(none, {1, 0, 5, 4}), view_of(none, {1, 0, 5, 4}), {},
                        view_of(none, {1, 0, 3, 4})));
  CHECK_FALSE(attention(view_of(none, {1, 1, 0, 4}), view_of(k, {1, 1, 5, 4}), view_of(v, {1, 1, 5, 4}), {},
                        view_of(none, {1, 1, 0, 4})));
  CHECK_FALSE(attention(view_of(none, {1, 0, 0, 4}), view_of(k, {1, 1, 5, 4}), view_of(v, {1, 1, 5, 4}), {},
                        view_of(none, {1, 0, 0, 4})));
  CHECK_FALSE(attention(view_of(k, {1, 1, 5, 4}), view_of(k, {1, 1, 5, 4}), view_of(none, {1, 1, 5, 0}), {},
                        view_of(none, {1, 1, 5, 0})));
  const double most = 2147483647;
  CHECK_FALSE(attention(view_of(none, {1, 1, most, 0}), view_of(none, {1, 1, 3, 0}), view_of(none, {1, 1, 3, 0}), {},
                        view_of(none, {1, 1, most, 0})));
  std::vector<float> out(5);
  for (std::size_t j = 0; j < 5; ++j) v[j] = float(j);
  v.resize(5);
  REQUIRE_FALSE(attention(view_of(none, {1, 1, 5, 0}), view_of(none, {1, 1, 5, 0}), view_of(v, {1, 1, 5, 1}), {},
                          view_of(out, {1, 1, 5, 1})));
  CHECK(largest_difference(out, std::vector<double>(5, 2)) < 1e-6);
}

TEST_CASE("scores of any size stay finite", "[attention]") {
  OneHead large(3, 70, 100);
  large.k[4 * 69] = 101;  // the last key wins by a score of 50
  CHECK(largest_difference(large.run_it(), std::vector<double>(3, 70)) < 1e-5);
  OneHead opposed(3, 70, 100);
  for (float& x : opposed.k) x = -x;
  CHECK(largest_difference(opposed.run_it(), std::vector<double>(3, 35.5)) < 1e-4);
}

TEST_CASE("what is not a number is not hidden", "[attention]") {
  for (const int queries : {1, 6}) {
    OneHead spoilt_query(queries, 70, 1);
    spoilt_query.q[0] = NAN;
    const auto out = spoilt_query.run_it();
    CHECK(std::isnan(out[0]));
    for (std::size_t i = 1; i < out.size(); ++i) CHECK(std::abs(out[i] - 35.5f) < 1e-4f);
    OneHead spoilt_key(queries, 70, 1);
    spoilt_key.k[4 * 66] = NAN;
    for (const float x : spoilt_key.run_it()) CHECK(std::isnan(x));
  }
}

TEST_CASE("biases that are not all kept are the same", "[attention]") {
  constexpr int kHeads = 64, kQueries = 40, kKeys = 1000;
  const auto q = random_floats(kHeads * kQueries * 2, 1), k = random_floats(kHeads * kKeys * 2, 2);
  std::vector<double> positions;
  for (int j = 0; j < kKeys; ++j) positions.push_back(5 + j);
  const auto attend = [&](Bias& bias, const Positions& keys, const Positions& queries) {
    AttentionOptions options;
    options.encoding_bias = &bias;
    options.key_positions = keys;
    options.query_positions = queries;
    auto query_data = q, key_data = k;
    std::vector<float> out(q.size());
    REQUIRE_FALSE(attention(view_of(query_data, {1, kHeads, kQueries, 2}), view_of(key_data, {1, kHeads, kKeys, 2}),
                            view_of(key_data, {1, kHeads, kKeys, 2}), options, view_of(out, {1, kHeads, kQueries, 2})));
    return out;
  };
  for (const std::string_view kind : {"alibi", "t5", "kerple"})
    for (const std::string_view form : {"", "weighted"}) {
      if (form != "" && kind != "kerple") continue;
      SpecInput spec{{"heads", number(kHeads)}};
      if (form != "") spec.emplace_back("form", text(form));
      const auto bias = create_as<Bias>(kind, spec);
      // Those of positions that are given are kept whatever they take.
      const auto given_last = std::vector<double>(positions.end() - kQueries, positions.end());
      const auto kept = attend(*bias, given(positions), given(given_last));
      CAPTURE(kind, form);
      CHECK(same_bits(attend(*bias, run(5, kKeys), run(5 + kKeys - kQueries, kQueries)), kept));
    }
}

TEST_CASE("a soft cap far above the scores leaves them alone", "[attention]") {
  for (const double cap : {10.0, 1000.0, 1e6}) {
    OneHead plain(2, 9);
    plain.q = random_floats(8, 1);
    plain.k = random_floats(36, 2);
    OneHead capped = plain;
    capped.options.softcap = cap;
    // tanh x = x - x³/3 …: with scores of at most 2 the cap itself moves them by less than 8 / 3 cap².
    CAPTURE(cap);
    CHECK(largest_difference(capped.run_it(), plain.run_it()) < 1e-5 + 30 / (cap * cap));
  }
}

TEST_CASE("the largest soft caps leave scores alone that are taken again exactly, too", "[attention]") {
  OneHead plain(3, 9);
  plain.q = random_floats(12, 1);
  plain.k = random_floats(36, 2);
  plain.options.scale = 40;
  OneHead capped = plain;
  for (const double cap : {1e12, 1e16, 1e25, 3e38}) {
    capped.options.softcap = cap;
    CAPTURE(cap);
    CHECK(largest_difference(capped.run_it(), plain.run_it()) < 1e-5);
  }
}

TEST_CASE("shapes that do not fit are refused by name, the result untouched", "[attention]") {
  CHECK_FALSE(Spoilt().call());
  const auto refuse = [](auto spoil, std::string_view field) {
    Spoilt call;
    spoil(call);
    call.check(Code::shape_mismatch, field);
  };
  refuse([](Spoilt& it) { it.q = {2, 4, 24}; }, "q");
  refuse([](Spoilt& it) { it.q = {2, 4.5, 3, 8}; }, "q");
  refuse([](Spoilt& it) { it.k = {3, 2, 5, 8}; }, "k");
  refuse([](Spoilt& it) { it.k = {2, 2, 5, 6}; }, "k");
  refuse([](Spoilt& it) { it.k = {2, 3, 5, 8}; }, "k");
  refuse([](Spoilt& it) { it.k = {2, 0, 5, 8}; }, "k");
  refuse([](Spoilt& it) { it.v = {2, 2, 4, 6}; }, "v");
  refuse([](Spoilt& it) { it.v = {2, 4, 5, 6}; }, "v");
  refuse([](Spoilt& it) { it.result = {2, 4, 3, 8}; }, "out");
}

TEST_CASE("options that do not fit are refused by name, the result untouched", "[attention]") {
  const std::vector<std::uint8_t> mask(64, 1);
  const std::vector<float> three(3), five(5);
  const auto rope = make_right(Rope{.common = {.dim = 6}});
  const auto alibi = make_right(Alibi{.heads = 2});
  const auto refuse = [](auto spoil, Code code, std::string_view field) {
    Spoilt call;
    spoil(call);
    call.check(code, field);
  };
  for (const Shape& shape :
       {Shape{6}, Shape{4, 5}, Shape{3, 3, 5}, Shape{2, 2, 3, 5}, Shape{2, 4, 3, 2}, Shape{1, 1, 1, 1, 5}}) {
    refuse([&](Spoilt& it) { it.options.mask = {mask.data(), shape.size(), shape}; }, Code::shape_mismatch, "mask");
    refuse(
        [&](Spoilt& it) {
          it.options.bias = it.view(it.values, shape.rank == 3 ? Shape{3, 3, 5} : shape);
        },
        Code::shape_mismatch, "bias");
  }
  refuse([&](Spoilt& it) { it.options.mask = {mask.data(), 4, {5}}; }, Code::shape_mismatch, "mask");
  refuse([&](Spoilt& it) { it.options.sinks = three; }, Code::shape_mismatch, "sinks");
  refuse([&](Spoilt& it) { it.options.sinks = five; }, Code::shape_mismatch, "sinks");
  refuse([&](Spoilt& it) { it.options.rotation = rope.get(); }, Code::shape_mismatch, "encoding");
  refuse([&](Spoilt& it) { it.options.encoding_bias = alibi.get(); }, Code::shape_mismatch, "encoding");
  const std::vector<double> two{0, 1};
  refuse([&](Spoilt& it) { it.options.key_positions = given(two); }, Code::shape_mismatch, "positions");
  refuse([&](Spoilt& it) { it.options.query_positions = given(two); }, Code::shape_mismatch, "positions");
  for (const double wrong : {std::nan(""), kInfinity}) {
    refuse([&](Spoilt& it) { it.options.scale = wrong; }, Code::invalid_argument, "scale");
    refuse([&](Spoilt& it) { it.options.softcap = wrong; }, Code::invalid_argument, "softcap");
  }
  refuse([](Spoilt& it) { it.options.softcap = -1; }, Code::invalid_argument, "softcap");
  refuse([](Spoilt& it) { it.options.window_left = std::nan(""); }, Code::invalid_argument, "window");
  refuse([](Spoilt& it) { it.options.window_right = std::nan(""); }, Code::invalid_argument, "window");
}

TEST_CASE("numbers of a call are such that float32 holds them, too", "[attention]") {
  // Read as float32 they would be infinite or 0, and scores of 0 NaN.
  const auto refuse = [](const auto& spoil, std::string_view field) {
    Spoilt call;
    spoil(call.options);
    call.check(Code::invalid_argument, field);
  };
  for (const double wrong : {1e39, -1e39, 1e300}) refuse([&](AttentionOptions& it) { it.scale = wrong; }, "scale");
  for (const double wrong : {1e39, 1e-39, 1e-300}) refuse([&](AttentionOptions& it) { it.softcap = wrong; }, "softcap");
  const Temperature wrong[]{{1e39, 1, 0}, {-1e39, 1, 0}, {1, 1e-308, 1e308}, {1e38, 1, 1e10}};
  for (const Temperature& each : wrong) {
    refuse([&](AttentionOptions& it) { it.temperature = each; }, "temperature");
    std::vector<float> out(3, 5.0f);
    const Error error = query_temperature(run(2, 3), each, view_of(out, {3}));
    CHECK(error.code() == Code::invalid_argument);
    CHECK(error.field() == "temperature");
    CHECK(out == std::vector<float>(3, 5.0f));
  }
  // Each is small enough, their product is not.
  refuse([](AttentionOptions& it) { it.scale = 1e30, it.temperature = {1e10, 1, 0}; }, "temperature");
  OneHead largest(2, 3), smallest(2, 3), few(2, 3);
  largest.options.scale = 3.4028234e38, largest.options.softcap = 3.4028234e38;
  smallest.options.scale = 1e-300, smallest.options.softcap = 1.1754944e-38;
  // Positions from some 1e9 on would be too hot, these are not.
  few.options.temperature = {1.6e37, 1, 0};
  for (OneHead* each : {&largest, &smallest, &few}) CHECK(each->run_it() == std::vector<float>{2, 2});
}

TEST_CASE("queries without positions are the last of the keys") {
  auto rotation =
      create_as<Rotation>("rope-dynamic", {{"dim", number(4)}, {"factor", number(4)}, {"originalLength", number(8)}});
  auto q = random_floats(8, 1), k = random_floats(120, 2), v = random_floats(120, 3);
  const View queries = view_of(q, {1, 1, 2, 4}), keys = view_of(k, {1, 1, 30, 4}), values = view_of(v, {1, 1, 30, 4});
  std::vector<float> got(8), wanted(8), by_values(8);
  AttentionOptions options;
  options.rotation = rotation.get();
  options.causal = true;
  REQUIRE_FALSE(attention(queries, keys, values, options, view_of(got, {1, 1, 2, 4})));
  options.query_positions = run(28, 2);
  options.sequence_length = 30;
  REQUIRE_FALSE(attention(queries, keys, values, options, view_of(wanted, {1, 1, 2, 4})));
  CHECK(same_bits(got, wanted));
  std::vector<double> positions(30);
  for (std::size_t i = 0; i < 30; ++i) positions[i] = double(i);
  options.key_positions = given(positions);
  options.query_positions = AttentionOptions{}.query_positions;
  REQUIRE_FALSE(attention(queries, keys, values, options, view_of(by_values, {1, 1, 2, 4})));
  CHECK(same_bits(by_values, wanted));
}
