// Graphs of other shapes run in onnxruntime after each rewrite that is not refused, compute what PyTorch computes with these
// positions, and say the same at each level of optimisation.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { init } from "posenc";
import { openModel, PosencError, type PositionalComponent, type RewriteOptions } from "posenc/onnx";
import { afterAll, describe, expect, it } from "vitest";
import { runtimes } from "./runtimes";

const [[, ort]] = runtimes as [[string, any], ...unknown[]];
const pe = await init();
const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/onnx-wild/${name}`, import.meta.url));
const bytesOf = (name: string): Uint8Array => new Uint8Array(gunzipSync(fixture(`${name}.onnx.gz`)));
const expected: Record<string, object> = JSON.parse(String(fixture("expected.json")));

interface Truth {
  readonly file: string;
  readonly options: RewriteOptions;
  readonly tokens: number;
  readonly every: number;
  readonly output: readonly number[];
}
const truth: Record<string, Truth> = JSON.parse(String(fixture("truth.json")));

const whole = (numbers: number[], dims: number[]) => new ort.Tensor("int64", BigInt64Array.from(numbers, BigInt), dims);
const patch = 16;

/** Feeds of all inputs: free dims that count tokens get `tokens`, those of an image what a grid of patches has. */
function feedsOf(session: any, tokens: number, [rows, columns]: readonly number[]): Record<string, unknown> {
  const sizes: Record<string, number> = { b: 1, p: 3, h: patch * rows!, w: patch * columns! };
  const feed = ({ name, shape, type }: { name: string; shape: (number | string)[]; type: string }): unknown => {
    const dims = shape.map((dim) => (typeof dim === "number" ? dim : (sizes[dim] ?? tokens)));
    const count = dims.reduce((all, dim) => all * dim, 1);
    const positions = Array.from({ length: count }, (_, i) => i);
    if (type === "bool") return new ort.Tensor("bool", new Uint8Array(count), dims);
    if (type !== "int64")
      return new ort.Tensor("float32", Float32Array.from(positions, name === "time" ? () => 0.3 : Math.sin), dims);
    const axis = (i: number): number => Math.floor(i / tokens);
    const position = (i: number): number => (dims.length === 3 ? ((i % tokens) * (axis(i) + 1)) % 83 : i);
    return whole(positions.map(name === "position_ids" ? position : (i) => 2 + ((i * 7) % 97)), dims);
  };
  return Object.fromEntries(session.inputMetadata.map((input: any) => [input.name, feed(input)]));
}

async function run(bytes: Uint8Array, tokens: number, grid: readonly number[] = [14, 14]): Promise<Float32Array> {
  const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4 });
  try {
    const outputs = await session.run(feedsOf(session, tokens, grid));
    return outputs[session.outputNames[0]].data;
  } finally {
    await session.release();
  }
}

describe.each(Object.entries(truth))("%s", (_, { file, options, tokens, every, output }) => {
  it("computes what PyTorch computes", async () => {
    const changed = await (await openModel(bytesOf(file))).rewrite(pe, options);
    const got = await run(await changed.bytes(), tokens);
    const apart = output.map((number, i) => Math.abs(number - got[i * every]!));
    expect(Math.max(...apart)).toBeLessThan(5e-6);
  });
});

/** Samples of sound; of all others tokens. */
const tokensOf = (name: string): number => (name.startsWith("ta_wavlm") ? 4000 : 7);
/** As PyTorch 1.13 wrote it, no runtime runs it: a constant of its shapes is another's. */
const broken = "cohere";
const asked: RewriteOptions[] = [
  { rotary: { kind: "rope", base: 500000 } },
  { rotary: { kind: "rope-yarn", factor: 4, originalLength: 64 } },
  { rotary: { kind: "rope-linear", factor: 2 }, length: 1024 },
  { bias: { kind: "alibi", slopes: [0.1, 0.2, 0.3, 0.4] } },
  { length: 1024 },
  { length: 1024, resize: "linear" },
  { grid: [12, 12] },
  { grid: [7, 9] },
  { attention: true },
];

describe.each(Object.keys(expected).filter((name) => name !== broken))("%s", (name) => {
  it("runs after each rewrite that is not refused, and is not what it was", async () => {
    const source = bytesOf(name);
    const model = await openModel(source);
    const tokens = tokensOf(name);
    const before = await run(source, tokens);
    for (const options of asked) {
      const changed = await model.rewrite(pe, options).catch((error: unknown) => {
        expect(error).toBeInstanceOf(PosencError);
      });
      if (!changed) continue;
      const after = await run(await changed.bytes(), tokens, options.grid);
      expect(after.every(Number.isFinite), JSON.stringify(options)).toBe(true);
      if (options.rotary || options.bias) expect(after, JSON.stringify(options)).not.toEqual(before);
    }
  });
});

/** What is said of a component, but for the names and the form that an optimiser changes. */
const facts = ({ family, layers, rows, dim, heads, pairing, grid, spec, changeable }: PositionalComponent): string =>
  JSON.stringify({ family, layers, rows, dim, heads, pairing, grid, spec, changeable });

describe.each(Object.keys(expected).filter((name) => name !== broken))("%s", (name) => {
  it("computes the same, bit for bit, with the positions that it has", async () => {
    const source = bytesOf(name);
    const model = await openModel(source);
    const has = (family: string): boolean =>
      model.positions.some(
        (component) => component.family === family && component.changeable !== false && component.spec,
      );
    const same = {
      ...(has("rotary") && { rotary: (component: PositionalComponent) => component.spec as any }),
      ...(has("bias") && { bias: (component: PositionalComponent) => component.spec as any }),
    };
    const changed = await model.rewrite(pe, same);
    expect(await run(await changed.bytes(), tokensOf(name))).toEqual(await run(source, tokensOf(name)));
  });
});

describe("at each level of optimisation", () => {
  const folder = mkdtempSync(join(tmpdir(), "posenc-optimised-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(Object.keys(expected))("%s has the same positions", async (name) => {
    const source = bytesOf(name);
    const wanted = (await openModel(source)).positions.map(facts).sort();
    for (const level of ["disabled", "basic", "extended", "layout", "all"]) {
      const file = join(folder, `${name}.${level}.onnx`);
      const settings = { graphOptimizationLevel: level, optimizedModelFilePath: file, logSeverityLevel: 4 };
      await (await ort.InferenceSession.create(source, settings)).release();
      const { positions } = await openModel(new Uint8Array(readFileSync(file)));
      expect(positions.map(facts).sort(), level).toEqual(wanted);
    }
  });
});
