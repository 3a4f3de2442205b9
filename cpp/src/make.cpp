// make(): typed specs, only for C++. The JavaScript bindings use create().
#include "posenc/encodings.hpp"

namespace posenc {

namespace {

template <class Spec>
Result<Encoding> make_typed(const void* given) {
  // Copies the spec, because `slots` points to fields that can be written.
  Spec spec = *static_cast<const Spec*>(given);
  Slots slots;
  spec.visit(slots);
  if (Error error = slots.check(Spec::method.kind)) return error;
  if (Error error = spec.validate()) return error;
  Encoding made = make_family(spec);
  if (Error error = allocate(made->parameters)) return error;
  return made;
}

template <class List>
struct Makers;
template <class... Spec>
struct Makers<std::tuple<Spec...>> {
  static constexpr std::array list{&make_typed<Spec>...};
};

}  // namespace

Result<Encoding> make_at(std::size_t index, const void* spec) noexcept { return Makers<Encodings>::list[index](spec); }

}  // namespace posenc
