#include "posenc/rotary/rotation.hpp"

#include <algorithm>

#include "rotary/multipliers.hpp"

namespace posenc {

void Rotation::configure(const RotaryCommon& common, int pair_count) {
  dim = common.dim;
  pairs = pair_count;
  pairing = common.pairing;
  precision = common.precision;
  axes = common.axes();
  axis_of_pair = common.axis_map(pairs);
  slices = {{common.rotary_start < 0 ? dim - 2 * pairs : common.rotary_start, 0, pairs}};
  frequency_factors_ = common.frequency_factors;
  if (frequency_factors_.size() == 1) frequency_factors_.resize(std::size_t(pairs), frequency_factors_[0]);
}

std::vector<Real> Rotation::frequencies(double sequence_length) const {
  auto out = unscaled_frequencies(sequence_length);
  for (std::size_t k = 0; !parameters.empty() && k < out.size(); ++k)
    if (const float learned = parameters[0].values[k]; learned != float(out[k].value.hi))
      out[k] = Number(double(learned), precision);
  for (std::size_t k = 0; k < frequency_factors_.size(); ++k)
    out[k] = Number(out[k].value, precision) / Number(frequency_factors_[k]);
  return values_of(out);
}

bool Rotation::has_finite_frequencies() const {
  return std::ranges::all_of(parameters, [](const Parameter& learned) {
    return std::ranges::all_of(learned.values, [](float number) { return std::isfinite(number); });
  });
}

std::vector<double> Rotation::inverse_frequencies(double sequence_length) const {
  std::vector<double> out;
  for (const Real& frequency : frequencies(sequence_length)) out.push_back(frequency.hi);
  return out;
}

double Rotation::length_of(const Positions& positions, double sequence_length) const {
  if (sequence_length > 0) return sequence_length;
  return positions.count == 0 && positions.values.empty() ? 1 : std::max(1.0, std::floor(positions.largest()) + 1);
}

// The memory of a call grows with the number of pairs: rows of multipliers, frequencies of another length.
Error Rotation::check_memory() const {
  constexpr double kBytesOfPair = 1024;
  if (pairs <= 256 || can_have(kBytesOfPair * pairs)) return {};
  return error_at(Code::out_of_memory, "x", "out of memory for the multipliers of % pairs", pairs);
}

Error Rotation::tables(const Positions& positions, double sequence_length, const View& cosine, const View& sine,
                       Role role, Workspace& workspace) const noexcept {
  if (Error error = check_positions(positions, positions.count, 1, sequence_length, role)) return error;
  const Shape expected{double(positions.count), double(pairs)};
  if (Error error = check_result(cosine, expected, "out")) return error;
  if (Error error = check_result(sine, expected, "out")) return error;
  if (Error error = check_apart({{"out.cos", cosine}, {"out.sin", sine}}, {{"positions", positions}}, this))
    return error;
  const Multipliers multipliers(*this, length_of(positions, sequence_length), workspace);
  const RotationPositions rotation_positions(*this, positions, sequence_length, role);
  if (rotation_positions.plain() && positions.values.empty()) {
    multipliers.write_run(positions.offset, positions.count, attention_factor, cosine.data, sine.data);
    return {};
  }
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t)
    multipliers.write_row(rotation_positions[t], attention_factor, 1, cosine.data + t * std::size_t(pairs),
                          sine.data + t * std::size_t(pairs));
  return {};
}

Error Rotation::angles(const Positions& positions, double sequence_length, std::span<double> out) const noexcept {
  if (Error error = check_positions(positions, positions.count, 1, sequence_length, Role::key)) return error;
  const auto list = inverse_frequencies(length_of(positions, sequence_length));
  const double size = double(list.size()) * positions.count;
  if (double(out.size()) != size) return error_at(Code::shape_mismatch, "out", "must have % values", size);
  if (Error error = check_apart({{"out", out}}, {{"positions", positions}}, this)) return error;
  double* angle = out.data();
  const RotationPositions rotation_positions(*this, positions, sequence_length, Role::key);
  const bool is_float16 = precision == Precision::float16;
  const auto angle_of = [&](double frequency, const Real& at) {
    return is_float16 ? nearest_float16(frequency * nearest_float16(at.hi)) : frequency * at.hi;
  };
  for (std::size_t t = 0; t < std::size_t(positions.count); ++t) {
    const RotationPosition position = rotation_positions[t];
    for (std::size_t k = 0; k < list.size(); ++k)
      *angle++ = angle_of(list[k], position.at[axis_of_pair.empty() ? 0 : std::size_t(axis_of_pair[k])]);
  }
  return {};
}

namespace {

Error check_float16(const Positions& positions) {
  constexpr double kLargest = 65504;
  const double largest = positions.largest(), smallest = positions.smallest();
  if (largest <= kLargest && smallest >= -kLargest) return {};
  return error_at(Code::out_of_range, "positions", "must be from -65504 to 65504 with float16Angles, got %",
                  largest > kLargest ? largest : smallest);
}

}  // namespace

Error Rotation::check_positions(const Positions& positions, double per_row, double rows, double sequence_length,
                                Role role) const noexcept {
  if (Error error = positions.check(per_row, rows, one_for_all && positions.axes == 1 ? 1 : axes)) return error;
  // A sequence is one longer than its last position.
  if (sequence_length > kMaxPosition + 1)
    return error_at(Code::invalid_argument, "sequenceLength", "must be from 1 to 2^48, got %", sequence_length);
  if (precision == Precision::float16)
    if (Error error = check_float16(positions)) return error;
  if (decay.rates.empty()) return {};
  if (role == Role::none)
    return error_at(Code::invalid_argument, "role", "must be \"query\" or \"key\" for this encoding");
  // e^80 and e^-80 are close to the limits of float32.
  const double farthest = std::floor(-80 / *std::min_element(decay.rates.begin(), decay.rates.end()));
  if (RotationPositions(*this, positions, sequence_length, role).reach() <= farthest) return {};
  return error_at(Code::out_of_range, "positions",
                  "must be within % of the centre, or magnitudes overflow; use a larger scaleBase or a closer centre",
                  farthest);
}

Error Rotation::check(const View& x, HeadLayout layout, const Positions& positions, double sequence_length,
                      Role role) const noexcept {
  if (Error error = check_heads_view(x, "x")) return error;
  if (x.shape[3] != dim)
    return error_at(Code::shape_mismatch, "x", "last dim must be % (dim, the size of one head), got %", dim, x.shape);
  if (Error error = check_apart({{"x", x}}, {{"positions", positions}}, this)) return error;
  const bool heads_first = layout == HeadLayout::bhtd;
  const double per_row = x.shape[heads_first ? 2 : 1], given = double(positions.values.size());
  if (heads_first && given > 0 && given != per_row && given != x.shape[0] * per_row && given == x.shape[1])
    return error_at(Code::shape_mismatch, "positions",
                    "must have % values, got %; x is [batch, heads, positions, dim] unless layout is \"bthd\"", per_row,
                    given);
  return check_positions(counted(positions, per_row), per_row, x.shape[0], sequence_length, role);
}

}  // namespace posenc
