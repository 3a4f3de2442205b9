// A hub and a folder of models for transformers.js in Node, and what every test of loaded models needs.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { init } from "posenc";
import { openModel, type OnnxModel } from "posenc/onnx";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { serve } from "../../web/tasks/serve.mjs";
import { trained, writeRepositories } from "./hub";

export type Options = Parameters<OnnxModel["rewrite"]>[1];

export const pe = await init();
export const yarn = { kind: "rope-yarn", factor: 4, originalLength: trained } as const;
export const longer: Options = { rotary: yarn, length: 4 * trained };
export const resized: Options = { length: 4 * trained, resize: "linear" };

export interface Case {
  model: string;
  dtype: string;
  options: Options;
  /** Its graph, and the file beside it. */
  file: string;
  data?: string;
}
export const cases: [string, Case][] = [
  ["float32", { model: "org/llama", dtype: "fp32", options: longer, file: "model.onnx" }],
  [
    "float16",
    { model: "org/llama", dtype: "fp16", options: { ...longer, angles: "float32" }, file: "model_fp16.onnx" },
  ],
  [
    "external data",
    { model: "org/llama-ext", dtype: "fp32", options: longer, file: "model.onnx", data: "model.onnx_data" },
  ],
  ["8 bits", { model: "org/gpt2", dtype: "q8", options: resized, file: "model_quantized.onnx" }],
];
export const [[, llama], , [, external]] = cases as [[string, Case], [string, Case], [string, Case]];

export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();

/** A cache as users write them, with what it holds. */
export class OwnCache {
  readonly held = new Map<string, { bytes: Buffer; headers: Headers }>();
  async match(key: string): Promise<Response | undefined> {
    const { bytes, headers } = this.held.get(key) ?? {};
    return bytes && new Response(new Uint8Array(bytes), { headers });
  }
  async put(key: string, response: Response): Promise<void> {
    this.held.set(key, { bytes: Buffer.from(await response.arrayBuffer()), headers: response.headers });
  }
}

/** Before each test a hub that answers, an empty cache and nothing else; after it, all must be as it was. */
export function setUp(library: any) {
  const { env, AutoModelForCausalLM, Tensor } = library;
  const before = { ...env };
  const served = { root: "", url: "" };
  let hub: Map<string, Buffer>;
  let server: Awaited<ReturnType<typeof serve>>;
  const temporary = process.env.TMPDIR;

  beforeAll(async () => {
    served.root = mkdtempSync(join(tmpdir(), "posenc-hub-"));
    hub = writeRepositories(join(served.root, "hub"), (model) => `${model}/resolve/main`);
    writeRepositories(join(served.root, "local"), (model) => model);
    mkdirSync(join(served.root, "tmp"));
    process.env.TMPDIR = join(served.root, "tmp");
    server = await serve(join(served.root, "hub"));
    served.url = server.url;
  });
  afterAll(() => {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    server.close();
    rmSync(served.root, { recursive: true, force: true });
  });
  beforeEach(() => {
    const settings = {
      remoteHost: server.url,
      allowLocalModels: false,
      cacheDir: mkdtempSync(join(served.root, "cache-")),
    };
    Object.assign(env, { ...before, ...settings });
  });
  /** After each of them nothing is left. */
  afterEach(() => {
    expect([env.useCustomCache, env.customCache]).toEqual([false, null]);
    expect(readdirSync(join(served.root, "tmp"))).toEqual([]);
  });

  const original = (model: string, file: string): Buffer => hub.get(`${model}/resolve/main/${file}`)!;

  const ids = (length: number): any =>
    new Tensor(
      "int64",
      BigInt64Array.from({ length }, (_, i) => BigInt(2 + ((i * 37) % 158))),
      [1, length],
    );
  async function logitsOf(model: any, inputs = ids(3 * trained)): Promise<Float32Array> {
    const attention_mask = new Tensor("int64", new BigInt64Array(inputs.dims[1]).fill(1n), inputs.dims);
    const { logits } = await model({ input_ids: inputs, attention_mask });
    return logits.type === "float16" ? pe.toFloat32(logits).data : logits.data;
  }
  const load = ({ model, dtype }: Case, more: object = {}): Promise<any> =>
    AutoModelForCausalLM.from_pretrained(model, { dtype, ...more });

  /** The logits of the model that `rewrite` makes, loaded as a folder of its own. */
  async function byHand({ model, dtype, options, file, data }: Case): Promise<Float32Array> {
    const folder = mkdtempSync(join(served.root, "hand-"));
    const source = join(served.root, "local", model);
    const externalData = data ? { [data]: readFileSync(join(source, "onnx", data)) } : {};
    const opened = await openModel(readFileSync(join(source, "onnx", file)), { externalData });
    mkdirSync(join(folder, "onnx"));
    writeFileSync(join(folder, "onnx", file), await (await opened.rewrite(pe, options)).bytes());
    for (const [name, bytes] of Object.entries(externalData)) writeFileSync(join(folder, "onnx", name), bytes);
    writeFileSync(join(folder, "config.json"), readFileSync(join(source, "config.json")));
    const { allowLocalModels, allowRemoteModels } = env;
    Object.assign(env, { allowLocalModels: true, allowRemoteModels: false });
    const made = await AutoModelForCausalLM.from_pretrained(folder, { dtype });
    Object.assign(env, { allowLocalModels, allowRemoteModels });
    return logitsOf(made);
  }

  /** The files of a cache are those of the hub, byte for byte, under the keys of transformers.js. */
  function expectOriginals(folder: string, expected: string[], key = (path: string) => path): void {
    expect(filesBelow(folder)).toEqual([...expected].sort());
    for (const path of expected) {
      const [model, file] = key(path)
        .match(/^(org\/[^/]+)\/(.*)$/)!
        .slice(1) as [string, string];
      expect(Buffer.compare(readFileSync(join(folder, path)), original(model, file)), path).toBe(0);
    }
  }

  return { served, original, logitsOf, load, byHand, expectOriginals };
}

export type SetUp = ReturnType<typeof setUp>;
