// Is every rotary kind a rotation? The same properties for all kinds, pairings, precisions and partial heads.
#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr int kDim = 64, kBatch = 2, kHeads = 3, kLength = 35;  // longer than the rows that are made at once
constexpr double kSequence = 10000;                             // scaled regimes: longer than every originalLength
constexpr std::size_t kSize = std::size_t(kBatch * kHeads * kLength * kDim);
const Shape kShape{kBatch, kHeads, kLength, kDim};

// The kinds that turn by one position and keep norms; rope-mrope does with text. rope-axial and xpos have files of
// their own.
std::vector<Sample> plain_rotations() {
  auto all = samples_of(FamilyName::rotary);
  std::erase_if(all, [](const Sample& sample) { return sample.kind == "rope-axial" || sample.kind == "xpos"; });
  return all;
}

template <class Check>
void for_each_rotation(Check check) {
  for (const Sample& sample : plain_rotations())
    for (const std::string_view pairing : Choices<Pairing>::names)
      for (const std::string_view precision : Choices<Precision>::names)
        for (const int rotary_dim : {0, 24}) {
          Sample given = sample;
          if (rotary_dim && sample.kind == "rope-mrope") given.required = sample.with("sections", numbers({4, 4, 4}));
          SpecInput spec = given.with("pairing", text(pairing));
          spec.emplace_back("precision", text(precision));
          spec.emplace_back("rotaryDim", number(rotary_dim));
          CAPTURE(sample.kind, pairing, precision, rotary_dim);
          check(*create_as<Rotation>(sample.kind, spec));
        }
}

std::vector<float> applied(Rotation& rotation, std::vector<float> x, const Positions& positions,
                           Direction direction = Direction::forward) {
  const Error error = rotation.apply(view_of(x, kShape), HeadLayout::bhtd, positions, kSequence, direction);
  INFO(error.message());
  REQUIRE_FALSE(error);
  return x;
}

// float32 steps round the angle, exact ones do not.
double tolerance(const Rotation& rotation) { return rotation.precision == Precision::float32 ? 4e-5 : 4e-6; }

}  // namespace

TEST_CASE("rotations keep the norm of what they turn, times the magnitude, and leave the rest", "[rotary]") {
  const auto x = random_floats(kSize, 1);
  for_each_rotation([&](Rotation& rotation) {
    const auto y = applied(rotation, x, run(-7, kLength));
    const int rotated_dim = 2 * rotation.pairs;
    const double factor = rotation.attention_factor;
    for (std::size_t at = 0; at < kSize; at += kDim) {
      const float *before = x.data() + at, *after = y.data() + at;
      REQUIRE(std::abs(dot(after, after, rotated_dim) / dot(before, before, rotated_dim) - factor * factor) <
              1e-6 * factor * factor);
      REQUIRE(std::equal(before + rotated_dim, before + kDim, after + rotated_dim));
    }
    CHECK(largest_difference(x, y) > 0.5);
  });
}

TEST_CASE("position 0 only applies the magnitude", "[rotary]") {
  const auto x = random_floats(kSize, 2);
  const std::vector<double> zeros(kLength, 0.0);
  for_each_rotation([&](Rotation& rotation) {
    const auto y = applied(rotation, x, given(zeros));
    auto wanted = x;
    for (std::size_t at = 0; at < kSize; at += kDim)
      for (std::size_t k = 0, pairs = std::size_t(rotation.pairs); k < 2 * pairs; ++k) {
        const bool regroup = rotation.pairing == Pairing::interleaved_to_half;
        const std::size_t from = !regroup ? k : k < pairs ? 2 * k : 2 * (k - pairs) + 1;
        wanted[at + k] = x[at + from] * float(rotation.attention_factor);
      }
    REQUIRE(largest_difference(y, wanted) == 0);
  });
}

TEST_CASE("scores depend on distances only", "[rotary]") {
  const auto q = random_floats(kSize, 3), k = random_floats(kSize, 4);
  for_each_rotation([&](Rotation& rotation) {
    const auto near_q = applied(rotation, q, run(20, kLength)), near_k = applied(rotation, k, run(3, kLength));
    const auto far_q = applied(rotation, q, run(84.5, kLength)), far_k = applied(rotation, k, run(67.5, kLength));
    for (std::size_t at = 0; at < kSize; at += kDim) {
      const double near = dot(near_q.data() + at, near_k.data() + at, kDim),
                   far = dot(far_q.data() + at, far_k.data() + at, kDim);
      REQUIRE(std::abs(near - far) < 10 * tolerance(rotation));
    }
  });
}

