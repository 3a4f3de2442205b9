// onnxruntime's own tensors through posenc: their class, their float16, and that a session takes the results.
import { init } from "posenc";
import { addPositional, interpolatePositionEmbeddings, positionIds, withRotaryTables } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { int64, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import { maxDifference, randomTensor } from "../js/helpers/numbers";
import { ask, runtimes, tensorOf } from "./runtimes";

const pe = await init();
const bitsOf = (data: ArrayBufferView) => new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
const toFloat16 = (x: { data: Float32Array; dims: number[] }) => pe.toFloat16(x);

describe.each(runtimes)("%s", (_, ort) => {
  it("narrows to the same float16, and widens to the same float32", async () => {
    // All sizes that a half can have, far below and above them too.
    const { data } = randomTensor([4096], 1);
    const x = { data: data.map((value, i) => value * 2 ** ((i % 48) - 28)), dims: [4096] };
    const { y } = await ask(ort, {
      inputs: { x },
      outputs: { y: { type: "float16", dims: [4096] } },
      nodes: [node("Cast", "x", "y", { to: 10 })],
    });
    const float16 = toFloat16(x);
    expect([...bitsOf(float16.data)]).toEqual([...bitsOf(y.data)]);
    const { y: back } = await ask(ort, {
      inputs: { x: float16 },
      outputs: { y: [4096] },
      nodes: [node("Cast", "x", "y", { to: 1 })],
    });
    expect([...pe.toFloat32(float16).data]).toEqual([...back.data]);
  });

  it.each(["float32", "float16"] as const)("adds positions to its %s tensors, and takes them back", async (type) => {
    const numbers = randomTensor([1, 3, 8], 2);
    const x = tensorOf(ort, type === "float16" ? toFloat16(numbers) : numbers);
    const sum = addPositional(x, pe.create({ kind: "sinusoidal", dim: 8 })) as typeof x;
    expect([sum.constructor, sum.type, sum.dims]).toEqual([ort.Tensor, type, [1, 3, 8]]);
    const { y } = await ask(ort, {
      inputs: { x: sum },
      outputs: { y: { type, dims: [1, 3, 8] } },
      nodes: [node("Identity", "x", "y")],
    });
    expect([...y.data]).toEqual([...sum.data]);
    const first = (tensor: typeof x) => pe.toFloat32({ type, data: tensor.data, dims: tensor.dims } as never).data[1]!;
    expect(first(sum) - first(x)).toBeCloseTo(1, 2);
  });

  it("gets float16 tables where its graph declares them", async () => {
    const x = randomTensor([1, 2, 3, 16], 3);
    const float16 = toFloat16(x);
    const table = { type: "float16", dims: ["rows", 8] };
    const model = onnxModel({
      inputs: {
        x: { type: "float16", dims: x.dims },
        position_ids: { type: "int64", dims: [1, 3] },
        cos: table,
        sin: table,
      },
      outputs: { y: { type: "float16", dims: x.dims } },
      nodes: [node("RotaryEmbedding", "x cos sin position_ids", "y")],
    });
    const session = await ort.InferenceSession.create(model);
    const like = { sessions: { model: session }, _forward: (_: unknown, inputs: object) => session.run(inputs) };
    const rope = pe.create({ kind: "rope", dim: 16 });
    withRotaryTables(like as never, rope, { Tensor: ort.Tensor });
    const position_ids = tensorOf(ort, int64([5, 6, 7], [1, 3]));
    const { y } = await like._forward(like, { x: tensorOf(ort, float16), position_ids });
    const wanted = rope.apply({ data: pe.toFloat32(float16).data.slice(), dims: x.dims }, { offset: 5 });
    const got = pe.toFloat32({ type: "float16", data: y.data, dims: x.dims }).data;
    expect(maxDifference(got, wanted.data)).toBeLessThan(2 ** -10);
    expect(maxDifference(got, pe.toFloat32(float16).data)).toBeGreaterThan(0.1);
  });

  it("gives position ids and resized embeddings as its own tensors", () => {
    const ids = positionIds<any>(tensorOf(ort, int64([0, 1, 1], [1, 3])));
    expect([ids.constructor, ids.type, [...ids.data]]).toEqual([ort.Tensor, "int64", [0n, 0n, 1n]]);
    const resized: any = interpolatePositionEmbeddings(tensorOf(ort, randomTensor([1, 5, 4])), pe, {
      grid: [3, 3],
      prefix: 1,
    });
    expect([resized.constructor, resized.dims]).toEqual([ort.Tensor, [1, 10, 4]]);
  });
});
