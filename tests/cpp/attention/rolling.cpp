// A cache that rolls along a text, with appends of any size, against attention from scratch over what a token sees.
#include "cpp/attention/support.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc::test {

namespace {

// Of keys that a query sees: which tokens of the text, and where they are.
struct VisibleTokens {
  std::vector<int> tokens;
  std::vector<double> positions;
};

// What queries are asked with, numbers for each query and token of the text where a case has them.
struct Extras {
  bool mask = false, bias = false, attention_mask = false, segments = false;
};

class Rolling {
 public:
  Rolling(std::uint32_t seed, ElementType type, int policy) : random_(seed), seed_(seed) {
    spec_ = {.batch = 1 + random_.below(2), .heads = 1 + random_.below(2), .dim = 4, .value_dim = 3, .type = type};
    spec_.layout = random_.chance(0.5) ? HeadLayout::bhtd : HeadLayout::bthd;
    if (policy > 0) spec_.window = 1 + random_.below(70);
    if (policy > 1) spec_.sinks = 1 + random_.below(5);
    if (policy > 0 && random_.chance(0.5)) spec_.undo = 1 + random_.below(20);
    spec_.capacity = policy ? spec_.window + spec_.sinks + spec_.undo + random_.below(64) : 12000;
    query_heads_ = spec_.heads * (1 + random_.below(2));
    auto made = KeyValueCache::make(spec_);
    REQUIRE(made);
    cache_ = std::move(*made);
    nominal_ = cache_->bytes();
    choose_encoding();
  }

  double run() {
    const int calls = 4 + random_.below(6);
    for (int call = 0; call < calls && total_ < 6000; ++call) {
      append(random_.chance(0.3) ? int(std::exp(random_.uniform(0, 8.517f))) : 1 + random_.below(12));
      if (random_.chance(0.8)) attend();
      if (random_.chance(0.5)) truncate();
      if (random_.chance(0.4)) attend();
      if (random_.chance(0.2)) snapshot();
    }
    // A policy gives back what a long append took.
    if (spec_.window) append(1);
    if (spec_.window && nominal_ > 0 && spec_.type == ElementType::float32)
      CHECK(cache_->bytes() <= nominal_ + 16 * (4 * spec_.dim + spec_.dim) * 4);
    return worst_;
  }

 private:
  int past() const { return spec_.window ? std::min(stored_, spec_.sinks + spec_.window - 1) : stored_; }
  std::size_t key_at(int b, int h, int t) const { return std::size_t((t * spec_.batch + b) * spec_.heads + h); }

  void choose_encoding() {
    const int which = random_.below(4);
    if (which == 0) encoding_ = create_as<Rotation>("rope", {{"dim", number(4)}});
    if (which == 1) encoding_ = create_as<Rotation>("rope", {{"dim", number(4)}, {"pairing", text("interleaved")}});
    if (which == 2) encoding_ = create_as<Bias>("alibi", {{"heads", number(query_heads_)}});
  }

  Shape shape(int heads, int count, int width) const {
    const double b = spec_.batch, h = heads, t = count, w = width;
    return spec_.layout == HeadLayout::bhtd ? Shape{b, h, t, w} : Shape{b, t, h, w};
  }
  // Rows as tensors have them, from those by (batch, head, token).
  template <class Row>
  std::vector<float> tensor(int heads, int count, int width, const Row& row) const {
    std::vector<float> out;
    const bool heads_first = spec_.layout == HeadLayout::bhtd;
    for (int b = 0; b < spec_.batch; ++b)
      for (int outer = 0; outer < (heads_first ? heads : count); ++outer)
        for (int inner = 0; inner < (heads_first ? count : heads); ++inner) {
          const float* from = heads_first ? row(b, outer, inner) : row(b, inner, outer);
          out.insert(out.end(), from, from + width);
        }
    return out;
  }

