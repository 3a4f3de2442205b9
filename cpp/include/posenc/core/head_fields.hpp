// Fields of encodings that are about attention heads.
#pragma once

#include "posenc/core/field.hpp"

namespace posenc {

inline constexpr Field kHeadsField{.name = "heads",
                                   .doc = "Number of attention heads.",
                                   .min = 1,
                                   .max = 65536,
                                   .unit = "heads",
                                   .required = true,
                                   .example = 8};
inline constexpr Field kHeadWidthField{.name = "dim",
                                       .doc = "Width of a head.",
                                       .min = 1,
                                       .max = 65536,
                                       .unit = "features",
                                       .required = true,
                                       .example = 64};

}  // namespace posenc
