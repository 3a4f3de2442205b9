// Encodings that go by what a call says of its tokens: gates, directions, strengths.
import type { GatedRelative, RelativeEncoding, Tensor } from "posenc";
import { describe, expect, it } from "vitest";
import { createRelative, loosely, pe } from "../helpers/library";
import {
  copyOf,
  expectSameBits,
  expectSameObject,
  maxDifference,
  randomTensor,
  range,
  swapMiddle,
} from "../helpers/numbers";
import { caught, expectError } from "../helpers/refusals";

const [HEADS, DIM] = [2, 6];

const refused = async (call: () => unknown, code: string, field: string): Promise<void> =>
  expectError(await caught(call), code, field);

/** Rows of length 1 of x [..., width]. */
function unit({ data, dims }: Tensor): Tensor {
  const width = dims.at(-1)!;
  return {
    type: "float32",
    dims,
    data: data.map((x, i) => {
      const row = data.subarray(i - (i % width), i - (i % width) + width);
      return x / Math.hypot(...row);
    }),
  };
}

const shifted = ({ data, dims }: Tensor, by: number, factor = 1): Tensor => ({
  type: "float32",
  dims,
  data: data.map((x) => factor * x + by),
});

const closing = (x: Tensor): Tensor => ({ ...x, data: x.data.map((value) => -Math.abs(value)) });

const KINDS = {
  forget: { spec: { kind: "forget", heads: HEADS }, sets: 1, reflects: false },
  "data-dependent-alibi": { spec: { kind: "data-dependent-alibi", dim: 4, heads: HEADS }, sets: 1, reflects: false },
  "data-dependent-alibi, bidirectional": {
    spec: { kind: "data-dependent-alibi", dim: 4, heads: HEADS, bidirectional: true },
    sets: 2,
    reflects: false,
  },
  path: { spec: { kind: "path", dim: DIM }, sets: 1, reflects: true },
  "grape-ap": { spec: { kind: "grape-ap", heads: HEADS }, sets: 0, reflects: false },
  "per-row-alibi": { spec: { kind: "per-row-alibi", dim: 4, heads: HEADS, gateDim: 2 }, sets: 0, reflects: false },
};

