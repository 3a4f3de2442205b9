// cos and sin of position · frequency for a set of frequencies: exact at any position, at memory speed.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "posenc/real.hpp"

namespace posenc {

/// Cosine and sine of 2π · turns.
void cis_of_turns(const double* turns, int count, float* cosine, float* sine);

/// A set of frequencies (radians per position) and their waves.
/// A whole position p = 1024 a + 32 b + c comes from cis(1024 a w) · cis(32 b w) · cis(c w) in double precision, other
/// positions come directly. Either way the angle is reduced in turns with a two-word frequency, so that the error is
/// below 1e-15 up to position 2^48, and the same position always gives the same bits. Not thread-safe: rows are cached.
class Waves {
 public:
  /// float32 is PyTorch's steps: angle = float(position) * float(frequency), rounded; cos and sin of that, rounded.
  explicit Waves(const std::vector<Real>& frequencies, Precision precision = Precision::exact);

  int count() const { return count_; }
  /// cosine, sine [count], times `magnitude`; a negative `direction` turns the other way.
  void row(double position, double magnitude, double direction, float* cosine, float* sine);
  /// The sum of the cosines, in double precision.
  double cosine_sum(double position);
  /// out = [s0 c0 s1 c1 …]
  void woven_row(double position, float* out);

 private:
  static constexpr int kBlock = 32;
  using Rows = std::array<std::vector<double>, kBlock>;

  void resize(std::size_t count);
  const double* exact_row_at(double position, std::vector<double>& row);
  const double* digit_row(Rows& rows, int digit, double unit);
  void rounded_angle_row(double position);
  void set_magnitude(double magnitude);
  void update_coarse(double block);
  std::pair<const double*, const double*> factors(double position, double magnitude);

  int count_ = 0;
  int padded_ = 0;
  bool float32_ = false;
  std::vector<double> turns_hi_, turns_lo_;
  std::vector<float> rounded_;
  // unit_ is the turn by nothing. The magnitude is folded into coarse_ and unit_.
  std::vector<double> high_, coarse_, row_, unit_;
  Rows fine_, middle_;
  double magnitude_ = 1;
  double high_digit_ = 0, coarse_block_ = 0;
  bool has_coarse_ = false;
};

}  // namespace posenc
