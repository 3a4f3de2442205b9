// Is a spec honest: are its defaults valid, and is every wrong value refused by name?
#include "posenc/core/field.hpp"

#include "cpp/support.hpp"

using namespace posenc;
using namespace posenc::test;

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The spec must be refused for this field, in the words "kind.field: … what …".
void check_refused(const std::string& kind, std::string_view field, const SpecInput& input,
                   std::string_view what = "") {
  auto made = create(kind, input);
  CAPTURE(kind, field, what);
  REQUIRE_FALSE(made);
  CAPTURE(made.error().message());
  CHECK(made.error().code() == Code::invalid_spec);
  CHECK(made.error().field() == field);
  CHECK(made.error().message().starts_with(join({kind, ".", field, ": "})));
  CHECK(contains(made.error().message(), what));
}

bool takes_numbers(const SampleField& it) {
  return it.type == Slot::Type::integer || it.type == Slot::Type::number || it.type == Slot::Type::optional_number ||
         it.type == Slot::Type::numbers;
}

Value of_number(const SampleField& it, double value) {
  return it.type == Slot::Type::numbers ? numbers({value}) : number(value);
}

template <class Check>
void for_each_field(Check check) {
  for (const Sample& sample : samples())
    for (const SampleField& it : sample.fields) check(sample, it);
}

}  // namespace

TEST_CASE("the required fields alone make an encoding, of the family that is told", "[field]") {
  CHECK(samples().size() == std::tuple_size_v<Encodings>);
  for (const Sample& sample : samples()) {
    auto made = create(sample.kind, sample.required);
    INFO(made.error().message());
    REQUIRE(made);
    CHECK((*made)->family == sample.family);
  }
}

TEST_CASE("a required field must be given", "[field]") {
  for (const Sample& sample : samples())
    for (std::size_t i = 0; i < sample.required.size(); ++i) {
      SpecInput input = sample.required;
      const std::string_view name = input[i].first;
      // Given so that all of them stand on one axis.
      if (name == "axes") continue;
      input.erase(input.begin() + std::ptrdiff_t(i));
      check_refused(sample.kind, name, input, "is required");
    }
}

TEST_CASE("values of a wrong type are refused", "[field]") {
  Value other, null;
  other.type = Value::Type::other;
  other.text = "an object";
  for_each_field([&](const Sample& sample, const SampleField& it) {
    const std::string_view name = it.field.name;
    const bool list = it.type == Slot::Type::numbers, choice = it.type == Slot::Type::choice;
    check_refused(sample.kind, name, sample.with(name, other), "got an object");
    check_refused(sample.kind, name, sample.with(name, text("eight")), "got \"eight\"");
    if (it.type != Slot::Type::optional_number && (!list || it.field.required))
      check_refused(sample.kind, name, sample.with(name, null), "got null");
    if (it.type != Slot::Type::boolean) check_refused(sample.kind, name, sample.with(name, boolean(true)), "got true");
    if (!list) check_refused(sample.kind, name, sample.with(name, numbers({1, 2})), "got a list of 2 numbers");
    if (list || choice || it.type == Slot::Type::boolean)
      check_refused(sample.kind, name, sample.with(name, number(1)), "got 1");
    if (choice) check_refused(sample.kind, name, sample.with(name, text("eight")), it.choices[0]);
  });
}

TEST_CASE("numbers that are not finite are refused", "[field]") {
  for_each_field([](const Sample& sample, const SampleField& it) {
    if (!takes_numbers(it)) return;
    for (const double value : {std::nan(""), kInfinity, -kInfinity})
      check_refused(sample.kind, it.field.name, sample.with(it.field.name, of_number(it, value)),
                    "must be finite, got " + format_number(value));
  });
}

TEST_CASE("numbers beyond a range are refused, its ends are within", "[field]") {
  for_each_field([](const Sample& sample, const SampleField& it) {
    if (!takes_numbers(it)) return;
    const Field& field = it.field;
    CAPTURE(sample.kind, field.name);
    CHECK(field.min <= field.max);
    const bool whole = it.type == Slot::Type::integer;
    const Sample others_small = small(sample);
    const double below = whole ? field.min - 1 : std::nextafter(field.min, -kInfinity);
    const double above = whole ? field.max + 1 : std::nextafter(field.max, kInfinity);
    if (field.min > -kInfinity)
      check_refused(sample.kind, field.name, sample.with(field.name, of_number(it, below)),
                    "must be ≥ " + format_number(field.min));
    if (field.max < kInfinity)
      check_refused(sample.kind, field.name, sample.with(field.name, of_number(it, above)),
                    "must be ≤ " + format_number(field.max));
    for (const double end : {field.min, field.max}) {
#if POSENC_SANITIZED
      if (whole && end > 1000) continue;  // millions of numbers, slowly: other builds make them
#endif
      auto made = create(sample.kind, others_small.with(field.name, of_number(it, end)));
      // Rules across fields may refuse an end (an odd dim, heads below activeHeads), the range may not.
      CHECK_FALSE(contains(made.error().message(), join({"must be ≥ ", format_number(field.min), ", got"})));
      CHECK_FALSE(contains(made.error().message(), join({"must be ≤ ", format_number(field.max), ", got"})));
    }
    if (whole)
      check_refused(sample.kind, field.name, sample.with(field.name, number(field.min + 0.5)), "a whole number");
  });
}

