// Is it that family? What every relative encoding must do, for every kind that the library lists.
import { describe, expect, it } from "vitest";
import { nezhaRow, shawRow } from "../helpers/formulas";
import { createRelative, loosely, ofFamily, pe } from "../helpers/library";
import type { Spec } from "../helpers/library";
import {
  copyOf,
  expectSameBits,
  expectSameObject,
  maxDifference,
  randomNumbers,
  randomTensor,
  range,
  swapMiddle,
} from "../helpers/numbers";
import { expectError, caught } from "../helpers/refusals";

const HEADS = 2;
const DIM = 6;

/** Small ones of every kind, and what is special about them. */
const VARIANTS: Record<string, Record<string, unknown>[]> = {
  shaw: [{ maxDistance: 3 }, { maxLeft: 2, maxRight: 70 }, { maxDistance: 2, withValues: false }],
  nezha: [{ maxDistance: 3 }, { base: 100, withValues: false }],
  "transformer-xl": [{}, { clampLength: 5, modelDim: 10, base: 500 }],
  deberta: [{ maxDistance: 5 }, { maxDistance: 40, buckets: 8 }],
  cope: [{ maxPosition: 4 }, { maxPosition: 90, scaledGates: false }, { maxPosition: 9, scaledPosition: false }],
  pope: [{}, { rotaryDim: 3, base: 100 }],
  "rope-mixed": [{ axes: 1 }, { axes: 1, rotaryDim: 4, pairing: "half" }],
  fope: [{}, { oneBasis: true, sinePad: 1, floor: "clamp", outputDim: 3 }],
  "grape-m": [{}, { logScale: 0.5, pairing: "interleaved" }],
  liere: [
    { axes: 1, blockDim: 3 },
    { axes: 1, blockDim: 4 },
  ],
  string: [{ axes: 1 }, { axes: 1, form: "circulant" }],
};
/** Their `heads` are those of keys. */
const ofKeyHeads = ["pope", "rope-mixed", "fope", "grape-m", "liere", "string"];

/** These go by what a call says of its tokens, or add to scaled scores: tokens.test.ts and biased.test.ts. */
const OTHERS = ["forget", "data-dependent-alibi", "path", "grape-a", "grape-ap", "per-row-alibi", "inkling"];

const kinds = ofFamily("relative").filter(({ kind }) => !OTHERS.includes(kind));
const specs: [string, Spec][] = kinds.flatMap(({ kind, fields }) =>
  (VARIANTS[kind] ?? [{}]).map((changes): [string, Spec] => {
    const heads = fields.some(({ name }) => name === "heads") ? { heads: HEADS } : {};
    return [`${kind} ${JSON.stringify(changes)}`, { kind, dim: DIM, ...heads, ...changes }];
  }),
);

function create(spec: Spec) {
  const encoding = createRelative(spec);
  let seed = 5;
  for (const tensor of Object.values(encoding.parameters)) tensor.data.set(randomNumbers(tensor.size, seed++));
  return encoding;
}

/** softmax(scale · logits) [rows, keys]; all zeros where nothing is visible. */
function softmax(logits: ArrayLike<number>, keys: number, scale: number): Float64Array {
  const out = new Float64Array(logits.length);
  for (let start = 0; start < out.length; start += keys) {
    const scores = range(keys).map((j) => logits[start + j]! * scale);
    const top = Math.max(...scores);
    if (top === -Infinity) continue;
    const weights = scores.map((score) => Math.exp(score - top));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    weights.forEach((weight, j) => (out[start + j] = weight / total));
  }
  return out;
}

const sizes: [string, number[]][] = [
  ["square", [1, HEADS, HEADS, 5, 5]],
  ["more keys than queries", [2, HEADS, HEADS, 3, 70]],
  ["more than a tile", [1, HEADS, HEADS, 67, 131]],
];

