// The arguments of a call, derived from its signature. C++ reads them accordingly, and describe_calls() lists them.
// JavaScript rejects WebAssembly with a different digest of all calls.
#pragma once

#include <algorithm>
#include <functional>

#include "fields.hpp"

namespace posenc::bindings {

/// Receives the description of all calls: computes the digest, or lists the calls for TypeScript.
class SchemaVisitor {
 public:
  constexpr virtual void begin(std::string_view operation) = 0;
  constexpr virtual void argument(std::string_view name, std::string_view type) = 0;
  /// For each enum and each field of a composite type, at every occurrence.
  constexpr virtual void choices(std::string_view type, std::span<const std::string_view> names) = 0;
  constexpr virtual void field(std::string_view type, std::string_view name, std::string_view member_type) = 0;

 protected:
  constexpr ~SchemaVisitor() = default;
};

template <class T>
constexpr void visit_type(SchemaVisitor& visitor) {
  if constexpr (requires { Wire<T>::names; }) {
    visitor.choices(Wire<T>::type, Wire<T>::names);
  } else if constexpr (Composite<T>) {
    T value{};
    Wire<T>::fields(value, [&](std::string_view name, auto& member) {
      using Member = std::remove_reference_t<decltype(member)>;
      visit_type<Member>(visitor);
      visitor.field(Wire<T>::type, name, Wire<Member>::type);
    });
  }
}

/// Whether an argument is not passed but stored with the call's first encoding.
template <class T>
constexpr bool is_held = std::is_same_v<T, Workspace> || std::is_same_v<T, Training> || std::is_same_v<T, Training*>;

/// An argument of the call: encodings are passed by reference, everything else by value.
template <class T>
decltype(auto) argument(Frame& frame) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (std::is_same_v<Value, Workspace>)
    return (frame.first().workspace);
  else if constexpr (std::is_same_v<Value, Training>)
    return (frame.first().training);
  else if constexpr (std::is_same_v<Value, Training*>)
    return &frame.first().training;
  else if constexpr (std::is_same_v<Value, Learned>)
    return *frame.held()->encoding;
  else if constexpr (std::is_base_of_v<Learned, Value>)
    return static_cast<Value&>(*frame.held()->encoding);
  else
    return read<Value>(frame);
}

template <class T>
constexpr void describe_argument(SchemaVisitor& visitor, std::string_view& names) {
  using Value = std::remove_cvref_t<T>;
  if constexpr (is_held<Value>) return;
  const std::string_view name = names.substr(0, names.find(' '));
  names.remove_prefix(std::min(name.size() + 1, names.size()));
  if constexpr (std::is_base_of_v<Learned, Value>) return visitor.argument(name, "Handle");
  visit_type<Value>(visitor);
  visitor.argument(name, Wire<Value>::type);
}

/// The arguments of a function or member function; the object of a member function is the first argument.
template <class... Arguments>
struct Signature {
  template <auto call>
  static Error run(Frame& frame) {
    struct Call {
      Error error;
      explicit Call(decltype(argument<Arguments>(frame))&&... arguments)
          : error(std::invoke(call, std::forward<decltype(arguments)>(arguments)...)) {}
    };
    // Braces: one argument after the other.
    return std::move(Call{argument<Arguments>(frame)...}.error);
  }
  static constexpr void describe(SchemaVisitor& visitor, std::string_view names) {
    (describe_argument<Arguments>(visitor, names), ...);
  }
  /// Number of arguments with names.
  static constexpr int named = (0 + ... + !is_held<std::remove_cvref_t<Arguments>>);
};

template <class... Arguments>
Signature<Arguments...> signature_of(Error (*)(Arguments...));
template <class Object, class... Arguments>
Signature<Object&, Arguments...> signature_of(Error (Object::*)(Arguments...));
template <class Object, class... Arguments>
Signature<const Object&, Arguments...> signature_of(Error (Object::*)(Arguments...) const);

/// Parts of the download: all but the base are loaded when asked for.
enum class Part { base, attention, relative, training, cache, resize };
constexpr std::array<std::string_view, 6> kPartNames{"base", "attention", "relative", "training", "cache", "resize"};

/// A call that JavaScript makes by number. `names` are the names of the arguments, separated by spaces.
struct Operation {
  Part part;
  std::string_view name, names;
  Error (*run)(Frame& frame);
  void (*describe)(SchemaVisitor& visitor, std::string_view names);
};

/// Not constexpr: calling it stops the compiler.
inline void arguments_and_names_differ_in_number() {}

template <auto call>
consteval Operation operation(Part part, std::string_view name, std::string_view names) {
  using Call = decltype(signature_of(call));
  const auto words = names.empty() ? 0 : 1 + std::ranges::count(names, ' ');
  if (words != Call::named) arguments_and_names_differ_in_number();
  return {part, name, names, &Call::template run<call>, &Call::describe};
}

constexpr void visit(std::span<const Operation> operations, SchemaVisitor& visitor) {
  for (const Operation& operation : operations) {
    visitor.begin(operation.name);
    operation.describe(visitor, operation.names);
  }
}

/// FNV-1a of everything that a visitor receives.
constexpr std::uint32_t digest(std::span<const Operation> operations) {
  struct Digest final : SchemaVisitor {
    std::uint32_t state = 2166136261u;
    constexpr void add(std::string_view text) {
      for (const char letter : text) state = (state ^ std::uint8_t(letter)) * 16777619u;
      state *= 16777619u;
    }
    constexpr void begin(std::string_view operation) override { add(operation); }
    constexpr void argument(std::string_view name, std::string_view type) override {
      add(name);
      add(type);
    }
    constexpr void choices(std::string_view type, std::span<const std::string_view> names) override {
      add(type);
      for (const auto name : names) add(name);
    }
    constexpr void field(std::string_view type, std::string_view name, std::string_view member_type) override {
      add(type);
      add(name);
      add(member_type);
    }
  } digest;
  visit(operations, digest);
  return digest.state;
}

std::span<const Operation> operations();
Error run_operation(int index, Frame& frame);
/// Digest of all calls, their arguments and composite types. Builds with different digests are incompatible.
std::uint32_t schema_digest();
/// The schema of all calls as JSON.
std::string describe_calls();

}  // namespace posenc::bindings
