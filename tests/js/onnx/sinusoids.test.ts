// Sinusoids that a file holds as a table are told from tables that were learned; frequencies beside each other's bases.
import type { SinusoidalSpec } from "posenc";
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { openModel } from "../helpers/onnx-models";
import { floats, modelOf, node } from "../helpers/onnx-proto";

const [length, dim] = [96, 32];

/** A model that adds rows of this table by position. */
const adding = (table: Float32Array) =>
  modelOf({
    nodes: [node("Gather", "table position_ids", "rows"), node("Add", "x rows", "y")],
    constants: [floats("table", [length, dim], Array.from(table))],
    inputs: ["position_ids", "x"],
  });
/** A model that adds the whole table, as Whisper's encoder does. */
const addingAll = (table: Float32Array) =>
  modelOf({
    nodes: [node("Add", "x table", "y")],
    constants: [floats("table", [length, dim], Array.from(table))],
    inputs: ["x"],
  });

const variants: [string, SinusoidalSpec][] = [
  ["Vaswani's", { kind: "sinusoidal", dim, base: 10000, pairing: "interleaved" }],
  ["Marian's", { kind: "sinusoidal", dim, base: 10000, pairing: "concat" }],
  ["Whisper's", { kind: "sinusoidal", dim, base: 10000, pairing: "concat", frequencyShift: 1 }],
  ["cosines first", { kind: "sinusoidal", dim, base: 500, pairing: "concat", order: "cos-sin" }],
];

describe.each(variants)("%s", (_, spec) => {
  const table = pe.create(spec).table({ length }).data;

  it("is known when rows are gathered", async () => {
    const { positions } = await openModel(adding(table));
    expect(positions).toMatchObject([{ family: "table", form: "gathered", rows: length, dim, spec }]);
    expect(positions[0]!.error).toBeLessThan(2e-6);
  });

  it("is known when it is added whole", async () => {
    const { positions } = await openModel(addingAll(table));
    expect(positions).toMatchObject([{ family: "table", form: "added", spec }]);
  });

  it("is learned where numbers are others", async () => {
    const other = table.slice();
    for (let i = dim; i < other.length; i++) other[i] = other[i]! * 0.9;
    const { positions } = await openModel(adding(other));
    expect(positions).toMatchObject([{ spec: { kind: "learned", length, dim } }]);
  });
});
