// A cache under any sequence of operations, against attention over the rows as they were given.
#include "calls_attention.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc::fuzz {

namespace {

struct Token {
  /// [batch, heads, width], and a position for each batch row.
  std::vector<double> key, value, positions;
};

class CacheCall {
 public:
  CacheCall(Input& input, Subject& subject) : input_(input), subject_(subject) {
    const Learned& encoding = *subject.encoding;
    const Rotation* rotation = as<Rotation>(encoding);
    const Relative* relative = as<Relative>(encoding);
    has_encoding_ = (rotation || relative || as<Bias>(encoding)) && (!rotation || rotation->one_for_all);
    spec_.batch = input.between(1, 2);
    spec_.heads = input.between(1, 2);
    spec_.dim = rotation ? rotation->dim : relative && relative->dim ? relative->dim : input.between(1, 9);
    spec_.value_dim = relative && relative->value_dim ? relative->value_dim : input.between(1, 9);
    spec_.type = ElementType::float32;
    if (input.rarely(4)) spec_.type = input.flag() ? ElementType::float16 : ElementType::int8;
    spec_.layout = input.choice<HeadLayout>(2);
    if (input.flag()) spec_.window = input.between(1, 8);
    if (spec_.window && input.flag()) spec_.sinks = input.between(1, 3);
    if (spec_.window && input.flag()) spec_.undo = input.between(1, 6);
    spec_.capacity = spec_.window + spec_.sinks + spec_.undo + input.between(input.rarely(16) ? -1 : 1, 12);
  }

  void run() {
    auto made = KeyValueCache::make(spec_);
    expect_same_error("cache.make", made.error());
    if (!made) return;
    cache_ = std::move(*made);
    for (int calls = 0; calls < 24 && !input_.empty(); ++calls) {
      step();
      require(cache_->length() == length(), "not as many tokens as were given");
    }
  }

 private:
  int length() const { return int(tokens_.size()); }
  int past() const { return spec_.window ? std::min(length(), spec_.sinks + spec_.window - 1) : length(); }
  int queryable() const { return lost_.empty() ? length() : length() - past(); }
  Shape shape(int heads, double count, int width) const {
    return heads_shape(spec_.layout, spec_.batch, heads, count, width);
  }
  int tokens_axis() const { return spec_.layout == HeadLayout::bhtd ? 2 : 1; }
  double index_from(int most) { return input_.rarely(16) ? input_.number() : double(input_.between(0, most)); }
  static bool succeeded(std::string_view call, const Error& error) {
    expect_same_error(call, error);
    return !error;
  }

  void step() {
    switch (input_.below(12)) {
      case 0: {
        const double left = input_.flag() ? index_from(length()) : length() - index_from(std::min(length(), 3));
        if (succeeded("cache.truncate", cache_->truncate(left))) truncate(int(left));
        return;
      }
      case 1: {
        const double first = index_from(length()), count = index_from(4);
        if (succeeded("cache.evict", cache_->evict(first, count))) evict(int(first), int(count));
        return;
      }
      case 2: {
        const double delta = input_.number();
        if (succeeded("cache.shift", cache_->shift(delta))) shift_all(delta);
        return;
      }
      case 3:
        return reorder();
      case 4:
        return save();
      case 8:
        if (!input_.rarely(4)) break;
        cache_->clear();
        tokens_.clear();
        lost_.clear();
        restorable_ = 0;
        is_known_ = true;
        return;
      case 5:
      case 6:
      case 7:
        return attend();
    }
    append();
  }

