// What a cache is read out as, against what it attends to.
#include "cache_model.hpp"

namespace posenc::test {

namespace {

struct ReadOut {
  std::vector<float> k, v;
};

ReadOut read(KeyValueCache& cache, const Rotation* rotation) {
  const CacheSpec& spec = cache.spec();
  const auto rows = std::size_t(spec.batch * spec.heads * cache.past());
  ReadOut out{std::vector<float>(rows * std::size_t(spec.dim)), std::vector<float>(rows * std::size_t(spec.value_dim))};
  const Error error = cache.read(rotation, heads(out.k.data(), spec.batch, spec.heads, cache.past(), spec.dim),
                                 heads(out.v.data(), spec.batch, spec.heads, cache.past(), spec.value_dim));
  INFO(error.message());
  REQUIRE(!error);
  return out;
}

double last_position(const KeyValueCache& cache) {
  std::vector<double> positions(std::size_t(cache.length()));
  REQUIRE(!cache.positions(positions));
  return positions.back();
}

// One head: attention of a turned query over the turned keys of the past and the token's own.
std::vector<float> attend_outside(const ReadOut& past, const NaiveToken& token, std::vector<float> q,
                                  const Rotation& rotation, double position, double length) {
  const int dim = rotation.dim, rows = int(past.k.size()) / dim;
  std::vector<float> k = token.key, out(token.value.size());
  for (std::vector<float>* row : {&q, &k})
    REQUIRE(!rotation.apply(heads(row->data(), 1, 1, 1, dim), HeadLayout::bhtd, Positions::run(position, 1), length,
                            Direction::forward));
  ReadOut all = past;
  all.k.insert(all.k.end(), k.begin(), k.end());
  all.v.insert(all.v.end(), token.value.begin(), token.value.end());
  REQUIRE(!attention(heads(q.data(), 1, 1, 1, dim), heads(all.k.data(), 1, 1, rows + 1, dim),
                     heads(all.v.data(), 1, 1, rows + 1, double(out.size())), {},
                     heads(out.data(), 1, 1, 1, double(out.size()))));
  return out;
}

void generate(const Rotation& rotation, CacheSpec spec, int tokens, double bound) {
  spec.dim = rotation.dim;
  auto cache = KeyValueCache::make(spec);
  REQUIRE(cache);
  NaiveCache naive(spec);
  Random random(3);
  AttentionOptions options;
  options.rotation = &rotation;
  double worst = 0;
  for (int i = 0; i < tokens; ++i) {
    const NaiveToken token = draw_token(random, spec, {double(i)});
    const double length = std::min(i + 1, spec.window ? spec.sinks + spec.window : tokens);
    // Rules that go by the length see the next token's.
    ReadOut past = read(**cache, nullptr);
    const int rows = (*cache)->past();
    REQUIRE(!append(**cache, naive, {token}, false));
    const double position = last_position(**cache);
    if (rows > 0)
      REQUIRE(!rotation.apply(heads(past.k.data(), 1, 1, rows, spec.dim), HeadLayout::bhtd,
                              Positions::run(position - rows, rows), spec.sinks ? length : position + 1,
                              Direction::forward, Role::key));
    std::vector<float> q(std::size_t(spec.dim));
    for (float& x : q) x = random.uniform();
    const auto got = attend(**cache, q, 1, 1, options);
    worst = std::max(worst, largest_difference(got, attend_outside(past, token, q, rotation, position,
                                                                   spec.sinks ? length : position + 1)));
    // And as the rotation has them.
    const ReadOut rotated = read(**cache, &rotation), given = read(**cache, nullptr);
    std::vector<float> again = given.k;
    const int now = (*cache)->past();
    const double first = spec.sinks ? 0 : position + 1 - now;
    REQUIRE(!rotation.apply(heads(again.data(), 1, 1, now, spec.dim), HeadLayout::bhtd, Positions::run(first, now), 0,
                            Direction::forward, Role::key));
    worst = std::max(worst, largest_difference(rotated.k, again));
  }
  CHECK(worst <= bound);
}

}  // namespace

TEST_CASE("a cache that is read out has what it attends to") {
  SpecInput rope{{"dim", number(8)}};
  SpecInput dynamic{{"dim", number(8)}, {"factor", number(4)}, {"originalLength", number(16)}};
  const auto plain = create_as<Rotation>("rope", rope), grows = create_as<Rotation>("rope-dynamic", dynamic);
  for (const Rotation* rotation : {plain.get(), grows.get()})
    for (const auto& [window, sinks] : {std::pair{0, 0}, {21, 0}, {17, 4}}) {
      CAPTURE(window, sinks, rotation == plain.get());
      const CacheSpec spec{.heads = 1, .value_dim = 3, .capacity = window ? 30 : 60, .window = window, .sinks = sinks};
      // Turned to and fro for each token.
      generate(*rotation, spec, 60, 3e-6);
    }
}

TEST_CASE("a cache that is read out says what does not fit") {
  auto cache = KeyValueCache::make({.heads = 1, .dim = 8, .value_dim = 3, .capacity = 4});
  REQUIRE(cache);
  std::vector<float> k(8), v(3);
  CHECK((*cache)->read(nullptr, heads(k.data(), 1, 1, 1, 8), heads(v.data(), 1, 1, 0, 3)).field() == "out.k");
  CHECK((*cache)->read(nullptr, heads(k.data(), 1, 1, 0, 8), heads(v.data(), 1, 1, 1, 3)).field() == "out.v");
  const auto wide = create_as<Rotation>("rope", SpecInput{{"dim", number(4)}});
  CHECK((*cache)->read(wide.get(), heads(k.data(), 1, 1, 0, 8), heads(v.data(), 1, 1, 0, 3)).field() == "encoding");
}

}  // namespace posenc::test
