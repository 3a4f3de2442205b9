#include "posenc/attention.hpp"

namespace posenc {

double Temperature::at(double position) const {
  const double steps = std::floor((position + offset) / length);
  return factor == 0 || steps <= 0 ? 1 : 1 + factor * log(Real(1 + steps)).hi;
}

Error Temperature::check() const {
  if (std::isfinite(factor + offset + length) && length > 0) return {};
  return error_at(Code::invalid_argument, "temperature", "needs finite numbers and a length > 0");
}

Error query_temperature(const Positions& positions, const Temperature& temperature, const View& out) {
  if (Error error = temperature.check()) return error;
  if (Error error = positions.check(positions.count, 1, positions.axes)) return error;
  if (Error error = check_result(out, {double(positions.count)}, "out")) return error;
  if (Error error = check_apart({{"out", out}}, {{"positions", positions}})) return error;
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t) out.data[t] = float(temperature.at(positions[t]));
  return {};
}

}  // namespace posenc
