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

// out = [cosines | sines]
void exact_row(double position, const double* hi, const double* lo, int padded, double* out) {
  const Doubles p(position);
  for (int k = 0; k < padded; k += kDoubles) {
    const Cis cis = exact_cis(p, Doubles::load_unaligned(hi + k), Doubles::load_unaligned(lo + k));
    cis.cosine.store_unaligned(out + k);
    cis.sine.store_unaligned(out + padded + k);
  }
}

// The destinations: where whole batches go, and where the k-th wave alone goes.
struct Planar {
  float *first, *second;
  void put(int k, Floats cosine, Floats sine) const {
    cosine.store_unaligned(first + k);
    sine.store_unaligned(second + k);
  }
};

// [a0 b0 a1 b1 …]
inline void weave(float* out, int k, Floats a, Floats b) {
  xsimd::zip_lo(a, b).store_unaligned(out + 2 * k);
  xsimd::zip_hi(a, b).store_unaligned(out + 2 * k + kFloats);
}

struct SineCosine {
  float *first, *second;
  void put(int k, Floats cosine, Floats sine) const { weave(first, k, sine, cosine); }
};

struct CosineSine {
  float *first, *second;
  void put(int k, Floats cosine, Floats sine) const { weave(first, k, cosine, sine); }
};

struct PairMultiplier {
  float *first, *second;
  void put(int k, Floats cosine, Floats sine) const {
    weave(first, k, cosine, cosine);
    weave(second, k, -sine, sine);
  }
};

void put_one(WaveLayout layout, float* first, float* second, int k, float cosine, float sine) {
  switch (layout) {
    case WaveLayout::planar:
      first[k] = cosine, second[k] = sine;
      break;
    case WaveLayout::sine_cosine:
      first[2 * k] = sine, first[2 * k + 1] = cosine;
      break;
    case WaveLayout::cosine_sine:
      first[2 * k] = cosine, first[2 * k + 1] = sine;
      break;
    case WaveLayout::pair_multiplier:
      first[2 * k] = first[2 * k + 1] = cosine;
      second[2 * k] = -sine, second[2 * k + 1] = sine;
  }
}

template <class Sink, class Wave>
inline void write_batches(int count, Sink sink, Wave wave) {
  for (int k = 0; k + kFloats <= count; k += kFloats) {
    const auto [cosine, sine] = wave(k);
    sink.put(k, cosine, sine);
  }
}

// Runs `wave(k) -> {cosines, sines}` over the row; the last, partial batch goes through a small buffer.
template <class Wave>
void write(WaveLayout layout, int count, float* first, float* second, Wave wave) {
  switch (layout) {
    case WaveLayout::planar:
      write_batches(count, Planar{first, second}, wave);
      break;
    case WaveLayout::sine_cosine:
      write_batches(count, SineCosine{first, second}, wave);
      break;
    case WaveLayout::cosine_sine:
      write_batches(count, CosineSine{first, second}, wave);
      break;
    case WaveLayout::pair_multiplier:
      write_batches(count, PairMultiplier{first, second}, wave);
      break;
  }
  const int whole = count / kFloats * kFloats;
  if (whole == count) return;
  float cosines[kFloats], sines[kFloats];
  const auto [cosine, sine] = wave(whole);
  Planar{cosines, sines}.put(0, cosine, sine);
  for (int k = whole; k < count; ++k) put_one(layout, first, second, k, cosines[k - whole], sines[k - whole]);
}

struct FloatCis {
  Floats cosine, sine;
};

struct Magnitudes {
  Doubles cosine, sine;
  Floats rounded;  // applied after rounding: the float32 steps
};

// cis(a) · cis(b) · magnitude, rounded once.
inline FloatCis turn(const double* a, const double* b, int padded, int k, const Magnitudes& magnitude) {
  Doubles cosine[2], sine[2];
  for (int half = 0; half < 2; ++half) {
    const int at = k + half * kDoubles;
    const Doubles ca = Doubles::load_unaligned(a + at), sa = Doubles::load_unaligned(a + padded + at);
    const Doubles cb = Doubles::load_unaligned(b + at), sb = Doubles::load_unaligned(b + padded + at);
    cosine[half] = (ca * cb - sa * sb) * magnitude.cosine;
    sine[half] = (sa * cb + ca * sb) * magnitude.sine;
  }
  return {simd::narrow(cosine[0], cosine[1]) * magnitude.rounded, simd::narrow(sine[0], sine[1]) * magnitude.rounded};
}

}  // namespace

Waves::Waves(const std::vector<Real>& frequencies) {
  resize(frequencies.size());
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    const Real turns = frequencies[k] / kTwoPi;
    turns_hi_[k] = turns.hi;
    turns_lo_[k] = turns.lo;
  }
}

Waves::Waves(const std::vector<float>& frequencies) : float32_(true), rounded_(frequencies) {
  resize(frequencies.size());
  rounded_.resize(std::size_t(padded_));
}

void Waves::resize(std::size_t count) {
  count_ = int(count);
  padded_ = (count_ + kPad - 1) / kPad * kPad;
  const std::size_t padded = std::size_t(padded_);
  turns_hi_.resize(padded);
  turns_lo_.resize(padded);
  coarse_.resize(2 * padded);
  row_.resize(2 * padded);
  unit_.resize(2 * padded);
  std::fill_n(unit_.begin(), padded, 1.0);
  fine_.resize(kBlock);
}

const double* Waves::fine_row(int index) {
  std::vector<double>& row = fine_[std::size_t(index)];
  if (row.empty()) {
    row.resize(2 * std::size_t(padded_));
    exact_row(index, turns_hi_.data(), turns_lo_.data(), padded_, row.data());
  }
  return row.data();
}

void Waves::rounded_angle_row(double position) {
  const float p = float(position);
  const Doubles hi(kTurnsPerRadian.hi), lo(kTurnsPerRadian.lo);
  double angle[kPad];
  for (int k = 0; k < padded_; k += kPad) {
    for (int i = 0; i < kPad; ++i) angle[i] = double(p * rounded_[std::size_t(k + i)]);
    for (int i = 0; i < kPad; i += kDoubles) {
      const Cis cis = exact_cis(Doubles::load_unaligned(angle + i), hi, lo);
      cis.cosine.store_unaligned(row_.data() + k + i);
      cis.sine.store_unaligned(row_.data() + padded_ + k + i);
    }
  }
}

void Waves::coarse_row(double block) {
  if (has_coarse_ && block == coarse_block_) return;
  exact_row(block * kBlock, turns_hi_.data(), turns_lo_.data(), padded_, coarse_.data());
  coarse_block_ = block;
  has_coarse_ = true;
}

void Waves::row(double position, double magnitude, double direction, WaveLayout layout, float* first, float* second) {
  const int padded = padded_;
  const double exact = float32_ ? 1.0 : magnitude;
  const Magnitudes magnitudes{Doubles(exact), Doubles(direction < 0 ? -exact : exact),
                              Floats(float32_ ? float(magnitude) : 1.0f)};
  const double *a = row_.data(), *b = unit_.data();
  if (float32_) {
    rounded_angle_row(position);
  } else if (position == std::floor(position)) {
    const double block = std::floor(position / kBlock);
    coarse_row(block);
    a = coarse_.data();
    b = fine_row(int(position - block * kBlock));
  } else {
    exact_row(position, turns_hi_.data(), turns_lo_.data(), padded, row_.data());
  }
  write(layout, count_, first, second, [=](int k) { return turn(a, b, padded, k, magnitudes); });
}

}  // namespace posenc
