// A scaling makes tables as long as the texts that it is for; one that goes by the length of a text needs that length.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { besides, fixtureBytes, openModel } from "../helpers/onnx-models";
import { bytes, floats, frequencies, integer, join, modelOf, node, raw, rawOf, tensor } from "../helpers/onnx-proto";

const opened = async (name: string) => openModel(await fixtureBytes(name), { externalData: await besides(name) });
const rowsAfter = async (name: string, rotary: object, more: object = {}) => {
  const changed = await (await opened(name)).rewrite(pe, { rotary: loosely(rotary), ...more });
  const { positions } = await openModel(await changed.bytes(), { externalData: await besides(name) });
  for (const { error } of positions) expect(error).toBeLessThan(1e-3);
  expect(changed.changes[0]!.what).toContain(`${positions[0]!.rows} rows`);
  return positions.map(({ rows }) => rows);
};
const config = (max: number, scaling: object | null) => ({
  ...{ model_type: "llama", hidden_size: 64, num_attention_heads: 4, num_hidden_layers: 2, rope_theta: 10000 },
  ...{ max_position_embeddings: max, rope_scaling: scaling },
});

describe("tables of cosines and sines", () => {
  it.each<[string, string, object, object, number]>([
    ["YaRN", "llama-v437/model.onnx", { kind: "rope-yarn", factor: 4, originalLength: 64 }, {}, 256],
    ["YaRN, in float16", "genai-llama-fp16/model.onnx", { kind: "rope-yarn", factor: 8, originalLength: 64 }, {}, 512],
    ["Llama 3", "mobius-llama/model.onnx", { kind: "rope-llama3", factor: 3, originalLength: 64 }, {}, 192],
    ["linear scaling", "llama-v437/model.onnx", { kind: "rope-linear", factor: 2 }, {}, 128],
    ["NTK scaling, whose factor is that of the base", "llama-v437/model.onnx", { kind: "rope-ntk", factor: 4 }, {}, 64],
    ["a config with YaRN", "llama-v437/model.onnx", config(64, { type: "yarn", factor: 4 }), {}, 256],
    ["another base", "llama-v437/model.onnx", { kind: "rope", base: 500000 }, {}, 64],
    ["a shorter text", "llama-v437/model.onnx", { kind: "rope-yarn", factor: 2, originalLength: 16 }, {}, 64],
    [
      "a given length",
      "llama-v437/model.onnx",
      { kind: "rope-yarn", factor: 4, originalLength: 64 },
      { length: 100 },
      100,
    ],
  ])("%s", async (_, name, rotary, more, rows) => {
    expect(await rowsAfter(name, rotary, more)).toEqual([rows]);
  });
  it("count from the length before a scaling that is there", async () => {
    const changed = await (
      await opened("llama-v437/model.onnx")
    ).rewrite(pe, { rotary: { kind: "rope-linear", factor: 2 } });
    const model = await openModel(await changed.bytes());
    const again = await model.rewrite(pe, { rotary: { kind: "rope-linear", factor: 4 } });
    expect((await openModel(await again.bytes())).positions).toMatchObject([{ rows: 256, spec: { factor: 4 } }]);
  });
  it("grow by the config's length alone, and keep the rows that are there", async () => {
    const model = await opened("llama-v437/model.onnx");
    const changed = await model.rewrite(pe, { rotary: config(96, null) });
    expect(changed.changes[0]!.what).toMatch(/already; 96 rows/);
    const [component] = (await openModel(await changed.bytes())).positions;
    expect(component).toMatchObject({ rows: 96, spec: model.positions[0]!.spec });
    expect(component!.error).toBeLessThan(1e-6);
  });
  it("keep their rows where the graph uses all of them at once", async () => {
    const sinusoids = (of: (angle: number) => number) =>
      Array.from({ length: 32 }, (_, i) => of((i >> 2) * frequencies[i % 2]!));
    const axis = join(bytes(1, "axis"), integer(3, -1), integer(20, 2));
    const whole = modelOf({
      nodes: [
        node("Split", "x", "a b", axis),
        node("Neg", "b", "n"),
        node("Concat", "n a", "r", axis),
        node("Mul", "x cos", "y"),
        node("Mul", "r sin", "z"),
        node("Add", "y z", "out"),
      ],
      constants: [floats("cos", [8, 4], sinusoids(Math.cos)), floats("sin", [8, 4], sinusoids(Math.sin))],
      inputs: ["x"],
    });
    const changed = await (await openModel(whole)).rewrite(pe, { rotary: { kind: "rope-linear", factor: 4 } });
    expect((await openModel(await changed.bytes())).positions).toMatchObject([{ rows: 8, spec: { factor: 4 } }]);
  });
});

