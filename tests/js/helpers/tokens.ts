// What calls say of their tokens, for the kinds that go by it.
import type { Tensor } from "posenc";
import type { Spec } from "./library";
import { randomTensor } from "./numbers";

const changed = (x: Tensor, change: (value: number) => number): Tensor => ({ ...x, data: x.data.map(change) });

/** [1, heads, keys or queries, …], as heads of queries and of keys are as many. */
export function tokensOf(
  spec: Spec,
  heads: number,
  [queries, keys]: readonly [queries: number, keys: number],
  dim: number,
  seed: number,
): Record<string, Tensor> {
  const gates = (sets: number): Tensor => changed(randomTensor([1, sets * heads, keys], seed), (x) => -Math.abs(x));
  switch (spec.kind) {
    case "forget":
      return { logGates: gates(1) };
    case "data-dependent-alibi":
      return { logGates: gates(spec["bidirectional"] ? 2 : 1) };
    case "grape-ap":
      return { gateRows: randomTensor([1, heads, keys, 4], seed) };
    case "per-row-alibi":
      return { gateRows: randomTensor([1, heads, keys, 2 * Number(spec["gateDim"] ?? 8)], seed) };
    case "inkling":
      return { relativeStates: randomTensor([1, heads, queries, Number(spec["relativeDim"] ?? 16)], seed) };
    case "path":
      return {
        logGates: gates(1),
        directions: changed(randomTensor([1, heads, keys, dim], seed + 1), (x) => x / Math.sqrt(dim)),
        strengths: changed(randomTensor([1, heads, keys], seed + 2), Math.abs),
      };
    default:
      return {};
  }
}
