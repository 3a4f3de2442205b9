// What hides keys: what masks and segments refuse, what of hidden places never gets out.
#include "posenc/core/attention_masks.hpp"

#include "cpp/attention/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

// All that a call gives, forward and backward.
struct Results {
  std::vector<float> out, q, k, v;
  Results(Call& call, std::vector<float>& out_slopes) : out(out_slopes.size()), q(call.q), k(call.k), v(call.v) {
    const Shape q_shape = call.shape(call.query_heads, call.queries, call.dim);
    const Shape k_shape = call.shape(call.key_heads, call.keys, call.dim);
    const Shape v_shape = call.shape(call.key_heads, call.keys, call.value_dim);
    const Shape out_shape = call.shape(call.query_heads, call.queries, call.value_dim);
    const View inputs[]{view_of(call.q, q_shape), view_of(call.k, k_shape), view_of(call.v, v_shape)};
    REQUIRE_FALSE(attention(inputs[0], inputs[1], inputs[2], call.options, view_of(out, out_shape)));
    REQUIRE_FALSE(attention_backward(inputs[0], inputs[1], inputs[2], view_of(out_slopes, out_shape), call.options,
                                     {view_of(q, q_shape), view_of(k, k_shape), view_of(v, v_shape)}));
  }
};

// Rows of a call that hold no numbers, and who has to do with them.
struct Spoilt {
  Call& call;
  /// Of keys 1: the value only, 2: the key, too. `certain`: those that see a value which is no number.
  std::vector<std::uint8_t> keys, queries, affected, certain;

  Spoilt(Call& call_, std::vector<float>& out_slopes, Random& random)
      : call(call_),
        keys(std::size_t(call.batch * call.key_heads * call.keys)),
        queries(std::size_t(call.batch * call.query_heads * call.queries)),
        affected(queries.size()),
        certain(queries.size()) {
    for (int b = 0; b < call.batch; ++b) {
      for (int h = 0; h < call.key_heads; ++h)
        for (int j = 0; j < call.keys; ++j)
          if (random.chance(0.1)) {
            const bool both = random.chance(0.5);
            keys[key_at(b, h, j)] = both ? 2 : 1;
            fill(call.v, call.row(call.key_heads, call.keys, b, h, j, call.value_dim), call.value_dim, random);
            if (both) fill(call.k, call.row(call.key_heads, call.keys, b, h, j, call.dim), call.dim, random);
          }
      for (int h = 0; h < call.query_heads; ++h)
        for (int i = 0; i < call.queries; ++i)
          if ((queries[query_at(b, h, i)] = random.chance(0.1))) {
            fill(call.q, call.row(call.query_heads, call.queries, b, h, i, call.dim), call.dim, random);
            fill(out_slopes, call.row(call.query_heads, call.queries, b, h, i, call.value_dim), call.value_dim, random);
          }
    }
    for_each_pair([&](int b, int h, int i, int j) {
      const std::uint8_t query = queries[query_at(b, h, i)], key = keys[key_at(b, h / group(), j)];
      affected[query_at(b, h, i)] |= query | key;
      certain[query_at(b, h, i)] |= !query && key == 1;
    });
  }
  int group() const { return call.query_heads / call.key_heads; }
  std::size_t key_at(int b, int h, int j) const { return std::size_t((b * call.key_heads + h) * call.keys + j); }
  std::size_t query_at(int b, int h, int i) const { return std::size_t((b * call.query_heads + h) * call.queries + i); }
  // Pairs of which the query sees the key.
  template <class Each>
  void for_each_pair(Each each) const {
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.query_heads; ++h)
        for (int i = 0; i < call.queries; ++i)
          for (int j = 0; j < call.keys; ++j)
            if (is_visible(call, b, h, i, j)) each(b, h, i, j);
  }
  static void fill(std::vector<float>& values, std::size_t start, int count, Random& random) {
    const float bad = random.chance(0.5) ? NAN : random.chance(0.5) ? INFINITY : -INFINITY;
    std::fill_n(values.begin() + std::ptrdiff_t(start), count, bad);
  }
};

void check_rows(const std::vector<float>& got, const std::vector<float>& clean, std::size_t start, int count,
                bool is_clean) {
  if (!is_clean) return;
  const auto near = [](float a, float b) { return std::abs(a - b) < 1e-5f; };
  const auto first = got.begin() + std::ptrdiff_t(start);
  REQUIRE(std::equal(first, first + count, clean.begin() + std::ptrdiff_t(start), near));
}

}  // namespace

