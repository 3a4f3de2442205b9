// A cache against attention over the rows as they were given.
#include <bit>

#include "cache_model.hpp"

namespace posenc::test {

namespace {

// The encodings that a cache is asked with in turn, and none.
struct Asked {
  std::vector<std::unique_ptr<Learned>> encodings;
  int heads = 2, query_heads = 4;

  Asked() {
    for (const Sample& sample : samples()) {
      // Swin knows no positions but those of its window.
      if (sample.family == FamilyName::table || sample.kind.starts_with("swin")) continue;
      SpecInput input = small(sample).required;
      if (sample.has("originalLength")) std::erase_if(input, [](auto& f) { return f.first == "originalLength"; });
      if (sample.has("originalLength")) input.emplace_back("originalLength", number(20));
      if (sample.has("heads")) std::erase_if(input, [](auto& f) { return f.first == "heads"; });
      auto made = create(sample.kind, input);
      if (!made) {
        input.emplace_back("heads", number(4));
        made = create(sample.kind, input);
      }
      INFO(sample.kind << made.error().message());
      REQUIRE(made);
      const Relative* relative = as<Relative>(**made);
      // Tokens that are forgotten take along what calls say of them.
      if (relative && reads_tokens(*relative)) continue;
      if (relative && relative->keys_have_heads && relative->heads && relative->heads != heads) continue;
      if (const Rotation* rotation = as<Rotation>(**made); rotation && !rotation->one_for_all) continue;
      encodings.emplace_back(made->release());
    }
    for (const auto pairing : {"interleaved", "interleaved-to-half"})
      encodings.push_back(
          create_as<Rotation>("rope", {{"dim", number(8)}, {"pairing", text(pairing)}, {"rotaryDim", number(4)}}));
  }
};

void random_operations(std::uint32_t seed, Asked& asked, ElementType type, double bound) {
  Random random(seed);
  CacheSpec spec{.batch = 1 + random.below(2),
                 .heads = asked.heads,
                 .dim = 8,
                 .value_dim = 8,
                 .type = type,
                 .layout = random.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd};
  const int policy = random.below(3);
  if (policy > 0) spec.window = 1 + random.below(14);
  if (policy > 1) spec.sinks = 1 + random.below(4);
  if (policy > 0 && random.chance(0.5)) spec.undo = 1 + random.below(9);
  spec.capacity = policy ? spec.window + spec.sinks + spec.undo + random.below(12) : 40;
  auto cache = KeyValueCache::make(spec);
  REQUIRE(cache);
  NaiveCache naive(spec);
  const bool own_positions = policy < 2 && random.chance(0.3);
  AttentionOptions options;
  options.causal = true;
  for (int step = 0; step < 60; ++step) {
    const int length = int(naive.tokens.size());
    INFO("seed " << seed << " step " << step << " length " << length << " policy " << policy << " own " << own_positions
                 << " layout " << int(spec.layout) << " batch " << spec.batch << " window " << spec.window << " sinks "
                 << spec.sinks << " undo " << spec.undo << " capacity " << spec.capacity);
    REQUIRE((*cache)->length() == length);
    const int what = random.below(10);
    if (what < 4) {
      std::vector<NaiveToken> more;
      std::vector<double> next(std::size_t(spec.batch), 0);
      if (length) next = naive.tokens.back().position;
      for (int i = 1 + random.below(random.chance(0.1) ? 60 : 6); i > 0; --i) {
        const bool jumps = own_positions && random.chance(0.3);
        for (double& position : next)
          position += (length || !more.empty() ? 1 : 0) + (jumps ? double(random.below(5)) / 2 : 0);
        more.push_back(draw_token(random, spec, next));
      }
      const bool fits = spec.window || length + int(more.size()) <= spec.capacity;
      const Error error = append(**cache, naive, more, own_positions);
      INFO(error.message());
      REQUIRE(bool(error) == !fits);
      if (error) REQUIRE(error.code() == Code::out_of_range);
    } else if (what == 4 && length > 0 && random.chance(0.6)) {
      const int left = std::max(length - 1 - random.below(4), 0);
      const Error error = (*cache)->truncate(left);
      INFO(error.message());
      REQUIRE(bool(error) == !naive.can_truncate(left));
      if (error) REQUIRE(error.code() == Code::out_of_range);
      if (!error) naive.truncate(left);
    } else if (what == 5 && length > 2 && policy == 0) {
      const int first = random.below(length - 1), count = 1 + random.below(std::min(5, length - first));
      REQUIRE(!(*cache)->evict(first, count));
      naive.evict(first, count);
    } else if (what == 6 && random.chance(0.4) && length > 0) {
      const double delta = random.below(9) - 4;
      REQUIRE(!(*cache)->shift(delta));
      naive.shift({delta});
    } else if (what == 7) {
      std::vector<double> rows;
      for (int b = 0; b < spec.batch; ++b) rows.push_back(random.below(spec.batch));
      REQUIRE(!(*cache)->reorder(rows));
      naive.reorder(rows);
    } else if (what == 8 && random.chance(0.5)) {
      std::vector<std::uint8_t> bytes(std::size_t((*cache)->snapshot_bytes()));
      REQUIRE(!(*cache)->snapshot(bytes));
      if (random.chance(0.5)) {
        CacheSpec other = spec;
        other.capacity += random.below(3);
        cache = KeyValueCache::make(other);
        naive.spec.capacity = spec.capacity = other.capacity;
        REQUIRE(cache);
      } else if (!(*cache)->shift(1000)) {
        (*cache)->clear();
        REQUIRE((*cache)->length() == 0);
      }
      const Error error = (*cache)->restore(bytes);
      INFO(error.message());
      REQUIRE(!error);
    }
    std::vector<double> positions(naive.tokens.size() * std::size_t((*cache)->position_rows()));
    REQUIRE(!(*cache)->positions(positions));
    for (std::size_t i = 0; i < naive.tokens.size(); ++i) REQUIRE(positions[i] == naive.tokens[i].position[0]);
    REQUIRE((*cache)->dropped() == double(naive.lost.size()));
    const int now = int(naive.tokens.size()), queryable = now - naive.first_queryable();
    if (queryable == 0 || (what < 4 && random.chance(0.3))) continue;
    if (random.chance(0.4)) {
      options = {};
      options.causal = true;
      if (const int which = random.below(int(asked.encodings.size()) + 3); which < int(asked.encodings.size()))
        put_inside(options, *asked.encodings[std::size_t(which)]);
      if (random.chance(0.2)) options.softcap = 3;
      if (random.chance(0.2)) options.window_left = random.below(20);
      if (random.chance(0.2)) options.temperature = {0.3, 7, 0};
    }
    const int queries = 1 + random.below(std::min(queryable, 6));
    const std::vector<float> q = random_floats(std::size_t(spec.batch * asked.query_heads * queries * spec.dim),
                                               seed * 1000 + std::uint32_t(step));
    const auto got = attend(**cache, q, asked.query_heads, queries, options);
    const double difference = largest_difference(got, naive.attend(q, asked.query_heads, queries, options));
    INFO("queries " << queries << " rotation " << (options.rotation != nullptr) << " bias "
                    << (options.encoding_bias != nullptr) << " relative " << (options.relative != nullptr));
    REQUIRE(difference <= bound);
  }
}

}  // namespace

TEST_CASE("a cache under any sequence of operations is the rows that it was given") {
  Asked asked;
  for (std::uint32_t seed = 0; seed < 48; ++seed) random_operations(seed, asked, ElementType::float32, 2e-6);
}

TEST_CASE("the same in float16 and int8, within their precision") {
  Asked asked;
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    random_operations(seed, asked, ElementType::float16, 4e-3);
    random_operations(seed, asked, ElementType::int8, 1e-1);
  }
}

