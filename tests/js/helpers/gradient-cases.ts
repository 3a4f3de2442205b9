// Encodings, and calls of attention with them, whose gradients are compared with differences.
import type { Spec } from "./library";
import { range } from "./numbers";
import type { TokenPositions } from "./referenced";

export interface Case {
  spec: Spec;
  /** From random numbers in ±0.5 to those of a parameter. */
  values?: Record<string, (x: number, index: number) => number>;
  positions?: TokenPositions;
  keyHeads?: number;
  options?: object;
  gates?: boolean;
  /** Inputs of tokens. */
  tokens?: ("logGates" | "directions" | "strengths" | "gateRows" | "relativeStates")[];
  batch?: number;
  queries?: number;
  keys?: number;
  most?: number;
  tolerance?: number;
}

/** Of all cases. */
export const [heads, dim] = [4, 6];
const between = (low: number, high: number) => (x: number) => low + (high - low) * (x + 0.5);
const large = { batch: 1, queries: 66, keys: 131, most: 4, tolerance: 1e-5, options: { causal: true } };
const scattered: TokenPositions = { queries: [3, 0, 7.5, 2, 11], keys: [0, 2, 3.5, 1, 9, 10, 4, 6] };
const kerple = {
  amplitude: between(0.3, 1.2),
  rate: between(0.2, 1),
  exponent: between(0.6, 1.4),
  weightRate: between(0.1, 0.3),
  weightExponent: between(0.6, 1.4),
};
const fire = { c: () => 0.4, lengthFactor: () => 0.75, inputWeights: between(-2, 2), outputWeights: between(-1, 1) };
const perRow = { kind: "per-row-alibi", dim: 3, heads, gateDim: 2 };
const xl = { kind: "transformer-xl", dim, heads, modelDim: 8 };

const image: TokenPositions = {
  queries: range(5),
  keys: range(8),
  axes: {
    queries: [
      [0, 1, 1, 3, 0.5],
      [2, 0, 1, 2, 4],
    ],
    keys: [
      [0, 0, 0, 1, 1, 1, 2, 2],
      [0, 1, 2, 0, 1, 2, 0, 1],
    ],
  },
};
const noise = { cosine: between(-0.8, 0.8), sine: between(-0.8, 0.8) };

