// Initializers that stand twice in a graph: runtimes warn and use the last, so models with them are around.
import { describe, expect, it } from "vitest";
import { openModel } from "../helpers/onnx-models";
import { floats, frequencies, integer, bytes, join, modelOf, node } from "../helpers/onnx-proto";
import { pe } from "../helpers/library";

const axis = join(bytes(1, "axis"), integer(3, 0), integer(20, 2));
const sinusoids = (of: (angle: number) => number) =>
  Array.from({ length: 32 }, (_, i) => of((i >> 2) * frequencies[i % 4]!));
const [cosines, sines] = [floats("c", [8, 4], sinusoids(Math.cos)), floats("s", [8, 4], sinusoids(Math.sin))];
const repeated = modelOf({
  nodes: [
    node("Gather", "c position_ids", "cos", axis),
    node("Gather", "s position_ids", "sin", axis),
    node("Mul", "x cos", "y"),
    node("Mul", "x sin", "z"),
  ],
  constants: [sines, cosines, sines],
  inputs: ["position_ids", "x"],
});

describe("a model with an initializer that stands twice", () => {
  it("loses both when the table becomes an input, and can be read again", async () => {
    const model = await openModel(repeated);
    expect(model.positions).toHaveLength(1);
    const written = await model.rewrite(pe, { tables: "inputs" });
    expect(written.changes).toHaveLength(2);
    const bytesAfter = await written.bytes();
    expect(bytesAfter.length).toBeLessThan(repeated.length);
    await openModel(bytesAfter);
  });
});