TEST_CASE("tokens follow the last one, though it is forgotten") {
  auto made = KeyValueCache::make({.heads = 1, .dim = 2, .value_dim = 2, .capacity = 2, .window = 1});
  REQUIRE(made);
  std::vector<float> row(2);
  const View token = view_of(row, {1, 1, 1, 2});
  const double nowhere = std::numeric_limits<double>::quiet_NaN();
  for (const double position : {0.0, 5.5, 9.0, nowhere, nowhere, nowhere})
    REQUIRE(!(*made)->append(token, token, Positions::run(position, std::isnan(position) ? 0 : 1)));
  std::vector<double> last(1);
  REQUIRE((*made)->length() == 1);
  REQUIRE(!(*made)->positions(last));
  CHECK(last[0] == 12);
}

namespace {

// That of a snapshot, for one that was made up.
void fix_checksum(std::vector<std::uint8_t>& bytes) {
  const std::size_t size = bytes.size() - 8;
  std::uint64_t sum = 0x9e3779b97f4a7c15 ^ size;
  for (std::size_t at = 0; at < size; at += 8) {
    std::uint64_t word = 0;
    std::copy_n(bytes.begin() + long(at), std::min<std::size_t>(8, size - at), reinterpret_cast<std::uint8_t*>(&word));
    sum = std::rotl(sum ^ word, 29) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 32;
  }
  std::copy_n(reinterpret_cast<const std::uint8_t*>(&sum), 8, bytes.end() - 8);
}

}  // namespace