  void append(int count) {
    for (int i = 0; i < count * spec_.batch * spec_.heads * spec_.dim; ++i) keys_.push_back(random_.uniform());
    for (int i = 0; i < count * spec_.batch * spec_.heads * spec_.value_dim; ++i) values_.push_back(random_.uniform());
    for (int i = 0; i < count; ++i)
      segments_.push_back((segments_.empty() ? 0 : segments_.back()) + random_.chance(0.03));
    auto k = tensor(spec_.heads, count, spec_.dim,
                    [&](int b, int h, int t) { return &keys_[key_at(b, h, total_ + t) * std::size_t(spec_.dim)]; });
    auto v = tensor(spec_.heads, count, spec_.value_dim, [&](int b, int h, int t) {
      return &values_[key_at(b, h, total_ + t) * std::size_t(spec_.value_dim)];
    });
    const Error error = cache_->append(view_of(k, shape(spec_.heads, count, spec_.dim)),
                                       view_of(v, shape(spec_.heads, count, spec_.value_dim)),
                                       Positions::run(std::numeric_limits<double>::quiet_NaN(), 0));
    INFO(error.message());
    REQUIRE(!error);
    const int kept = spec_.window ? std::min(stored_, spec_.sinks + spec_.window - 1 + spec_.undo) : stored_;
    stored_ = kept + count;
    total_ += count;
    REQUIRE(cache_->dropped() + cache_->length() == total_);
  }

  void truncate() {
    const int gone = std::min(cache_->length(), 1 + random_.below(25));
    const int left = cache_->length() - gone;
    const bool fits = stored_ == total_ || stored_ - gone >= std::max(1, spec_.sinks + spec_.window - 1);
    const Error error = cache_->truncate(left);
    INFO("seed " << seed_ << " " << error.message());
    REQUIRE(bool(error) == !fits);
    if (!fits) return;
    stored_ -= gone;
    total_ -= gone;
    keys_.resize(std::size_t(total_ * spec_.batch * spec_.heads * spec_.dim));
    values_.resize(std::size_t(total_ * spec_.batch * spec_.heads * spec_.value_dim));
    segments_.resize(std::size_t(total_));
    REQUIRE(cache_->dropped() + cache_->length() == total_);
  }

  void snapshot() {
    std::vector<std::uint8_t> bytes(std::size_t(cache_->snapshot_bytes()));
    REQUIRE(!cache_->snapshot(bytes));
    auto other = KeyValueCache::make(spec_);
    REQUIRE(other);
    const Error error = (*other)->restore(bytes, cache_->length());
    INFO(error.message());
    REQUIRE(!error);
    cache_ = std::move(*other);
  }

  VisibleTokens visible_to(int token) const {
    VisibleTokens out;
    const int first = spec_.window ? std::max(0, token + 1 - spec_.window - spec_.sinks) : 0;
    for (int i = 0; i < spec_.sinks && i < first + spec_.sinks && i <= token; ++i) out.tokens.push_back(i);
    for (int t = first + spec_.sinks; t <= token; ++t) out.tokens.push_back(t);
    for (std::size_t i = 0; i < out.tokens.size(); ++i)
      out.positions.push_back(spec_.sinks ? double(i) : double(out.tokens[i]));
    return out;
  }
  // Which column of a call a token has.
  int column(int token) const { return spec_.sinks && token < spec_.sinks ? token : token - int(cache_->dropped()); }

  void attend() {
    const int length = cache_->length(), queryable = cache_->dropped() > 0 ? length - past() : length;
    const int most = spec_.window ? queryable : std::min(queryable, 400000 / std::max(1, length));
    if (most <= 0) return;
    const int queries = random_.chance(0.5) ? most : 1 + random_.below(most);
    Extras extras;
    if (queries * length < 40000) extras.mask = random_.chance(0.3);
    if (queries * length < 40000) extras.bias = random_.chance(0.3);
    extras.attention_mask = random_.chance(0.3);
    extras.segments = random_.chance(0.3);
    ask(queries, extras);
  }

