// Keys of a cache are turned: what by, and how one way of turning becomes another.
#pragma once

#include "posenc/rotary/rotation.hpp"

namespace posenc {

/// What a rotation does at one length, kept for when that is gone or has changed.
class RotationSnapshot final : public Rotation {
 public:
  RotationSnapshot() = default;
  RotationSnapshot(const Rotation& of, double length);
  double regime(double) const override { return 0; }
  bool turns_as(const RotationSnapshot& other) const;

  std::vector<Real> held_frequencies;

 private:
  std::vector<Number> unscaled_frequencies(double) const override;
};

/// A change of rows: turned (`to` alone), given back (`from` alone), or moved from one place to another.
struct Turning {
  const Rotation* rotation = nullptr;
  Workspace* workspace = nullptr;
  double length = 0;
  const Positions *from = nullptr, *to = nullptr;
};

}  // namespace posenc
