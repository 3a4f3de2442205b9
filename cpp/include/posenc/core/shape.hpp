// Inputs of calls: shapes, views of float32 memory, positions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "posenc/core/field.hpp"

namespace posenc {

inline constexpr int kMaxRank = 8;
inline constexpr double kMaxPosition =
    281474976710656.0;  // 2^48: beyond it, full turns in double precision lose their fraction

inline bool is_whole(double value, double least, double most = kMaxPosition) {
  return value >= least && value <= most && value == std::floor(value);
}

/// Row-major dimensions. They are doubles so that invalid values (negative, fractional, too large) arrive unchanged and
/// can be reported.
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

/// float32 memory with its shape. `length` is the number of floats that the memory really has.
struct View {
  float* data = nullptr;
  double length = 0;
  Shape shape;
};

/// A view of q, k or v in the caller's memory: [batch, heads, positions, dim]. For HeadLayout::bthd, pass its dims in
/// that order.
inline View heads(float* data, double batch, double count, double positions, double dim) noexcept {
  return {data, batch * count * positions * dim, {batch, count, positions, dim}};
}
/// A view of read-only memory. Use it only for inputs, never for results.
inline View heads(const float* data, double batch, double count, double positions, double dim) noexcept {
  return heads(const_cast<float*>(data), batch, count, positions, dim);
}

/// One byte per element: non-zero = visible.
struct MaskView {
  const std::uint8_t* data = nullptr;
  double length = 0;
  Shape shape;
};

/// Checks that each dimension is a whole number >= 0 and that the view has as many floats as the shape requires.
Error check_view(const View& view, std::string_view name);
/// check_view for a tensor with heads, which has 4 dims.
Error check_heads_view(const View& view, std::string_view name);
/// check_view, and checks that the shape is exactly the expected one.
Error check_result(const View& view, const Shape& expected, std::string_view name);

/// Memory that a call reads or writes, and its name in the call.
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
/// Checks that no result shares memory with another result, with an input, or with an encoding's learned parameters and
/// their gradients. Error: "out: shares memory with v".
Error check_apart(Regions results, Regions inputs, const Learned* encoding = nullptr, const Learned* other = nullptr);

inline constexpr int kMaxAxes = 4;

/// The positions of a call. With `values`: these, and `offset` is the index of the first one in a longer list. Without
/// `values`: offset, offset + 1, …
/// With several axes, the values of each axis follow those of the previous axis at distance `stride`. Without values,
/// the positions are the cells of a grid of size `extent`, row by row, starting at cell `offset`.
struct Positions {
  /// Values of the first axis.
  std::span<const double> values;
  double offset = 0;
  int count = 0;
  int axes = 1;
  std::size_t stride = 0;
  /// Size of the grid along each axis. 0: derived from the positions.
  std::array<double, kMaxAxes> extent{};

  // Out of line: they are called in many places, and this makes the download smaller.
  /// `count` positions, starting at `offset`.
  [[gnu::noinline]] static Positions run(double offset, int count);
  /// One position per value, or `count` positions.
  [[gnu::noinline]] static Positions given(std::span<const double> values, int count);

  double operator[](std::size_t i) const { return at(i, 0); }
  double at(std::size_t i, int axis) const;
  std::span<const double> values_of(int axis) const {
    return {values.data() + std::size_t(axis) * stride, values.size()};
  }
  /// The largest position over all axes.
  double largest() const;
  /// Values of the first axis.
  double smallest() const;
  double extent_of(int axis) const;
  /// A copy with `extent` filled in for all axes, so that it is computed once and not for every position.
  Positions measured() const;
  /// Checks that all values are finite and within ±2^48, that there are `per_row` or `rows * per_row` of them, and that
  /// each of `axes_wanted` has values. With `prefix_allowed`, a grid may begin before its first cell. Errors use `name`
  /// for the values.
  Error check(double per_row, double rows, int axes_wanted = 1, bool prefix_allowed = false,
              std::string_view name = "positions") const;
  /// Index of the first value of batch element `row`: 0 if all batch elements share the values.
  std::size_t row_start(std::size_t row, std::size_t per_row) const {
    return values.size() > per_row ? row * per_row : 0;
  }
};

}  // namespace posenc
