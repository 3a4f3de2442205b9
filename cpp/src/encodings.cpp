#include "posenc/encodings.hpp"

namespace posenc {

namespace {

// What create() needs of a spec, without its type: it is compiled once, not for every method.
struct AnySpec {
  const Method& method;
  const Slots& slots;
  void* spec;
  Error (*validate)(const void* spec);
  void (*make)(const void* spec, Encoding& encoding);
};

using Visit = bool (*)(const AnySpec& spec, void* context);

void keep(Encoding& encoding, std::unique_ptr<Table> table) { encoding = std::move(table); }
void keep(Encoding& encoding, std::unique_ptr<Rotation> rotation) { encoding = std::move(rotation); }
void keep(Encoding& encoding, std::unique_ptr<Bias> bias) { encoding = std::move(bias); }
void keep(Encoding& encoding, std::unique_ptr<Relative> relative) { encoding = std::move(relative); }

template <class Spec>
bool visit_spec(Visit visit, void* context) {
  Spec spec;
  Slots slots;
  spec.visit(slots);
  return visit(
      {Spec::method, slots, &spec, [](const void* any) { return static_cast<const Spec*>(any)->validate(); },
       [](const void* any, Encoding& encoding) { keep(encoding, make_family(*static_cast<const Spec*>(any))); }},
      context);
}

// Visits the methods in their order until `visit` answers true.
template <class... Spec>
void for_each_spec(std::type_identity<std::tuple<Spec...>>, Visit visit, void* context) {
  (visit_spec<Spec>(visit, context) || ...);
}

struct Creation {
  std::string_view kind;
  const SpecInput& input;
  Encoding encoding;
  Error error;
  std::string known;
};

bool create_if_named(const AnySpec& spec, void* context) {
  Creation& creation = *static_cast<Creation*>(context);
  creation.known = join({creation.known, creation.known.empty() ? "" : ", ", spec.method.kind});
  if (creation.kind != spec.method.kind) return false;
  creation.error = spec.slots.read(spec.method.kind, creation.input);
  if (!creation.error) creation.error = spec.validate(spec.spec);
  if (creation.error) return true;
  spec.make(spec.spec, creation.encoding);
  creation.error = allocate(learned(creation.encoding).parameters);
  return true;
}

}  // namespace

Learned& learned(Encoding& encoding) {
  return *std::visit([](auto& made) -> Learned* { return made.get(); }, encoding);
}

Result<Encoding> create(std::string_view kind, const SpecInput& input) {
  Creation creation{kind, input, {}, {}, {}};
  for_each_spec(std::type_identity<Encodings>{}, create_if_named, &creation);
  if (creation.error) return creation.error;
  if (std::visit([](const auto& made) { return bool(made); }, creation.encoding))
    return Result<Encoding>(std::move(creation.encoding));
  return error_at(Code::invalid_spec, "kind", {"unknown kind ", quote(kind), "; known are ", creation.known});
}

}  // namespace posenc
