// Powers of one base, used by formulas over all pairs.
#pragma once

#include "posenc/math/real.hpp"

namespace posenc {

/// base^(2k / width), k = 0 … count - 1. In float32 the results follow PyTorch's kernels for tensors: blocks of 32 use
/// its vector pow (error up to one last place), the remainder the scalar pow (nearly always the nearest float32).
std::vector<Number> powers(const Number& base, int count, double width);

}  // namespace posenc
