// ALiBi's slopes: those of any maxBias are recognised, a common factor lasts, and other numbers are none.
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { fixtureBytes, openModel } from "../helpers/onnx-models";
import { floats, modelOf, node } from "../helpers/onnx-proto";

/** A model that adds distances times slopes to scores. */
const adding = (slopes: readonly number[]) =>
  modelOf({
    nodes: [
      node("Mul", "distance slopes", "bias"),
      node("Add", "x bias", "scores"),
      node("Softmax", "scores", "weights"),
      node("MatMul", "weights v", "y"),
    ],
    constants: [floats("slopes", [slopes.length, 1, 1], slopes)],
    inputs: ["distance", "x", "v"],
  });
const slopesOf = (heads: number, maxBias: number): number[] =>
  Array.from(pe.create({ kind: "alibi", heads, maxBias }).slopes!);
const written = async (bytes: Uint8Array, bias: object) => {
  const changed = await (await openModel(bytes)).rewrite(pe, { bias: { kind: "alibi", ...bias } });
  return openModel(await changed.bytes());
};

describe("slopes", () => {
  it.each([
    [4, 4],
    [4, 5.5],
    [6, 16],
    [12, 3.25],
    [16, 0.7],
  ])("of %i heads with maxBias %d are found", async (heads, maxBias) => {
    const { positions } = await openModel(adding(slopesOf(heads, maxBias)));
    expect(positions).toMatchObject([{ family: "bias", form: "slopes", spec: { kind: "alibi", heads, maxBias } }]);
    expect(positions[0]!.error).toBeLessThan(1e-6);
  });
  it("of another maxBias are found in the file that has them", async () => {
    const model = await written(await fixtureBytes("bloom/model.onnx"), { maxBias: 4 });
    expect(model.positions).toMatchObject([
      { family: "bias", layers: [0, 1], spec: { kind: "alibi", heads: 4, maxBias: 4 } },
    ]);
    const back = await written(await fixtureBytes("bloom/model.onnx"), { maxBias: 8 });
    expect(back.positions).toMatchObject([{ spec: { kind: "alibi", heads: 4 } }]);
  });
  it("are written as the config has them, whatever was there", async () => {
    const config = { model_type: "bloom", n_head: 4, n_layer: 2, hidden_size: 64 };
    const model = await written(await fixtureBytes("bloom/model.onnx"), { maxBias: 4 });
    const [finding] = model.audit(pe, config).filter(({ code }) => code === "slopes");
    const fixed = await openModel(await (await model.rewrite(pe, finding!.rewrite!)).bytes());
    expect(fixed.audit(pe, config)).toEqual([]);
  });
  it.each([
    [8, 0],
    [4, 1],
    [16, 1],
  ])("divided by %d have %i findings where Falcon's config divides them by √64", async (divisor, count) => {
    const config = {
      model_type: "falcon",
      alibi: true,
      hidden_size: 256,
      num_attention_heads: 4,
      num_hidden_layers: 1,
    };
    const model = await openModel(adding(slopesOf(4, 8).map((slope) => slope / divisor)));
    expect(model.audit(pe, config).filter(({ code }) => code === "slopes")).toHaveLength(count);
  });
  it("keep the factor that a graph multiplies all of them by", async () => {
    const scaled = adding(slopesOf(4, 8).map((slope) => slope / 8));
    expect((await openModel(scaled)).positions).toMatchObject([
      { spec: { slopes: [1 / 32, 1 / 128, 1 / 512, 1 / 2048] } },
    ]);
    const model = await openModel(
      await (await (await openModel(scaled)).rewrite(pe, { bias: { kind: "alibi", maxBias: 4 } })).bytes(),
    );
    expect(model.positions).toEqual([]);
    const changed = await (await openModel(scaled)).rewrite(pe, { bias: { kind: "alibi", maxBias: 4 } });
    expect(changed.changes[0]!.what).toContain("0.06250, 0.03125, 0.01563, 0.007813");
  });
  it.each([
    ["frequencies", [1, 0.1, 0.01, 0.001]],
    ["a geometric series that begins elsewhere", [0.9, 0.45, 0.225, 0.1125]],
    ["two numbers", [0.3, 0.09]],
    ["numbers that grow", [2, 4, 8, 16]],
  ])("are not %s", async (_, numbers) => {
    expect((await openModel(adding(numbers))).positions).toEqual([]);
  });
});
