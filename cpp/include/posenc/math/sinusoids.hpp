// cos and sin of position · frequency for a set of frequencies: exact at any position, at the speed of memory.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "posenc/math/real.hpp"

namespace posenc {

/// Cosine and sine of 2π · turns.
void cis_of_turns(const std::vector<Real>& turns, float* cosine, float* sine);
void cis_of_turns(const std::vector<Real>& turns, double* cosine, double* sine);

/// Sinusoids of a set of frequencies (radians per position).
/// An integer position p = 1024 a + 32 b + c is computed as cis(1024 a w) · cis(32 b w) · cis(c w) in double precision;
/// other positions are computed directly. In both cases the angle is reduced in full turns with a two-word frequency,
/// so that the error is below 1e-15 up to position 2^48. Results too close to 0 for that accuracy are computed from all
/// words of the frequency. The result is the float32 nearest to the exact value, or its neighbour. The same position
/// always gives bit-identical results.
/// Not thread-safe: rows are cached.
class Sinusoids {
 public:
  /// float32 and float16 follow PyTorch's steps: position, frequency, their product, and its cosine and sine are
  /// rounded.
  explicit Sinusoids(const std::vector<Real>& frequencies, Precision precision = Precision::exact);

  int count() const { return count_; }
  /// Writes cosine and sine [count], multiplied by `magnitude`. A negative `direction` rotates in the opposite
  /// direction.
  void row(const Real& position, double magnitude, double direction, float* cosine, float* sine);
  /// Writes the rows of first, first + 1, …, each `stride` numbers behind the one before and the same as that of row().
  void rows(double first, int count, double magnitude, float* cosine, float* sine, std::ptrdiff_t stride);
  /// The sum of the cosines, in double precision.
  double cosine_sum(double position);
  /// out = [s0 c0 s1 c1 …]
  void interleaved_row(const Real& position, float* out);

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
  bool make_row(const double* a, const double* b, const Store& store) const;
  double near_zero(const Real& position, std::size_t k, bool sine) const;
  void recompute_near_zeros(const Real& position, double magnitude, double direction, float* cosine, float* sine,
                            int step) const;

  int count_ = 0;
  int padded_ = 0;
  Precision precision_ = Precision::exact;
  std::vector<Real> turns_;
  std::vector<double> turns_hi_, turns_lo_;
  std::vector<float> rounded_;
  // unit_ is the identity rotation. The magnitude is folded into coarse_ and unit_.
  std::vector<double> high_, coarse_, row_, unit_;
  Rows fine_, middle_;
  double magnitude_ = 1;
  /// A row may have a sinusoid near 0 if one of its (cos · sin)² is below this. Infinity: each row may have one.
  float near_ = 0;
  double high_digit_ = 0, coarse_block_ = 0;
  bool has_coarse_ = false;
  /// Largest position for which two words of a frequency are accurate enough.
  double reach_ = 0;
  /// The sinusoids of a row with an index below this may be near a zero other than that at 0.
  int watched_ = 0, coarse_watched_ = 0;
};

}  // namespace posenc
