// Scratch that may be too large for the machine: asked for without exceptions.
#pragma once

#include <cstdlib>
#include <utility>

namespace posenc {

class Buffer {
 public:
  explicit Buffer(double floats = 0) {
    if (floats < 1e9) data_ = static_cast<float*>(std::calloc(std::size_t(floats) + 1, sizeof(float)));
  }
  ~Buffer() { std::free(data_); }
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
