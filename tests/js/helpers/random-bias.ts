// What every attention bias does, whatever its spec.
import type { BiasEncoding } from "posenc";
import { expect } from "vitest";
import { expectSameBits } from "./numbers";
import type { Spec } from "./library";
import { Random } from "./random-spec";

/** Biases that are no function of key - query, with what they are instead. */
const NOT_TOEPLITZ: Record<string, (spec: Spec) => boolean> = {
  // Counts keys; under a causal mask the softmax makes it the same.
  alibi: (spec) => spec.form === "key" || spec.form === "key-absolute",
  // Goes by rows and columns of a window.
  swin: () => true,
  "swin-v2": () => true,
  // Divides by the query's position.
  fire: () => true,
};

export function checkBias(encoding: BiasEncoding, spec: Spec, random: Random): void {
  const window = windowOf(spec);
  const keys = window ?? random.whole(1, 9);
  const queries = window ?? random.whole(1, 9);
  const { heads } = encoding;
  const whole = encoding.bias({ queries, keys });
  expect(whole.dims).toEqual([heads, queries, keys]);
  expect(whole.data.some(Number.isNaN), "no NaN").toBe(false);
  if (window) return;
  const last = encoding.bias({ queries: 1, keys });
  for (let h = 0; h < heads; h++) {
    const from = (h * queries + queries - 1) * keys;
    expectSameBits(last.data.subarray(h * keys, (h + 1) * keys), whole.data.subarray(from, from + keys), "last query");
  }
  if (!NOT_TOEPLITZ[spec.kind]?.(spec)) expectToeplitz(whole.data, heads, queries, keys);
}

const windowOf = ({ windowHeight, windowWidth, classToken }: Spec): number | undefined =>
  windowHeight === undefined
    ? undefined
    : (windowHeight as number) * (windowWidth as number) + (classToken === true ? 1 : 0);

function expectToeplitz(data: Float32Array, heads: number, queries: number, keys: number): void {
  for (let h = 0; h < heads; h++)
    for (let i = 1; i < queries; i++)
      for (let j = 1; j < keys; j++) {
        const at = (h * queries + i) * keys + j;
        expect(Object.is(data[at], data[at - keys - 1]), `bias of query ${i} and key ${j}`).toBe(true);
      }
}
