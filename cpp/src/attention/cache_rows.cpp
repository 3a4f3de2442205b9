#include "attention/cache_rows.hpp"

#include <cstring>

namespace posenc {

CacheRows::CacheRows(int batch, int heads, int capacity, int width, ElementType type)
    : batch_(batch),
      heads_(heads),
      capacity_(capacity),
      width_(width),
      type_(type),
      rows_({double(batch), double(heads), double(capacity), double(row_bytes())}),
      scales_({double(batch), double(heads), type == ElementType::int8 ? double(capacity) : 0}) {}

double CacheRows::bytes() const {
  const double rows = product({double(batch_), double(heads_), double(capacity_)});
  return rows * (double(row_bytes()) + (type_ == ElementType::int8 ? sizeof(float) : 0));
}

StoredRows CacheRows::stored(int start) const {
  const std::ptrdiff_t rows = capacity_, of_scale = type_ == ElementType::int8 ? 1 : 0;
  return {at(0, 0, start),
          type_,
          {rows * heads_ * width_, rows * width_, width_},
          scales_.data() + scale_index(0, 0, start),
          {of_scale * rows * heads_, of_scale * rows, of_scale}};
}

template <class Each>
void CacheRows::each_run(int first, int count, const Each& each) const {
  for (int b = 0; b < batch_; ++b)
    for (int h = 0; h < heads_; ++h) {
      each(static_cast<std::uint8_t*>(at(b, h, first)), std::size_t(count) * std::size_t(row_bytes()));
      if (type_ == ElementType::int8)
        each(reinterpret_cast<std::uint8_t*>(scales_.data() + scale_index(b, h, first)),
             std::size_t(count) * sizeof(float));
    }
}

void CacheRows::copy(const CacheRows& from, int from_row, int to_row, int count) {
  if (count == 0) return;
  for (int b = 0; b < batch_; ++b)
    for (int h = 0; h < heads_; ++h) {
      std::memmove(at(b, h, to_row), from.at(b, h, from_row), std::size_t(count) * std::size_t(row_bytes()));
      if (type_ == ElementType::int8)
        std::memmove(scales_.data() + index(b, h, to_row), from.scales_.data() + from.index(b, h, from_row),
                     std::size_t(count) * sizeof(float));
    }
}

void CacheRows::reorder(std::span<const double> rows, int first, int count, char* scratch, int some) {
  const auto exchange = [&](const auto& address, std::size_t bytes) {
    for (int b = 0; b < batch_; ++b) std::memcpy(scratch + std::size_t(b) * bytes, address(b), bytes);
    for (int b = 0; b < batch_; ++b)
      std::memcpy(address(b), scratch + std::size_t(rows[std::size_t(b)]) * bytes, bytes);
  };
  for (int h = 0; h < heads_; ++h)
    for (int row = first; row < first + count; row += some) {
      const int now = std::min(some, first + count - row);
      exchange([&](int b) { return at(b, h, row); }, std::size_t(now) * std::size_t(row_bytes()));
      if (type_ == ElementType::int8)
        exchange([&](int b) { return scales_.data() + index(b, h, row); }, std::size_t(now) * sizeof(float));
    }
}

double CacheRows::packed_bytes(int count) const { return capacity_ ? bytes() / capacity_ * count : 0; }

std::uint8_t* CacheRows::pack(int first, int count, std::uint8_t* out) const {
  each_run(first, count, [&](const std::uint8_t* run, std::size_t bytes) { out = std::copy_n(run, bytes, out); });
  return out;
}

const std::uint8_t* CacheRows::unpack(int first, int count, const std::uint8_t* from) {
  each_run(first, count, [&](std::uint8_t* run, std::size_t bytes) {
    std::copy_n(from, bytes, run);
    from += bytes;
  });
  return from;
}

}  // namespace posenc
