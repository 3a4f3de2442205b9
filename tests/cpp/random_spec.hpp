// Random valid specs of any kind, from what its fields tell; the same ones on every machine.
#pragma once

#include "support.hpp"

namespace posenc::test {

/// `count` specs that create() takes; the others must be refused as invalid-spec, naming a field.
std::vector<SpecInput> random_specs(const Sample& sample, int count, std::uint32_t seed);

/// "dim 8, base 10000, …": which spec a test failed for.
std::string text_of(const SpecInput& spec);

}  // namespace posenc::test
