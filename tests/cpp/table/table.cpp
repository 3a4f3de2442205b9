// Is each table its formula, and do adding, setting beside and shifting do what they say?
#include "cpp/support.hpp"
#include "posenc/kernels/kernels.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

std::vector<float> rows_of(Table& table, Positions positions, double call_length = 0) {
  positions.extent[0] = call_length;
  std::vector<float> out(std::size_t(positions.count) * std::size_t(table.dim), 99);
  const Shape shape{double(positions.count), double(table.dim)};
  const Error error = table.rows(positions, view_of(out, shape));
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

template <class Spec>
std::vector<float> rows_of(const Spec& spec, const Positions& positions, double call_length = 0) {
  return rows_of(*make_right(spec), positions, call_length);
}

// One row by the paper's formula, in plain double.
struct Columns {
  std::vector<double> sines, cosines;
  Columns(double position, int count, double denominator, double base = 10000) {
    for (int i = 0; i < count; ++i) {
      sines.push_back(std::sin(position * std::pow(base, -i / denominator)));
      cosines.push_back(std::cos(position * std::pow(base, -i / denominator)));
    }
  }
};

std::vector<double> interleaved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < a.size(); ++i) {
    out.push_back(a[i]);
    if (i < b.size()) out.push_back(b[i]);
  }
  return out;
}

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

constexpr double kRounding = 6e-8;

}  // namespace

