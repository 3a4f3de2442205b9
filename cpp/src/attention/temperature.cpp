#include "posenc/attention.hpp"

namespace posenc {

double Temperature::at(double position) const {
  if (rule == Rule::log_n) return std::max(1.0, quick_log(std::max(1.0, position + offset + 1)) / quick_log(length));
  if (rule == Rule::log) return 1 + factor * quick_log(std::max(1.0, (position + offset + 1) / length));
  const double steps = std::floor((position + offset) / length);
  if (factor == 0 || steps <= 0) return 1;
  return 1 + factor * (std::isinf(steps) ? steps : log(Real(1 + steps)).hi);
}

// The same in float32. The quick logarithm has an error of a few parts in 2^53, which rarely changes the float32.
float Temperature::rounded_at(double position) const {
  if (rule != Rule::steps) return float(at(position));
  const double steps = std::floor((position + offset) / length);
  if (factor == 0 || steps <= 0) return 1;
  const double growth = factor * quick_log(1 + steps), error = 0x1p-48 * (1 + std::abs(growth));
  const float low = float(1 + growth - error), high = float(1 + growth + error);
  return low == high ? low : float(at(position));
}

Error Temperature::check() const {
  const double least = rule == Rule::log_n ? 1 : 0;
  if (std::isfinite(factor + offset + length) && length > least) return {};
  return error_at(Code::invalid_argument, "temperature", "must have finite values and a length > %", least);
}

Error Temperature::check_at(const Positions& positions, double scale) const {
  if (!is_on() || (positions.count == 0 && positions.values.empty())) return {};
  // It is monotonic and starts at 1: checking the last value is enough.
  const double last = positions.largest(), multiplier = at(last);
  constexpr double kLargest = double(std::numeric_limits<float>::max());
  if (std::abs(multiplier) <= kLargest && std::abs(multiplier * scale) <= kLargest) return {};
  return error_at(Code::invalid_argument, "temperature",
                  "must be finite in float32, also times scale, got % at position %", multiplier, last);
}

Error query_temperature(const Positions& positions, const Temperature& temperature, const View& out) noexcept {
  if (Error error = temperature.check()) return error;
  if (Error error = positions.check(positions.count, 1, positions.axes)) return error;
  if (Error error = temperature.check_at(positions)) return error;
  if (Error error = check_result(out, {double(positions.count)}, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"positions", positions}})) return error;
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t) out.data[t] = temperature.rounded_at(positions[t]);
  return {};
}

}  // namespace posenc