describe.each(Object.entries(KINDS))("%s", (_, { spec, sets, reflects }) => {
  const encoding = createRelative(spec) as unknown as RelativeEncoding;
  const tokens = (batch: number, keys: number, keyHeads = HEADS): Record<string, Tensor> => ({
    ...(sets > 0 && { logGates: closing(randomTensor([batch, sets * HEADS, keys], 31)) }),
    ...(sets === 0 && { gateRows: randomTensor([batch, HEADS, keys, 4], 34) }),
    ...(reflects && {
      directions: unit(randomTensor([batch, keyHeads, keys, DIM], 32)),
      strengths: shifted(randomTensor([batch, keyHeads, keys], 33), 1),
    }),
  });
  const [first] = sets > 0 ? (["logGates"] as const) : (["gateRows"] as const);
  const tensors = (batch: number, queries: number, keys: number, keyHeads = HEADS) => ({
    q: randomTensor([batch, HEADS, queries, DIM], 21),
    k: randomTensor([batch, keyHeads, keys, DIM], 22),
    v: randomTensor([batch, keyHeads, keys, DIM], 23),
  });

  it.each([
    [5, 5],
    [3, 70],
    [67, 131],
  ])("gives logits whose softmax attention takes: %d of %d", (queries, keys) => {
    const { q, k, v } = tensors(1, queries, keys);
    const given = tokens(1, keys);
    const inputs = [q, k, v, ...Object.values(given)] as Tensor[];
    const before = inputs.map(copyOf);
    for (const options of [{}, { causal: true }, { causal: true, window: 4 }]) {
      const logits = encoding.logits(q, k, { ...given, ...options });
      const weights = pe.attentionWeights(q, k, { encoding, scale: 1, ...given, ...options });
      const plain = pe.attentionWeights(shifted(q, 0, 0), k, { bias: logits });
      expect(maxDifference(weights.data, plain.data)).toBeLessThan(1e-6);
      const out = pe.attention(q, k, v, { encoding, scale: 1, ...given, ...options });
      expect(maxDifference(out.data, pe.attention(shifted(q, 0, 0), k, v, { bias: logits }).data)).toBeLessThan(1e-6);
    }
    inputs.forEach((tensor, index) => expectSameBits(tensor.data, before[index]!.data, "an input"));
  });

  it("gives a cache's last queries what they had in the whole sequence", () => {
    const { q, k, v } = tensors(1, 9, 9);
    const given = tokens(1, 9);
    const whole = pe.attention(q, k, v, { encoding, causal: true, ...given });
    const last = (x: Tensor): Tensor => ({
      type: "float32",
      data: Float32Array.from(range(HEADS).flatMap((h) => [...x.data.subarray((h * 9 + 7) * DIM, (h + 1) * 9 * DIM)])),
      dims: [1, HEADS, 2, DIM],
    });
    expect(
      maxDifference(pe.attention(last(q), k, v, { encoding, causal: true, ...given }).data, last(whole).data),
    ).toBeLessThan(1e-6);
    using cache = pe.cache({ heads: HEADS, dim: DIM, capacity: 16 });
    cache.append(k, v);
    expect(maxDifference(cache.attend(last(q), { encoding, ...given }).data, last(whole).data)).toBeLessThan(1e-6);
    using small = pe.cache({ heads: HEADS, dim: DIM, policy: { window: 3, sinks: 1 } });
    small.append(k, v);
    // Under a policy with sinks: of the sink and the last three tokens.
    const got = small.attend(last(q), { encoding, ...given });
    const pick = ({ data, dims: [, rows = 0, count = 0, width] }: Tensor, tokens: number[]): Tensor => ({
      type: "float32",
      data: Float32Array.from(
        range(rows).flatMap((h) =>
          tokens.flatMap((t) => [...data.subarray((h * count + t) * (width ?? 1), (h * count + t + 1) * (width ?? 1))]),
        ),
      ),
      dims: [1, rows, tokens.length, ...(width === undefined ? [] : [width])],
    });
    for (const i of [0, 1]) {
      const visible = [0, 5 + i, 6 + i, 7 + i];
      const inputs = Object.fromEntries(Object.entries(given).map(([name, x]) => [name, pick(x, visible)]));
      const wanted = pe.attention(pick(q, [7 + i]), pick(k, visible), pick(v, visible), { encoding, ...inputs });
      expect(maxDifference(pick(got, [i]).data, wanted.data)).toBeLessThan(1e-6);
    }
  });

  it("shares key heads among query heads, in both layouts", () => {
    const { q, k, v } = tensors(2, 6, 6, 1);
    const given = tokens(2, 6, 1);
    const out = pe.attention(q, k, v, { encoding, ...given });
    const rotated = (x: Tensor): Tensor => {
      const four = x.dims.length === 3 ? { ...x, dims: [...x.dims, 1] } : x;
      const { data, dims } = swapMiddle(four as never) as Tensor;
      return { type: "float32", data, dims: dims.slice(0, x.dims.length) };
    };
    const swapped = Object.fromEntries(Object.entries(given).map(([name, x]) => [name, rotated(x as Tensor)]));
    const other = pe.attention(rotated(q), rotated(k), rotated(v), { encoding, layout: "bthd", ...swapped });
    expectSameBits(rotated(other).data, out.data);
  });

  it("sees packed sequences as if each stood alone", () => {
    const { q, k, v } = tensors(1, 8, 8);
    const given = tokens(1, 8);
    const packed = pe.attention(q, k, v, { encoding, causal: true, segments: [0, 0, 0, 1, 1, 1, 1, 1], ...given });
    const part = (x: Tensor): Tensor => {
      const [, heads, , width = 1] = x.dims;
      const rows = range(heads!).flatMap((h) => [...x.data.subarray((h * 8 + 3) * width, (h + 1) * 8 * width)]);
      return { type: "float32", data: Float32Array.from(rows), dims: [1, heads!, 5, ...x.dims.slice(3)] };
    };
    const single = Object.fromEntries(Object.entries(given).map(([name, x]) => [name, part(x as Tensor)]));
    const second = pe.attention(part(q), part(k), part(v), { encoding, causal: true, ...single });
    expect(maxDifference(part(packed).data, second.data)).toBeLessThan(1e-6);
  });

  it("refuses what is missing, and what others do not go by", async () => {
    const { q, k, v } = tensors(1, 4, 4);
    const given = tokens(1, 4);
    const needed = reflects ? "directions" : first;
    await refused(() => pe.attention(q, k, v, { encoding, ...given, [needed]: undefined }), "invalid-argument", needed);
    await refused(() => pe.attention(q, k, v, given), "unsupported", first);
    await refused(
      () => pe.attention(randomTensor([1, HEADS, 5, DIM]), k, v, { encoding, ...given }),
      "shape-mismatch",
      "q",
    );
    await refused(
      () => pe.attentionBackward(q, k, v, v, { encoding, ...given, out: { sinks: randomTensor([HEADS]) } } as never),
      "invalid-argument",
      "out.sinks",
    );
    await refused(
      () => encoding.logits(q, k, { ...given, [first]: randomTensor([1, HEADS, 3]) }),
      "shape-mismatch",
      first,
    );
  });

  it("writes gradients into `out`", () => {
    const { q, k, v } = tensors(1, 4, 4);
    const given = tokens(1, 4);
    const expected = pe.attentionBackward(q, k, v, v, { encoding, ...given });
    const out = { [first]: randomTensor([...given[first]!.dims]) };
    const written = pe.attentionBackward(q, k, v, v, loosely({ encoding, ...given, out }));
    expectSameObject(loosely(written)[first], out[first]);
    expectSameBits(out[first]!.data, expected[first]!.data);
    expect(Object.keys(expected).sort()).toEqual(["k", "q", "v", ...Object.keys(given)].sort());
  });
});

describe("gates as a bias", () => {
  const forget = createRelative({ kind: "forget", heads: HEADS }) as unknown as GatedRelative;
  const { q, k, v } = {
    q: randomTensor([2, HEADS, 3, DIM], 41),
    k: randomTensor([2, 1, 7, DIM], 42),
    v: randomTensor([2, 1, 7, DIM], 43),
  };
  const logGates = forget.logGates(randomTensor([2, HEADS, 7], 44));

  it("is what attention adds, after scale and softcap", () => {
    const options = { causal: true, softcap: 0.4, scale: 3, sinks: [0.1, -0.2] };
    const bias = forget.bias(logGates, { queries: 3 });
    expect(bias.dims).toEqual([2, HEADS, 3, 7]);
    const inside = pe.attention(q, k, v, { ...options, encoding: forget, logGates });
    expect(maxDifference(inside.data, pe.attention(q, k, v, { ...options, bias }).data)).toBeLessThan(1e-6);
  });

  it("hides keys, and writes into `out`", async () => {
    const out = randomTensor([2, HEADS, 7, 7]);
    expectSameObject(forget.bias(logGates, { causal: true, out }), out);
    out.data.forEach((x, n) => expect(x === -Infinity).toBe(n % 7 > Math.floor(n / 7) % 7));
    await refused(() => forget.bias(loosely(7)), "invalid-argument", "logGates");
    await refused(() => forget.bias(randomTensor([2, 3, 7])), "shape-mismatch", "logGates");
  });
});