TEST_CASE("one-hot, integer, normalized, binary", "[table]") {
  CHECK(rows_of(OneHot{.dim = 3}, run(0, 3)) == std::vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  CHECK(rows_of(Integer{.dim = 2}, given({-3, 0.5})) == std::vector<float>{-3, -3, 0.5, 0.5});
  CHECK(rows_of(Normalized{}, run(0, 5)) == std::vector<float>{0, 0.25, 0.5, 0.75, 1});
  CHECK(rows_of(Normalized{.dim = 1, .length = 11}, run(4, 3)) == std::vector<float>{0.4f, 0.5f, 0.6f});
  CHECK(rows_of(Normalized{}, run(0, 1)) == std::vector<float>{0});
  CHECK(rows_of(Binary{.dim = 4}, given({3, 4, 10})) == std::vector<float>{0, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0});
  CHECK(rows_of(Binary{.dim = 60}, run(281474976710655, 1)) == [] {
    std::vector<float> digits(60, 1.0f);
    std::fill_n(digits.begin(), 12, 0.0f);
    return digits;
  }());
}

TEST_CASE("periodic: dimension i first reaches 1 at position 2^i", "[table]") {
  auto table = make_right(Periodic{.dim = 12});
  for (int i = 0; i < 12; ++i) {
    const auto row = rows_of(*table, run(std::ldexp(1.0, i), 1));
    CHECK(std::abs(row[std::size_t(i)] - 1) < 1e-7);
    for (int j = 0; j < 12; ++j)
      CHECK(std::abs(row[std::size_t(j)] - std::sin(std::ldexp(1.5707963267948966, i - j))) < kRounding);
  }
}

TEST_CASE("sinusoidal: the values of the paper's formula", "[table]") {
  const auto rows = rows_of(Sinusoidal{.dim = 4}, run(0, 5));
  const std::vector<double> known{0,      1,      0,      1,       0.8415, 0.5403,  0.0100,  0.99995, 0.9093, -0.4161,
                                  0.0200, 0.9998, 0.1411, -0.9900, 0.0300, 0.99955, -0.7568, -0.6536, 0.0400, 0.9992};
  CHECK(largest_difference(rows, known) < 5.1e-5);
  for (const int dim : {2, 6, 64, 130})
    for (const double position : {0.0, 1.0, 77.0, 1000.0, -3.5}) {
      const Columns columns(position, dim / 2, dim / 2.0);
      CHECK(largest_difference(rows_of(Sinusoidal{.dim = dim}, run(position, 1)),
                               interleaved(columns.sines, columns.cosines)) < 1e-7);
    }
}

TEST_CASE("sinusoidal: arrangements", "[table]") {
  const Positions at = run(9, 1);
  const Columns columns(9, 5, 5);
  Sinusoidal spec{.dim = 10};
  spec.order = SinusoidOrder::cosine_sine;
  CHECK(largest_difference(rows_of(spec, at), interleaved(columns.cosines, columns.sines)) < kRounding);
  spec.pairing = SinusoidPairing::concat;
  CHECK(largest_difference(rows_of(spec, at), joined(columns.cosines, columns.sines)) < kRounding);
  spec.order = SinusoidOrder::sine_cosine;
  CHECK(largest_difference(rows_of(spec, at), joined(columns.sines, columns.cosines)) < kRounding);
  // tensor2tensor, fairseq, Whisper: the slowest wave is 1 / base exactly.
  spec.frequency_shift = 1;
  const Columns shifted(9, 5, 4);
  CHECK(largest_difference(rows_of(spec, at), joined(shifted.sines, shifted.cosines)) < kRounding);
  CHECK(make_right(spec)->frequencies().back().hi == 1e-4);
  CHECK(make_right(Sinusoidal{.dim = 2, .frequency_shift = 1})->frequencies().front().hi == 1);
}

TEST_CASE("sinusoidal: odd dims lose a cosine, end in a zero, or take the next even dim's frequencies", "[table]") {
  const Positions at = run(3, 1);
  Sinusoidal spec{.dim = 7};
  Columns truncated(3, 4, 3.5), padded(3, 3, 3), rounded(3, 4, 4);
  truncated.cosines.pop_back();
  rounded.cosines.pop_back();
  CHECK(largest_difference(rows_of(spec, at), interleaved(truncated.sines, truncated.cosines)) < kRounding);
  spec.odd_dim = OddDim::round_up;
  CHECK(largest_difference(rows_of(spec, at), interleaved(rounded.sines, rounded.cosines)) < kRounding);
  spec.odd_dim = OddDim::pad;
  CHECK(largest_difference(rows_of(spec, at), joined(interleaved(padded.sines, padded.cosines), {0})) < kRounding);
  spec.pairing = SinusoidPairing::concat;
  CHECK(largest_difference(rows_of(spec, at), joined(joined(padded.sines, padded.cosines), {0})) < kRounding);
  spec.odd_dim = OddDim::truncate;
  CHECK(largest_difference(rows_of(spec, at), joined(truncated.sines, truncated.cosines)) < kRounding);
  CHECK(rows_of(Sinusoidal{.dim = 1, .odd_dim = OddDim::pad}, at) == std::vector<float>{0});
  CHECK(std::abs(rows_of(Sinusoidal{.dim = 1}, at)[0] - std::sin(3.0)) < kRounding);
}

TEST_CASE("sinusoidal: start, scale and the padding row", "[table]") {
  Sinusoidal spec{.dim = 6};
  spec.scale = 0.5;
  spec.start = 2;
  CHECK(rows_of(spec, run(4, 1)) == rows_of(Sinusoidal{.dim = 6}, run(3, 1)));
  spec.padding_index = 6;  // a position after `start`
  const auto rows = rows_of(spec, run(3, 3));
  CHECK(std::vector<float>(rows.begin() + 6, rows.begin() + 12) == std::vector<float>(6, 0.0f));
  CHECK(rows[1] != 0);
  CHECK(rows[13] != 0);
}

TEST_CASE("sinusoidal: a shift that double precision rounds is subtracted exactly", "[table]") {
  for (const double shift : {0.1, 0.35294117647058826, 0.9999999999}) {
    Sinusoidal spec{.dim = 56};
    spec.frequency_shift = shift;
    const auto rates = spec.frequencies(Precision::exact);
    // ω_i^(28 - shift) = base^-i
    const Real one = power(rates[1], Real(28) - Real(shift)) * Real(spec.base);
    CHECK(std::abs((one - Real(1)).hi) < 1e-35);
    Sinusoidal2d grid;
    grid.grid.dim = 112;
    grid.grid.frequency_shift = shift;
    const double far = 281474976710000;
    const auto line = rows_of(spec, given({far}));
    Positions position{.values = {}, .count = 1, .axes = 2};
    const std::vector<double> both{far, 0};
    position.values = {both.data(), 1};
    position.stride = 1;
    const auto rows = rows_of(grid, position);
    CHECK(std::vector<float>(rows.begin(), rows.begin() + 56) == line);
  }
}

TEST_CASE("sinusoidal in float32 takes PyTorch's steps", "[table]") {
  auto table = make_right(Sinusoidal{.dim = 64, .precision = Precision::float32});
  const auto row = rows_of(*table, run(1000, 1));
  for (int i = 0; i < 32; ++i) {
    const float rate = float(-std::log(10000.0) / 32), angle = 1000.0f * float(std::exp(double(float(i) * rate)));
    // The frequency's last bit may differ from libm's, which moves the angle by as much as its own last bit.
    CHECK(std::abs(row[std::size_t(2 * i)] - std::sin(double(angle))) < 1.3e-7 * std::max(1.0f, angle));
  }
}

TEST_CASE("tables are bounded at every end of every range, and the same in one call or many", "[table]") {
  for (const Sample& sample : samples_of(FamilyName::table))
    for (const SampleField& it : sample.fields) {
      if (it.type != Slot::Type::number || sample.kind == "learned") continue;
      for (const double value : {it.field.min, it.field.max}) {
        CAPTURE(sample.kind, it.field.name, value);
        auto table = create_as<Table>(sample.kind, sample.with(it.field.name, number(value)));
        const std::vector<double> far{0, 1, -5.5, 1e6 + 0.5, 2147483647, kMaxPosition, -kMaxPosition};
        std::vector<double> values;
        for (int axis = 0; axis < table->axes; ++axis) values.insert(values.end(), far.begin(), far.end());
        Positions positions = given(values);
        positions.values = positions.values.first(far.size());
        positions.count = int(far.size());
        positions.axes = table->axes;
        positions.stride = far.size();
        const auto rows = rows_of(*table, positions);
        for (const float x : rows) REQUIRE(std::abs(x) <= 1);
      }
    }
  for (const Sample& sample : samples_of(FamilyName::table)) {
    auto table = create_as<Table>(sample.kind, sample.required);
    const auto together = rows_of(*table, first_positions(*table, 8), table->axes > 1 ? 1 : 8);
    for (int t = 7; t >= 0; --t) {
      Positions position = first_positions(*table, 8);
      position.offset = t;
      position.count = 1;
      const auto single = rows_of(*table, position, table->axes > 1 ? 1 : 8);
      REQUIRE(std::equal(single.begin(), single.end(), together.begin() + t * table->dim));
    }
  }
}

TEST_CASE("add_to adds a row to every run, shared or each its own", "[table]") {
  const auto x = random_floats(2 * 3 * 4 * 6, 1);
  auto table = make_right(Sinusoidal{.dim = 6});
  std::vector<double> each;
  for (int i = 0; i < 24; ++i) each.push_back(i % 4 == 3 ? -i : 2 * i);
  for (const bool shared : {true, false}) {
    const Positions positions = shared ? run(5, 4) : given(each);
    auto got = x, wanted = x;
    REQUIRE_FALSE(table->add_to(view_of(got, {2, 3, 4, 6}), positions, {}));
    const auto rows = rows_of(*table, positions);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] += rows[shared ? i % 24 : i];
    CHECK(same_bits(got, wanted));
  }
  auto dropped = x, kept = x;
  REQUIRE_FALSE(table->add_to(view_of(kept, {6, 4, 6}), run(0, 4), {}));
  REQUIRE_FALSE(table->add_to(view_of(dropped, {6, 4, 6}), run(0, 4), {.rate = 0.5, .seed = 3}));
  int zeros = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    REQUIRE((dropped[i] == 0 || dropped[i] == 2 * kept[i]));
    zeros += dropped[i] == 0;
  }
  CHECK((zeros > 48 && zeros < 96));
}

