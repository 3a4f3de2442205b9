// Is each bias its formula, and does it go by distance?
#include "cpp/bias/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

std::vector<double> powers_of_two(const std::vector<double>& exponents) {
  std::vector<double> out;
  for (const double exponent : exponents) out.push_back(std::exp2(exponent));
  return out;
}

// b[h, i, j] by its definition.
std::vector<double> alibi(AlibiForm form, std::span<const float> slopes, int queries, int keys, double offset) {
  std::vector<double> out;
  for (const float slope : slopes)
    for (int i = 0; i < queries; ++i)
      for (int j = 0; j < keys; ++j)
        out.push_back(double(slope) * (form == AlibiForm::relative ? -std::abs(offset + i - j)
                                       : form == AlibiForm::key    ? j - (keys - 1)
                                                                   : j));
  return out;
}

}  // namespace

TEST_CASE("alibi: slopes as printed in the paper", "[bias]") {
  const auto slopes = [](const Alibi& spec) { return spec.slopes(); };
  CHECK(largest_difference(slopes({.heads = 8}), powers_of_two({-1, -2, -3, -4, -5, -6, -7, -8})) == 0);
  CHECK(largest_difference(slopes({.heads = 16}), powers_of_two({-0.5, -1, -1.5, -2, -2.5, -3, -3.5, -4, -4.5, -5, -5.5,
                                                                 -6, -6.5, -7, -7.5, -8})) < 3e-8);
  CHECK(largest_difference(slopes({.heads = 1}), powers_of_two({-8})) == 0);
  // 12 heads: the 8 of a power of two, then every other one of 16.
  CHECK(largest_difference(slopes({.heads = 12}),
                           powers_of_two({-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5})) < 3e-8);
  CHECK(largest_difference(slopes({.heads = 4, .max_bias = 4}), powers_of_two({-1, -2, -3, -4})) == 0);
  CHECK(largest_difference(slopes({.heads = 4, .active_heads = 2}), std::vector<double>{0.0625, 0.00390625, 0, 0}) ==
        0);
}

TEST_CASE("alibi: each form, for any shape and offset", "[bias]") {
  for (const AlibiForm form : {AlibiForm::relative, AlibiForm::key, AlibiForm::key_absolute})
    for (const int queries : {0, 1, 5})
      for (const int keys : {0, 1, 9})
        for (const double offset : {0.0, double(keys - queries), 2.5, -3.0}) {
          const auto bias = make_right(Alibi{.heads = 3, .form = form});
          CAPTURE(int(form), queries, keys, offset);
          REQUIRE(largest_difference(rows_of(*bias, queries, keys, offset),
                                     alibi(form, std::array{0x1p-4f, 0x1p-8f, 0x1p-2f}, queries, keys, offset)) < 1e-7);
        }
}

TEST_CASE("alibi: the forms differ by a constant per query, so causal softmax makes them equal", "[bias]") {
  const auto relative = rows_of(*make_right(Alibi{.heads = 4}), 9, 9, 0);
  for (const AlibiForm form : {AlibiForm::key, AlibiForm::key_absolute}) {
    const auto other = rows_of(*make_right(Alibi{.heads = 4, .form = form}), 9, 9, 0);
    for (std::size_t h = 0; h < 4; ++h)
      for (std::size_t i = 0; i < 9; ++i)
        for (std::size_t j = 0, row = (h * 9 + i) * 9; j <= i; ++j)
          REQUIRE(std::abs((relative[row + j] - relative[row]) - (other[row + j] - other[row])) < 1e-6);
  }
}

TEST_CASE("keys can stand at positions of their own", "[bias]") {
  const std::vector<double> positions{4, 0.5, 9, -2};
  for (const AlibiForm form : {AlibiForm::relative, AlibiForm::key, AlibiForm::key_absolute}) {
    const auto bias = make_right(Alibi{.heads = 2, .form = form});
    const auto got = rows_of(*bias, 3, 4, 1, given(positions));
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 4; ++j) {
          const double distance = form == AlibiForm::relative ? -std::abs(1 + double(i) - positions[j])
                                  : form == AlibiForm::key    ? positions[j] - 9
                                                              : positions[j];
          CHECK(std::abs(got[(h * 3 + i) * 4 + j] - (h == 0 ? 0x1p-4 : 0x1p-8) * distance) < 1e-7);
        }
    std::vector<double> run_positions{0, 1, 2, 3, 4, 5};
    CHECK(same_bits(rows_of(*bias, 4, 6, 2, given(run_positions)), rows_of(*bias, 4, 6, 2)));
  }
}

TEST_CASE("every relative bias is Toeplitz and shows its slopes", "[bias]") {
  for (const Sample& sample : samples_of(FamilyName::bias)) {
    const auto bias = create_as<Bias>(sample.kind, sample.required);
    CAPTURE(sample.kind);
    // Goes by two axes.
    if (sample.kind.starts_with("swin")) continue;
    const auto at = rows_of(*bias, 6, 8, 2), moved = rows_of(*bias, 6, 8, 3);
    for (std::size_t h = 0; h < std::size_t(bias->heads); ++h)
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 7; ++j) {
          const std::size_t index = (h * 6 + i) * 8 + j;
          REQUIRE(at[index] == at[index + 9]);
          REQUIRE(moved[index] == at[index + 8]);
        }
    CHECK((bias->slopes().empty() || bias->slopes().size() == std::size_t(bias->heads)));
  }
}

TEST_CASE("biases refuse counts and offsets that cannot be", "[bias]") {
  const auto bias = make_right(Alibi{.heads = 2});
  std::vector<float> out(2 * 3 * 4, 5.0f);
  const auto before = out;
  const auto refused = [&](double queries, double keys, double offset, const Positions& positions, Code code,
                           std::string_view field) {
    const Error error = bias->bias(queries, keys, offset, positions, view_of(out, {2, 3, 4}));
    CAPTURE(error.message());
    CHECK(error.code() == code);
    CHECK(error.field() == field);
    CHECK(error.message().starts_with(field));
    CHECK(same_bits(out, before));
  };
  refused(-1, 4, 0, {}, Code::invalid_argument, "queries");
  refused(2.5, 4, 0, {}, Code::invalid_argument, "queries");
  refused(3, std::nan(""), 0, {}, Code::invalid_argument, "keys");
  refused(3, 3e9, 0, {}, Code::invalid_argument, "keys");
  refused(3, 4, kInfinity, {}, Code::invalid_argument, "offset");
  refused(3, 4, 1e15, {}, Code::out_of_range, "offset");
  refused(3, 5, 0, {}, Code::shape_mismatch, "out");
  refused(3, 4, 0, given({1, 2, 3}), Code::shape_mismatch, "keyPositions");
  refused(3, 4, 0, given({1, 2, 3, kInfinity}), Code::invalid_argument, "keyPositions");
}
