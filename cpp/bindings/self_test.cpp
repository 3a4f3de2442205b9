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

using Values = std::array<float, kRows * kDim>;

View view_of(Values& values) { return {values.data(), double(values.size()), {1, 1, kRows, kDim}}; }

Values known_values() {
  Values x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = float(int(i * 7 % 23) - 11) / 8;
  return x;
}

}  // namespace

bool rotates_rightly() {
  Values x = known_values();
  Workspace workspace;
  for (const Pairing pairing : {Pairing::half, Pairing::interleaved}) {
    Rope spec;
    spec.common.dim = kDim;
    spec.common.pairing = pairing;
    RotationOf<Rope> rope(spec);
    if (rope.apply(view_of(x), HeadLayout::bhtd, Positions::run(1000000, kRows), 0, Direction::forward, Role::none,
                   workspace))
      return false;
  }
  return hash(x.data(), x.size()) == 3303125334u;
}

bool attends_rightly() {
  Values x = known_values(), out;
  AttentionOptions options;
  options.causal = true;
  Workspace workspace;
  if (attention(view_of(x), view_of(x), view_of(x), options, view_of(out), workspace)) return false;
  double sum = 0;
  for (float value : out) sum += double(value);
  return std::abs(sum + 1.6374103) < 1e-4;
}

}  // namespace posenc::bindings
