// What newcomers from PyTorch, Transformers and onnxruntime write in calls: who reads the message alone can fix the call.
import type { ErrorCode } from "posenc";
import { describe, expect, it } from "vitest";
import { createBias, createRelative, createRotary, createTable, loosely, pe } from "../helpers/library";
import { caught, expectError } from "../helpers/refusals";

const zeros = (...dims: number[]) => ({ data: new Float32Array(dims.reduce((a, b) => a * b, 1)), dims });
const rope = loosely(createRotary({ kind: "rope", dim: 64 }));
const sinusoidal = loosely(createTable({ kind: "sinusoidal", dim: 64 }));
const grid = loosely(createTable({ kind: "sinusoidal-2d", dim: 64 }));
const learned = loosely(createTable({ kind: "learned", dim: 64, length: 16 }));
const alibi = loosely(createBias({ kind: "alibi", heads: 4 }));
const shaw = loosely(createRelative({ kind: "shaw", dim: 64, maxDistance: 4 }));
const library = loosely(pe);
const heads = zeros(1, 4, 5, 64);
const attend = (options: unknown, q = heads, k = heads) => library.attention(q, k, k, options);
const gpu = { type: "float32", location: "gpu-buffer", dims: [1, 1, 1, 64] };
const wrong: ErrorCode = "invalid-argument";
const shape: ErrorCode = "shape-mismatch";

