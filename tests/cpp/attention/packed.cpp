// Packed sequences are what each is alone, however their keys lie: biases, and attention with any encoding.
#include <map>
#include <numeric>

#include "cpp/attention/support.hpp"
#include "cpp/bias/support.hpp"
#include "cpp/samples.hpp"
#include "posenc/attention.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// Which keys belong to each sequence, in their order.
std::vector<std::vector<int>> members(const std::vector<std::int32_t>& ids) {
  std::map<std::int32_t, std::vector<int>> out;
  for (int j = 0; j < int(ids.size()); ++j) out[ids[std::size_t(j)]].push_back(j);
  std::vector<std::vector<int>> lists;
  for (const auto& [id, list] : out) lists.push_back(list);
  return lists;
}

const std::vector<std::int32_t> kArrangements[]{{-2, -2, -2, -2, 0, 0, 5, 5, 5},
                                                {5, 5, 5, 0, 0, -2, -2, -2, -2},
                                                {3, 8, 3, 3, 8, -1, 3, 8, 8},
                                                {1, 1, 1, 0, 0, 0, 1, 1, 1}};

}  // namespace

TEST_CASE("packed sequences have the biases that each has alone, in any order", "[bias]") {
  constexpr int kKeys = 9, kQueries = 7, kFirst = kKeys - kQueries;
  for (const Sample& sample : samples_of(FamilyName::bias))
    for (const auto& ids : kArrangements)
      for (const bool listed : {false, true}) {
        const auto bias = create_as<Bias>(sample.kind, sample.required);
        CAPTURE(sample.kind, listed, ids);
        const int heads = bias->heads;
        const Shape shape{double(heads), kQueries, kKeys};
        std::vector<double> positions(kKeys);
        std::vector<float> got(std::size_t(heads * kQueries * kKeys)), gradient(got.size(), 1.0f);
        std::vector<float> wanted(got.size(), -std::numeric_limits<float>::infinity());
        for (const auto& list : members(ids)) {
          const int keys = int(list.size());
          const auto separate = rows_of(*bias, keys, keys, 0);
          for (int i = 0; i < keys; ++i) {
            positions[std::size_t(list[std::size_t(i)])] = i;
            for (int h = 0; h < heads && list[std::size_t(i)] >= kFirst; ++h)
              for (int j = 0; j < keys; ++j)
                wanted[std::size_t((h * kQueries + list[std::size_t(i)] - kFirst) * kKeys + list[std::size_t(j)])] =
                    separate[std::size_t((h * keys + i) * keys + j)];
          }
        }
        BiasCall call{kQueries, kKeys, kFirst, {}, {.segments = {ids.data(), kKeys, {kKeys}}}};
        if (listed) call.key_positions = given(positions);
        REQUIRE_FALSE(bias->bias(call, view_of(got, shape)));
        CHECK(same_bits(got, wanted));
        auto scores = random_floats(got.size(), 3);
        Training training;
        REQUIRE_FALSE(bias->backward(call, view_of(gradient, shape), view_of(scores, shape), training));
        for (std::size_t i = 0; i < got.size(); ++i)
          if (ids[i % kKeys] != ids[i / kKeys % kQueries + kFirst]) REQUIRE(gradient[i] == 0);
      }
}

TEST_CASE("windows are packed as long as each fits", "[bias]") {
  const auto swin =
      create_as<Bias>("swin", {{"heads", number(1)}, {"windowHeight", number(2)}, {"windowWidth", number(2)}});
  set(*swin, "weights", random_floats(9, 1));
  const auto separate = rows_of(*swin, 4, 4, 0);
  for (const std::vector<std::int32_t>& ids :
       {std::vector<std::int32_t>{1, 1, 1, 1, 2, 2, 2, 2}, {1, 2, 1, 2, 1, 2, 1, 2}}) {
    CAPTURE(ids);
    std::vector<float> got(64);
    REQUIRE_FALSE(swin->bias({8, 8, 0, {}, {.segments = {ids.data(), 8, {8}}}}, view_of(got, {1, 8, 8})));
    for (const auto& list : members(ids))
      for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 4; ++j)
          CHECK(got[std::size_t(list[i]) * 8 + std::size_t(list[j])] == separate[4 * i + j]);
  }
  // Five places in one are none of the window, and nothing is written.
  const std::vector<std::int32_t> more{1, 1, 1, 1, 1, 2, 2, 2};
  std::vector<float> out(64, 7);
  CHECK(swin->bias({8, 8, 0, {}, {.segments = {more.data(), 8, {8}}}}, view_of(out, {1, 8, 8})).code() ==
        Code::out_of_range);
  CHECK(out == std::vector<float>(64, 7));
}

