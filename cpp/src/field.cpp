#include "posenc/field.hpp"

#include <algorithm>
#include <cstdint>

#include "posenc/shape.hpp"

namespace posenc {

std::string_view code_name(Code code) {
  constexpr std::array<std::string_view, 7> kNames{
      "", "invalid-spec", "invalid-argument", "shape-mismatch", "out-of-range", "out-of-memory", "unsupported"};
  return kNames[std::size_t(code)];
}

Error::Error() = default;
Error::Error(Code error_code, std::string_view at, std::string text)
    : code(error_code), field(at), message(std::move(text)) {}
Error::Error(Error&& other) noexcept = default;
Error::Error(const Error& other) = default;
Error& Error::operator=(Error&& other) noexcept = default;
Error::~Error() = default;

void Piece::append_to(std::string& text) const {
  if (kind_ == Kind::number)
    text += format_number(number_);
  else if (kind_ == Kind::shape)
    text += shape_->text();
  else
    text.append(text_, size_);
}

std::string join(std::initializer_list<Piece> parts) {
  std::string text;
  for (const Piece& part : parts) part.append_to(text);
  return text;
}

Error error_at(Code code, std::string_view field, std::initializer_list<Piece> parts) {
  return {code, field, join({field, ": ", join(parts)})};
}

Error spec_error(std::string_view kind, std::string_view field, std::initializer_list<Piece> parts) {
  return {Code::invalid_spec, field, join({kind, ".", field, ": ", join(parts)})};
}

Error spec_error(std::string_view kind, std::string_view field, std::string_view must, double wanted,
                 std::string_view what, double got) {
  return spec_error(kind, field, {must, format_number(wanted), what, ", got ", format_number(got)});
}

namespace {

// Of its own, because printf's machinery would double the size of the module.
std::string whole_number(std::uint64_t value) {
  std::string text;
  do text.insert(text.begin(), char('0' + value % 10));
  while (value /= 10);
  return text;
}

// digits · 10^exponent
std::string decimal(std::uint64_t digits, int exponent) {
  std::string text = whole_number(digits);
  const int leading = int(text.size()) + exponent - 1;
  while (text.size() > 1 && text.back() == '0') text.pop_back();
  const auto power = whole_number(std::uint64_t(leading < 0 ? -leading : leading));
  if (leading < -5 || leading > 20) {
    if (text.size() > 1) text.insert(1, ".");
    return join({text, leading < 0 ? "e-" : "e", power});
  }
  if (leading < 0) return join({"0.", std::string(std::size_t(-leading - 1), '0'), text});
  const std::size_t whole = std::size_t(leading) + 1;
  if (text.size() <= whole) return text.append(whole - text.size(), '0');
  return text.insert(whole, ".");
}

}  // namespace

std::string format_number(double value) {
  if (std::isnan(value)) return "NaN";
  if (value < 0) return join({"-", format_number(-value)});
  if (std::isinf(value)) return "Infinity";
  if (value < 9e15 && value == std::floor(value)) return whole_number(std::uint64_t(value));
  int exponent = 0;
  while (value >= 1e15) value /= 10, ++exponent;
  while (value < 1e14) value *= 10, --exponent;
  return decimal(std::uint64_t(value + 0.5), exponent);
}

std::string format_shape(std::span<const double> dims) {
  std::string text;
  for (double dim : dims) text = join({text, text.empty() ? "[" : ", ", format_number(dim)});
  return text.empty() ? "[]" : text + "]";
}

std::string quote(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += (unsigned char)c < 0x20 ? ' ' : c;
  }
  return out + "\"";
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
  return value.text;
}

Error check_range(std::string_view kind, const Field& field, double number) {
  const auto must = [&](std::string_view what, const std::string& bound) {
    return spec_error(kind, field.name, {"must be ", what, bound, ", got ", format_number(number)});
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
    return spec_error(kind_, slot_.field->name, {"must be ", what, ", got ", show(value_)});
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
    target<std::vector<double>>() = value_.numbers;
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

void Slots::operator()(int& value, const Field& field) { slots_.push_back({&field, Slot::Type::integer, &value, {}}); }
void Slots::operator()(double& value, const Field& field) {
  slots_.push_back({&field, Slot::Type::number, &value, {}});
}
void Slots::operator()(std::optional<double>& value, const Field& field) {
  slots_.push_back({&field, Slot::Type::optional_number, &value, {}});
}
void Slots::operator()(bool& value, const Field& field) { slots_.push_back({&field, Slot::Type::boolean, &value, {}}); }
void Slots::operator()(std::vector<double>& value, const Field& field) {
  slots_.push_back({&field, Slot::Type::numbers, &value, {}});
}
void Slots::add_choice(void* value, const Field& field, const std::string_view* names, int count) {
  slots_.push_back({&field, Slot::Type::choice, value, {names, std::size_t(count)}});
}

Error Slots::read(std::string_view kind, const SpecInput& input) const {
  std::string known;
  std::size_t used = 0;
  for (const Slot& slot : slots_) {
    const std::string_view name = slot.field->name;
    const auto given = std::find_if(input.begin(), input.end(), [&](const auto& entry) { return entry.first == name; });
    known = join({known, known.empty() ? "" : ", ", name});
    if (given == input.end()) {
      if (slot.field->required) return spec_error(kind, name, {"is required"});
      continue;
    }
    ++used;
    if (Error error = SlotReader(kind, slot, given->second).read()) return error;
  }
  if (used == input.size()) return {};
  for (auto entry = input.begin(); entry != input.end(); ++entry) {
    const auto same_name = [&](const auto& other) { return other.first == entry->first; };
    if (std::any_of(input.begin(), entry, same_name)) return spec_error(kind, entry->first, {"given twice"});
    if (std::none_of(slots_.begin(), slots_.end(), [&](const Slot& slot) { return slot.field->name == entry->first; }))
      return spec_error(kind, entry->first, {"unknown field; ", kind, " has ", known});
  }
  return {};
}

Error Slots::check(std::string_view kind) const {
  for (const Slot& slot : slots_) {
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
