#include "posenc/encodings.hpp"

namespace posenc {

namespace {

template <class Spec>
Error create_as(const SpecInput& input, Encoding& encoding) {
  Spec spec;
  Slots slots;
  spec.visit(slots);
  if (Error error = slots.read(Spec::method.kind, input)) return error;
  if (Error error = spec.validate()) return error;
  encoding = make_family(spec);
  return {};
}

template <class Family>
std::string_view family_name() {
  if constexpr (std::is_same_v<Family, Table>) return "table";
  if constexpr (std::is_same_v<Family, Rotation>) return "rotary";
  return "bias";
}

std::string describe_method(const Method& method, std::string_view family, std::string_view fields) {
  return join({"{\"kind\":", quote(method.kind), ",\"family\":", quote(family), ",\"title\":", quote(method.title),
               ",\"formula\":", quote(method.formula), ",\"source\":", quote(method.source), ",\"fields\":[", fields, "]}"});
}

template <class Spec>
std::string describe_one() {
  Spec spec;
  Slots slots;
  spec.visit(slots);
  return describe_method(Spec::method, family_name<typename Spec::Family>(), slots.describe());
}

// Calls visit.template operator()<Spec>() for each spec of the list.
template <class Visit>
void for_each_encoding(Visit visit) {
  [&]<class... Spec>(std::type_identity<std::tuple<Spec...>>) {
    (visit.template operator()<Spec>(), ...);
  }(std::type_identity<Encodings>{});
}

}  // namespace

Result<Encoding> create(std::string_view kind, const SpecInput& input) {
  std::string known;
  Encoding encoding;
  Error error;
  bool found = false;
  for_each_encoding([&]<class Spec>() {
    known = join({known, known.empty() ? "" : ", ", Spec::method.kind});
    if (kind != Spec::method.kind) return;
    found = true;
    error = create_as<Spec>(input, encoding);
  });
  if (!found) return error_at(Code::invalid_spec, "kind", {"unknown kind ", quote(kind), "; known are ", known});
  if (error) return error;
  return Result<Encoding>(std::move(encoding));
}

std::string describe() {
  std::string json;
  for_each_encoding([&]<class Spec>() { json = join({json, json.empty() ? "[" : ",\n", describe_one<Spec>()}); });
  return json + "]";
}

}  // namespace posenc
