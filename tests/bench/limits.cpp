// What the machine can do with a buffer: an in-place multiply, which reads and writes every float once and computes
// next to nothing. It works in posenc's own memory, hence has neither data nor a stack of its own.
#include <emscripten.h>
#include <wasm_simd128.h>

#include <cstddef>

/// x *= factor; `floats` is a multiple of 16.
extern "C" EMSCRIPTEN_KEEPALIVE void multiply(float* x, std::size_t floats, float factor) {
  const v128_t m = wasm_f32x4_splat(factor);
  for (std::size_t i = 0; i < floats; i += 16)
    for (std::size_t j = 0; j < 16; j += 4) wasm_v128_store(x + i + j, wasm_f32x4_mul(wasm_v128_load(x + i + j), m));
}
