// The bytes that libFuzzer gives, read as choices. Zeros follow where they end, so that every input means something.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace posenc::fuzz {

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}
  bool empty() const { return bytes_.empty(); }
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  /// 0 … count - 1
  int below(int count) { return byte() % count; }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool flag() { return byte() & 1; }
  /// True for one of `in` bytes; false once there are no more.
  bool rarely(int in = 16) { return byte() % in == in - 1; }
  template <class List>
  const auto& pick(const List& list) {
    return list[std::size_t(below(int(std::size(list))))];
  }
  template <class Enum>
  Enum choice(int count) {
    return Enum(below(count));
  }
  std::span<const std::uint8_t> take(std::size_t count) {
    const auto taken = bytes_.first(std::min(count, bytes_.size()));
    bytes_ = bytes_.subspan(taken.size());
    return taken;
  }
  /// Mostly small whole numbers; also fractions, the ends of number types, and any bits at all.
  double number();

 private:
  std::span<const std::uint8_t> bytes_;
};

/// Ends the program, as a finding, with these words.
void require(bool holds, std::string_view what);

}  // namespace posenc::fuzz
