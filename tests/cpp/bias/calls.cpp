// What all biases can do: masks, scores in place, attention.
#include "cpp/bias/support.hpp"
#include "posenc/attention.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

MaskView mask_of(const std::vector<std::uint8_t>& visible, const Shape& shape) {
  return {visible.data(), double(visible.size()), shape};
}

}  // namespace

TEST_CASE("a mask hides keys, for all or for each batch row", "[bias]") {
  for (const Sample& sample : samples_of(FamilyName::bias)) {
    const auto bias = create_as<Bias>(sample.kind, sample.required);
    CAPTURE(sample.kind);
    const std::size_t heads = std::size_t(bias->heads);
    const auto plain = rows_of(*bias, 3, 4, 1);
    const std::vector<std::uint8_t> visible{1, 0, 1, 1, 0, 0, 1, 7};
    std::vector<float> one(heads * 12), two(2 * heads * 12);
    const auto call = [&](const Shape& shape) {
      return BiasCall{3, 4, 1, {}, {.attention_mask = mask_of(visible, shape)}};
    };
    BiasCall first = call({4});
    first.visible.attention_mask.length = 4;
    REQUIRE_FALSE(bias->bias(first, view_of(one, {double(heads), 3, 4})));
    REQUIRE_FALSE(bias->bias(call({2, 4}), view_of(two, {2, double(heads), 3, 4})));
    for (std::size_t i = 0; i < two.size(); ++i) {
      const std::size_t row = i / one.size(), index = i % one.size();
      const float expected = visible[row * 4 + i % 4] ? plain[index] : kMasked;
      REQUIRE(two[i] == expected);
      if (row == 0) REQUIRE(one[index] == expected);
    }
    CHECK(bias->bias(call({8}), view_of(two, {double(heads), 3, 4})).field() == "attentionMask");
    CHECK(bias->bias(call({2, 4}), view_of(one, {double(heads), 3, 4})).field() == "out");
  }
}

// Key positions and masks have each row computed by itself; without them many are copied from one line.
TEST_CASE("many rows at once are the rows one by one", "[bias]") {
  for (const Sample& sample : samples_of(FamilyName::bias)) {
    if (sample.kind.starts_with("swin")) continue;
    const auto bias = create_as<Bias>(sample.kind, sample.required);
    const double heads = bias->heads, queries = 130, keys = 200;
    const std::vector<std::uint8_t> all(std::size_t(keys), 1);
    const auto applied = [&](const BiasCall& call) {
      auto scores = random_floats(std::size_t(2 * heads * queries * keys), 5);
      REQUIRE_FALSE(bias->apply_to(call, view_of(scores, {2, heads, queries, keys})));
      return scores;
    };
    std::vector<float> together(std::size_t(heads * queries * keys)), alone(together.size());
    BiasCall call{queries, keys, 70};
    REQUIRE_FALSE(bias->bias(call, view_of(together, {heads, queries, keys})));
    const auto onto = applied(call);
    call.visible.attention_mask = mask_of(all, {keys});
    REQUIRE_FALSE(bias->bias(call, view_of(alone, {heads, queries, keys})));
    CAPTURE(sample.kind);
    CHECK(same_bits(together, alone));
    CHECK(same_bits(onto, applied(call)));
  }
}

TEST_CASE("keys of each batch row can stand elsewhere", "[bias]") {
  const auto bias = make_right(Alibi{.heads = 2, .form = AlibiForm::key_absolute});
  const std::vector<double> positions{0, 0, 1, 5, 6, 7};
  const std::vector<std::uint8_t> visible{0, 1, 1, 1, 1, 1};
  std::vector<float> out(2 * 2 * 3);
  REQUIRE_FALSE(bias->bias({1, 3, 0, given(positions), {.attention_mask = mask_of(visible, {2, 3})}},
                           view_of(out, {2, 2, 1, 3})));
  for (std::size_t b = 0; b < 2; ++b)
    for (std::size_t h = 0; h < 2; ++h)
      for (std::size_t j = 0; j < 3; ++j)
        CHECK(out[(b * 2 + h) * 3 + j] ==
              (visible[b * 3 + j] ? (h == 0 ? 0x1p-4f : 0x1p-8f) * float(positions[b * 3 + j]) : kMasked));
}

