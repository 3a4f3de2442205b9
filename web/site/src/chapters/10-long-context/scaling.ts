// The scaling rules of this chapter, made of one set of numbers; and scores, which the library rotates and multiplies.
import type { Spec } from "posenc";
import { models } from "virtual:models/vicuna-7b-v1.5-16k,yarn-llama-2-7b-64k,llama-3.1-8b,qwen2.5-7b-instruct-yarn,phi-3-mini-128k";
import type { Posenc } from "../../lib/engine.svelte.ts";

/** How a model was trained and by how much its texts become longer; several figures share it. */
export interface Scale {
  dim: number;
  base: number;
  /** Tokens in training, as a power of two. */
  power: number;
  factor: number;
}

export const rules = [
  "rope-linear",
  "rope-ntk",
  "rope-ntk-by-parts",
  "rope-yarn",
  "rope-llama3",
  "rope-longrope",
] as const;
export type Rule = (typeof rules)[number];
/** Those that `unseen` compares, and no rule at all. */
export const someRules = ["rope", "rope-linear", "rope-ntk", "rope-yarn", "rope-llama3"] as const;
export type SomeRule = (typeof someRules)[number];

export interface UnseenSettings {
  rule: SomeRule;
  distance: number;
}

export interface LabSettings {
  rule: Rule;
  others: boolean;
}

export interface DynamicSettings {
  factor: number;
  /** Tokens when the keys were cached, as a power of two; and how many have come since. */
  cached: number;
  grown: number;
}

export interface SharpSettings {
  lead: number;
}

export interface PrecisionSettings {
  base: number;
  pair: number;
  half: boolean;
  /** Where to look closely, as a power of two. */
  start: number;
}

export const trainedLength = ({ power }: Scale) => 2 ** power;
export const extendedLength = ({ power, factor }: Scale) => 2 ** power * factor;

/** The one published model with LongRoPE's lists in this library: they are for heads of its width. */
const phi = models["phi-3-mini-128k"].spec as Extract<Spec, { kind: "rope-longrope" }>;
/** Published models, by the rule that each shows. */
export { models as published };
export const longropeDim = phi.dim;

export const plainRope = (pe: Posenc, { dim, base }: Scale) => pe.create({ kind: "rope", dim, base });

export function makeRule(pe: Posenc, rule: Rule | "rope", scale: Scale) {
  const { dim, base, factor } = scale;
  const originalLength = trainedLength(scale);
  switch (rule) {
    case "rope":
      return plainRope(pe, scale);
    case "rope-linear":
    case "rope-ntk":
      return pe.create({ kind: rule, dim, base, factor });
    case "rope-longrope": {
      const { shortFactor, longFactor } = phi;
      return pe.create({ kind: rule, dim, base, factor, originalLength, shortFactor, longFactor });
    }
    default:
      return pe.create({ kind: rule, dim, base, factor, originalLength });
  }
}

export const hasRule = (rule: Rule, { dim }: Scale) => rule !== "rope-longrope" || dim === longropeDim;

interface Rotary {
  dim: number;
  apply(x: Rows, at: object): Rows;
}

interface Rows {
  data: Float32Array;
  dims: number[];
}

/** The same vector of length 1 again and again. */
export const equalRows = (count: number, dim: number): Rows => ({
  data: new Float32Array(count * dim).fill(1 / Math.sqrt(dim)),
  dims: [1, 1, count, dim],
});

/** Scores of the first row with all the others: what the library multiplies. */
export function firstRowScores(pe: Posenc, query: Rows, keys: Rows): Float32Array {
  const dim = query.data.length;
  const count = keys.data.length / dim;
  const table = { data: new Float32Array((count + 1) * dim), dims: [count + 1, dim] };
  table.data.set(query.data);
  table.data.set(keys.data, dim);
  return pe.similarity(table).data.slice(1, count + 1);
}

/** Scores of equal vectors at those distances. */
export function scoresAt(pe: Posenc, rope: Rotary, distances: number[]): Float32Array {
  const query = rope.apply(equalRows(1, rope.dim), { positions: [0] });
  const keys = rope.apply(equalRows(distances.length, rope.dim), { positions: distances });
  return firstRowScores(pe, query, keys);
}

/** Whole numbers from 1 to `last`, closer together where they are small. */
export function logarithmic(first: number, last: number, count: number): number[] {
  const step = Math.log(last / first) / Math.max(1, count - 1);
  return [...new Set(Array.from({ length: count }, (_, index) => Math.round(first * Math.exp(step * index))))];
}

export const nearestIndex = (list: number[], wanted: number) =>
  list.reduce((best, value, index) => (Math.abs(value - wanted) < Math.abs(list[best] - wanted) ? index : best), 0);