TEST_CASE("every choice can be chosen, null stands for an optional number", "[field]") {
  for_each_field([](const Sample& sample, const SampleField& it) {
    for (const std::string_view choice : it.choices)
      CHECK(create(sample.kind, sample.with(it.field.name, text(choice))));
    const bool list = it.type == Slot::Type::numbers && !it.field.required;
    if (it.type == Slot::Type::optional_number || list) CHECK(create(sample.kind, sample.with(it.field.name, Value{})));
    if (it.type == Slot::Type::boolean) CHECK(create(sample.kind, sample.with(it.field.name, boolean(false))));
  });
}

TEST_CASE("an unknown field or kind is refused, with what is known", "[field]") {
  for (const Sample& sample : samples()) {
    check_refused(sample.kind, "dimension", sample.with("dimension", number(4)), "unknown field");
    for (const SampleField& it : sample.fields)
      check_refused(sample.kind, "dimension", sample.with("dimension", number(4)), it.field.name);
    auto made = create(sample.kind + "s", sample.required);
    REQUIRE_FALSE(made);
    CHECK(made.error().code() == Code::invalid_spec);
    CHECK(made.error().field() == "kind");
    CHECK(contains(made.error().message(), sample.kind));
  }
}

TEST_CASE("a field given twice is refused by its name", "[field]") {
  check_refused("rope", "dim", {{"dim", number(8)}, {"dim", number(8)}}, "given twice");
  check_refused("rope", "base", {{"dim", number(8)}, {"base", number(100)}, {"base", number(100)}}, "given twice");
}

TEST_CASE("rules across fields name the field at fault", "[field]") {
  const auto refused = [](const std::string& kind, std::string_view field, const SpecInput& more) {
    const auto sample =
        std::find_if(samples().begin(), samples().end(), [&](const Sample& it) { return it.kind == kind; });
    SpecInput input = sample->with(more[0].first, more[0].second);
    if (more.size() > 1) input.push_back(more[1]);
    check_refused(kind, field, input);
  };
  for (const Sample& sample : samples_of(FamilyName::rotary)) {
    refused(sample.kind, "dim", {{"dim", number(7)}});
    refused(sample.kind, "rotaryDim", {{"rotaryDim", number(5)}});
    refused(sample.kind, "rotaryDim", {{"rotaryDim", number(66)}});
  }
  for (const std::string kind : {"rope-ntk", "rope-dynamic", "rope-qwen", "rope-ntk-by-parts"})
    refused(kind, "dim", {{"dim", number(2)}});
  for (const std::string kind : {"rope-yarn", "rope-ntk-by-parts"}) refused(kind, "base", {{"base", number(1)}});
  refused("rope-yarn", "betaFast", {{"betaFast", number(0.5)}});
  refused("rope-llama3", "highFrequencyFactor", {{"highFrequencyFactor", number(0.5)}});
  refused("rope-longrope", "shortFactor", {{"shortFactor", numbers({1, 2, 3})}});
  refused("rope-longrope", "longFactor", {{"longFactor", numbers({})}});
  for (const std::string kind : {"rope", "rope-yarn", "rope-mrope"}) {
    refused(kind, "sections", {{"sections", numbers({10, 10, 10})}});
    refused(kind, "sections", {{"sections", numbers({16, 8.5, 7.5})}});
    refused(kind, "sections", {{"sections", numbers({8, 8, 8, 4, 4})}});
    refused(kind, "sections", {{"sections", numbers({0, 16, 16})}, {"interleavedSections", boolean(true)}});
    refused(kind, "rotaryStart", {{"rotaryStart", number(1)}});
    refused(kind, "frequencyFactors", {{"frequencyFactors", numbers({1, 2})}});
  }
  refused("rope-mrope", "sections", {{"sections", numbers({})}});
  refused("rope", "interleavedSections", {{"interleavedSections", boolean(true)}});
  refused("rope", "axisOfPair", {{"axisOfPair", numbers({0, 1})}});
  refused("rope", "axisOfPair", {{"axisOfPair", numbers({0.5})}});
  refused("rope", "axisOfPair", {{"sections", numbers({32})}, {"axisOfPair", numbers({1})}});
  refused("rope", "frequencies", {{"frequencies", numbers({1, 2})}});
  refused("rope-axial", "rotaryDim", {{"rotaryDim", number(62)}});
  refused("rope-axial", "dim", {{"axes", number(3)}});
  refused("rope-axial", "axisDims", {{"axisDims", numbers({16, 16, 16})}});
  refused("rope-axial", "axisDims", {{"axisDims", numbers({15, 17})}});
  refused("rope-axial", "axisDims", {{"axisDims", numbers({48, 32})}});
  refused("rope-axial", "axisDims", {{"axisDims", numbers({8, 8})}, {"rotaryDim", number(20)}});
  refused("rope-axial", "axisOrder", {{"axisOrder", numbers({1})}});
  refused("rope-axial", "axisOrder", {{"axisOrder", numbers({1, 1})}});
  refused("alibi", "activeHeads", {{"activeHeads", number(9)}});
}

