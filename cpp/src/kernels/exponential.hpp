// e^x of many x at once. Included by the kernels only.
#pragma once

#include "kernels/simd.hpp"

namespace posenc::simd {

// Volatile: V8 rebuilds constants in each loop that uses them, unless their values are unknown.
inline const volatile float kExpConstants[] = {1.44269504f,    -100.0f,        12582912.0f,   1.0f,
                                               0.693147182f,   0.240226477f,   0.0555033237f, 0.00961843692f,
                                               0.00133988739f, 0.000153533620f};

// e^x for x <= 0 as 2^n · 2^f, f within ±1/2: a minimax polynomial of degree 6, exactly 1 at 0. NaN stays NaN. Results
// up to 2^-100 become exactly 0: their products with values would be denormal, which many machines multiply 100×
// slower. Outside of attention products are not fused (kFused), so that all builds agree.
template <bool kFused>
class Exp {
 public:
  Floats operator()(Floats x) const {
    const Floats scaled = x * log2e_;
    const Floats shifted = scaled + magic_;  // 1.5 · 2^23 rounds to the nearest integer
    const Floats f = scaled - (shifted - magic_);
    Floats p = c_[6];
#pragma GCC unroll 6
    for (int i = 5; i >= 0; --i) p = kFused ? multiply_add(p, f, c_[i]) : p * f + c_[i];
    const auto bits = [](Floats y) { return xsimd::bitwise_cast<std::int32_t>(y); };
    const Floats power = xsimd::bitwise_cast<float>(bits(p) + (bits(shifted) << 23));
    return xsimd::bitwise_andnot(power, xsimd::bitwise_cast(scaled <= least_));
  }

 private:
  const volatile float* k_ = kExpConstants;
  Floats log2e_{k_[0]}, least_{k_[1]}, magic_{k_[2]};
  Floats c_[7] = {k_[3], k_[4], k_[5], k_[6], k_[7], k_[8], k_[9]};
};

}  // namespace posenc::simd
