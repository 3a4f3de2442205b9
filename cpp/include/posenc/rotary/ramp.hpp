// Which pairs a scaling rule changes: the ramp that YaRN and NTK-by-parts share.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// A linear ramp over the pairs: 0 for pairs that turn at least `fast` times in `original_length` positions, 1 for
/// those that turn at most `slow` times. c(r) = d ln(L0 / (2π r)) / (2 ln base) is the pair that turns r times.
struct Ramp {
  Real low, high;
  Precision precision;

  Ramp(const RotaryCommon& common, double original_length, double fast, double slow, bool truncate)
      : precision(common.precision) {
    const auto pair_turning = [&](double turns) {
      return Real(double(common.turned())) * log(Real(original_length) / (kTwoPi * Real(turns))) /
             (Real(2) * log(Real(common.base)));
    };
    low = pair_turning(fast);
    high = pair_turning(slow);
    if (truncate) low = floor(low), high = ceil(high);
    if (low < Real(0)) low = 0;
    const Real last = double(common.turned() - 1);
    if (last < high) high = last;
    if (low == high) high = high + Real(0.001);
  }

  /// ln base is divided by.
  static Error validate(const RotaryCommon& common, std::string_view kind) {
    if (common.base > 1) return common.validate(kind);
    return spec_error(kind, "base", "must be > 1, got %", common.base);
  }

  Number at(std::size_t pair) const {
    return clamp01((Number(double(pair)) - Number(low, precision)) / Number(high - low, precision));
  }
};

}  // namespace posenc
