// Fields that several methods share: name, range, unit, doc. A method that differs changes only that member:
// `kFactorField.with(&Field::example, 8)`.
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
inline constexpr Field kHeadDimField{.name = "dim",
                                     .doc = "Head dimension.",
                                     .min = 1,
                                     .max = 65536,
                                     .unit = "features",
                                     .required = true,
                                     .example = 64};

/// Fields of gates.
inline constexpr Field kLayerDimField =
    kHeadDimField.with(&Field::doc, "Dimension of the layer's input.").with(&Field::example, 512);
inline constexpr Field kPostLogScaleField{
    .name = "postLogScale", .doc = "Multiplier of the logarithms of the gates.", .min = -1e6, .max = 1e6};

/// Fields of tables.
inline constexpr Field kTableDimField{.name = "dim",
                                      .doc = "Number of features.",
                                      .min = 1,
                                      .max = 1048576,
                                      .unit = "features",
                                      .required = true,
                                      .example = 64};

/// Fields of rotary encodings and of other encodings that rotate features.
inline constexpr Field kRotaryDimField{.name = "rotaryDim",
                                       .doc = "Features that are rotated; 0: all of them.",
                                       .min = 0,
                                       .max = 65536,
                                       .unit = "features"};
inline constexpr Field kSectionsField{.name = "sections",
                                      .doc = "Pairs that are rotated by each axis (t, h, w); null: one axis.",
                                      .min = 0,
                                      .max = 65536,
                                      .unit = "pairs"};

/// Fields of sinusoids.
inline constexpr Field kBaseField{
    .name = "base", .doc = "Frequency base; wavelengths range from 2π to about 2π·base.", .min = 1, .max = 1e15};
inline constexpr Field kPrecisionField{.name = "precision",
                                       .doc = "exact angles, or float32 rounding steps as in PyTorch."};
inline constexpr Field kScaleField{.name = "scale", .doc = "Multiplier of coordinates.", .min = -1e9, .max = 1e9};
inline constexpr Field kStartField{.name = "start",
                                   .doc = "Offset added to positions.",
                                   .min = -281474976710656,
                                   .max = 281474976710656,
                                   .unit = "positions"};

/// Fields of the scaling rules for longer contexts.
inline constexpr Field kFactorField{
    .name = "factor", .doc = "Context extension factor (s).", .min = 1, .max = 1e9, .required = true, .example = 4};
inline constexpr Field kOriginalLengthField{.name = "originalLength",
                                            .doc = "Context length used in training (L0).",
                                            .min = 1,
                                            .max = 1e12,
                                            .unit = "positions",
                                            .required = true,
                                            .example = 2048};
inline constexpr Field kAttentionFactorField{.name = "attentionFactor",
                                             .doc = "Multiplier of cos and sin; null: computed by the formula.",
                                             .min = 1e-6,
                                             .max = 1e6};

}  // namespace posenc
