// Everything that is measured, as data: it drives Node, the page and the report alike.
import { attentionCases, prepareAttention, prepareInside } from "./attention.mjs";
import { biasCases, prepareBias } from "./biases.mjs";
import { decodeCases, prepareFewQueries } from "./decode.mjs";
import { decodeInsideCases } from "./decode-inside.mjs";
import { generatingCases, prepareCacheStep } from "./generating.mjs";
import { machineCases } from "./machine.mjs";
import { prepareRemap, remapCases } from "./remap.mjs";
import { prepareRope, prepareRopeLayout, ropeCases, ropeLayoutCases } from "./rope.mjs";
import { prepareAttentionSixteen, prepareRopeSixteen, sixteenCases } from "./sixteen.mjs";
import { prepareAttentionRotating, prepareRotating, rotatingCases } from "./rotating.mjs";
import { prepareCosSin, prepareSinusoidal, tableCases } from "./tables.mjs";

const prepare = {
  machine: () => ({ truth: {} }),
  rope: prepareRope,
  ropeLayout: prepareRopeLayout,
  cosSin: prepareCosSin,
  sinusoidal: prepareSinusoidal,
  bias: prepareBias,
  attention: prepareAttention,
  inside: prepareInside,
  rotating: prepareRotating,
  attentionRotating: prepareAttentionRotating,
  fewQueries: prepareFewQueries,
  remap: prepareRemap,
  cacheStep: prepareCacheStep,
  ropeSixteen: prepareRopeSixteen,
  attentionSixteen: prepareAttentionSixteen,
};

export const cases = [
  ...machineCases,
  ...ropeCases,
  ...ropeLayoutCases,
  ...tableCases,
  ...biasCases,
  ...attentionCases,
  ...decodeCases,
  ...rotatingCases,
  ...decodeInsideCases,
  ...remapCases,
  ...generatingCases,
  ...sixteenCases,
];

/** Those whose id or group is among `only`; none given: all. */
export const chosen = (only) =>
  cases.filter(({ id, group }) => only.length === 0 || only.some((word) => word === group || id.startsWith(word)));

/** A case at its size, or tiny: inputs and truth for its contenders. */
export function prepared(one, isTiny) {
  const sized = { ...one, size: isTiny ? one.tiny : one.size };
  return { case: sized, size: sized.size, spec: sized.spec, ...prepare[one.work](sized) };
}
