// Converts rows between float32 and smaller element types.
#pragma once

#include <cstddef>

#include "posenc/kernels/kernels.hpp"

namespace posenc {

inline std::ptrdiff_t element_size(ElementType type) {
  return type == ElementType::float32 ? 4 : type == ElementType::float16 ? 2 : 1;
}

/// out [count][width], rows `out_stride` apart, from rows `stride` elements apart. int8: times the row's scale.
void read_rows(const void* rows, ElementType type, const float* scales, std::ptrdiff_t stride, int count, int width,
               float* out, std::ptrdiff_t out_stride);

/// Converts one row. int8: to the nearest multiples of `scale`, which is set to max |x| / 127.
void write_row(const float* row, ElementType type, int width, void* out, float* scale);

}  // namespace posenc