TEST_CASE("a batch row's biases do not go by how another is packed", "[bias]") {
  const std::vector<std::int32_t> ids{4, 4, 4, 9, 9, 9, 4, 9, 4};
  for (const Sample& sample : samples_of(FamilyName::bias)) {
    const auto bias = create_as<Bias>(sample.kind, sample.required);
    CAPTURE(sample.kind);
    const double heads = bias->heads;
    const std::size_t row = std::size_t(heads) * 9;
    std::vector<float> all(3 * row), one(row);
    REQUIRE_FALSE(bias->bias({3, 3, 0, {}, {.segments = {ids.data(), 9, {3, 3}}}}, view_of(all, {3, heads, 3, 3})));
    for (std::size_t b = 0; b < 3; ++b) {
      REQUIRE_FALSE(bias->bias({3, 3, 0, {}, {.segments = {ids.data() + 3 * b, 3, {3}}}}, view_of(one, {heads, 3, 3})));
      CHECK(same_bits(one, std::vector<float>(all.begin() + long(b * row), all.begin() + long((b + 1) * row))));
    }
  }
}

namespace {

constexpr int kKeys = 9, kBatch = 2, kWidth = 4;

// An encoding that attention takes, with learned numbers that are none of their starts.
struct Attending {
  std::unique_ptr<Learned> encoding;
  AttentionOptions options;
  int heads = 2, dim = 8, width = kWidth;

  explicit Attending(const Sample& sample) {
    auto made = create(sample.kind, sample.required);
    REQUIRE(made);
    encoding = std::move(*made);
    std::uint32_t seed = 1;
    for (Parameter& parameter : encoding->parameters) {
      const auto values = random_floats(parameter.values.size(), ++seed);
      for (std::size_t i = 0; i < values.size(); ++i) parameter.values[i] = 0.1f + std::abs(values[i]);
    }
    put_inside(options, *encoding);
    if (options.rotation) dim = options.rotation->dim;
    if (options.encoding_bias) heads = options.encoding_bias->heads;
    if (options.relative) dim = width_of(*options.relative);
    if (options.relative && options.relative->heads) heads = options.relative->heads;
    if (options.relative && options.relative->value_dim) width = options.relative->value_dim;
    // Scaling rules go by all keys of a call, not by those of a sequence.
    options.sequence_length = kKeys;
  }
};

// x [batch, heads, positions, width] of one batch row, at some positions.
std::vector<float> rows_at(const std::vector<float>& x, int heads, int width, int batch,
                           const std::vector<int>& indices) {
  std::vector<float> out;
  const int positions = int(x.size()) / kBatch / heads / width;
  for (int h = 0; h < heads; ++h)
    for (const int index : indices)
      for (int i = 0; i < width; ++i)
        out.push_back(x[std::size_t(((batch * heads + h) * positions + index) * width + i)]);
  return out;
}

struct Inputs {
  std::vector<float> q, k, v;
  Inputs of(const Attending& with, int batch, const std::vector<int>& queries, const std::vector<int>& keys) const {
    return {rows_at(q, with.heads, with.dim, batch, queries), rows_at(k, with.heads, with.dim, batch, keys),
            rows_at(v, with.heads, with.width, batch, keys)};
  }
};

std::vector<float> attend(const Attending& with, const AttentionOptions& options, Inputs x, double batch) {
  const double heads = with.heads, dim = with.dim, width = with.width;
  const auto shape = [&](const std::vector<float>& values, double last) {
    return Shape{batch, heads, double(values.size()) / batch / heads / last, last};
  };
  std::vector<float> out(x.q.size() / std::size_t(dim) * std::size_t(width));
  const Error error = attention(view_of(x.q, shape(x.q, dim)), view_of(x.k, shape(x.k, dim)),
                                view_of(x.v, shape(x.v, width)), options, view_of(out, shape(out, width)));
  INFO(error.field() << ": " << error.message());
  REQUIRE_FALSE(error);
  return out;
}

// Each sequence of each batch row against itself alone, as far as queries, the last of the keys, ask for it.
void check_sequences(const Attending& with, const AttentionOptions& options, const Inputs& all,
                     const std::vector<std::int32_t>& ids, const std::vector<float>& got, int queries) {
  const int width = with.width, first = kKeys - queries;
  for (int b = 0; b < kBatch; ++b)
    for (const auto& list : members({ids.begin() + b * kKeys, ids.begin() + (b + 1) * kKeys})) {
      const auto separate = attend(with, options, all.of(with, b, list, list), 1);
      for (int h = 0; h < with.heads; ++h)
        for (std::size_t n = 0; n < list.size(); ++n)
          for (int i = 0; i < width && list[n] >= first; ++i) {
            const int row = (b * with.heads + h) * queries + list[n] - first;
            const std::size_t own = (std::size_t(h) * list.size() + n) * std::size_t(width) + std::size_t(i);
            CAPTURE(queries, b, list, h, n, i);
            REQUIRE(std::abs(got[std::size_t(row * width + i)] - separate[own]) < 2e-6f);
          }
    }
}

}  // namespace

