// A spec in the format in which JavaScript passes it.
#include "spec_text.hpp"

namespace posenc::bindings {

namespace {

std::size_t index_of(char mark, std::string_view text) {
  std::size_t index = 0;
  while (index < text.size() && text[index] != mark) ++index;
  return index;
}

// Removes the text before the next mark from the front and returns it.
std::string_view cut(std::string_view& text, char mark) {
  const std::string_view head = text.substr(0, index_of(mark, text));
  text.remove_prefix(std::min(head.size() + 1, text.size()));
  return head;
}

std::size_t count_of(std::string_view text) {
  std::size_t count = 0;
  for (char c : text) count = 10 * count + std::size_t(c - '0');
  return count;
}

// The letters of Value::Type, in its order. Other letters, and lists with missing numbers, are of the last type.
Value read_value(char letter, std::string_view text, std::span<const double>& numbers) {
  Value value;
  value.type = Value::Type(index_of(letter, "nbtl0"));
  value.text = text;
  const bool single = value.type == Value::Type::number || value.type == Value::Type::boolean;
  const std::size_t count = single ? 1 : value.type == Value::Type::numbers ? count_of(text) : 0;
  if (count > numbers.size()) {
    value.type = Value::Type::other;
    return value;
  }
  value.numbers = numbers.first(count);
  if (single) value.number = numbers.front();
  numbers = numbers.subspan(count);
  return value;
}

}  // namespace

Result<Encoding> create_from_text(std::string_view text, std::span<const double> numbers,
                                  Initialization initialization) {
  const std::string_view kind = cut(text, '\x1e');
  SpecInput input;
  while (!text.empty()) {
    std::string_view field = cut(text, '\x1e');
    const std::string_view name = cut(field, '\x1f');
    const std::string_view type = cut(field, '\x1f');
    input.emplace_back(name, read_value(type.empty() ? 'x' : type[0], field, numbers));
  }
  return create(kind, input, initialization);
}

}  // namespace posenc::bindings
