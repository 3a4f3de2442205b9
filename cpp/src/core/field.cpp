#include "posenc/core/field.hpp"

#include <algorithm>
#include <cstdint>

#include "posenc/core/shape.hpp"

namespace posenc {

std::string_view code_name(Code code) {
  constexpr std::array<std::string_view, 7> kNames{
      "", "invalid-spec", "invalid-argument", "shape-mismatch", "out-of-range", "out-of-memory", "unsupported"};
  return kNames[std::size_t(code)];
}

Error::Error(Code code, std::string_view field, std::string message)
    : known_(new Known{code, std::string(field), std::move(message)}) {}

void Error::forget() { delete known_; }

const Error::Known& Error::known() const {
  static const Known kNone;
  return known_ ? *known_ : kNone;
}

std::string join(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

namespace {

Error finished(Code code, std::string_view field, std::string message, const char* text, const char* letters,
               const Part* parts) {
  for (; *text; ++text) {
    if (*text != '%') {
      message += *text;
      continue;
    }
    const char letter = *letters++;
    if (letter == 'n') message += format_number(parts->number);
    if (letter == 's') message += parts->shape->text();
    if (letter == 't') message += parts->text;
    ++parts;
  }
  return {code, field, std::move(message)};
}

}  // namespace

Error make_error(Code code, std::string_view field, const char* text, const char* letters, const Part* parts) {
  return finished(code, field, join({field, ": "}), text, letters, parts);
}

Error make_spec_error(std::string_view kind, std::string_view field, const char* text, const char* letters,
                      const Part* parts) {
  return finished(Code::invalid_spec, field, join({kind, ".", field, ": "}), text, letters, parts);
}

// Avoids printf, which would double the size of the module.
std::string format_number(double value) {
  if (std::isnan(value)) return "NaN";
  std::string out;
  if (value < 0) out += '-', value = -value;
  if (std::isinf(value)) return join({out, "Infinity"});
  int exponent = 0;
  if (!(value < 9e15 && value == std::floor(value))) {
    while (value >= 1e15) value /= 10, ++exponent;
    while (value < 1e14) value *= 10, --exponent;
  }
  // Digits from the last one on, which is worth 10^exponent.
  std::string digits;
  for (auto number = std::uint64_t(value + 0.5); number; number /= 10)
    if (number % 10 || !digits.empty())
      digits += char('0' + number % 10);
    else
      ++exponent;
  const int count = int(digits.size()), leading = count + exponent - 1;
  const int shift = leading < -5 || leading > 20 ? leading : 0;
  exponent -= shift;
  for (int power = std::max(leading - shift, 0); power >= std::min(exponent, 0); --power) {
    if (power == -1) out += '.';
    const int at = power - exponent;
    out += at >= 0 && at < count ? digits[std::size_t(at)] : '0';
  }
  return shift ? join({out, "e", format_number(shift)}) : out;
}

std::string format_shape(std::span<const double> dims) {
  std::string text;
  for (double dim : dims) text = join({text, text.empty() ? "[" : ", ", format_number(dim)});
  return join({text.empty() ? "[" : text, "]"});
}

std::string quote(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += (unsigned char)c < 0x20 ? ' ' : c;
  }
  return join({"\"", out, "\""});
}

namespace {

std::string show(const Value& value) {
  switch (value.type) {
    case Value::Type::number:
      return format_number(value.number);
    case Value::Type::boolean:
      return value.number != 0 ? "true" : "false";
    case Value::Type::text:
      return quote(value.text);
    case Value::Type::numbers:
      return join({"a list of ", format_number(double(value.numbers.size())), " numbers"});
    case Value::Type::null:
      return "null";
    case Value::Type::other:
      break;
  }
  return std::string(value.text);
}

Error check_range(std::string_view kind, const Field& field, double number) {
  const auto must = [&](std::string_view what, const std::string& bound) {
    return spec_error(kind, field.name, "must be %%, got %", what, bound, format_number(number));
  };
  if (!std::isfinite(number)) return must("finite", "");
  if (number < field.min) return must("≥ ", format_number(field.min));
  if (number > field.max) return must("≤ ", format_number(field.max));
  return {};
}

// Reads one value into one slot.
class SlotReader {
 public:
  SlotReader(std::string_view kind, const Slot& slot, const Value& value) : kind_(kind), slot_(slot), value_(value) {}

  Error read() const {
    switch (slot_.type) {
      case Slot::Type::integer:
        return read_integer();
      case Slot::Type::number:
        return read_number(target<double>());
      case Slot::Type::optional_number:
        return read_optional();
      case Slot::Type::boolean:
        return read_boolean();
      case Slot::Type::numbers:
        return read_numbers();
      case Slot::Type::choice:
        return read_choice();
    }
    return {};
  }