TEST_CASE("what a cache refuses leaves it as it was") {
  Random random(3);
  CacheSpec spec{.heads = 2, .dim = 8, .value_dim = 8, .capacity = 10, .window = 4, .sinks = 2};
  auto made = KeyValueCache::make(spec);
  REQUIRE(made);
  KeyValueCache& cache = **made;
  NaiveCache naive(spec);
  std::vector<NaiveToken> tokens;
  for (int i = 0; i < 8; ++i) tokens.push_back(draw_token(random, spec, {double(i)}));
  REQUIRE(!append(cache, naive, tokens, false));
  std::vector<float> q = random_floats(16 * 8, 1), out(16 * 8);
  const auto refused = [&](Error error, Code code, std::string_view field) {
    INFO(error.message());
    CHECK(error.code() == code);
    CHECK(error.field() == field);
    CHECK(cache.length() == 8);
  };
  const auto ask = [&](double count, const AttentionOptions& options) {
    const Shape shape{1, 2, count, 8};
    return cache.attend({q.data(), count * 16, shape}, options, {out.data(), count * 16, shape});
  };
  const auto give = [&](const Shape& k, const Shape& v, const Positions& positions) {
    return cache.append({q.data(), k.size(), k}, {q.data(), v.size(), v}, positions);
  };
  const Positions follow = Positions::run(std::numeric_limits<double>::quiet_NaN(), 0);
  AttentionOptions causal;
  causal.causal = true;
  refused(give({1, 3, 1, 8}, {1, 2, 1, 8}, follow), Code::shape_mismatch, "k");
  refused(give({1, 2, 1, 8}, {1, 2, 2, 8}, follow), Code::shape_mismatch, "v");
  refused(give({1, 2, 1, 8}, {1, 2, 1, 8}, Positions::run(20, 1)), Code::unsupported, "offset");
  refused(give({1, 2, 1, 8}, {1, 2, 1, 8}, Positions::run(8, 1)), Code::unsupported, "offset");
  const std::vector<double> next{8};
  refused(give({1, 2, 1, 8}, {1, 2, 1, 8}, Positions::given(next, 1)), Code::unsupported, "positions");
  auto empty = KeyValueCache::make(spec);
  REQUIRE(empty);
  Positions cells = Positions::run(5, 1);
  cells.axes = 2;
  cells.extent[0] = cells.extent[1] = 9;
  const View row{q.data(), 16, {1, 2, 1, 8}};
  CHECK((*empty)->append(row, row, cells).code() == Code::unsupported);
  CHECK((*empty)->length() == 0);
  const Shape three{1, 3, 1, 8};
  refused(cache.attend({q.data(), 24, three}, {}, {out.data(), 24, three}), Code::shape_mismatch, "q");
  refused(ask(8, {}), Code::unsupported, "causal");
  refused(ask(9, causal), Code::out_of_range, "q");
  AttentionOptions masked = causal;
  std::vector<std::uint8_t> mask(8, 1);
  masked.mask = {mask.data(), 7, {7}};
  refused(ask(1, masked), Code::shape_mismatch, "mask");
  AttentionOptions gated = causal;
  gated.extra_keys = {q.data(), 128, {1, 2, 8, 8}};
  refused(ask(1, gated), Code::unsupported, "gateKeys");
  const auto wide = create_as<Rotation>("rope", {{"dim", number(16)}});
  AttentionOptions other = causal;
  other.rotation = wide.get();
  refused(ask(1, other), Code::shape_mismatch, "encoding");
  refused(cache.evict(0, 1), Code::unsupported, "policy");
  refused(cache.truncate(9), Code::out_of_range, "length");
  refused(cache.shift(1e300), Code::out_of_range, "delta");
  refused(cache.reorder(std::vector<double>{1}), Code::out_of_range, "rows");
  refused(cache.restore(std::vector<std::uint8_t>(7)), Code::invalid_argument, "snapshot");
  std::vector<std::uint8_t> bytes(std::size_t(cache.snapshot_bytes()));
  REQUIRE(!cache.snapshot(bytes));
  // Each bit of it, spoiled.
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    auto spoiled = bytes;
    spoiled[bit / 8] = std::uint8_t(spoiled[bit / 8] ^ (1 << bit % 8));
    REQUIRE(cache.restore(spoiled).code() == Code::invalid_argument);
  }
  // Each of the numbers in front, made up.
  for (std::size_t i = 0; i < 28; ++i)
    for (const double bad : {-1.0, 0.5, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
      auto spoiled = bytes;
      std::copy_n(reinterpret_cast<const std::uint8_t*>(&bad), 8, spoiled.begin() + long(8 * i));
      fix_checksum(spoiled);
      if (const Error error = cache.restore(spoiled)) CHECK(error.code() == Code::invalid_argument);
      // The sixteenth: by how many places keys were shifted.
      if (i == 15 && bad == 1e300) CHECK(cache.restore(spoiled).code() == Code::invalid_argument);
      REQUIRE(!cache.restore(bytes));
    }
  CHECK(largest_difference(attend(cache, random_floats(16, 5), 2, 1, causal),
                           naive.attend(random_floats(16, 5), 2, 1, causal)) <= 1e-6);
  CHECK(!KeyValueCache::make({.capacity = 5, .window = 4, .sinks = 2}));
  CHECK(!KeyValueCache::make({.capacity = 5, .sinks = 2}));
}

}  // namespace posenc::test
