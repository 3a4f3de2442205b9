// What rotary encodings refuse, and what they do at the ends of their ranges.
#include "cpp/support.hpp"
#include "posenc/attention.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr double kFarthest = kMaxPosition;

// Every number of every rotary kind at both ends of its range, where the rules across fields allow it.
template <class Check>
void for_each_extreme(Check check) {
  for (const Sample& sample : samples_of(FamilyName::rotary))
    for (const SampleField& it : sample.fields) {
      const bool list = it.type == Slot::Type::numbers;
      const bool plain = it.type == Slot::Type::number || it.type == Slot::Type::optional_number;
      if (!list && !plain) continue;
      for (const double value : {it.field.min, it.field.max})
        for (const std::string_view precision : Choices<Precision>::names) {
          SpecInput spec = sample.with(it.field.name, list ? numbers({value}) : number(value));
          spec.emplace_back("precision", text(precision));
          CAPTURE(sample.kind, it.field.name, value, precision);
          auto made = create(sample.kind, spec);
          if (made) check(*as<Rotation>(**made));
        }
    }
}

struct Refused {
  Code code;
  std::string field;
};

// The call must be refused, and x must be as it was.
void check_refused(const Error& error, const Refused& wanted, const std::vector<float>& x,
                   const std::vector<float>& before) {
  CAPTURE(error.message());
  CHECK(error.code() == wanted.code);
  CHECK(error.field() == wanted.field);
  CHECK(error.message().starts_with(wanted.field + ": "));
  CHECK(same_bits(x, before));
}

}  // namespace

TEST_CASE("frequencies and magnitudes are finite at every end of every range", "[rotary]") {
  for_each_extreme([](Rotation& rotation) {
    CHECK((rotation.attention_factor > 0 && std::isfinite(rotation.attention_factor)));
    for (const double length : {1.0, 1e6, kFarthest})
      for (const double frequency : rotation.inverse_frequencies(length)) {
        CAPTURE(length, frequency);
        REQUIRE((frequency >= 0 && std::isfinite(frequency)));
      }
  });
}

TEST_CASE("the farthest positions still turn", "[rotary]") {
  const std::vector<double> positions{-kFarthest, kFarthest, kFarthest - 1.5};
  for_each_extreme([&](Rotation& rotation) {
    // xPos' magnitudes do not reach that far; axes have coordinates of their own.
    if (!rotation.decay.rates.empty() || !rotation.one_for_all) return;
    const double pairs = rotation.pairs;
    std::vector<float> cosine(positions.size() * std::size_t(pairs)), sine(cosine.size());
    const Shape shape{double(positions.size()), pairs};
    REQUIRE_FALSE(rotation.tables(given(positions), 0, view_of(cosine, shape), view_of(sine, shape)));
    const double magnitude = rotation.attention_factor;
    for (std::size_t i = 0; i < cosine.size(); ++i) {
      const double norm = std::hypot(double(cosine[i]), double(sine[i]));
      CAPTURE(i, cosine[i], sine[i]);
      REQUIRE(std::abs(norm / magnitude - 1) < 1e-6);
    }
  });
}

TEST_CASE("a call is refused as a whole: shapes", "[rotary]") {
  const auto rotation = make_right(Rope{.common = {.dim = 8}});
  auto x = random_floats(2 * 3 * 5 * 8, 1);
  const auto before = x;
  const auto refuse = [&](const Shape& shape, const Positions& positions, const Refused& wanted,
                          HeadLayout layout = HeadLayout::bhtd) {
    for (const Direction direction : {Direction::forward, Direction::inverse, Direction::transpose})
      check_refused(rotation->apply(view_of(x, shape), layout, positions, 0, direction), wanted, x, before);
  };
  const std::vector<double> five(5, 1.0), six(6, 1.0);
  const Refused wrong_x{Code::shape_mismatch, "x"}, wrong_positions{Code::shape_mismatch, "positions"};
  refuse({6, 5, 8}, run(0, 5), wrong_x);
  refuse({2, 3, 10, 4}, run(0, 10), wrong_x);
  refuse({2, 3, 4, 8}, run(0, 4), wrong_x);
  refuse({2, -3, -5, 8}, run(0, 5), wrong_x);
  refuse({2, 2.5, 6, 8}, run(0, 6), wrong_x);
  refuse({2, 3, 5, 8}, given(six), wrong_positions);
  refuse({2, 3, 5, 8}, given(five), wrong_positions, HeadLayout::bthd);
}

