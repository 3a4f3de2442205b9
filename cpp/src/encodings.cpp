#include "posenc/encodings.hpp"

namespace posenc {

namespace {

// What create() needs from a method, without the type of its spec, so that create() is compiled only once.
struct AnyMethod {
  const Method& method;
  /// Constructs the default spec at `spec` and lists its fields.
  void (*begin)(void* spec, Slots& slots);
  Error (*validate)(const void* spec);
  Encoding (*make)(const void* spec);
  void (*end)(void* spec);
};

template <class Spec>
constexpr AnyMethod any_method{
    Spec::method,
    [](void* spec, Slots& slots) { (new (spec) Spec)->visit(slots); },
    [](const void* spec) { return static_cast<const Spec*>(spec)->validate(); },
    [](const void* spec) -> Encoding { return make_family(*static_cast<const Spec*>(spec)); },
    [](void* spec) { static_cast<Spec*>(spec)->~Spec(); },
};

template <class List>
struct Methods;
template <class... Spec>
struct Methods<std::tuple<Spec...>> {
  static constexpr std::array list{any_method<Spec>...};
  /// Storage for a spec of any kind.
  union Storage {
    std::byte bytes[std::max({sizeof(Spec)...})];
    std::max_align_t alignment;
  };
};
using AllMethods = Methods<Encodings>;

// Upper bound in bytes for an encoding without its parameters, from its dim and the lists of its spec.
double bytes_of(const SpecInput& input) {
  constexpr double kBytesOfFeature = 256, kBytesOfNumber = 64;
  double bytes = 0;
  for (const auto& [name, value] : input) {
    if (value.type == Value::Type::number && name == "dim") bytes += kBytesOfFeature * value.number;
    bytes += kBytesOfNumber * double(value.numbers.size());
  }
  return bytes;
}

Result<Encoding> create(const AnyMethod& any, const SpecInput& input, Initialization initialization) {
  AllMethods::Storage spec;
  Slots slots;
  any.begin(&spec, slots);
  Error error = slots.read(any.method.kind, input);
  if (!error) error = any.validate(&spec);
  Encoding made;
  if (!error && !can_have(bytes_of(input)))
    error = error_at(Code::out_of_memory, "dim", "out of memory: cannot get % bytes", bytes_of(input));
  if (!error) {
    made = any.make(&spec);
    error = allocate(made->parameters, initialization);
  }
  any.end(&spec);
  if (error) return error;
  return made;
}

}  // namespace

Result<Encoding> create(std::string_view kind, const SpecInput& input, Initialization initialization) noexcept {
  for (const AnyMethod& any : AllMethods::list)
    if (any.method.kind == kind) return create(any, input, initialization);
  std::string known;
  for (const AnyMethod& any : AllMethods::list) known = join({known, known.empty() ? "" : ", ", any.method.kind});
  return error_at(Code::invalid_spec, "kind", "unknown kind %; known are %", quote(kind), known);
}

}  // namespace posenc