TEST_CASE("inverse undoes, transpose is the adjoint", "[rotary]") {
  const auto x = random_floats(kSize, 5), y = random_floats(kSize, 6);
  for_each_rotation([&](Rotation& rotation) {
    const Positions positions = run(-12, kLength);
    const auto rotated = applied(rotation, x, positions);
    CHECK(largest_difference(applied(rotation, rotated, positions, Direction::inverse), x) < 1e-6);
    const auto back = applied(rotation, y, positions, Direction::transpose);
    for (std::size_t at = 0; at < kSize; at += kDim)
      REQUIRE(std::abs(dot(rotated.data() + at, y.data() + at, kDim) - dot(x.data() + at, back.data() + at, kDim)) <
              1e-5);
  });
}

TEST_CASE("turning is by the frequencies that are told", "[rotary]") {
  const std::vector<double> positions{0, 1, 5.5, -3, 17};
  for_each_rotation([&](Rotation& rotation) {
    const std::size_t pairs = std::size_t(rotation.pairs), count = positions.size();
    std::vector<float> cosine(count * pairs), sine(cosine.size());
    const Shape shape{double(count), double(pairs)};
    REQUIRE_FALSE(rotation.tables(given(positions), kSequence, view_of(cosine, shape), view_of(sine, shape)));
    const auto frequencies = rotation.inverse_frequencies(kSequence);
    std::vector<double> wanted_cosine, wanted_sine;
    for (const double position : positions)
      for (const double frequency : frequencies) {
        wanted_cosine.push_back(rotation.attention_factor * std::cos(position * frequency));
        wanted_sine.push_back(rotation.attention_factor * std::sin(position * frequency));
      }
    const double allowed = rotation.precision == Precision::float32 ? 2e-6 : 1.2e-7;
    CHECK(largest_difference(cosine, wanted_cosine) < allowed);
    CHECK(largest_difference(sine, wanted_sine) < allowed);
  });
}

TEST_CASE("slices, layouts and lists of positions give the bits of the whole", "[rotary]") {
  const auto x = random_floats(kSize, 7);
  const auto transposed = [](const std::vector<float>& source) {
    std::vector<float> out;
    for (int b = 0; b < kBatch; ++b)
      for (int t = 0; t < kLength; ++t)
        for (int h = 0; h < kHeads; ++h) {
          const auto row = source.begin() + ((b * kHeads + h) * kLength + t) * kDim;
          out.insert(out.end(), row, row + kDim);
        }
    return out;
  };
  std::vector<double> shared, each;
  for (int t = 0; t < kLength; ++t) shared.push_back(t + 4);
  for (int b = 0; b < kBatch; ++b) each.insert(each.end(), shared.begin(), shared.end());
  for_each_rotation([&](Rotation& rotation) {
    const auto whole = applied(rotation, x, run(4, kLength));
    CHECK(same_bits(applied(rotation, x, given(shared)), whole));
    CHECK(same_bits(applied(rotation, x, given(each)), whole));
    auto bthd = transposed(x);
    const View view = view_of(bthd, {kBatch, kLength, kHeads, kDim});
    REQUIRE_FALSE(rotation.apply(view, HeadLayout::bthd, run(4, kLength), kSequence, Direction::forward));
    CHECK(same_bits(bthd, transposed(whole)));
    // One head's row alone, at its own offset.
    std::vector<float> row(x.begin() + 20 * kDim, x.begin() + 21 * kDim);
    REQUIRE_FALSE(
        rotation.apply(view_of(row, {1, 1, 1, kDim}), HeadLayout::bhtd, run(24, 1), kSequence, Direction::forward));
    CHECK(std::equal(row.begin(), row.end(), whole.begin() + 20 * kDim));
  });
}

TEST_CASE("runs of positions, remembered or not, give the bits of listed ones", "[rotary]") {
  const auto x = random_floats(kSize, 11);
  for_each_rotation([&](Rotation& rotation) {
    // Back and forth, over zero, between whole positions, and where truncation and modulus would mix places up.
    for (const double offset : {0.0, 4.0, 3.0, -20.0, -2.5, 0.5, 1024.0, -0.25, 281474976710000.5, 4.0}) {
      std::vector<double> listed;
      for (int t = 0; t < kLength; ++t) listed.push_back(offset + t);
      CAPTURE(offset);
      REQUIRE(same_bits(applied(rotation, x, run(offset, kLength)), applied(rotation, x, given(listed))));
    }
  });
}