// The last value that a rule lets through, and the first that it refuses.
TEST_CASE("rules across fields end where they say", "[field]") {
  const auto at_the_end = [](const std::string& kind, const SpecInput& right, const SpecInput& wrong) {
    const auto made = create(kind, right);
    CAPTURE(kind, made.error().message());
    CHECK(made);
    check_refused(kind, wrong.back().first, wrong);
  };
  const auto all = [](SpecInput spec, std::string_view name, double value) {
    spec.emplace_back(name, number(value));
    return spec;
  };
  const SpecInput dim{{"dim", number(8)}}, heads{{"heads", number(4)}}, both{{"dim", number(8)}, {"heads", number(4)}};
  const SpecInput table{{"dim", number(8)}, {"length", number(5)}};
  at_the_end("learned", all(table, "start", 4), all(table, "start", 5));
  at_the_end("sinusoidal-3d", all(dim, "temporalDim", 4), all(dim, "temporalDim", 3));
  at_the_end("sinusoidal-3d", all(dim, "temporalDim", 8), all(dim, "temporalDim", 10));
  at_the_end("alibi", all(heads, "activeHeads", 4), all(heads, "activeHeads", 5));
  at_the_end("sandwich", all(heads, "dim", 10), all(heads, "dim", 9));
  // Both sides share the buckets, half of each are single distances.
  at_the_end("t5", all(heads, "buckets", 4), all(heads, "buckets", 3));
  const SpecInput buckets = all(heads, "buckets", 32);
  at_the_end("t5", all(buckets, "maxDistance", 9), all(buckets, "maxDistance", 8));
  const SpecInput distances = all(both, "maxDistance", 8);
  at_the_end("deberta", all(distances, "buckets", 4), all(distances, "buckets", 2));
  at_the_end("deberta", all(distances, "buckets", 10), all(distances, "buckets", 9));
  at_the_end("deberta", all(distances, "buckets", 12), all(distances, "buckets", 14));
  at_the_end("pope", all(both, "rotaryDim", 8), all(both, "rotaryDim", 10));
  at_the_end("transformer-xl", all(both, "modelDim", 6), all(both, "modelDim", 7));
  at_the_end("rope-llama3",
             {{"dim", number(8)},
              {"factor", number(2)},
              {"originalLength", number(64)},
              {"lowFrequencyFactor", number(3)},
              {"highFrequencyFactor", number(3)}},
             {{"dim", number(8)},
              {"factor", number(2)},
              {"originalLength", number(64)},
              {"lowFrequencyFactor", number(3)},
              {"highFrequencyFactor", number(2.5)}});
}

TEST_CASE("typed specs are checked like outside values", "[field]") {
  const auto field_at_fault = [](auto spec) { return make(spec).error().field(); };
  CHECK(field_at_fault(Rope{.common = {.dim = 8}}).empty());
  CHECK(field_at_fault(Rope{.common = {.dim = 0}}) == "dim");
  CHECK(field_at_fault(Rope{.common = {.dim = 7}}) == "dim");
  CHECK(field_at_fault(Rope{.common = {.base = std::nan("")}}) == "base");
  CHECK(field_at_fault(Sinusoidal{.frequency_shift = 2}) == "frequencyShift");
  CHECK(field_at_fault(Alibi{.heads = 4, .active_heads = 5}) == "activeHeads");
  RopeLongrope longrope;
  longrope.short_factor = {1};
  longrope.long_factor = {0};
  longrope.original_length = 4;
  CHECK(field_at_fault(longrope) == "longFactor");
  RopeYarn yarn;
  yarn.given_attention_factor = 2;
  CHECK(field_at_fault(yarn).empty());
  for (const double wrong : {-1.0, kInfinity, std::nan("")}) {
    yarn.given_attention_factor = wrong;
    CHECK(field_at_fault(yarn) == "attentionFactor");
  }
}
