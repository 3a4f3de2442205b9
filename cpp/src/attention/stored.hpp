// Stored keys or values: any element type, any strides.
#pragma once

#include "kernels/elements.hpp"
#include "posenc/rotary/rotation.hpp"

namespace posenc {

struct StoredRows {
  const void* data = nullptr;
  ElementType type = ElementType::float32;
  /// In elements.
  HeadStrides strides{};
  /// int8: one scale per row.
  const float* scales = nullptr;
  HeadStrides scale_strides{};

  /// Whether rows can be used in place.
  bool is_float32() const { return type == ElementType::float32; }
  /// Rows of a head from `first` on, in place; only for float32.
  const float* at(int batch, int head, int first) const {
    return static_cast<const float*>(data) + offset(strides, batch, head, first);
  }
  /// Converts these rows to float32 in `out`, rows `out_stride` apart.
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
