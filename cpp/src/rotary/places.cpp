// From the positions of a call to the rows of cosines and sines that turn by them.
#include "posenc/rotary/rotation.hpp"

namespace posenc {

Place difference(Place to, const Place& from) {
  for (std::size_t axis = 0; axis < to.at.size(); ++axis) to.at[axis] = to.at[axis] - from.at[axis];
  to.growth -= from.growth;
  return to;
}

Places::Places(const Rotation& rotation, const Positions& positions, double sequence_length, Role role, int first_slot)
    : rotation_(rotation), positions_(positions), sign_(role == Role::query ? 1 : -1), first_slot_(first_slot) {
  const AxisCoordinates& to = rotation.coordinates;
  plain_ = rotation.axes == 1 && rotation.decay.rates.empty() && to.form == AxisCoordinates::Form::index;
  if (rotation.coordinates.form != AxisCoordinates::Form::index)
    for (int axis = 0; axis < positions.axes; ++axis) extent_[std::size_t(axis)] = positions.extent_of(axis);
  const Decay& decay = rotation.decay;
  if (decay.rates.empty()) return;
  const double half = rotation.length_of(positions, sequence_length) / 2;
  centre_ = decay.centre.value_or(decay.rounds_up ? std::ceil(half) : std::floor(half));
}

Real Places::coordinate(double position, int axis) const {
  const AxisCoordinates& to = rotation_.coordinates;
  const auto scaled = [&](const Real& unit) { return Real(to.start) + Real(to.scale) * unit; };
  if (to.form == AxisCoordinates::Form::index)
    return to.start == 0 && to.scale == 1 ? Real{position, 0} : scaled(position);
  const double places = extent_[std::size_t(axis)];
  const double steps = to.form == AxisCoordinates::Form::centres ? places : places - 1;
  // A single place of linspace(-1, 1) is its beginning.
  return scaled(steps > 0 ? (Real(position) * Real(2) + Real(1 - places)) / Real(steps) : Real(-1));
}

Place Places::place(std::size_t index) const {
  const bool one = positions_.axes == 1;
  Place place{};
  for (int axis = 0; axis < rotation_.axes; ++axis)
    place.at[std::size_t(axis)] = coordinate(positions_.at(index, one ? 0 : axis), one ? 0 : axis);
  place.slot = one ? std::int64_t(std::floor(positions_[index]))
                   : std::int64_t(positions_.offset) + std::int64_t(index) + first_slot_;
  if (rotation_.decay.rates.empty()) return place;
  place.growth = sign_ * (positions_[index] - centre_);
  // Queries and keys at the same place differ.
  place.slot = 2 * place.slot + (sign_ > 0);
  return place;
}

double Places::reach() const {
  const auto distance = [&](double position) { return std::abs(position - centre_); };
  if (positions_.values.empty())
    return std::max(distance(positions_.offset), distance(positions_.offset + positions_.count));
  double reach = 0;
  for (const double position : positions_.values) reach = std::max(reach, distance(position));
  return reach;
}

// e^(rate · exponent), multiplied before anything is rounded to float32 twice.
void Rotation::grow(double exponent, float* cosine, float* sine) const {
  for (std::size_t k = 0; k < std::size_t(pairs); ++k) {
    const double factor = quick_exp(decay.rates[k] * exponent);
    cosine[k] = float(double(cosine[k]) * factor);
    sine[k] = float(double(sine[k]) * factor);
  }
}

void Rotation::row(Waves& source, const Place& place, double magnitude, double direction, float* cosine, float* sine) {
  source.row(place.at[0], magnitude, direction, cosine, sine);
  const std::size_t count = std::size_t(pairs);
  for (int axis = 1; axis < axes; ++axis) {
    const Real& at = place.at[std::size_t(axis)];
    if (at == place.at[0]) continue;
    other_.resize(2 * count);
    source.row(at, magnitude, direction, other_.data(), other_.data() + count);
    for (std::size_t k = 0; k < count; ++k) {
      if (axis_of_pair[k] != axis) continue;
      cosine[k] = other_[k];
      sine[k] = other_[count + k];
    }
  }
  if (place.growth != 0) grow(place.growth, cosine, sine);
}

const float* Rotation::turn(Waves& source, Place place, Direction direction, float* own) {
  const bool inverse = direction == Direction::inverse;
  if (inverse) place.growth = -place.growth;
  row(source, place, inverse ? 1.0 / attention_factor : attention_factor, direction == Direction::forward ? 1 : -1, own,
      own + pairs);
  return own;
}

namespace {

// Rows of multipliers that stay in the first-level cache while all heads use them: see rotation.cpp. Twice as many,
// because xPos keeps two for a position.
constexpr int kFewestRows = 32;

}  // namespace

void Rotation::keep_turns(int run) {
  constexpr std::size_t kMostFloats = 262144;
  const std::size_t width = 2 * std::size_t(pairs);
  const std::size_t wanted = std::size_t(run) * (decay.rates.empty() ? 1 : 2);
  std::size_t rows = kFewestRows;
  while (rows < wanted && 2 * rows * width <= kMostFloats) rows *= 2;
  if (rows * width <= kept_.size()) return;
  const double bytes = double(rows) * (double(width) * sizeof(float) + double(axes + 1) * sizeof(Real));
  if (!can_have(bytes)) {
    if (!kept_.empty()) return;
    rows = kFewestRows;
  }
  kept_.resize(rows * width);
  kept_places_.assign(rows * std::size_t(axes + 1), Real(kInfinity));
  kept_mask_ = rows - 1;
}

const float* Rotation::kept_turn(Waves& source, const Place& place) {
  const std::size_t index = std::size_t(place.slot) & kept_mask_;
  float* row = kept_.data() + index * 2 * std::size_t(pairs);
  Real* kept = kept_places_.data() + index * std::size_t(axes + 1);
  bool same = kept[axes].hi == place.growth;
  for (int axis = 0; axis < axes; ++axis) same = same && kept[axis] == place.at[std::size_t(axis)];
  if (same) return row;
  turn(source, place, Direction::forward, row);
  std::copy_n(place.at.begin(), axes, kept);
  kept[axes] = place.growth;
  return row;
}

}  // namespace posenc
