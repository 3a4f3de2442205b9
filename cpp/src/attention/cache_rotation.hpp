// The rotation of cached keys, and changes from one rotation to another.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// A copy of a rotation at one length, for when the original is gone or has changed.
class RotationSnapshot final : public Rotation {
 public:
  RotationSnapshot() = default;
  RotationSnapshot(const Rotation& of, double length);
  double regime(double) const override { return 0; }
  bool is_same_rotation(const RotationSnapshot& other) const;

  std::vector<Real> held_frequencies;

 private:
  std::vector<Number> unscaled_frequencies(double) const override;
};

/// A change of rows: rotated (only `to`), unrotated (only `from`), or moved from one position to another (both).
struct RotationChange {
  const Rotation* rotation = nullptr;
  Workspace* workspace = nullptr;
  double length = 0;
  const Positions *from = nullptr, *to = nullptr;
};

}  // namespace posenc
