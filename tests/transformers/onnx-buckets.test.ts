// T5's buckets in float16: where they end, distances fall into others, until their logarithms are float32.
import { init } from "posenc";
import { openModel } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { float, int64, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { range } from "../js/helpers/numbers";
import { runtimes, tensorOf } from "./runtimes";

const pe = await init();
const [exact, more, heads] = [8, 8, 2];
const distances = range(300, exact);
/** Bits of 8 and of log 16 = 2.7726, to the nearest. */
const [eight, logarithm] = [0x4800, 0x418c];
const half = (bits: number) => ({ data: Uint16Array.of(bits), dims: [] });
const [float16, wholeNumbers] = [10, 7];

const chain = [
  node("Cast", "distances", "narrow", { to: float16 }),
  node("Div", "narrow exact", "ratio"),
  node("Log", "ratio", "log"),
  node("Div", "log spread", "share"),
];
const table = float(Array(16 * heads).fill(0), [16, heads]);
const reading = [
  node("Min", "place last", "bucket"),
  node("Gather", "table bucket", "bias", { axis: 0 }),
  node("Softmax", "bias", "weights"),
];
const t5 = onnxModel({
  inputs: { distances: { type: "int64", dims: [distances.length] } },
  constants: {
    ...{ exact: half(eight), spread: half(logarithm), more: half(eight), table },
    ...{ first: int64([exact], []), last: int64([15], []) },
  },
  outputs: { bucket: { type: "int64", dims: [distances.length] }, weights: [distances.length, heads] },
  nodes: [
    ...chain,
    node("Mul", "share more", "scaled"),
    node("Cast", "scaled", "whole", { to: wholeNumbers }),
    node("Add", "whole first", "place"),
    ...reading,
  ],
});
const bucketOf = (distance: number, far: number) =>
  Math.min(15, exact + Math.floor(Math.fround((Math.log(distance / exact) / Math.log(far / exact)) * more)));

describe.each(runtimes)("%s", (_, ort) => {
  const run = async (model: Uint8Array): Promise<number[]> => {
    const session = await ort.InferenceSession.create(model, { logSeverityLevel: 4 });
    const { bucket } = await session.run({ distances: tensorOf(ort, int64(distances)) });
    await session.release();
    return Array.from(bucket.data as BigInt64Array, Number);
  };

  it("T5's are right once their logarithm is float32, and for another distance", async () => {
    const model = await openModel(t5);
    const [finding] = model.audit(pe);
    expect(finding).toMatchObject({ severity: "warning", code: "buckets-float16", rewrite: { angles: "float32" } });
    expect(finding!.message).toMatch(/distances 16, 32, 64 get/);
    const buckets = (far: number) => distances.map((distance) => bucketOf(distance, far));
    expect(await run(t5)).not.toEqual(buckets(128));
    const fixed = await (await model.rewrite(pe, finding!.rewrite!)).bytes();
    expect(await run(fixed)).toEqual(buckets(128));
    expect((await openModel(fixed)).audit(pe)).toEqual([]);
    const farther = await model.rewrite(pe, { angles: "float32", bias: { kind: "t5", maxDistance: 250 } });
    expect(await run(await farther.bytes())).toEqual(buckets(250));
  });
});
