// Features as magnitudes, at angles (PoPE).
#include <algorithm>
#include <cassert>

#include "kernels/exponential.hpp"
#include "kernels/tiles.hpp"

namespace posenc::tiles {

using simd::Floats, simd::kFloats;

namespace {

/// Features whose magnitudes are made together.
constexpr int kMagnitudes = 64;

// max(x, 0) + ln(1 + e), e = e^-|x|, of whole batches. The logarithm is 2 artanh(s), s = e / (2 + e) <= 1/3: a
// polynomial of s², error below 1e-8. Two short loops: operations of one batch wait for each other, so those of the
// next ones must fit into what a processor looks ahead.
[[gnu::noinline]] void soft_plus(const float* x, int count, float* out) {
  assert(count <= kMagnitudes && count % kFloats == 0);
  static constexpr volatile float kConstants[] = {0, 2, 1, 0.333331615f, 0.200122982f, 0.139825791f, 0.140788898f};
  const volatile float* k = kConstants;
  const Floats zero(k[0]), two(k[1]), c[5] = {k[2], k[3], k[4], k[5], k[6]};
  const simd::Exp<false> exp;
  for (int j = 0; j < count; j += kFloats) {
    const Floats some = Floats::load_unaligned(x + j);
    exp(xsimd::min(some, zero - some)).store_unaligned(out + j);
  }
  for (int j = 0; j < count; j += kFloats) {
    const Floats decay = Floats::load_unaligned(out + j);
    const Floats s = decay / (decay + two), square = s * s;
    Floats sum = c[4];
#pragma GCC unroll 4
    for (int i = 3; i >= 0; --i) sum = sum * square + c[i];
    (xsimd::max(Floats::load_unaligned(x + j), zero) + (s + s) * sum).store_unaligned(out + j);
  }
}

// [m x, m y …] of a batch of magnitudes
void turn(const float* magnitudes, const float* angle, const float* phase, int sines, float* out) {
  const Floats magnitude = Floats::load_unaligned(magnitudes);
  Floats x = Floats::load_unaligned(angle), y = Floats::load_unaligned(angle + sines);
  if (phase) {
    const Floats a = Floats::load_unaligned(phase), b = Floats::load_unaligned(phase + sines);
    const Floats rotated_x = x * a - y * b;
    y = x * b + y * a;
    x = rotated_x;
  }
  simd::interleave(out, magnitude * x, magnitude * y);
}

}  // namespace

// From the last features to the first, so that no feature is overwritten before it is read.
void polar_rows(float* rows, std::ptrdiff_t stride, int row_count, int count, const float* const* multipliers,
                const float* phase) {
  assert(row_count >= 0 && count > 0);
  const int sines = round_up(count);
  for (int r = 0; r < row_count; ++r)
    for (int start = (count - 1) / kMagnitudes * kMagnitudes; start >= 0; start -= kMagnitudes) {
      const int some = std::min(kMagnitudes, count - start), whole = some / kFloats * kFloats;
      float magnitudes[kMagnitudes], last[2 * kFloats], *row = rows + r * stride + start, *out = row + start;
      soft_plus(row, whole, magnitudes);
      if (whole < some) {
        float rest[kFloats] = {};
        for (int j = whole; j < some; ++j) rest[j - whole] = row[j];
        soft_plus(rest, kFloats, magnitudes + whole);
      }
      for (int j = 0, at = start; j < some; j += kFloats, at += kFloats)
        turn(magnitudes + j, multipliers[r] + at, phase ? phase + at : nullptr, sines, j < whole ? out + 2 * j : last);
      for (int j = 2 * whole; j < 2 * some; ++j) out[j] = last[j - 2 * whole];
    }
}

}  // namespace posenc::tiles