  // The text without its newest tokens; of those that left the window the last `restorable_` are still there.
  void truncate(int left) {
    const int all = int(lost_.size()) + left, most = spec_.sinks + spec_.window;
    const int stored = restorable_ + left;
    require(int(lost_.size()) == restorable_ || stored >= std::max(1, most - 1), "truncate() took what it has not");
    const std::vector<double> start = tokens_.empty() ? std::vector<double>() : tokens_[0].positions;
    const auto first = tokens_.begin() + (lost_.empty() ? 0 : spec_.sinks);
    tokens_.insert(first, lost_.begin(), lost_.end());
    tokens_.resize(std::size_t(all));
    const int gone = all - (spec_.window ? std::max(left, std::min(stored, most)) : left);
    restorable_ -= int(lost_.size()) - gone;
    lost_.clear();
    lose(gone);
    for (int i = 0; spec_.sinks && i < length(); ++i)
      for (std::size_t b = 0; b < start.size(); ++b) tokens_[std::size_t(i)].positions[b] = start[b] + i;
  }
  // The first tokens but for the sinks leave the window.
  void lose(int gone) {
    const auto first = tokens_.begin() + (gone > 0 ? spec_.sinks : 0);
    lost_.insert(lost_.end(), first, first + gone);
    tokens_.erase(first, first + gone);
  }
  void shift(int first, double delta) {
    for (int i = first; i < length(); ++i)
      for (double& position : tokens_[std::size_t(i)].positions) position += delta;
  }
  void shift_all(double delta) {
    shift(0, delta);
    for (Token& token : lost_)
      for (double& position : token.positions) position += delta;
  }
  void evict(int first, int count) {
    const auto begin = tokens_.begin() + first, end = begin + count;
    if (count > 0 && end != tokens_.end()) {
      const auto from = end->positions, to = begin->positions;
      for (auto token = end; token != tokens_.end(); ++token)
        for (std::size_t b = 0; b < from.size(); ++b) token->positions[b] += to[b] - from[b];
    }
    tokens_.erase(begin, end);
  }

  void reorder() {
    std::vector<double> rows;
    for (int b = 0; b < spec_.batch; ++b) rows.push_back(index_from(spec_.batch - 1));
    if (!succeeded("cache.reorder", cache_->reorder(rows))) return;
    for (auto* tokens : {&tokens_, &lost_})
      for (Token& token : *tokens)
        for (auto* list : {&token.key, &token.value, &token.positions}) {
          const auto old = *list;
          const std::size_t width = old.size() / rows.size();
          for (std::size_t i = 0; i < old.size(); ++i)
            (*list)[i] = old[std::size_t(rows[i / width]) * width + i % width];
        }
  }

  void save() {
    std::vector<std::uint8_t> bytes(std::size_t(cache_->snapshot_bytes()));
    require(!cache_->snapshot(bytes), "a snapshot that fits is refused");
    auto spoiled = bytes;
    // One bit, or a byte, or all from there on.
    const std::size_t at = (input_.byte() + 256u * input_.byte()) % bytes.size();
    spoiled[at] = std::uint8_t(spoiled[at] ^ (input_.flag() ? 1 << input_.below(8) : input_.byte()));
    if (input_.rarely(8)) spoiled.resize(at);
    if (spoiled != bytes) require(bool(cache_->restore(spoiled)), "a snapshot that was changed is restored");
    if (!succeeded("cache.restore", cache_->restore(bytes))) require(false, "a snapshot is not restored");
  }

  void append() {
    const double asked = input_.rarely(12) ? input_.between(6, 40) : input_.between(0, 5);
    const Tensor k(input_, shape(spec_.heads, asked, spec_.dim)), v(input_, shape(spec_.heads, asked, spec_.value_dim));
    std::optional<RandomPositions> random_positions;
    Positions at = Positions::run(std::numeric_limits<double>::quiet_NaN(), 0);
    if (input_.rarely(6)) at = random_positions.emplace(input_, asked, spec_.batch, 1).positions();
    const Error error = cache_->append(k.view(), v.view(), at);
    if (!succeeded("cache.append", error)) return;
    // By chance both have another shape that fits, too.
    const double count = k.view().shape[tokens_axis()];
    require(k.unchanged() && v.unchanged(), "append() changed its inputs");
    const bool follows = at.values.empty() && std::isnan(at.offset);
    is_known_ = is_known_ && k.tame() && v.tame() && at.axes == 1;
    std::vector<double> next(std::size_t(spec_.batch), 0);
    if (length()) next = tokens_.back().positions;
    for (double& position : next) position += length() ? 1 : 0;
    const int gone = count > 0 ? length() - past() : 0;
    lose(gone);
    if (count > 0) restorable_ = std::min(spec_.undo, restorable_ + gone);
    if (spec_.sinks) shift(spec_.sinks, -gone);
    for (int i = 0; i < int(count); ++i) {
      Token token{row_of(k, spec_.dim, i, int(count)), row_of(v, spec_.value_dim, i, int(count)), {}};
      for (int b = 0; b < spec_.batch; ++b)
        token.positions.push_back((follows || at.axes != 1 ? next[std::size_t(b)] + i : position_of(at, count, b, i)) -
                                  (spec_.sinks ? gone : 0));
      tokens_.push_back(std::move(token));
    }
  }

