// Positions and distances of tokens, as new nodes of a graph.
import type { Value } from "../read/flow.js";
import type { NewNodes } from "./new-nodes.js";

/** Numbers of queries and keys, int32 scalars. */
export interface Lengths {
  readonly queries: string;
  readonly keys: string;
}

/** Returns the lengths of scores [..., queries, keys]. */
export const lengthsOf = (nodes: NewNodes, scores: string): Lengths => ({
  queries: nodes.sizeOf(scores, -2),
  keys: nodes.sizeOf(scores, -1),
});

const int32 = "int32";

/** Returns the indices of the queries, which are the last tokens, and of the keys: int32 [queries], [keys]. */
function indicesOf(nodes: NewNodes, { queries, keys }: Lengths): { queries: string; keys: string } {
  const [zero, one] = [nodes.constant(int32, [0]), nodes.constant(int32, [1])];
  return {
    queries: nodes.add("Range", [nodes.add("Sub", [keys, queries]), keys, one]),
    keys: nodes.add("Range", [zero, keys, one]),
  };
}

/**
 * Returns the distances from keys to queries, int32 [queries, keys], or with 4 dims [1, 1, queries, keys]. Operators on int32
 * run on GPUs, too.
 */
export function distancesIn(nodes: NewNodes, lengths: Lengths, rank: 2 | 4 = 2): string {
  const { queries, keys } = indicesOf(nodes, lengths);
  const ones = rank === 4 ? [1, 1] : [];
  return nodes.add("Sub", [nodes.reshape(queries, [...ones, -1, 1]), nodes.reshape(keys, [...ones, 1, -1])]);
}

/** Positions of queries [batch or 1, queries] and keys [batch or 1, keys], float32. */
export interface TokenPositions {
  readonly queries: string;
  readonly keys: string;
  /** Position of the last query [batch or 1, 1]. */
  readonly last: string;
}

/** Scores [batch, heads, queries, keys]; with 3 dims, batch and heads are one; with 5, heads are in groups. */
export interface Scores {
  readonly name: string;
  readonly rank: number;
}

/**
 * Returns the positions of all tokens, for scores of these tokens. Cached keys have no positions in a graph: they come before
 * the last query, one position each, which left padding does not change.
 */
export function positionsIn(
  nodes: NewNodes,
  scores: Scores,
  lengths: Lengths,
  given: Value | undefined,
): TokenPositions {
  const indices = indicesOf(nodes, lengths);
  const float = (value: string): string => nodes.cast(value, "float32");
  const keys = nodes.reshape(float(indices.keys), [1, -1]);
  if (!given) {
    const queries = nodes.reshape(float(indices.queries), [1, -1]);
    return { queries, keys, last: lastOf(nodes, queries) };
  }
  const count = nodes.add("Reshape", [nodes.cast(lengths.queries, "int64"), nodes.constant("int64", [1], [1])]);
  const rows = nodes.add("Concat", [nodes.constant("int64", [-1], [1]), count], { axis: 0 });
  const ofBatch = float(nodes.add("Reshape", [given.name, rows]));
  const queries = scores.rank === 3 ? ofHeads(nodes, ofBatch, scores, rows) : ofBatch;
  const last = lastOf(nodes, queries);
  // The index of the last query is that of the last key.
  const shift = nodes.math("Sub", last, lastOf(nodes, keys));
  return { queries, keys: nodes.math("Add", keys, shift), last };
}

const lastOf = (nodes: NewNodes, rows: string): string =>
  nodes.add("Gather", [rows, nodes.constant("int64", [-1], [1])], { axis: 1 });

/** Repeats the positions [batch, queries] for the heads of each batch element: [batch · heads, queries]. */
function ofHeads(nodes: NewNodes, positions: string, scores: Scores, rows: string): string {
  const one = nodes.constant("int64", [1], [1]);
  const heads = nodes.add("Div", [nodes.sizeOf(scores.name, 0), nodes.sizeOf(positions, 0)]);
  const row = nodes.add("Reshape", [nodes.cast(heads, "int64"), one]);
  const repeated = nodes.add("Expand", [
    nodes.reshape(positions, [0, 1, -1]),
    nodes.add("Concat", [one, row, one], { axis: 0 }),
  ]);
  return nodes.add("Reshape", [repeated, rows]);
}

/** Returns rows [batch, tokens] as columns or rows of scores with this rank. */
export const alongQueries = (nodes: NewNodes, rows: string, rank: number): string =>
  nodes.reshape(rows, [0, ...Array<number>(rank - 3).fill(1), -1, 1]);
export const alongKeys = (nodes: NewNodes, rows: string, rank: number): string =>
  nodes.reshape(rows, [0, ...Array<number>(rank - 3).fill(1), 1, -1]);
