// Text generated a token at a time over a cache, for thousands of tokens, against attention from scratch in double.
#include "cpp/attention/cache_model.hpp"

namespace posenc::test {

namespace {

// Sanitizers make a token ten times as dear: half a minute.
#ifdef POSENC_SANITIZED
constexpr int kTokens = 2000;
#else
constexpr int kTokens = 10000;
#endif

// What is forgotten, and how: by the cache's own policy, or `forgotten` tokens from `kept` on where it is full, which
// may move the others up or, with a shift, leave them where they stood.
struct Life {
  std::string_view name;
  int window, sinks, capacity;
  /// Where scaling rules have their boundary: among the positions that there are.
  int original_length;
  int kept = 0, forgotten = 0;
  bool shifts = false;
};
constexpr Life kLives[]{
    {"all", 0, 0, kTokens, kTokens / 3},         {"window", 64, 0, 80, kTokens / 3},
    {"sinks and window", 60, 4, 80, 40},         {"eviction behind the first", 0, 0, 90, 80, 4, 24},
    {"eviction one by one", 0, 0, 70, 60, 4, 1}, {"eviction and shift", 0, 0, 90, kTokens / 3, 0, 24, true}};

// Positions of token i of a rotation with several axes: text, then rows of a picture.
std::vector<double> position_of(int axes, int i) {
  if (axes == 1) return {double(i)};
  std::vector<double> out{double(i), double(i / 7), double(i % 7)};
  out.resize(std::size_t(axes));
  return out;
}

// The last token's attention as formulas have it: pairs of features as complex numbers, the key's turned by the
// distance.
std::vector<double> last_of(const NaiveCache& naive, const std::vector<float>& q, const Rotation& rotation) {
  const std::size_t count = naive.tokens.size(), pairs = std::size_t(rotation.pairs);
  std::vector<double> positions;
  for (int axis = 0; axis < naive.axes; ++axis)
    for (const NaiveToken& token : naive.tokens) positions.push_back(token.position[std::size_t(axis)]);
  Positions token_positions = given(positions);
  token_positions.axes = naive.axes;
  token_positions.stride = count;
  token_positions.values = {positions.data(), count};
  token_positions.count = int(count);
  std::vector<double> angles(count * pairs);
  const Error error = rotation.angles(token_positions, 0, angles);
  INFO(error.message());
  REQUIRE(!error);
  const double *asked = angles.data() + (count - 1) * pairs, last = positions[count - 1];
  const double magnitude = rotation.attention_factor * rotation.attention_factor;
  std::vector<double> weights, out(std::size_t(naive.spec.value_dim));
  double total = 0;
  for (std::size_t t = 0; t < count; ++t) {
    const std::vector<float>& k = naive.tokens[t].key;
    double score = dot(q.data(), k.data(), rotation.dim);
    for (const Slice& slice : rotation.slices)
      for (int i = 0; i < slice.pairs; ++i) {
        const bool halves = rotation.pairing == Pairing::half;
        const std::size_t a = std::size_t(slice.start + (halves ? i : 2 * i));
        const std::size_t b = a + std::size_t(halves ? slice.pairs : 1), pair = std::size_t(slice.first_pair + i);
        const double distance = asked[pair] - angles[t * pairs + pair];
        const double rate = rotation.decay.rates.empty() ? 0 : rotation.decay.rates[pair];
        const double grown = magnitude * std::exp(rate * (last - positions[t]));
        const double along = double(q[a]) * k[a] + double(q[b]) * k[b],
                     across = double(q[b]) * k[a] - double(q[a]) * k[b];
        score += grown * (along * std::cos(distance) - across * std::sin(distance)) - along;
      }
    weights.push_back(std::exp(score / std::sqrt(double(rotation.dim))));
    total += weights.back();
  }
  for (std::size_t t = 0; t < count; ++t)
    for (std::size_t d = 0; d < out.size(); ++d) out[d] += weights[t] / total * double(naive.tokens[t].value[d]);
  return out;
}

struct Generation {
  Generation(const Rotation& of, const Life& life, int axes, ElementType type = ElementType::float32)
      : rotation(of),
        life(life),
        spec{.heads = 1,
             .dim = of.dim,
             .value_dim = 2,
             .capacity = life.capacity,
             .type = type,
             .window = life.window,
             .sinks = life.sinks},
        naive(spec, axes) {
    auto made = KeyValueCache::make(spec);
    REQUIRE(made);
    cache = std::move(*made);
  }

