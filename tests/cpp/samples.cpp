#include "samples.hpp"

#include <list>

namespace posenc::test {

Value number(double value) {
  Value out;
  out.type = Value::Type::number;
  out.number = value;
  return out;
}

Value text(std::string_view value) {
  Value out;
  out.type = Value::Type::text;
  out.text = value;
  return out;
}

Value boolean(bool value) {
  Value out;
  out.type = Value::Type::boolean;
  out.number = value;
  return out;
}

Value numbers(std::vector<double> values) {
  static std::list<std::vector<double>> lists;
  Value out;
  out.type = Value::Type::numbers;
  out.numbers = lists.emplace_back(std::move(values));
  return out;
}

bool Sample::has(std::string_view name) const {
  return std::any_of(fields.begin(), fields.end(), [&](const SampleField& it) { return it.field.name == name; });
}

SpecInput Sample::with(std::string_view name, const Value& value) const {
  SpecInput input = required;
  const auto found = std::find_if(input.begin(), input.end(), [&](const auto& entry) { return entry.first == name; });
  if (found == input.end())
    input.emplace_back(name, value);
  else
    found->second = value;
  return input;
}

namespace {

// Takes a spec's fields down, as Slots does.
struct Collector {
  Sample& sample;

  void operator()(int&, const Field& field) { add(field, Slot::Type::integer); }
  void operator()(double&, const Field& field) { add(field, Slot::Type::number); }
  void operator()(std::optional<double>&, const Field& field) { add(field, Slot::Type::optional_number); }
  void operator()(bool&, const Field& field) { add(field, Slot::Type::boolean); }
  void operator()(std::vector<double>&, const Field& field) { add(field, Slot::Type::numbers); }
  template <class Enum>
  void operator()(Enum&, const Field& field) {
    add(field, Slot::Type::choice, Choices<Enum>::names);
  }

  void add(const Field& field, Slot::Type type, std::span<const std::string_view> choices = {}) {
    sample.fields.push_back({field, type, choices});
    if (!field.required) return;
    const bool list = type == Slot::Type::numbers;
    std::vector<double> examples(field.examples.begin(), field.examples.end());
    if (examples.empty()) examples = {field.example};
    sample.required.emplace_back(field.name, list ? numbers(examples) : number(field.example));
  }
};

template <class Spec>
Sample sample_of() {
  Sample sample;
  sample.kind = Spec::method.kind;
  sample.family = Spec::Family::name;
  Spec spec;
  Collector collector{sample};
  spec.visit(collector);
  // In a text, as all others stand.
  if (sample.family == FamilyName::relative && sample.has("axes")) sample.required.emplace_back("axes", number(1));
  return sample;
}

template <class... Spec>
std::vector<Sample> all_samples(std::type_identity<std::tuple<Spec...>>) {
  return {sample_of<Spec>()...};
}

}  // namespace

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all = all_samples(std::type_identity<Encodings>{});
  return all;
}

std::vector<Sample> samples_of(FamilyName family) {
  std::vector<Sample> out;
  for (const Sample& sample : samples())
    if (sample.family == family) out.push_back(sample);
  return out;
}

Sample small(Sample sample) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kSizes{
      {{"dim", 8}, {"length", 8}, {"heads", 2}, {"originalLength", 16}}};
  for (auto& [name, value] : sample.required) {
    for (const auto& [size, count] : kSizes)
      if (name == size) value = number(count);
    // Of a width of 8.
    if (name == "sections") value = numbers({2, 1, 1});
  }
  if (sample.kind == "deberta") sample.required.emplace_back("maxDistance", number(8));
  // Fewer corners in the way of small steps.
  if (sample.kind == "swin-v2") sample.required.emplace_back("width", number(12));
  return sample;
}

}  // namespace posenc::test
