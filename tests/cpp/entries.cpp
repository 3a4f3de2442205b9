#include "entries_list.hpp"
#include "posenc/attention.hpp"
#include "posenc/insight.hpp"
#include "posenc/kernels/kernels.hpp"
#include "posenc/relative/grape_m.hpp"
#include "posenc/table/resize.hpp"

namespace posenc::test {

namespace {

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
  const Positions positions = first_positions(table, kCount);
  const Shape x{2, kCount, dim};
  list.add("tableRows", {{"out", kResult, {kCount, dim}}},
           [&table, positions](const Views& at) { return table.rows(positions, at[0]); });
  list.add("tableCheck", {{"x", kInPlace, x}},
           [&table, positions](const Views& at) { return table.check_add(at[0], positions); });
  list.add("tableAdd", {{"x", kInPlace, x}}, [&table, positions](const Views& at) {
    return table.add_to(at[0], positions, {.rate = 0.5, .seed = 1, .first_element = 0});
  });
  list.add("tableConcat", {{"x", kInput, {2, kCount, 3}}, {"out", kResult, {2, kCount, 3 + dim}}},
           [&table, positions](const Views& at) { return table.concat_to(at[0], positions, at[1]); });
  if (const double pairs = double(table.frequencies().size()); pairs && table.dim % 2 == 0)
    list.add("tableShift", {{"out", kResult, {pairs, 2, 2}}},
             [&table](const Views& at) { return table.shift(3, at[0]); });
  if (!table.parameters.empty())
    list.add(
        "tableBackward", {{"gradOfX", kInPlace, x}}, [&table, &training = *list.training, positions](const Views& at) {
          return table.backward(at[0], positions,
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
  Positions positions{.values = {}, .offset = 0, .count = kCount, .axes = rotation.axes};
  if (rotation.axes > 1) positions.extent.fill(1), positions.extent[0] = kCount;
  const Shape x{1, kHeads, kCount, dim};
  constexpr auto kLayout = HeadLayout::bhtd;
  constexpr auto kRole = Role::key;
  list.add("rotaryTables", {{"out.cos", kResult, {kCount, pairs}}, {"out.sin", kResult, {kCount, pairs}}},
           [&rotation, positions](const Views& at) { return rotation.tables(positions, 0, at[0], at[1], kRole); });
  list.add("rotaryAngles", {{"out", kResult, {kCount, pairs, 2}}}, [&rotation, positions](const Views& at) {
    return rotation.angles(positions, 0, {reinterpret_cast<double*>(at[0].data), std::size_t(at[0].length / 2)});
  });
  list.add("rotaryCheck", {{"x", kInPlace, x}},
           [&rotation, positions](const Views& at) { return rotation.check(at[0], kLayout, positions, 0, kRole); });
  for (const auto direction : {Direction::forward, Direction::inverse})
    list.add("rotaryApply", {{"x", kInPlace, x}}, [&rotation, positions, direction](const Views& at) {
      return rotation.apply(at[0], kLayout, positions, 0, direction, kRole);
    });
  list.add("rotaryRerotate", {{"x", kInPlace, x}}, [&rotation, positions](const Views& at) {
    return rotation.rerotate(at[0], kLayout, {rotation, positions, 0}, {rotation, positions, 9000});
  });
  list.add("rotaryBackward", {{"x", kInput, x}, {"gradOut", kInPlace, x}},
           [&rotation, &training = *list.training, positions](const Views& at) {
             return rotation.backward(at[0], at[1], kLayout, positions, 0, kRole, training);
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
  list.add("biasFacts", {}, [](const Views&) { return Error{}; });
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

void list_row_maps(List& list, const Relative& relative, const Shape& x) {
  for (const auto direction : {Direction::forward, Direction::transpose})
    list.add("relativeApply", {{"x", kInPlace, x}}, [&relative, direction](const Views& at) {
      return relative.apply(at[0], HeadLayout::bhtd, run(0, kCount), direction);
    });
  list.add("relativeApplyBackward", {{"x", kInput, x}, {"gradOut", kInPlace, x}},
           [&relative, &training = *list.training](const Views& at) {
             return relative.apply_backward(at[0], at[1], HeadLayout::bhtd, run(0, kCount), training);
           });
  list.add("relativeFrequencies", {}, [&relative](const Views&) { return (void)relative.frequencies(), Error{}; });
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
  if (relative.makes_gates) {
    // Of a layer's input; without learned numbers logits themselves become gates.
    const bool reads_layer = !relative.parameters.empty();
    const double width = reads_layer ? relative.parameters[0].shape[1] : heads;
    const double row = relative.token_widths[std::size_t(TokenInput::gate_rows)];
    const Shape layer{1, kCount, width},
        gates = row > 0 ? Shape{1, kCount, heads, row}
                        : Shape{1, kCount, reads_layer ? relative.parameters[0].shape[0] : heads};
    list.add("relativeGates", {{"x", kInput, layer}, {"out", kResult, gates}},
             [&relative](const Views& at) { return relative.make_gates(at[0], HeadLayout::bthd, at[1]); });
    list.add("relativeGatesBackward", {{"x", kInput, layer}, {"gradOut", kInput, gates}, {"out", kResult, layer}},
             [&relative, &training = *list.training](const Views& at) {
               return relative.make_gates_backward(at[0], at[1], HeadLayout::bthd, at[2], training);
             });
  }
  if (relative.maps_rows) list_row_maps(list, relative, x);
  if (relative.has_buckets())
    list.add("relativeBuckets", {{"distances", kInput, {6}}, {"out", kResult, {3}}}, [&relative](const Views& at) {
      return relative.buckets({reinterpret_cast<const double*>(at[0].data), 3},
                              {reinterpret_cast<std::int32_t*>(at[1].data), 3});
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
  const auto convert = [&]<class From, class To>(std::string operation, void (*kernel)(const From*, std::size_t, To*)) {
    const double floats = 4 * sizeof(From) / sizeof(float);
    list.add(std::move(operation), {{"x", kInput, {floats}}}, [kernel](const Views& at) {
      To out[4];
      kernel(reinterpret_cast<const From*>(at[0].data), 4, out);
      return Error{};
    });
  };
  convert("float32FromFloat16", float32_from_float16);
  convert("float16FromFloat32", float16_from_float32);
  convert("float32FromBfloat16", float32_from_bfloat16);
  convert("bfloat16FromFloat32", bfloat16_from_float32);
  list.add("checksum", {{"x", kInput, {4}}}, [](const Views& at) {
    checksum(reinterpret_cast<const std::uint8_t*>(at[0].data), 4 * sizeof(float));
    return Error{};
  });
  list.add("rowsByHead", {{"x", kInput, {2, 2}}}, [](const Views& at) {
    float out[4];
    rows_by_head(reinterpret_cast<const std::uint8_t*>(at[0].data), 2, 2, sizeof(float),
                 reinterpret_cast<std::uint8_t*>(out));
    return Error{};
  });
  list.add("relativeShift", {{"x", kInput, square}, {"out", kResult, square}},
           [](const Views& at) { return relative_shift(at[0], false, at[1]); });
  list.add("cumulativePhases", {{"gates", kInput, {1, 4, 2}}, {"out", kResult, {8, 2}}}, [](const Views& at) {
    return cumulative_phases(at[0], GateForm::softplus, 1, {reinterpret_cast<double*>(at[1].data), 8});
  });
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
    values_.push_back(
        random_floats(std::size_t(argument.shape.size()) + 2 * margin, std::uint32_t(values_.size() + 1)));
    // Two of them are one number of eight bytes, which must be finite and small.
    if (argument.name == "distances") std::fill(values_.back().begin(), values_.back().end(), 1.0f);
  }
}

std::vector<View> Arguments::views() {
  std::vector<View> out;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const Shape& shape = entry_.arguments[i].shape;
    out.push_back({values_[i].data() + margin_, shape.size(), shape});
  }
  return out;
}

}  // namespace posenc::test
