// Graphs that usePositions changes on their way from the cache, where there are no files: in pages, and behind caches of one's
// own.
import { openModel } from "posenc/onnx";
import { usePositions } from "posenc/transformers";
import { describe, expect, it } from "vitest";
import { loosely, pe } from "../helpers/library";
import {
  bytes,
  external,
  frequencies,
  integer,
  join,
  modelOf,
  node,
  rotating,
  smallest,
  tensor,
} from "../helpers/onnx-proto";
import { at, pageWith } from "../helpers/transformers-page";

const linear = { rotary: { kind: "rope-linear", factor: 4 } } as const;
const file = at("onnx/model.onnx");
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const changedBy = async (source: Uint8Array<ArrayBuffer>) =>
  (await (await openModel(source)).rewrite(pe, linear)).bytes();

/** A page where a model is changed, and how often that was done. */
function changing(files: Record<string, unknown>, options: Parameters<typeof usePositions>[2][string] = linear) {
  const page = pageWith(files);
  const count = { made: 0 };
  const create = (spec: never) => (count.made++, pe.create(spec));
  const library = { create, fromConfig: pe.fromConfig.bind(pe), resizeTable: pe.resizeTable.bind(pe) };
  const undo = usePositions(page.env, loosely(library), { "org/model": options });
  const match = (key: string): Promise<Response> => page.env.customCache.match(key);
  return { ...page, count, undo, match };
}

describe("a graph", () => {
  it("is what `rewrite` makes, and its length is told", async () => {
    const { match, held } = changing({ [file]: smallest });
    const wanted = await changedBy(smallest);
    expect(wanted).not.toEqual(smallest);
    for (const read of [bytesOf, async (response: Response) => bytesOf(new Response(response.body))]) {
      const response = await match(file);
      expect(response.headers.get("content-length")).toBe(`${wanted.length}`);
      expect(await read(response)).toEqual(wanted);
    }
    expect(await bytesOf(held.get(file)!)).toEqual(smallest);
  });

  it("is made once for those who ask and do not read, or ask together, and not kept", async () => {
    const { match, count, asked } = changing({ [file]: smallest });
    const [first] = await Promise.all([match(file), match(file)]);
    await match(file);
    expect(count.made).toBe(1);
    await bytesOf(first!);
    await bytesOf(await match(file));
    expect([count.made, asked]).toEqual([2, [file]]);
  });

  it("that nobody asked to change stays as it is", async () => {
    const none = changing({ [file]: smallest }, { rotary: () => undefined });
    expect(await bytesOf(await none.match(file))).toEqual(smallest);
    const others = modelOf({ nodes: [node("Relu", "x", "y")], inputs: ["x"] });
    const otherFiles = ["embed_tokens", "vision_encoder_q4"].map((name) => at(`onnx/${name}.onnx`));
    const page = changing(Object.fromEntries(otherFiles.map((key) => [key, others])), { ...linear, attention: true });
    for (const key of otherFiles) expect(await bytesOf(await page.match(key))).toEqual(others);
  });

  it.each(["model", "model_q4f16", "decoder_model_merged"])("%s must have what is to be changed", async (name) => {
    const others = modelOf({ nodes: [node("Relu", "x", "y")], inputs: ["x"] });
    const { match } = changing({ [at(`onnx/${name}.onnx`)]: others });
    await expect(bytesOf(await match(at(`onnx/${name}.onnx`)))).rejects.toMatchObject({
      ...{ name: "PosencError", code: "unsupported", field: "rotary" },
      message: `rotary: onnx/${name}.onnx of org/model: needs a rotation; no positions were found in this model`,
    });
  });

  it("is asked for again after a failure", async () => {
    const files: Record<string, unknown> = { [file]: 500 };
    const { match } = changing(files);
    await expect(bytesOf(await match(file))).rejects.toMatchObject({ code: "load-failed" });
    files[file] = smallest;
    expect(await bytesOf(await match(file))).toEqual(await changedBy(smallest));
  });

  it("is the source again when all is undone, also for those who kept the cache", async () => {
    const { env, match, undo } = changing({ [file]: smallest });
    await bytesOf(await match(file));
    const { customCache } = env;
    undo();
    expect(await bytesOf(await customCache.match(file))).toEqual(smallest);
    expect(await bytesOf(await env.customCache.match(file))).toEqual(smallest);
  });
});

describe("external data", () => {
  const numbers = new Uint8Array(Float32Array.from(frequencies).buffer);
  const storedIn = (location: string) => rotating(tensor("inv", 1, [4], external({ location })));
  const data = at("onnx/model.onnx_data");

  it("is fetched once, whoever asks first, and given as it is", async () => {
    const { match, asked, held } = changing({ [file]: storedIn("model.onnx_data"), [data]: numbers });
    const [graph, weights] = await Promise.all([match(file), match(data)]);
    expect(await bytesOf(weights!)).toEqual(numbers);
    const model = await openModel(await bytesOf(graph!), { externalData: { "model.onnx_data": numbers } });
    expect(model.positions[0]!.frequencies![1]! / frequencies[1]!).toBeCloseTo(1 / 4);
    expect(asked.toSorted()).toEqual([file, data]);
    expect([...held.keys()].toSorted()).toEqual([file, data]);
  });

  it("that is not there is named", async () => {
    const { match } = changing({ [file]: storedIn("model.onnx_data") });
    await expect(bytesOf(await match(file))).rejects.toMatchObject({
      ...{ code: "load-failed", message: expect.stringContaining('"model.onnx_data" has the values of inv') },
    });
  });

  it.each(["../config.json", "a/../../b", "/etc/passwd", "\\\\host\\share", "C:\\file", "https://other.test/data"])(
    "is never looked for outside the model: %s",
    async (location) => {
      const { match, asked } = changing({ [file]: storedIn(location) });
      await expect(bytesOf(await match(file))).rejects.toMatchObject({ code: "load-failed", field: "externalData" });
      expect(asked).toEqual([file]);
    },
  );
});

it("what is no model is an error that reading it gives", async () => {
  for (const wrong of [new Uint8Array(0), join(smallest, bytes(99, "x"), [7]), join(integer(1, 8))]) {
    const { match } = changing({ [file]: wrong });
    const response = await match(file);
    const reader = response.body!.getReader();
    await expect(reader.read()).rejects.toMatchObject({ name: "PosencError", code: "load-failed" });
  }
});
