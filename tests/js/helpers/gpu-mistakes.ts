// Calls of posenc/webgpu with wrong arguments, for a device and for the fallback: both must refuse them alike.
import { PosencError } from "posenc";
import { fromOrt, toOrt, webgpu } from "posenc/webgpu";
import { expect } from "vitest";
import { loosely, pe } from "./library";
import { randomTensor } from "./numbers";

const rope = pe.create({ kind: "rope", dim: 8 });
const alibi = pe.create({ kind: "alibi", heads: 2 });
const table = pe.create({ kind: "sinusoidal", dim: 8 });
const x = randomTensor([1, 2, 6, 8]);

/** The library's error, or undefined; any other error fails. */
async function refused(what: string, call: () => unknown): Promise<PosencError | undefined> {
  try {
    await call();
    return undefined;
  } catch (error) {
    expect(error, `${what}: ${String(error)}`).toBeInstanceOf(PosencError);
    return error as PosencError;
  }
}

type Mistake = readonly [what: string, code: string, field: string, call: () => unknown];

/** Mistakes, and what must be said of them. */
function mistakes(gpu: any): Mistake[] {
  const made = gpu.tensor(x);
  const of = (type: string, ...dims: number[]): any => gpu.tensor(dims, { type });
  const bfloat16 = { type: "bfloat16", data: new Uint16Array([16256]), dims: [1] };
  const cosines = (): any => ({ cos: of("float32", 3, 4), sin: of("float32", 3, 4) });
  const one = of("float32", 3, 4);
  const [invalid, unsupported] = ["invalid-argument", "unsupported"];
  return [
    ["values of bfloat16", unsupported, "x", () => gpu.tensor(bfloat16)],
    ["integers as values", unsupported, "x", () => gpu.tensor({ ...bfloat16, type: "int32" })],
    ["zeros of bfloat16", unsupported, "type", () => gpu.tensor([2], { type: "bfloat16" })],
    ["zeros of null", unsupported, "type", () => gpu.tensor([2], { type: null })],
    ["bits as bfloat16", unsupported, "type", () => gpu.tensor(bfloat16.data, [1], { type: "bfloat16" })],
    ["options of a tensor", invalid, "options", () => gpu.tensor(x, { type: "float16" })],
    ["a number as options", invalid, "options", () => gpu.tensor([2], 5)],
    ["null as options of values", invalid, "options", () => gpu.tensor([1], [1], null)],
    ["text among values", invalid, "data", () => gpu.tensor([1, "2"], [2])],
    ["a tensor without data", invalid, "data", () => gpu.tensor({ dims: [2] })],
    ["a tensor of onnxruntime elsewhere", invalid, "x", () => gpu.tensor({ ...x, location: "gpu-buffer" })],
    ["tables of bfloat16", unsupported, "type", () => gpu.tables(rope, { length: 4, type: "bfloat16" })],
    ["tables without options", invalid, "length", () => gpu.tables(rope)],
    ["tables of null", invalid, "options", () => gpu.tables(rope, null)],
    ["one tensor for two tables", invalid, "out", () => gpu.tables(rope, { length: 3, out: one })],
    ["both tables in one tensor", invalid, "out", () => gpu.tables(rope, { length: 3, out: { cos: one, sin: one } })],
    ["one table", invalid, "out", () => gpu.tables(rope, { length: 3, out: { cos: one } })],
    ["null for tables", invalid, "out", () => gpu.tables(rope, { length: 3, out: null })],
    ["tables of another type", invalid, "type", () => gpu.tables(rope, { length: 3, type: "float16", out: cosines() })],
    ["bias of bfloat16", unsupported, "type", () => gpu.bias(alibi, { queries: 2, keys: 2, type: "bfloat16" })],
    ["bias without options", invalid, "queries", () => gpu.bias(alibi)],
    ["bias of null", invalid, "options", () => gpu.bias(alibi, null)],
    ["text as queries", invalid, "queries", () => gpu.bias(alibi, { queries: "2", keys: 2 })],
    ["text as offset", invalid, "offset", () => gpu.bias(alibi, { queries: 2, keys: 2, offset: "3" })],
    ["text as finite", invalid, "finite", () => gpu.bias(alibi, { queries: 2, keys: 2, finite: "yes" })],
    ["null for a bias", invalid, "out", () => gpu.bias(alibi, { queries: 2, keys: 2, out: null })],
    ["a bias of another type", invalid, "type", () => gpu.bias(alibi, { queries: 2, keys: 2, type: "float16", out: of("float32", 2, 2, 2) })], // prettier-ignore
    ["resize without options", invalid, "grid", () => gpu.resize(of("float32", 4, 8))],
    ["resize of null", invalid, "options", () => gpu.resize(of("float32", 4, 8), null)],
    ["resize into another type", invalid, "out", () => gpu.resize(of("float16", 4, 8), { grid: [1, 2], out: of("float32", 2, 8) })], // prettier-ignore
    ["a list as a table", invalid, "from", () => gpu.resize(of("float32", 4), { grid: [2] })],
    ["keep without options", invalid, "ranges", () => gpu.keep(made)],
    ["keep of null", invalid, "options", () => gpu.keep(made, null)],
    ["keep along a name", invalid, "axis", () => gpu.keep(made, { window: 1, axis: "length" })],
    ["keep in another type", invalid, "out", () => gpu.keep(made, { window: 1, out: of("float16", 1, 2, 1, 8) })],
    ["add at null", invalid, "options", () => gpu.add(made, table, null)],
    ["add rows at positions", invalid, "offset", () => gpu.add(made, randomTensor([6, 8]), { offset: 1 })],
    ["rotate without options", invalid, "encoding", () => gpu.rotate(made)],
    ["rotate of null", invalid, "options", () => gpu.rotate(made, null)],
    ["rotate with a fake", invalid, "encoding", () => gpu.rotate(made, { encoding: { family: "rotary" } })],
    ["rotate by text", invalid, "offset", () => (gpu.rotate(made, { encoding: rope, offset: 3 }), gpu.rotate(made, { encoding: rope, offset: "3" }))], // prettier-ignore
    ["rerotate without options", invalid, "encoding", () => gpu.rerotate(made)],
    ["kernels of null", invalid, "encoding", () => gpu.wgsl(null)],
    ["kernels of a name", unsupported, "encoding", () => gpu.wgsl({ family: "constructor", kind: "?" })],
    ["options of null", invalid, "options", () => webgpu(pe, undefined, loosely(null))],
    ["0 as a device", invalid, "device", () => webgpu(pe, loosely(0), { fallback: "wasm" })],
    ["a device without an end", invalid, "device", () => webgpu(pe, loosely({ createComputePipeline() {} }))],
    ["a tensor of onnxruntime without dims", invalid, "x", () => fromOrt(loosely({ type: "float32", location: "gpu-buffer" }))], // prettier-ignore
    ["a tensor of onnxruntime without a buffer", invalid, "x", () => fromOrt({ type: "float32", location: "gpu-buffer", dims: [1] })], // prettier-ignore
    ["a tensor for onnxruntime without dims", invalid, "x", () => toOrt(loosely({ type: "float32", buffer: { destroy() {} } }), loosely({ fromGpuBuffer() {} }))], // prettier-ignore
  ];
}