TEST_CASE("what a hidden key and its value hold reaches nobody, nor its gradients", "[attention]") {
  int clean_rows = 0, spoilt_rows = 0;
  for (std::uint32_t seed = 1; seed <= 80; ++seed) {
    Random random(seed);
    Call call = draw_shapes(random, 100 * seed, random.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd);
    draw_options(random, 100 * seed, call);
    CAPTURE(seed, call.queries, call.keys);
    auto slopes = random_floats(std::size_t(call.batch * call.query_heads * call.queries * call.value_dim), seed + 7);
    const Results clean(call, slopes);
    const Spoilt spoilt(call, slopes, random);
    const Results got(call, slopes);
    std::vector<std::uint8_t> affected_keys(spoilt.keys.size());
    spoilt.for_each_pair([&](int b, int h, int i, int j) {
      affected_keys[spoilt.key_at(b, h / spoilt.group(), j)] |= spoilt.affected[spoilt.query_at(b, h, i)];
    });
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.query_heads; ++h)
        for (int i = 0; i < call.queries; ++i) {
          const bool is_clean = !spoilt.affected[spoilt.query_at(b, h, i)];
          const std::size_t out = call.row(call.query_heads, call.queries, b, h, i, call.value_dim);
          check_rows(got.out, clean.out, out, call.value_dim, is_clean);
          check_rows(got.q, clean.q, call.row(call.query_heads, call.queries, b, h, i, call.dim), call.dim, is_clean);
          if (spoilt.certain[spoilt.query_at(b, h, i)]) REQUIRE_FALSE(std::isfinite(got.out[out]));
          ++(is_clean ? clean_rows : spoilt_rows);
        }
    for (int b = 0; b < call.batch; ++b)
      for (int h = 0; h < call.key_heads; ++h)
        for (int j = 0; j < call.keys; ++j) {
          const bool is_clean = !affected_keys[spoilt.key_at(b, h, j)];
          check_rows(got.k, clean.k, call.row(call.key_heads, call.keys, b, h, j, call.dim), call.dim, is_clean);
          check_rows(got.v, clean.v, call.row(call.key_heads, call.keys, b, h, j, call.value_dim), call.value_dim,
                     is_clean);
        }
  }
  CHECK(clean_rows > 1000);
  CHECK(spoilt_rows > 1000);
}

TEST_CASE("a visible key that weighs nothing still spoils by its value, as 0 times infinity does", "[attention]") {
  for (const int queries : {1, 6}) {
    auto q = std::vector<float>(std::size_t(queries) * 4, 100.0f), k = std::vector<float>(16, 100.0f);
    auto v = std::vector<float>(4, 1.0f), out = std::vector<float>(std::size_t(queries));
    std::fill_n(k.begin() + 8, 4, -100.0f);  // its weight is e^-40000
    v[2] = INFINITY;
    const double tq = queries;
    REQUIRE_FALSE(attention(view_of(q, {1, 1, tq, 4}), view_of(k, {1, 1, 4, 4}), view_of(v, {1, 1, 4, 1}), {},
                            view_of(out, {1, 1, tq, 1})));
    for (const float x : out) CHECK(std::isnan(x));
  }
}

TEST_CASE("masks and segments that do not fit say what may be meant", "[attention]") {
  std::vector<float> values(4096, 1), out(2 * 4 * 3 * 8);
  const std::vector<std::uint8_t> flags(256, 1);
  const std::vector<std::int32_t> ids(64);
  const auto refused = [&](auto spoil, double queries = 3) {
    AttentionOptions options;
    spoil(options);
    const Shape shape{2, 4, queries, 8};
    values.resize(4096);
    const Error error = attention({values.data(), shape.size(), shape}, {values.data(), 320, {2, 4, 5, 8}},
                                  {values.data(), 320, {2, 4, 5, 8}}, options, {out.data(), shape.size(), shape});
    return error.field() + " | " + error.message();
  };
  const auto mask = [&](const Shape& shape) {
    return refused([&](AttentionOptions& options) { options.mask = {flags.data(), shape.size(), shape}; });
  };
  CHECK(mask({2, 5}).find("attentionMask") != std::string::npos);
  CHECK(mask({10}).find("attentionMask") != std::string::npos);
  CHECK(mask({2, 3, 5}).find("[batch, 1, queries, keys]") != std::string::npos);
  CHECK(mask({15}).find("[queries, keys]") != std::string::npos);
  CHECK(mask({3, 5}) == " | ");
  CHECK(mask({4, 3, 5}) == " | ");
  CHECK(mask({3, 1}) == " | ");
  for (const Shape& shape : {Shape{3, 5}, Shape{4}, Shape{2, 1, 1, 5}, Shape{2, 5, 1}}) {
    CAPTURE(shape.text());
    CHECK(refused([&](AttentionOptions& options) {
            options.attention_mask = {flags.data(), shape.size(), shape};
          }).starts_with("attentionMask | "));
    CHECK(refused([&](AttentionOptions& options) {
            options.segments = {ids.data(), shape.size(), shape};
          }).starts_with("segments | "));
  }
  const auto packed = [&](AttentionOptions& options) { options.segments = {ids.data(), 5, {5}}; };
  CHECK(refused(packed) == " | ");
  out.resize(2 * 4 * 6 * 8);
  CHECK(refused(packed, 6).starts_with("segments | "));
}
