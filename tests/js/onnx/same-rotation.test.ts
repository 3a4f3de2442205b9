// A rotation that is asked for and there already: nothing of it changes, and what is new goes on as the old values do.
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import { openModel, type PositionalComponent } from "../helpers/onnx-models";
import { bytes, floats, frequencies, integer, join, modelOf, node, rawOf, rotating } from "../helpers/onnx-proto";
import { caught } from "../helpers/refusals";
import { wildBytes } from "../helpers/wild-models";

const axis = join(bytes(1, "axis"), integer(3, 0), integer(20, 2));
/** As another library may round them: each value off by some digits. */
const sinusoids = (of: (angle: number) => number) =>
  Array.from({ length: 32 }, (_, i) => of((i >> 2) * frequencies[i % 4]!) * (1 + ((i % 5) - 2) * 1e-7));
const [cosines, sines] = [sinusoids(Math.cos), sinusoids(Math.sin)];
const tables = modelOf({
  nodes: [
    node("Gather", "c position_ids", "cos", axis),
    node("Gather", "s position_ids", "sin", axis),
    node("Mul", "x cos", "y"),
    node("Mul", "x sin", "z"),
  ],
  constants: [floats("c", [8, 4], cosines), floats("s", [8, 4], sines)],
  inputs: ["position_ids", "x"],
});
const inLatin = (data: Uint8Array): string => Array.from(data, (byte) => String.fromCharCode(byte)).join("");
const holds = (file: Uint8Array, values: readonly number[]): boolean =>
  inLatin(file).includes(inLatin(rawOf(Float32Array.from(values))));
/** What toEqual says of small arrays, in no time of large ones. */
const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);
const asFound = { rotary: (component: PositionalComponent) => component.spec as never };

describe("the rotation that a model has", () => {
  it.each(["gptfast", "neox", "llama2c_static", "chatglm2", "moshi_rope", "qwen2vl_mrope", "qwen3vl", "esm2", "ret"])(
    "of %s stays, and is said to be there",
    async (name) => {
      const source = await wildBytes(name);
      const changed = await (await openModel(source)).rewrite(pe, asFound);
      expect(changed.changes.length).toBeGreaterThan(0);
      for (const { what } of changed.changes) expect(what).toMatch(/^is .* already/);
      expect(isSame(await changed.bytes(), source)).toBe(true);
    },
  );

  it("stays in longer tables, whose new rows follow its rule", async () => {
    const model = await openModel(tables);
    for (const options of [{ ...asFound, length: 12 }, { length: 12 }]) {
      const file = await (await model.rewrite(pe, options)).bytes();
      expect(holds(file, cosines) && holds(file, sines)).toBe(true);
      const [component] = (await openModel(file)).positions;
      expect(component).toMatchObject({ rows: 12, spec: { kind: "rope", dim: 8, base: 10000 } });
      expect(component!.error).toBeLessThan(1e-6);
    }
  });

  it("is made anew with another precision or base", async () => {
    const model = await openModel(tables);
    for (const more of [{ precision: "exact" }, { base: 20000 }]) {
      const changed = await model.rewrite(pe, { rotary: loosely({ kind: "rope", ...more }) });
      expect(holds(await changed.bytes(), cosines)).toBe(false);
      expect(changed.changes.every(({ what }) => what.includes(" now"))).toBe(true);
    }
  });

  it("has the attention factor of its graph, if YaRN has another", async () => {
    const model = await openModel(rotating(floats("inv", [4], frequencies)));
    const yarn = loosely({ kind: "rope-yarn", factor: 4, originalLength: 64, attentionFactor: 1 });
    const source = await (await model.rewrite(pe, { rotary: yarn })).bytes();
    const written = await openModel(source);
    expect(written.positions[0]!.spec).toMatchObject({ kind: "rope-yarn", factor: 4, attentionFactor: 1 });
    expect(await (await written.rewrite(pe, asFound)).bytes()).toEqual(source);
  });
});

it("pairs that a graph does not have are refused", async () => {
  const model = await openModel(await wildBytes("gptfast"));
  const rotary = { kind: "rope", base: 500000, pairing: "half" } as const;
  expect(String(await caught(() => model.rewrite(pe, { rotary })))).toMatch(/interleaved pairs.*cannot be changed/);
});
