#include "posenc/waves.hpp"

#include <algorithm>

#include "simd.hpp"

namespace posenc {

using simd::Doubles;
using simd::Floats;
using simd::kDoubles;
using simd::kFloats;

namespace {

constexpr int kPad = 8;  // the widest float batch in use (AVX2): rows are processed whole

// Adding and subtracting 1.5 · 2^52 rounds to the nearest integer (|x| < 2^51) with plain operators, alike everywhere.
inline Doubles nearest(Doubles x) {
  const Doubles magic(6755399441055744.0);
  return (x + magic) - magic;
}

inline Doubles high_part(Doubles x) {
  const Doubles scaled = Doubles(134217729.0) * x;
  return scaled - (scaled - x);
}

struct Cis {
  Doubles cosine, sine;
};

// sin and cos on |y| <= pi/4; coefficients of the fdlibm kernels (Sun Microsystems, 1993), error below 1 ulp.
inline Cis kernel_cis(Doubles y) {
  const Doubles z = y * y;
  Doubles s = Doubles(1.58969099521155010221e-10);
  s = s * z + Doubles(-2.50507602534068634195e-08);
  s = s * z + Doubles(2.75573137070700676789e-06);
  s = s * z + Doubles(-1.98412698298579493134e-04);
  s = s * z + Doubles(8.33333333332248946124e-03);
  s = s * z + Doubles(-1.66666666666666324348e-01);
  Doubles c = Doubles(-1.13596475577881948265e-11);
  c = c * z + Doubles(2.08757232129817482790e-09);
  c = c * z + Doubles(-2.75573143513906633035e-07);
  c = c * z + Doubles(2.48015872894767294178e-05);
  c = c * z + Doubles(-1.38888888888741095749e-03);
  c = c * z + Doubles(4.16666666666666019037e-02);
  return {Doubles(1.0) - (Doubles(0.5) * z - z * z * c), y + y * z * s};
}

// cis(2 pi · position · (hi + lo)): the whole turns of the exact product are dropped before anything is rounded.
inline Cis exact_cis(Doubles position, Doubles hi, Doubles lo) {
  const Doubles product = position * hi;
  const Doubles position_hi = high_part(position), position_lo = position - position_hi;
  const Doubles turns_hi = high_part(hi), turns_lo = hi - turns_hi;
  const Doubles rounding =
      ((position_hi * turns_hi - product) + position_hi * turns_lo + position_lo * turns_hi) + position_lo * turns_lo;
  Doubles quarters = nearest(product * Doubles(4.0));
  Doubles rest = (product - quarters * Doubles(0.25)) + (rounding + position * lo);
  // Near 2^48 the product's rounding alone is a good part of a quarter.
  const Doubles more = nearest(rest * Doubles(4.0));
  quarters = quarters + more;
  rest = rest - more * Doubles(0.25);
  const Cis base = kernel_cis(rest * Doubles(6.283185307179586));
  const Doubles quadrant = quarters - Doubles(4.0) * nearest(quarters * Doubles(0.25));  // -2 … 2
  const auto odd = xsimd::abs(quadrant) == Doubles(1.0);
  const auto half = xsimd::abs(quadrant) == Doubles(2.0);
  const Doubles cosine = xsimd::select(half, -base.cosine, base.cosine);
  const Doubles sine = xsimd::select(half, -base.sine, base.sine);
  return {xsimd::select(odd, -quadrant * base.sine, cosine), xsimd::select(odd, quadrant * base.cosine, sine)};
}

// Rows hold [kFloats cosines | kFloats sines] for each batch of pairs in turn: a step reads one run of memory.
inline int place(int k) { return k / kFloats * 2 * kFloats + k % kFloats; }

// Numbers one after another, or (step 0) the same kPad numbers again and again.
struct Numbers {
  const double* values;
  int step = 1;
  Doubles at(int k) const { return Doubles::load_unaligned(values + step * k); }
};

// One copy in the module: it is large.
[[gnu::noinline]] void exact_row(Numbers position, Numbers hi, Numbers lo, int padded, double* out) {
  for (int k = 0; k < padded; k += kDoubles) {
    const Cis cis = exact_cis(position.at(k), hi.at(k), lo.at(k));
    cis.cosine.store_unaligned(out + place(k));
    cis.sine.store_unaligned(out + place(k) + kFloats);
  }
}

struct FloatCis {
  Floats cosine, sine;
};

inline Cis product(const double* a, const double* b) {
  const Doubles ca = Doubles::load_unaligned(a), sa = Doubles::load_unaligned(a + kFloats);
  const Doubles cb = Doubles::load_unaligned(b), sb = Doubles::load_unaligned(b + kFloats);
  return {ca * cb - sa * sb, sa * cb + ca * sb};
}

// cis(a) · cis(b) of a batch of pairs, rounded once.
inline FloatCis turn(const double* a, const double* b) {
  const Cis low = product(a, b), high = product(a + kDoubles, b + kDoubles);
  return {simd::narrow(low.cosine, high.cosine), simd::narrow(low.sine, high.sine)};
}

}  // namespace

void cis_of_turns(const double* turns, int count, float* cosine, float* sine) {
  const double none[kPad] = {};
  double ones[kPad], part[kPad], waves[2 * kPad];
  std::fill_n(ones, kPad, 1.0);
  for (int k = 0; k < count; k += kPad) {
    const int some = std::min(kPad, count - k);
    std::fill(std::copy_n(turns + k, some, part), part + kPad, 0.0);
    exact_row({ones}, {part}, {none}, kPad, waves);
    for (int i = 0; i < some; ++i) {
      cosine[k + i] = float(waves[place(i)]);
      sine[k + i] = float(waves[place(i) + kFloats]);
    }
  }
}

Waves::Waves(const std::vector<Real>& frequencies, Precision precision) : float32_(precision == Precision::float32) {
  resize(frequencies.size());
  if (float32_) rounded_.resize(std::size_t(padded_));
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    if (float32_) rounded_[k] = float(frequencies[k]);
    const Real turns = frequencies[k] / kTwoPi;
    turns_hi_[k] = turns.hi;
    turns_lo_[k] = turns.lo;
  }
}