  std::size_t at(int b, int h, int t, int heads, int count) const {
    return std::size_t(spec_.layout == HeadLayout::bhtd ? (b * heads + h) * count + t : (b * count + t) * heads + h);
  }
  std::vector<double> row_of(const Tensor& x, int width, int token, int count) const {
    std::vector<double> out;
    for (int b = 0; b < spec_.batch; ++b)
      for (int h = 0; h < spec_.heads; ++h) {
        const auto row = x.before().begin() + std::ptrdiff_t(at(b, h, token, spec_.heads, count)) * width;
        out.insert(out.end(), row, row + width);
      }
    return out;
  }

  void attend() {
    const int wanted_heads = spec_.heads * input_.between(1, 2);
    const int wanted_queries = input_.rarely(16) ? input_.between(0, 9) : std::min(queryable(), input_.between(1, 3));
    const Tensor q(input_, shape(wanted_heads, wanted_queries, spec_.dim)),
        out(input_, shape(wanted_heads, wanted_queries, spec_.value_dim));
    AttentionOptions options;
    options.causal = !input_.rarely(8);
    options.layout = spec_.layout;
    if (input_.rarely(4)) options.softcap = 1 + input_.byte();
    if (input_.rarely(4)) options.window_left = input_.byte() % 20;
    const bool encodes = has_encoding_ && !input_.rarely(6);
    if (encodes) {
      options.rotation = as<Rotation>(*subject_.encoding);
      options.encoding_bias = as<Bias>(*subject_.encoding);
      options.relative = as<Relative>(*subject_.encoding);
    }
    const Error error = cache_->attend(q.view(), options, out.view());
    check_untouched(error, out);
    expect_same_error("cache.attend", error);
    if (error) return;
    require(q.unchanged(), "attend() changed its queries");
    const int heads = int(q.view().shape[3 - tokens_axis()]), queries = int(q.view().shape[tokens_axis()]);
    std::vector<double> bounds(out.values().size(), kInfinity);
    if (const auto wanted = attended(q, heads, queries, options, encodes))
      for (std::size_t i = 0; i < bounds.size(); ++i) {
        // Keys were rounded each time that they were turned anew.
        const Near near{wanted->out[i].value, 8 * wanted->out[i].bound};
        if (!(wanted->out[i].bound < kMaxTolerance)) continue;
        bounds[i] = near.bound;
        expect("cache.attend", i, double(out.values()[i]), near);
      }
    twin::near("cache.attend", out.values(), bounds);
  }

