// Rotates queries and keys again, as new nodes: from their own positions to others.
import type { OwnedFloat64Array } from "../../base/types.js";
import type { Pairing } from "../find/pairing.js";
import type { RotatedPart } from "../find/rotated.js";
import type { DataType } from "../read/values.js";
import type { NewNodes } from "./new-nodes.js";
import { alongKeys, alongQueries } from "./token-distances.js";

/** A rotation by position · frequency of pairs of features. */
export interface PairRotation {
  readonly frequencies: OwnedFloat64Array;
  readonly pairing: Pairing;
}

/** Order of the last two dims: keys are transposed before a product. */
export type Order = "tokens-features" | "features-tokens";

/** Cosines and sines of each feature: [batch, 1, tokens, dim] or [batch, 1, dim, tokens]; with one dim less or more as scores. */
export interface FeatureTables {
  readonly cos: string;
  readonly sin: string;
}

/**
 * Adds the cosines and sines for a shift of positions [batch, tokens]. The sines have the signs of x' = x cos + partner sin.
 */
export function tablesIn(
  nodes: NewNodes,
  rotation: PairRotation,
  shift: string,
  order: Order,
  rank: number,
  type: DataType,
): FeatureTables {
  const { length } = rotation.frequencies;
  const isInRows = order === "tokens-features";
  const dims = [...Array<number>(rank - 2).fill(1), ...(isInRows ? [1, 2 * length] : [2 * length, 1])];
  const pairOf = (i: number): number => (rotation.pairing === "half" ? i % length : i >> 1);
  const isFirst = (i: number): boolean => (rotation.pairing === "half" ? i < length : i % 2 === 0);
  const frequencies = Float64Array.from({ length: 2 * length }, (_, i) => rotation.frequencies[pairOf(i)]!);
  const signed = frequencies.map((frequency, i) => (isFirst(i) ? -frequency : frequency));
  const shifts = (isInRows ? alongQueries : alongKeys)(nodes, shift, rank);
  const table = (op: string, by: Float64Array): string => {
    return nodes.asType(nodes.add(op, [nodes.add("Mul", [shifts, nodes.constant("float32", by, dims)])]), type);
  };
  return { cos: table("Cos", frequencies), sin: table("Sin", signed) };
}

/** Largest end of a Slice. */
const toEnd = 2 ** 31 - 1;

/** Adds the rotation of features [batch, heads, tokens, head dim], or of transposed ones. */
export function rotatedIn(
  nodes: NewNodes,
  features: string,
  { cos, sin }: FeatureTables,
  rotation: PairRotation,
  part: RotatedPart,
  order: Order,
  rank: number,
): string {
  const axis = rank - (order === "tokens-features" ? 1 : 2);
  const half = rotation.frequencies.length;
  const int64 = (one: number): string => nodes.constant("int64", [one], [1]);
  const slice = (from: number, to: number): string =>
    nodes.add("Slice", [features, int64(from), int64(to), int64(axis)]);
  const join = (...parts: string[]): string => nodes.add("Concat", parts, { axis });
  // Features from `first` on, and the partner of each.
  const rotate = (own: string, first: number): string => {
    const neighbours = Array.from({ length: 2 * half }, (_, i) => i ^ 1);
    const end = first < 0 ? toEnd : first + 2 * half;
    const partners =
      rotation.pairing === "half"
        ? join(slice(first + half, end), slice(first, first + half))
        : nodes.add("Gather", [own, nodes.constant("int64", neighbours, [2 * half])], { axis });
    return nodes.add("Add", [nodes.add("Mul", [own, cos]), nodes.add("Mul", [partners, sin])]);
  };
  if (part === "all") return rotate(features, 0);
  if (part === "first") return join(rotate(slice(0, 2 * half), 0), slice(2 * half, toEnd));
  return join(slice(0, -2 * half), rotate(slice(-2 * half, toEnd), -2 * half));
}
