// What the machine can do: streams through a buffer, and multiply-adds that stay in registers. It works in posenc's
// own memory, on the very same buffers, hence has neither data nor a stack of its own.
#include <emscripten.h>
#include <wasm_simd128.h>

#include <cstddef>

namespace {

v128_t multiply_add(v128_t a, v128_t b, v128_t c) {
#ifdef __wasm_relaxed_simd__
  return wasm_f32x4_relaxed_madd(a, b, c);
#else
  return wasm_f32x4_add(wasm_f32x4_mul(a, b), c);
#endif
}

}  // namespace

/// x *= factor: reads and writes every float once. `floats` is a multiple of 16, as in all that follows.
extern "C" EMSCRIPTEN_KEEPALIVE void multiply(float* x, std::size_t floats, float factor) {
  const v128_t m = wasm_f32x4_splat(factor);
  for (std::size_t i = 0; i < floats; i += 16)
    for (std::size_t j = 0; j < 16; j += 4) wasm_v128_store(x + i + j, wasm_f32x4_mul(wasm_v128_load(x + i + j), m));
}

/// x = value: writes every float once.
extern "C" EMSCRIPTEN_KEEPALIVE void store(float* x, std::size_t floats, float value) {
  const v128_t v = wasm_f32x4_splat(value);
  for (std::size_t i = 0; i < floats; i += 16)
    for (std::size_t j = 0; j < 16; j += 4) wasm_v128_store(x + i + j, v);
}

/// The sum of x, four at a time: reads every float once.
extern "C" EMSCRIPTEN_KEEPALIVE float read(const float* x, std::size_t floats) {
  v128_t sums[4] = {};
  for (std::size_t i = 0; i < floats; i += 16)
    for (std::size_t j = 0; j < 4; ++j) sums[j] = wasm_f32x4_add(sums[j], wasm_v128_load(x + i + 4 * j));
  const v128_t sum = wasm_f32x4_add(wasm_f32x4_add(sums[0], sums[1]), wasm_f32x4_add(sums[2], sums[3]));
  return wasm_f32x4_extract_lane(sum, 0);
}

/// to = from, which do not overlap: reads one, writes the other.
extern "C" EMSCRIPTEN_KEEPALIVE void copy(float* to, const float* from, std::size_t floats) {
  __builtin_memcpy(to, from, floats * sizeof(float));
}

/// 96 floating-point operations a step: twelve chains of multiply-adds, enough to hide their latency.
extern "C" EMSCRIPTEN_KEEPALIVE float peak(int steps, float factor) {
  constexpr int kChains = 12;
  const v128_t m = wasm_f32x4_splat(factor), c = wasm_f32x4_splat(1 - factor);
  v128_t chain[kChains];
  for (int k = 0; k < kChains; ++k) chain[k] = wasm_f32x4_splat(float(k));
  for (int step = 0; step < steps; ++step)
    for (int k = 0; k < kChains; ++k) chain[k] = multiply_add(chain[k], m, c);
  v128_t sum = chain[0];
  for (int k = 1; k < kChains; ++k) sum = wasm_f32x4_add(sum, chain[k]);
  return wasm_f32x4_extract_lane(sum, 0);
}
