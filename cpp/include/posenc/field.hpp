// Reflection: a method names each field of its spec once (name, range, unit, doc); reading, range errors, describe(),
// the TypeScript types and the README's table all come from that.
#pragma once

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

/// What went wrong, and which field or argument is at fault. Falsy when nothing did.
/// Made, moved and ended out of line: hundreds of places do so, and the download is the smaller for it.
struct Error {
  Code code = Code::none;
  std::string field;
  std::string message;

  [[gnu::noinline]] Error();
  [[gnu::noinline]] Error(Code error_code, std::string_view at, std::string text);
  [[gnu::noinline]] Error(Error&& other) noexcept;
  [[gnu::noinline]] Error(const Error& other);
  [[gnu::noinline]] Error& operator=(Error&& other) noexcept;
  [[gnu::noinline]] ~Error();
  explicit operator bool() const { return code != Code::none; }
};

std::string_view code_name(Code code);

struct Shape;

/// A part of a message: text, a number or a shape, which become words only where the message is wanted.
class Piece {
 public:
  Piece(std::string_view text) : text_(text.data()), size_(text.size()) {}
  Piece(const char* text) : Piece(std::string_view(text)) {}
  Piece(const std::string& text) : Piece(std::string_view(text)) {}
  template <class Number>
  requires std::is_arithmetic_v<Number> Piece(Number number) : number_(double(number)), kind_(Kind::number) {}
  Piece(const Shape& shape) : shape_(&shape), kind_(Kind::shape) {}
  void append_to(std::string& text) const;

 private:
  enum class Kind { text, number, shape };
  union {
    const char* text_;
    double number_;
    const Shape* shape_;
  };
  std::size_t size_ = 0;
  Kind kind_ = Kind::text;
};

std::string join(std::initializer_list<Piece> parts);
/// An error about `field`; the message is "field: " and the parts.
Error error_at(Code code, std::string_view field, std::initializer_list<Piece> parts);
/// The same for a kind's spec: "kind.field: ".
Error spec_error(std::string_view kind, std::string_view field, std::initializer_list<Piece> parts);

/// "must be ≤ 64 (dim), got 65": `must`, a number, `what` it is, and what was given.
Error spec_error(std::string_view kind, std::string_view field, std::string_view must, double wanted,
                 std::string_view what, double got);

/// Up to 15 significant digits, "1e-6" beyond the plain range; the same text in every build.
std::string format_number(double value);
std::string format_shape(std::span<const double> dims);
std::string quote(std::string_view text);

/// A value or the error that stands in its place.
template <class T>
class Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(Error error) : error_(std::move(error)) {}
  explicit operator bool() const { return value_.has_value(); }
  T& operator*() { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }
  const Error& error() const { return error_; }

 private:
  std::optional<T> value_;
  Error error_;
};

/// A value as it comes from outside (JSON, JavaScript), before it is known to fit a field.
struct Value {
  enum class Type { number, boolean, text, numbers, null, other };
  Type type = Type::null;
  double number = 0;
  std::string text;
  std::vector<double> numbers;
};
using SpecInput = std::vector<std::pair<std::string, Value>>;

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

/// A field that has no default is `required`; `example` then says what a typical value is. Lists that are not required
/// may be null, which is empty.
struct Field {
  std::string_view name;
  Prose doc;
  double min = -kInfinity;
  double max = kInfinity;
  Prose unit = {};
  bool required = false;
  Example example = 0;
  /// The same for a list, where one number would not do.
  Examples examples = {};
};

/// What a method says of itself. `formula` is TeX.
struct Method {
  std::string_view kind;
  Prose title;
  Prose formula;
  Prose source;
};

/// Specialised by every enum that is a field: `static constexpr std::array names{…}` in the enum's order.
template <class Enum>
struct Choices;

/// A field of a spec at hand: what it is called and where its value lies.
struct Slot {
  enum class Type { integer, number, optional_number, boolean, numbers, choice };
  const Field* field;
  Type type;
  void* value;
  std::span<const std::string_view> choices;
};

/// The visitor of every spec: lists its fields, so that reading and describing need no code of their own for each spec.
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

  /// Fills the spec from outside values; the first error comes back, unknown fields are errors.
  Error read(std::string_view kind, const SpecInput& input) const;
  /// Are the values that the spec holds within their ranges?
  Error check(std::string_view kind) const;
  /// The fields as JSON objects, the values they hold as defaults.
  std::string describe() const;

 private:
  [[gnu::noinline]] void add_choice(void* value, const Field& field, const std::string_view* names, int count);
  std::vector<Slot> slots_;
};

}  // namespace posenc
