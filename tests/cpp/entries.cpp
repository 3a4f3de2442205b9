#include "entries.hpp"

#include "attention/support.hpp"
#include "posenc/attention/cache.hpp"
#include "posenc/insight.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/table/resize.hpp"

namespace posenc::test {

namespace {

constexpr auto kInput = Argument::Role::input, kResult = Argument::Role::result, kInPlace = Argument::Role::in_place;
constexpr int kCount = 5, kHeads = 2;
using Views = std::vector<View>;

// Lists it while they are made.
class List {
 public:
  std::vector<Entry> entries;
  std::string kind{};
  std::shared_ptr<Learned> encoding{};
  std::shared_ptr<Training> training = std::make_shared<Training>();

  void add(std::string operation, std::vector<Argument> arguments, std::function<Error(const Views&)> run) {
    const std::string label = kind.empty() ? operation : operation + " of " + kind;
    entries.push_back({std::move(operation), label, std::move(arguments), std::move(run), encoding, training});
  }
  template <class Family>
  Family& as_family() {
    return *as<Family>(*encoding);
  }
};

std::span<float> numbers_of(const View& view) { return {view.data, std::size_t(view.length)}; }

void list_training(List& list) {
  Learned& encoding = *list.encoding;
  Training& training = *list.training;
  list.add("parameterFacts", {}, [&](const Views&) { return training.begin(encoding); });
  list.add("checkApart", {}, [&](const Views&) {
    static std::array<float, 4> apart{};
    return encoding.check_apart_from({{"out", std::span<const float>(apart)}});
  });
  list.add("zeroGradients", {}, [&](const Views&) {
    Error error = training.begin(encoding);
    if (!error) training.zero_gradients();
    return error;
  });
  for (const auto kind : {Optimizer::Kind::sgd, Optimizer::Kind::adamw})
    list.add("optimizerStep", {}, [&, kind](const Views&) {
      Optimizer how;
      how.kind = kind;
      how.learning_rate = 0.1;
      how.momentum = kind == Optimizer::Kind::sgd ? 0.9 : 0;
      return training.step(encoding, how);
    });
}

void list_table(List& list) {
  const Table& table = list.as_family<Table>();
  const double dim = table.dim;
  const Positions places = first_places(table, kCount);
  const Shape x{2, kCount, dim};
  list.add("tableRows", {{"out", kResult, {kCount, dim}}},
           [&table, places](const Views& at) { return table.rows(places, at[0]); });
  list.add("tableCheck", {{"x", kInPlace, x}},
           [&table, places](const Views& at) { return table.check_add(at[0], places); });
  list.add("tableAdd", {{"x", kInPlace, x}}, [&table, places](const Views& at) {
    return table.add_to(at[0], places, {.rate = 0.5, .seed = 1, .first_element = 0});
  });
  list.add("tableConcat", {{"x", kInput, {2, kCount, 3}}, {"out", kResult, {2, kCount, 3 + dim}}},
           [&table, places](const Views& at) { return table.concat_to(at[0], places, at[1]); });
  if (const double pairs = double(table.frequencies().size()); pairs && table.dim % 2 == 0)
    list.add("tableShift", {{"out", kResult, {pairs, 2, 2}}},
             [&table](const Views& at) { return table.shift(3, at[0]); });
  if (!table.parameters.empty())
    list.add(
        "tableBackward", {{"gradOfX", kInPlace, x}}, [&table, &training = *list.training, places](const Views& at) {
          return table.backward(at[0], places,
                                {.padding = -1, .by_frequency = table.parameters[0].name == "weights", .dropout = {}},
                                training);
        });
  for (const char* facts : {"tableFacts", "tableFrequencies"})
    list.add(facts, {}, [&table](const Views&) { return (void)table.frequencies(), Error{}; });
  if (table.axes == 1)
    list.add("distanceProfile", {{"out", kResult, {kCount}}},
             [&table](const Views& at) { return distance_profile(table, at[0]); });
}

void list_rotation(List& list) {
  const Rotation& rotation = list.as_family<Rotation>();
  const double dim = rotation.dim, pairs = rotation.pairs;
  Positions places{.values = {}, .offset = 0, .count = kCount, .axes = rotation.axes};
  if (rotation.axes > 1) places.extent.fill(1), places.extent[0] = kCount;
  const Shape x{1, kHeads, kCount, dim};
  constexpr auto kLayout = HeadLayout::bhtd;
  constexpr auto kRole = Role::key;
  list.add("rotaryTables", {{"out.cos", kResult, {kCount, pairs}}, {"out.sin", kResult, {kCount, pairs}}},
           [&rotation, places](const Views& at) { return rotation.tables(places, 0, at[0], at[1], kRole); });
  list.add("rotaryAngles", {{"out", kResult, {kCount, pairs, 2}}}, [&rotation, places](const Views& at) {
    return rotation.angles(places, 0, {reinterpret_cast<double*>(at[0].data), std::size_t(at[0].length / 2)});
  });
  list.add("rotaryCheck", {{"x", kInPlace, x}},
           [&rotation, places](const Views& at) { return rotation.check(at[0], kLayout, places, 0, kRole); });
  for (const auto direction : {Direction::forward, Direction::inverse})
    list.add("rotaryApply", {{"x", kInPlace, x}}, [&rotation, places, direction](const Views& at) {
      return rotation.apply(at[0], kLayout, places, 0, direction, kRole);
    });
  list.add("rotaryRerotate", {{"x", kInPlace, x}}, [&rotation, places](const Views& at) {
    return rotation.rerotate(at[0], kLayout, {rotation, places, 0}, {rotation, places, 9000});
  });
  list.add("rotaryBackward", {{"x", kInput, x}, {"gradOut", kInPlace, x}},
           [&rotation, &training = *list.training, places](const Views& at) {
             return rotation.backward(at[0], at[1], kLayout, places, 0, kRole, training);
           });
  for (const char* facts : {"rotaryFacts", "rotaryFrequencies"})
    list.add(facts, {}, [&rotation](const Views&) { return (void)rotation.inverse_frequencies(9000), Error{}; });
  list.add("distanceProfile", {{"out", kResult, {kCount}}},
           [&rotation](const Views& at) { return distance_profile(rotation, at[0]); });
}

void list_bias(List& list) {
  const Bias& bias = list.as_family<Bias>();
  const double heads = bias.heads;
  const Shape scores{1, heads, kCount, kCount};
  const auto call = [] { return BiasCall{.queries = kCount, .keys = kCount}; };
  list.add("biasRows", {{"out", kResult, {heads, kCount, kCount}}},
           [&bias, call](const Views& at) { return bias.bias(call(), at[0]); });
  list.add("biasApply", {{"scores", kInPlace, scores}},
           [&bias, call](const Views& at) { return bias.apply_to(call(), at[0]); });
  if (bias.bucket(0, 0) >= 0)
    list.add("biasBuckets", {{"out", kResult, {kCount, kCount}}}, [&bias, call](const Views& at) {
      return bias.buckets(call(), {reinterpret_cast<std::int32_t*>(at[0].data), std::size_t(at[0].length)});
    });
  list.add("biasBackward", {{"gradOut", kInPlace, scores}, {"scores", kInput, scores}},
           [&bias, &training = *list.training, call](const Views& at) {
             return bias.backward(call(), at[0], at[1], training);
           });
  if (bias.has_profile())
    list.add("distanceProfile", {{"out", kResult, {heads, kCount}}},
             [&bias](const Views& at) { return distance_profile(bias, at[0]); });
}

void list_relative(List& list) {
  const Relative& relative = list.as_family<Relative>();
  const double heads = relative.heads ? relative.heads : kHeads, dim = relative.dim;
  const Shape x{1, heads, kCount, dim};
  if (relative.key_width != relative.dim || relative.query_width != relative.dim)
    for (const bool is_key : {false, true}) {
      const double width = is_key ? relative.key_width : relative.query_width;
      if (relative.key_width != relative.dim)
        list.add("relativeExpand", {{"x", kInput, x}, {"out", kResult, {1, heads, kCount, width}}},
                 [&relative, is_key](const Views& at) {
                   return relative.expanded(at[0], is_key, HeadLayout::bhtd, run(0, kCount), at[1]);
                 });
    }
  if (relative.has_buckets())
    list.add("relativeBuckets", {{"distances", kInput, {6}}, {"out", kResult, {3}}}, [&relative](const Views& at) {
      return relative.buckets({reinterpret_cast<const double*>(at[0].data), 3},
                              {reinterpret_cast<std::int32_t*>(at[1].data), 3});
    });
}

// A cache of the first argument, keys and values, and something that is done with it.
Error use_cache(const Views& at, ElementType type, double heads, double dim, const Positions& places,
                const std::function<Error(KeyValueCache&)>& work) {
  auto cache = KeyValueCache::make(
      {.heads = int(heads), .dim = int(dim), .value_dim = int(dim), .capacity = 2 * kCount, .type = type});
  if (!cache) return std::move(cache.error());
  const Positions follow = Positions::run(std::numeric_limits<double>::quiet_NaN(), 0);
  if (Error error = (*cache)->append(at[0], at[0], places.axes > 1 ? places : follow)) return error;
  return work(**cache);
}

void list_cache(List& list) {
  const Shape x{1, kHeads, kCount, 8};
  const auto add = [&](std::string_view operation, const std::function<Error(KeyValueCache&)>& work) {
    list.add(std::string(operation), {{"k", kInput, x}},
             [work](const Views& at) { return use_cache(at, ElementType::float32, kHeads, 8, {}, work); });
  };
  add("createCache", [](KeyValueCache&) { return Error(); });
  add("cacheAppend", [](KeyValueCache&) { return Error(); });
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
  add("cacheEvict", [](KeyValueCache& cache) { return cache.evict(1, 2); });
  add("cacheShift", [](KeyValueCache& cache) { return cache.shift(3); });
  add("cacheReorder", [](KeyValueCache& cache) { return cache.reorder(std::array{0.0}); });
  static std::array<std::uint8_t, 4096> room;
  const auto snapshot = [](KeyValueCache& cache) { return std::span(room).first(std::size_t(cache.snapshot_bytes())); };
  add("cacheSnapshot", [=](KeyValueCache& cache) { return cache.snapshot(snapshot(cache)); });
  add("cacheRestore", [=](KeyValueCache& cache) {
    Error error = cache.snapshot(snapshot(cache));
    return error ? std::move(error) : cache.restore(snapshot(cache));
  });
}

// Attention with the encoding at hand, or with none.
void list_attention(List& list) {
  AttentionOptions options;
  const Learned* encoding = list.encoding.get();
  double heads = kHeads, dim = 8, keys = kCount;
  if (encoding) put_inside(options, *encoding);
  if (options.rotation) dim = options.rotation->dim;
  if (options.encoding_bias) heads = options.encoding_bias->heads;
  if (options.relative) dim = options.relative->dim;
  if (options.relative && options.relative->heads) heads = options.relative->heads;
  if (options.rotation && options.rotation->axes > 1 && !options.rotation->one_for_all) {
    for (Positions* places : {&options.key_positions, &options.query_positions}) {
      places->axes = options.rotation->axes;
      places->extent.fill(1);
      places->extent[0] = keys;
    }
  }
  const bool contextual = options.relative && options.relative->reads_extra_keys;
  const Shape x{1, heads, kCount, dim}, scores{1, heads, kCount, keys};
  const std::vector<Argument> inputs{{"q", kInput, x},           {"k", kInput, x},
                                     {"v", kInput, x},           {"bias", kInput, {1, heads, kCount, keys}},
                                     {"sinks", kInput, {heads}}, {"mask", kInput, {4}},
                                     {"gateKeys", kInput, x}};
  const auto with = [](std::vector<Argument> all, std::initializer_list<Argument> more) {
    all.insert(all.end(), more);
    return all;
  };
  const auto given = [options, contextual, keys](const Views& at) {
    AttentionOptions all = options;
    all.bias = at[3];
    all.sinks = numbers_of(at[4]);
    all.mask = {reinterpret_cast<const std::uint8_t*>(at[5].data), keys, {keys}};
    if (contextual) all.extra_keys = at[6];
    return all;
  };
  list.add("attention", with(inputs, {{"out", kResult, x}}),
           [given](const Views& at) { return attention(at[0], at[1], at[2], given(at), at[7]); });
  list.add("cacheAttend", {{"q", kInput, x}, {"bias", kInput, scores}, {"out", kResult, x}},
           [options, heads, dim](const Views& at) {
             AttentionOptions all = options;
             all.bias = at[1];
             const Positions places = std::exchange(all.key_positions, {});
             all.query_positions = AttentionOptions().query_positions;
             return use_cache(at, ElementType::int8, heads, dim, places, [&](KeyValueCache& cache) {
               // Turned as the encoding has it, given back, and turned again.
               Error error = cache.attend(at[0], all, at[2]);
               if (!error) error = cache.attend(at[0], {}, at[2]);
               if (!error) error = cache.attend(at[0], all, at[2]);
               return error;
             });
           });
  list.add("attentionRows", with(inputs, {{"out", kResult, scores}}),
           [given](const Views& at) { return attention_rows(at[0], at[1], given(at), at[7], AttentionRows::weights); });
  if (options.relative && options.relative->has_positions)
    list.add("contextPositions", with(inputs, {{"out", kResult, scores}}),
             [given](const Views& at) { return context_positions(at[0], at[1], given(at), at[7]); });
  list.add("attentionBackward",
           with(inputs, {{"gradOut", kInput, x},
                         {"out.q", kResult, x},
                         {"out.k", kResult, x},
                         {"out.v", kResult, x},
                         {"out.bias", kResult, scores},
                         {"out.sinks", kResult, {heads}},
                         {"out.gateKeys", kResult, x}}),
           [given, contextual, training = list.training.get()](const Views& at) {
             AttentionGradients out{at[8], at[9], at[10], at[11]};
             out.rotation = out.encoding_bias = out.relative = training;
             if (contextual) out.extra_keys = at[13];
             out.sinks = numbers_of(at[12]);
             return attention_backward(at[0], at[1], at[2], at[7], given(at), out);
           });
}

void list_others(List& list) {
  const Shape table{4, 3}, square{4, 4}, projection{2, 3};
  list.add("similarity", {{"table", kInput, table}, {"out", kResult, square}},
           [](const Views& at) { return similarity(at[0], at[1]); });
  list.add("scoreTerms",
           {{"x", kInput, table},
            {"table", kInput, table},
            {"wq", kInput, projection},
            {"wk", kInput, projection},
            {"contentContent", kResult, square},
            {"contentPosition", kResult, square},
            {"positionContent", kResult, square},
            {"positionPosition", kResult, square}},
           [](const Views& at) {
             return score_terms(at[0], at[1], at[2], at[3], {at[4], at[5], at[6], at[7]});
           });
  // Kernels, which have memory of their own here.
  list.add("float32FromFloat16", {{"halves", kInput, {2}}}, [](const Views& at) {
    float out[4];
    float32_from_float16(reinterpret_cast<const std::uint16_t*>(at[0].data), 4, out);
    return Error{};
  });
  list.add("float16FromFloat32", {{"floats", kInput, {4}}}, [](const Views& at) {
    std::uint16_t out[4];
    float16_from_float32(at[0].data, 4, out);
    return Error{};
  });
  list.add("float32FromBfloat16", {{"halves", kInput, {2}}}, [](const Views& at) {
    float out[4];
    float32_from_bfloat16(reinterpret_cast<const std::uint16_t*>(at[0].data), 4, out);
    return Error{};
  });
  list.add("bfloat16FromFloat32", {{"floats", kInput, {4}}}, [](const Views& at) {
    std::uint16_t out[4];
    bfloat16_from_float32(at[0].data, 4, out);
    return Error{};
  });
  list.add("relativeShift", {{"x", kInput, square}, {"out", kResult, square}},
           [](const Views& at) { return relative_shift(at[0], false, at[1]); });
  list.add("queryTemperature", {{"out", kResult, {4}}}, [](const Views& at) {
    return query_temperature(run(0, 4), {.factor = 1, .length = 2, .offset = 0}, at[0]);
  });
  list.add("tableResize", {{"table", kInput, {4, 3}}, {"out", kResult, {9, 3}}}, [](const Views& at) {
    Resize how;
    how.from = {2, 2};
    how.to = {3, 3};
    return resize(at[0], how, at[1]);
  });
}

}  // namespace

std::vector<Entry> entries_of(const Sample* sample) {
  List list;
  if (!sample) {
    list_others(list);
    list_attention(list);
    list_cache(list);
    return std::move(list.entries);
  }
  list.kind = sample->kind;
  auto made = create(sample->kind, sample->required);
  REQUIRE(made);
  list.encoding = std::move(*made);
  list.add("createEncoding", {},
           [it = *sample](const Views&) { return std::move(create(it.kind, it.required).error()); });
  if (as<Table>(*list.encoding)) list_table(list);
  if (as<Rotation>(*list.encoding)) list_rotation(list);
  if (as<Bias>(*list.encoding)) list_bias(list);
  if (as<Relative>(*list.encoding)) list_relative(list);
  if (!as<Table>(*list.encoding)) list_attention(list);
  if (!list.encoding->parameters.empty()) list_training(list);
  return std::move(list.entries);
}

std::vector<Entry> entries() {
  std::vector<Entry> all = entries_of(nullptr);
  for (const Sample& any : samples()) {
    const Sample sample = small(any);
    for (Entry& entry : entries_of(&sample)) all.push_back(std::move(entry));
  }
  return all;
}

Arguments::Arguments(const Entry& entry, std::size_t margin) : entry_(entry), margin_(margin) {
  for (const Argument& argument : entry.arguments) {
    numbers_.push_back(
        random_floats(std::size_t(argument.shape.size()) + 2 * margin, std::uint32_t(numbers_.size() + 1)));
    // Two of them are one number of eight bytes, which must be finite and small.
    if (argument.name == "distances") std::fill(numbers_.back().begin(), numbers_.back().end(), 1.0f);
  }
}

std::vector<View> Arguments::views() {
  std::vector<View> out;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const Shape& shape = entry_.arguments[i].shape;
    out.push_back({numbers_[i].data() + margin_, shape.size(), shape});
  }
  return out;
}

}  // namespace posenc::test
