// cos and sin of position · frequency for a set of frequencies: exact at any position, at memory speed.
#pragma once

#include <cstdint>
#include <vector>

#include "posenc/real.hpp"

namespace posenc {

/// How a row of cosines and sines is laid down.
enum class WaveLayout {
  planar,           // first = [c0 c1 …], second = [s0 s1 …]
  sine_cosine,      // first = [s0 c0 s1 c1 …]
  cosine_sine,      // first = [c0 s0 c1 s1 …]
  pair_multiplier,  // first = [c0 c0 c1 c1 …], second = [-s0 s0 -s1 s1 …]: what an interleaved rotation multiplies by
};

/// A set of frequencies (radians per position) and their waves.
/// Integer positions p = 32 a + b come from cis(32 a w) · cis(b w) in double precision; other positions directly.
/// Either way the angle is reduced in turns with a two-word frequency, so that the error is below 1e-15 up to position
/// 2^48, and the same position always gives the same bits. Not thread-safe: rows are cached.
class Waves {
 public:
  explicit Waves(const std::vector<Real>& frequencies);
  /// PyTorch's float32 steps: angle = float(position) * frequency, rounded; cos and sin of that, rounded.
  explicit Waves(const std::vector<float>& frequencies);

  int count() const { return count_; }
  /// One row, times `magnitude` (a negative `direction` turns the other way). `second` is unused by the woven layouts.
  void row(double position, double magnitude, double direction, WaveLayout layout, float* first, float* second);

 private:
  static constexpr int kBlock = 32;
  void resize(std::size_t count);
  void coarse_row(double block);
  const double* fine_row(int index);
  void rounded_angle_row(double position);

  int count_ = 0;
  int padded_ = 0;
  bool float32_ = false;
  std::vector<double> turns_hi_, turns_lo_;
  std::vector<float> rounded_;
  std::vector<double> coarse_, row_, unit_;
  std::vector<std::vector<double>> fine_;
  double coarse_block_ = 0;
  bool has_coarse_ = false;
};

}  // namespace posenc