export async function expectMistakesNamed(gpu: unknown): Promise<void> {
  for (const [what, code, field, call] of mistakes(gpu)) {
    const error = await refused(what, call);
    expect([what, error?.code, error?.field, error?.message]).toEqual([
      what,
      code,
      field,
      expect.stringMatching(new RegExp(`^${field}: \\S`)),
    ]);
  }
}

const nothings = [undefined, null, 5, NaN, -1, 10n, "x", true, Symbol("x"), () => 1, {}, [], [1], [null], [[0, 1]]];
const wrong: readonly unknown[] = [
  ...nothings,
  new Float32Array(4),
  new DataView(new ArrayBuffer(8)),
  new BigInt64Array(2),
  Promise.resolve(1),
  { data: [1], dims: [1] },
  { data: new Float32Array(1), dims: [2] },
  { type: "float64", data: new Float64Array(1), dims: [1] },
  { type: "float32", buffer: {}, dims: [1] },
  { dims: null },
  { type: "float32", dims: [2147483647, 2147483647], data: undefined },
  rope,
  alibi,
  table,
];

/** Valid arguments of each call; each in its turn, and each of its options, becomes something else. */
const calls = (gpu: any): Record<string, unknown[]> => ({
  rotate: [gpu.tensor(x), { encoding: rope, offset: 1, positions: undefined, layout: "bhtd" }],
  rerotate: [gpu.tensor(x), { encoding: rope, from: 1, to: 0 }],
  tables: [rope, { length: 3, type: "float32", out: undefined }],
  bias: [alibi, { queries: 2, keys: 3, offset: 1, finite: true, type: "float32", out: undefined, mask: undefined }],
  add: [gpu.tensor(x), table, { offset: 0 }],
  resize: [gpu.tensor(randomTensor([4, 8])), { grid: [3, 3], out: undefined, prefix: undefined }],
  keep: [gpu.tensor(x), { ranges: [[0, 1]], axis: 2, sinks: undefined, window: undefined, out: undefined }],
  tensor: [[1, 2], [2], { type: "float32" }],
  read: [gpu.tensor(x)],
  wgsl: [rope],
  fromOrt: [{ type: "float32", location: "gpu-buffer", dims: [1], gpuBuffer: { destroy() {} } }],
  toOrt: [{ type: "float32", buffer: { destroy() {} }, dims: [1] }, { fromGpuBuffer: () => 1 }],
});

/** Each argument and option is replaced by other things: a call answers, or throws an error of the library. */
export async function expectNothingRaw(gpu: unknown): Promise<void> {
  for (const [name, given] of Object.entries(calls(gpu))) {
    const call = (...changed: unknown[]): unknown => loosely(gpu)[name](...changed);
    for (let count = 0; count < given.length; count++) {
      await refused(`${name} of ${count} arguments`, () => call(...given.slice(0, count)));
      for (const [i, value] of wrong.entries()) {
        const replaced = given.with(count, value);
        await refused(`${name}, argument ${count} is wrong[${i}]`, () => call(...replaced));
        if (Object.getPrototypeOf(given[count]) !== Object.prototype || "dims" in (given[count] as object)) continue;
        for (const option of Object.keys(given[count] as object)) {
          const options = { ...(given[count] as object), [option]: value };
          await refused(`${name}, ${option} is wrong[${i}]`, () => call(...given.with(count, options)));
        }
      }
    }
  }
  for (const [i, value] of wrong.entries())
    for (const given of [[value], [pe, value], [pe, undefined, value], [pe, undefined, { fallback: value }]])
      await refused(`webgpu, wrong[${i}]`, async () => (await loosely(webgpu)(...given)).destroy());
}