TEST_CASE("a change of sequence length forgets what was remembered", "[rotary]") {
  const auto x = random_floats(kSize, 12);
  const auto rotated_at = [&](Rotation& rotation, double length) {
    auto y = x;
    REQUIRE_FALSE(rotation.apply(view_of(y, kShape), HeadLayout::bhtd, run(0, kLength), length, Direction::forward));
    return y;
  };
  for (const Sample& sample : plain_rotations()) {
    const auto used = create_as<Rotation>(sample.kind, sample.required);
    for (const double length : {100.0, 1e6, 100.0, 2e6}) {
      CAPTURE(sample.kind, length);
      CHECK(
          same_bits(rotated_at(*used, length), rotated_at(*create_as<Rotation>(sample.kind, sample.required), length)));
    }
  }
}

TEST_CASE("each batch row can have positions of its own", "[rotary]") {
  const auto x = random_floats(kSize, 8);
  std::vector<double> positions;
  for (int t = 0; t < kLength; ++t) positions.push_back(2 * t);
  for (int t = 0; t < kLength; ++t) positions.push_back(t - 100.25);
  const std::vector<double> second(positions.begin() + kLength, positions.end());
  for_each_rotation([&](Rotation& rotation) {
    const auto got = applied(rotation, x, given(positions)),
               first_rows = applied(rotation, x, given({positions.begin(), positions.begin() + kLength}));
    const auto second_rows = applied(rotation, x, given(second));
    CHECK(std::equal(got.begin(), got.begin() + kSize / 2, first_rows.begin()));
    CHECK(std::equal(got.begin() + kSize / 2, got.end(), second_rows.begin() + kSize / 2));
  });
}

TEST_CASE("rerotating is turning back and turning anew", "[rotary]") {
  const auto x = random_floats(kSize, 9);
  std::vector<double> to;
  for (int t = 0; t < kLength; ++t) to.push_back(t % 2 ? t - 5 : 2.5 * t);
  for_each_rotation([&](Rotation& rotation) {
    const Positions from = run(11, kLength), target = given(to);
    auto moved = applied(rotation, x, from);
    REQUIRE_FALSE(rotation.rerotate(view_of(moved, kShape), HeadLayout::bhtd, {rotation, from, kSequence},
                                    {rotation, target, kSequence}));
    CHECK(largest_difference(moved, applied(rotation, x, target)) < tolerance(rotation));
  });
}

TEST_CASE("rerotating leads from one encoding or sequence length to another", "[rotary]") {
  const auto x = random_floats(kSize, 10);
  const Positions positions = run(2, kLength);
  const auto check_crossing = [&](Rotation& from, double from_length, Rotation& to, double to_length) {
    auto moved = x, wanted = x;
    REQUIRE_FALSE(from.apply(view_of(moved, kShape), HeadLayout::bhtd, positions, from_length, Direction::forward));
    REQUIRE_FALSE(to.apply(view_of(wanted, kShape), HeadLayout::bhtd, positions, to_length, Direction::forward));
    CHECK(largest_difference(moved, wanted) > 0.1);
    REQUIRE_FALSE(to.rerotate(view_of(moved, kShape), HeadLayout::bhtd, {from, positions, from_length},
                              {to, positions, to_length}));
    CHECK(largest_difference(moved, wanted) < tolerance(to));
  };
  for (const std::string_view kind : {"rope-dynamic", "rope-qwen", "rope-longrope"}) {
    const auto all = samples_of(FamilyName::rotary);
    const auto sample = std::find_if(all.begin(), all.end(), [&](const Sample& it) { return it.kind == kind; });
    const auto rotation = create_as<Rotation>(kind, sample->required);
    check_crossing(*rotation, 100, *rotation, 1e6);
  }
  const auto plain = make_right(Rope{}),
             yarn = create_as<Rotation>("rope-yarn",
                                        {{"dim", number(64)}, {"factor", number(8)}, {"originalLength", number(64)}});
  check_crossing(*plain, 0, *yarn, 0);
  check_crossing(*yarn, 0, *plain, 0);
}
