// A network of one hidden layer (FIRE's), for many numbers at once.
#include "posenc/kernels/kernels.hpp"

namespace posenc {

void small_network(const double* x, std::size_t count, const SmallNetwork& net, float* out) {
  constexpr std::size_t kRun = 64;
  for (std::size_t done = 0; done < count; done += kRun) {
    const std::size_t length = count - done < kRun ? count - done : kRun;
    double sum[kRun];
    for (std::size_t j = 0; j < length; ++j) sum[j] = double(net.out_bias);
    for (std::size_t unit = 0; unit < net.width; ++unit) {
      const double a = double(net.in_weights[unit]), b = double(net.in_bias[unit]), w = double(net.out_weights[unit]);
      for (std::size_t j = 0; j < length; ++j) {
        const double active = a * x[done + j] + b;
        sum[j] += w * (active > 0 ? active : 0);
      }
    }
    for (std::size_t j = 0; j < length; ++j) out[done + j] = float(sum[j]);
  }
}

}  // namespace posenc
