// Powers of one base, as formulas over all pairs take them.
#pragma once

#include "posenc/math/real.hpp"

namespace posenc {

/// base^(2k / width), k = 0 … count - 1. In float32 that is a tensor as PyTorch's kernels walk it: whole runs of 32 by
/// its vector pow (good to one last place), what is left by the scalar one (nearly always the nearest float32).
std::vector<Number> powers(const Number& base, int count, double width);

}  // namespace posenc
