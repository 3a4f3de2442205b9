// Whatever a model comes in is read alike, and only as far as its positions need it.
import { describe, expect, it } from "vitest";
import { pe } from "../helpers/library";
import { besides, fixtureBytes, openModel, PosencError } from "../helpers/onnx-models";
import type { FileSource, OnnxModel } from "../helpers/onnx-models";
import { bytes, external, floats, frequencies, integer, join, modelOf, node } from "../helpers/onnx-proto";
import { opset, raw, rotating, rotation, smallest, tensor, varint } from "../helpers/onnx-proto";
import { caught } from "../helpers/refusals";

/** All that a model says of its positions. */
const summary = ({ positions }: OnnxModel) =>
  positions.map((component) => ({ ...component, frequencies: Array.from(component.frequencies ?? []) }));

const inParts = (file: Uint8Array, read: (offset: number, length: number) => unknown = () => {}) => ({
  size: file.length,
  async read(offset: number, length: number) {
    read(offset, length);
    return file.slice(offset, offset + length);
  },
});

const kinds: [string, (file: Uint8Array<ArrayBuffer>) => FileSource][] = [
  ["an ArrayBuffer", (file) => file.slice().buffer],
  ["a view into something larger", (file) => join([1, 2, 3], file, [4]).subarray(3, 3 + file.length)],
  ["a Blob", (file) => new Blob([file])],
  ["a File", (file) => new File([file], "model.onnx")],
  ["a Response", (file) => new Response(file)],
  ["{ size, read }", (file) => inParts(file)],
  ["{ size, read } without a promise", (file) => ({ size: file.length, read: (at, n) => file.slice(at, at + n) })],
];

const models = ["llama/model.onnx", "genai-phi3-longrope/model.onnx", "gpt2-tjs/model_quantized.onnx"];

describe.each(models)("%s", (name) => {
  it.each(kinds)("from %s", async (_, make) => {
    const file = await fixtureBytes(name);
    const externalData = await besides(name);
    const expected = await openModel(file, { externalData });
    expect(expected.positions.length).toBeGreaterThan(0);
    const files = Object.entries(externalData).map(([key, data]) => [key, make(data)]);
    const model = await openModel(make(file), { externalData: Object.fromEntries(files) });
    expect(summary(model)).toEqual(summary(expected));
    const changed = await model.rewrite(null as never, {});
    expect(changed.changes).toEqual([]);
    expect(same(await changed.bytes(), file), "the bytes are the source's").toBe(true);
    const blob = await changed.blob();
    expect(same(new Uint8Array(await blob.arrayBuffer()), file), "and the blob's").toBe(true);
    expect(model.externalLocations).toEqual(Object.keys(externalData));
  });
  it.each([{}, { length: 96, resize: "linear" as const, partial: true }])(
    "is given piece by piece as in one: %o",
    async (options) => {
      const model = await openModel(inParts(await fixtureBytes(name)), { externalData: await besides(name) });
      const changed = await model.rewrite(pe, options);
      const pieces: Uint8Array[] = [];
      for await (const piece of changed.chunks()) pieces.push(piece);
      const whole = await changed.bytes();
      expect(same(join(...pieces), whole)).toBe(true);
      expect(changed.size).toBe(whole.length);
    },
  );
});

const same = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, i) => byte === b[i]);

/** A file of 2 GB and more that nobody has in memory: a real model with a tensor before its nodes, of zeros. */
function huge(file: Uint8Array) {
  const hole = 2.2e9;
  const head = join([9 * 8 + 2], varint(hole));
  const tensorHead = join(integer(1, hole / 4), integer(2, 1), bytes(8, "weights"), head);
  const graph = join([5 * 8 + 2], varint(tensorHead.length + hole), tensorHead);
  const rest = bodyOfGraph(file);
  const before = join(integer(1, 8), opset, [7 * 8 + 2], varint(graph.length + hole + rest.length), graph);
  const asked = { bytes: 0, reads: 0 };
  const size = before.length + hole + rest.length;
  const source = {
    size,
    read(offset: number, length: number) {
      asked.bytes += length;
      asked.reads++;
      if (asked.bytes > 2 ** 25) throw new Error(`${asked.bytes} bytes were asked for`);
      const out = new Uint8Array(length);
      for (const [start, part] of [
        [0, before],
        [before.length + hole, rest],
      ] as const) {
        const from = Math.max(offset, start);
        const to = Math.min(offset + length, start + part.length);
        if (from < to) out.set(part.subarray(from - start, to - start), from - offset);
      }
      return out;
    },
  };
  return { source, asked };
}