TEST_CASE("concat_to sets a row beside the features", "[table]") {
  auto x = random_floats(2 * 3 * 5, 2);
  auto table = make_right(Sinusoidal{.dim = 4});
  std::vector<float> got(2 * 3 * 9), wanted;
  REQUIRE_FALSE(table->concat_to(view_of(x, {2, 3, 5}), run(1, 3), view_of(got, {2, 3, 9})));
  const auto rows = rows_of(*table, run(1, 3));
  for (std::ptrdiff_t i = 0; i < 6; ++i) {
    wanted.insert(wanted.end(), x.begin() + 5 * i, x.begin() + 5 * (i + 1));
    wanted.insert(wanted.end(), rows.begin() + 4 * (i % 3), rows.begin() + 4 * (i % 3 + 1));
  }
  CHECK(same_bits(got, wanted));
}

TEST_CASE("shift turns PE(m) into PE(m + k)", "[table]") {
  for (const SinusoidOrder order : {SinusoidOrder::sine_cosine, SinusoidOrder::cosine_sine})
    for (const double k : {0.0, 1.0, 13.0, -7.5}) {
      Sinusoidal spec{.dim = 12};
      spec.order = order;
      spec.scale = 3;
      auto table = make_right(spec);
      std::vector<float> m(6 * 4);
      REQUIRE_FALSE(table->shift(k, view_of(m, {6, 2, 2})));
      const auto from = rows_of(*table, run(5, 1)), to = rows_of(*table, run(5 + k, 1));
      for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t row = 0; row < 2; ++row) {
          const double rotated =
              double(m[4 * i + 2 * row]) * from[2 * i] + double(m[4 * i + 2 * row + 1]) * from[2 * i + 1];
          CHECK(std::abs(rotated - to[2 * i + row]) < 2e-7);
        }
    }
}

TEST_CASE("dropout counts from the first element where no other is told", "[table]") {
  const auto table = make_right(Sinusoidal{.dim = 8});
  const Shape shape{3, 8};
  auto x = random_floats(24, 5), wanted = x;
  REQUIRE_FALSE(table->add_to(view_of(wanted, shape), run(0, 3), {}));
  dropout(wanted.data(), wanted.size(), 0.5, 3, 0);
  REQUIRE_FALSE(table->add_to(view_of(x, shape), run(0, 3), {.rate = 0.5, .seed = 3}));
  CHECK(same_bits(x, wanted));
}
