// Keys or values as attention finds them: of any type, at any strides.
#pragma once

#include "kernels/elements.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

struct StoredRows {
  const void* data = nullptr;
  ElementType type = ElementType::float32;
  /// In elements.
  HeadStrides strides{};
  /// Of int8: one for each row.
  const float* scales = nullptr;
  HeadStrides scale_strides{};

  /// Can its rows be used where they lie?
  bool is_float32() const { return type == ElementType::float32; }
  /// Rows of a head from `first` on where they lie; of float32 alone.
  const float* at(int batch, int head, int first) const {
    return static_cast<const float*>(data) + offset(strides, batch, head, first);
  }
  /// The same converted to `out`, rows `out_stride` apart.
  void read(int batch, int head, int first, int count, int width, float* out, std::ptrdiff_t out_stride) const {
    const char* rows = static_cast<const char*>(data) + offset(strides, batch, head, first) * element_size(type);
    read_rows(rows, type, scales + offset(scale_strides, batch, head, first), strides.position, count, width, out,
              out_stride);
  }

 private:
  static std::ptrdiff_t offset(const HeadStrides& strides, int batch, int head, int position) {
    return batch * strides.batch + head * strides.head + position * strides.position;
  }
};

}  // namespace posenc
