#include "kernels/elements.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace posenc {

namespace {

void read_bytes(const std::int8_t* from, float scale, int width, float* out) {
  for (int i = 0; i < width; ++i) out[i] = float(from[i]) * scale;
}

// A non-finite element makes the scale NaN, and so the whole row when it is read.
void write_bytes(const float* row, int width, std::int8_t* out, float* scale) {
  float most = 0;
  bool finite = true;
  for (int i = 0; i < width; ++i) {
    most = std::max(most, std::abs(row[i]));
    finite &= std::abs(row[i]) <= std::numeric_limits<float>::max();
  }
  *scale = finite ? most / 127 : std::numeric_limits<float>::quiet_NaN();
  // For the smallest values the scale is 0, or has no finite inverse.
  const float inverse = *scale > 0x1p-120f ? 1 / *scale : 0;
  for (int i = 0; i < width; ++i)
    out[i] = finite ? std::int8_t(std::clamp(std::nearbyint(row[i] * inverse), -127.0f, 127.0f)) : std::int8_t(1);
}

}  // namespace

[[gnu::noinline]] void read_rows(const void* rows, ElementType type, const float* scales, std::ptrdiff_t stride,
                                 int count, int width, float* out, std::ptrdiff_t out_stride) {
  const char* from = static_cast<const char*>(rows);
  for (int j = 0; j < count; ++j, from += stride * element_size(type), out += out_stride) {
    if (type == ElementType::float32)
      std::copy_n(reinterpret_cast<const float*>(from), width, out);
    else if (type == ElementType::float16)
      float32_from_float16(reinterpret_cast<const std::uint16_t*>(from), std::size_t(width), out);
    else
      read_bytes(reinterpret_cast<const std::int8_t*>(from), scales[j], width, out);
  }
}

[[gnu::noinline]] void write_row(const float* row, ElementType type, int width, void* out, float* scale) {
  if (type == ElementType::float32)
    std::memcpy(out, row, std::size_t(width) * sizeof(float));
  else if (type == ElementType::float16)
    float16_from_float32(row, std::size_t(width), static_cast<std::uint16_t*>(out));
  else
    write_bytes(row, width, static_cast<std::int8_t*>(out), scale);
}

}  // namespace posenc
