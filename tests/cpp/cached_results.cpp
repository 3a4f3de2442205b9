// What a workspace remembers of a call never shows in another one: learned numbers, places and lengths change between
// calls, and each gives the bits that it gives alone.
#include "cpp/attention/support.hpp"
#include "cpp/samples.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

struct Situation {
  int queries, keys;
  /// Of the first query; keys stand at 0, 1, …
  double offset;
  bool causal = true;
};

std::vector<float> attended(const Learned& encoding, const Situation& at, Workspace& workspace) {
  AttentionOptions options;
  put_inside(options, encoding);
  options.causal = at.causal;
  const auto* relative = options.relative;
  const double dim = relative ? width_of(*relative) : 8;
  const double heads = options.encoding_bias ? options.encoding_bias->heads : std::max(1, relative->heads);
  const Shape of_queries{1, heads, double(at.queries), dim}, of_keys{1, heads, double(at.keys), dim};
  auto q = random_floats(std::size_t(of_queries.size()), 1), k = random_floats(std::size_t(of_keys.size()), 2);
  auto v = random_floats(k.size(), 3), out = q;
  TokenInputValues tokens(relative, 1, heads, heads, at.queries, at.keys);
  options.tokens = tokens.views();
  options.query_positions.offset = at.offset;
  const Error error = attention(view_of(q, of_queries), view_of(k, of_keys), view_of(v, of_keys), options,
                                view_of(out, of_queries), workspace);
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

}  // namespace

TEST_CASE("calls give the same bits whatever was remembered before", "[workspace]") {
  // A cache that grows, is cut, and is looked at from elsewhere.
  const std::vector<Situation> sequence{{1, 70, 69},   {1, 71, 70},   {1, 90, 89},        {1, 91, 90},
                                        {1, 20, 19},   {3, 91, 88},   {9, 91, 82, false}, {1, 91, 400, false},
                                        {1, 91, 90.5}, {1, 91, 90.5}, {1, 91, 30, false}, {1, 300, 299},
                                        {1, 301, 300}, {70, 70, 0},   {1, 2, 1},          {1, 301, 300}};
  int tried = 0;
  for (const FamilyName family : {FamilyName::bias, FamilyName::relative})
    for (const Sample& sample : samples_of(family)) {
      if (sample.kind.starts_with("swin")) continue;  // their windows are small
      CAPTURE(sample.kind);
      for (const int heads : {2, 3}) {
        auto made = create(sample.kind, sample.has("heads") ? sample.with("heads", number(heads)) : sample.required);
        REQUIRE(made);
        Learned& encoding = **made;
        Workspace workspace;
        std::uint32_t seed = 5;
        for (const bool changes : {false, true})
          for (const Situation& at : sequence) {
            CAPTURE(heads, changes, at.queries, at.keys, at.offset);
            ++seed;
            for (Parameter& parameter : encoding.parameters)
              // One number of each is enough to be another encoding.
              if (changes && !parameter.values.empty())
                parameter.values[seed % parameter.values.size()] = 0.01f * float(seed);
            Workspace fresh;
            const auto wanted = attended(encoding, at, fresh);
            REQUIRE(same_bits(attended(encoding, at, workspace), wanted));
            REQUIRE(same_bits(attended(encoding, at, workspace), wanted));
            ++tried;
          }
      }
    }
  CHECK(tried > 500);
}

TEST_CASE("rotations give the same bits whatever rows were computed before", "[workspace]") {
  struct Stretch {
    double offset;
    int count;
  };
  // Slots are a power of two: stretches that overlap, touch, go round, come back, and lie between whole positions.
  const Stretch sequence[]{{0, 40},   {40, 30},   {30, 64},  {90, 1},   {91, 1},   {64, 64}, {60, 20},
                           {1000, 3}, {998, 7},   {0, 1},    {-5, 20},  {62.5, 5}, {60, 10}, {200, 300},
                           {190, 20}, {450, 100}, {0, 1000}, {990, 40}, {5, 1100}, {3, 2},   {1e9, 70}};
  constexpr int kHeads = 2;
  for (const Sample& sample : samples_of(FamilyName::rotary)) {
    const auto rotation = create_as<Rotation>(sample.kind, sample.required);
    if (rotation->axes != 1 || !rotation->decay.rates.empty()) continue;
    CAPTURE(sample.kind);
    const double dim = rotation->dim;
    const auto rotated = [&](const Stretch& at, Workspace& workspace) {
      const Shape shape{1, kHeads, double(at.count), dim};
      auto x = random_floats(std::size_t(shape.size()), 1);
      REQUIRE_FALSE(rotation->apply(view_of(x, shape), HeadLayout::bhtd, run(at.offset, at.count), 2e9,
                                    Direction::forward, Role::none, workspace));
      return x;
    };
    Workspace same;
    AttentionOptions options;
    options.rotation = rotation.get();
    options.sequence_length = 2e9;
    for (int round = 0; round < 2; ++round)
      for (const Stretch& at : sequence) {
        CAPTURE(round, at.offset, at.count);
        Workspace fresh;
        const auto wanted = rotated(at, fresh);
        REQUIRE(same_bits(rotated(at, same), wanted));
        REQUIRE(same_bits(rotated(at, same), wanted));
        // Attention keeps rows in the same slots.
        if (round == 0) continue;
        const Shape shape{1, 1, 9, dim};
        auto x = random_floats(std::size_t(shape.size()), 2), out = x;
        options.query_positions.offset = options.key_positions.offset = at.offset + 4096;
        REQUIRE_FALSE(
            attention(view_of(x, shape), view_of(x, shape), view_of(x, shape), options, view_of(out, shape), same));
        REQUIRE(same_bits(rotated(at, same), wanted));
      }
  }
}

TEST_CASE("a fingerprint changes with each number, and with pairs of signs", "[workspace]") {
  Parameter parameter = Parameter::filled("numbers", "", "", {100});
  parameter.values = random_floats(100, 4);
  const std::uint64_t print = parameter.fingerprint();
  CHECK(parameter.fingerprint() == print);
  for (std::size_t i = 0; i < 100; ++i)
    for (std::size_t j = i; j < 100; ++j) {
      Parameter other = parameter;
      other.values[i] = 0.0f - other.values[i];
      if (j > i) other.values[j] = 0.0f - other.values[j];
      REQUIRE(other.fingerprint() != print);
    }
  // What stands before it counts, and so do zeros at the end.
  CHECK(parameter.fingerprint(1) != print);
  parameter.values.push_back(0);
  CHECK(parameter.fingerprint() != print);
}
