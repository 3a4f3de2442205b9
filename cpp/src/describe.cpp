// describe(): the fields and methods of all kinds as JSON. WebAssembly builds exclude this file.
#include "posenc/encodings.hpp"

namespace posenc {

namespace {

std::string default_of(const Slot& slot) {
  switch (slot.type) {
    case Slot::Type::integer:
      return format_number(*static_cast<const int*>(slot.value));
    case Slot::Type::number:
      return format_number(*static_cast<const double*>(slot.value));
    case Slot::Type::boolean:
      return *static_cast<const bool*>(slot.value) ? "true" : "false";
    case Slot::Type::choice:
      return quote(slot.choices[std::size_t(*static_cast<const int*>(slot.value))]);
    default:
      return "null";
  }
}

std::string describe_slot(const Slot& slot) {
  constexpr std::array<std::string_view, 6> kTypes{"integer", "number", "number", "boolean", "numbers", "choice"};
  const auto limit = [](double bound) { return std::isinf(bound) ? std::string("null") : format_number(bound); };
  const Field& field = *slot.field;
  const std::string value = default_of(slot);
  std::string example = value;
  if (field.required) example = format_number(field.example);
  if (field.required && slot.type == Slot::Type::numbers)
    example = format_shape(field.examples.empty() ? std::span(&field.example, 1) : field.examples);
  std::string choices;
  for (const auto name : slot.choices) choices = join({choices, choices.empty() ? ",\"choices\":[" : ",", quote(name)});
  return join({"{\"name\":",     quote(field.name),
               ",\"type\":",     quote(kTypes[std::size_t(slot.type)]),
               ",\"required\":", field.required ? "true" : "false",
               ",\"default\":",  field.required ? "null" : value,
               ",\"example\":",  example,
               ",\"min\":",      limit(field.min),
               ",\"max\":",      limit(field.max),
               ",\"unit\":",     quote(field.unit),
               ",\"doc\":",      quote(field.doc),
               choices,          choices.empty() ? "}" : "]}"});
}

// In the order of FamilyName.
constexpr std::array<std::string_view, 4> kFamilies{"table", "rotary", "bias", "relative"};

template <class Spec>
std::vector<Parameter> parameters_of(const Spec& spec) {
  if constexpr (requires { spec.parameters(); }) return spec.parameters();
  return {};
}

std::string describe_calls(const Method& method) {
  std::string calls;
  for (const std::string_view call : method.calls)
    if (!call.empty()) calls = join({calls, calls.empty() ? "" : ",", quote(call)});
  return calls;
}

template <class Spec>
std::string describe_method() {
  Spec spec;
  const Method& method = Spec::method;
  Slots slots;
  spec.visit(slots);
  std::string parameters;
  for (const Parameter& parameter : parameters_of(spec))
    parameters = join({parameters, parameters.empty() ? "" : ",", "{\"name\":", quote(parameter.name),
                       ",\"axes\":", quote(parameter.axes), ",\"doc\":", quote(parameter.doc), "}"});
  return join({"{\"kind\":",
               quote(method.kind),
               ",\"family\":",
               quote(kFamilies[std::size_t(Spec::Family::name)]),
               ",\"title\":",
               quote(method.title),
               ",\"formula\":",
               quote(method.formula),
               ",\"source\":",
               quote(method.source),
               ",\"name\":",
               quote(method.name),
               ",\"shapes\":",
               quote(Spec::Family::shapes),
               ",\"fields\":[",
               slots.describe(),
               "],\"parameters\":[",
               parameters,
               "],\"calls\":[",
               describe_calls(method),
               "]}"});
}

template <class... Spec>
std::string describe_all(std::type_identity<std::tuple<Spec...>>) {
  std::string json;
  ((json = join({json, json.empty() ? "" : ",\n", describe_method<Spec>()})), ...);
  return json;
}

}  // namespace

std::string Slots::describe() const {
  std::string json;
  for (const Slot& slot : slots()) json = join({json, json.empty() ? "" : ",", describe_slot(slot)});
  return json;
}

SpecInput Slots::examples() const {
  SpecInput input;
  for (const Slot& slot : slots()) {
    const Field& field = *slot.field;
    if (!field.required) continue;
    const auto list = field.examples.empty() ? std::span(&field.example, 1) : field.examples;
    if (slot.type == Slot::Type::numbers)
      input.emplace_back(field.name, Value{.type = Value::Type::numbers, .text = {}, .numbers = list});
    else
      input.emplace_back(field.name,
                         Value{.type = Value::Type::number, .number = field.example, .text = {}, .numbers = {}});
  }
  return input;
}

std::string describe() noexcept { return join({"[", describe_all(std::type_identity<Encodings>{}), "]"}); }

}  // namespace posenc
