#include "random_spec.hpp"

namespace posenc::test {

namespace {

double whole(Random& random, double low, double high) { return low + random.below(int(high - low) + 1); }

double between(Random& random, double low, double high) { return low + (high - low) * double(random.uniform(0, 1)); }

const Value* find(const SpecInput& spec, std::string_view name) {
  for (const auto& [field, value] : spec)
    if (field == name) return &value;
  return nullptr;
}

double number_of(const SpecInput& spec, std::string_view name, double otherwise) {
  const Value* value = find(spec, name);
  return value && value->number > 0 ? value->number : otherwise;
}

std::size_t pairs_of(const SpecInput& spec) {
  return std::size_t(number_of(spec, "rotaryDim", number_of(spec, "dim", 64)) / 2);
}

// `count` whole numbers >= 0 that sum to `total`.
std::vector<double> parts(Random& random, double total, int count) {
  std::vector<double> out;
  for (int i = 1; i < count; ++i) {
    out.push_back(whole(random, 0, total));
    total -= out.back();
  }
  out.push_back(total);
  return out;
}

// Lists whose length or sum other fields decide.
std::vector<double> list(Random& random, std::string_view name, const SpecInput& spec) {
  const std::size_t pairs = pairs_of(spec);
  if (name == "sections") return parts(random, double(pairs), 3);
  if (name == "axisDims") {
    auto dims = parts(random, double(pairs), int(number_of(spec, "axes", 2)));
    for (double& dim : dims) dim *= 2;
    return dims;
  }
  if (name == "axisOrder") return {1, 0};
  if (name == "modelGrid") return {7};
  std::vector<double> out(pairs);
  for (double& value : out) value = name == "axisOfPair" ? whole(random, 0, 2) : between(random, 0.5, 8);
  return out;
}

// Sizes stay small: what matters are their combinations.
double whole_number(Random& random, const Field& field) {
  const double low = std::max(field.min, -20.0);
  if (field.name == "seed") return random.below(1 << 24);
  if (field.name == "dim")
    return random.chance(0.85) ? 2 * whole(random, 2, 16) : whole(random, std::max(1.0, low), 33);
  if (field.name == "rotaryDim") return random.chance(0.5) ? 0 : 2 * whole(random, 1, 16);
  // Projections grow by the square of a model's width.
  if (field.name == "heads") return whole(random, low, 5);
  if (field.name == "rotaryStart" || field.name == "paddingIndex") return whole(random, low, 6);
  return whole(random, low, std::min(field.max, low + 11));
}

double real_number(Random& random, const Field& field) {
  // Magnitudes of xPos would overflow far from its centre.
  if (field.name == "scaleBase") return between(random, 200, 2000);
  if (field.name == "centre") return between(random, -50, 150);
  if (random.chance(0.1) && field.min > -1e6) return field.min;
  if (field.min < 0) return between(random, std::max(field.min, -50.0), std::min(field.max, 50.0));
  const double low = std::log10(std::max(field.min, 0.05)), high = std::log10(std::min(field.max, 2e5));
  return std::pow(10.0, between(random, low, high));
}

Value value_of(Random& random, const SampleField& it, const SpecInput& spec) {
  switch (it.type) {
    case Slot::Type::integer:
      return number(whole_number(random, it.field));
    case Slot::Type::boolean:
      return boolean(random.chance(0.5));
    case Slot::Type::choice:
      return text(it.choices[std::size_t(random.below(int(it.choices.size())))]);
    case Slot::Type::numbers:
      return numbers(list(random, it.field.name, spec));
    default:
      return number(real_number(random, it.field));
  }
}

SpecInput any_spec(Random& random, const Sample& sample) {
  SpecInput spec;
  const bool in_text = sample.family == FamilyName::relative;
  for (const SampleField& it : sample.fields)
    if (in_text && it.field.name == "axes")
      spec.emplace_back("axes", number(1));
    else if (it.field.required || random.chance(0.4))
      spec.emplace_back(it.field.name, value_of(random, it, spec));
  return spec;
}

}  // namespace

std::string text_of(const SpecInput& spec) {
  std::string out;
  for (const auto& [name, value] : spec) {
    out += join({name, " "});
    if (value.type == Value::Type::numbers)
      for (double item : value.numbers) out += format_number(item) + " ";
    else
      out += value.type == Value::Type::text ? value.text : format_number(value.number);
    out += ", ";
  }
  return out;
}

std::vector<SpecInput> random_specs(const Sample& sample, int count, std::uint32_t seed) {
  Random random(seed);
  std::vector<SpecInput> found;
  for (int tries = 0; int(found.size()) < count; ++tries) {
    INFO(sample.kind << ": " << found.size() << " valid specs in " << tries << " tries");
    REQUIRE(tries < 40 * count);
    SpecInput spec = any_spec(random, sample);
    const auto made = create(sample.kind, spec);
    if (made) {
      found.push_back(std::move(spec));
      continue;
    }
    INFO(text_of(spec) << made.error().message());
    REQUIRE(made.error().code() == Code::invalid_spec);
    REQUIRE(sample.has(made.error().field()));
  }
  return found;
}

}  // namespace posenc::test
