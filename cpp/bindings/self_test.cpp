#include "self_test.hpp"

#include <cstring>

#include "posenc/attention.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::bindings {

namespace {

constexpr int kRows = 6, kDim = 12;

std::uint32_t hash(const float* values, std::size_t count) {
  std::uint32_t state = 2166136261u;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t bits;
    std::memcpy(&bits, values + i, sizeof bits);
    state = (state ^ bits) * 16777619u;
  }
  return state;
}

}  // namespace

bool self_test() {
  std::array<float, kRows * kDim> x, out;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(int(i * 7 % 23) - 11) / 8;
  const View view{x.data(), double(x.size()), {1, 1, kRows, kDim}};
  for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
    Rope spec;
    spec.common.dim = kDim;
    spec.common.pairing = pairing;
    RotationOf<Rope> rope(spec);
    if (rope.apply(view, HeadLayout::bhtd, {.values = {}, .offset = 1000000}, 0, Direction::forward)) return false;
  }
  if (hash(x.data(), x.size()) != 3303125334u) return false;
  AttentionOptions options;
  options.causal = true;
  if (attention(view, view, view, options, {out.data(), double(out.size()), view.shape})) return false;
  double sum = 0;
  for (float value : out) sum += double(value);
  return std::abs(sum + 2.0273917) < 1e-4;
}

}  // namespace posenc::bindings
