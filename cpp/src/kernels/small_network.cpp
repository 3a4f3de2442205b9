// A network of one hidden layer (FIRE's), for many inputs and heads at once.
#include <algorithm>

#include "kernels/simd.hpp"
#include "posenc/kernels/kernels.hpp"

namespace posenc {

namespace {

using simd::Doubles, simd::kDoubles;

constexpr std::size_t kRun = 64, kUnits = 32;
/// Inputs whose sums stay in registers.
constexpr std::size_t kStep = 4 * std::size_t(kDoubles);

/// Activations of a layer's units for some inputs.
using Hidden = double[kUnits][kRun];

void activate(const double* x, std::size_t count, const float* weights, const float* bias, std::size_t units,
              Hidden& hidden) {
  const Doubles zero(0.0);
  for (std::size_t unit = 0; unit < units; ++unit) {
    const Doubles a{double(weights[unit])}, b{double(bias[unit])};
    for (std::size_t j = 0; j < count; j += std::size_t(kDoubles)) {
      const Doubles active = a * Doubles::load_unaligned(x + j) + b;
      xsimd::select(active > zero, active, zero).store_unaligned(hidden[unit] + j);
    }
  }
}

// sums += weights · hidden, unit after unit.
void add_units(const Hidden& hidden, const float* weights, std::size_t units, std::size_t count, double* sums) {
  for (std::size_t j = 0; j < count; j += kStep) {
    Doubles sum[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) sum[i] = Doubles::load_unaligned(sums + j + std::size_t(i * kDoubles));
    for (std::size_t unit = 0; unit < units; ++unit) {
      const Doubles weight{double(weights[unit])};
#pragma GCC unroll 4
      for (int i = 0; i < 4; ++i)
        sum[i] += weight * Doubles::load_unaligned(hidden[unit] + j + std::size_t(i * kDoubles));
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) sum[i].store_unaligned(sums + j + std::size_t(i * kDoubles));
  }
}

}  // namespace

// Heads share the activations of units, as far as these are kept.
void small_network(const double* x, std::size_t count, const SmallNetwork& net, float* out, std::ptrdiff_t stride) {
  Hidden hidden;
  for (std::size_t done = 0; done < count; done += kRun) {
    const std::size_t length = std::min(kRun, count - done), padded = (length + kStep - 1) / kStep * kStep;
    double values[kRun] = {}, sums[kRun];
    std::copy_n(x + done, length, values);
    for (std::size_t head = 0; head < net.heads; ++head) {
      std::fill_n(sums, kRun, double(net.out_bias[head]));
      for (std::size_t unit = 0; unit < net.width; unit += kUnits) {
        const std::size_t units = std::min(kUnits, net.width - unit);
        if (head == 0 || net.width > kUnits)
          activate(values, padded, net.in_weights + unit, net.in_bias + unit, units, hidden);
        add_units(hidden, net.out_weights + head * net.width + unit, units, padded, sums);
      }
      for (std::size_t j = 0; j < length; ++j)
        out[std::ptrdiff_t(head) * stride + std::ptrdiff_t(done + j)] = float(sums[j]);
    }
  }
}

}  // namespace posenc
