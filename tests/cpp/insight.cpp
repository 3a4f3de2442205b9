// Do similarities, distance profiles and score terms say what the encodings do?
#include "posenc/insight.hpp"

#include "support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// a [rows, width] · bᵀ [keys, width]
std::vector<double> products(const std::vector<double>& a, const std::vector<double>& b, std::size_t width) {
  std::vector<double> out;
  for (std::size_t row = 0; row < a.size(); row += width)
    for (std::size_t key = 0; key < b.size(); key += width) {
      double sum = 0;
      for (std::size_t i = 0; i < width; ++i) sum += a[row + i] * b[key + i];
      out.push_back(sum);
    }
  return out;
}

std::vector<double> doubles(const std::vector<float>& x) { return {x.begin(), x.end()}; }

std::vector<float> profile_of(std::string_view kind, const SpecInput& spec, const Shape& shape) {
  auto encoding = create(kind, spec);
  REQUIRE(encoding);
  std::vector<float> out(std::size_t(shape.size()), 99);
  const Error error = distance_profile(**encoding, view_of(out, shape));
  INFO(error.message());
  REQUIRE_FALSE(error);
  return out;
}

}  // namespace

TEST_CASE("similarity is all dot products of the rows", "[insight]") {
  for (const std::size_t rows : {0, 1, 7}) {
    auto table = random_floats(rows * 13, 1);
    std::vector<float> out(rows * rows, 99);
    REQUIRE_FALSE(similarity(view_of(table, {double(rows), 13}), view_of(out, {double(rows), double(rows)})));
    CHECK(largest_difference(out, products(doubles(table), doubles(table), 13)) < 1e-6);
  }
}

TEST_CASE("a table's profile is its similarity with position 0", "[insight]") {
  const auto got = profile_of("sinusoidal", {{"dim", number(32)}}, {20});
  std::vector<double> wanted;
  for (int d = 0; d < 20; ++d) {
    wanted.push_back(0);
    for (int i = 0; i < 16; ++i) wanted.back() += std::cos(d * std::pow(10000, -i / 16.0));
  }
  CHECK(largest_difference(got, wanted) < 2e-6);
  CHECK(profile_of("one-hot", {{"dim", number(4)}}, {4}) == std::vector<float>{1, 0, 0, 0});
}

TEST_CASE("a rotation's profile is the mean cosine, times the magnitude twice", "[insight]") {
  for (const Sample& sample : samples_of(FamilyName::rotary)) {
    if (sample.kind == "xpos") continue;
    const auto rotation = create_as<Rotation>(sample.kind, sample.required);
    const auto frequencies = rotation->inverse_frequencies(40);
    std::vector<double> wanted(40, 0);
    for (std::size_t d = 0; d < wanted.size(); ++d)
      for (const double frequency : frequencies)
        wanted[d] += rotation->attention_factor * rotation->attention_factor * std::cos(double(d) * frequency) /
                     double(frequencies.size());
    CAPTURE(sample.kind);
    CHECK(largest_difference(profile_of(sample.kind, sample.required, {40}), wanted) < 2e-7);
  }
}

TEST_CASE("xPos' profile decays, pair by pair", "[insight]") {
  const SpecInput spec{{"dim", number(8)}, {"scaleBase", number(16)}};
  std::vector<double> wanted(40, 0);
  for (std::size_t d = 0; d < wanted.size(); ++d)
    for (int k = 0; k < 4; ++k)
      wanted[d] += std::pow((2 * k + 3.2) / 11.2, double(d) / 16) * std::cos(double(d) * std::pow(10000, -k / 4.0)) / 4;
  CHECK(largest_difference(profile_of("xpos", spec, {40}), wanted) < 2e-7);
}

TEST_CASE("a bias' profile is the bias at each distance", "[insight]") {
  const SpecInput spec{{"heads", number(2)}, {"form", text("key")}};
  const std::vector<float> wanted{0, -0.0625, -0.125, 0, -0.00390625, -0.0078125};
  CHECK(largest_difference(profile_of("alibi", spec, {2, 3}), wanted) == 0);
  CHECK(largest_difference(profile_of("alibi", {{"heads", number(2)}}, {2, 3}), wanted) == 0);
}

