// The properties of each family, for hundreds of random specs of every kind. What a kind does otherwise is said where
// it is left out; a kind that is not named must hold to all of it.
#include "cpp/attention/support.hpp"
#include "random_spec.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr int kSpecs = 200, kCount = 5;

std::string_view text_in(const SpecInput& spec, std::string_view name) {
  for (const auto& [field, value] : spec)
    if (field == name) return value.text;
  return {};
}

// Positions on every axis, moved by `shift`; they outlive what points at them.
struct RandomPositions {
  std::vector<double> values;
  Positions positions;

  RandomPositions(Random random, int axes, double shift) : values(std::size_t(axes * kCount)) {
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = random.below(axes == 1 ? 40 : i < kCount ? 14 : 2) + shift;
    positions = {
        .values = std::span(values).first(kCount), .offset = 0, .count = kCount, .axes = axes, .stride = kCount};
    // Coordinates that go by the grid's size need the same one in all calls; rotations remember a place for each of it.
    if (axes > 1) positions.extent = {16, 4, 4, 4};
  }
  RandomPositions(const RandomPositions&) = delete;
};

void check_table(Table& table, std::string_view kind, const SpecInput&, std::uint32_t seed) {
  Random random(seed);
  const bool counted = kind == "one-hot" || kind == "binary" || kind == "learned";
  Positions call{.values = {}, .offset = 0, .count = counted ? 1 : 6, .axes = table.axes};
  if (table.axes > 1) {
    call.extent = {2, 3, 1, 1};
    call.count = 6;
  }
  const std::size_t dim = std::size_t(table.dim);
  std::vector<float> rows(std::size_t(call.count) * dim), row(dim);
  REQUIRE_FALSE(table.rows(call, view_of(rows, {double(call.count), double(dim)})));
  for (float value : rows) REQUIRE(std::isfinite(value));
  // A place alone, told how large the call was.
  const std::size_t t = std::size_t(random.below(call.count));
  std::array<double, kMaxAxes> coordinates{};
  for (int axis = 0; axis < table.axes; ++axis) coordinates[std::size_t(axis)] = call.at(t, axis);
  Positions one{.values = std::span(coordinates).first(1), .offset = 0, .count = 1, .axes = table.axes, .stride = 1};
  for (int axis = 0; axis < table.axes; ++axis) one.extent[std::size_t(axis)] = call.extent_of(axis);
  REQUIRE_FALSE(table.rows(one, view_of(row, {1, double(dim)})));
  REQUIRE(same_bits(row, {rows.begin() + std::ptrdiff_t(t * dim), rows.begin() + std::ptrdiff_t((t + 1) * dim)}));
}

std::vector<float> rotated(Rotation& rotation, std::vector<float> x, const Positions& positions, Role role,
                           Direction direction = Direction::forward) {
  // The same sequence length for all calls: kinds that go by it must not change their frequencies on the way.
  const View view = view_of(x, {1, 1, kCount, double(rotation.dim)});
  const Error error = rotation.apply(view, HeadLayout::bhtd, positions, 100, direction, role);
  INFO(error.message());
  REQUIRE_FALSE(error);
  for (float value : x) REQUIRE(std::isfinite(value));
  return x;
}

void check_rotation(Rotation& rotation, std::string_view kind, const SpecInput&, std::uint32_t seed) {
  const int dim = rotation.dim;
  const auto q = random_floats(std::size_t(kCount * dim), seed), k = random_floats(q.size(), seed + 1);
  const RandomPositions here(Random(seed), rotation.axes, 0),
      moved(Random(seed), rotation.axes, rotation.axes == 1 ? 7 : 2);
  const auto rotated_q = rotated(rotation, q, here.positions, Role::query);
  const auto rotated_k = rotated(rotation, k, here.positions, Role::key);
  const auto back = rotated(rotation, rotated_q, here.positions, Role::query, Direction::inverse);
  // xPos stretches by up to ζ^(p/512); all others turn only.
  CHECK(largest_difference(back, q) < (kind == "xpos" ? 1e-4 : 2e-6));
  const double factor = rotation.attention_factor;
  for (int t = 0; t < kCount && kind != "xpos" && 2 * rotation.pairs == dim; ++t) {
    const float *before = q.data() + t * dim, *after = rotated_q.data() + t * dim;
    // Sines and cosines of 11 bits.
    const double tolerance = rotation.precision == Precision::float16 ? 5e-4 : 1e-6;
    REQUIRE(std::abs(std::sqrt(dot(after, after, dim) / dot(before, before, dim)) / factor - 1) < tolerance);
  }
  const auto later_q = rotated(rotation, q, moved.positions, Role::query);
  const auto later_k = rotated(rotation, k, moved.positions, Role::key);
  // Rounded angles are those of other places: far ones, or many turns, of quite other ones.
  if (rotation.precision != Precision::exact) return;
  for (int i = 0; i < kCount; ++i)
    for (int j = 0; j < kCount; ++j) {
      const float *a = rotated_q.data() + i * dim, *b = rotated_k.data() + j * dim;
      const double score = dot(a, b, dim), later = dot(later_q.data() + i * dim, later_k.data() + j * dim, dim);
      REQUIRE(std::abs(score - later) < 1e-6 * (1 + std::sqrt(dot(a, a, dim) * dot(b, b, dim))));
    }
}

