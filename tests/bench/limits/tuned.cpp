// Kernels for one case each: no checks, no options, tables ready, sizes that are multiples of 16. What a call with all of
// these costs is seen beside them. They work in posenc's own memory, on the very same buffers.
#include <emscripten.h>
#include <wasm_simd128.h>

#include <cstddef>

namespace {

v128_t at(const float* x) { return wasm_v128_load(x); }

void put(float* x, v128_t value) { wasm_v128_store(x, value); }

v128_t times(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

}  // namespace

/// RoPE in halves of x [positions, heads, dim], in place; cosine and sine are [positions, dim / 2].
extern "C" EMSCRIPTEN_KEEPALIVE void turn_half(float* x, const float* cosine, const float* sine, std::size_t positions,
                                               std::size_t heads, std::size_t dim) {
  const std::size_t pairs = dim / 2;
  for (std::size_t t = 0; t < positions; ++t, cosine += pairs, sine += pairs)
    for (std::size_t h = 0; h < heads; ++h, x += dim)
      for (std::size_t k = 0; k < pairs; k += 16)
#pragma GCC unroll 4
        for (std::size_t i = k; i < k + 16; i += 4) {
          const v128_t a = at(x + i), b = at(x + pairs + i), c = at(cosine + i), s = at(sine + i);
          put(x + i, wasm_f32x4_sub(times(a, c), times(b, s)));
          put(x + pairs + i, wasm_f32x4_add(times(a, s), times(b, c)));
        }
}

/// The same of neighbours.
extern "C" EMSCRIPTEN_KEEPALIVE void turn_neighbours(float* x, const float* cosine, const float* sine,
                                                     std::size_t positions, std::size_t heads, std::size_t dim) {
  const v128_t signs = wasm_f32x4_make(-1, 1, -1, 1);
  const std::size_t pairs = dim / 2;
  for (std::size_t t = 0; t < positions; ++t, cosine += pairs, sine += pairs)
    for (std::size_t k = 0; k < pairs; k += 4) {
      const v128_t c = at(cosine + k), s = at(sine + k);
      const v128_t c0 = wasm_i32x4_shuffle(c, c, 0, 0, 1, 1), c1 = wasm_i32x4_shuffle(c, c, 2, 2, 3, 3);
      const v128_t s0 = times(wasm_i32x4_shuffle(s, s, 0, 0, 1, 1), signs);
      const v128_t s1 = times(wasm_i32x4_shuffle(s, s, 2, 2, 3, 3), signs);
      for (std::size_t h = 0; h < heads; ++h) {
        float* pair = x + (t * heads + h) * dim + 2 * k;
        const v128_t a = at(pair), b = at(pair + 4);
        put(pair, wasm_f32x4_add(times(a, c0), times(wasm_i32x4_shuffle(a, a, 1, 0, 3, 2), s0)));
        put(pair + 4, wasm_f32x4_add(times(b, c1), times(wasm_i32x4_shuffle(b, b, 1, 0, 3, 2), s1)));
      }
    }
}