TEST_CASE("the four terms add up to the score of x + e", "[insight]") {
  constexpr std::size_t kRows = 5, kWidth = 9, kInner = 4;
  auto x = random_floats(kRows * kWidth, 1), e = random_floats(kRows * kWidth, 2);
  auto wq = random_floats(kInner * kWidth, 3), wk = random_floats(kInner * kWidth, 4);
  std::array<std::vector<float>, 4> out;
  std::array<View, 4> views;
  for (std::size_t i = 0; i < 4; ++i) {
    out[i].resize(kRows * kRows);
    views[i] = view_of(out[i], {kRows, kRows});
  }
  const Shape shape{kRows, kWidth}, weights{kInner, kWidth};
  REQUIRE_FALSE(score_terms(view_of(x, shape), view_of(e, shape), view_of(wq, weights), view_of(wk, weights), views));
  std::vector<double> whole, sum(kRows * kRows, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) whole.push_back(double(x[i]) + e[i]);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto queries = products(doubles(i / 2 ? e : x), doubles(wq), kWidth),
               keys = products(doubles(i % 2 ? e : x), doubles(wk), kWidth);
    CHECK(largest_difference(out[i], products(queries, keys, kInner)) < 1e-5);
    for (std::size_t at = 0; at < sum.size(); ++at) sum[at] += out[i][at];
  }
  const auto total = products(products(whole, doubles(wq), kWidth), products(whole, doubles(wk), kWidth), kInner);
  for (std::size_t at = 0; at < sum.size(); ++at) CHECK(std::abs(sum[at] - total[at]) < 2e-5);
}

TEST_CASE("shapes that do not fit are refused", "[insight]") {
  auto x = random_floats(36, 1);
  std::vector<float> out(36, 5.0f);
  const auto before = out;
  const View square = view_of(x, {6, 6}), result = view_of(out, {6, 6});
  CHECK(similarity(view_of(x, {36}), result).field() == "table");
  CHECK(similarity(square, view_of(out, {4, 9})).field() == "out");
  CHECK(score_terms(square, view_of(x, {4, 9}), square, square, {result, result, result, result}).field() == "table");
  CHECK(score_terms(square, square, view_of(x, {4, 9}), view_of(x, {4, 9}), {result, result, result, result}).field() ==
        "wq");
  CHECK(score_terms(square, square, square, view_of(x, {4, 9}), {result, result, result, result}).field() == "wk");
  CHECK(score_terms(square, square, square, square, {result, result, result, view_of(out, {36})}).field() == "out");
  auto one_hot = create("one-hot", {{"dim", number(4)}}), alibi = create("alibi", {{"heads", number(8)}});
  CHECK(distance_profile(**one_hot, view_of(out, {36})).code() == Code::out_of_range);
  CHECK(distance_profile(**one_hot, result).code() == Code::shape_mismatch);
  CHECK(distance_profile(**alibi, result).code() == Code::shape_mismatch);
  CHECK(same_bits(out, before));
}

TEST_CASE("scratch whose size no argument holds is out of memory, not too small") {
  // Rows without numbers take no memory, their projections would take 2^43 numbers.
  constexpr double kRows = 4096, kInner = 2147483647;
  View rows{nullptr, 0, {kRows, 0}}, projection{nullptr, 0, {kInner, 0}};
  std::array<View, 4> out;
  std::array<std::unique_ptr<float[]>, 4> terms;
  for (std::size_t i = 0; i < 4; ++i) {
    // Nothing is read or written, hence no first values.
    terms[i].reset(new float[std::size_t(kRows * kRows)]);
    out[i] = {terms[i].get(), kRows * kRows, {kRows, kRows}};
  }
  const Error error = score_terms(rows, rows, projection, projection, out);
  CAPTURE(error.message());
  CHECK(error.code() == Code::out_of_memory);
  CHECK(error.field() == "scoreTerms");
}
