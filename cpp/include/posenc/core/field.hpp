// Reflection. A method lists each field of its spec once: name, range, unit, doc. Reading, range errors, describe(),
// the TypeScript types and the README's table are all derived from that list.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace posenc {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

enum class Code { none, invalid_spec, invalid_argument, shape_mismatch, out_of_range, out_of_memory, unsupported };

/// Clang passes and returns objects of such a class in a register, though it has a destructor.
#if defined(__clang__)
#define POSENC_IN_REGISTER [[clang::trivial_abi]]
#else
#define POSENC_IN_REGISTER
#endif

/// The error and the field or argument that caused it. Converts to false if there is no error: it is then a null
/// pointer, which calls return at no cost. Always inline: the compiler then drops what does nothing without an error,
/// which makes the download 2 KB smaller.
class [[nodiscard]] POSENC_IN_REGISTER Error {
 public:
  Error() = default;
  Error(Code code, std::string_view field, std::string message);
  Error(const Error& other) : known_(other.known_ ? new Known(*other.known_) : nullptr) {}
  [[gnu::always_inline]] Error(Error&& other) noexcept : known_(std::exchange(other.known_, nullptr)) {}
  Error& operator=(Error&& other) noexcept {
    std::swap(known_, other.known_);
    return *this;
  }
  [[gnu::always_inline]] ~Error() {
    if (known_) forget();
  }

  explicit operator bool() const { return known_ != nullptr; }
  /// Code::none and empty texts if there is no error.
  Code code() const { return known().code; }
  const std::string& field() const { return known().field; }
  const std::string& message() const { return known().message; }

 private:
  struct Known {
    Code code = Code::none;
    std::string field, message;
  };

  const Known& known() const;
  void forget();

  const Known* known_ = nullptr;
};

std::string_view code_name(Code code);

struct Shape;

/// The value of a `%` in a message: a number, a shape or text. It is formatted only if the message is requested.
union Part {
  double number;
  const Shape* shape;
  std::string_view text;

  Part(const Shape& value) : shape(&value) {}
  Part(std::string_view value) : text(value) {}
  Part(const char* value) : text(value) {}
  Part(const std::string& value) : text(value) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> Part(Number value) : number(double(value)) {}
};

/// The type letter of a `Part`: number, shape or text.
template <class T>
inline constexpr char kPartLetter = std::is_arithmetic_v<T>    ? 'n'
                                    : std::is_same_v<T, Shape> ? 's'
                                                               : 't';

/// A text with one `%` per part. The compiler checks the count.
template <class... Parts>
struct Pattern {
  consteval Pattern(const char* pattern) : text(pattern) {
    if (std::ranges::count(std::string_view(text), '%') != sizeof...(Parts)) there_are_not_as_many_parts();
  }
  const char* text;
  static constexpr char letters[]{kPartLetter<Parts>..., 0};

 private:
  static void there_are_not_as_many_parts();
};

std::string join(std::initializer_list<std::string_view> parts);
Error make_error(Code code, std::string_view field, const char* text, const char* letters, const Part* parts);
Error make_spec_error(std::string_view kind, std::string_view field, const char* text, const char* letters,
                      const Part* parts);

/// An error about `field`; the message is "field: " and the pattern with its parts filled in.
template <class... Parts>
Error error_at(Code code, std::string_view field, Pattern<std::type_identity_t<Parts>...> pattern,
               const Parts&... parts) {
  return make_error(code, field, pattern.text, pattern.letters, std::initializer_list<Part>{Part(parts)...}.begin());
}
/// An error about a field of a kind's spec. The message starts with "kind.field: ".
template <class... Parts>
Error spec_error(std::string_view kind, std::string_view field, Pattern<std::type_identity_t<Parts>...> pattern,
                 const Parts&... parts) {
  return make_spec_error(kind, field, pattern.text, pattern.letters,
                         std::initializer_list<Part>{Part(parts)...}.begin());
}

/// Formats a number with up to 15 significant digits, as "1e-6" outside the plain range. The text is the same in every
/// build.
std::string format_number(double value);
std::string format_shape(std::span<const double> dims);
std::string quote(std::string_view text);

