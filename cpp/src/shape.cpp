#include "posenc/shape.hpp"

namespace posenc {

Error check_view(const View& view, std::string_view name) {
  for (int i = 0; i < view.shape.rank; ++i) {
    const double dim = view.shape[i];
    if (!(dim >= 0) || dim != std::floor(dim) || dim > 2147483647.0)
      return error_at(Code::shape_mismatch, name,
                      {"dims must be whole numbers from 0 to 2147483647, got ", view.shape.text()});
  }
  if (view.shape.size() != view.length)
    return error_at(Code::shape_mismatch, name,
                    {"dims ", view.shape.text(), " need ", format_number(view.shape.size()), " elements, data has ",
                     format_number(view.length)});
  return {};
}

Error check_result(const View& view, const Shape& expected, std::string_view name) {
  if (Error error = check_view(view, name)) return error;
  if (!(view.shape == expected))
    return error_at(Code::shape_mismatch, name, {"must have dims ", expected.text(), ", got ", view.shape.text()});
  return {};
}

double Positions::largest() const {
  if (values.empty()) return offset + double(count) - 1;
  return *std::max_element(values.begin(), values.end());
}

Error Positions::check(double per_row, double rows) const {
  if (values.empty()) {
    if (!std::isfinite(offset))
      return error_at(Code::invalid_argument, "offset", {"must be finite, got ", format_number(offset)});
    if (std::abs(offset) + per_row > kMaxPosition)
      return error_at(Code::out_of_range, "offset", {"positions must lie within ±2^48, got ", format_number(offset)});
    return {};
  }
  const double given = double(values.size());
  if (given != per_row && given != rows * per_row)
    return error_at(Code::shape_mismatch, "positions",
                    {"must hold ", format_number(per_row), rows > 1 ? " or " : "",
                     rows > 1 ? format_number(rows * per_row) : std::string(), " numbers, got ", format_number(given)});
  for (double value : values) {
    if (!std::isfinite(value))
      return error_at(Code::invalid_argument, "positions", {"must be finite, got ", format_number(value)});
    if (std::abs(value) > kMaxPosition)
      return error_at(Code::out_of_range, "positions", {"must lie within ±2^48, got ", format_number(value)});
  }
  return {};
}

}  // namespace posenc
