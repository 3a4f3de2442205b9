// Large memory is asked for in a way that can fail.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>

namespace posenc {

/// May the allocator be asked for so many bytes at all? Emscripten's emmalloc adds sizes to addresses without looking
/// whether the sum goes round at 4 GB, and would then write outside the memory.
bool can_ask(double bytes);

/// Is there memory for so many bytes now? Without exceptions a container that gets none ends the program.
bool can_have(double bytes);

/// What sizes multiply to: in double precision, which neither wraps nor loses a number that memory could hold.
double product(std::initializer_list<double> sizes);

/// As many zeros as the sizes multiply to; null where there is no memory for them.
class Memory {
 public:
  Memory(std::initializer_list<double> sizes, std::size_t bytes);
  /// Null, until one that has memory takes its place.
  constexpr Memory(std::nullptr_t) {}
  ~Memory();
  Memory(Memory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  explicit operator bool() const { return data_; }

 protected:
  void* data_ = nullptr;
};

template <class T>
class Array : public Memory {
 public:
  explicit Array(double size = 0) : Memory({size}, sizeof(T)) {}
  explicit Array(std::initializer_list<double> sizes) : Memory(sizes, sizeof(T)) {}
  constexpr Array(std::nullptr_t) : Memory(nullptr) {}
  T* data() const { return static_cast<T*>(data_); }
};
using Buffer = Array<float>;

}  // namespace posenc
