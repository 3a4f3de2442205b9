// The ramp of YaRN and NTK-by-parts, which determines how much each pair is scaled.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// A linear ramp over the pairs: 0 for pairs with at least `fast` rotations in `original_length` positions, 1 for pairs
/// with at most `slow` rotations. c(r) = d ln(L0 / (2π r)) / (2 ln base) is the pair with r rotations.
struct Ramp {
  Real low, high;
  Precision precision;

  Ramp(const RotaryCommon& common, double original_length, double fast, double slow, bool truncate)
      : precision(common.precision) {
    const auto pair_of_rotations = [&](double rotations) {
      return Real(double(common.rotated_dim())) * log(Real(original_length) / (kTwoPi * Real(rotations))) /
             (Real(2) * log(Real(common.base)));
    };
    low = pair_of_rotations(fast);
    high = pair_of_rotations(slow);
    if (truncate) low = floor(low), high = ceil(high);
    if (low < Real(0)) low = 0;
    const Real last = double(common.rotated_dim() - 1);
    if (last < high) high = last;
    if (low == high) high = high + Real(0.001);
  }

  /// Checks that base > 1, because the formula divides by ln base.
  static Error validate(const RotaryCommon& common, std::string_view kind) {
    if (common.base > 1) return common.validate(kind);
    return spec_error(kind, "base", "must be > 1, got %", common.base);
  }

  Number at(std::size_t pair) const {
    return clamp01((Number(double(pair)) - Number(low, precision)) / Number(high - low, precision));
  }
};

}  // namespace posenc
