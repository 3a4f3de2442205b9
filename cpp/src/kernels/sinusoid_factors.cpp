// Rows of factors whose products are sinusoids; sinusoids near 0, which are computed directly.
#include <algorithm>
#include <cfloat>
#include <cmath>

#include "kernels/sinusoid_rows.hpp"
#include "posenc/core/memory.hpp"
#include "posenc/math/sinusoids.hpp"

namespace posenc {

using simd::kFloats;

namespace {

constexpr Real kQuarter{0.25, 0}, kHalf{0.5, 0}, kFour{4, 0};

// Reduces turns to [-1/2, 1/2).
Real reduced_turns(const Real& turns) { return turns - floor(turns + kHalf); }

template <class Number>
void cis_of(const std::vector<Real>& turns, Number* cosine, Number* sine) {
  double one[kPad], hi[kPad] = {}, lo[kPad] = {}, row[2 * kPad];
  std::fill_n(one, kPad, 1.0);
  for (std::size_t k = 0; k < turns.size(); k += kPad) {
    const std::size_t some = std::min(std::size_t(kPad), turns.size() - k);
    for (std::size_t i = 0; i < some; ++i) {
      const Real part = reduced_turns(turns[k + i]);
      hi[i] = part.hi;
      lo[i] = part.lo;
    }
    exact_row({one}, {hi}, {lo}, kPad, row);
    for (std::size_t i = 0; i < some; ++i) {
      cosine[k + i] = Number(row[cosine_index(int(i))]);
      sine[k + i] = Number(row[cosine_index(int(i)) + kFloats]);
    }
  }
}

}  // namespace

void cis_of_turns(const std::vector<Real>& turns, float* cosine, float* sine) { cis_of(turns, cosine, sine); }
void cis_of_turns(const std::vector<Real>& turns, double* cosine, double* sine) { cis_of(turns, cosine, sine); }

Sinusoids::Sinusoids(const std::vector<Real>& frequencies, Precision precision)
    : count_(int(frequencies.size())),
      padded_((count_ + kPad - 1) / kPad * kPad),
      precision_(precision),
      turns_(std::size_t(padded_), Real(0)) {
  const std::size_t padded = std::size_t(padded_);
  turns_hi_.resize(padded);
  turns_lo_.resize(padded);
  if (rounds()) rounded_.resize(padded);
  row_.resize(2 * padded);
  unit_.resize(2 * padded);
  coarse_.resize(2 * padded);
  double fastest = 0x1p-6;
  for (std::size_t k = 0; k < padded; ++k) {
    // Pads the last batch with the last frequency: padding must not look like a sinusoid near 0.
    const Real& frequency = frequencies[std::min(k, frequencies.size() - 1)];
    turns_[k] = frequency * kTurnsPerRadian;
    turns_hi_[k] = turns_[k].hi;
    turns_lo_[k] = turns_[k].lo;
    if (rounds()) rounded_[k] = rounded(frequency);
    fastest = std::max(fastest, std::abs(turns_hi_[k]));
  }
  reach_ = 0x1p46 / fastest;
  set_magnitude(1);
}

const double* Sinusoids::exact_row_at(const Real& position, std::vector<double>& row) {
  row.resize(2 * std::size_t(padded_));
  double same[kPad], lo[kPad];
  std::fill_n(same, kPad, position.hi);
  const double share = position.lo == 0 ? 0 : position.lo / position.hi;
  for (int k = 0; k < padded_; k += kPad) {
    const double* hi = turns_hi_.data() + k;
    for (int i = 0; i < kPad; ++i) lo[i] = turns_lo_[std::size_t(k + i)] + share * hi[i];
    exact_row({same}, {hi}, {lo}, kPad, row.data() + cosine_index(k));
  }
  return row.data();
}

const double* Sinusoids::digit_row(Rows& rows, int digit, double unit) {
  std::vector<double>& row = rows[std::size_t(digit)];
  if (!row.empty()) return row.data();
  // Without memory to cache it, the row is recomputed each time, in row_, which integer positions do not use otherwise.
  return exact_row_at(digit * unit, can_have(2.0 * padded_ * sizeof(double)) ? row : row_);
}

float Sinusoids::rounded(const Real& number) const { return float(Number(number, precision_).value); }

// float32 holds the product of two float16 values exactly.
double Sinusoids::rounded_angle(float position, std::size_t k) const {
  const float product = position * rounded_[k];
  return precision_ == Precision::float16 ? nearest_float16(double(product)) : double(product);
}

const double* Sinusoids::rounded_angle_row(float position) {
  double hi[kPad], lo[kPad], angle[kPad];
  std::fill_n(hi, kPad, kTurnsPerRadian.hi);
  std::fill_n(lo, kPad, kTurnsPerRadian.lo);
  for (int k = 0; k < padded_; k += kPad) {
    for (int i = 0; i < kPad; ++i) angle[i] = rounded_angle(position, std::size_t(k + i));
    exact_row({angle}, {hi}, {lo}, kPad, row_.data() + cosine_index(k));
  }
  if (precision_ == Precision::float16)
    for (double& value : row_) value = nearest_float16(double(float(value)));
  return row_.data();
}

// For positions beyond the range reduction in double precision.
const double* Sinusoids::far_row_at(const Real& position) {
  double one[kPad];
  std::fill_n(one, kPad, 1.0);
  for (int k = 0; k < padded_; k += kPad) {
    double hi[kPad], lo[kPad];
    for (int i = 0; i < kPad; ++i) {
      const Real part = reduced_turns(turns(position, std::size_t(k + i)));
      hi[i] = part.hi;
      lo[i] = part.lo;
    }
    exact_row({one}, {hi}, {lo}, kPad, row_.data() + cosine_index(k));
  }
  return row_.data();
}

Real Sinusoids::turns(const Real& position, std::size_t k) const {
  return rounds() ? Real{rounded_angle(rounded(position), k), 0} * kTurnsPerRadian : position * turns_[k];
}

// Sinusoids that stay within 1/8 turn have no zero except at 0, where they are accurate.
int Sinusoids::watched_within(double farthest) const {
  int count = count_;
  while (count > 0 && std::abs(turns_hi_[std::size_t(count - 1)]) * farthest < 0.125) --count;
  return (count + kFloats - 1) / kFloats * kFloats;
}

void Sinusoids::set_magnitude(double magnitude) {
  magnitude_ = magnitude;
  // Twice as far as needed, since the product is rounded. Beyond the range of float each row may be near.
  const double limit = 2 * kNear * magnitude * magnitude, square = limit * limit;
  near_ = square >= FLT_MIN && square < FLT_MAX ? float(square) : INFINITY;
  for (int k = 0; k < padded_; k += kFloats) std::fill_n(unit_.data() + cosine_index(k), kFloats, magnitude);
  has_coarse_ = false;
}

// Finds two rows whose product is cis(position) · magnitude.
std::pair<const double*, const double*> Sinusoids::factors(const Real& position, double magnitude) {
  if (magnitude != magnitude_) set_magnitude(magnitude);
  const double p = position.hi, distance = std::abs(p);
  const bool far = distance > reach_;
  if (!far && !rounds() && p == std::floor(p) && position.lo == 0) {
    const double block = std::floor(p / kBlock);
    update_coarse(block);
    watched_ = coarse_watched_;
    return {coarse_.data(), digit_row(fine_, int(p - block * kBlock), 1)};
  }
  watched_ = watched_within(distance);
  if (far) return {far_row_at(position), unit_.data()};
  return {rounds() ? rounded_angle_row(rounded(position)) : exact_row_at(position, row_), unit_.data()};
}

// cos or sin of position · frequency near a zero, from the full-precision remainder modulo a quarter turn.
double Sinusoids::near_zero(const Real& position, std::size_t k, bool sine) const {
  const Real all = turns(position, k), quarters = floor(all * kFour + kHalf), rest = all - quarters * kQuarter;
  // No product of a 53-bit and an irrational value is so close: turns are rational, and the result is 0.
  if (std::abs(rest.hi) < 0x1p-130 * std::abs(all.hi)) return 0;
  const double x = (rest * kTwoPi).hi, quadrant = (quarters - floor(quarters * kQuarter) * kFour).hi;
  return (quadrant == (sine ? 2 : 1) ? -1 : 1) * (x - x * x * x / 6);
}

void Sinusoids::recompute_near_zeros(const Real& position, double magnitude, double direction, float* cosine,
                                     float* sine, int step) const {
  const double near = std::abs(magnitude) * kNear;
  const auto recomputed = [&](std::size_t k, bool is_sine) {
    const double value = near_zero(position, k, is_sine);
    return rounds() ? rounded(Real(value)) * float(magnitude) : float(value * magnitude);
  };
  for (int k = 0; k < std::min(watched_, count_); ++k, cosine += step, sine += step) {
    if (std::abs(double(*cosine)) < near) *cosine = recomputed(std::size_t(k), false);
    if (std::abs(double(*sine)) < near) *sine = recomputed(std::size_t(k), true) * (direction < 0 ? -1.0f : 1.0f);
  }
}

}  // namespace posenc
