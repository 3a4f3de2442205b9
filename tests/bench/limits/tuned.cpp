// Kernels for one case each: no options, no checks, tables ready, sizes that are multiples of 16. What a call costs
// that has all of these is seen beside them. They work in posenc's own memory, on the very same buffers.
#include <emscripten.h>
#include <wasm_simd128.h>

#include <cstddef>

namespace {

v128_t at(const float* x) { return wasm_v128_load(x); }
v128_t times(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

constexpr int kTogether = 4;

// Rotates 4 · kTogether pairs of `rows` rows, `stride` floats apart.
inline void rotate_half_of(float* x, const float* cosine, const float* sine, std::size_t pairs, std::size_t rows,
                           std::size_t stride) {
  v128_t c[kTogether], s[kTogether];
#pragma GCC unroll 4
  for (int i = 0; i < kTogether; ++i) c[i] = at(cosine + 4 * i), s[i] = at(sine + 4 * i);
  for (std::size_t r = 0; r < rows; ++r, x += stride)
#pragma GCC unroll 4
    for (int i = 0; i < kTogether; ++i) {
      const v128_t a = at(x + 4 * i), b = at(x + pairs + 4 * i);
      wasm_v128_store(x + 4 * i, wasm_f32x4_sub(times(a, c[i]), times(b, s[i])));
      wasm_v128_store(x + pairs + 4 * i, wasm_f32x4_add(times(a, s[i]), times(b, c[i])));
    }
}

// The same of 2 · kTogether pairs of neighbours.
inline void rotate_interleaved_of(float* x, const float* cosine, const float* sine, std::size_t rows,
                                  std::size_t stride) {
  const v128_t signs = wasm_f32x4_make(-1, 1, -1, 1);
  v128_t c[kTogether], s[kTogether];
#pragma GCC unroll 2
  for (int i = 0; i < kTogether; i += 2) {
    const v128_t cosines = at(cosine + 2 * i), sines = at(sine + 2 * i);
    c[i] = wasm_i32x4_shuffle(cosines, cosines, 0, 0, 1, 1);
    c[i + 1] = wasm_i32x4_shuffle(cosines, cosines, 2, 2, 3, 3);
    s[i] = times(wasm_i32x4_shuffle(sines, sines, 0, 0, 1, 1), signs);
    s[i + 1] = times(wasm_i32x4_shuffle(sines, sines, 2, 2, 3, 3), signs);
  }
  for (std::size_t r = 0; r < rows; ++r, x += stride)
#pragma GCC unroll 4
    for (int i = 0; i < kTogether; ++i) {
      const v128_t a = at(x + 4 * i), swapped = wasm_i32x4_shuffle(a, a, 1, 0, 3, 2);
      wasm_v128_store(x + 4 * i, wasm_f32x4_add(times(a, c[i]), times(swapped, s[i])));
    }
}

}  // namespace

/// RoPE in halves of x [positions, heads, dim], in place; cosine and sine are [positions, dim / 2]. Multipliers stay in
/// registers while the heads of a position are rotated: best in the cache.
extern "C" EMSCRIPTEN_KEEPALIVE void rotate_half_by_columns(float* x, const float* cosine, const float* sine,
                                                            std::size_t positions, std::size_t heads, std::size_t dim) {
  const std::size_t pairs = dim / 2;
  for (std::size_t t = 0; t < positions; ++t, x += heads * dim)
    for (std::size_t k = 0; k < pairs; k += 4 * kTogether, cosine += 4 * kTogether, sine += 4 * kTogether)
      rotate_half_of(x + k, cosine, sine, pairs, heads, dim);
}

/// The same, one row after the other in the order of memory: best beyond the cache.
extern "C" EMSCRIPTEN_KEEPALIVE void rotate_half_by_rows(float* x, const float* cosine, const float* sine,
                                                         std::size_t positions, std::size_t heads, std::size_t dim) {
  const std::size_t pairs = dim / 2;
  for (std::size_t t = 0; t < positions; ++t, cosine += pairs, sine += pairs)
    for (std::size_t h = 0; h < heads; ++h, x += dim)
      for (std::size_t k = 0; k < pairs; k += 4 * kTogether) rotate_half_of(x + k, cosine + k, sine + k, pairs, 1, dim);
}

/// The same of neighbours, by columns.
extern "C" EMSCRIPTEN_KEEPALIVE void rotate_interleaved_by_columns(float* x, const float* cosine, const float* sine,
                                                                   std::size_t positions, std::size_t heads,
                                                                   std::size_t dim) {
  for (std::size_t t = 0; t < positions; ++t, x += heads * dim)
    for (std::size_t k = 0; k < dim; k += 4 * kTogether, cosine += 2 * kTogether, sine += 2 * kTogether)
      rotate_interleaved_of(x + k, cosine, sine, heads, dim);
}

/// And by rows.
extern "C" EMSCRIPTEN_KEEPALIVE void rotate_interleaved_by_rows(float* x, const float* cosine, const float* sine,
                                                                std::size_t positions, std::size_t heads,
                                                                std::size_t dim) {
  for (std::size_t t = 0; t < positions; ++t, cosine += dim / 2, sine += dim / 2)
    for (std::size_t h = 0; h < heads; ++h, x += dim)
      for (std::size_t k = 0; k < dim; k += 4 * kTogether)
        rotate_interleaved_of(x + k, cosine + k / 2, sine + k / 2, 1, dim);
}

/// Tables of cos and sin, [blocks · rows, pairs] each, by adding angles in double precision: `coarse` [blocks] and
/// `fine` [rows] hold rows of 2 · pairs cosines and sines, in turn two of each.
extern "C" EMSCRIPTEN_KEEPALIVE void add_angles(const double* coarse, const double* fine, std::size_t blocks,
                                                std::size_t rows, std::size_t pairs, float* cosine, float* sine) {
  const auto product = [](const double* a, const double* b, v128_t& c, v128_t& s) {
    const v128_t ca = wasm_v128_load(a), sa = wasm_v128_load(a + 2), cb = wasm_v128_load(b), sb = wasm_v128_load(b + 2);
    c = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_sub(wasm_f64x2_mul(ca, cb), wasm_f64x2_mul(sa, sb)));
    s = wasm_f32x4_demote_f64x2_zero(wasm_f64x2_add(wasm_f64x2_mul(sa, cb), wasm_f64x2_mul(ca, sb)));
  };
  for (std::size_t block = 0; block < blocks; ++block, coarse += 2 * pairs)
    for (std::size_t row = 0; row < rows; ++row) {
      const double* other = fine + row * 2 * pairs;
      for (std::size_t k = 0; k < pairs; k += 4, cosine += 4, sine += 4) {
        v128_t c[2], s[2];
        product(coarse + 2 * k, other + 2 * k, c[0], s[0]);
        product(coarse + 2 * k + 4, other + 2 * k + 4, c[1], s[1]);
        wasm_v128_store(cosine, wasm_i64x2_shuffle(c[0], c[1], 0, 2));
        wasm_v128_store(sine, wasm_i64x2_shuffle(s[0], s[1], 0, 2));
      }
    }
}