 private:
  template <class T>
  T& target() const {
    return *static_cast<T*>(slot_.value);
  }
  Error must(std::string_view what) const {
    return spec_error(kind_, slot_.field->name, "must be %, got %", what, show(value_));
  }

  Error read_number(double& number) const {
    if (value_.type != Value::Type::number) return must("a number");
    number = value_.number;
    return check_range(kind_, *slot_.field, number);
  }
  Error read_integer() const {
    double number = 0;
    if (Error error = read_number(number)) return error;
    if (number != std::floor(number)) return must("a whole number");
    target<int>() = int(number);
    return {};
  }
  Error read_optional() const {
    auto& number = target<std::optional<double>>();
    number.reset();
    return value_.type == Value::Type::null ? Error{} : read_number(number.emplace());
  }
  Error read_boolean() const {
    if (value_.type != Value::Type::boolean) return must("true or false");
    target<bool>() = value_.number != 0;
    return {};
  }
  Error read_numbers() const {
    if (value_.type == Value::Type::null && !slot_.field->required)
      return target<std::vector<double>>().clear(), Error{};
    if (value_.type != Value::Type::numbers) return must("a list of numbers");
    for (double number : value_.numbers)
      if (Error error = check_range(kind_, *slot_.field, number)) return error;
    target<std::vector<double>>().assign(value_.numbers.begin(), value_.numbers.end());
    return {};
  }
  Error read_choice() const {
    std::string known;
    for (std::size_t i = 0; i < slot_.choices.size(); ++i) {
      if (value_.type == Value::Type::text && value_.text == slot_.choices[i]) return target<int>() = int(i), Error{};
      known = join({known, i ? ", " : "", quote(slot_.choices[i])});
    }
    return must(join({"one of ", known}));
  }

  std::string_view kind_;
  const Slot& slot_;
  const Value& value_;
};

}  // namespace

void Slots::add(void* value, const Field& field, Slot::Type type) { slots_[count_++] = {&field, type, value, {}}; }
void Slots::operator()(int& value, const Field& field) { add(&value, field, Slot::Type::integer); }
void Slots::operator()(double& value, const Field& field) { add(&value, field, Slot::Type::number); }
void Slots::operator()(std::optional<double>& value, const Field& field) {
  add(&value, field, Slot::Type::optional_number);
}
void Slots::operator()(bool& value, const Field& field) { add(&value, field, Slot::Type::boolean); }
void Slots::operator()(std::vector<double>& value, const Field& field) { add(&value, field, Slot::Type::numbers); }
void Slots::add_choice(void* value, const Field& field, const std::string_view* names, int count) {
  slots_[count_++] = {&field, Slot::Type::choice, value, {names, std::size_t(count)}};
}

namespace {

const Value* find(const SpecInput& input, std::string_view name) {
  for (const auto& [given, value] : input)
    if (given == name) return &value;
  return nullptr;
}

}  // namespace

Error Slots::read(std::string_view kind, const SpecInput& input) const {
  // Checked before missing fields: a misspelt field is both unknown and missing.
  for (const auto& [name, value] : input) {
    if (find(input, name) != &value) return spec_error(kind, name, "given twice");
    const auto is_name = [&name = name](const Slot& slot) { return slot.field->name == name; };
    if (std::ranges::any_of(slots(), is_name)) continue;
    std::string known;
    for (const Slot& slot : slots()) known = join({known, known.empty() ? "" : ", ", slot.field->name});
    return spec_error(kind, name, "unknown field; % has %", kind, known);
  }
  for (const Slot& slot : slots()) {
    const std::string_view name = slot.field->name;
    const Value* given = find(input, name);
    if (!given && slot.field->required) return spec_error(kind, name, "is required");
    if (!given) continue;
    if (Error error = SlotReader(kind, slot, *given).read()) return error;
  }
  return {};
}

Error Slots::check(std::string_view kind) const {
  for (const Slot& slot : slots()) {
    std::vector<double> values;
    if (slot.type == Slot::Type::integer) values = {double(*static_cast<const int*>(slot.value))};
    if (slot.type == Slot::Type::number) values = {*static_cast<const double*>(slot.value)};
    if (slot.type == Slot::Type::optional_number) {
      const auto& given = *static_cast<const std::optional<double>*>(slot.value);
      if (given) values = {*given};
    }
    if (slot.type == Slot::Type::numbers) values = *static_cast<const std::vector<double>*>(slot.value);
    for (double value : values)
      if (Error error = check_range(kind, *slot.field, value)) return error;
  }
  return {};
}

}  // namespace posenc
