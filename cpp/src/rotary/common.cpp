#include "posenc/rotary/common.hpp"

#include "posenc/math/powers.hpp"

namespace posenc {

namespace {

bool whole(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [](double number) { return number == std::floor(number); });
}

}  // namespace

Error check_per_pair(std::string_view kind, std::string_view field, const std::vector<double>& list, int pairs) {
  if (int(list.size()) == pairs) return {};
  return spec_error(kind, field, "must have one value per pair (%), got %", pairs, double(list.size()));
}

Error check_per_axis(std::string_view kind, std::string_view field, const std::vector<double>& list, int axes) {
  if (list.empty() || int(list.size()) == axes) return {};
  return spec_error(kind, field, "must have one value per axis (%), got %", axes, double(list.size()));
}

Error check_axis_order(std::string_view kind, const std::vector<double>& order, int axes) {
  if (Error error = check_per_axis(kind, "axisOrder", order, axes)) return error;
  for (int axis = 0; !order.empty() && axis < axes; ++axis)
    if (std::count(order.begin(), order.end(), double(axis)) != 1)
      return spec_error(kind, "axisOrder", "must contain each axis once");
  return {};
}

Error RotaryCommon::validate(std::string_view kind, int pairs) const {
  if (rotary_dim > dim) return spec_error(kind, "rotaryDim", "must be ≤ % (dim), got %", dim, rotary_dim);
  if (rotated_dim() % 2)
    return spec_error(kind, rotary_dim ? "rotaryDim" : "dim", "must be even: features form pairs, got %",
                      rotated_dim());
  if (const int most = dim - 2 * pairs; rotary_start > most)
    return spec_error(kind, "rotaryStart", "must be ≤ % (dim - rotaryDim), got %", most, rotary_start);
  if (frequency_factors.size() > 1)
    if (Error error = check_per_pair(kind, "frequencyFactors", frequency_factors, pairs)) return error;
  return validate_axes(kind, pairs);
}

Error RotaryCommon::validate_axes(std::string_view kind, int pairs) const {
  if (!axis_of_pair.empty() && sections.empty()) {
    if (!whole(axis_of_pair)) return spec_error(kind, "axisOfPair", "must be whole numbers");
    return check_per_pair(kind, "axisOfPair", axis_of_pair, pairs);
  }
  if (!axis_of_pair.empty()) return spec_error(kind, "axisOfPair", "cannot be combined with sections");
  if (sections.empty())
    return interleaved_sections ? spec_error(kind, "interleavedSections", "requires sections") : Error{};
  const double count = double(sections.size());
  if (count > kMaxAxes) return spec_error(kind, "sections", "must have at most % values, got %", kMaxAxes, count);
  double sum = 0;
  for (const double section : sections) sum += section;
  if (sum != pairs) return spec_error(kind, "sections", "must sum to the % pairs, got %", pairs, sum);
  // Fractional sections, and sections too uneven to interleave, do not match the counts of the map.
  const auto map = axis_map(pairs);
  for (int axis = 0; !map.empty() && axis < axes(); ++axis)
    if (std::count(map.begin(), map.end(), axis) != sections[std::size_t(axis)])
      return spec_error(kind, "sections", "must be whole numbers, and nearly equal if interleaved");
  return {};
}

int RotaryCommon::axes() const {
  if (!axis_of_pair.empty()) return int(*std::max_element(axis_of_pair.begin(), axis_of_pair.end())) + 1;
  return std::max(1, int(sections.size()));
}

std::vector<double> RotaryCommon::axis_map(int pairs) const {
  std::vector<double> map = axis_of_pair;
  if (sections.size() < 2) return map;
  for (int axis = 0; axis < axes(); ++axis)
    for (double k = 0; k < sections[std::size_t(axis)]; ++k) map.push_back(axis);
  if (!interleaved_sections) return map;
  // Interleaves at most three axes, each until it has its share. The rest goes to the fourth axis, else to the first.
  map.resize(std::size_t(pairs));
  const int cycle = std::min(3, axes()), rest = axes() > 3 ? 3 : 0;
  for (int k = 0; k < pairs; ++k) {
    const int axis = k % cycle;
    map[std::size_t(k)] = k < cycle * sections[std::size_t(axis)] ? axis : rest;
  }
  return map;
}

std::vector<Number> RotaryCommon::inverse(const Number& with_base) const {
  // Rounded precisions follow the published code's order of operations. Exact values need only one division.
  const bool exact = with_base.precision == Precision::exact;
  std::vector<Number> out = powers(exact ? 1 / with_base : with_base, rotated_dim() / 2, rotated_dim());
  for (std::size_t k = 0; !exact && k < out.size(); ++k) out[k] = 1 / out[k];
  return out;
}

}  // namespace posenc
