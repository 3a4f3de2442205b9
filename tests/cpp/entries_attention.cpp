// Calls of attention, over tensors and over caches.
#include "attention/support.hpp"
#include "entries_list.hpp"
#include "posenc/attention/cache.hpp"

namespace posenc::test {

namespace {

std::span<float> floats_of(const View& view) { return {view.data, std::size_t(view.length)}; }

// A cache of the first argument, keys and values, and something that is done with it.
Error use_cache(const Views& at, ElementType type, double heads, double dim, const Positions& positions,
                const std::function<Error(KeyValueCache&)>& work) {
  auto cache = KeyValueCache::make(
      {.heads = int(heads), .dim = int(dim), .value_dim = int(dim), .capacity = 2 * kCount, .type = type});
  if (!cache) return std::move(cache.error());
  const Positions follow = Positions::run(std::numeric_limits<double>::quiet_NaN(), 0);
  if (Error error = (*cache)->append(at[0], at[0], positions.axes > 1 ? positions : follow)) return error;
  return work(**cache);
}

/// Inputs of tokens that an encoding reads, in front of them `prefix`, and how they become those of a call.
struct Tokens {
  Tokens(const Relative* relative, double heads) : shapes(token_shapes(relative, 1, heads, heads, kCount, kCount)) {}
  std::vector<Argument> arguments(std::string_view prefix, Argument::Role role) const {
    std::vector<Argument> out;
    for (const auto& [which, shape] : shapes)
      out.push_back({std::string(prefix) + std::string(kTokenInputs[which]), role, shape});
    return out;
  }
  TokenInputs at(const Views& views, std::size_t first) const {
    TokenInputs out{};
    for (std::size_t n = 0; n < shapes.size(); ++n) out[shapes[n].which] = views[first + n];
    return out;
  }
  std::vector<TokenShape> shapes;
};

}  // namespace

void list_cache(List& list) {
  const Shape x{1, kHeads, kCount, 8};
  const auto add = [&](std::string_view operation, const std::function<Error(KeyValueCache&)>& work) {
    list.add(std::string(operation), {{"k", kInput, x}},
             [work](const Views& at) { return use_cache(at, ElementType::float32, kHeads, 8, {}, work); });
  };
  add("createCache", [](KeyValueCache&) { return Error(); });
  add("cacheAppend", [](KeyValueCache&) { return Error(); });
  // Twice what a policy's capacity holds, which takes more memory.
  list.add("cacheAppend", {{"k", kInput, x}}, [](const Views& at) {
    auto cache = KeyValueCache::make(
        {.heads = int(kHeads), .dim = 8, .value_dim = 8, .capacity = 3, .window = 1, .sinks = 1, .undo = 1});
    if (!cache) return std::move(cache.error());
    const Positions follow = Positions::run(std::numeric_limits<double>::quiet_NaN(), 0);
    for (int i = 0; i < 2; ++i)
      if (Error error = (*cache)->append(at[0], at[0], follow)) return error;
    return (*cache)->append({at[0].data, 8 * kHeads, {1, double(kHeads), 1, 8}},
                            {at[0].data, 8 * kHeads, {1, double(kHeads), 1, 8}}, follow);
  });
  add("cacheFacts", [](KeyValueCache& cache) {
    CHECK(cache.length() == kCount);
    return Error();
  });
  add("cacheRead", [](KeyValueCache& cache) {
    static std::array<float, 8 * kHeads * kCount> k, v;
    const auto rows = [](float* to) { return heads(to, 1, kHeads, kCount, 8); };
    return cache.read(nullptr, rows(k.data()), rows(v.data()));
  });
  add("cachePositions", [](KeyValueCache& cache) {
    std::array<double, kCount> out;
    return cache.positions(out);
  });
  add("cacheTruncate", [](KeyValueCache& cache) { return cache.truncate(2); });
  add("cacheClear", [](KeyValueCache& cache) {
    cache.clear();
    return Error();
  });
  add("cacheEvict", [](KeyValueCache& cache) { return cache.evict(1, 2); });
  add("cacheShift", [](KeyValueCache& cache) { return cache.shift(3); });
  add("cacheReorder", [](KeyValueCache& cache) { return cache.reorder(std::array{0.0}); });
  static std::array<std::uint8_t, 4096> buffer;
  const auto snapshot = [](KeyValueCache& cache) {
    return std::span(buffer).first(std::size_t(cache.snapshot_bytes()));
  };
  add("cacheSnapshot", [=](KeyValueCache& cache) { return cache.snapshot(snapshot(cache)); });
  add("cacheRestore", [=](KeyValueCache& cache) {
    Error error = cache.snapshot(snapshot(cache));
    return error ? std::move(error) : cache.restore(snapshot(cache));
  });
}

void list_attention(List& list) {
  AttentionOptions options;
  const Learned* encoding = list.encoding.get();
  double heads = kHeads, dim = 8, keys = kCount;
  if (encoding) put_inside(options, *encoding);
  if (options.rotation) dim = options.rotation->dim;
  if (options.encoding_bias) heads = options.encoding_bias->heads;
  if (options.relative && options.relative->dim) dim = options.relative->dim;
  if (options.relative && options.relative->heads) heads = options.relative->heads;
  if (options.rotation && options.rotation->axes > 1 && !options.rotation->one_for_all) {
    for (Positions* positions : {&options.key_positions, &options.query_positions}) {
      positions->axes = options.rotation->axes;
      positions->extent.fill(1);
      positions->extent[0] = keys;
    }
  }
  const bool contextual = options.relative && options.relative->reads_extra_keys;
  const Shape x{1, heads, kCount, dim}, scores{1, heads, kCount, keys};
  const Tokens tokens(options.relative, heads);
  std::vector<Argument> inputs{{"q", kInput, x},           {"k", kInput, x},
                               {"v", kInput, x},           {"bias", kInput, {1, heads, kCount, keys}},
                               {"sinks", kInput, {heads}}, {"mask", kInput, {4}},
                               {"gateKeys", kInput, x}};
  const auto with = [](std::vector<Argument> all, const std::vector<Argument>& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  inputs = with(inputs, tokens.arguments("", kInput));
  const std::size_t next = inputs.size();
  const auto given = [options, contextual, keys, tokens](const Views& at) {
    AttentionOptions all = options;
    all.bias = at[3];
    all.sinks = floats_of(at[4]);
    all.mask = {reinterpret_cast<const std::uint8_t*>(at[5].data), keys, {keys}};
    if (contextual) all.extra_keys = at[6];
    all.tokens = tokens.at(at, 7);
    return all;
  };
  list.add("attention", with(inputs, {{"out", kResult, x}}),
           [given, next](const Views& at) { return attention(at[0], at[1], at[2], given(at), at[next]); });
  list.add("cacheAttend",
           with({{"q", kInput, x}, {"bias", kInput, scores}, {"out", kResult, x}}, tokens.arguments("", kInput)),
           [options, heads, dim, tokens](const Views& at) {
             AttentionOptions all = options;
             all.bias = at[1];
             all.tokens = tokens.at(at, 3);
             const Positions positions = std::exchange(all.key_positions, {});
             all.query_positions = AttentionOptions().query_positions;
             return use_cache(at, ElementType::int8, heads, dim, positions, [&](KeyValueCache& cache) {
               // Turned as the encoding has it, given back, and turned again.
               Error error = cache.attend(at[0], all, at[2]);
               if (!error) error = cache.attend(at[0], {}, at[2]);
               if (!error) error = cache.attend(at[0], all, at[2]);
               return error;
             });
           });
  list.add("attentionRows", with(inputs, {{"out", kResult, scores}}), [given, next](const Views& at) {
    return attention_rows(at[0], at[1], given(at), at[next], AttentionRows::weights);
  });
  if (options.relative && options.relative->has_positions)
    list.add("contextPositions", with(inputs, {{"out", kResult, scores}}),
             [given, next](const Views& at) { return context_positions(at[0], at[1], given(at), at[next]); });
  list.add("attentionBackward",
           with(with(inputs, {{"gradOut", kInput, x},
                              {"out.q", kResult, x},
                              {"out.k", kResult, x},
                              {"out.v", kResult, x},
                              {"out.bias", kResult, scores},
                              {"out.sinks", kResult, {heads}},
                              {"out.gateKeys", kResult, x}}),
                tokens.arguments("out.", kResult)),
           [given, contextual, tokens, next, training = list.training.get()](const Views& at) {
             AttentionGradients out{at[next + 1], at[next + 2], at[next + 3], at[next + 4]};
             out.rotation = out.encoding_bias = out.relative = training;
             if (contextual) out.extra_keys = at[next + 6];
             out.sinks = floats_of(at[next + 5]);
             out.tokens = tokens.at(at, next + 7);
             return attention_backward(at[0], at[1], at[2], at[next], given(at), out);
           });
}

}  // namespace posenc::test