  void ask(int queries, const Extras& extras) {
    const int length = cache_->length();
    q_ = random_floats(std::size_t(spec_.batch * query_heads_ * queries * spec_.dim),
                       seed_ * 100 + std::uint32_t(total_));
    AttentionOptions options;
    options.causal = true;
    options.layout = spec_.layout;
    if (encoding_) put_inside(options, *encoding_);
    if (random_.chance(0.3)) options.temperature = {0.3, 7, 0};
    if (random_.chance(0.2)) options.window_left = random_.below(20);
    const double rows = random_.chance(0.5) ? query_heads_ : 1, b = spec_.batch;
    mask_.resize(extras.mask ? std::size_t(b * rows * queries * length) : 0);
    for (auto& bit : mask_) bit = !random_.chance(0.2);
    bias_ = extras.bias ? random_floats(std::size_t(rows * queries * length), seed_) : std::vector<float>();
    attention_mask_.resize(extras.attention_mask ? std::size_t(b * length) : 0);
    for (auto& bit : attention_mask_) bit = !random_.chance(0.1);
    if (extras.mask) options.mask = {mask_.data(), double(mask_.size()), {b, rows, double(queries), double(length)}};
    if (extras.bias) options.bias = view_of(bias_, {rows, double(queries), double(length)});
    if (extras.attention_mask)
      options.attention_mask = {attention_mask_.data(), double(attention_mask_.size()), {b, double(length)}};
    std::vector<std::int32_t> part = segments_;
    // With sinks there is no whole text to count in.
    if (spec_.sinks && total_ > length)
      part.erase(part.begin() + spec_.sinks, part.begin() + spec_.sinks + total_ - length);
    if (extras.segments) options.segments = {part.data(), double(part.size()), {double(part.size())}};
    std::vector<float> out(std::size_t(spec_.batch * query_heads_ * queries * spec_.value_dim));
    const Error error = cache_->attend(view_of(q_, shape(query_heads_, queries, spec_.dim)), options,
                                       view_of(out, shape(query_heads_, queries, spec_.value_dim)));
    INFO("seed " << seed_ << " " << error.message());
    REQUIRE(!error);
    const int step = std::max(1, queries / 24);
    for (int i = queries - 1; i >= 0; i -= step) compare(options, i, queries, length, rows, out);
  }

  // Of a tensor [batch, heads, tokens, width].
  std::size_t at(int b, int h, int t, int heads, int count) const {
    return std::size_t(spec_.layout == HeadLayout::bhtd ? (b * heads + h) * count + t : (b * count + t) * heads + h);
  }

