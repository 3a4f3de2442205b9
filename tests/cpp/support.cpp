#include "support.hpp"

#include <bit>
#include <list>

namespace posenc::test {

std::uint32_t Random::next() { return state_ = state_ * 1664525u + 1013904223u; }

float Random::uniform(float low, float high) { return low + (high - low) * float(next() >> 8) * 0x1p-24f; }

std::vector<float> random_floats(std::size_t count, std::uint32_t seed) {
  Random random(seed);
  std::vector<float> out(count);
  for (float& value : out) value = random.uniform();
  return out;
}

View view_of(std::vector<float>& data, const Shape& shape) { return {data.data(), double(data.size()), shape}; }

bool is_nearest(float got, long double truth) {
  const float nearest = float(truth);
  if (!(std::abs(static_cast<long double>(got) - truth) > 1e-15L)) return true;
  return got >= std::nextafter(nearest, -2e30f) && got <= std::nextafter(nearest, 2e30f);
}

namespace {

template <class Number>
double difference(const std::vector<float>& a, const std::vector<Number>& b) {
  double largest = a.size() == b.size() ? 0 : kInfinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double distance = std::abs(double(a[i]) - double(b[i]));
    if (!(distance <= largest)) largest = std::isfinite(distance) ? distance : kInfinity;
  }
  return largest;
}

}  // namespace

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) { return difference(a, b); }
double largest_difference(const std::vector<float>& a, const std::vector<double>& b) { return difference(a, b); }

double largest_relative_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = a.size() == b.size() ? 0 : kInfinity;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double distance = a[i] == b[i] ? 0 : std::abs((a[i] - b[i]) / b[i]);
    if (!(distance <= largest)) largest = std::isfinite(distance) ? distance : kInfinity;
  }
  return largest;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](float x, float y) {
    return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
  });
}

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

}  // namespace posenc::test
