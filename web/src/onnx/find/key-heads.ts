// Where a graph repeats the heads of keys for the heads of queries.
import { constantValues } from "../read/constant-values.js";
import { attributeOf, type Step, type Value } from "../read/flow.js";
import type { Files } from "../read/values.js";

/** Keys before their heads are repeated, and the steps from there to the product with queries. */
export interface KeyHeads {
  /** [batch, key heads, keys, dim] */
  readonly keys: Value;
  /** Unsqueeze, Expand, Reshape and Transpose, in order. */
  readonly steps: readonly Step[];
}

const ops = ["Transpose", "Reshape", "Expand", "Unsqueeze"];

/** Returns the keys [batch, key heads, keys, dim] whose heads are repeated; undefined: the graph has another form. */
export async function keyHeadsOf(factor: Value, files: Files): Promise<KeyHeads | undefined> {
  const steps: Step[] = [];
  let at = factor;
  for (const op of ops) {
    if (at.maker?.op !== op || !at.maker.ins[0]) return undefined;
    steps.unshift(at.maker);
    at = at.maker.ins[0];
  }
  const [unsqueeze, , , transpose] = steps as [Step, Step, Step, Step];
  const axes = attributeOf(unsqueeze.node, "axes")?.ints ?? (await constantValues(unsqueeze.ins[1], files)) ?? [];
  const perm = attributeOf(transpose.node, "perm")?.ints ?? [];
  return [...axes].join() === "2" && perm.join() === "0,1,3,2" ? { keys: at, steps } : undefined;
}
