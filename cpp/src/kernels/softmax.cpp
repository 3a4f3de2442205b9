// From scores to weights of attention.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "kernels/exponential.hpp"
#include "kernels/tiles.hpp"

namespace posenc::tiles {

using simd::Exp, simd::Floats, simd::kFloats;

namespace {

float largest(const float* x, int count) {
  Floats top(kMinusInfinity), other(kMinusInfinity);
  for (int j = 0; j < count; j += 2 * kFloats) {
    top = xsimd::max(top, Floats::load_unaligned(x + j));
    other = xsimd::max(other, Floats::load_unaligned(x + j + kFloats));
  }
  return xsimd::reduce_max(xsimd::max(top, other));
}

}  // namespace

void weigh(float* scores, int rows, int count, Softmax* states, float* shrinks) {
  assert(rows >= 0 && count >= 0 && count <= kKeys);
  const Exp<true> exp;
  for (int r = 0; r < rows; ++r, scores += kKeys) {
    for (int j = count; j < round_up(count); ++j) scores[j] = kMinusInfinity;
    Softmax& state = states[r];
    const float top = std::max(state.top, largest(scores, count));
    shrinks[r] = 1;
    if (top == kMinusInfinity) {
      // All keys are masked, or all other scores are NaN.
      for (int j = 0; j < round_up(count); ++j)
        state.total += std::exchange(scores[j], 0.0f) == kMinusInfinity ? 0.0f : NAN;
      continue;
    }
    Floats sum(0.0f);
    for (int j = 0; j < count; j += kFloats) {
      const Floats e = exp(Floats::load_unaligned(scores + j) - Floats(top));
      e.store_unaligned(scores + j);
      sum += e;
    }
    if (top > state.top) shrinks[r] = exp(Floats(state.top - top)).get(0);
    state.top = top;
    state.total = state.total * shrinks[r] + xsimd::reduce_add(sum);
  }
}

// tanh: a series near 0, where (1 - e^(-2|y|)) / (1 + e^(-2|y|)) would lose digits.
void soft_cap(float* x, int count, float cap) {
  assert(count <= kKeys && cap > 0);
  const Exp<true> exp;
  const Floats limit(cap), one(1.0f), zero(0.0f);
  for (int j = 0; j < count; j += kFloats) {
    const Floats y = Floats::load_unaligned(x + j) / limit, away = xsimd::max(y, zero - y), square = y * y;
    const Floats decay = exp(Floats(-2.0f) * away), far = (one - decay) / (one + decay);
    Floats near(62.0f / 2835);
    for (const float term : {-17.0f / 315, 2.0f / 15, -1.0f / 3, 1.0f}) near = near * square + Floats(term);
    const Floats tanh = xsimd::select(square < Floats(0.0625f), near * away, far);
    (limit * xsimd::select(y < zero, zero - tanh, tanh)).store_unaligned(x + j);
  }
}

}  // namespace posenc::tiles
