// Is attention the naive softmax, with everything that can be added, hidden and turned?
#include "cpp/attention/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// [B, H, Tq, Tk] and the result in q's layout.
struct Naive {
  std::vector<double> weights, out;
  explicit Naive(const Call& call)
      : out(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), 0.0) {
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.query_heads; ++h)
        for (int i = 0; i < call.queries; ++i) {
          const auto row = weights_of(call, b, h, i);
          weights.insert(weights.end(), row.begin(), row.end());
          const std::size_t target = call.row(call.query_heads, call.queries, b, h, i, call.value_dim);
          for (int j = 0; j < call.keys; ++j) {
            const std::size_t source =
                call.row(call.key_heads, call.keys, b, h / (call.query_heads / call.key_heads), j, call.value_dim);
            for (std::size_t d = 0; d < std::size_t(call.value_dim); ++d)
              out[target + d] += row[std::size_t(j)] * call.v[source + d];
          }
        }
  }
};

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
    INFO(error.message);
    REQUIRE_FALSE(error);
    REQUIRE_FALSE(attention_weights(q, k, call.options, view_of(weights, {b, h, tq, tk})));
  }
};

void check_against_naive(Call& call, const Naive& wanted) {
  CAPTURE(call.batch, call.query_heads, call.key_heads, call.queries, call.keys, call.dim, call.value_dim,
          call.options.softcap);
  const Computed got(call);
  REQUIRE(largest_difference(got.weights, wanted.weights) < 2e-6);
  REQUIRE(largest_difference(got.out, wanted.out) < 4e-6);
}

}  // namespace

TEST_CASE("attention is the naive softmax", "[attention]") {
  for (std::uint32_t seed = 1; seed <= 150; ++seed) {
    Random random(seed);
    Call call = draw_shapes(random, 100 * seed, random.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd);
    draw_options(random, 100 * seed, call);
    CAPTURE(seed);
    check_against_naive(call, Naive(call));
  }
}

TEST_CASE("more queries than are at hand at once", "[attention]") {
  for (const auto& [query_heads, key_heads, queries] : {std::array{1, 1, 700}, {6, 2, 200}, {2, 1, 513}})
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      Random random(seed);
      Call call{};
      call.batch = 1;
      call.query_heads = query_heads;
      call.key_heads = key_heads;
      call.queries = queries;
      call.keys = 90;
      call.dim = call.value_dim = 64;
      call.options.layout = seed == 2 ? HeadLayout::bthd : HeadLayout::bhtd;
      draw_numbers(seed, call);
      draw_options(random, seed, call);
      CAPTURE(seed);
      check_against_naive(call, Naive(call));
    }
}

TEST_CASE("q and k turn inside attention as they do before it", "[attention]") {
  for (const std::string_view kind : {"rope", "rope-yarn", "rope-dynamic", "rope-longrope"})
    for (const std::string_view pairing : Choices<Pairing>::names)
      for (const HeadLayout layout : {HeadLayout::bhtd, HeadLayout::bthd}) {
        Random random(17);
        Call call = draw_shapes(random, 17, layout);
        const auto all = samples_of(FamilyName::rotary);
        const auto sample = std::find_if(all.begin(), all.end(), [&](const Sample& it) { return it.kind == kind; });
        SpecInput spec = sample->with("dim", number(call.dim));
        spec.emplace_back("pairing", text(pairing));
        const auto rotation = create_as<Rotation>(kind, spec);
        // Beyond every originalLength, so that scaled frequencies are in use.
        const Positions keys = run(9000, call.keys), queries = run(9000 + call.keys - call.queries, call.queries);
        Call turned = call;
        REQUIRE_FALSE(rotation->apply(view_of(turned.q, call.shape(call.query_heads, call.queries, call.dim)), layout,
                                      queries, 9000 + call.keys, Direction::forward));
        REQUIRE_FALSE(rotation->apply(view_of(turned.k, call.shape(call.key_heads, call.keys, call.dim)), layout, keys,
                                      9000 + call.keys, Direction::forward));
        call.options.rotation = rotation.get();
        call.options.key_positions = keys;
        call.options.query_positions = queries;
        CAPTURE(kind, pairing);
        check_against_naive(call, Naive(turned));
      }
}

TEST_CASE("an encoding's bias is the same as the tensor of it", "[attention]") {
  for (const AlibiForm form : {AlibiForm::relative, AlibiForm::key, AlibiForm::key_absolute})
    for (const bool listed : {false, true}) {
      Random random(23);
      Call call = draw_shapes(random, 23, HeadLayout::bhtd);
      // A sink sees what softmax alone forgets: a constant added to all scores of a query.
      call.sinks = random_floats(std::size_t(call.query_heads), 24);
      call.options.sinks = call.sinks;
      const auto alibi = make_right(Alibi{.heads = call.query_heads, .form = form});
      std::vector<double> places;
      for (int j = 0; j < call.keys; ++j) places.push_back(listed ? 0.5 * ((7 * j) % call.keys) : 3 + j);
      const double h = call.query_heads, tq = call.queries, tk = call.keys;
      call.options.key_positions = listed ? given(places) : run(3, call.keys);
      call.options.query_positions = run(3 + tk - tq, call.queries);
      Call spelled = call;
      spelled.bias_shape = {h, tq, tk};
      spelled.bias.resize(std::size_t(h * tq * tk));
      REQUIRE_FALSE(alibi->bias(tq, tk, 3 + tk - tq, given(places), view_of(spelled.bias, spelled.bias_shape)));
      call.options.encoding_bias = alibi.get();
      check_against_naive(call, Naive(spelled));
    }
}
