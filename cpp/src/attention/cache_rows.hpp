// The memory of a cache: rows of heads, [batch][heads][capacity][width] of any type.
#pragma once

#include "attention/stored.hpp"
#include "posenc/core/memory.hpp"

namespace posenc {

class CacheRows {
 public:
  CacheRows() = default;
  CacheRows(int batch, int heads, int capacity, int width, ElementType type);
  explicit operator bool() const { return rows_ && scales_; }
  double bytes() const;
  int capacity() const { return capacity_; }
  ElementType type() const { return type_; }

  void* at(int batch, int head, int row) const {
    return rows_.data() + index(batch, head, row) * width_ * element_size(type_);
  }
  float* floats(int batch, int head, int row) const { return static_cast<float*>(at(batch, head, row)); }
  void write(int batch, int head, int row, const float* from) {
    write_row(from, type_, width_, at(batch, head, row), scales_.data() + scale_index(batch, head, row));
  }
  /// Rows from `start` on as attention reads them.
  StoredRows stored(int start) const;
  /// Copies `count` rows of all heads from an object of the same type and width.
  void copy(const CacheRows& from, int from_row, int to_row, int count);
  /// Batch element i becomes a copy of element rows[i], for `count` rows from `first` on. `scratch` holds `some` rows
  /// of one head for all batch elements.
  void reorder(std::span<const double> rows, int first, int count, char* scratch, int some);
  /// Packs `count` rows of all heads, with their scales, into contiguous memory, and back.
  double packed_bytes(int count) const;
  std::uint8_t* pack(int first, int count, std::uint8_t* out) const;
  const std::uint8_t* unpack(int first, int count, const std::uint8_t* from);

 private:
  std::ptrdiff_t index(int batch, int head, int row) const {
    return (std::ptrdiff_t(batch) * heads_ + head) * capacity_ + row;
  }
  std::ptrdiff_t scale_index(int batch, int head, int row) const {
    return type_ == ElementType::int8 ? index(batch, head, row) : 0;
  }
  std::ptrdiff_t row_bytes() const { return width_ * element_size(type_); }
  /// Calls each(data, bytes) for each head: its rows, then their scales.
  template <class Each>
  void each_run(int first, int count, const Each& each) const;

  int batch_ = 0, heads_ = 0, capacity_ = 0, width_ = 0;
  ElementType type_ = ElementType::float32;
  Array<std::uint8_t> rows_ = nullptr;
  Buffer scales_ = nullptr;
};

}  // namespace posenc