TEST_CASE("a call is refused as a whole: positions", "[rotary]") {
  const auto rotation = make_right(Rope{.common = {.dim = 8}});
  auto x = random_floats(2 * 3 * 5 * 8, 1);
  const auto before = x;
  const auto refuse = [&](const Positions& positions, const Refused& wanted) {
    const View view = view_of(x, {2, 3, 5, 8});
    check_refused(rotation->apply(view, HeadLayout::bhtd, positions, 0, Direction::forward), wanted, x, before);
    check_refused(rotation->rerotate(view, HeadLayout::bhtd, {*rotation, run(0, 5)}, {*rotation, positions}), wanted, x,
                  before);
    check_refused(rotation->rerotate(view, HeadLayout::bhtd, {*rotation, positions}, {*rotation, run(0, 5)}), wanted, x,
                  before);
  };
  for (const double wrong : {std::nan(""), kInfinity, -kInfinity}) {
    refuse(run(wrong, 5), {Code::invalid_argument, "offset"});
    refuse(given({0, 1, wrong, 3, 4}), {Code::invalid_argument, "positions"});
  }
  for (const double wrong : {2 * kFarthest, -2 * kFarthest}) {
    refuse(run(wrong, 5), {Code::out_of_range, "offset"});
    refuse(given({0, 1, wrong, 3, 4}), {Code::out_of_range, "positions"});
  }
  refuse(run(kFarthest - 2, 5), {Code::out_of_range, "offset"});
}

TEST_CASE("rerotation between encodings that turn other features is refused", "[rotary]") {
  const auto rotation = make_right(Rope{.common = {.dim = 8}});
  auto x = random_floats(40, 1);
  const auto before = x;
  const Positions positions = run(0, 5);
  for (const Rope& other : {Rope{.common = {.dim = 16}}, Rope{.common = {.dim = 8, .rotary_dim = 4}},
                            Rope{.common = {.dim = 8, .pairing = Pairing::interleaved}}}) {
    const auto from = make_right(other);
    check_refused(
        rotation->rerotate(view_of(x, {1, 1, 5, 8}), HeadLayout::bhtd, {*from, positions}, {*rotation, positions}),
        {Code::invalid_argument, "from"}, x, before);
  }
}

TEST_CASE("tables refuse results of another shape", "[rotary]") {
  const auto rotation = make_right(Rope{.common = {.dim = 8}});
  std::vector<float> right(12), sine(12), wrong(16);
  const Shape shape{3, 4}, other{4, 4};
  CHECK(rotation->tables(run(0, 3), 0, view_of(right, shape), view_of(wrong, other)).field() == "out");
  CHECK(rotation->tables(run(0, 3), 0, view_of(wrong, other), view_of(right, shape)).code() == Code::shape_mismatch);
  CHECK(rotation->tables(run(0, 3), 0, view_of(wrong, shape), view_of(right, shape)).code() == Code::shape_mismatch);
  CHECK_FALSE(rotation->tables(run(0, 3), 0, view_of(right, shape), view_of(sine, shape)));
}

TEST_CASE("nothing to turn is no error", "[rotary]") {
  const auto rotation = make_right(Rope{.common = {.dim = 8}});
  std::vector<float> none;
  for (const Shape& shape : {Shape{0, 3, 5, 8}, Shape{2, 0, 5, 8}, Shape{2, 3, 0, 8}}) {
    const int positions = int(shape[2]);
    CHECK_FALSE(rotation->apply(view_of(none, shape), HeadLayout::bhtd, run(0, positions), 0, Direction::forward));
    const Positions where = run(3, positions);
    CHECK_FALSE(rotation->rerotate(view_of(none, shape), HeadLayout::bhtd, {*rotation, where}, {*rotation, where}));
  }
  CHECK_FALSE(rotation->tables(run(0, 0), 0, view_of(none, {0, 4}), view_of(none, {0, 4})));
}

