// Few queries meet the keys of a tile together: several heads, queries and members of a group at once, in any layout.
#include "cpp/attention/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

int one_of(Random& random, std::initializer_list<int> values) {
  return values.begin()[random.below(int(values.size()))];
}

Call draw_few(Random& random, std::uint32_t seed, HeadLayout layout, int group, int queries) {
  Call call{};
  call.batch = 1 + random.below(2);
  call.key_heads = one_of(random, {1, 2, 3, 5});
  call.query_heads = call.key_heads * group;
  call.queries = queries;
  call.keys = one_of(random, {1 + random.below(9), 60 + random.below(10), 120 + random.below(90)});
  call.dim = one_of(random, {1, 3, 20, 64, 65, 128});
  call.value_dim = one_of(random, {1, 3, 20, 64, 65, 128});
  call.options.layout = layout;
  fill_random(seed, call);
  return call;
}

// Keys and values that no query sees are no numbers at all.
void spoil_masked(Call& call) {
  const int group = call.query_heads / call.key_heads;
  for (int b = 0; b < call.batch; ++b)
    for (int h = 0; h < call.key_heads; ++h)
      for (int j = 0; j < call.keys; ++j) {
        bool is_attended = false;
        for (int i = 0; i < group * call.queries; ++i)
          is_attended = is_attended || is_visible(call, b, h * group + i / call.queries, i % call.queries, j);
        if (is_attended) continue;
        std::fill_n(call.k.begin() + std::ptrdiff_t(call.row(call.key_heads, call.keys, b, h, j, call.dim)), call.dim,
                    std::numeric_limits<float>::quiet_NaN());
        std::fill_n(call.v.begin() + std::ptrdiff_t(call.row(call.key_heads, call.keys, b, h, j, call.value_dim)),
                    call.value_dim, j % 2 ? std::numeric_limits<float>::infinity() : NAN);
      }
}

}  // namespace

TEST_CASE("few queries are the naive softmax, whatever hidden keys and values hold", "[attention]") {
  std::uint32_t seed = 0;
  for (const HeadLayout layout : {HeadLayout::bhtd, HeadLayout::bthd})
    for (const int group : {1, 2, 3, 8})
      for (int queries = 1; queries <= 9; ++queries)
        for (const bool spoiled : {false, true}) {
          Random random(++seed);
          Call call = draw_few(random, 100 * seed, layout, group, queries);
          draw_options(random, 100 * seed, call);
          if (spoiled) spoil_masked(call);
          CAPTURE(seed, spoiled);
          check_against_naive(call, Naive(call));
        }
}

TEST_CASE("few queries over more keys than are multiplied at once", "[attention]") {
  std::uint32_t seed = 900;
  for (const HeadLayout layout : {HeadLayout::bhtd, HeadLayout::bthd})
    for (const int group : {1, 8})
      for (const bool with_bias : {false, true}) {
        Random random(++seed);
        Call call = draw_few(random, 100 * seed, layout, group, 1 + random.below(3));
        call.batch = 1;
        call.keys = 4000 + random.below(900);
        call.dim = call.value_dim = 20;
        fill_random(seed, call);
        draw_options(random, 100 * seed, call);
        // In packed sequences positions would begin anew.
        if (with_bias) call.segments.clear(), call.options.segments = {};
        Call added = call;
        const auto alibi = create_as<Bias>("alibi", {{"heads", number(call.query_heads)}, {"maxBias", number(64)}});
        if (with_bias) {
          // Biases of an encoding walk keys backwards. Slopes so small that no weight is 0.
          call.bias.clear();
          call.options.bias = {};
          call.options.encoding_bias = alibi.get();
          const double h = call.query_heads, tq = call.queries, tk = call.keys;
          added.bias_shape = {h, tq, tk};
          added.bias.resize(std::size_t(h * tq * tk));
          REQUIRE_FALSE(alibi->bias(tq, tk, tk - tq, run(0, tk), view_of(added.bias, added.bias_shape)));
        }
        CAPTURE(seed, with_bias);
        check_against_naive(call, Naive(added));
      }
}

TEST_CASE("few queries and their keys turn inside attention as they do before it", "[attention]") {
  std::uint32_t seed = 500;
  for (const HeadLayout layout : {HeadLayout::bhtd, HeadLayout::bthd})
    for (const int group : {1, 3})
      for (const int queries : {1, 2, 5, 8}) {
        Random random(++seed);
        Call call = draw_few(random, 100 * seed, layout, group, queries);
        // So wide that not all of the heads are at hand at once.
        call.key_heads = 5;
        call.query_heads = 5 * group;
        call.dim = one_of(random, {2, 64, 320});
        fill_random(seed, call);
        const auto rotation = create_as<Rotation>("rope", {{"dim", number(call.dim)}});
        const Positions keys = run(7, call.keys), positions = run(7 + call.keys - queries, queries);
        Call rotated = call;
        REQUIRE_FALSE(rotation->apply(view_of(rotated.q, call.shape(call.query_heads, queries, call.dim)), layout,
                                      positions, 7 + call.keys, Direction::forward));
        REQUIRE_FALSE(rotation->apply(view_of(rotated.k, call.shape(call.key_heads, call.keys, call.dim)), layout, keys,
                                      7 + call.keys, Direction::forward));
        call.options.rotation = rotation.get();
        call.options.key_positions = keys;
        call.options.query_positions = positions;
        CAPTURE(seed);
        check_against_naive(call, Naive(rotated));
      }
}
