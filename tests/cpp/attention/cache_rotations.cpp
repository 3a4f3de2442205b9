// What rotates the keys of a cache: encodings that change, move, end or fail.
#include "cache_model.hpp"

namespace posenc::test {

TEST_CASE("a cache outlives its encoding, and follows what that has learned") {
  Random random(4);
  CacheSpec spec{.heads = 1, .dim = 8, .value_dim = 8, .capacity = 16};
  auto cache = KeyValueCache::make(spec);
  REQUIRE(cache);
  NaiveCache naive(spec);
  AttentionOptions options;
  options.causal = true;
  const auto check = [&] {
    REQUIRE(!append(**cache, naive, {draw_token(random, spec, {double(naive.tokens.size())})}, false));
    const auto q = random_floats(8, std::uint32_t(naive.tokens.size()));
    CHECK(largest_difference(attend(**cache, q, 1, 1, options), naive.attend(q, 1, 1, options)) <= 1e-6);
  };
  const std::vector<double> frequencies{1, 0.5, 0.25, 0.125};
  for (int round = 0; round < 2; ++round) {
    const auto rope = create_as<Rotation>("rope", {{"dim", number(8)}, {"frequencies", numbers(frequencies)}});
    options.rotation = rope.get();
    check();
    rope->parameters[0].values[1] = 0.75f;
    check();
    check();
  }
}

TEST_CASE("frequencies that are not numbers spoil a call, and not the keys of a cache") {
  CacheSpec spec{.heads = 1, .dim = 8, .value_dim = 8, .capacity = 16};
  auto made = KeyValueCache::make(spec);
  REQUIRE(made);
  const auto rope = create_as<Rotation>("rope", {{"dim", number(8)}, {"frequencies", numbers({1, 0.5, 0.25, 0.125})}});
  std::vector<float> rows = random_floats(16, 4), q = random_floats(8, 3), out(8);
  const View two = view_of(rows, {1, 1, 2, 8});
  REQUIRE_FALSE((*made)->append(two, two, Positions::run(0, 2)));
  AttentionOptions options;
  options.causal = true;
  options.rotation = rope.get();
  // Training may end with this.
  rope->parameters[0].values[1] = std::nanf("");
  REQUIRE_FALSE((*made)->attend(view_of(q, {1, 1, 1, 8}), options, view_of(out, {1, 1, 1, 8})));
  std::vector<std::uint8_t> bytes(std::size_t((*made)->snapshot_bytes()));
  REQUIRE_FALSE((*made)->snapshot(bytes));
  CHECK_FALSE((*made)->restore(bytes));
  options.rotation = nullptr;
  REQUIRE_FALSE((*made)->attend(view_of(q, {1, 1, 1, 8}), options, view_of(out, {1, 1, 1, 8})));
  CHECK(std::ranges::all_of(out, [](float number) { return std::isfinite(number); }));
}

TEST_CASE("what rotated tokens that left the window does not rotate those after them") {
  const auto rotation = make_right(RopeMrope{.common = {.dim = 6, .sections = {1, 1, 1}}});
  auto made = KeyValueCache::make({.heads = 1, .dim = 6, .value_dim = 6, .capacity = 9, .window = 1});
  REQUIRE(made);
  std::vector<float> rows = random_floats(12, 4), q(6), out(6);
  const View two = view_of(rows, {1, 1, 2, 6}), query = view_of(q, {1, 1, 1, 6}), result = view_of(out, {1, 1, 1, 6});
  const auto append = [&](const Positions& at) { return (*made)->append(two, two, at); };
  const Positions next = Positions::run(std::nan(""), 0);
  AttentionOptions options;
  options.causal = true;
  options.rotation = rotation.get();
  REQUIRE_FALSE(append(next));
  REQUIRE_FALSE((*made)->attend(query, options, result));
  REQUIRE_FALSE(append(next));
  const std::vector<double> positions(4, 1);
  Positions of_two_axes = Positions::given({positions.data(), 2}, 2);
  of_two_axes.axes = 2;
  of_two_axes.stride = 2;
  for (int i = 0; i < 3; ++i) REQUIRE_FALSE(append(of_two_axes));
  CHECK((*made)->attend(query, options, result).code() == Code::shape_mismatch);
}

TEST_CASE("append rejects positions with other axes than the encoding of the next attend") {
  const auto rope = create_as<Rotation>("rope", {{"dim", number(6)}});
  const auto mrope = make_right(RopeMrope{.common = {.dim = 6, .sections = {1, 1, 1}}});
  auto made = KeyValueCache::make({.heads = 1, .dim = 6, .value_dim = 6, .capacity = 9});
  REQUIRE(made);
  std::vector<float> rows = random_floats(6, 4);
  const View one = view_of(rows, {1, 1, 1, 6});
  const std::vector<double> values(3, 1);
  Positions at = Positions::given({values.data(), 1}, 1);
  at.axes = 3;
  at.stride = 1;
  const Error error = (*made)->append(one, one, at, rope.get());
  CHECK(error.code() == Code::shape_mismatch);
  CHECK(error.field() == "positions");
  CHECK((*made)->length() == 0);
  REQUIRE_FALSE((*made)->append(one, one, Positions::run(0, 1), mrope.get()));
  REQUIRE_FALSE((*made)->append(one, one, at, mrope.get()));
  // Positions with one axis follow on all three.
  CHECK((*made)->append(one, one, Positions::run(5, 1), rope.get()).code() == Code::shape_mismatch);
  REQUIRE_FALSE((*made)->append(one, one, Positions::run(5, 1), mrope.get()));
  CHECK((*made)->length() == 3);
}

TEST_CASE("a shift of an empty cache does not round the angles of later tokens") {
  const auto rope = create_as<Rotation>("rope", {{"dim", number(8)}, {"precision", text("float32")}});
  std::vector<float> rows = random_floats(2 * 8, 4), q = random_floats(8, 3);
  const View two = view_of(rows, {1, 1, 2, 8});
  const std::vector<double> positions{1e6 + 0.3, 1e6 + 5.7};
  std::vector<std::vector<float>> results;
  for (const double delta : {0.0, 999000.1}) {
    auto made = KeyValueCache::make({.heads = 1, .dim = 8, .value_dim = 8, .capacity = 4});
    REQUIRE(made);
    REQUIRE_FALSE((*made)->shift(delta));
    REQUIRE_FALSE((*made)->append(two, two, given(positions)));
    AttentionOptions options;
    options.rotation = rope.get();
    auto& out = results.emplace_back(8);
    REQUIRE_FALSE((*made)->attend(view_of(q, {1, 1, 1, 8}), options, view_of(out, {1, 1, 1, 8})));
  }
  CHECK(results[0] == results[1]);
}

TEST_CASE("axes that are shifted apart") {
  const auto rotation = make_right(RopeMrope{.common = {.dim = 12, .sections = {1, 2, 3}}});
  // Tokens of text have one position for all axes, and the window lets some of them go.
  for (const int window : {0, 5}) {
    for (const auto type : {ElementType::float32, ElementType::float16}) {
      const bool own_axes = window == 0;
      CacheSpec spec{.batch = 2, .heads = 1, .dim = 12, .value_dim = 4, .capacity = 40, .type = type, .window = window};
      auto made = KeyValueCache::make(spec);
      REQUIRE(made);
      KeyValueCache& cache = **made;
      NaiveCache naive(spec, 3);
      Random random(5);
      AttentionOptions options;
      options.causal = true;
      options.rotation = rotation.get();
      double next = 0;
      const auto check = [&](std::vector<double> at) {
        REQUIRE(!append(cache, naive, {draw_token(random, spec, at)}, own_axes));
        const auto q = random_floats(2 * 12, std::uint32_t(next));
        CHECK(largest_difference(attend(cache, q, 1, 1, options), naive.attend(q, 1, 1, options)) <=
              (type == ElementType::float32 ? 1e-6 : 1e-3));
        std::vector<double> positions(naive.tokens.size() * 6);
        if (cache.position_axes() == 3) {
          REQUIRE(!cache.positions(positions));
          for (std::size_t i = 0; i < positions.size(); ++i)
            REQUIRE(positions[i] == naive.tokens[i % naive.tokens.size()].position[i / naive.tokens.size()]);
        }
      };
      const auto token = [&] {
        std::vector<double> at(6, next++);
        if (own_axes) at = {next, next, next + 2, next + 2, next / 2, next / 2};
        check(at);
      };
      for (int i = 0; i < 7; ++i) token();
      for (const std::vector<double>& delta :
           {std::vector<double>{-2, 3.5, 1e9}, std::vector<double>{10}, std::vector<double>{0, 0, -1e9}}) {
        REQUIRE(!cache.shift(delta));
        naive.shift(delta);
        // Later tokens follow the largest coordinate.
        const auto last = naive.tokens.back().position;
        next = std::ranges::max(last) + 1;
        token();
        std::vector<std::uint8_t> bytes(std::size_t(cache.snapshot_bytes()));
        REQUIRE(!cache.snapshot(bytes));
        cache.clear();
        REQUIRE(!cache.restore(bytes));
        token();
      }
      if (window) continue;
      // What comes after a picture that leaves.
      REQUIRE(!cache.evict(2, 4));
      naive.evict(2, 4);
      token();
      const auto refused = [&](const std::vector<double>& delta, Code code, const Rotation* by = nullptr) {
        const Error error = cache.shift(delta, by);
        CHECK(error.code() == code);
        CHECK(error.field() == "delta");
      };
      refused({}, Code::shape_mismatch);
      refused({1, 2}, Code::shape_mismatch);
      refused({1, 2, 3, 4}, Code::shape_mismatch);
      refused({1, 2, std::nan("")}, Code::invalid_argument);
      refused({1, 2, 2 * kMaxPosition}, Code::out_of_range);
      token();
    }
  }
}

TEST_CASE("a shift by axis fits the encoding of the next attend, and positions that are counted do not part") {
  const std::vector<double> delta{1, 2, 3};
  std::vector<float> rows = random_floats(2 * 12, 4);
  const View two = view_of(rows, {1, 1, 2, 12});
  const auto mrope = make_right(RopeMrope{.common = {.dim = 12, .sections = {1, 2, 3}}});
  const auto rope = create_as<Rotation>("rope", {{"dim", number(12)}});
  for (const int sinks : {0, 1}) {
    auto made =
        KeyValueCache::make({.heads = 1, .dim = 12, .value_dim = 12, .capacity = 9, .window = 4, .sinks = sinks});
    REQUIRE(made);
    REQUIRE_FALSE((*made)->append(two, two, Positions::run(5, 2)));
    CHECK((*made)->shift(delta, rope.get()).code() == Code::shape_mismatch);
    CHECK((*made)->shift(delta, mrope.get()).code() == (sinks ? Code::unsupported : Code::none));
    CHECK((*made)->position_axes() == (sinks ? 1 : 3));
  }
}

TEST_CASE("tokens do not follow one at the last position that there is") {
  auto made = KeyValueCache::make({.batch = 2, .heads = 1, .dim = 2, .value_dim = 2, .capacity = 8});
  REQUIRE(made);
  std::vector<float> rows(4, 1);
  const View one = view_of(rows, {2, 1, 1, 2});
  REQUIRE_FALSE((*made)->append(one, one, Positions::run(0, 1)));
  const std::vector<double> positions{5, kMaxPosition};
  REQUIRE_FALSE((*made)->append(one, one, Positions::given(positions, 1)));
  const Error error = (*made)->append(one, one, Positions::run(std::nan(""), 0));
  CHECK(error.code() == Code::out_of_range);
  CHECK(error.field() == "positions");
  CHECK((*made)->length() == 2);
}

TEST_CASE("tokens that close a gap do not move beyond the last position that there is") {
  auto made = KeyValueCache::make({.heads = 1, .dim = 2, .value_dim = 2, .capacity = 8});
  REQUIRE(made);
  std::vector<float> rows(8, 1);
  const View four = view_of(rows, {1, 1, 4, 2});
  // The second of the last two lies 2^48 behind the first, which would move up by 2.
  const std::vector<double> positions{1, 2, 0, kMaxPosition};
  REQUIRE_FALSE((*made)->append(four, four, Positions::given(positions, 4)));
  const Error error = (*made)->evict(1, 1);
  CHECK(error.code() == Code::out_of_range);
  CHECK(error.field() == "tokens");
  std::vector<double> kept(4);
  REQUIRE_FALSE((*made)->positions(kept));
  CHECK(kept == positions);
  std::vector<std::uint8_t> bytes(std::size_t((*made)->snapshot_bytes()));
  REQUIRE_FALSE((*made)->snapshot(bytes));
  CHECK_FALSE((*made)->restore(bytes));
  CHECK_FALSE((*made)->evict(2, 1));
}

TEST_CASE("tokens that left the window do not count for positions that are given") {
  auto made = KeyValueCache::make({.heads = 1, .dim = 2, .value_dim = 2, .capacity = 8, .window = 2});
  REQUIRE(made);
  std::vector<float> rows(2, 1);
  const View one = view_of(rows, {1, 1, 1, 2});
  const std::vector<double> last{kMaxPosition - 2}, position{7};
  REQUIRE_FALSE((*made)->append(one, one, Positions::given(last, 1)));
  for (int i = 0; i < 9; ++i) REQUIRE_FALSE((*made)->append(one, one, Positions::given(position, 1)));
  std::vector<std::uint8_t> bytes(std::size_t((*made)->snapshot_bytes()));
  REQUIRE_FALSE((*made)->snapshot(bytes));
  CHECK_FALSE((*made)->restore(bytes));
  // Nor for how far the others can be shifted.
  CHECK_FALSE((*made)->shift(kMaxPosition - 7));
}

TEST_CASE("keys that move are rotated by the difference of rounded angles, where angles are rounded") {
  const auto rope = create_as<Rotation>(
      "rope", {{"dim", number(8)}, {"precision", text("float32")}, {"frequencies", numbers({5411.76, 1, 0.5, 0.25})}});
  auto made = KeyValueCache::make({.heads = 1, .dim = 8, .value_dim = 8, .capacity = 16});
  REQUIRE(made);
  std::vector<float> rows = random_floats(6 * 8, 4), q = random_floats(8, 3), out(8), kept(4 * 8), values(4 * 8);
  REQUIRE_FALSE((*made)->append(view_of(rows, {1, 1, 6, 8}), view_of(rows, {1, 1, 6, 8}), Positions::run(1000.25, 6)));
  AttentionOptions options;
  options.causal = true;
  options.rotation = rope.get();
  REQUIRE_FALSE((*made)->attend(view_of(q, {1, 1, 1, 8}), options, view_of(out, {1, 1, 1, 8})));
  REQUIRE_FALSE((*made)->evict(1, 2));
  REQUIRE_FALSE((*made)->read(nullptr, view_of(kept, {1, 1, 4, 8}), view_of(values, {1, 1, 4, 8})));
  std::vector<float> wanted(rows.begin(), rows.begin() + 8);
  wanted.insert(wanted.end(), rows.begin() + 24, rows.end());
  CHECK(largest_difference(kept, wanted) <= 1e-6);

  std::vector<float> moved = rows, expected = rows;
  const Positions from = Positions::run(1000.25, 6), to = Positions::run(200.25, 6);
  const View x = view_of(moved, {1, 1, 6, 8});
  REQUIRE_FALSE(rope->apply(x, HeadLayout::bhtd, from, 0, Direction::forward));
  REQUIRE_FALSE(rope->rerotate(x, HeadLayout::bhtd, {*rope, from}, {*rope, to}));
  REQUIRE_FALSE(rope->apply(view_of(expected, {1, 1, 6, 8}), HeadLayout::bhtd, to, 0, Direction::forward));
  CHECK(largest_difference(moved, expected) <= 1e-6);
}

TEST_CASE("a cache turned by three axes takes no places of two, until it is empty") {
  const auto rotation = make_right(RopeMrope{.common = {.dim = 6, .sections = {1, 1, 1}}});
  auto made = KeyValueCache::make({.heads = 1, .dim = 6, .value_dim = 6, .capacity = 9});
  REQUIRE(made);
  std::vector<float> rows = random_floats(12, 4);
  const View two = view_of(rows, {1, 1, 2, 6});
  const auto append = [&](int axes) {
    const std::vector<double> positions(std::size_t(2 * axes), 1);
    Positions at = Positions::given({positions.data(), 2}, 2);
    at.axes = axes;
    at.stride = 2;
    return (*made)->append(two, two, at);
  };
  const auto attend_once = [&](int tokens) {
    AttentionOptions options;
    options.causal = true;
    options.rotation = rotation.get();
    std::vector<float> q(6), out(6);
    REQUIRE((*made)->length() == tokens);
    REQUIRE_FALSE((*made)->attend(view_of(q, {1, 1, 1, 6}), options, view_of(out, {1, 1, 1, 6})));
  };
  REQUIRE_FALSE((*made)->append(two, two, Positions::run(0, 2)));
  attend_once(2);
  CHECK(append(2).code() == Code::shape_mismatch);
  CHECK_FALSE(append(3));
  attend_once(4);
  REQUIRE_FALSE((*made)->truncate(0));
  CHECK_FALSE(append(2));
  REQUIRE_FALSE((*made)->evict(0, 1));
  CHECK((*made)->length() == 1);
}

TEST_CASE("coordinates that are fractions of the sequence do not depend on masks or on how queries are grouped") {
  const auto liere =
      create_as<Relative>("liere", {{"dim", number(8)}, {"axes", number(1)}, {"modelGrid", numbers({5})}});
  CacheSpec spec{.heads = 1, .dim = 8, .value_dim = 8, .capacity = 12, .window = 3, .sinks = 1, .undo = 4};
  auto made = KeyValueCache::make(spec);
  REQUIRE(made);
  std::vector<float> rows = random_floats(6 * 8, 4), q = random_floats(5 * 8, 5);
  const View tokens = view_of(rows, {1, 1, 6, 8});
  REQUIRE_FALSE((*made)->append(tokens, tokens, Positions::run(std::nan(""), 0)));
  const std::vector<std::uint8_t> all(5 * 6, 1);
  std::vector<std::vector<float>> results;
  for (const bool masked : {false, true}) {
    AttentionOptions options;
    options.causal = true;
    options.relative = liere.get();
    if (masked) options.mask = {all.data(), 30, {1, 1, 5, 6}};
    auto& out = results.emplace_back(q.size());
    REQUIRE_FALSE((*made)->attend(view_of(q, {1, 1, 5, 8}), options, view_of(out, {1, 1, 5, 8})));
  }
  CHECK(largest_difference(results[0], results[1]) <= 1e-6);
}

}  // namespace posenc::test