TEST_CASE("packed sequences attend as each does alone, without being told positions", "[attention]") {
  std::vector<int> all_indices(kKeys);
  std::iota(all_indices.begin(), all_indices.end(), 0);
  std::vector<std::int32_t> ids(kArrangements[2]);
  ids.insert(ids.end(), kArrangements[1].begin(), kArrangements[1].end());
  for (const Sample& sample : samples()) {
    if (sample.family == FamilyName::table) continue;
    const Attending with(sample);
    if (with.options.rotation && with.options.rotation->axes > 1) continue;
    // What the tokens between query and key say counts, whosever they are: sequences must lie together.
    if (const Relative* relative = with.options.relative; relative && reads_tokens(*relative)) continue;
    CAPTURE(sample.kind);
    const std::size_t rows = std::size_t(kBatch * with.heads * kKeys);
    const Inputs all{random_floats(rows * std::size_t(with.dim), 1), random_floats(rows * std::size_t(with.dim), 2),
                     random_floats(rows * std::size_t(with.width), 3)};
    for (const int queries : {kKeys, 5})
      for (const bool causal : {false, true}) {
        AttentionOptions options = with.options, packed = options;
        packed.causal = options.causal = causal;
        packed.segments = {ids.data(), double(ids.size()), {kBatch, kKeys}};
        Inputs some = all;
        some.q.clear();
        for (int b = 0; b < kBatch; ++b)
          for (const float x : all.of(with, b, {all_indices.end() - queries, all_indices.end()}, {}).q)
            some.q.push_back(x);
        check_sequences(with, options, all, ids, attend(with, packed, some, kBatch), queries);
      }
  }
}

TEST_CASE("queries that are not told of stand where the last keys of their row do", "[attention]") {
  const auto rope = create_as<Rotation>("rope", {{"dim", number(8)}});
  const std::vector<double> positions{3, 1, 40, 7, 7, 1000, 2, 0}, last{40, 7, 2, 0};
  Attending with(samples_of(FamilyName::rotary).front());
  AttentionOptions listed, unlisted;
  listed.rotation = unlisted.rotation = rope.get();
  listed.key_positions = unlisted.key_positions = given(positions);
  listed.query_positions = given(last);
  for (AttentionOptions* options : {&listed, &unlisted}) options->key_positions.count = 4;
  listed.query_positions.count = 2;
  with.heads = 1, with.dim = 8, with.width = kWidth;
  const Inputs x{random_floats(2 * 2 * 8, 1), random_floats(2 * 4 * 8, 2), random_floats(2 * 4 * kWidth, 3)};
  CHECK(same_bits(attend(with, unlisted, x, 2), attend(with, listed, x, 2)));
}
