// Maps that rotate pairs of features.
#include <algorithm>

#include "posenc/kernels/kernels.hpp"
#include "posenc/math/powers.hpp"
#include "posenc/relative/row_maps.hpp"

namespace posenc {

namespace {

constexpr std::size_t kPairMapsTogether = 16;

}  // namespace

PairMaps::PairMaps(int own_heads, int axis_count, int pair_count, Pairing layout)
    : RowMaps(std::max(1, own_heads), 2 * pair_count),
      axes(axis_count),
      pairs(pair_count),
      pairing(layout),
      radians_(index_of(axis_count, 0)),
      turns_(radians_.size()),
      slopes_(radians_.size()),
      sum_(std::size_t(pair_count)),
      reversed_(kPairMapsTogether * std::size_t(floats)) {}

void PairMaps::set_frequency(std::size_t i, const Real& radians) {
  radians_[i] = radians;
  turns_[i] = radians * kTurnsPerRadian;
}

std::vector<double> PairMaps::frequencies() const {
  std::vector<double> out;
  for (const Real& radians : radians_) out.push_back(radians.hi);
  return out;
}

void PairMaps::make(int head, const Coordinates& coordinates, float* map) {
  for (int axis = 0; axis < axes; ++axis) {
    const Real* turns = turns_.data() + index_of(axis, head);
    const Real& at = coordinates[std::size_t(axis)];
    for (std::size_t k = 0; k < sum_.size(); ++k) sum_[k] = axis == 0 ? at * turns[k] : sum_[k] + at * turns[k];
  }
  cis_of_turns(sum_, map, map + pairs);
}

void PairMaps::transform(int, List maps, float* rows, std::ptrdiff_t stride) {
  rotate(rows, {1, int(maps.size()), pairs, 0, stride}, pairing, false, maps.data());
}

void PairMaps::transform_transposed(int, List maps, float* rows, std::ptrdiff_t stride) {
  std::array<const float*, kPairMapsTogether> reversed;
  for (std::size_t i = 0; i < maps.size(); ++i) {
    float* row = reversed_.data() + i * std::size_t(floats);
    reversed[i] = row;
    row = std::copy_n(maps[i], pairs, row);
    for (int k = 0; k < pairs; ++k) row[k] = -maps[i][pairs + k];
  }
  rotate(rows, {1, int(maps.size()), pairs, 0, stride}, pairing, true, reversed.data());
}

std::pair<int, int> PairMaps::features_of(int k) const {
  if (pairing == Pairing::interleaved) return {2 * k, 2 * k + 1};
  return {k, k + pairs};
}

bool PairMaps::begin_learning(double) {
  std::ranges::fill(slopes_, 0.0);
  return true;
}

// With g the gradient of a rotated pair y, the gradient of its angle is y_a g_b - y_b g_a.
void PairMaps::learn(const Slope& of) {
  for (int k = 0; k < pairs; ++k) {
    const auto [a, b] = features_of(k);
    const double slope = double(of.made[a]) * double(of.slopes[b]) - double(of.made[b]) * double(of.slopes[a]);
    for (int axis = 0; axis < axes; ++axis)
      slopes_[index_of(axis, of.head) + std::size_t(k)] +=
          (of.coordinates[std::size_t(axis)] - of.origin[std::size_t(axis)]).hi * slope;
  }
}

namespace {

// Orthonormal rows with random directions.
void make_frame(const float* random, int axes, double* frame) {
  for (int row = 0; row < axes; ++row) {
    double* own = frame + row * axes;
    for (int i = 0; i < axes; ++i) own[i] = double(random[row * axes + i]);
    for (int other = 0; other < row; ++other) {
      double along = 0;
      for (int i = 0; i < axes; ++i) along += own[i] * frame[other * axes + i];
      for (int i = 0; i < axes; ++i) own[i] -= along * frame[other * axes + i];
    }
    double square = 0;
    for (int i = 0; i < axes; ++i) square += own[i] * own[i];
    for (int i = 0; i < axes; ++i) own[i] = square > 0 ? own[i] / std::sqrt(square) : double(i == row);
  }
}

}  // namespace

Parameter mixed_frequencies(int heads, int axes, int pairs, double base, const RandomInit& init) {
  auto out = Parameter::filled("frequencies", "axes, heads, pairs", "Radians per position on each axis.",
                               {double(axes), double(heads), double(pairs)});
  if (out.shape.size() > kMaxParameterSize || !can_have(out.shape.size() * sizeof(float) * 2)) return out;
  out.begin();
  auto random = init.fill("", "", "", {double(heads), double(axes), double(axes)});
  random.begin();
  const int share = (pairs + axes - 1) / axes;
  const auto sizes = powers(1 / Number(base), share, 2 * share);
  std::array<double, kMaxAxes * kMaxAxes> frame;
  for (int head = 0; head < heads; ++head) {
    if (axes > 1)
      make_frame(random.values.data() + std::ptrdiff_t(head) * axes * axes, axes, frame.data());
    else
      frame[0] = 1;
    for (int k = 0; k < pairs; ++k)
      for (int axis = 0; axis < axes; ++axis)
        out.values[(std::size_t(axis) * std::size_t(heads) + std::size_t(head)) * std::size_t(pairs) + std::size_t(k)] =
            float(sizes[std::size_t(k % share)].value.hi * frame[std::size_t(k / share * axes + axis)]);
  }
  return out;
}

}  // namespace posenc
