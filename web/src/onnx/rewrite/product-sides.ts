// Products of queries and keys, whose operands new nodes rotate.
import { attributeOf, integerOf, type Step } from "../read/flow.js";
import type { KeyHeads } from "../find/key-heads.js";
import type { Sides } from "./apart.js";
import type { NewNodes } from "./new-nodes.js";
import type { Order } from "./rotated-again.js";

/** Queries and keys of a product, or of the parts of fused attention, and the order of the keys. */
export interface Product extends Sides {
  readonly order: Order;
  /** Factor of the product. Default 1. */
  readonly alpha?: number;
}

/** A product with what posenc knows of its operands. */
export interface KnownProduct {
  readonly step: Step;
  /** Keys before their heads are repeated. */
  readonly keyHeads: KeyHeads | undefined;
  /** Orders of dims of an Einsum. */
  readonly perms: Perms | undefined;
  /** Number of dims. */
  readonly rank: number;
}

/** Orders of dims that bring queries to [batch, heads, tokens, dim], and keys, too. */
export interface Perms {
  readonly queries: readonly number[];
  readonly keys: readonly number[];
}

/** Returns the orders of an Einsum "bqhd,bkhd->bhqk", with any letters; undefined: it is another product. */
export function permsOf({ node }: Step): Perms | undefined {
  const equation = attributeOf(node, "equation")?.s?.replaceAll(" ", "") ?? "";
  const [, left, right, out] = /^(\w{4}),(\w{4})->(\w{4})$/.exec(equation) ?? [];
  const [b, h, q, k] = out ?? "";
  const dims = [...(left ?? "")].filter((letter) => right!.includes(letter) && !out!.includes(letter));
  if (dims.length !== 1) return undefined;
  const order = (letters: string, tokens: string): number[] =>
    [b!, h!, tokens, dims[0]!].map((letter) => letters.indexOf(letter));
  const perms = { queries: order(left!, q!), keys: order(right!, k!) };
  return [...perms.queries, ...perms.keys].includes(-1) ? undefined : perms;
}

/** Whether a step is a product of queries and keys in a known order. */
export const isKnownProduct = (step: Step): boolean =>
  !!step.ins[0] &&
  !!step.ins[1] &&
  (step.op === "MatMul" ||
    (step.op === "Einsum" && permsOf(step) !== undefined) ||
    (step.op === "FusedMatMul" &&
      !["transA", "transBatchA", "transBatchB"].some((name) => integerOf(step.node, name, 0) === 1)));

/** Returns the operands of a product. Keys are rotated before their heads are repeated. */
export function sidesIn(nodes: NewNodes, { step, keyHeads, perms, rank }: KnownProduct): Product {
  const [queries, keys] = step.ins.map((value) => value!.name) as [string, string];
  const dims = Array.from({ length: rank - 2 }, (_, i) => i);
  const transposed = (value: string): string =>
    nodes.add("Transpose", [value], { perm: [...dims, rank - 1, rank - 2] });
  if (perms) {
    const ordered = (value: string, perm: readonly number[]): string =>
      perm.join() === "0,1,2,3" ? value : nodes.add("Transpose", [value], { perm });
    return {
      queries: ordered(queries, perms.queries),
      keys: ordered(keys, perms.keys),
      order: "tokens-features",
      factorOf: transposed,
    };
  }
  if (step.op === "FusedMatMul") {
    const isTransposed = integerOf(step.node, "transB", 0) === 1;
    return {
      ...{ queries, keys },
      order: isTransposed ? "tokens-features" : "features-tokens",
      factorOf: isTransposed ? transposed : (some) => some,
      alpha: attributeOf(step.node, "alpha")?.f ?? 1,
    };
  }
  if (!keyHeads) return { queries, keys, order: "features-tokens", factorOf: (some) => some };
  const factorOf = (some: string): string => keyHeads.steps.reduce((value, one) => nodes.again(one, value), some);
  return { queries, keys: keyHeads.keys.name, order: "tokens-features", factorOf };
}