describe("buffers that are as long as a table of positions", () => {
  const [had, wanted] = [4, 6];
  const ids = (length: number) => BigInt64Array.from({ length }, (_, i) => BigInt(i));
  const triangle = (length: number) =>
    Uint8Array.from({ length: length * length }, (_, i) => Number(i % length <= Math.floor(i / length)));
  const model = (mask: Uint8Array) =>
    modelOf({
      nodes: [
        node("Slice", "ids first last", "some"),
        node("Gather", "table some", "rows"),
        node("Add", "x rows", "y"),
        node("Slice", "mask first last", "seen"),
        node("Where", "seen y low", "z"),
      ],
      constants: [
        tensor("ids", 7, [1, had], raw(ids(had))),
        floats(
          "table",
          [had, 8],
          Array.from({ length: 8 * had }, (_, i) => Math.sin(i * i)),
        ),
        tensor("mask", 9, [1, 1, had, had], raw(mask)),
      ],
      inputs: ["x", "first", "last", "low"],
    });
  const holds = (file: Uint8Array, values: ArrayBufferView) => {
    const text = (of: Uint8Array) => new TextDecoder("latin1").decode(of);
    return text(file).includes(text(rawOf(values)));
  };
  const longer = async (mask: Uint8Array) => {
    const changed = await (await openModel(model(mask))).rewrite(pe, { length: wanted, resize: { mode: "linear" } });
    return { file: await changed.bytes(), changes: changed.changes.map(({ name, what }) => `${name}: ${what}`) };
  };

  it("ids and a causal mask continue", async () => {
    const { file, changes } = await longer(triangle(had));
    expect(changes).toContain("ids: 6 values now");
    expect(changes).toContain("mask: a causal mask of 6 positions now");
    expect([holds(file, ids(wanted)), holds(file, triangle(wanted))]).toEqual([true, true]);
  });
  it("a mask of another kind stays", async () => {
    const other = triangle(had).reverse();
    const { file, changes } = await longer(other);
    expect(changes.join()).not.toContain("mask");
    expect(holds(file, other)).toBe(true);
  });
});

describe("a rotation that depends on the length of the text", () => {
  const dynamic = { kind: "rope-dynamic", factor: 4, originalLength: 64 };
  it.each(["llama/model.onnx", "llama-v437/model.onnx"])("needs that length: %s", async (name) => {
    const model = await opened(name);
    await expect(model.rewrite(pe, { rotary: loosely(dynamic) })).rejects.toMatchObject({
      ...{ code: "invalid-argument", field: "length" },
      message: expect.stringMatching(/^length: required by rope-dynamic, whose frequencies depend/),
    });
    const changed = await model.rewrite(pe, { rotary: loosely(dynamic), length: 256 });
    expect(changed.changes[0]!.what).toMatch(/dynamic NTK × 4 .* now, for texts of 256 tokens/);
  });
  it("says for which texts LongRoPE was written", async () => {
    const model = await opened("phi3-longrope/model.onnx");
    const factors = (value: number) => Array<number>(8).fill(value);
    const rotary = loosely({
      kind: "rope-longrope",
      originalLength: 64,
      factor: 4,
      shortFactor: factors(1),
      longFactor: factors(3),
    });
    const changeOf = async (more: object) => (await model.rewrite(pe, { rotary, ...more })).changes[0]!.what;
    expect(await changeOf({})).toContain("for texts of up to 64 tokens");
    expect(await changeOf({ length: 256 })).toContain("for texts of more than 64 tokens");
  });
});
