// The attention factor, and what it does for one key that leads many others.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { trainedLength, type Scale } from "./scaling.ts";

/** Factors from 1 to 64, the whole ones close to even steps of a logarithmic axis. */
export const factors = [
  1, 1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48, 56, 64,
];

export interface Sharpness {
  factor: number;
  keys: number;
  yarn: number;
  longrope: number;
  /** Weight of the leading key: as it is, and with either factor. */
  plain: number;
  yarnWeight: number;
  longropeWeight: number;
}

/**
 * Weight of a key whose score leads all others by `lead`. The others, all alike, are one key whose bias is the logarithm
 * of their number: to softmax that is the same.
 */
function weightOf(pe: Posenc, lead: number, keys: number, attentionFactor: number): number {
  const query = { data: new Float32Array([1]), dims: [1, 1, 1, 1] };
  const key = { data: new Float32Array([lead, 0]), dims: [1, 1, 2, 1] };
  const bias = { data: new Float32Array([0, Math.log(keys - 1)]), dims: [1, 2] };
  // Queries and keys are multiplied by the factor, and the score by both.
  return pe.attentionWeights(query, key, { bias, scale: attentionFactor ** 2 }).data[0];
}

export function sharpness(pe: Posenc, scale: Scale, lead: number, factor: number): Sharpness {
  const originalLength = trainedLength(scale);
  const keys = Math.round(originalLength * factor);
  const spec = { dim: 2, factor, originalLength };
  const yarn = withEncoding(pe.create({ kind: "rope-yarn", ...spec }), (rope) => rope.attentionFactor);
  const lists = { shortFactor: [1], longFactor: [factor] };
  const longrope = withEncoding(
    pe.create({ kind: "rope-longrope", ...spec, ...lists }),
    (rope) => rope.attentionFactor,
  );
  const [plain, yarnWeight, longropeWeight] = [1, yarn, longrope].map((a) => weightOf(pe, lead, keys, a));
  return { factor, keys, yarn, longrope, plain, yarnWeight, longropeWeight };
}

/** The cosine of position 0 in YaRN's table: not 1, but its attention factor. */
export const cosineAtStart = (pe: Posenc, scale: Scale) =>
  withEncoding(
    pe.create({ kind: "rope-yarn", dim: 2, factor: scale.factor, originalLength: trainedLength(scale) }),
    (rope) => rope.tables({ length: 1 }).cos.data[0],
  );
