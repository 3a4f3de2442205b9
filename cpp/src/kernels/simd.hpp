// The few vector operations that xsimd lacks, each in one place. Included by the kernels only.
#pragma once

#include <cstdint>
#include <type_traits>
#include <xsimd/xsimd.hpp>

namespace posenc::simd {

using Floats = xsimd::batch<float>;
using Doubles = xsimd::batch<double>;
using Words = xsimd::batch<std::uint32_t>;
using Shorts = xsimd::batch<std::int16_t>;
inline constexpr int kFloats = int(Floats::size);
inline constexpr int kDoubles = int(Doubles::size);
inline constexpr int kShorts = int(Shorts::size);

/// Without SIMD a batch is itself a loop: integer kernels are smaller and as fast without batches.
#if XSIMD_WITH_EMULATED
inline constexpr bool kBatchesAreLoops = true;
#else
inline constexpr bool kBatchesAreLoops = false;
#endif

/// Rounds two batches of doubles to one batch of floats.
inline Floats narrow(Doubles low, Doubles high) {
#if defined(__wasm_simd128__)
  return Floats(wasm_i32x4_shuffle(wasm_f32x4_demote_f64x2_zero(low), wasm_f32x4_demote_f64x2_zero(high), 0, 1, 4, 5));
#elif defined(__AVX__) && !XSIMD_WITH_EMULATED
  return Floats(_mm256_insertf128_ps(_mm256_castps128_ps256(_mm256_cvtpd_ps(low)), _mm256_cvtpd_ps(high), 1));
#elif defined(__SSE2__) && !XSIMD_WITH_EMULATED
  return Floats(_mm_movelh_ps(_mm_cvtpd_ps(low), _mm_cvtpd_ps(high)));
#else
  double wide[kFloats];
  float out[kFloats];
  low.store_unaligned(wide);
  high.store_unaligned(wide + kDoubles);
  for (int i = 0; i < kFloats; ++i) out[i] = float(wide[i]);
  return Floats::load_unaligned(out);
#endif
}

/// Loads kDoubles floats as doubles.
inline Doubles widen(const float* from) {
#if defined(__wasm_simd128__)
  return Doubles(wasm_f64x2_promote_low_f32x4(wasm_v128_load64_zero(from)));
#else
  double wide[kDoubles];
  for (int i = 0; i < kDoubles; ++i) wide[i] = double(from[i]);
  return Doubles::load_unaligned(wide);
#endif
}

struct SwapNeighbours {
  static constexpr std::uint32_t get(std::uint32_t i, std::uint32_t) { return i ^ 1u; }
};

/// [a b c d] -> [b a d c]
inline Floats swap_neighbours(Floats x) {
#if defined(__wasm_simd128__)
  return Floats(wasm_i32x4_shuffle(x, x, 1, 0, 3, 2));
#else
  return xsimd::swizzle(x, xsimd::make_batch_constant<std::uint32_t, Floats::arch_type, SwapNeighbours>());
#endif
}

/// Stores [a0 b0 a1 b1 …], two batches of floats.
inline void interleave(float* out, Floats a, Floats b) {
  xsimd::zip_lo(a, b).store_unaligned(out);
  xsimd::zip_hi(a, b).store_unaligned(out + kFloats);
}

/// Loads kFloats 16-bit integers, each into its own word. The sign of signed ones fills its upper half.
template <class Short>
Words load_narrow(const Short* from) {
#if defined(__wasm_simd128__)
  return Words(std::is_signed_v<Short> ? wasm_i32x4_load16x4(from) : wasm_u32x4_load16x4(from));
#else
  std::uint32_t wide[kFloats];
  for (int i = 0; i < kFloats; ++i) wide[i] = std::uint32_t(from[i]);
  return Words::load_unaligned(wide);
#endif
}

/// Stores the lower 16 bits of each word; the upper ones must be 0.
inline void store_narrow(Words words, std::uint16_t* to) {
#if defined(__wasm_simd128__)
  wasm_v128_store64_lane(to, wasm_u16x8_narrow_i32x4(words, words), 0);
#else
  std::uint32_t wide[kFloats];
  words.store_unaligned(wide);
  for (int i = 0; i < kFloats; ++i) to[i] = std::uint16_t(wide[i]);
#endif
}

/// a * b + c; fused only in the relaxed build. Only for attention's sums: encodings are bit-identical in all builds.
inline Floats multiply_add(Floats a, Floats b, Floats c) {
#if defined(__wasm_relaxed_simd__)
  return Floats(wasm_f32x4_relaxed_madd(a, b, c));
#else
  return a * b + c;
#endif
}

}  // namespace posenc::simd
