// What a call works on: shapes, views of float32 memory, positions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/field.hpp"

namespace posenc {

inline constexpr int kMaxRank = 8;
inline constexpr double kMaxPosition = 281474976710656.0;  // 2^48: beyond it a double's turns lose their fraction

inline bool is_whole(double value, double least, double most = kMaxPosition) {
  return value >= least && value <= most && value == std::floor(value);
}

/// Row-major dimensions. Doubles, so that nonsense (negative, fractional, too large) arrives whole and can be named.
struct Shape {
  int rank = 0;
  std::array<double, kMaxRank> dims{};

  Shape() = default;
  [[gnu::noinline]] Shape(std::initializer_list<double> list);
  double operator[](int axis) const { return dims[std::size_t(axis < 0 ? rank + axis : axis)]; }
  double size() const;
  bool operator==(const Shape& other) const;
  std::string text() const { return format_shape({dims.data(), std::size_t(rank)}); }
};

/// float32 memory with its shape; `length` is how many floats there really are.
struct View {
  float* data = nullptr;
  double length = 0;
  Shape shape;
};

/// q, k or v in the caller's memory: [batch, heads, positions, dim], or, for HeadLayout::bthd, its dims in that order.
inline View heads(float* data, double batch, double count, double positions, double dim) noexcept {
  return {data, batch * count * positions * dim, {batch, count, positions, dim}};
}
/// The same of numbers that a call is to read alone: an input, never its result.
inline View heads(const float* data, double batch, double count, double positions, double dim) noexcept {
  return heads(const_cast<float*>(data), batch, count, positions, dim);
}

/// One byte a place: non-zero = visible.
struct MaskView {
  const std::uint8_t* data = nullptr;
  double length = 0;
  Shape shape;
};

/// Each dimension a whole number >= 0 and as many floats as the shape says.
Error check_view(const View& view, std::string_view name);
/// check_view, of a tensor with heads: 4 dims.
Error check_heads_view(const View& view, std::string_view name);
/// check_view, and the shape is exactly the expected one.
Error check_result(const View& view, const Shape& expected, std::string_view name);

/// Memory that a call reads or writes, under its name there.
struct Region {
  std::string_view name;
  const void* data = nullptr;
  double bytes = 0;

  [[gnu::noinline]] Region(std::string_view at, const void* memory, double size);
  [[gnu::noinline]] Region(std::string_view at, const View& view);
  [[gnu::noinline]] Region(std::string_view at, const MaskView& mask);
  [[gnu::noinline]] Region(std::string_view at, const struct Positions& positions);
  template <class T>
  Region(std::string_view at, std::span<T> list) : Region(at, list.data(), double(list.size()) * sizeof(T)) {}
};
using Regions = std::initializer_list<Region>;

class Learned;
/// Does no result share memory with another result, with an input, or with an encoding's learned numbers and their
/// gradients? "out: shares memory with v".
Error check_apart(Regions results, Regions inputs, const Learned* encoding = nullptr, const Learned* other = nullptr);

inline constexpr int kMaxAxes = 4;

/// The positions of a call: `values` where given (`offset` is then the index of the first in a longer list), else
/// offset, offset + 1, … With several axes the values of each follow those of the one before at `stride`; without
/// values they are the places of a grid of `extent`, row by row, from place `offset` on.
struct Positions {
  /// Of the first axis.
  std::span<const double> values;
  double offset = 0;
  int count = 0;
  int axes = 1;
  std::size_t stride = 0;
  /// How many places each axis has; 0: as many as the positions tell.
  std::array<double, kMaxAxes> extent{};

  // Out of line: many places do so, and the download is the smaller for it.
  /// `count` of them from `offset` on.
  [[gnu::noinline]] static Positions run(double offset, int count);
  /// One place for each value, or `count` of them.
  [[gnu::noinline]] static Positions given(std::span<const double> values, int count);

  double operator[](std::size_t i) const { return at(i, 0); }
  double at(std::size_t i, int axis) const;
  std::span<const double> values_of(int axis) const {
    return {values.data() + std::size_t(axis) * stride, values.size()};
  }
  /// Over all axes.
  double largest() const;
  /// Of the first axis.
  double smallest() const;
  double extent_of(int axis) const;
  /// The same with `extent` of all axes told: it is sought once, not for every place.
  Positions measured() const;
  /// Are all finite and within ±2^48, are there `per_row` of them or `rows * per_row`, and for each of `axes_wanted`?
  /// With `prefix_allowed` a grid may begin before its first place. Errors call the values `name`.
  Error check(double per_row, double rows, int axes_wanted = 1, bool prefix_allowed = false,
              std::string_view name = "positions") const;
  /// Where batch row `row` begins among the values: 0 where all rows share them.
  std::size_t row_start(std::size_t row, std::size_t per_row) const {
    return values.size() > per_row ? row * per_row : 0;
  }
};

}  // namespace posenc
