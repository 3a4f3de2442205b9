// Rows of sinusoids in double precision, the factors of other rows.
#pragma once

#include "kernels/simd.hpp"

namespace posenc {

inline constexpr int kPad = 8;  // the widest float batch in use (AVX2): rows are processed whole

// Sinusoids closer to 0 than this are not computed as products, whose error is 1e-15, but by Sinusoids::near_zero().
inline constexpr double kNear = 0x1p-20;

// Rows hold [kFloats cosines | kFloats sines] for each batch of pairs: a step reads contiguous memory.
inline int cosine_index(int k) { return k / simd::kFloats * 2 * simd::kFloats + k % simd::kFloats; }

// Consecutive values, or (step 0) the same kPad values repeatedly.
struct StridedValues {
  const double* values;
  int step = 1;
  simd::Doubles at(int k) const { return simd::Doubles::load_unaligned(values + step * k); }
};

/// out: cis(2 pi · position · (hi + lo)) of each; `padded` is a multiple of kPad. Not inlined: the code is large.
void exact_row(StridedValues position, StridedValues hi, StridedValues lo, int padded, double* out);

}  // namespace posenc
