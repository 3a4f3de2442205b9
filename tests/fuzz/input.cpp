#include "input.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace posenc::fuzz {

namespace {

using Limits = std::numeric_limits<double>;

constexpr double kEnds[]{0,
                         -0.0,
                         0.5,
                         -0.5,
                         1e-6,
                         1e-300,
                         Limits::denorm_min(),
                         255,
                         65536,
                         1048576,
                         16777217,
                         2147483647,
                         2147483648,
                         -2147483648,
                         -2147483649,
                         4294967295,
                         4294967296,
                         281474976710656,
                         281474976710657,
                         -281474976710656,
                         9007199254740992.0,
                         9223372036854775808.0,
                         -9223372036854775808.0,
                         3.5e38,
                         1e300,
                         Limits::max(),
                         Limits::lowest(),
                         Limits::infinity(),
                         -Limits::infinity(),
                         Limits::quiet_NaN()};

}  // namespace

double Input::number() {
  switch (below(8)) {
    case 0:
      return pick(kEnds);
    case 1: {
      double bits = 0;
      const auto bytes = take(sizeof bits);
      std::memcpy(&bits, bytes.data(), bytes.size());
      return bits;
    }
    case 2:
      return between(-20, 20) + byte() / 256.0;
    case 3:
      return byte() * 257.0;
    default:
      return between(-2, 33);
  }
}

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "posenc: %.*s\n", int(what.size()), what.data());
  std::abort();
}

}  // namespace posenc::fuzz
