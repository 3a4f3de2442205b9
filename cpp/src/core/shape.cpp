#include "posenc/core/shape.hpp"

namespace posenc {

Shape::Shape(std::initializer_list<double> list) : rank(int(list.size())) {
  std::copy(list.begin(), list.end(), dims.begin());
}

double Shape::size() const {
  double product = 1;
  for (int i = 0; i < rank; ++i) product *= dims[std::size_t(i)];
  return product;
}

bool Shape::operator==(const Shape& other) const {
  return rank == other.rank && std::equal(dims.begin(), dims.begin() + rank, other.dims.begin());
}

Error check_view(const View& view, std::string_view name) {
  for (int i = 0; i < view.shape.rank; ++i) {
    const double dim = view.shape[i];
    if (!(dim >= 0) || dim != std::floor(dim) || dim > 2147483647.0)
      return error_at(Code::shape_mismatch, name, "dims must be whole numbers from 0 to 2147483647, got %", view.shape);
  }
  if (view.shape.size() != view.length)
    return error_at(Code::shape_mismatch, name, "dims % need % elements, data has %", view.shape, view.shape.size(),
                    view.length);
  return {};
}

Error check_heads_view(const View& view, std::string_view name) {
  if (view.shape.rank == 4) return check_view(view, name);
  return error_at(Code::shape_mismatch, name, "must have 4 dims, [batch, heads, positions, dim], got %", view.shape);
}

Error check_result(const View& view, const Shape& expected, std::string_view name) {
  if (Error error = check_view(view, name)) return error;
  if (!(view.shape == expected))
    return error_at(Code::shape_mismatch, name, "must have dims %, got %", expected, view.shape);
  return {};
}

Region::Region(std::string_view at, const void* memory, double size) : name(at), data(memory), bytes(size) {}
Region::Region(std::string_view at, const View& view) : Region(at, view.data, view.length * sizeof(float)) {}
Region::Region(std::string_view at, const MaskView& mask) : Region(at, mask.data, mask.length) {}
Region::Region(std::string_view at, const Positions& positions)
    : Region(
          at, positions.values.data(),
          (double(positions.axes - 1) * double(positions.stride) + double(positions.values.size())) * sizeof(double)) {}

Positions Positions::run(double offset, int count) { return {.values = {}, .offset = offset, .count = count}; }
Positions Positions::given(std::span<const double> values, int count) {
  return {.values = values, .offset = 0, .count = count};
}

double Positions::at(std::size_t i, int axis) const {
  if (!values.empty()) return values_of(axis)[i];
  double rest = offset + double(i);
  if (axes == 1) return rest;
  for (int a = axes - 1; a > axis; --a) rest = std::floor(rest / extent[std::size_t(a)]);
  const double size = extent[std::size_t(axis)];
  return rest - size * std::floor(rest / size);
}

namespace {

double largest_of(std::span<const double> values) { return *std::max_element(values.begin(), values.end()); }

Error check_values(std::span<const double> values, std::string_view name) {
  for (double value : values) {
    if (!std::isfinite(value)) return error_at(Code::invalid_argument, name, "must be finite, got %", value);
    if (std::abs(value) > kMaxPosition) return error_at(Code::out_of_range, name, "must be within ±2^48, got %", value);
  }
  return {};
}

}  // namespace

double Positions::largest() const {
  if (values.empty() && axes == 1) return offset + double(count) - 1;
  double out = -kInfinity;
  for (int axis = 0; axis < axes; ++axis)
    out = std::max(out, values.empty() ? extent[std::size_t(axis)] - 1 : largest_of(values_of(axis)));
  return out;
}

double Positions::smallest() const {
  return values.empty() ? at(0, 0) : *std::min_element(values.begin(), values.end());
}

double Positions::extent_of(int axis) const {
  if (extent[std::size_t(axis)] > 0) return extent[std::size_t(axis)];
  if (axes == 1 || values.empty()) return count;
  return std::floor(largest_of(values_of(axis))) + 1;
}

Positions Positions::measured() const {
  Positions out = *this;
  for (int axis = 0; axis < axes; ++axis) out.extent[std::size_t(axis)] = extent_of(axis);
  return out;
}

Error Positions::check(double per_row, double rows, int axes_wanted, bool prefix_allowed, std::string_view name) const {
  if (axes != axes_wanted)
    return axes_wanted == 1
               ? error_at(Code::shape_mismatch, name, "must have 1 axis, got %", axes)
               : error_at(Code::shape_mismatch, name,
                          "must have % axes (positions: one array per axis, or grid), got %", axes_wanted, axes);
  if (values.empty()) {
    if (!std::isfinite(offset)) return error_at(Code::invalid_argument, "offset", "must be finite, got %", offset);
    if (offset < -kMaxPosition || offset + std::max(per_row - 1, 0.0) > kMaxPosition)
      return error_at(Code::out_of_range, "offset", "positions must be within ±2^48, got %", offset);
    double cells = 1;
    for (int axis = 0; axis < axes; ++axis) cells *= extent[std::size_t(axis)];
    if (axes > 1 && ((offset < 0 && !prefix_allowed) || offset + per_row > cells))
      return error_at(Code::shape_mismatch, "grid", "has % cells, got % positions", cells, per_row);
    return {};
  }
  const double given = double(values.size());
  if (given != per_row && given != rows * per_row)
    return rows > 1
               ? error_at(Code::shape_mismatch, name, "must have % or % values, got %", per_row, rows * per_row, given)
               : error_at(Code::shape_mismatch, name, "must have % values, got %", per_row, given);
  for (int axis = 0; axis < axes; ++axis)
    if (Error error = check_values(values_of(axis), name)) return error;
  return {};
}

}  // namespace posenc