/// A value, or an error if there is no value.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const Error& error() const { return error_; }
  Error& error() { return error_; }

 private:
  std::optional<T> value_;
  Error error_;
};

/// A value from outside (JSON, JavaScript) that has not been checked against a field yet. The caller keeps ownership of
/// text and lists.
struct Value {
  enum class Type { number, boolean, text, numbers, null, other };
  Type type = Type::null;
  double number = 0;
  std::string_view text;
  std::span<const double> numbers;
};
using SpecInput = std::vector<std::pair<std::string_view, Value>>;

// What people read, and no computation needs. WebAssembly builds go without (POSENC_PROSE=0): there describe() comes
// with the JavaScript, generated from a build that has it.
#if !defined(POSENC_PROSE) || POSENC_PROSE
using Prose = std::string_view;
using Example = double;
using Examples = std::span<const double>;
#else
struct Nothing {
  template <class... Any>
  constexpr Nothing(const Any&...) {}
};
using Prose = Nothing;
using Example = Nothing;
using Examples = Nothing;
#endif

/// A field without a default is `required`; `example` is then a typical value. Lists that are not required may be null,
/// which means empty.
struct Field {
  std::string_view name;
  Prose doc;
  double min = -kInfinity;
  double max = kInfinity;
  Prose unit = {};
  bool required = false;
  Example example = 0;
  /// The example of a list, if a single number is not enough.
  Examples examples = {};

  /// A copy of the field with one member changed, for a method with a different doc or range:
  /// `kFactorField.with(&Field::example, 8)`.
  template <class T>
  constexpr Field with(T Field::*member, const std::type_identity_t<T>& value) const {
    Field other = *this;
    other.*member = value;
    return other;
  }
};

/// Description of a method. `formula` is TeX.
struct Method {
  std::string_view kind;
  Prose title;
  Prose formula;
  Prose source;
  /// The name in lists, if it is shorter than the title.
  Prose name = {};
  /// Calls that only some kinds of the family support, by their JavaScript names. The first names the class.
  std::array<Prose, 3> calls = {};
};

/// Specialised for every enum that is a field: `static constexpr std::array names{…}` in the enum's order.
template <class Enum>
struct Choices;

/// A field of a spec object, with its descriptor and a pointer to its value.
struct Slot {
  enum class Type { integer, number, optional_number, boolean, numbers, choice };
  const Field* field = nullptr;
  Type type = Type::integer;
  void* value = nullptr;
  std::span<const std::string_view> choices;
};

/// The visitor of every spec. It collects the fields, so that specs need no code of their own for reading and
/// describing.
class Slots {
 public:
  // Out of line: hundreds of fields call these, and the download is the smaller for it.
  [[gnu::noinline]] void operator()(int& value, const Field& field);
  [[gnu::noinline]] void operator()(double& value, const Field& field);
  [[gnu::noinline]] void operator()(std::optional<double>& value, const Field& field);
  [[gnu::noinline]] void operator()(bool& value, const Field& field);
  [[gnu::noinline]] void operator()(std::vector<double>& value, const Field& field);
  template <class Enum>
  void operator()(Enum& value, const Field& field) {
    static_assert(sizeof(Enum) == sizeof(int), "choices are read as ints");
    add_choice(&value, field, Choices<Enum>::names.data(), int(Choices<Enum>::names.size()));
  }

  /// Fills the spec from outside values. Returns the first error; unknown fields are errors.
  Error read(std::string_view kind, const SpecInput& input) const;
  /// Checks that the values in the spec are within their ranges.
  Error check(std::string_view kind) const;
  /// The fields as JSON objects, with the current values as defaults.
  std::string describe() const;
  /// A typical value of each required field. Available only in builds with prose.
  SpecInput examples() const;

 private:
  [[gnu::noinline]] void add_choice(void* value, const Field& field, const std::string_view* names, int count);
  [[gnu::noinline]] void add(void* value, const Field& field, Slot::Type type);
  std::span<const Slot> slots() const { return {slots_.data(), count_}; }

  static constexpr std::size_t kMostFields = 32;
  std::array<Slot, kMostFields> slots_;
  std::size_t count_ = 0;
};

}  // namespace posenc