export const cases: [name: string, given: Case][] = [
  ["rope", { spec: { kind: "rope", dim, frequencies: [1.1, 0.4, 0.05] } }],
  [
    "rope, interleaved, grouped",
    { spec: { kind: "rope", dim, pairing: "interleaved", frequencies: [2, 1, 0.2] }, keyHeads: 2 },
  ],
  [
    "rope, interleaved to half",
    { spec: { kind: "rope", dim, pairing: "interleaved-to-half", frequencies: [2, 1, 0.2] } },
  ],
  [
    "rope, part of the features",
    { spec: { kind: "rope", dim, rotaryDim: 4, frequencies: [0.9, 0.2] }, positions: scattered },
  ],
  ["rope-yarn", { spec: { kind: "rope-yarn", dim, factor: 8, originalLength: 4 } }],
  ["xpos", { spec: { kind: "xpos", dim, centre: 0, scaleBase: 16 } }],
  ["rope, many tiles", { spec: { kind: "rope", dim, frequencies: [0.7, 0.2, 0.01] }, ...large }],
  ["alibi", { spec: { kind: "alibi", heads } }],
  ["alibi, keys", { spec: { kind: "alibi", heads, form: "key" }, keyHeads: 1 }],
  ["alibi, keys from 0", { spec: { kind: "alibi", heads, form: "key-absolute" } }],
  ["alibi, anywhere", { spec: { kind: "alibi", heads }, positions: scattered }],
  ["alibi, many tiles", { spec: { kind: "alibi", heads }, ...large }],
  ["t5", { spec: { kind: "t5", heads, buckets: 8, maxDistance: 10 } }],
  [
    "t5, one direction",
    { spec: { kind: "t5", heads, buckets: 6, maxDistance: 10, bidirectional: false }, positions: scattered },
  ],
  ["t5, many tiles", { spec: { kind: "t5", heads }, ...large, options: {} }],
  ["swin", { spec: { kind: "swin", heads, windowHeight: 2, windowWidth: 4 } }],
  ["swin-v2, a single row", { spec: { kind: "swin-v2", heads, windowHeight: 1, windowWidth: 9, width: 3 } }],
  ["swin-v2", { spec: { kind: "swin-v2", heads, windowHeight: 2, windowWidth: 4, width: 7 } }],
  [
    "swin-v2, trained on another window",
    {
      spec: {
        kind: "swin-v2",
        heads,
        windowHeight: 4,
        windowWidth: 3,
        pretrainedHeight: 3,
        pretrainedWidth: 2,
        width: 20,
      },
    },
  ],
  ["swin with a class token", { spec: { kind: "swin", heads, windowHeight: 3, windowWidth: 3, classToken: true } }],
  ...["log", "power", "weighted", "log-power"].flatMap((form): [string, Case][] => [
    [`kerple ${form}`, { spec: { kind: "kerple", heads, form }, values: kerple }],
    [
      `kerple ${form}, anywhere`,
      { spec: { kind: "kerple", heads, form, bidirectional: true }, values: kerple, positions: scattered },
    ],
  ]),
  ["kerple weighted, many tiles", { spec: { kind: "kerple", heads, form: "weighted" }, values: kerple, ...large }],
  ["fire", { spec: { kind: "fire", heads, width: 5, length: 6 }, values: fire }],
  [
    "fire, both directions",
    { spec: { kind: "fire", heads, width: 5, length: 0, bidirectional: true }, values: fire, positions: scattered },
  ],
  ["shaw", { spec: { kind: "shaw", dim, maxDistance: 3 }, keyHeads: 2 }],
  [
    "shaw, keys alone",
    {
      spec: { kind: "shaw", dim, maxLeft: 2, maxRight: 0, withValues: false },
      positions: { ...scattered, queries: [3, 0, 7, 2, 11], keys: [0, 2, 3, 1, 9, 10, 4, 6] },
    },
  ],
  ["shaw, many tiles", { spec: { kind: "shaw", dim, maxDistance: 20 }, ...large }],
  ["nezha", { spec: { kind: "nezha", dim, maxDistance: 3 }, keyHeads: 2 }],
  ["nezha, keys alone", { spec: { kind: "nezha", dim, base: 50, withValues: false }, positions: scattered }],
  ["transformer-xl", { spec: xl, options: { causal: true } }],
  ["transformer-xl, clamped", { spec: { ...xl, clampLength: 3 }, keyHeads: 2 }],
  ["transformer-xl, at fractions", { spec: xl, positions: scattered }],
  ["transformer-xl, many tiles", { spec: xl, ...large }],
  ["deberta", { spec: { kind: "deberta", dim, heads, maxDistance: 5 } }],
  ["deberta, buckets", { spec: { kind: "deberta", dim, heads, maxDistance: 12, buckets: 6 }, keyHeads: 2 }],
  ["deberta, one term", { spec: { kind: "deberta", dim, heads, maxDistance: 4, contentToPosition: false } }],
  ["deberta, many tiles", { spec: { kind: "deberta", dim, heads, maxDistance: 30 }, ...large }],
  ["cope", { spec: { kind: "cope", dim, maxPosition: 4, std: 1 }, options: { causal: true } }],
  [
    "cope, not scaled, grouped",
    { spec: { kind: "cope", dim, maxPosition: 3, scaledGates: false, scaledPosition: false, std: 1 }, keyHeads: 2 },
  ],
  [
    "cope with keys for its gates",
    { spec: { kind: "cope", dim, maxPosition: 5, std: 1 }, gates: true, options: { causal: true } },
  ],
  ["cope, many tiles", { spec: { kind: "cope", dim, maxPosition: 40, std: 1 }, ...large }],
  ["forget", { spec: { kind: "forget", heads }, tokens: ["logGates"], options: { causal: true } }],
  [
    "forget, grouped",
    { spec: { kind: "forget", heads }, tokens: ["logGates"], keyHeads: 2, options: { window: [2, 1] } },
  ],
  ["forget, many tiles", { spec: { kind: "forget", heads }, tokens: ["logGates"], ...large }],
  [
    "data-dependent-alibi, bidirectional",
    { spec: { kind: "data-dependent-alibi", dim: 3, heads, bidirectional: true }, tokens: ["logGates"] },
  ],
  ["per-row-alibi", { spec: perRow, tokens: ["gateRows"], options: { causal: true } }],
  ["per-row-alibi, grouped", { spec: { ...perRow, postLogScale: 0.7 }, tokens: ["gateRows"], keyHeads: 2 }],
  ["per-row-alibi, many tiles", { spec: perRow, tokens: ["gateRows"], ...large, queries: 9, keys: 70 }],
  ["path", { spec: { kind: "path", dim }, tokens: ["directions", "strengths"], options: { causal: true } }],
  [
    "path, gates, grouped",
    { spec: { kind: "path", dim }, tokens: ["logGates", "directions", "strengths"], keyHeads: 2 },
  ],
  ["path, many tiles", { spec: { kind: "path", dim }, tokens: ["logGates", "directions", "strengths"], ...large }],
  ["grape-ap", { spec: { kind: "grape-ap", heads }, tokens: ["gateRows"], options: { causal: true } }],
  ["grape-ap, grouped", { spec: { kind: "grape-ap", heads }, tokens: ["gateRows"], keyHeads: 2 }],
  ["grape-ap, many tiles", { spec: { kind: "grape-ap", heads }, tokens: ["gateRows"], ...large, queries: 9, keys: 70 }],
  ["inkling", { spec: { kind: "inkling", relativeDim: 3, extent: 5 }, tokens: ["relativeStates"] }],
  [
    "inkling, grouped, at positions of its own",
    {
      spec: { kind: "inkling", relativeDim: 3, extent: 7 },
      tokens: ["relativeStates"],
      keyHeads: 2,
      positions: scattered,
      options: { causal: true },
    },
  ],
  [
    "inkling, many tiles",
    { spec: { kind: "inkling", relativeDim: 3, extent: 90 }, tokens: ["relativeStates"], ...large, keyHeads: 1 },
  ],
  ["grape-a", { spec: { kind: "grape-a", dim, heads }, options: { causal: true } }],
  [
    "grape-a by queries",
    { spec: { kind: "grape-a", dim, heads, gates: "query", normalize: false }, positions: scattered },
  ],
  [
    "grape-a by both, grouped, many tiles",
    { spec: { kind: "grape-a", dim, heads, gates: "query-key" }, keyHeads: 2, ...large },
  ],
  ["pope", { spec: { kind: "pope", dim, heads }, values: { bias: between(-3, -0.5) } }],
  [
    "pope, part of the features",
    {
      spec: { kind: "pope", dim, heads: 2, rotaryDim: 4 },
      values: { bias: between(-3, -0.5) },
      keyHeads: 2,
      positions: scattered,
    },
  ],
  ["rope-mixed", { spec: { kind: "rope-mixed", dim, heads }, positions: image }],
  [
    "rope-mixed, half, x first, grouped",
    {
      spec: { kind: "rope-mixed", dim, heads: 2, rotaryDim: 4, pairing: "half", axisOrder: [1, 0] },
      positions: image,
      keyHeads: 2,
    },
  ],
  ["rope-mixed, one axis", { spec: { kind: "rope-mixed", dim, heads, axes: 1 }, positions: scattered }],
  ["rope-mixed, many tiles", { spec: { kind: "rope-mixed", dim, heads, axes: 1 }, ...large }],
  ["grape-m", { spec: { kind: "grape-m", dim }, values: { logFrequencies: between(-3, 0.5) } }],
  [
    "grape-m, of each head, scaled",
    {
      spec: { kind: "grape-m", dim, heads: 2, logScale: 0.5, pairing: "interleaved" },
      values: { logFrequencies: between(-2, 0.2) },
      keyHeads: 2,
      positions: scattered,
    },
  ],
  ["fope", { spec: { kind: "fope", dim, length: 100, heads, outputDim: 3 }, values: noise }],
  [
    "fope, one basis, padded sines",
    {
      spec: { kind: "fope", dim, length: 20, oneBasis: true, sinePad: 1, cosinePad: 0.5, outputDim: 2, floor: "clamp" },
      values: noise,
      keyHeads: 2,
      positions: scattered,
    },
  ],
  [
    "fope, many tiles",
    { spec: { kind: "fope", dim, length: 20, floor: "zero", outputDim: 3 }, values: noise, ...large },
  ],
  ["liere", { spec: { kind: "liere", dim, heads, blockDim: 3 }, positions: image }],
  ["liere, shared, a rest", { spec: { kind: "liere", dim, blockDim: 4 }, positions: image, keyHeads: 2 }],
  ["liere, one axis", { spec: { kind: "liere", dim, axes: 1, blockDim: 6 }, positions: scattered }],
  ["string, cayley", { spec: { kind: "string", dim, heads }, positions: image }],
  [
    "string, cayley, shared, halves",
    { spec: { kind: "string", dim, axes: 1, pairing: "half" }, keyHeads: 2, positions: scattered },
  ],
  ["string, circulant", { spec: { kind: "string", dim, heads: 2, form: "circulant" }, positions: image, keyHeads: 2 }],
  ["string, circulant, one axis", { spec: { kind: "string", dim, axes: 1, form: "circulant" }, positions: scattered }],
  ["pope, many tiles", { spec: { kind: "pope", dim, heads }, values: { bias: between(-3, -0.5) }, ...large }],
];
