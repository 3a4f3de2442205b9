// posenc = onnxruntime: the same q, k, v, cos and sin, the same bias, through the operators and through posenc.
import { init } from "posenc";
import { attentionBias, rotaryInputs } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { int32, int64, microsoft, node } from "../../examples/transformers/models/onnx.js";
import { maxDifference, randomTensor, range, swapMiddle } from "../js/helpers/numbers";
import { ask, runtimes, type Numbers } from "./runtimes";

const pe = await init();
const tolerance = 2e-6;

/** [B, H, T, D] as the [B, T, H · D] that packed operators take. */
const packed = (x: Numbers) => {
  const { data, dims } = swapMiddle(x);
  return { data, dims: [dims[0]!, dims[1]!, dims[2]! * dims[3]!] };
};
const copy = ({ data, dims }: Numbers) => ({ data: data.slice(), dims });
/** Numbers between -1 and 1. */
const random = (dims: number[], seed: number) => {
  const { data } = randomTensor(dims, seed);
  return { data: data.map((x) => 2 * x), dims };
};

describe.each(runtimes)("%s", (_, ort) => {
  const [batch, heads, length, dim] = [2, 3, 5, 32];
  const x = random([batch, heads, length, dim], 1);
  // Two rows at places of their own.
  const positions = int64([7, 8, 9, 10, 11, 0, 0, 1, 2, 3], [batch, length]);

  const layouts = ["half", "interleaved"].flatMap((pairing) => [dim, 16].map((rotaryDim) => ({ pairing, rotaryDim })));

  describe.each(layouts)("rotary $pairing, $rotaryDim of 32", ({ pairing, rotaryDim }) => {
    const rope = pe.create({ kind: "rope", dim, rotaryDim, pairing: pairing as "half" });
    const attributes = {
      interleaved: Number(pairing === "interleaved"),
      ...(rotaryDim < dim && { rotary_embedding_dim: rotaryDim, num_heads: heads }),
    };
    const rotated = rope.apply(copy(x), { positions: positions.data });
    const caches = rotaryInputs<Numbers>(rope, { length: 16 });

    it("ai.onnx RotaryEmbedding with position ids", async () => {
      const { y } = await ask(ort, {
        inputs: { x, ids: positions, ...caches },
        outputs: { y: x.dims },
        nodes: [node("RotaryEmbedding", "x cos sin ids", "y", attributes)],
      });
      expect(maxDifference(y.data, rotated.data)).toBeLessThan(tolerance);
    });

    it("ai.onnx RotaryEmbedding with rows of its own for each token", async () => {
      const { y } = await ask(ort, {
        inputs: { x, ...rotaryInputs<Numbers>(rope, { positions }) },
        outputs: { y: x.dims },
        nodes: [node("RotaryEmbedding", "x cos sin", "y", attributes)],
      });
      expect(maxDifference(y.data, rotated.data)).toBeLessThan(tolerance);
    });

    it("com.microsoft RotaryEmbedding", async () => {
      const { y } = await ask(ort, {
        inputs: { x, ids: positions, ...caches },
        outputs: { y: x.dims },
        nodes: [microsoft("RotaryEmbedding", "x ids cos sin", "y", attributes)],
      });
      expect(maxDifference(y.data, rotated.data)).toBeLessThan(tolerance);
    });

    it("com.microsoft GroupQueryAttention that turns q and k itself", async () => {
      const [keyHeads, past] = [1, 4];
      const q = random([1, heads, 1, dim], 2);
      const [k, v] = [3, 4].map((seed) => random([1, keyHeads, 1, dim], seed)) as [Numbers, Numbers];
      const [cache, grown] = ["past", "total"].map((rows) => [1, keyHeads, rows, dim]);
      // The cache holds keys that were turned when they came.
      const [cachedKeys, cachedValues] = [5, 6].map((seed) => random([1, keyHeads, past, dim], seed));
      const rotatedKeys = rope.apply(copy(cachedKeys!));
      const { y } = await ask(ort, {
        inputs: {
          ...{ q: packed(q), k: packed(k), v: packed(v) },
          ...{
            pastKeys: { ...rotatedKeys, declared: cache },
            pastValues: { ...cachedValues!, declared: cache },
            ...caches,
          },
          ...{ last: int32([past]), total: int32([past + 1]) },
        },
        outputs: { y: [1, 1, heads * dim], keys: grown, values: grown },
        nodes: [
          microsoft("GroupQueryAttention", "q k v pastKeys pastValues last total cos sin", "y keys values", {
            ...{ num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 },
            rotary_interleaved: attributes.interleaved,
          }),
        ],
      });
      const joined = (a: Numbers, b: Numbers) => ({
        data: Float32Array.of(...a.data, ...b.data),
        dims: [1, keyHeads, past + 1, dim],
      });
      const wanted = pe.attention(q, joined(cachedKeys!, k), joined(cachedValues!, v), {
        encoding: rope,
        causal: true,
      });
      expect(maxDifference(y.data, wanted.data)).toBeLessThan(tolerance);
    });
  });

  it("GroupQueryAttention over a whole prompt", async () => {
    const rope = pe.create({ kind: "rope-yarn", dim, factor: 4, originalLength: 4 });
    const keyHeads = 1;
    const q = random([1, heads, length, dim], 2);
    const [k, v] = [3, 4].map((seed) => random([1, keyHeads, length, dim], seed)) as [Numbers, Numbers];
    const caches = [1, keyHeads, length, dim];
    const { y } = await ask(ort, {
      inputs: {
        ...{ q: packed(q), k: packed(k), v: packed(v), ...rotaryInputs<Numbers>(rope, { length: 8 }) },
        ...{ last: int32([length - 1]), total: int32([length]) },
      },
      outputs: { y: [1, length, heads * dim], keys: caches, values: caches },
      nodes: [
        microsoft("GroupQueryAttention", "q k v - - last total cos sin", "y keys values", {
          ...{ num_heads: heads, kv_num_heads: keyHeads, do_rotary: 1 },
        }),
      ],
    });
    const wanted = pe.attention(q, k, v, { encoding: rope, causal: true });
    expect(maxDifference(y.data, packed(wanted).data)).toBeLessThan(tolerance);
  });

  describe("attention with a bias", () => {
    const [q, k, v] = range(3).map((i) => random([batch, heads, length, dim], 10 + i)) as [Numbers, Numbers, Numbers];
    const attentionMask = int64([1, 1, 1, 1, 1, 0, 0, 1, 1, 1], [batch, length]);
    const kinds = {
      alibi: pe.create({ kind: "alibi", heads }),
      t5: pe.create({ kind: "t5", heads, std: 1, seed: 1 }),
      sandwich: pe.create({ kind: "sandwich", heads }),
    };

    it.each(Object.entries(kinds))("ai.onnx Attention: %s", async (_, encoding) => {
      const bias = attentionBias<Numbers>(encoding, { keys: length, causal: true });
      const { y } = await ask(ort, {
        inputs: { q, k, v, bias },
        outputs: { y: q.dims },
        nodes: [node("Attention", "q k v bias", "y")],
      });
      const wanted = pe.attention(q, k, v, { encoding, causal: true });
      expect(maxDifference(y.data, wanted.data)).toBeLessThan(tolerance);
    });

    it.each(Object.entries(kinds))("com.microsoft MultiHeadAttention: %s", async (_, encoding) => {
      const bias = attentionBias<Numbers>(encoding, { keys: length, causal: true });
      const { y } = await ask(ort, {
        inputs: { q: packed(q), k: packed(k), v: packed(v), bias },
        outputs: { y: [batch, length, heads * dim] },
        nodes: [microsoft("MultiHeadAttention", "q k v - - bias", "y", { num_heads: heads })],
      });
      const wanted = pe.attention(q, k, v, { encoding, causal: true });
      expect(maxDifference(y.data, packed(wanted).data)).toBeLessThan(tolerance);
    });

    it("with padding, whose rows see nothing and stay finite", async () => {
      const bias = attentionBias<Numbers>(kinds.alibi, { mask: attentionMask, causal: true });
      const { y } = await ask(ort, {
        inputs: { q, k, v, bias },
        outputs: { y: q.dims },
        nodes: [node("Attention", "q k v bias", "y")],
      });
      expect(y.data.every(Number.isFinite)).toBe(true);
      const { data } = pe.attention(q, k, v, { encoding: kinds.alibi, causal: true, attentionMask });
      // The second row's first two queries are padding: what they get is nobody's concern.
      const rows = range(batch * heads * length).filter(
        (row) => attentionMask.data[5 * Math.floor(row / 15) + (row % 5)],
      );
      for (const row of rows)
        expect(
          maxDifference(y.data.slice(row * dim, (row + 1) * dim), data.slice(row * dim, (row + 1) * dim)),
        ).toBeLessThan(tolerance);
      expect(rows.length).toBe(24);
    });
  });
});
