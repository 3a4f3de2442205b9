// Is attention the naive softmax, with everything that can be added, hidden and turned?
#include "cpp/attention/support.hpp"

using namespace posenc;
using namespace posenc::test;

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
      fill_random(seed, call);
      draw_options(random, seed, call);
      CAPTURE(seed);
      check_against_naive(call, Naive(call));
    }
}

TEST_CASE("chunks of queries in any order are the whole call", "[attention]") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    Call call{};
    call.batch = 1 + random.below(2);
    call.key_heads = 1 + random.below(3);
    call.query_heads = call.key_heads * (1 + random.below(3));
    call.queries = 1 + random.below(seed % 2 ? 700 : 20);
    call.keys = call.queries + random.below(90);
    call.dim = call.value_dim = 16;
    fill_random(seed, call);
    draw_options(random, seed, call);
    CAPTURE(seed);
    const Shape shape = call.shape(call.query_heads, call.queries, call.value_dim);
    const auto attend = [&](ChunkRange* chunks, std::vector<float>& out) {
      call.options.chunks = chunks;
      REQUIRE_FALSE(attention(view_of(call.q, call.shape(call.query_heads, call.queries, call.dim)),
                              view_of(call.k, call.shape(call.key_heads, call.keys, call.dim)),
                              view_of(call.v, call.shape(call.key_heads, call.keys, call.value_dim)), call.options,
                              view_of(out, shape)));
    };
    std::vector<float> whole(call.q.size()), parts(call.q.size(), -7.0f);
    attend(nullptr, whole);
    ChunkRange count{.first = 0, .most = 0};
    attend(&count, parts);
    REQUIRE(count.all >= 1);
    CHECK(parts == std::vector<float>(call.q.size(), -7.0f));
    for (int last = int(count.all); last > 0;) {
      const int most = 1 + random.below(last);
      ChunkRange range{.first = double(last - most), .most = double(most)};
      attend(&range, parts);
      CHECK(range.all == count.all);
      last -= most;
    }
    CHECK(parts == whole);
    ChunkRange beyond{.first = count.all};
    attend(&beyond, parts);
    CHECK(parts == whole);
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
        Call rotated = call;
        REQUIRE_FALSE(rotation->apply(view_of(rotated.q, call.shape(call.query_heads, call.queries, call.dim)), layout,
                                      queries, 9000 + call.keys, Direction::forward));
        REQUIRE_FALSE(rotation->apply(view_of(rotated.k, call.shape(call.key_heads, call.keys, call.dim)), layout, keys,
                                      9000 + call.keys, Direction::forward));
        call.options.rotation = rotation.get();
        call.options.key_positions = keys;
        call.options.query_positions = queries;
        CAPTURE(kind, pairing);
        check_against_naive(call, Naive(rotated));
      }
}

TEST_CASE("attention with no encoding has the bits of attention without one", "[attention]") {
  const auto none = make_right(NoEncoding{});
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    Call call = draw_shapes(random, seed, HeadLayout::bhtd);
    draw_options(random, seed, call);
    const Shape q = call.shape(call.query_heads, call.queries, call.dim),
                k = call.shape(call.key_heads, call.keys, call.dim),
                v = call.shape(call.key_heads, call.keys, call.value_dim),
                shape = call.shape(call.query_heads, call.queries, call.value_dim);
    const auto attend = [&] {
      std::vector<float> out(std::size_t(shape.size()), 99);
      REQUIRE_FALSE(
          attention(view_of(call.q, q), view_of(call.k, k), view_of(call.v, v), call.options, view_of(out, shape)));
      return out;
    };
    CAPTURE(seed);
    const auto without = attend();
    put_inside(call.options, *none);
    CHECK(same_bits(attend(), without));
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
      std::vector<double> positions;
      for (int j = 0; j < call.keys; ++j) positions.push_back(listed ? 0.5 * ((7 * j) % call.keys) : 3 + j);
      const double h = call.query_heads, tq = call.queries, tk = call.keys;
      call.options.key_positions = listed ? given(positions) : run(3, call.keys);
      call.options.query_positions = run(3 + tk - tq, call.queries);
      Call spelled = call;
      spelled.bias_shape = {h, tq, tk};
      spelled.bias.resize(std::size_t(h * tq * tk));
      REQUIRE_FALSE(alibi->bias(tq, tk, 3 + tk - tq, given(positions), view_of(spelled.bias, spelled.bias_shape)));
      call.options.encoding_bias = alibi.get();
      check_against_naive(call, Naive(spelled));
    }
}
