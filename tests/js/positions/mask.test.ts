// What a mask may hold, and what it must not: flags, told apart from numbers that are added to scores.
import { describe, expect, it } from "vitest";
import { createBias, createRelative, loosely, pe } from "../helpers/library";
import { maxDifference, randomTensor } from "../helpers/numbers";
import { refusal } from "../helpers/refusals";

const [batch, heads, queries, keys, dim] = [2, 3, 4, 5, 6];
const q = randomTensor([batch, heads, queries, dim], 1);
const k = randomTensor([batch, heads, keys, dim], 2);
const v = randomTensor([batch, heads, keys, dim], 3);
const attend = (options: object) => pe.attention(q, k, v, loosely(options)).data;
const alibi = createBias({ kind: "alibi", heads });
const shaw = createRelative({ kind: "shaw", dim, maxDistance: 2 });
const grad = randomTensor([batch, heads, queries, keys], 4);

/** Every call that takes what hides keys. */
const calls: [string, (options: object) => unknown][] = [
  ["attention", attend],
  ["attentionWeights", (options) => pe.attentionWeights(q, k, loosely(options))],
  ["attentionBackward", (options) => pe.attentionBackward(q, k, v, q, loosely(options))],
  ["logits", (options) => shaw.logits(q, k, loosely(options))],
  ["logits' gradient", (options) => shaw.backward(q, k, grad, loosely(options))],
  ["bias", (options) => alibi.bias(loosely({ queries, keys, ...options }))],
  ["applyTo", (options) => alibi.applyTo(randomTensor(grad.dims), loosely(options))],
  ["bias' gradient", (options) => alibi.backward(grad, loosely(options))],
];

const wanted = [true, false, true, true, false];

describe("flags of any type", () => {
  const expected = attend({ mask: wanted });
  it.each<[string, unknown]>([
    ["0 and 1", wanted.map(Number)],
    ["-0 and 1", [1, -0, 1, 1, -0]],
    ["bigints", wanted.map((flag) => BigInt(flag))],
    ["Float32Array", Float32Array.from(wanted, Number)],
    ["Float64Array", Float64Array.from(wanted, Number)],
    ["Uint8Array, 255 for yes", Uint8Array.from(wanted, (flag) => (flag ? 255 : 0))],
    ["Int32Array", Int32Array.from([3, 0, -1, 1, 0])],
    ["Uint8ClampedArray", Uint8ClampedArray.from(wanted, Number)],
    ["BigInt64Array", BigInt64Array.from(wanted, (flag) => BigInt(flag))],
    ["a tensor of booleans", { type: "bool", data: Uint8Array.from(wanted, Number), dims: [1, keys] }],
    ["half-precision bits", { type: "float16", data: Uint16Array.from([0x3c00, 0, 0x3c00, 0x3c00, 0]), dims: [keys] }],
  ])("%s", (_, mask) => {
    expect([...attend({ mask })]).toEqual([...expected]);
    expect([...attend({ attentionMask: mask })]).toEqual([...expected]);
  });
  it("hide what they say", () => {
    const { data } = pe.attentionWeights(q, k, { mask: wanted });
    data.forEach((weight, i) => expect(weight > 0).toBe(wanted[i % keys]));
  });
});

describe.each(calls)("%s refuses what is no flag", (_, call) => {
  it.each<[string, unknown]>([
    ["-Infinity", [0, -Infinity, 0, 0, 0]],
    ["-1e9 in a Float32Array", Float32Array.from([0, -1e9, 0, 0, 0])],
    ["a tensor of additive numbers", { type: "float32", data: new Float32Array(keys).fill(-3.4e38), dims: [keys] }],
    ["0.5", [1, 0.5, 1, 1, 1]],
    ["2", [1, 2, 1, 1, 1]],
    ["NaN", [1, NaN, 1, 1, 1]],
    ["half-precision -Infinity", { type: "float16", data: new Uint16Array(keys).fill(0xfc00), dims: [keys] }],
    ["a hole", Array.from({ length: keys }).fill(1, 0, 3)],
    // eslint-disable-next-line no-sparse-arrays
    ["an array with holes", [1, , 1, 1, 1]],
    ["null", [1, null, 1, 1, 1]],
    ["text", ["1", "0", "1", "1", "1"]],
  ])("%s", (_what, flags) => {
    for (const field of ["mask", "attentionMask"]) {
      const error = refusal(() => call({ [field]: flags }));
      expect([error.code, error.field]).toEqual(["invalid-argument", field]);
      expect(error.message).toContain("bias");
    }
  });
});

it("a mask [batch, keys] is refused, and told to be an attentionMask", () => {
  const flags = { data: new Uint8Array(batch * keys).fill(1), dims: [batch, keys] };
  for (const [, call] of calls.filter(([name]) => name !== "bias")) {
    const error = refusal(() => call({ mask: flags }));
    expect([error.code, error.field]).toEqual(["shape-mismatch", "mask"]);
    expect(error.message).toContain("attentionMask");
    expect(() => call({ attentionMask: flags })).not.toThrow();
  }
});

describe("what hidden places hold reaches nothing that does not see them", () => {
  const spoil = <T extends { data: Float32Array; dims: number[] }>(x: T, row: number, value: number) => {
    const data = x.data.slice();
    const [positions, width] = [x.dims[2]!, x.dims[3]!];
    for (let i = 0; i < data.length; i++) if (Math.floor(i / width) % positions === row) data[i] = value;
    return { ...x, data };
  };
  it.each<[string, object, number[]]>([
    ["mask", { mask: [true, true, true, false, true] }, [0, 1, 2, 3]],
    ["attentionMask", { attentionMask: [1, 1, 1, 0, 1] }, [0, 1, 2, 3]],
    ["causal", { causal: true }, [0, 1]],
    ["window", { window: 1 }, [0, 1, 3]],
    ["segments", { segments: [0, 0, 0, 1, 1] }, [0, 1]],
  ])("%s", (_, options, clean) => {
    const gradOut = randomTensor(q.dims, 5);
    const expected = attend(options);
    const gradients = pe.attentionBackward(q, k, v, gradOut, options);
    for (const bad of [NaN, Infinity, -Infinity]) {
      const [spoiltK, spoiltV] = [spoil(k, 3, bad), spoil(v, 3, bad)];
      const out = pe.attention(q, spoiltK, spoiltV, options).data;
      const slopes = pe.attentionBackward(q, spoiltK, spoiltV, gradOut, options);
      for (let i = 0; i < out.length; i += dim) {
        const row = (i / dim) % queries;
        const part = (x: Float32Array) => x.slice(i, i + dim);
        if (!clean.includes(row)) expect(part(out).some(Number.isFinite)).toBe(false);
        else {
          expect(maxDifference(part(out), part(expected))).toBeLessThan(1e-6);
          expect(maxDifference(part(slopes.q.data), part(gradients.q.data))).toBeLessThan(1e-6);
        }
      }
      if (clean.length === queries)
        for (const name of ["k", "v"] as const)
          expect(maxDifference(slopes[name].data, gradients[name].data)).toBeLessThan(1e-6);
    }
  });
});