TEST_CASE("applied to scores it is what attention does", "[bias]") {
  for (const Sample& sample : samples_of(FamilyName::bias)) {
    const auto bias = create_as<Bias>(sample.kind, sample.required);
    CAPTURE(sample.kind);
    const std::size_t heads = std::size_t(bias->heads);
    const double h = bias->heads;
    auto q = random_floats(2 * heads * 5 * 4, 1), k = random_floats(2 * heads * 7 * 4, 2);
    const View q_view = view_of(q, {2, h, 5, 4}), k_view = view_of(k, {2, h, 7, 4});
    AttentionOptions options;
    options.encoding_bias = bias.get();
    options.query_positions.offset = 2;
    std::vector<float> weights(2 * heads * 5 * 7), scores(weights.size());
    REQUIRE_FALSE(attention_weights(q_view, k_view, options, view_of(weights, {2, h, 5, 7})));
    for (std::size_t i = 0; i < scores.size(); ++i)
      for (std::size_t c = 0; c < 4; ++c) scores[i] += q[i / 7 * 4 + c] * k[(i / 35 * 7 + i % 7) * 4 + c] / 2;
    REQUIRE_FALSE(bias->apply_to({.offset = 2}, view_of(scores, {2, h, 5, 7})));
    for (std::size_t row = 0; row < scores.size(); row += 7) {
      double sum = 0;
      for (std::size_t j = 0; j < 7; ++j) sum += std::exp(double(scores[row + j]));
      for (std::size_t j = 0; j < 7; ++j)
        REQUIRE(std::abs(std::exp(double(scores[row + j])) / sum - weights[row + j]) < 1e-6);
    }
  }
}

TEST_CASE("scores of the wrong shape are left alone", "[bias]") {
  const auto bias = make_right(Alibi{.heads = 2});
  std::vector<float> scores(24, 1.0f);
  const auto before = scores;
  CHECK(bias->apply_to({}, view_of(scores, {6, 4})).field() == "scores");
  CHECK(bias->apply_to({}, view_of(scores, {3, 2, 4})).field() == "scores");
  CHECK(bias->apply_to({}, view_of(scores, {2, 3, 3})).field() == "scores");
  CHECK(bias->apply_to({.offset = kInfinity}, view_of(scores, {2, 3, 4})).field() == "offset");
  CHECK(same_bits(scores, before));
}

TEST_CASE("one head's bias is shared by all", "[bias]") {
  const auto one = make_right(Alibi{.heads = 1});
  const auto line = rows_of(*one, 2, 3, 0);
  std::vector<float> scores(4 * 6);
  REQUIRE_FALSE(one->apply_to({}, view_of(scores, {4, 2, 3})));
  for (std::size_t i = 0; i < scores.size(); ++i) CHECK(scores[i] == line[i % 6]);
}

TEST_CASE("one head's factors are shared by all heads of attention", "[bias]") {
  constexpr int kHeads = 5, kPositions = 6, kDim = 4;
  for (const KerpleForm form : {KerpleForm::log, KerpleForm::weighted}) {
    const auto one = make_right(Kerple{.heads = 1, .form = form});
    auto q = random_floats(kHeads * kPositions * kDim, 1), k = random_floats(q.size(), 2);
    AttentionOptions options;
    options.encoding_bias = one.get();
    options.scale = 30;
    const auto weights_of = [&](std::size_t first, int heads) {
      const Shape rows{1, double(heads), kPositions, kDim};
      const std::size_t start = first * kPositions * kDim, count = std::size_t(heads) * kPositions * kDim;
      std::vector<float> own_q(q.begin() + std::ptrdiff_t(start), q.begin() + std::ptrdiff_t(start + count)),
          own_k(k.begin() + std::ptrdiff_t(start), k.begin() + std::ptrdiff_t(start + count)),
          out(std::size_t(heads) * kPositions * kPositions);
      REQUIRE_FALSE(attention_weights(view_of(own_q, rows), view_of(own_k, rows), options,
                                      view_of(out, {1, double(heads), kPositions, kPositions})));
      return out;
    };
    const auto all = weights_of(0, kHeads);
    for (std::size_t head = 0; head < kHeads; ++head) {
      const auto single = weights_of(head, 1);
      for (std::size_t i = 0; i < single.size(); ++i) REQUIRE(all[head * single.size() + i] == single[i]);
    }
  }
}

TEST_CASE("key positions are as many as there are keys, whatever they say of themselves", "[bias]") {
  for (const Sample& sample : samples_of(FamilyName::bias)) {
    const auto bias = create_as<Bias>(sample.kind, sample.required);
    CAPTURE(sample.kind);
    const double heads = bias->heads;
    const std::vector<double> positions{2, 0, 1};
    const Shape shape{heads, 2, 3};
    std::vector<float> expected(std::size_t(heads) * 6), found(expected.size());
    REQUIRE_FALSE(bias->bias({2, 3, 1, Positions::given(positions, 3)}, view_of(expected, shape)));
    for (const int count : {0, 1, 1000}) {
      BiasCall call{2, 3, 1, Positions::given(positions, count)};
      REQUIRE_FALSE(bias->bias(call, view_of(found, shape)));
      CHECK(found == expected);
      // Places that a window does not have are no less refused.
      call.offset = -6;
      const bool refuses = bool(bias->bias({2, 3, -6, Positions::given(positions, 3)}, view_of(found, shape)));
      CHECK(bool(bias->bias(call, view_of(found, shape))) == refuses);
    }
  }
}
