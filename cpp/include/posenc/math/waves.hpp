// cos and sin of position · frequency for a set of frequencies: exact at any position, at memory speed.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "posenc/math/real.hpp"

namespace posenc {

/// Cosine and sine of 2π · turns.
void cis_of_turns(const std::vector<Real>& turns, float* cosine, float* sine);
void cis_of_turns(const std::vector<Real>& turns, double* cosine, double* sine);

/// A set of frequencies (radians per position) and their waves.
/// A whole position p = 1024 a + 32 b + c comes from cis(1024 a w) · cis(32 b w) · cis(c w) in double precision, other
/// positions come directly. Either way the angle is reduced in turns with a two-word frequency, so that the error is
/// below 1e-15 up to position 2^48. What lies so near to 0 that this is not enough comes from all the words there are:
/// the result is the float32 nearest to the truth or its neighbour. The same position always gives the same bits.
/// Not thread-safe: rows are cached.
class Waves {
 public:
  /// float32 and float16 are PyTorch's steps: position, frequency, their product, and its cosine and sine are rounded.
  explicit Waves(const std::vector<Real>& frequencies, Precision precision = Precision::exact);

  int count() const { return count_; }
  /// cosine, sine [count], times `magnitude`; a negative `direction` turns the other way.
  void row(const Real& position, double magnitude, double direction, float* cosine, float* sine);
  /// The rows of first, first + 1, … one after another, the same as row() makes of each.
  void rows(double first, int count, double magnitude, float* cosine, float* sine);
  /// The sum of the cosines, in double precision.
  double cosine_sum(double position);
  /// out = [s0 c0 s1 c1 …]
  void woven_row(const Real& position, float* out);

 private:
  static constexpr int kBlock = 32;
  using Rows = std::array<std::vector<double>, kBlock>;

  const double* exact_row_at(const Real& position, std::vector<double>& row);
  const double* rounded_angle_row(float position);
  const double* far_row_at(const Real& position);
  const double* digit_row(Rows& rows, int digit, double unit);
  bool rounds() const { return precision_ != Precision::exact; }
  float rounded(const Real& number) const;
  double rounded_angle(float position, std::size_t k) const;
  Real turns(const Real& position, std::size_t k) const;
  int watched_within(double farthest) const;
  void set_magnitude(double magnitude);
  void update_coarse(double block);
  std::pair<const double*, const double*> factors(const Real& position, double magnitude);
  template <class Store>
  bool make_row(const double* a, const double* b, double magnitude, const Store& store) const;
  double near_zero(const Real& position, std::size_t k, bool sine) const;
  void mend(const Real& position, double magnitude, double direction, float* cosine, float* sine, int step) const;

  int count_ = 0;
  int padded_ = 0;
  Precision precision_ = Precision::exact;
  std::vector<Real> turns_;
  std::vector<double> turns_hi_, turns_lo_;
  std::vector<float> rounded_;
  // unit_ is the turn by nothing. The magnitude is folded into coarse_ and unit_.
  std::vector<double> high_, coarse_, row_, unit_;
  Rows fine_, middle_;
  double magnitude_ = 1;
  double high_digit_ = 0, coarse_block_ = 0;
  bool has_coarse_ = false;
  /// How far two words of a frequency reach.
  double reach_ = 0;
  /// Of a row's waves those before may be near a zero other than that at 0.
  int watched_ = 0, coarse_watched_ = 0;
};

}  // namespace posenc