  const Rotation& rotation;
  const Life& life;
  CacheSpec spec;
  NaiveCache naive;
  std::unique_ptr<KeyValueCache> cache;
  Random random{7};
  int evictions = 0, compared = 0;
  double worst = 0;

  // Is there something about this token that might go wrong?
  bool is_checked(int i, bool evicted) const {
    const double last = naive.tokens.back().position[0];
    const bool crosses = std::abs(last - life.original_length) <= 2 && (!life.forgotten || evictions % 64 < 2);
    return crosses || (evicted && evictions % 64 < 2) || i % (kTokens / 50) == 0 || i + 1 == kTokens ||
           std::abs(i - life.window - life.sinks) <= 2 || std::abs(i % 1600 - life.capacity) <= 2;
  }

  void step(int i) {
    const bool full = life.forgotten && int(naive.tokens.size()) == life.capacity;
    if (full) {
      REQUIRE(!cache->evict(life.kept, life.forgotten));
      naive.evict(life.kept, life.forgotten);
      if (life.shifts) REQUIRE(!cache->shift(life.forgotten));
      if (life.shifts) naive.shift({double(life.forgotten)});
      ++evictions;
    }
    const double next = naive.tokens.empty() ? 0 : naive.tokens.back().position[0] + 1;
    const bool own_axes = naive.axes > 1;
    const auto position = own_axes ? position_of(naive.axes, i) : std::vector<double>{next};
    REQUIRE(!append(*cache, naive, {draw_token(random, spec, position)}, own_axes));
    const bool checked = is_checked(i, full);
    // Where nothing is forgotten each token is as dear as there are others.
    if (!checked && life.window + life.forgotten == 0 && i % 16) return;
    std::vector<float> q = random_floats(std::size_t(spec.dim), std::uint32_t(i));
    // Some tokens are looked at more than others.
    for (float& x : q) x *= 3;
    AttentionOptions options;
    options.rotation = &rotation;
    const auto got = attend(*cache, q, 1, 1, options);
    if (!checked) return;
    worst = std::max(worst, largest_difference(got, last_of(naive, q, rotation)));
    ++compared;
  }
};

SpecInput spec_of(const Sample& sample, std::string_view pairing, const Life& life) {
  SpecInput input = sample.with("pairing", text(pairing));
  std::erase_if(input, [](auto& field) { return field.first == "originalLength"; });
  if (sample.has("originalLength")) input.emplace_back("originalLength", number(life.original_length));
  return input;
}

void generate(const Sample& sample, std::string_view pairing) {
  for (const Life& life : kLives) {
    const auto rotation = create_as<Rotation>(sample.kind, spec_of(sample, pairing, life));
    // Sinks count positions inside the cache.
    if (life.sinks && !rotation->one_for_all) continue;
    Generation generation(*rotation, life, life.sinks ? 1 : rotation->axes);
    for (int i = 0; i < kTokens; ++i) generation.step(i);
    INFO(sample.kind << " " << pairing << ", " << life.name << ": " << generation.compared << " compared");
    CHECK(generation.compared > 50);
    CHECK(generation.worst <= 1e-6);
  }
}

}  // namespace

TEST_CASE("thousands of tokens over a cache are what attention from scratch has, with every rotation and policy") {
  for (const Sample& sample : samples_of(FamilyName::rotary))
    for (const std::string_view pairing : {"half", "interleaved", "interleaved-to-half"})
      // Rearranged keys are moved in one way, whatever the frequencies.
      if (pairing != "interleaved-to-half" || sample.kind == "rope" || sample.kind == "rope-longrope")
        generate(small(sample), pairing);
}

TEST_CASE("keys of 16 and 8 bits are not rounded with each token that goes") {
  for (const Sample& sample : samples_of(FamilyName::rotary))
    for (const Life& life : kLives) {
      if (!life.kept || (sample.kind != "rope" && sample.kind != "rope-longrope")) continue;
      for (const auto& [type, bound] : {std::pair{ElementType::float16, 5e-4}, std::pair{ElementType::int8, 4e-3}}) {
        const auto rotation = create_as<Rotation>(sample.kind, spec_of(small(sample), "half", life));
        Generation generation(*rotation, life, 1, type);
        for (int i = 0; i < kTokens; ++i) generation.step(i);
        INFO(sample.kind << ", " << life.name << ", " << int(type));
        CHECK(generation.worst <= bound);
      }
    }
}

}  // namespace posenc::test
