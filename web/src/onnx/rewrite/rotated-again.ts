// Rotates queries and keys again, as new nodes: from their own positions to others.
import type { OwnedFloat64Array } from "../../base/types.js";
import type { Pairing } from "../find/pairing.js";
import type { RotatedPart } from "../find/rotated.js";
import type { DataType } from "../read/values.js";
import type { NewNodes } from "./new-nodes.js";

/** A rotation by position · frequency of pairs of features. */
export interface Turn {
  readonly frequencies: OwnedFloat64Array;
  readonly pairing: Pairing;
}

/** Order of the last two dims: keys are transposed before a product. */
export type Order = "tokens-features" | "features-tokens";

/** Cosines and sines of each feature: [batch, 1, tokens, dim] or [batch, 1, dim, tokens]. */
export interface FeatureTables {
  readonly cos: string;
  readonly sin: string;
}

/** Index of the feature that forms a pair with each feature. */
function partners({ frequencies: { length }, pairing }: Turn): number[] {
  return Array.from({ length: 2 * length }, (_, i) => (pairing === "half" ? (i + length) % (2 * length) : i ^ 1));
}

/** Adds the cosines and sines for a shift of positions [batch, tokens]. The sines have the signs of x' = x cos + partner sin. */
export function tablesIn(nodes: NewNodes, turn: Turn, shift: string, order: Order, type: DataType): FeatureTables {
  const { length } = turn.frequencies;
  const isInRows = order === "tokens-features";
  const dims = isInRows ? [1, 1, 1, 2 * length] : [1, 1, 2 * length, 1];
  const pairOf = (i: number): number => (turn.pairing === "half" ? i % length : i >> 1);
  const isFirst = (i: number): boolean => (turn.pairing === "half" ? i < length : i % 2 === 0);
  const frequencies = Float64Array.from({ length: 2 * length }, (_, i) => turn.frequencies[pairOf(i)]!);
  const signed = frequencies.map((frequency, i) => (isFirst(i) ? -frequency : frequency));
  const shifts = nodes.reshape(shift, isInRows ? [0, 1, -1, 1] : [0, 1, 1, -1]);
  const table = (op: string, by: Float64Array): string => {
    const values = nodes.add(op, [nodes.add("Mul", [shifts, nodes.constant("float32", by, dims)])]);
    return type === "float32" ? values : nodes.cast(values, type);
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
  turn: Turn,
  part: RotatedPart,
  order: Order,
): string {
  const axis = order === "tokens-features" ? 3 : 2;
  const dim = 2 * turn.frequencies.length;
  const slice = (from: number, to: number): string =>
    nodes.add("Slice", [features, ...[from, to, axis].map((one) => nodes.constant("int64", [one], [1]))]);
  const rotate = (own: string): string => {
    const other = nodes.add("Gather", [own, nodes.constant("int64", partners(turn), [dim])], { axis });
    return nodes.add("Add", [nodes.add("Mul", [own, cos]), nodes.add("Mul", [other, sin])]);
  };
  if (part === "all") return rotate(features);
  if (part === "first") return nodes.add("Concat", [rotate(slice(0, dim)), slice(dim, toEnd)], { axis });
  return nodes.add("Concat", [slice(0, -dim), rotate(slice(-dim, toEnd))], { axis });
}