type Mistakes = Record<string, [code: ErrorCode, words: string | string[], call: () => unknown]>;
const groups: Record<string, Mistakes> = {
  tensors: {
    "a bare Float32Array": [
      wrong,
      ["x: must be a tensor { data, dims }, got Float32Array; pass { data: ", "dims: [64] }"],
      () => rope.apply(new Float32Array(64)),
    ],
    "an array": [wrong, "pass { data: Float32Array.from(numbers), dims: [3] }", () => rope.apply([1, 2, 3])],
    "nested arrays": [wrong, ["numbers.flat(Infinity)", "dims: [1, 1, 1, 2]"], () => rope.apply([[[[1, 2]]]])],
    "shape for dims": [
      wrong,
      "shape is called dims here",
      () => rope.apply({ data: new Float32Array(64), shape: [1, 1, 1, 64] }),
    ],
    "an array as data": [wrong, "Float32Array.from(data, Number)", () => rope.apply({ data: [1], dims: [1, 1, 1, 1] })],
    "float64 data": [
      wrong,
      "Float32Array.from(data, Number)",
      () => rope.apply({ data: new Float64Array(64), dims: [1, 1, 1, 64] }),
    ],
    "int64 data": [
      "unsupported",
      "Float32Array.from(data, Number)",
      () => rope.apply({ type: "int64", data: new BigInt64Array(64), dims: [1, 1, 1, 64] }),
    ],
    "float16 of a Float32Array": [
      wrong,
      'a Float32Array is of type "float32"',
      () => rope.apply({ type: "float16", data: new Float32Array(64), dims: [1, 1, 1, 64] }),
    ],
    "a tensor on the GPU": [
      "unsupported",
      "{ data: await tensor.getData(), dims: tensor.dims }",
      () => rope.apply(gpu),
    ],
    "a promise": [wrong, "got a Promise (await it)", () => rope.apply(Promise.resolve(heads))],
    "an encoding": [wrong, "encoding.table({ length })", () => pe.similarity(sinusoidal)],
    "keys and values in one": [
      wrong,
      "got { k, v }",
      () => loosely(pe.cache({ heads: 4, dim: 64, capacity: 8 })).append({ k: heads, v: heads }),
    ],
    "a bare array as out": [wrong, "dims: [320]", () => sinusoidal.table({ length: 5, out: new Float32Array(320) })],
    "tensor() of data alone": [wrong, "pass tensor(data, dims)", () => library.tensor(new Float32Array(6))],
    "tensor() of nested arrays alone": [wrong, "pass tensor(data, dims)", () => library.tensor([[1], [2]])],
    "tensor() of nested arrays": [wrong, "data.flat(Infinity)", () => library.tensor([[1], [2]], [2, 1])],
    "tensor() of text": [wrong, 'got "1" at index 0', () => library.tensor(["1"], [1])],
    "tensor() of a dtype": [wrong, "did you mean `type`?", () => library.tensor([1], [1], { dtype: "float16" })],
  },
  options: {
    "a length": [wrong, "such as { length: 4096 }", () => rope.tables(4096)],
    "a length of a table": [wrong, "such as { length: 50 }", () => sinusoidal.table(50)],
    nothing: [wrong, "such as { length, ", () => rope.tables()],
    "an offset": [wrong, "{ offset: 5 }, got 5", () => rope.apply(heads, 5)],
    positions: [wrong, "{ positions: [0, 1] }", () => rope.apply(heads, [0, 1])],
    "typed positions": [wrong, "{ positions: […] }", () => rope.apply(heads, new BigInt64Array(5))],
    "q and k in one call": [wrong, "got a tensor { data, dims }", () => rope.apply(heads, heads)],
    "an encoding": [wrong, "{ encoding: encoding }", () => attend(rope)],
    "a mask": [wrong, ["{ mask: tensor }", "got a tensor"], () => attend(zeros(5, 5))],
    "causal alone": [wrong, "{ causal: true }", () => attend(true)],
    "a rate of dropout": [wrong, "{ dropout: 0.1 }", () => sinusoidal.addTo(zeros(5, 64), 0.1)],
    "a learning rate": [wrong, "{ optimizer, learningRate }", () => learned.step(0.1)],
    "a distance": [wrong, "{ maxDistance: 64 }", () => library.distanceProfile(rope, 64)],
    "two sizes": [wrong, "{ queries, keys }", () => alibi.bias(5, 5)],
    "a grid": [wrong, "{ grid: [7, 7] }", () => library.resizeTable(zeros(196, 64), [7, 7])],
    "a promise": [wrong, "got a Promise (await it)", () => rope.apply(heads, Promise.resolve({}))],
    "a map": [wrong, "got Map", () => rope.apply(heads, new Map([["offset", 3]]))],
    "a policy by name": [
      wrong,
      "{ window }",
      () => library.cache({ heads: 4, dim: 64, capacity: 8, policy: "window" }),
    ],
    "a bigint as offset": [wrong, "must be a number, got a bigint 5n", () => rope.apply(heads, { offset: 5n })],
    "a bigint as length": [wrong, "got a bigint 5n", () => rope.tables({ length: 5n })],
    "a bigint as scale": [wrong, "must be a number, got a bigint 1n", () => attend({ scale: 1n })],
    "a bigint as positions": [wrong, "got a bigint 5n", () => rope.apply(heads, { positions: 5n })],
    "a bigint in a spec": ["invalid-spec", "got a bigint 64n", () => library.create({ kind: "rope", dim: 64n })],
    position_ids: [wrong, "did you mean `positions`?", () => rope.apply(heads, { position_ids: [0] })],
    seq_len: [wrong, "did you mean `length`?", () => rope.tables({ seq_len: 5 })],
    is_causal: [wrong, "did you mean `causal`?", () => attend({ is_causal: true })],
    attn_mask: [wrong, "did you mean `mask`?", () => attend({ attn_mask: [1] })],
    sliding_window: [wrong, "did you mean `window`?", () => attend({ sliding_window: 4 })],
    lr: [wrong, "did you mean `learningRate`?", () => learned.step({ lr: 0.1 })],
    key_length: [wrong, "did you mean `keys`?", () => alibi.bias({ queries: 5, key_length: 5 })],
    max_length: [wrong, "did you mean `capacity`?", () => library.cache({ heads: 4, dim: 64, max_length: 8 })],
    "a window without a policy": [
      wrong,
      "did you mean `policy: {window}`?",
      () => library.cache({ heads: 4, dim: 64, capacity: 8, window: 4 }),
    ],
    "an option left out": [
      wrong,
      'from: is missing, must be "half" or "interleaved"',
      () => library.permuteWeights(zeros(64, 64), { heads: 4 }),
    ],
  },
  shapes: {
    "a forgotten class token": [
      shape,
      ["14 × 14 has 196 cells, must have 197", "pass prefix: 1"],
      () => grid.addTo(zeros(1, 197, 64), { grid: [14, 14] }),
    ],
    "a class token in a table": [wrong, "pass prefix: 1", () => library.resizeTable(zeros(197, 64), { grid: [7, 7] })],
    "no grid": [shape, "or grid", () => grid.addTo(zeros(1, 197, 64))],
    "the width of the model": [shape, "(dim, the size of one head)", () => rope.apply(zeros(1, 5, 4, 768))],
    "3 dims": [shape, "[batch, heads, positions, dim], got [4, 5, 64]", () => rope.apply(zeros(4, 5, 64))],
    "3 dims in attention": [shape, "[batch, heads, positions, dim]", () => attend({}, zeros(1, 5, 64))],
    "bthd as bhtd, with positions": [
      shape,
      'unless layout is "bthd"',
      () => rope.apply(zeros(1, 5, 4, 64), { positions: [0, 1, 2, 3, 4] }),
    ],
    "bthd as bhtd, in attention": [
      shape,
      'unless layout is "bthd"',
      () => attend({}, zeros(1, 5, 4, 64), zeros(1, 7, 4, 64)),
    ],
    "heads that do not fit": [
      shape,
      "query heads must be a multiple of key heads",
      () => attend({}, zeros(1, 6, 5, 64)),
    ],
    "positions that are a number": [wrong, "the first position is offset", () => rope.apply(heads, { positions: 5 })],
    "a table that is too short": [
      "out-of-range",
      "must be whole numbers from 0 to 15 (learned has 16 rows)",
      () => learned.addTo(zeros(1, 20, 64)),
    ],
  },
  encodings: {
    "a spec in attention": [wrong, "pass pe.create(spec)", () => attend({ encoding: { kind: "rope", dim: 64 } })],
    "a name in attention": [wrong, "must come from create()", () => attend({ encoding: "rope" })],
    "a table in attention": [wrong, "use addTo", () => attend({ encoding: sinusoidal })],
    "a bias of another family": ["unsupported", "use logits or attention", () => shaw.bias({ queries: 5, keys: 5 })],
    "an additive mask": [wrong, "pass additive values as bias", () => attend({ mask: [0, 0, 0, 0, -Infinity] })],
    "a padding mask in rows": [
      wrong,
      "{ data, dims: [batch, keys] }",
      () => attend({ attentionMask: [[1, 1, 1, 1, 0]] }),
    ],
    "positions of attention": [wrong, "did you mean `at: {positions}`?", () => attend({ positions: [0, 1, 2, 3, 4] })],
    "a rotation by its name": [wrong, "did you mean `encoding`?", () => attend({ rotary: rope })],
    "a mask that is 1, not true": [wrong, "causal: must be true or false, got 1", () => attend({ causal: 1 })],
  },
  ids: {
    "a grid as two numbers": [wrong, "grid: must be the sizes of the axes", () => library.gridPositionIds(14, 14)],
    "text in cuSeqlens": [wrong, 'got "1" at index 1', () => library.positionIds({ cuSeqlens: [0, "1", 3] })],
    cu_seqlens: [wrong, "{ cuSeqlens }", () => library.positionIds({ cu_seqlens: [0, 3] })],
    "an additive mask": [wrong, "whole numbers, got -Infinity", () => library.positionIds([-Infinity, 0])],
    "an image of two sizes": [wrong, "[t, h, w]", () => library.mropePositionIds([{ image: [4, 4] }])],
  },
};

describe.each(Object.entries(groups))("%s", (_, mistakes) => {
  it.each(Object.entries(mistakes))("%s", async (_, [code, words, call]) => {
    const error = await caught(call);
    expectError(error, code);
    for (const word of [words].flat()) expect((error as Error).message).toContain(word);
  });
});
