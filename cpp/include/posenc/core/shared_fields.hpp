// Fields that several methods have: what they are called, how far they go, in which unit. Where one says or allows
// something else, it changes that alone: `kFactorField.with(&Field::example, 8)`.
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
                                     .doc = "Width of a head.",
                                     .min = 1,
                                     .max = 65536,
                                     .unit = "features",
                                     .required = true,
                                     .example = 64};

/// Of gates.
inline constexpr Field kLayerDimField =
    kHeadDimField.with(&Field::doc, "Width of the layer's input.").with(&Field::example, 512);
inline constexpr Field kPostLogScaleField{
    .name = "postLogScale", .doc = "Multiplies the logarithms of the gates.", .min = -1e6, .max = 1e6};

/// Of tables.
inline constexpr Field kTableDimField{.name = "dim",
                                      .doc = "Number of features.",
                                      .min = 1,
                                      .max = 1048576,
                                      .unit = "features",
                                      .required = true,
                                      .example = 64};

/// Of rotations, and of what turns as they do.
inline constexpr Field kRotaryDimField{
    .name = "rotaryDim", .doc = "Features that turn; 0 means all of them.", .min = 0, .max = 65536, .unit = "features"};
inline constexpr Field kSectionsField{.name = "sections",
                                      .doc = "Pairs that turn by each axis of a place (t, h, w); null: one axis.",
                                      .min = 0,
                                      .max = 65536,
                                      .unit = "pairs"};

/// Of waves.
inline constexpr Field kBaseField{
    .name = "base", .doc = "Frequency base; wavelengths run from 2π to about 2π·base.", .min = 1, .max = 1e15};
inline constexpr Field kPrecisionField{.name = "precision", .doc = "exact angles, or the float32 steps of PyTorch."};
inline constexpr Field kScaleField{.name = "scale", .doc = "Multiplies coordinates.", .min = -1e9, .max = 1e9};
inline constexpr Field kStartField{.name = "start",
                                   .doc = "Added to positions.",
                                   .min = -281474976710656,
                                   .max = 281474976710656,
                                   .unit = "positions"};

/// Of the rules for longer contexts.
inline constexpr Field kFactorField{.name = "factor",
                                    .doc = "How many times longer the context becomes (s).",
                                    .min = 1,
                                    .max = 1e9,
                                    .required = true,
                                    .example = 4};
inline constexpr Field kOriginalLengthField{.name = "originalLength",
                                            .doc = "Context length of the training (L0).",
                                            .min = 1,
                                            .max = 1e12,
                                            .unit = "positions",
                                            .required = true,
                                            .example = 2048};
inline constexpr Field kAttentionFactorField{
    .name = "attentionFactor", .doc = "Magnitude of cos and sin; null: by the formula.", .min = 1e-6, .max = 1e6};

}  // namespace posenc
