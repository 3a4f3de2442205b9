// What a reference of an encoding says, and what several of them ask.
import type { ReferenceOptions } from "./attention";
import type { Inputs, Tensor64 } from "./gradients";
import { rowOf } from "./map-rows";
import type { Spec } from "./library";

/** Where the queries and keys stand; of encodings with several axes, on each of these. */
export interface TokenPositions {
  queries: number[];
  keys: number[];
  axes?: { queries: number[][]; keys: number[][] };
}
export interface Referenced {
  q: Tensor64;
  k: Tensor64;
  options: ReferenceOptions;
}
export type Reference = (inputs: Inputs, spec: Spec, positions: TokenPositions) => Referenced;
export type Options = Spec & Record<string, never>;

/** Queries and keys as they are. */
export const plain = ({ q, k }: Inputs, options: ReferenceOptions): Referenced => ({ q: q!, k: k!, options });

/** A function of numbers, and of lists of one length, that is asked for the same ones often: each is worked out once. */
export function remembered<Args extends readonly (number | readonly number[])[], T>(work: (...args: Args) => T) {
  // By the last argument, and in that by the others: numbers are found sooner than texts.
  const known = new Map<unknown, Map<unknown, T>>();
  const keyOf = (arg: unknown): unknown => (typeof arg === "object" ? String(arg) : arg);
  return (...args: Args): T => {
    const last = keyOf(args.at(-1));
    const others = args.length === 2 ? keyOf(args[0]) : String(args.slice(0, -1));
    let values = known.get(last);
    if (!values) known.set(last, (values = new Map()));
    let value = values.get(others);
    if (value === undefined) values.set(others, (value = work(...args)));
    return value;
  };
}

/** The query's row, and those of all keys of its head. */
export function around({ q, k }: Inputs, b: number, h: number, i: number) {
  const [, heads, queries] = q!.dims as [number, number, number, number];
  const [, keyHeads, keys] = k!.dims as [number, number, number, number];
  const keyHead = b * keyHeads + Math.floor((h * keyHeads) / heads);
  return {
    query: rowOf(q!, (b * heads + h) * queries + i),
    key: (j: number): Float64Array => rowOf(k!, keyHead * keys + j),
    index: (j: number): number => keyHead * keys + j,
  };
}
