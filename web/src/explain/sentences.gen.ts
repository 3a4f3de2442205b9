// Generated from the C++ core by web/tasks/generate.mjs; do not edit.
import type { Kind } from "../base/specs.gen.js";
import { about, and, choose, extent, list, plural, range } from "./words.js";

/** Describes each method, from the fields of a spec and facts about the encoding. */
export const sentenceOf: Record<Kind, (numbers: Record<string, any>) => string> = {
  "one-hot": ({ dim }) =>
    `a row of ${dim} features with a single 1 at its position, for positions 0 to ${dim - 1} only; all positions are equally far apart`,
  integer: ({ dim }) =>
    `the position itself, repeated over ${plural(dim, "feature")}; exact, but growing without bound and far larger than features usually are`,
  normalized: ({ dim, length }) =>
    `the position as a share of the sequence, 0 to 1 over ${length || "the call's number of"} positions, repeated over ${plural(dim, "feature")}${length ? "" : "; the same position changes when the sequence grows"}`,
  binary: ({ dim }) =>
    `the position in ${plural(dim, "binary digit")}, most significant first, for positions 0 to ${about(2 ** dim - 1)}; neighbours may differ in many digits`,
  periodic: ({ dim, wavelengths }) =>
    `${plural(dim, "sine")} with periods of ${list(wavelengths)} positions; without cosines a shift is no rotation`,
  sinusoidal: ({ dim, base, pairing, order, frequencyShift, scale, start, oddDim, paddingIndex }) =>
    `sines and cosines over ${dim} features, base ${base}, ${pairing} in the order ${order}${frequencyShift ? ", exponents over dim/2 - " + frequencyShift + " (the slowest wave is exactly 1/base)" : ""}${scale === 1 ? "" : ", positions times " + scale}${start === 0 ? "" : ", counted from " + start}${paddingIndex < 0 ? "" : ", position " + paddingIndex + " a row of zeros"}${dim % 2 ? ', the odd dim by "' + oddDim + '"' : ""}`,
  "sinusoidal-2d": ({ dim, base, pairing, order, scale, start, normalize, baseSize, axisOrder }) =>
    `sines and cosines of every axis, ${dim} features together, base ${base}, ${pairing} in the order ${order}, axes as ${axisOrder}${normalize ? ", positions as shares of the grid" : baseSize ? ", stretched to " + baseSize + " places" : ""}${scale === 1 ? "" : ", times " + about(scale)}${start === 0 ? "" : ", counted from " + start}`,
  "sinusoidal-3d": ({ dim, base, pairing, order, scale, start, normalize, baseSize, axisOrder }) =>
    `sines and cosines of every axis, ${dim} features together, base ${base}, ${pairing} in the order ${order}, axes as ${axisOrder}${normalize ? ", positions as shares of the grid" : baseSize ? ", stretched to " + baseSize + " places" : ""}${scale === 1 ? "" : ", times " + about(scale)}${start === 0 ? "" : ", counted from " + start}`,
  fourier: ({ dim, inputs, form, maxFrequency, coordinates, includeInput, pairing, order, std }) =>
    `${dim} features of ${plural(inputs, "coordinate")} (${coordinates}), ${form === "gaussian" ? "at random frequencies with a deviation of " + std + " turns per unit" : "each at " + form + " bands of half turns per unit" + (maxFrequency ? " up to " + maxFrequency : "")}, ${pairing} in the order ${order}${includeInput ? ", after the coordinates themselves" : ""}`,
  learned: ({ length, dim, start, std }) =>
    `a trained row of ${dim} features for each of ${length - start} positions and for no other${start ? "; " + plural(start, "row") + " before them " + (start === 1 ? "is" : "are") + " skipped" : ""}; untrained, normal with a deviation of ${std}`,
  rope: () => `nothing is scaled`,
  "rope-linear": ({ factor }) => `position interpolation divides every frequency by ${factor}`,
  "rope-ntk": ({ base, factor }) =>
    `the base ${base} is enlarged for ${factor} times the context, which leaves the fastest pair alone and makes the slowest ${factor} times slower`,
  "rope-ntk-by-parts": ({ factor, originalLength }) =>
    `fast pairs stay, middle ones follow the NTK-enlarged base and slow ones are divided by ${factor}, judged by their turns in ${originalLength} positions`,
  "rope-dynamic": ({ factor, originalLength }) =>
    `up to ${originalLength} positions nothing changes; beyond, the base grows with the length of the sequence, ${factor} being the weight of that growth`,
  "rope-qwen": ({ originalLength }) =>
    `up to ${originalLength} positions nothing changes; beyond, the base grows each time that the sequence becomes twice as long`,
  "rope-yarn": ({ factor, originalLength, betaFast, betaSlow, truncate }) =>
    `pairs with more than ${betaFast} turns in ${originalLength} positions stay, those with fewer than ${betaSlow} are divided by ${factor}, a ${truncate ? "" : "not rounded "}ramp lies between`,
  "rope-longrope": ({ shortFactor, longFactor, originalLength }) =>
    `each pair has its own divisor, ${range(shortFactor)} up to ${originalLength} positions and ${range(longFactor)} in longer sequences`,
  "rope-llama3": ({ factor, lowFrequencyFactor, highFrequencyFactor, originalLength }) =>
    `pairs with more than ${highFrequencyFactor} turns in ${originalLength} positions stay, those with fewer than ${lowFrequencyFactor} are divided by ${factor}, those between are blended`,
  "rope-proportional": ({ dim, rotaryDim, factor }) =>
    `exponents count over all ${dim} features, but only the first ${(rotaryDim || dim) / 2} pairs turn${factor === 1 ? "" : ", divided by " + factor}`,
  "rope-mrope": () => `nothing is scaled, text turns as in plain RoPE`,
  "rope-axial": ({ axes, axisDims, form }) =>
    `one block of pairs for each of ${axes} axes (${axisDims ? list(axisDims) + " features" : "equal shares"}), ${choose(form, { own: "each with frequencies of its own width", strided: "which deal one table of frequencies out in turns", pixel: "with frequencies that grow evenly" })}`,
  xpos: ({ scaleBase, centre }) =>
    `scores also decay with the distance, by ζ every ${scaleBase} positions; magnitudes are 1 at ${centre === null ? "half the length of the sequence" : "position " + centre}`,
  alibi: ({ heads, maxBias, form, activeHeads, slopes }) =>
    `${choose(form, { relative: "-m |i - j|", key: "m (j - last key), as MPT has it", "key-absolute": "m j, as BLOOM has it" })} with ${plural(heads, "slope")} m ${extent(slopes)} (maxBias ${maxBias})${activeHeads ? "; only the first " + activeHeads + " heads have one" : ""}`,
  t5: ({ heads, buckets, maxDistance, bidirectional }) =>
    `a learned number for each of ${plural(heads, "head")} and ${plural(buckets, "bucket")} of distances, ${bidirectional ? "half of them for keys ahead" : "all for keys behind"}; the last takes all from ${about(maxDistance)} on`,
  swin: ({ heads, windowHeight, windowWidth, classToken }) =>
    `a learned number for each of ${plural(heads, "head")} and displacement in a window of ${windowHeight} × ${windowWidth} places${classToken ? ", and three for the class token" : ""}: ${about((2 * windowHeight - 1) * (2 * windowWidth - 1))} displacements`,
  "swin-v2": ({ heads, windowHeight, windowWidth, width }) =>
    `a network of ${plural(width, "hidden unit")} gives ${plural(heads, "head")} a bias from 0 to 16 for each displacement in a window of ${windowHeight} × ${windowWidth} places, by the logarithms of both its parts`,
  kerple: ({ heads, form }) =>
    `${choose(form, { log: "-amplitude ln(1 + rate d)", power: "-amplitude d^exponent", weighted: "-amplitude d^exponent, added to scores that were multiplied by exp(-weightRate d^weightExponent)", "log-power": "-amplitude ln(1 + rate d^exponent), as NeMo has it" })}, learned for each of ${plural(heads, "head")}`,
  sandwich: ({ heads, dim, base }) =>
    `the sum of ${plural(dim / 2, "cosine")} of the distance (dim ${dim}, base ${about(base)}), weaker from head to head (${heads})`,
  fire: ({ heads, width, length }) =>
    `a network of ${plural(width, "hidden unit")} gives ${plural(heads, "head")} a bias for the distance relative to the query's place, which counts as at least ${about(length)}`,
  mask: ({ heads, causal, windowLeft, windowRight, hidden }) =>
    `0 where a query may look; ${hidden ?? "-Infinity"} hides ${and(causal && "every key after the query", windowLeft >= 0 && "keys more than " + about(windowLeft) + " before it", windowRight >= 0 && "keys more than " + about(windowRight) + " after it") || "nothing"}, in ${plural(heads, "head")}`,
  none: ({ heads }) =>
    `0 for every query and key, in ${plural(heads, "head")}; what a causal mask hides is all that tells of order`,
  shaw: ({ maxDistance, maxLeft, maxRight, withValues }) =>
    `a learned vector for each distance joins ${withValues ? "keys and another one values" : "keys"}; beyond ${maxLeft < 0 ? maxDistance : maxLeft} to the left and ${maxRight < 0 ? maxDistance : maxRight} to the right all distances share one`,
  nezha: ({ maxDistance, base, withValues }) =>
    `sinusoids of the distance, base ${base}, join keys ${withValues ? "and values" : "alone"}; beyond ${maxDistance} to either side all distances share one row, and nothing is learned`,
  "transformer-xl": ({ dim, heads, modelDim, base, clampLength }) =>
    `sinusoids of the distance, ${modelDim || dim * heads} features wide with base ${base}, projected for each of ${plural(heads, "head")}${clampLength ? "; farther than " + about(clampLength) + " counts as that far" : ""}`,
  deberta: ({ maxDistance, buckets, contentToPosition, positionToContent }) =>
    `${and(contentToPosition && "contents meet distances", positionToContent && "distances meet contents") || "contents alone"}${buckets ? ", in " + buckets + " buckets on each side that grow with the distance up to " + about(maxDistance) : ", up to " + about(maxDistance) + " on each side"}`,
  cope: ({ maxPosition }) =>
    `a key is as far away as gates between it and the query are open, at most ${maxPosition - 1}; between two learned positions their scores are blended`,
  pope: ({ dim, heads, rotaryDim, base }) =>
    `${rotaryDim || dim} features become magnitudes with an angle of their own, base ${base}; contents cannot turn the angle, a learned phase for each of ${plural(heads, "head")} can`,
  forget: ({ heads }) =>
    `the score of a key falls by what the gates of the tokens after it let go, up to the query; gates come with each call, one for each token and each of ${plural(heads, "head")}`,
  "data-dependent-alibi": ({ dim, heads, bidirectional }) =>
    `what a step of distance costs each token says itself, by learned gates of the layer's input, ${dim} features wide, for each of ${plural(heads, "head")}${bidirectional ? ", with other gates for keys after the query" : ""}`,
  "per-row-alibi": ({ heads, gateDim }) =>
    `what a step of distance costs each query asks of the tokens on the way, by small queries and keys, ${gateDim} wide, of the layer's input, for each of ${plural(heads, "head")}`,
  path: ({ dim }) =>
    `each token between a key and the query reflects the query by a direction and a strength of its own, which come with the call, in all ${dim} features; gates may come, too`,
  "grape-a": ({ heads, gates }) =>
    `a bias that falls with the distance, as ALiBi's; how steeply ${choose(gates, { key: "the key says", query: "the query says", "query-key": "query and key say" })} by learned directions, for each of ${plural(heads, "head")}`,
  "grape-ap": ({ heads }) =>
    `each token between a key and the query costs the more, the less its row agrees with the query's; rows come with the call, slopes are those of ALiBi for ${plural(heads, "head")}`,
  "rope-mixed": ({ dim, heads, rotaryDim, axes }) =>
    `pairs of ${rotaryDim || dim} features turn by ${axes == 1 ? "one axis" : axes + " axes at once"}, with learned frequencies for each of ${plural(heads, "head")}`,
  fope: ({ dim, heads, length, floor }) =>
    `pairs of ${dim} features turn by learned mixtures of waves, ${heads ? "their own for each of " + plural(heads, "head") : "the same for all heads"}; waves longer than ${length} positions are ${choose(floor, { drop: "left out", zero: "constant", clamp: "shortened to that", keep: "kept" })}`,
  "grape-m": ({ dim, heads }) =>
    `pairs of ${dim} features turn by learned frequencies, ${heads ? "their own for each of " + plural(heads, "head") : "the same for all heads"}`,
  liere: ({ dim, heads, axes, blockDim }) =>
    `blocks of ${blockDim} of ${dim} features turn in all their planes by ${axes == 1 ? "one axis" : axes + " axes at once"}, ${heads ? "by generators of their own for each of " + plural(heads, "head") : "alike in all heads"}`,
  string: ({ dim, heads, axes, form }) =>
    `${choose(form, { cayley: dim + " features are turned by a learned rotation, then in pairs", circulant: dim + " features turn in the planes of the Fourier transform" })} by ${axes == 1 ? "one axis" : axes + " axes at once"}, ${heads ? "their own way for each of " + plural(heads, "head") : "alike in all heads"}`,
};
