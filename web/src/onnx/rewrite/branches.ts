// Remapped distances of a rotation, as new nodes: positions of queries and keys in each branch, and the branch of each pair.
import type { Remap } from "../../base/call-options.js";
import { invalid } from "../../base/errors.js";
import { remap as readFields } from "../../encodings/remap.js";
import type { NewNodes } from "./new-nodes.js";
import { alongKeys, alongQueries, distancesIn, type Lengths, type TokenPositions } from "./token-distances.js";

/** Reads a rule. Throws `invalid-argument`. */
export function remapOf(given: unknown): Remap {
  readFields(given, "remap");
  const rule = given as Remap;
  const check = (isRight: boolean, name: string, what: string): void => {
    if (!isRight) throw invalid("remap", `${name} must be ${what}, got ${rule[name as keyof Remap]}`);
  };
  const whole = (name: string, least: number): void => {
    const number = rule[name as keyof Remap] as unknown as number;
    check(Number.isSafeInteger(number) && number >= least, name, `a whole number ≥ ${least}`);
  };
  if (rule.kind === "self-extend") whole("group", 1);
  if (rule.kind !== "dual-chunk") whole("window", 1);
  if (rule.kind === "rerope") check((rule.leak ?? 0) >= 0 && (rule.leak ?? 0) <= 1, "leak", "from 0 to 1");
  if (rule.kind !== "dual-chunk") return rule;
  whole("local", 0);
  check(Number.isSafeInteger(rule.chunk) && rule.chunk > rule.local, "chunk", "a whole number > local");
  if (rule.trained !== undefined) whole("trained", 1);
  return rule;
}

/** Rotates queries and keys from their positions to the remapped ones. */
export interface Branches {
  /** Remapped positions of the queries of each branch but the first, in which distances are exact. */
  readonly queries: readonly string[];
  /** Remapped positions of the keys, for all of these branches. */
  readonly keys: string;
  /** Masks [.., queries, keys] of the pairs that are in the branch, or in one before it; for each branch but the last. */
  readonly before: readonly string[];
  /** Factor of the scores [batch, 1, 1, 1]; undefined: 1. */
  readonly factor?: string;
}

/** Adds the nodes of a rule for tokens at these positions. */
export function branchesIn(
  nodes: NewNodes,
  rule: Remap,
  tokens: TokenPositions,
  lengths: Lengths,
  rank: number,
): Branches {
  if (rule.kind === "dual-chunk") return chunksIn(nodes, rule, tokens, rank);
  const { queries, keys } = tokens;
  const { window } = rule;
  const distances = distancesIn(nodes, lengths);
  const limit = nodes.constant("int32", [window]);
  if (rule.kind === "self-extend") {
    const grouped = (positions: string): string => nodes.add("Floor", [nodes.math("Div", positions, rule.group)]);
    return {
      queries: [nodes.math("Add", grouped(queries), window - window / rule.group)],
      keys: grouped(keys),
      before: [nodes.add("Less", [distances, limit])],
    };
  }
  const { leak = 0 } = rule;
  const scaled = (positions: string): string => nodes.math("Mul", positions, leak);
  return {
    queries: [nodes.math("Add", scaled(queries), window * (1 - leak))],
    keys: scaled(keys),
    before: [nodes.add("Less", [nodes.add("Abs", [distances]), limit])],
  };
}

type DualChunk = Extract<Remap, { kind: "dual-chunk" }>;

function chunksIn(
  nodes: NewNodes,
  { chunk, local, trained }: DualChunk,
  tokens: TokenPositions,
  rank: number,
): Branches {
  const size = chunk - local;
  const indices = (positions: string): string => nodes.add("Floor", [nodes.math("Div", positions, size)]);
  const [queryChunks, keyChunks] = [indices(tokens.queries), indices(tokens.keys)];
  const within = (positions: string, chunks: string): string =>
    nodes.math("Sub", positions, nodes.math("Mul", chunks, size));
  const queries = within(tokens.queries, queryChunks);
  const apart = nodes.math("Sub", alongQueries(nodes, queryChunks, rank), alongKeys(nodes, keyChunks, rank));
  const least = (a: string, b: number): string => nodes.math("Sub", a, nodes.add("Relu", [nodes.math("Sub", a, b)]));
  const farthest = Math.min(2 * size - 1, chunk);
  return {
    queries: [
      least(nodes.math("Add", queries, size), chunk),
      // As many positions as there are queries.
      nodes.math("Add", nodes.math("Mul", queries, 0), farthest),
    ],
    keys: within(tokens.keys, keyChunks),
    before: [nodes.math("Less", apart, 1), nodes.math("Less", apart, 2)],
    ...(trained !== undefined && { factor: factorIn(nodes, tokens.last, trained, rank) }),
  };
}

/** max(1, 1 + ln(length / trained) / 10): Qwen2.5-1M, arXiv:2501.15383. */
function factorIn(nodes: NewNodes, last: string, trained: number, rank: number): string {
  const ratio = nodes.math("Div", nodes.math("Add", last, 1), trained);
  const more = nodes.math("Div", nodes.add("Log", [ratio]), 10);
  return alongKeys(nodes, nodes.math("Add", nodes.add("Relu", [more]), 1), rank);
}
