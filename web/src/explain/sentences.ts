// What each kind of encoding does, as words that follow its name and a colon.
import type { Kind, Spec } from "../base/specs.gen.js";
import { about, and, choose, extent, list, plural, range } from "./words.js";

/** All fields of a spec, and facts about its encoding. */
type Facts<S extends Spec> = { readonly [Name in keyof S]-?: S[Name] } & {
  readonly wavelengths: ArrayLike<number>;
  readonly slopes: ArrayLike<number>;
};

/** Describes the encoding of a spec. */
export const sentenceOf: { readonly [K in Kind]: (facts: Facts<Extract<Spec, { kind: K }>>) => string } = {
  "one-hot": ({ dim }) =>
    `a row of ${dim} features with a single 1 at its position, for positions 0 to ${dim - 1} only; all positions are equally far apart`,
  integer: ({ dim }) =>
    `the position itself, repeated over ${plural(dim, "feature")}; exact, but growing without bound and far larger than features usually are`,
  normalized: ({ dim, length }) =>
    `the position as a share of the sequence, 0 to 1 over ${length || "the call's number of"} positions, repeated over ${plural(dim, "feature")}${length ? "" : "; the same position changes when the sequence grows"}`,
  binary: ({ dim }) =>
    `the position in ${plural(dim, "binary digit")}, most significant first, for positions 0 to ${about(2 ** dim - 1)}; neighbours may differ in many digits`,
  periodic: ({ dim, wavelengths }) =>
    `${plural(dim, "sine")} with periods of ${list(wavelengths)} positions; without cosines a shift is not a rotation`,
  sinusoidal: ({ dim, base, pairing, order, frequencyShift, scale, start, oddDim, paddingIndex }) =>
    `sines and cosines over ${dim} features, base ${base}, ${pairing} in the order ${order}${frequencyShift ? ", exponents over dim/2 - " + frequencyShift + " (the lowest frequency is exactly 1/base)" : ""}${scale === 1 ? "" : ", positions times " + scale}${start === 0 ? "" : ", counted from " + start}${paddingIndex < 0 ? "" : ", position " + paddingIndex + " a row of zeros"}${dim % 2 ? ', the odd dim by "' + oddDim + '"' : ""}`,
  "sinusoidal-2d": ({ dim, base, pairing, order, scale, start, normalize, baseSize, axisOrder }) =>
    `sines and cosines of every axis, ${dim} features together, base ${base}, ${pairing} in the order ${order}, axes as ${axisOrder}${normalize ? ", positions as shares of the grid" : baseSize ? ", stretched to " + baseSize + " cells" : ""}${scale === 1 ? "" : ", times " + about(scale)}${start === 0 ? "" : ", counted from " + start}`,
  "sinusoidal-3d": ({ dim, base, pairing, order, scale, start, normalize, baseSize, axisOrder }) =>
    `sines and cosines of every axis, ${dim} features together, base ${base}, ${pairing} in the order ${order}, axes as ${axisOrder}${normalize ? ", positions as shares of the grid" : baseSize ? ", stretched to " + baseSize + " cells" : ""}${scale === 1 ? "" : ", times " + about(scale)}${start === 0 ? "" : ", counted from " + start}`,
  fourier: ({ dim, inputs, form, maxFrequency, coordinates, includeInput, pairing, order, std }) =>
    `${dim} features of ${plural(inputs, "coordinate")} (${coordinates}), ${form === "gaussian" ? "at random frequencies with a deviation of " + std + " cycles per unit" : "each at " + form + " bands of half cycles per unit" + (maxFrequency ? " up to " + maxFrequency : "")}, ${pairing} in the order ${order}${includeInput ? ", after the coordinates themselves" : ""}`,
  learned: ({ length, dim, start, std }) =>
    `a trained row of ${dim} features for each of ${length - start} positions and no others${start ? "; " + plural(start, "row") + " before them " + (start === 1 ? "is" : "are") + " skipped" : ""}; untrained, normal with a deviation of ${std}`,
  rope: () => `nothing is scaled`,
  "rope-linear": ({ factor }) => `position interpolation divides every frequency by ${factor}`,
  "rope-ntk": ({ base, factor }) =>
    `the base ${base} is enlarged for ${factor} times the context, which leaves the fastest pair unchanged and makes the slowest ${factor} times slower`,
  "rope-ntk-by-parts": ({ factor, originalLength }) =>
    `fast pairs are unchanged, middle ones use the NTK-enlarged base and slow ones are divided by ${factor}, according to their rotations in ${originalLength} positions`,
  "rope-dynamic": ({ factor, originalLength }) =>
    `up to ${originalLength} positions nothing changes; beyond, the base grows with the length of the sequence, ${factor} being the weight of that growth`,
  "rope-qwen": ({ originalLength }) =>
    `up to ${originalLength} positions nothing changes; beyond, the base grows each time that the sequence becomes twice as long`,
  "rope-yarn": ({ factor, originalLength, betaFast, betaSlow, truncate }) =>
    `pairs with more than ${betaFast} rotations in ${originalLength} positions are unchanged, those with fewer than ${betaSlow} are divided by ${factor}, with a ${truncate ? "" : "not rounded "}ramp between`,
  "rope-longrope": ({ shortFactor, longFactor, originalLength }) =>
    `each pair has its own divisor, ${range(shortFactor)} up to ${originalLength} positions and ${range(longFactor)} in longer sequences`,
  "rope-llama3": ({ factor, lowFrequencyFactor, highFrequencyFactor, originalLength }) =>
    `pairs with more than ${highFrequencyFactor} rotations in ${originalLength} positions are unchanged, those with fewer than ${lowFrequencyFactor} are divided by ${factor}, those between are blended`,
  "rope-proportional": ({ dim, rotaryDim, factor }) =>
    `exponents count over all ${dim} features, but only the first ${(rotaryDim || dim) / 2} pairs are rotated${factor === 1 ? "" : ", divided by " + factor}`,
  "rope-mrope": () => `nothing is scaled, text is rotated as in plain RoPE`,
  "rope-axial": ({ axes, axisDims, form }) =>
    `one block of pairs for each of ${axes} axes (${axisDims ? list(axisDims) + " features" : "equal shares"}), ${choose(form, { own: "each with frequencies of its own width", strided: "which share one table of frequencies alternately", pixel: "with frequencies that grow evenly" })}`,
  xpos: ({ scaleBase, centre }) =>
    `scores also decay with the distance, by ζ every ${scaleBase} positions; magnitudes are 1 at ${centre === null ? "half the length of the sequence" : "position " + centre}`,
  alibi: ({ heads, maxBias, form, activeHeads, slopes }) =>
    `${choose(form, { relative: "-m |i - j|", key: "m (j - last key), as MPT has it", "key-absolute": "m j, as BLOOM has it" })} with ${plural(heads, "slope")} m ${extent(slopes)} (maxBias ${maxBias})${activeHeads ? "; only the first " + activeHeads + " heads have one" : ""}`,
  t5: ({ heads, buckets, maxDistance, bidirectional }) =>
    `a learned value for each of ${plural(heads, "head")} and ${plural(buckets, "bucket")} of distances, ${bidirectional ? "half of them for later keys" : "all for earlier keys"}; the last covers all from ${about(maxDistance)} on`,
  swin: ({ heads, windowHeight, windowWidth, classToken }) =>
    `a learned value for each of ${plural(heads, "head")} and displacement in a window of ${windowHeight} × ${windowWidth} patches${classToken ? ", and three for the class token" : ""}: ${about((2 * windowHeight - 1) * (2 * windowWidth - 1))} displacements`,
  "swin-v2": ({ heads, windowHeight, windowWidth, width }) =>
    `a network of ${plural(width, "hidden unit")} gives ${plural(heads, "head")} a bias from 0 to 16 for each displacement in a window of ${windowHeight} × ${windowWidth} patches, from the logarithms of both coordinates`,
  kerple: ({ heads, form }) =>
    `${choose(form, { log: "-amplitude ln(1 + rate d)", power: "-amplitude d^exponent", weighted: "-amplitude d^exponent, added to scores that were multiplied by exp(-weightRate d^weightExponent)", "log-power": "-amplitude ln(1 + rate d^exponent), as NeMo has it" })}, learned for each of ${plural(heads, "head")}`,
  sandwich: ({ heads, dim, base }) =>
    `the sum of ${plural(dim / 2, "cosine")} of the distance (dim ${dim}, base ${about(base)}), weaker from head to head (${heads})`,
  fire: ({ heads, width, length }) =>
    `a network of ${plural(width, "hidden unit")} gives ${plural(heads, "head")} a bias for the distance relative to the query's position, which counts as at least ${about(length)}`,
  mask: ({ heads, causal, windowLeft, windowRight, hidden }) =>
    `0 for visible keys; ${hidden ?? "-Infinity"} masks ${and(causal && "every key after the query", windowLeft >= 0 && "keys more than " + about(windowLeft) + " before it", windowRight >= 0 && "keys more than " + about(windowRight) + " after it") || "nothing"}, in ${plural(heads, "head")}`,
  none: ({ heads }) => `0 for every query and key, in ${plural(heads, "head")}; only a causal mask conveys order`,
  shaw: ({ maxDistance, maxLeft, maxRight, withValues }) =>
    `a learned vector for each distance is added to ${withValues ? "keys and another to values" : "keys"}; beyond ${maxLeft < 0 ? maxDistance : maxLeft} to the left and ${maxRight < 0 ? maxDistance : maxRight} to the right all distances share one`,
  nezha: ({ maxDistance, base, withValues }) =>
    `sinusoids of the distance, base ${base}, are added to ${withValues ? "keys and values" : "keys only"}; beyond ${maxDistance} on either side all distances share one row, and nothing is learned`,
  "transformer-xl": ({ dim, heads, modelDim, base, clampLength }) =>
    `sinusoids of the distance, ${modelDim || dim * heads} features wide with base ${base}, projected for each of ${plural(heads, "head")}${clampLength ? "; distances are clamped to " + about(clampLength) : ""}`,
  deberta: ({ maxDistance, buckets, contentToPosition, positionToContent }) =>
    `${and(contentToPosition && "content-to-position terms", positionToContent && "position-to-content terms") || "content only"}${buckets ? ", in " + buckets + " buckets on each side that grow with the distance up to " + about(maxDistance) : ", up to " + about(maxDistance) + " on each side"}`,
  cope: ({ maxPosition }) =>
    `the distance of a key is the sum of the gates from it to the query, at most ${maxPosition - 1}; scores are interpolated between learned positions`,
  pope: ({ dim, heads, rotaryDim, base }) =>
    `${rotaryDim || dim} features become magnitudes with one angle each, base ${base}; the angle depends on the position and a learned phase for each of ${plural(heads, "head")}, not on content`,
  forget: ({ heads }) =>
    `the forget gates of the tokens after a key, up to the query, lower its score; each call takes one gate per token for each of ${plural(heads, "head")}`,
  "data-dependent-alibi": ({ dim, heads, bidirectional }) =>
    `each token between a key and the query adds a penalty, by learned gates of the layer's input, ${dim} features wide, for each of ${plural(heads, "head")}${bidirectional ? ", with other gates for keys after the query" : ""}`,
  "per-row-alibi": ({ heads, gateDim }) =>
    `each token between a key and the query adds a penalty that depends on the query, by small queries and keys of ${gateDim} features from the layer's input, for each of ${plural(heads, "head")}`,
  path: ({ dim }) =>
    `each token between a key and the query reflects the query by the token's direction and strength in all ${dim} features; each call takes both, and optional gates`,
  "grape-a": ({ heads, gates }) =>
    `a bias that falls with the distance, as ALiBi's; its slope depends on ${choose(gates, { key: "the key", query: "the query", "query-key": "query and key" })} and learned directions, for each of ${plural(heads, "head")}`,
  "grape-ap": ({ heads }) =>
    `each token between a key and the query lowers the score more if its row agrees less with the query's row; each call takes the rows, with ALiBi slopes for ${plural(heads, "head")}`,
  inkling: ({ relativeDim, extent }) =>
    `each query mixes ${plural(relativeDim, "learned profile")} of the distance into a bias for keys at distances below ${extent}; each call takes the relative states of the queries`,
  "rope-mixed": ({ dim, heads, rotaryDim, axes }) =>
    `pairs of ${rotaryDim || dim} features are rotated by ${axes === 1 ? "one axis" : axes + " axes at once"}, with learned frequencies for each of ${plural(heads, "head")}`,
  fope: ({ dim, heads, length, floor }) =>
    `pairs of ${dim} features are rotated by learned mixtures of frequencies, ${heads ? "separate for each of " + plural(heads, "head") : "the same for all heads"}; wavelengths longer than ${length} positions are ${choose(floor, { drop: "left out", zero: "constant", clamp: "shortened to that", keep: "kept" })}`,
  "grape-m": ({ dim, heads }) =>
    `pairs of ${dim} features are rotated by learned frequencies, ${heads ? "separate for each of " + plural(heads, "head") : "the same for all heads"}`,
  liere: ({ dim, heads, axes, blockDim }) =>
    `blocks of ${blockDim} of ${dim} features are rotated in all planes by ${axes === 1 ? "one axis" : axes + " axes at once"}, ${heads ? "with separate generators for each of " + plural(heads, "head") : "the same in all heads"}`,
  string: ({ dim, heads, axes, form }) =>
    `${choose(form, { cayley: dim + " features are rotated by a learned matrix, then in pairs", circulant: dim + " features are rotated in the planes of the Fourier transform" })} by ${axes === 1 ? "one axis" : axes + " axes at once"}, ${heads ? "separately for each of " + plural(heads, "head") : "the same in all heads"}`,
};
