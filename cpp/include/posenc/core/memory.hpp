// Allocation of large memory, which may fail without ending the program.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <utility>

namespace posenc {

/// Whether a request for this many bytes is safe to pass to the allocator. Emscripten's emmalloc adds sizes to
/// addresses without an overflow check at 4 GB, and would then write outside the memory.
bool can_ask(double bytes);

/// Memory of this many bytes, in WebAssembly from the beginning of a line of the cache on; null if there is none. Ask
/// can_ask() first.
void* get_aligned(std::size_t bytes);

/// Whether this many bytes can be allocated now. Without exceptions, a container whose allocation fails ends the
/// program.
bool can_have(double bytes);

/// The product of the sizes in double precision, which neither wraps nor loses precision for sizes that fit in memory.
double product(std::initializer_list<double> sizes);

/// Zero-initialised memory for the product of the sizes. Null if the allocation failed.
class Memory {
 public:
  Memory(std::initializer_list<double> sizes, std::size_t bytes);
  /// Null. Assign an allocated object later.
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
