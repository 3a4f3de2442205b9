#include "posenc/math/sinusoids.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "kernels/sinusoid_rows.hpp"

namespace posenc {

using simd::Doubles;
using simd::Floats;
using simd::kDoubles;
using simd::kFloats;

namespace {

// Adding and subtracting 1.5 · 2^52 rounds to the nearest integer (|x| < 2^51), in the same way on all platforms.
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

// cis(2 pi · position · (hi + lo)): removes the whole turns of the exact product before anything is rounded.
inline Cis exact_cis(Doubles position, Doubles hi, Doubles lo) {
  const Doubles product = position * hi;
  const Doubles position_hi = high_part(position), position_lo = position - position_hi;
  const Doubles turns_hi = high_part(hi), turns_lo = hi - turns_hi;
  const Doubles rounding =
      ((position_hi * turns_hi - product) + position_hi * turns_lo + position_lo * turns_hi) + position_lo * turns_lo;
  Doubles quarters = nearest(product * Doubles(4.0));
  Doubles rest = (product - quarters * Doubles(0.25)) + (rounding + position * lo);
  // Near 2^48 the rounding error of the product is a large part of a quarter turn.
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

struct FloatCis {
  Floats cosine, sine;
};

inline Cis product(const double* a, const double* b) {
  const Doubles ca = Doubles::load_unaligned(a), sa = Doubles::load_unaligned(a + kFloats);
  const Doubles cb = Doubles::load_unaligned(b), sb = Doubles::load_unaligned(b + kFloats);
  return {ca * cb - sa * sb, sa * cb + ca * sb};
}

// cis(a) · cis(b) of a batch of pairs, rounded once.
inline FloatCis rounded_product(const double* a, const double* b) {
  const Cis low = product(a, b), high = product(a + kDoubles, b + kDoubles);
  return {simd::narrow(low.cosine, high.cosine), simd::narrow(low.sine, high.sine)};
}

inline void store(Floats x, float* out, int count) {
  if (count == kFloats) return x.store_unaligned(out);
  float all[kFloats];
  x.store_unaligned(all);
  std::copy_n(all, count, out);
}

}  // namespace

[[gnu::noinline]] void exact_row(StridedValues position, StridedValues hi, StridedValues lo, int padded, double* out) {
  assert(padded >= 0 && padded % kPad == 0);
  for (int k = 0; k < padded; k += kDoubles) {
    const Cis cis = exact_cis(position.at(k), hi.at(k), lo.at(k));
    cis.cosine.store_unaligned(out + cosine_index(k));
    cis.sine.store_unaligned(out + cosine_index(k) + kFloats);
  }
}

// coarse = cis(32 · block), from the exact rows of its two upper digits.
void Sinusoids::update_coarse(double block) {
  if (has_coarse_ && block == coarse_block_) return;
  const double high = std::floor(block / kBlock);
  if (!has_coarse_ || high != high_digit_) exact_row_at(high * kBlock * kBlock, high_);
  const double *a = high_.data(), *b = digit_row(middle_, int(block - high * kBlock), kBlock);
  const Doubles magnitude(magnitude_);
  for (int k = 0; k < padded_; k += kDoubles) {
    const Cis cis = product(a + cosine_index(k), b + cosine_index(k));
    (cis.cosine * magnitude).store_unaligned(coarse_.data() + cosine_index(k));
    (cis.sine * magnitude).store_unaligned(coarse_.data() + cosine_index(k) + kFloats);
  }
  high_digit_ = high;
  coarse_block_ = block;
  has_coarse_ = true;
  coarse_watched_ = watched_within(kBlock * std::max(std::abs(block), std::abs(block + 1)));
}

// Passes each batch of sinusoids to `store(k, wave, count)`; returns whether a watched one is near 0.
template <class Store>
bool Sinusoids::make_row(const double* a, const double* b, const Store& store) const {
  Floats least(std::numeric_limits<float>::max());
  const auto watch = [&](const FloatCis& cis) {
    // A product is at most as far from 0 as either factor, and its square needs no absolute value, whose mask V8
    // computes each time.
    const Floats both = cis.cosine * cis.sine;
    least = xsimd::min(least, both * both);
  };
  const int whole = count_ / kFloats * kFloats, watched = std::min(watched_, whole);
  int k = 0;
  for (; k < watched; k += kFloats) {
    const FloatCis cis = rounded_product(a + 2 * k, b + 2 * k);
    watch(cis);
    store(k, cis, kFloats);
  }
  for (; k < whole; k += kFloats) store(k, rounded_product(a + 2 * k, b + 2 * k), kFloats);
  if (k < count_) {
    const FloatCis cis = rounded_product(a + 2 * k, b + 2 * k);
    if (k < watched_) watch(cis);
    store(k, cis, count_ - k);
  }
  return xsimd::any(least < Floats(near_));
}

void Sinusoids::row(const Real& position, double magnitude, double direction, float* cosine, float* sine) {
  // Rounded precisions round before multiplying by the magnitude.
  const auto [a, b] = factors(position, rounds() ? 1.0 : magnitude);
  const float factor = rounds() ? float(magnitude) : 1.0f;
  const Floats c(factor), s(direction < 0 ? -factor : factor);
  const bool near = make_row(a, b, [&](int k, const FloatCis& cis, int count) {
    store(cis.cosine * c, cosine + k, count);
    store(cis.sine * s, sine + k, count);
  });
  if (near) recompute_near_zeros(position, magnitude, direction, cosine, sine, 1);
}

// Rows of the same block share a coarse factor, which is computed once.
void Sinusoids::rows(double first, int count, double magnitude, float* cosine, float* sine, std::ptrdiff_t stride) {
  for (int t = 0, together = 1; t < count; t += together) {
    const double p = first + t, digit = p - std::floor(p / kBlock) * kBlock;
    together = 1;
    if (rounds() || std::abs(p) + kBlock > reach_ || p != std::floor(p)) {
      row({p, 0}, magnitude, 1, cosine, sine);
      cosine += stride, sine += stride;
      continue;
    }
    const double* coarse = factors({p, 0}, magnitude).first;
    together = std::min(count - t, kBlock - int(digit));
    for (int i = 0; i < together; ++i, cosine += stride, sine += stride) {
      const double* fine = digit_row(fine_, int(digit) + i, 1);
      const bool near = make_row(coarse, fine, [&](int k, const FloatCis& cis, int some) {
        store(cis.cosine, cosine + k, some);
        store(cis.sine, sine + k, some);
      });
      if (near) recompute_near_zeros({p + i, 0}, magnitude, 1, cosine, sine, 1);
    }
  }
}

double Sinusoids::cosine_sum(double position) {
  const auto [a, b] = factors(position, 1);
  double sum = 0;
  for (int k = 0; k < count_; ++k) {
    const int cosine = cosine_index(k), sine = cosine + kFloats;
    sum += a[cosine] * b[cosine] - a[sine] * b[sine];
  }
  return sum;
}

void Sinusoids::interleaved_row(const Real& position, float* out) {
  const auto [a, b] = factors(position, 1);
  const bool near = make_row(a, b, [&](int k, const FloatCis& cis, int count) {
    if (count == kFloats) return simd::interleave(out + 2 * k, cis.sine, cis.cosine);
    float rest[2 * kFloats];
    simd::interleave(rest, cis.sine, cis.cosine);
    std::copy_n(rest, 2 * count, out + 2 * k);
  });
  if (near) recompute_near_zeros(position, 1, 1, out + 1, out, 2);
}

}  // namespace posenc
