#include "cache_model.hpp"

namespace posenc::test {

namespace {

std::size_t index_of(bool bhtd, int batch, int heads, int positions, int b, int h, int t, int width) {
  (void)batch;
  return std::size_t(bhtd ? (b * heads + h) * positions + t : (b * positions + t) * heads + h) * std::size_t(width);
}

std::vector<float> tensor_of(const CacheSpec& spec, const std::vector<NaiveToken>& tokens, bool values, bool bhtd) {
  const int width = values ? spec.value_dim : spec.dim, count = int(tokens.size());
  std::vector<float> out(std::size_t(spec.batch) * std::size_t(spec.heads * count * width));
  for (int b = 0; b < spec.batch; ++b)
    for (int h = 0; h < spec.heads; ++h)
      for (int t = 0; t < count; ++t) {
        const auto& row = values ? tokens[std::size_t(t)].value : tokens[std::size_t(t)].key;
        std::copy_n(row.begin() + (b * spec.heads + h) * width, width,
                    out.begin() + long(index_of(bhtd, spec.batch, spec.heads, count, b, h, t, width)));
      }
  return out;
}

Shape shape_of(bool bhtd, int batch, int heads, int positions, int width) {
  const double b = batch, h = heads, t = positions, w = width;
  return bhtd ? Shape{b, h, t, w} : Shape{b, t, h, w};
}

// [axes, batch, tokens]
std::vector<double> positions_of(const std::vector<NaiveToken>& tokens, std::size_t count) {
  std::vector<double> out;
  for (std::size_t i = 0; i < count; ++i)
    for (const NaiveToken& token : tokens) out.push_back(token.position[i]);
  return out;
}

Positions given_positions(const std::vector<double>& values, int axes, std::size_t count) {
  Positions out;
  out.axes = axes;
  out.stride = values.size() / std::size_t(axes);
  out.values = {values.data(), out.stride};
  out.count = int(count);
  return out;
}

}  // namespace

void NaiveCache::append(const std::vector<NaiveToken>& more) {
  const int most = spec.window ? std::min(int(tokens.size()), spec.sinks + spec.window - 1) : int(tokens.size());
  const int gone = more.empty() ? 0 : int(tokens.size()) - most;
  const auto first = tokens.begin() + spec.sinks * (gone > 0);
  lost.insert(lost.end(), first, first + gone);
  tokens.erase(first, first + gone);
  for (std::size_t i = std::size_t(spec.sinks); spec.sinks && gone && i < tokens.size(); ++i)
    for (double& position : tokens[i].position) position -= gone;
  if (!more.empty()) restorable = std::min(spec.undo, restorable + gone);
  for (NaiveToken token : more) {
    for (double& position : token.position) position -= spec.sinks ? gone : 0;
    tokens.push_back(token);
  }
}

bool NaiveCache::can_truncate(int length) const {
  return int(lost.size()) == restorable || restorable + length >= std::max(1, spec.sinks + spec.window - 1);
}

void NaiveCache::truncate(int length) {
  const auto first = tokens.begin() + std::min(spec.sinks, int(tokens.size()));
  const std::size_t left = lost.size() + std::size_t(length);
  const std::vector<double> start = tokens.empty() ? std::vector<double>() : tokens[0].position;
  tokens.insert(lost.empty() ? tokens.begin() : first, lost.begin(), lost.end());
  tokens.resize(left);
  const int most = spec.sinks + spec.window;
  const int visible_count = spec.window ? std::max(length, std::min(restorable + length, most)) : length;
  const int gone = int(left) - visible_count;
  const auto begin = tokens.begin() + spec.sinks * (gone > 0);
  restorable -= int(lost.size()) - gone;
  lost = {begin, begin + gone};
  tokens.erase(begin, begin + gone);
  for (std::size_t i = 0; spec.sinks && i < tokens.size(); ++i)
    for (std::size_t a = 0; a < start.size(); ++a) tokens[i].position[a] = start[a] + double(i);
}

void NaiveCache::evict(int first, int count) {
  const std::size_t end = std::size_t(first + count);
  if (end < tokens.size()) {
    const std::vector<double> from = tokens[end].position, to = tokens[std::size_t(first)].position;
    for (std::size_t i = end; i < tokens.size(); ++i)
      for (std::size_t a = 0; a < from.size(); ++a) tokens[i].position[a] += to[a] - from[a];
  }
  tokens.erase(tokens.begin() + first, tokens.begin() + long(end));
}

void NaiveCache::shift(const std::vector<double>& delta) {
  const std::size_t batch = std::size_t(spec.batch);
  for (auto* list : {&tokens, &lost})
    for (NaiveToken& token : *list)
      for (std::size_t i = 0; i < token.position.size(); ++i) token.position[i] += delta[i / batch % delta.size()];
}

void NaiveCache::reorder(const std::vector<double>& rows) {
  const auto reorder_list = [&](auto& list) {
    const auto old = list;
    const std::size_t width = list.size() / std::size_t(spec.batch);
    for (std::size_t b = 0; b < rows.size(); ++b)
      std::copy_n(old.begin() + long(std::size_t(rows[b]) * width), width, list.begin() + long(b * width));
  };
  const auto reorder_token = [&](NaiveToken& token) {
    reorder_list(token.key);
    reorder_list(token.value);
    const auto old = token.position;
    for (int a = 0; a < axes; ++a)
      for (int b = 0; b < spec.batch; ++b)
        token.position[std::size_t(a * spec.batch + b)] =
            old[std::size_t(a * spec.batch) + std::size_t(rows[std::size_t(b)])];
  };
  for (auto* list : {&tokens, &lost}) std::ranges::for_each(*list, reorder_token);
}

std::vector<float> NaiveCache::attend_to(const std::vector<NaiveToken>& visible, std::vector<float> q, int query_heads,
                                         int queries, AttentionOptions options) const {
  const bool bhtd = spec.layout == HeadLayout::bhtd;
  options.layout = spec.layout;
  auto k = tensor_of(spec, visible, false, bhtd), v = tensor_of(spec, visible, true, bhtd);
  const auto positions = positions_of(visible, std::size_t(axes * spec.batch));
  options.key_positions = given_positions(positions, axes, visible.size());
  std::vector<float> out(std::size_t(spec.batch * query_heads * queries * spec.value_dim));
  const auto view = [&](std::vector<float>& data, int heads, int count, int width) {
    return view_of(data, shape_of(bhtd, spec.batch, heads, count, width));
  };
  const int count = int(visible.size());
  const Error error =
      attention(view(q, query_heads, queries, spec.dim), view(k, spec.heads, count, spec.dim),
                view(v, spec.heads, count, spec.value_dim), options, view(out, query_heads, queries, spec.value_dim));
  INFO(error.message());
  REQUIRE(!error);
  return out;
}

std::vector<float> NaiveCache::attend(const std::vector<float>& q, int query_heads, int queries,
                                      const AttentionOptions& given) const {
  AttentionOptions options = given;
  const int most = spec.sinks + spec.window;
  if (spec.window && !spec.sinks)
    options.window_left =
        options.window_left < 0 ? spec.window - 1 : std::min<double>(options.window_left, spec.window - 1);
  if (!spec.sinks || int(tokens.size()) <= most) return attend_to(tokens, q, query_heads, queries, options);
  // A token at a time, each with what it would have seen.
  std::vector<float> out(std::size_t(spec.batch * query_heads * queries * spec.value_dim));
  const bool bhtd = spec.layout == HeadLayout::bhtd;
  for (int i = 0; i < queries; ++i) {
    const int token = int(tokens.size()) - queries + i;
    NaiveCache then = *this;
    then.tokens.resize(std::size_t(token) + 1);
    if (token >= most) then.evict(spec.sinks, token + 1 - most);
    std::vector<float> row(std::size_t(spec.batch * query_heads * spec.dim));
    for (int b = 0; b < spec.batch; ++b)
      for (int h = 0; h < query_heads; ++h)
        std::copy_n(q.begin() + long(index_of(bhtd, spec.batch, query_heads, queries, b, h, i, spec.dim)), spec.dim,
                    row.begin() + (b * query_heads + h) * spec.dim);
    const auto one = attend_to(then.tokens, row, query_heads, 1, options);
    for (int b = 0; b < spec.batch; ++b)
      for (int h = 0; h < query_heads; ++h)
        std::copy_n(one.begin() + (b * query_heads + h) * spec.value_dim, spec.value_dim,
                    out.begin() + long(index_of(bhtd, spec.batch, query_heads, queries, b, h, i, spec.value_dim)));
  }
  return out;
}

NaiveToken draw_token(Random& random, const CacheSpec& spec, const std::vector<double>& position) {
  NaiveToken token{std::vector<float>(std::size_t(spec.batch * spec.heads * spec.dim)),
                   std::vector<float>(std::size_t(spec.batch * spec.heads * spec.value_dim)), position};
  for (float& x : token.key) x = random.uniform();
  for (float& x : token.value) x = random.uniform();
  return token;
}

Error append(KeyValueCache& cache, NaiveCache& naive, const std::vector<NaiveToken>& tokens, bool with_positions) {
  const CacheSpec& spec = naive.spec;
  const bool bhtd = spec.layout == HeadLayout::bhtd;
  auto k = tensor_of(spec, tokens, false, bhtd), v = tensor_of(spec, tokens, true, bhtd);
  const auto values = positions_of(tokens, std::size_t(naive.axes * spec.batch));
  Positions positions = Positions::run(std::numeric_limits<double>::quiet_NaN(), 0);
  if (with_positions) positions = given_positions(values, naive.axes, tokens.size());
  const int count = int(tokens.size());
  Error error = cache.append(view_of(k, shape_of(bhtd, spec.batch, spec.heads, count, spec.dim)),
                             view_of(v, shape_of(bhtd, spec.batch, spec.heads, count, spec.value_dim)), positions);
  if (!error) naive.append(tokens);
  return error;
}

std::vector<float> attend(KeyValueCache& cache, std::vector<float> q, int query_heads, int queries,
                          const AttentionOptions& options) {
  const CacheSpec& spec = cache.spec();
  const bool bhtd = spec.layout == HeadLayout::bhtd;
  std::vector<float> out(std::size_t(spec.batch * query_heads * queries * spec.value_dim));
  const Error error = cache.attend(view_of(q, shape_of(bhtd, spec.batch, query_heads, queries, spec.dim)), options,
                                   view_of(out, shape_of(bhtd, spec.batch, query_heads, queries, spec.value_dim)));
  INFO(error.message());
  REQUIRE(!error);
  return out;
}

}  // namespace posenc::test
