// Maps the positions of a call to the coordinates that rotations use.
#include "posenc/rotary/rotation.hpp"

namespace posenc {

RotationPosition difference(RotationPosition to, const RotationPosition& from) {
  for (std::size_t axis = 0; axis < to.at.size(); ++axis) to.at[axis] = to.at[axis] - from.at[axis];
  to.growth -= from.growth;
  return to;
}

RotationPositions::RotationPositions(const Rotation& rotation, const Positions& positions, double sequence_length,
                                     Role role, int first_slot)
    : rotation_(rotation), positions_(positions), sign_(role == Role::query ? 1 : -1), first_slot_(first_slot) {
  const AxisCoordinates& to = rotation.coordinates;
  plain_ = rotation.axes == 1 && rotation.decay.rates.empty() && to.form == AxisCoordinates::Form::index &&
           to.start == 0 && to.scale == 1;
  if (rotation.coordinates.form != AxisCoordinates::Form::index)
    for (int axis = 0; axis < positions.axes; ++axis) extent_[std::size_t(axis)] = positions.extent_of(axis);
  const Decay& decay = rotation.decay;
  if (decay.rates.empty()) return;
  const double half = rotation.length_of(positions, sequence_length) / 2;
  centre_ = decay.centre.value_or(decay.rounds_up ? std::ceil(half) : std::floor(half));
}

Real RotationPositions::coordinate(double position, int axis) const {
  const AxisCoordinates& to = rotation_.coordinates;
  const auto scaled = [&](const Real& unit) { return Real(to.start) + Real(to.scale) * unit; };
  if (to.form == AxisCoordinates::Form::index)
    return to.start == 0 && to.scale == 1 ? Real{position, 0} : scaled(position);
  const double cells = extent_[std::size_t(axis)];
  const double steps = to.form == AxisCoordinates::Form::centres ? cells : cells - 1;
  // linspace(-1, 1) of one element is [-1].
  return scaled(steps > 0 ? (Real(position) * Real(2) + Real(1 - cells)) / Real(steps) : Real(-1));
}

RotationPosition RotationPositions::position_at(std::size_t index) const {
  const bool one = positions_.axes == 1;
  RotationPosition position{};
  for (int axis = 0; axis < rotation_.axes; ++axis)
    position.at[std::size_t(axis)] = coordinate(positions_.at(index, one ? 0 : axis), one ? 0 : axis);
  position.slot = one ? std::int64_t(std::floor(positions_[index]))
                      : std::int64_t(positions_.offset) + std::int64_t(index) + first_slot_;
  if (rotation_.decay.rates.empty()) return position;
  position.growth = sign_ * (positions_[index] - centre_);
  // Queries and keys at the same position have different multipliers.
  position.slot = 2 * position.slot + (sign_ > 0);
  return position;
}

double RotationPositions::reach() const {
  const auto distance = [&](double position) { return std::abs(position - centre_); };
  if (positions_.values.empty())
    return std::max(distance(positions_.offset), distance(positions_.offset + positions_.count));
  double reach = 0;
  for (const double position : positions_.values) reach = std::max(reach, distance(position));
  return reach;
}

}  // namespace posenc