void Waves::resize(std::size_t count) {
  count_ = int(count);
  padded_ = (count_ + kPad - 1) / kPad * kPad;
  const std::size_t padded = std::size_t(padded_);
  turns_hi_.resize(padded);
  turns_lo_.resize(padded);
  row_.resize(2 * padded);
  unit_.resize(2 * padded);
  coarse_.resize(2 * padded);
  set_magnitude(1);
}

const double* Waves::exact_row_at(double position, std::vector<double>& row) {
  row.resize(2 * std::size_t(padded_));
  double same[kPad];
  std::fill_n(same, kPad, position);
  exact_row({same, 0}, {turns_hi_.data()}, {turns_lo_.data()}, padded_, row.data());
  return row.data();
}

const double* Waves::digit_row(Rows& rows, int digit, double unit) {
  std::vector<double>& row = rows[std::size_t(digit)];
  return row.empty() ? exact_row_at(digit * unit, row) : row.data();
}

void Waves::rounded_angle_row(double position) {
  const float p = float(position);
  double hi[kPad], lo[kPad], angle[kPad];
  std::fill_n(hi, kPad, kTurnsPerRadian.hi);
  std::fill_n(lo, kPad, kTurnsPerRadian.lo);
  for (int k = 0; k < padded_; k += kPad) {
    for (int i = 0; i < kPad; ++i) angle[i] = double(p * rounded_[std::size_t(k + i)]);
    exact_row({angle}, {hi}, {lo}, kPad, row_.data() + place(k));
  }
}

// coarse = cis(32 · block), from the exact rows of its two upper digits.
void Waves::update_coarse(double block) {
  if (has_coarse_ && block == coarse_block_) return;
  const double high = std::floor(block / kBlock);
  if (!has_coarse_ || high != high_digit_) exact_row_at(high * kBlock * kBlock, high_);
  const double *a = high_.data(), *b = digit_row(middle_, int(block - high * kBlock), kBlock);
  const Doubles magnitude(magnitude_);
  for (int k = 0; k < padded_; k += kDoubles) {
    const Cis cis = product(a + place(k), b + place(k));
    (cis.cosine * magnitude).store_unaligned(coarse_.data() + place(k));
    (cis.sine * magnitude).store_unaligned(coarse_.data() + place(k) + kFloats);
  }
  high_digit_ = high;
  coarse_block_ = block;
  has_coarse_ = true;
}

void Waves::set_magnitude(double magnitude) {
  magnitude_ = magnitude;
  for (int k = 0; k < padded_; k += kFloats) std::fill_n(unit_.data() + place(k), kFloats, magnitude);
  has_coarse_ = false;
}

// Finds two rows whose product is cis(position) · magnitude.
std::pair<const double*, const double*> Waves::factors(double position, double magnitude) {
  if (magnitude != magnitude_) set_magnitude(magnitude);
  if (float32_) {
    rounded_angle_row(position);
    return {row_.data(), unit_.data()};
  }
  if (position != std::floor(position)) return {exact_row_at(position, row_), unit_.data()};
  const double block = std::floor(position / kBlock);
  update_coarse(block);
  return {coarse_.data(), digit_row(fine_, int(position - block * kBlock), 1)};
}

void Waves::row(double position, double magnitude, double direction, float* cosine, float* sine) {
  // The float32 steps round before they multiply.
  const auto [a, b] = factors(position, float32_ ? 1.0 : magnitude);
  const float factor = float32_ ? float(magnitude) : 1.0f;
  const Floats c(factor), s(direction < 0 ? -factor : factor);
  int k = 0;
  for (; k + kFloats <= count_; k += kFloats) {
    const FloatCis wave = turn(a + 2 * k, b + 2 * k);
    (wave.cosine * c).store_unaligned(cosine + k);
    (wave.sine * s).store_unaligned(sine + k);
  }
  if (k == count_) return;
  float cosines[kFloats], sines[kFloats];
  const FloatCis wave = turn(a + 2 * k, b + 2 * k);
  (wave.cosine * c).store_unaligned(cosines);
  (wave.sine * s).store_unaligned(sines);
  std::copy_n(cosines, count_ - k, cosine + k);
  std::copy_n(sines, count_ - k, sine + k);
}

double Waves::cosine_sum(double position) {
  const auto [a, b] = factors(position, 1);
  double sum = 0;
  for (int k = 0; k < count_; ++k) {
    const int cosine = place(k), sine = cosine + kFloats;
    sum += a[cosine] * b[cosine] - a[sine] * b[sine];
  }
  return sum;
}

void Waves::woven_row(double position, float* out) {
  const auto [a, b] = factors(position, 1);
  int k = 0;
  for (; k + kFloats <= count_; k += kFloats) {
    const FloatCis wave = turn(a + 2 * k, b + 2 * k);
    simd::weave(out + 2 * k, wave.sine, wave.cosine);
  }
  if (k == count_) return;
  float rest[2 * kFloats];
  const FloatCis wave = turn(a + 2 * k, b + 2 * k);
  simd::weave(rest, wave.sine, wave.cosine);
  std::copy_n(rest, 2 * (count_ - k), out + 2 * k);
}

}  // namespace posenc