  // Attention from scratch; nothing where the formula has no opinion.
  std::optional<AttentionResult> attended(const Tensor& q, int heads, int queries, const AttentionOptions& options,
                                          bool encodes) {
    const int most = spec_.sinks + spec_.window;
    if (twin::kIsSecond || !is_known_ || !q.tame() || spec_.type != ElementType::float32) return {};
    if (queries == 0 || (encodes && !subject_.formula())) return {};
    if (!spec_.sinks || length() <= most) {
      std::vector<double> rows(q.before().begin(), q.before().end());
      return attended_to(tokens_, rows, heads, queries, options, encodes);
    }
    // Each query with the sinks and its window, by scaling rules of the whole cache.
    AttentionOptions fixed = options;
    fixed.sequence_length = std::max(1.0, std::floor(tokens_[0].positions[0] + most - 1) + 1);
    fixed.key_positions.extent[0] = most;
    AttentionResult out;
    out.out.resize(std::size_t(spec_.batch * heads * queries * spec_.value_dim));
    for (int i = 0; i < queries; ++i) {
      const int token = length() - queries + i, gone = std::max(0, token + 1 - most);
      std::vector<Token> visible(tokens_.begin(), tokens_.begin() + token + 1);
      visible.erase(visible.begin() + (gone ? spec_.sinks : 0), visible.begin() + (gone ? spec_.sinks + gone : 0));
      for (std::size_t j = std::size_t(spec_.sinks); j < visible.size(); ++j)
        for (double& position : visible[j].positions) position -= gone;
      std::vector<double> rows;
      each_row(heads, 1, [&](int b, int h, int) {
        const auto row = q.before().begin() + std::ptrdiff_t(at(b, h, i, heads, queries)) * spec_.dim;
        rows.insert(rows.end(), row, row + spec_.dim);
      });
      const auto one = attended_to(visible, rows, heads, 1, fixed, encodes);
      if (!one) return {};
      auto from = one->out.begin();
      each_row(heads, 1, [&](int b, int h, int) {
        std::copy_n(from, spec_.value_dim,
                    out.out.begin() + std::ptrdiff_t(at(b, h, i, heads, queries)) * spec_.value_dim);
        from += spec_.value_dim;
      });
    }
    return out;
  }

  template <class Each>
  void each_row(int heads, int count, const Each& each) const {
    const bool heads_first = spec_.layout == HeadLayout::bhtd;
    for (int b = 0; b < spec_.batch; ++b)
      for (int outer = 0; outer < (heads_first ? heads : count); ++outer)
        for (int inner = 0; inner < (heads_first ? count : heads); ++inner)
          heads_first ? each(b, outer, inner) : each(b, inner, outer);
  }

  std::optional<AttentionResult> attended_to(const std::vector<Token>& visible, const std::vector<double>& q, int heads,
                                             int queries, AttentionOptions options, bool encodes) {
    if (spec_.window && !spec_.sinks) {
      const double own = spec_.window - 1;
      options.window_left = options.window_left < 0 ? own : std::min(options.window_left, own);
    }
    const int keys = int(visible.size());
    std::vector<double> positions;
    for (int b = 0; b < spec_.batch; ++b)
      for (const Token& token : visible) positions.push_back(token.positions[std::size_t(b)]);
    options.key_positions.values = positions;
    options.key_positions.stride = positions.size();
    options.key_positions.count = keys;
    AttentionCase whole{spec_.batch, heads,     spec_.heads,     queries,
                        keys,        spec_.dim, spec_.value_dim, encodes ? &subject_.model : nullptr,
                        options,     true};
    whole.complete();
    if (whole.work() > 40000) return {};
    AttentionInputs inputs;
    inputs.q = q;
    inputs.k.resize(std::size_t(spec_.batch * spec_.heads * keys * spec_.dim));
    inputs.v.resize(std::size_t(spec_.batch * spec_.heads * keys * spec_.value_dim));
    for (int t = 0; t < keys; ++t)
      for (int b = 0; b < spec_.batch; ++b)
        for (int h = 0; h < spec_.heads; ++h) {
          const std::ptrdiff_t row = std::ptrdiff_t(at(b, h, t, spec_.heads, keys)), head = b * spec_.heads + h;
          const Token& token = visible[std::size_t(t)];
          std::copy_n(token.key.begin() + head * spec_.dim, spec_.dim, inputs.k.begin() + row * spec_.dim);
          std::copy_n(token.value.begin() + head * spec_.value_dim, spec_.value_dim,
                      inputs.v.begin() + row * spec_.value_dim);
        }
    if (encodes) inputs.parameters = subject_.model.parameters;
    return fuzz::attend(whole, inputs);
  }

  Input& input_;
  Subject& subject_;
  bool has_encoding_;
  CacheSpec spec_;
  std::unique_ptr<KeyValueCache> cache_;
  /// Those that the cache tells of, and those that left the window, of which the last `restorable_` may come back.
  std::vector<Token> tokens_, lost_;
  int restorable_ = 0;
  /// Are the tokens what the cache has?
  bool is_known_ = true;
};

}  // namespace

void call_cache(Input& input, Subject& subject) { CacheCall(input, subject).run(); }

}  // namespace posenc::fuzz
