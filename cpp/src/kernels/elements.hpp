// Rows of numbers that are stored smaller than float32, and back.
#pragma once

#include <cstddef>

#include "posenc/kernels/kernels.hpp"

namespace posenc {

inline std::ptrdiff_t element_size(ElementType type) {
  return type == ElementType::float32 ? 4 : type == ElementType::float16 ? 2 : 1;
}

/// out [count][width], rows `out_stride` apart, of rows that lie `stride` elements apart. int8: times the row's scale.
void read_rows(const void* rows, ElementType type, const float* scales, std::ptrdiff_t stride, int count, int width,
               float* out, std::ptrdiff_t out_stride);

/// One row. int8: the nearest multiples of `scale`, which becomes max |x| / 127.
void write_row(const float* row, ElementType type, int width, void* out, float* scale);

}  // namespace posenc
