// Large memory is asked for in a way that can fail.
#pragma once

#include <utility>

namespace posenc {

/// May the allocator be asked for so many bytes at all? Emscripten's emmalloc adds sizes to addresses without looking
/// whether the sum goes round at 4 GB, and would then write outside the memory.
bool can_ask(double bytes);

/// Is there memory for so many bytes now, and some more for small things? Without exceptions a container that gets none
/// ends the program.
bool can_have(double bytes);

/// Floats, 0 at first; null where there is no memory for so many.
class Buffer {
 public:
  explicit Buffer(double floats = 0);
  ~Buffer();
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  float* data() const { return data_; }
  explicit operator bool() const { return data_; }

 private:
  float* data_ = nullptr;
};

}  // namespace posenc
