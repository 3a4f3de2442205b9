// Dynamic NTK by length of the text, and what becomes of keys that were cached in a shorter one.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import {
  equalRows,
  firstRowScores,
  logarithmic,
  plainRope,
  trainedLength,
  type DynamicSettings,
  type Scale,
} from "./scaling.ts";

const create = (pe: Posenc, scale: Scale, factor: number) =>
  pe.create({ kind: "rope-dynamic", dim: scale.dim, base: scale.base, factor, originalLength: trainedLength(scale) });

/** Lengths from a quarter of the trained one to 64 times as many tokens. */
export const lengths = (scale: Scale) => logarithmic(trainedLength(scale) / 4, trainedLength(scale) * 64, 45);

export const pairsToShow = (pairs: number) => [
  ...new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(part * (pairs - 1)))),
];

/** Frequency relative to training, one list for each of the pairs. */
export function frequencies(pe: Posenc, scale: Scale, factor: number, pairs: number[]): number[][] {
  const plain = withEncoding(plainRope(pe, scale), (rope) => rope.inverseFrequencies.slice());
  return withEncoding(create(pe, scale, factor), (rope) => {
    const rows = lengths(scale).map((length) => rope.frequenciesAt(length));
    return pairs.map((pair) => rows.map((row) => row[pair] / plain[pair]));
  });
}

export interface CachedScores {
  distances: number[];
  /** Keys as they were cached, turned again, and computed anew. */
  stale: Float32Array;
  turned: Float32Array;
  fresh: Float32Array;
}

/** The text had that many tokens when its keys were cached; now its last token looks at the last of those keys. */
export function cachedScores(pe: Posenc, scale: Scale, { factor, cached, grown }: DynamicSettings): CachedScores {
  const [before, after] = [2 ** cached, 2 ** cached + grown];
  const count = Math.min(before, 160);
  const positions = Array.from({ length: count }, (_, index) => before - count + index);
  return withEncoding(create(pe, scale, factor), (rope) => {
    const keys = () => equalRows(count, rope.dim);
    const query = rope.apply(equalRows(1, rope.dim), { positions: [after - 1], sequenceLength: after });
    const stale = rope.apply(keys(), { positions, sequenceLength: before });
    const fresh = rope.apply(keys(), { positions, sequenceLength: after });
    const turned = rope.apply(keys(), { positions, sequenceLength: before });
    rope.rerotate(turned, { from: rope, to: rope, positions, fromSequenceLength: before, sequenceLength: after });
    const scores = (rows: typeof stale) => firstRowScores(pe, query, rows).reverse();
    return {
      distances: positions.map((position) => after - 1 - position).reverse(),
      stale: scores(stale),
      turned: scores(turned),
      fresh: scores(fresh),
    };
  });
}