describe.each(specs)("%s", (_, spec) => {
  const encoding = create(spec);
  const scale = 1 / Math.sqrt(DIM * (spec.kind === "deberta" ? 3 : 1));
  const tensors = (batch: number, heads: number, keyHeads: number, queries: number, keys: number) => ({
    q: randomTensor([batch, heads, queries, DIM], 21),
    k: randomTensor([batch, keyHeads, keys, DIM], 22),
    v: randomTensor([batch, keyHeads, keys, DIM], 23),
  });

  it.each(sizes)("gives logits whose softmax attention takes: %s", (_name, size) => {
    const [batch, heads, keyHeads, queries, keys] = size as [number, number, number, number, number];
    const { q, k, v } = tensors(batch, heads, keyHeads, queries, keys);
    const inputs = [q, k, v].map(copyOf);
    for (const options of [{}, { causal: true }]) {
      const logits = encoding.logits(q, k, options);
      expect(logits.dims).toEqual([batch, heads, queries, keys]);
      const weights = softmax(logits.data, keys, scale);
      expect(maxDifference(pe.attentionWeights(q, k, { encoding, ...options }).data, weights)).toBeLessThan(6e-7);
      const out = pe.attention(q, k, v, { encoding, ...options });
      // Shaw's values and NEZHA's depend on the distance: a sum of weights times them comes on top.
      const joins = spec.withValues !== false && ["shaw", "nezha"].includes(spec.kind);
      const rowAt = (distance: number): ArrayLike<number> => {
        if (spec.kind === "nezha") return nezhaRow(distance, DIM, spec);
        const start = shawRow(distance, spec) * DIM;
        return encoding.parameters["values"]!.data.subarray(start, start + DIM);
      };
      const expected = new Float64Array(out.data.length);
      weights.forEach((weight, index) => {
        const [row, j] = [Math.floor(index / keys), index % keys];
        const [head, i] = [Math.floor(row / queries), row % queries];
        const own = joins ? rowAt(j - i - (keys - queries)) : [];
        for (let f = 0; f < DIM; f++)
          expected[row * DIM + f]! += weight * (v.data[(head * keys + j) * DIM + f]! + (own[f] ?? 0));
      });
      expect(maxDifference(out.data, expected)).toBeLessThan(1e-6);
    }
    [q, k, v].forEach((tensor, index) => expectSameBits(tensor.data, inputs[index]!.data, "an input"));
  });

  it("depends on distances only, but where waves are mixed", () => {
    const { q, k } = tensors(1, HEADS, HEADS, 9, 9);
    const here = encoding.logits(q, k);
    const positions = range(9, 1000);
    const moved = maxDifference(encoding.logits(q, k, { offset: 1000 }).data, here.data);
    if (spec.kind === "fope") expect(moved).toBeGreaterThan(1e-3);
    else expect(moved).toBeLessThan(1e-6);
    expectSameBits(encoding.logits(q, k, { positions }).data, encoding.logits(q, k, { offset: 1000 }).data);
  });

  it("gives a cache's last queries what they had in the whole sequence", () => {
    const { q, k } = tensors(1, HEADS, HEADS, 9, 9);
    const whole = encoding.logits(q, k, { causal: true });
    const rest = randomTensor([1, HEADS, 2, DIM]);
    for (const h of range(HEADS)) rest.data.set(q.data.subarray((h * 9 + 7) * DIM, (h * 9 + 9) * DIM), h * 2 * DIM);
    const last = encoding.logits(rest, k, { causal: true });
    // Few queries are multiplied otherwise than many: sums have other last bits.
    for (const h of range(HEADS)) {
      const numbers = [last.data.subarray(h * 18, h * 18 + 18), whole.data.subarray((h * 9 + 7) * 9, (h * 9 + 9) * 9)];
      const [hidden, wantedHidden] = numbers.map((row) => [...row].map((score) => score === -Infinity));
      expect(hidden).toEqual(wantedHidden);
      const [scores, wanted] = numbers.map((row) => row.map((score) => Math.max(score, -1e9)));
      expect(maxDifference(scores!, wanted!)).toBeLessThan(5e-7);
    }
  });

  it("shares key heads among query heads, in both layouts", () => {
    const heads = ofKeyHeads.includes(spec.kind) ? 2 * HEADS : HEADS;
    const keyHeads = heads / 2;
    const { q, k, v } = tensors(2, heads, keyHeads, 6, 6);
    const twice = (x: typeof k) => {
      const size = 6 * DIM;
      const blocks = range(x.data.length / size).flatMap((n) =>
        [n, n].map((at) => x.data.slice(at * size, (at + 1) * size)),
      );
      return { ...x, data: Float32Array.from(blocks.flatMap((block) => [...block])), dims: [2, heads, 6, DIM] };
    };
    const swapped = [q, k, v].map(swapMiddle) as [typeof q, typeof k, typeof v];
    const out = pe.attention(q, k, v, { encoding });
    const other = pe.attention(...swapped, { encoding, layout: "bthd" });
    expectSameBits(swapMiddle(other).data, out.data);
    expectSameBits(encoding.logits(swapped[0], swapped[1], { layout: "bthd" }).data, encoding.logits(q, k).data);
    if (ofKeyHeads.includes(spec.kind)) return;
    expectSameBits(pe.attention(q, twice(k), twice(v), { encoding }).data, out.data);
  });

  it("writes into `out`, the same bits, and returns that object", () => {
    const { q, k } = tensors(1, HEADS, HEADS, 3, 4);
    const expected = encoding.logits(q, k);
    const plain = randomTensor([1, HEADS, 3, 4]);
    expectSameObject(encoding.logits(q, k, { out: plain }), plain);
    expectSameBits(plain.data, expected.data);
    using inside = pe.tensor([1, HEADS, 3, 4]);
    expectSameObject(encoding.logits(q, k, { out: inside }), inside);
    expectSameBits(inside.data, expected.data);
    expect(encoding.logits(randomTensor([1, HEADS, 0, DIM]), k).dims).toEqual([1, HEADS, 0, 4]);
    expect(encoding.logits(q, randomTensor([1, HEADS, 0, DIM])).dims).toEqual([1, HEADS, 3, 0]);
  });

  it.skipIf(Object.keys(encoding.parameters).length === 0)("reads its parameters anew at each call", () => {
    const own = create(spec);
    const { q, k } = tensors(1, HEADS, HEADS, 4, 4);
    const before = own.logits(q, k).data;
    // Values are no part of the scores.
    const [name, tensor] = Object.entries(own.parameters).find(([key]) => key !== "values")!;
    const kept = tensor.data.slice();
    tensor.data.set(randomNumbers(tensor.size, 99).map((value) => value - 1));
    expect(maxDifference(own.logits(q, k).data, before)).toBeGreaterThan(1e-3);
    own.load({ [name]: kept });
    expectSameBits(own.logits(q, k).data, before);
    const made = createRelative({ ...spec, [name]: kept });
    expectSameBits(made.parameters[name]!.data, kept);
  });

  it("names what does not fit", async () => {
    const { q, k, v } = tensors(1, HEADS, HEADS, 3, 3);
    const wide = randomTensor([1, HEADS, 3, DIM + 2]);
    const refused = async (call: () => unknown, code: string, field: string) =>
      expectError(await caught(call), code, field);
    await refused(() => encoding.logits(wide, wide), "shape-mismatch", "encoding");
    await refused(() => pe.attention(wide, wide, wide, { encoding }), "shape-mismatch", "encoding");
    await refused(() => encoding.logits(q, k, { positions: [0, 1] }), "shape-mismatch", "positions");
    await refused(() => encoding.logits(q, k, { offset: NaN }), "invalid-argument", "offset");
    await refused(() => encoding.logits(q, k, { mask: [1, 0] }), "shape-mismatch", "mask");
    await refused(() => encoding.logits(q, k, loosely({ length: 3 })), "invalid-argument", "length");
    await refused(() => encoding.logits(q, loosely(undefined)), "invalid-argument", "k");
    await refused(() => pe.distanceProfile(encoding, { maxDistance: 3 }), "unsupported", "encoding");
    if (spec.heads) {
      const three = randomTensor([1, 3, 3, DIM]);
      await refused(() => encoding.logits(three, three), "shape-mismatch", "encoding");
    }
    if (spec.kind !== "cope") {
      await refused(() => encoding.contextPositions(q, k), "unsupported", "encoding");
      await refused(() => pe.attention(q, k, v, { encoding, gateKeys: k }), "unsupported", "gateKeys");
    }
    expect(encoding.logits(q, k).data.every(Number.isFinite)).toBe(true);
  });
});

