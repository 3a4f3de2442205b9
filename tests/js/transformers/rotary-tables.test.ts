// withRotaryTables: a model that only notes what its graph would get. Real ones: tests/transformers.
import { withRotaryTables } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { createRotary, loosely, pe } from "../helpers/library";
import { expectSameBits, expectSameObject, range } from "../helpers/numbers";
import { expectError, refusal } from "../helpers/refusals";
import { RuntimeTensor } from "../helpers/runtime-tensor";

type Inputs = Record<string, any>;

function makeModel(inputNames: string[], inputMetadata?: object[]) {
  const passed: Inputs[] = [];
  const model = {
    sessions: { model: { inputNames, ...(inputMetadata && { inputMetadata: loosely(inputMetadata) }) } },
    _forward: async (_self: unknown, inputs: Inputs) => (passed.push(inputs), {}),
  };
  const run = async (inputs: Inputs) => (await model._forward(model, inputs), passed.at(-1)!);
  return { model, run };
}

const names = ["input_ids", "attention_mask", "position_ids", "rope_cos", "rope_sin"];
const int64 = (data: number[], dims: number[]) => new RuntimeTensor("int64", BigInt64Array.from(data, BigInt), dims);
const ones = (rows: number, columns: number) => int64(Array(rows * columns).fill(1), [rows, columns]);
const step = (tokens: number, past = 0) => ({
  input_ids: ones(1, tokens),
  attention_mask: ones(1, past + tokens),
  past_key_values: { get_seq_length: () => past },
});

const rope = createRotary({ kind: "rope", dim: 8 });
const dynamic = createRotary({ kind: "rope-dynamic", dim: 8, factor: 2, originalLength: 4 });

describe("withRotaryTables", () => {
  it("hands in caches that cover the sequence, and keeps them while they do", async () => {
    const { model, run } = makeModel(names);
    withRotaryTables(model, rope);
    const { rope_cos: cos, rope_sin: sin } = await run(step(5));
    expect([cos.constructor, cos.dims, sin.dims]).toEqual([RuntimeTensor, [8, 4], [8, 4]]);
    expectSameBits(sin.data, rope.tables({ length: 8 }).sin.data);
    expectSameObject((await run(step(1, 7))).rope_cos, cos);
    expect((await run(step(1, 8))).rope_cos.dims).toEqual([16, 4]);
  });

  it("goes as far as position ids do, and by ids and cache where there is no mask", async () => {
    const { model, run } = makeModel(names);
    withRotaryTables(model, rope);
    expect((await run({ ...step(2), position_ids: int64([3, 40], [1, 2]) })).rope_cos.dims[0]).toBe(64);
    const { attention_mask, ...rest } = step(3, 90);
    expect((await run(rest)).rope_cos.dims[0]).toBe(128);
  });

  it("follows the length where frequencies do", async () => {
    const { model, run } = makeModel(names);
    withRotaryTables(model, dynamic);
    for (const length of [3, 6, 7]) {
      const { rope_cos: cos } = await run(step(1, length - 1));
      expect(cos.dims).toEqual([length, 4]);
      expectSameBits(cos.data, dynamic.tables({ length, sequenceLength: length }).cos.data);
    }
  });

  it("gives Hugging Face's tables for the ids of the new tokens", async () => {
    const { model, run } = makeModel(names);
    withRotaryTables(model, rope, { layout: "hf" });
    const inputs = { ...step(2, 2), attention_mask: int64([0, 1, 1, 1], [1, 4]) };
    const wanted = rope.tables({ positions: [1, 2] }).cos.data;
    const { rope_cos: cos } = await run(inputs);
    expect(cos.dims).toEqual([1, 2, 8]);
    expect([...cos.data.slice(8, 12)]).toEqual([...wanted.slice(4)]);
    const given = await run({ ...inputs, position_ids: int64([7, 8], [1, 2]) });
    expect(given.rope_cos.data[0]).toBe(rope.tables({ positions: [7] }).cos.data[0]);
    const { attention_mask, ...rest } = inputs;
    expect((await run(rest)).rope_cos.data[0]).toBe(rope.tables({ positions: [2] }).cos.data[0]);
  });

  it("has float16 where the graph wants it", async () => {
    const shape = ["rows", 4];
    const { model, run } = makeModel(
      names,
      range(2).map((i) => ({ name: names[3 + i], type: "float16", shape })),
    );
    withRotaryTables(model, rope);
    expect((await run(step(1))).rope_sin.type).toBe("float16");
    expectError(
      refusal(() => withRotaryTables(model, createRotary({ kind: "rope", dim: 16 }))),
      "shape-mismatch",
      "encoding",
    );
  });

  it("leaves tables alone that are given, hence the last of two encodings counts, and undoes", async () => {
    const { model, run } = makeModel(names);
    const forward = model._forward;
    const mine = { rope_cos: 1, rope_sin: 2 };
    const undo = withRotaryTables(model, rope);
    expect(await run({ ...step(1), ...mine })).toMatchObject(mine);
    const undoDynamic = withRotaryTables(model, dynamic);
    expect((await run(step(3, 8))).rope_cos.dims[0]).toBe(11);
    expectError(refusal(undo), "invalid-argument", "model");
    undoDynamic();
    expect((await run(step(3, 8))).rope_cos.dims[0]).toBe(16);
    undo[Symbol.dispose]();
    undo();
    expectSameObject(model._forward, forward);
  });

  it("takes names that say nothing", async () => {
    const { model, run } = makeModel(["input_ids", "c", "s"]);
    withRotaryTables(model, rope, { cos: "c", sin: "s" });
    expect((await run(step(1))).s.dims).toEqual([1, 4]);
  });

  it("hands on the library's errors", async () => {
    const { model, run } = makeModel(names);
    const mortal = createRotary({ kind: "rope", dim: 8 });
    withRotaryTables(model, mortal);
    mortal.dispose();
    await expect(run(step(1))).rejects.toMatchObject({ code: "disposed" });
    withRotaryTables(model, rope);
    await expect(run({})).rejects.toMatchObject({ code: "invalid-argument", field: "Tensor" });
  });

  it.each([
    ["a graph without tables", "unsupported", "model", () => withRotaryTables(makeModel(["input_ids"]).model, rope)],
    ["no model", "invalid-argument", "model", () => withRotaryTables(loosely({}), rope)],
    [
      "a table",
      "unsupported",
      "encoding",
      () => withRotaryTables(makeModel(names).model, loosely(pe.create({ kind: "integer" }))),
    ],
    [
      "an unknown option",
      "invalid-argument",
      "cosine",
      () => withRotaryTables(makeModel(names).model, rope, loosely({ cosine: "c" })),
    ],
  ])("refuses %s", (_, code, field, call) => expectError(refusal(call), code, field));

  it("names the inputs of a graph that takes no tables", () => {
    const { message } = refusal(() => withRotaryTables(makeModel(["input_ids", "position_ids"]).model, rope));
    expect(message).toContain("input_ids, position_ids");
  });
});
