// Rows of waves in double precision, of which waves are made.
#pragma once

#include "kernels/simd.hpp"

namespace posenc {

inline constexpr int kPad = 8;  // the widest float batch in use (AVX2): rows are processed whole

// A wave nearer to 0 than this is not made of products, whose error is 1e-15, but taken in full: see
// Waves::near_zero().
inline constexpr double kNear = 0x1p-20;

// Rows hold [kFloats cosines | kFloats sines] for each batch of pairs in turn: a step reads one run of memory.
inline int place(int k) { return k / simd::kFloats * 2 * simd::kFloats + k % simd::kFloats; }

// Numbers one after another, or (step 0) the same kPad numbers again and again.
struct Numbers {
  const double* values;
  int step = 1;
  simd::Doubles at(int k) const { return simd::Doubles::load_unaligned(values + step * k); }
};

/// out: cis(2 pi · position · (hi + lo)) of each; `padded` is a multiple of kPad. One copy in the module: it is large.
void exact_row(Numbers position, Numbers hi, Numbers lo, int padded, double* out);

}  // namespace posenc