  void compare(const AttentionOptions& asked, int i, int queries, int length, double rows,
               const std::vector<float>& got) {
    const VisibleTokens visible = visible_to(total_ - queries + i);
    const int count = int(visible.tokens.size());
    AttentionOptions options = asked;
    std::vector<std::uint8_t> mask, attention_mask;
    std::vector<float> bias;
    std::vector<std::int32_t> segments;
    std::vector<double> positions = visible.positions;
    for (int b = 0; asked.mask.data && b < spec_.batch; ++b)
      for (int h = 0; h < int(rows); ++h)
        for (const int t : visible.tokens)
          mask.push_back(mask_[std::size_t(((b * int(rows) + h) * queries + i) * length + column(t))]);
    for (int h = 0; asked.bias.data && h < int(rows); ++h)
      for (const int t : visible.tokens) bias.push_back(bias_[std::size_t((h * queries + i) * length + column(t))]);
    for (int b = 0; asked.attention_mask.data && b < spec_.batch; ++b)
      for (const int t : visible.tokens) attention_mask.push_back(attention_mask_[std::size_t(b * length + column(t))]);
    for (const int t : visible.tokens) segments.push_back(segments_[std::size_t(t)]);
    const double n = count, b = spec_.batch;
    if (asked.mask.data) options.mask = {mask.data(), double(mask.size()), {b, rows, 1, n}};
    if (asked.bias.data) options.bias = view_of(bias, {rows, 1, n});
    if (asked.attention_mask.data)
      options.attention_mask = {attention_mask.data(), double(attention_mask.size()), {b, n}};
    if (asked.segments.data) {
      options.segments = {segments.data(), n, {n}};
      const auto& all = spec_.sinks ? segments : segments_;
      // Positions count in each sequence.
      for (std::size_t j = 0; j < positions.size(); ++j)
        positions[j] -= double(std::ranges::lower_bound(all, segments[j]) - all.begin());
    }
    options.key_positions = given(positions);
    auto q = tensor(query_heads_, 1, spec_.dim, [&](int b, int h, int) {
      return &q_[at(b, h, i, query_heads_, queries) * std::size_t(spec_.dim)];
    });
    auto k = tensor(spec_.heads, count, spec_.dim, [&](int b, int h, int t) {
      return &keys_[key_at(b, h, visible.tokens[std::size_t(t)]) * std::size_t(spec_.dim)];
    });
    auto v = tensor(spec_.heads, count, spec_.value_dim, [&](int b, int h, int t) {
      return &values_[key_at(b, h, visible.tokens[std::size_t(t)]) * std::size_t(spec_.value_dim)];
    });
    std::vector<float> out(std::size_t(spec_.batch * query_heads_ * spec_.value_dim));
    const Error error =
        attention(view_of(q, shape(query_heads_, 1, spec_.dim)), view_of(k, shape(spec_.heads, count, spec_.dim)),
                  view_of(v, shape(spec_.heads, count, spec_.value_dim)), options,
                  view_of(out, shape(query_heads_, 1, spec_.value_dim)));
    INFO(error.message());
    REQUIRE(!error);
    for (int b = 0; b < spec_.batch; ++b)
      for (int h = 0; h < query_heads_; ++h)
        for (int d = 0; d < spec_.value_dim; ++d) {
          const auto width = std::size_t(spec_.value_dim), to = std::size_t(d);
          const float wanted = out[at(b, h, 0, query_heads_, 1) * width + to],
                      was = got[at(b, h, i, query_heads_, queries) * width + to];
          worst_ = std::isfinite(was) ? std::max(worst_, double(std::abs(wanted - was))) : 1e9;
        }
  }

  Random random_;
  std::uint32_t seed_;
  CacheSpec spec_;
  int query_heads_ = 1, total_ = 0;
  /// How many rows the cache must have: those of the policy, and of the last append.
  int stored_ = 0;
  double worst_ = 0, nominal_ = 0;
  std::unique_ptr<KeyValueCache> cache_;
  std::unique_ptr<Learned> encoding_;
  /// Of the text: [tokens][batch][heads][width].
  std::vector<float> keys_, values_, q_, bias_;
  std::vector<std::uint8_t> mask_, attention_mask_;
  std::vector<std::int32_t> segments_;
};

}  // namespace

TEST_CASE("a rolling cache is attention from scratch, for appends of 1 to 5,000 tokens") {
  constexpr ElementType kTypes[]{ElementType::float32, ElementType::float16, ElementType::int8};
  constexpr double kBounds[]{2e-6, 4e-3, 1e-1};
  double worst[3] = {};
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    const int type = int(seed % 3), policy = int(seed / 3 % 3);
    INFO("seed " << seed << " type " << type << " policy " << policy);
    const double error = Rolling(seed, kTypes[type], policy).run();
    CHECK(error <= kBounds[type]);
    worst[type] = std::max(worst[type], error);
  }
  // Narrow types round; nothing is compared with itself.
  CHECK(worst[1] > 1e-6);
  CHECK(worst[2] > 1e-4);
}

}  // namespace posenc::test
