// Biases of places in a window: a table with indices, and what becomes of both when constants are folded.
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { openModel } from "../helpers/onnx-models";
import { floats, modelOf, node, raw, tensor } from "../helpers/onnx-proto";

const [heads, height, width] = [2, 2, 3];

/** As Swin's and BEiT's sources number them. */
function indices(hasClass: boolean): number[] {
  const cells = height * width;
  const rows = (2 * height - 1) * (2 * width - 1);
  const first = Number(hasClass);
  const out: number[] = [];
  for (let i = -first; i < cells; i++)
    for (let j = -first; j < cells; j++) {
      if (i < 0 && j < 0) out.push(rows + 2);
      else if (i < 0) out.push(rows);
      else if (j < 0) out.push(rows + 1);
      else {
        const [down, right] = [Math.floor(i / width) - Math.floor(j / width), (i % width) - (j % width)];
        out.push((down + height - 1) * (2 * width - 1) + right + width - 1);
      }
    }
  return out;
}
const rowsOf = (hasClass: boolean) => (2 * height - 1) * (2 * width - 1) + (hasClass ? 3 : 0);
const table = (hasClass: boolean) => Array.from({ length: rowsOf(hasClass) * heads }, (_, i) => Math.sin(7 * i));
const attention = [
  node("MatMul", "q k", "scores"),
  node("Add", "scores bias", "biased"),
  node("Softmax", "biased", "weights"),
  node("MatMul", "weights v", "y"),
];
const inputs = ["q", "k", "v"];
const picking = (index: number[], rows: number[]) =>
  modelOf({
    inputs,
    nodes: [
      node("Gather", "table index", "picked"),
      node("Reshape", "picked shape", "square"),
      node("Transpose", "square", "bias"),
      ...attention,
    ],
    constants: [
      floats("table", [rows.length / heads, heads], rows),
      tensor("index", 7, [index.length], raw(BigInt64Array.from(index, BigInt))),
      tensor("shape", 7, [3], raw(BigInt64Array.from([index.length ** 0.5, index.length ** 0.5, heads], BigInt))),
    ],
  });
const holding = (bias: number[], tokens: number) =>
  modelOf({ inputs, nodes: attention, constants: [floats("bias", [1, heads, tokens, tokens], bias)] });

describe.each([
  ["Swin", false],
  ["BEiT", true],
])("%s", (_, hasClass) => {
  const spec = {
    ...{ kind: "swin", heads, windowHeight: height, windowWidth: width },
    ...(hasClass && { classToken: true }),
  };
  const wanted = {
    family: "bias",
    form: "windowed",
    heads,
    layers: [0],
    rows: rowsOf(hasClass),
    type: "float32",
    spec,
  };
  const index = indices(hasClass);
  const rows = table(hasClass);
  const whole = Array.from({ length: heads }, (__, h) => index.map((row) => rows[row * heads + h]!)).flat();

  it("rows that constant indices pick", async () => {
    expect((await openModel(picking(index, rows))).positions).toEqual([expect.objectContaining(wanted)]);
  });
  it("are noted as what rewrite cannot change", async () => {
    const [note, ...others] = (await openModel(picking(index, rows))).audit(pe);
    expect(others).toEqual([]);
    expect(note).toMatchObject({ severity: "note", code: "not-changeable", component: { form: "windowed" } });
    expect(note!.message).toMatch(/^layer 0: biases of the scores by offset in a window, from a table/);
  });
  it("biases that were made of rows", async () => {
    const { positions } = await openModel(holding(whole, index.length ** 0.5));
    expect(positions).toEqual([expect.objectContaining(wanted)]);
  });
  it("other numbers are none", async () => {
    const other = index.with(-1, 0);
    // They are biases by offset all the same.
    expect((await openModel(picking(other, rows))).positions).toMatchObject([{ form: "offsets", changeable: false }]);
    expect((await openModel(holding(whole.with(-1, 9), index.length ** 0.5))).positions).toEqual([]);
  });
});