void check_bias(Bias& bias, std::string_view kind, const SpecInput& spec, std::uint32_t) {
  // Windows have their own size and geometry, FIRE divides by the query's position, two forms of ALiBi count keys.
  if (kind.starts_with("swin")) return;
  std::vector<float> rows(std::size_t(bias.heads) * 6 * 7);
  REQUIRE_FALSE(bias.bias(6, 7, 1, {}, view_of(rows, {double(bias.heads), 6, 7})));
  for (float value : rows) REQUIRE_FALSE(std::isnan(value));
  if (kind == "fire" || text_in(spec, "form").starts_with("key")) return;
  for (std::size_t h = 0; h < std::size_t(bias.heads); ++h)
    for (std::size_t i = 1; i < 6; ++i)
      for (std::size_t j = 1; j < 7; ++j) {
        const std::size_t at = (h * 6 + i) * 7 + j;
        REQUIRE(rows[at] == rows[at - 8]);
      }
}

std::vector<float> rows_of(Relative& relative, std::vector<float> q, std::vector<float> k, double offset,
                           AttentionRows wanted) {
  constexpr int kQueries = 4, kKeys = 7;
  const double heads = relative.heads > 0 ? relative.heads : 2;
  std::vector<float> out(std::size_t(heads) * kQueries * kKeys);
  AttentionOptions options;
  options.scale = 1;
  options.relative = &relative;
  options.key_positions = run(offset, kKeys);
  options.query_positions = run(offset + kKeys - kQueries, kQueries);
  const double width = width_of(relative);
  TokenInputValues tokens(&relative, 1, heads, heads, kQueries, kKeys);
  options.tokens = tokens.views();
  const Error error = attention_rows(view_of(q, {1, heads, kQueries, width}), view_of(k, {1, heads, kKeys, width}),
                                     options, view_of(out, {1, heads, kQueries, kKeys}), wanted);
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

void check_relative(Relative& relative, std::string_view kind, std::uint32_t seed) {
  const std::size_t heads = relative.heads > 0 ? std::size_t(relative.heads) : 2,
                    width = std::size_t(width_of(relative));
  const auto q = random_floats(heads * 4 * width, seed), k = random_floats(heads * 7 * width, seed + 1);
  const auto logits = rows_of(relative, q, k, 0, AttentionRows::logits);
  double size = 1;
  for (float logit : logits) {
    REQUIRE(std::isfinite(logit));
    size = std::max(size, std::abs(double(logit)));
  }
  // Moving queries and keys together changes nothing but roundings, but where waves are mixed, or the tokens' own rows
  // turn.
  if (kind != "fope" && kind != "grape-ap")
    REQUIRE(largest_difference(rows_of(relative, q, k, 53, AttentionRows::logits), logits) < 2e-6 * size);
  const auto weights = rows_of(relative, q, k, 0, AttentionRows::weights);
  for (std::size_t row = 0; row < heads * 4; ++row) {
    const float* scores = logits.data() + row * 7;
    const double top = *std::max_element(scores, scores + 7);
    double total = 0;
    for (int j = 0; j < 7; ++j) total += std::exp(double(scores[j]) - top);
    for (int j = 0; j < 7; ++j)
      REQUIRE(std::abs(std::exp(double(scores[j]) - top) / total - double(weights[row * 7 + std::size_t(j)])) <
              4e-6 * size);
  }
}

}  // namespace

TEST_CASE("random specs of every table", "[properties]") {
  for (const Sample& sample : samples_of(FamilyName::table))
    for (std::uint32_t seed = 1; const SpecInput& spec : random_specs(sample, kSpecs, 7)) {
      INFO(sample.kind << ": " << text_of(spec));
      check_table(*create_as<Table>(sample.kind, spec), sample.kind, spec, seed++);
    }
}

TEST_CASE("random specs of every rotation", "[properties]") {
  for (const Sample& sample : samples_of(FamilyName::rotary))
    for (std::uint32_t seed = 1; const SpecInput& spec : random_specs(sample, kSpecs, 7)) {
      INFO(sample.kind << ": " << text_of(spec));
      check_rotation(*create_as<Rotation>(sample.kind, spec), sample.kind, spec, seed++);
    }
}

TEST_CASE("random specs of every bias", "[properties]") {
  for (const Sample& sample : samples_of(FamilyName::bias))
    for (std::uint32_t seed = 1; const SpecInput& spec : random_specs(sample, kSpecs, 7)) {
      INFO(sample.kind << ": " << text_of(spec));
      check_bias(*create_as<Bias>(sample.kind, spec), sample.kind, spec, seed++);
    }
}

TEST_CASE("random specs of every relative encoding", "[properties]") {
  for (const Sample& sample : samples_of(FamilyName::relative))
    for (std::uint32_t seed = 1; const SpecInput& spec : random_specs(sample, kSpecs, 7)) {
      INFO(sample.kind << ": " << text_of(spec));
      check_relative(*create_as<Relative>(sample.kind, spec), sample.kind, seed++);
    }
}