describe("shaw", () => {
  it("sorts distances into the rows of its tables", () => {
    const shaw = createRelative({ kind: "shaw", dim: 4, maxLeft: 2, maxRight: 1 });
    expect([...shaw.bucketOf([-5, -2, -1, 0, 1, 9])]).toEqual([0, 0, 1, 2, 3, 3]);
    expect(shaw.parameters["keys"]!.dims).toEqual([4, 4]);
  });

  it("names v where its values are of another width", async () => {
    const [q, v] = [randomTensor([1, 1, 3, 4]), randomTensor([1, 1, 3, 5])];
    const attend = (withValues: boolean) =>
      pe.attention(q, q, v, { encoding: createRelative({ kind: "shaw", dim: 4, withValues }) });
    expectError(await caught(() => attend(true)), "shape-mismatch", "v");
    expect(attend(false).dims).toEqual([1, 1, 3, 5]);
  });
});

describe("relativeShift", () => {
  const x = { type: "float32" as const, data: Float32Array.from(range(15, 1)), dims: [3, 5] };
  it("moves rows by their distance from the last query", () => {
    expect([...pe.relativeShift(x).data]).toEqual([3, 4, 5, 0, 6, 7, 8, 9, 10, 0, 11, 12, 13, 14, 15]);
    expect([...pe.relativeShift(x, { zeroWrapped: true }).data].slice(0, 5)).toEqual([3, 4, 5, 0, 0]);
    expect(pe.relativeShift(x, { keys: 2 })).toMatchObject({ dims: [3, 2] });
  });
  it("names what does not fit", async () => {
    expectError(await caught(() => pe.relativeShift(x, { keys: 6 })), "invalid-argument", "keys");
    expectError(await caught(() => pe.relativeShift({ ...x, dims: [15] })), "shape-mismatch", "x");
  });
});