/** The content of a file's graph, found without what is tested. */
function bodyOfGraph(file: Uint8Array): Uint8Array {
  let at = 0;
  const number = () => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = file[at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  for (;;) {
    const tag = number();
    if (tag % 8 === 0) number();
    else {
      const length = number();
      if (tag === 7 * 8 + 2) return file.subarray(at, at + length);
      at += length;
    }
  }
}

describe("a model of 2.2 GB", () => {
  it.each(["llama/model.onnx", "llama-v437/model.onnx"])(
    "as %s with large weights: few bytes are read",
    async (name) => {
      const file = await fixtureBytes(name);
      const { source, asked } = huge(file);
      const start = performance.now();
      const model = await openModel(source);
      expect(performance.now() - start).toBeLessThan(5000);
      expect(model.positions.map(({ spec }) => spec)).toEqual(
        (await openModel(file)).positions.map(({ spec }) => spec),
      );
      expect(model.positions.length).toBe(1);
      expect(asked.bytes).toBeLessThan(4 * file.length + 2 ** 21);
      expect(asked.reads).toBeLessThan(200);
    },
  );

  it("that claims to be larger than it is ends where it ends", async () => {
    const { source } = huge(smallest);
    const error = await caught(() => openModel({ ...source, size: source.size - 1 }));
    expect(error).toBeInstanceOf(PosencError);
    expect(error).toMatchObject({ code: "load-failed" });
  });
});

describe("external data", () => {
  const numbers = new Uint8Array(Float32Array.of(9, 9, ...frequencies).buffer);
  const at = (entries: object) => tensor("inv", 1, [4], external({ location: "beside.bin", ...entries }));

  it("of an initializer", async () => {
    const model = await openModel(rotating(at({ offset: "8", length: "16" })), {
      externalData: { "beside.bin": numbers },
    });
    expect(model.positions[0]!.spec).toEqual({ kind: "rope", dim: 8, base: 10000 });
  });
  it("without a length goes as far as dims say", async () => {
    const model = await openModel(rotating(at({ offset: "8" })), { externalData: { "beside.bin": numbers } });
    expect(model.positions[0]!.spec).toEqual({ kind: "rope", dim: 8, base: 10000 });
  });
  it("is looked for where the model says that it lies", async () => {
    const asked: string[] = [];
    const find = (file?: Uint8Array<ArrayBuffer>) => async (location: string) => (asked.push(location), file);
    const model = await openModel(rotating(at({ offset: "8" })), { externalData: find(numbers) });
    expect(model.positions[0]!.spec).toEqual({ kind: "rope", dim: 8, base: 10000 });
    expect(Object.keys((await model.rewrite(pe, {})).externalData)).toEqual(["beside.bin"]);
    const error = await caught(() => openModel(rotating(at({ offset: "8" })), { externalData: find() }));
    expect(error).toMatchObject({ code: "load-failed", field: "externalData" });
    expect(asked).toEqual(["beside.bin", "beside.bin"]);
  });
  it("that nobody reads need not be there", async () => {
    const weights = tensor("weights", 1, [1000, 1000], external({ location: "other.bin" }));
    const parts = { nodes: [...rotation, node("MatMul", "y weights", "out")], inputs: ["position_ids", "x"] };
    const model = await openModel(modelOf({ ...parts, constants: [weights, floats("inv", [4], frequencies)] }));
    expect(model.positions).toHaveLength(1);
  });
  it.each([
    ["is missing", at({}), {}, /"beside.bin" has the values of inv/],
    ["is too short", at({ offset: "16" }), { "beside.bin": numbers }, /beyond the end of beside.bin/],
    ["has too few bytes", at({ offset: "0", length: "8" }), { "beside.bin": numbers }, /too few bytes/],
    ["lies before the file", at({ offset: "-4" }), { "beside.bin": numbers }, /offset or length -4/],
    ["lies at no number", at({ offset: "x" }), { "beside.bin": numbers }, /offset or length NaN/],
  ])("that %s is an error", async (_, inv, externalData, message) => {
    const error = await caught(() => openModel(rotating(inv), { externalData }));
    expect(error).toBeInstanceOf(PosencError);
    expect(error).toMatchObject({ code: "load-failed", message: expect.stringMatching(message) });
  });
});

describe("what is no file", () => {
  it.each([undefined, null, 3, "model.onnx", {}, { size: 4 }, { size: -1, read() {} }, { size: 0.5, read() {} }, []])(
    "%j",
    async (source) => {
      const error = await caught(() => openModel(source as never));
      expect(error).toBeInstanceOf(PosencError);
      expect(error).toMatchObject({ code: "invalid-argument", field: "source" });
    },
  );
  it("a Response that tells of an error, or was read", async () => {
    const missing = await caught(() => openModel(new Response("gone", { status: 404 })));
    expect(missing).toMatchObject({ code: "load-failed", message: expect.stringContaining("404") });
    const read = new Response(smallest);
    await read.text();
    expect(await caught(() => openModel(read))).toMatchObject({ code: "invalid-argument" });
  });
  it.each([[0], [7], [undefined]])("a read() that gives %s bytes", async (length) => {
    const read = () => (length === undefined ? undefined : new Uint8Array(length));
    const error = await caught(() => openModel({ size: smallest.length, read: read as never }));
    expect(error).toBeInstanceOf(PosencError);
    expect(error).toMatchObject({ code: "load-failed", message: expect.stringContaining("read(0") });
  });
  it("what read() throws goes on", async () => {
    const lost = new Error("connection lost");
    const read = () => Promise.reject(lost);
    expect(await caught(() => openModel({ size: 100, read }))).toBe(lost);
  });
  it("beside a model", async () => {
    const externalData = { "beside.bin": 7 as never };
    expect(await caught(() => openModel(smallest, { externalData }))).toMatchObject({ field: "externalData" });
  });
});

it("raw data of more bytes than dims say is an error, of a tensor nobody reads not", async () => {
  const wrong = tensor("inv", 1, [4], raw(Float32Array.of(1, 2, 3)));
  expect(await caught(() => openModel(rotating(wrong)))).toMatchObject({
    code: "load-failed",
    message: "source: inv has 12 bytes, its dims [4] 16",
  });
  const parts = { nodes: rotation, inputs: ["position_ids", "x"] };
  const unread = tensor("unread", 1, [1000, 3], raw(new Float32Array(3)));
  const model = await openModel(modelOf({ ...parts, constants: [unread, floats("inv", [4], frequencies)] }));
  expect(model.positions).toHaveLength(1);
});