TEST_CASE("without a length given, the largest position decides the regime", "[rotary]") {
  const auto rotation =
      create_as<Rotation>("rope-dynamic", {{"dim", number(8)}, {"factor", number(2)}, {"originalLength", number(16)}});
  CHECK(rotation->length_of(run(0, 16), 0) == 16);
  CHECK(rotation->length_of(given({3, 99.5, 7}), 0) == 100);
  CHECK(rotation->length_of(given({-4, -3}), 0) == 1);
  CHECK(rotation->length_of(run(0, 16), 1000) == 1000);
  const auto x = random_floats(20 * 8, 1);
  const auto rotated = [&](double length) {
    auto y = x;
    REQUIRE_FALSE(rotation->apply(view_of(y, {1, 1, 20, 8}), HeadLayout::bhtd, run(0, 20), length, Direction::forward));
    return y;
  };
  CHECK(same_bits(rotated(0), rotated(20)));
  CHECK_FALSE(same_bits(rotated(0), rotated(16)));
}

TEST_CASE("sequence lengths that take turns leave no trace in each other", "[rotary]") {
  for (const Sample& sample : samples_of(FamilyName::rotary)) {
    if (sample.kind != "rope-dynamic" && sample.kind != "rope-qwen" && sample.kind != "rope-longrope") continue;
    CAPTURE(sample.kind);
    const auto rotation = create_as<Rotation>(sample.kind, sample.required);
    const Shape shape{1, 1, 3, double(rotation->dim)};
    const auto x = random_floats(3 * std::size_t(rotation->dim), 1);
    const auto rotated = [&](double length, Workspace& workspace) {
      auto y = x;
      REQUIRE_FALSE(rotation->apply(view_of(y, shape), HeadLayout::bhtd, run(40, 3), length, Direction::forward,
                                    Role::none, workspace));
      return y;
    };
    Workspace same;
    for (const double length : {100.0, 1e6, 100.0, 2e6, 3e6, 100.0, 1e6, 1e6}) {
      Workspace fresh;
      CHECK(same_bits(rotated(length, same), rotated(length, fresh)));
    }
    CHECK_FALSE(same_bits(rotated(100, same), rotated(1e6, same)));
  }
}

TEST_CASE("a sequence longer than positions can tell is refused, the data untouched", "[rotary]") {
  const auto rotation =
      create_as<Rotation>("rope-dynamic", {{"dim", number(4)}, {"factor", number(2)}, {"originalLength", number(16)}});
  const Shape shape{1, 1, 2, 4};
  auto x = random_floats(8, 1);
  const auto before = x;
  std::vector<float> out(4), weights(4);
  AttentionOptions options;
  options.rotation = rotation.get();
  const auto errors_at = [&](double length) {
    options.sequence_length = length;
    const Error errors[]{
        rotation->tables(run(0, 2), length, view_of(out, {2, 2}), view_of(weights, {2, 2})),
        rotation->apply(view_of(x, shape), HeadLayout::bhtd, run(0, 2), length, Direction::forward),
        rotation->rerotate(view_of(x, shape), HeadLayout::bhtd, {*rotation, run(0, 2), length}, {*rotation, run(0, 2)}),
        rotation->rerotate(view_of(x, shape), HeadLayout::bhtd, {*rotation, run(0, 2)}, {*rotation, run(0, 2), length}),
        attention_weights(view_of(x, shape), view_of(x, shape), options, view_of(weights, {1, 1, 2, 2}))};
    return std::vector<Error>(std::begin(errors), std::end(errors));
  };
  for (const double length : {2 * kMaxPosition, 1e300, std::numeric_limits<double>::max(), kInfinity})
    for (const Error& error : errors_at(length)) {
      CHECK(error.code() == Code::invalid_argument);
      CHECK(error.field() == "sequenceLength");
      CHECK(same_bits(x, before));
    }
  for (const double length : {kMaxPosition, kMaxPosition + 1})
    for (const Error& error : errors_at(length)) CHECK(error.message() == "");
}

TEST_CASE("positions that do not say how many they are count as many as the tensor has") {
  auto rotation =
      create_as<Rotation>("rope-dynamic", {{"dim", number(4)}, {"factor", number(4)}, {"originalLength", number(8)}});
  const Shape shape{1, 1, 40, 4};
  auto x = random_floats(160, 1), wanted = x;
  REQUIRE_FALSE(rotation->apply(view_of(wanted, shape), HeadLayout::bhtd, run(0, 40), 40, Direction::forward));
  REQUIRE_FALSE(rotation->apply(view_of(x, shape), HeadLayout::bhtd, {}, 0, Direction::forward));
  CHECK(same_bits(x, wanted));
}
