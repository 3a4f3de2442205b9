// "I get this error" (web/docs/errors.md) quotes messages: each is one that the library throws, word for word.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { init } from "posenc";
import { openCache, restoreCache, saveCache } from "posenc/cache-file";
import { openModel } from "posenc/onnx";
import { fromOrt, toOrt, webgpu, type Gpu } from "posenc/webgpu";
import { addPositional, shiftCache, withRollingCache } from "posenc/transformers";
import { chromium } from "playwright";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { Operation } from "../../web/src/base/calls.gen";
import { baseSection, checksumOf } from "../../web/src/wasm/checksum";
import { inRoot } from "../../web/tasks/prepare.mjs";
import { chromiumOptions } from "../js/chromium.mjs";
import { isWhole } from "./whole";

const page = readFileSync(inRoot("web", "docs", "errors.md"), "utf8");
const quoted = [...page.matchAll(/^```text\n(.+)\n```$/gm)].map(([, message]) => message!);
const pattern = (message: string): RegExp =>
  new RegExp(
    `^${message
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join("[^]+")}$`,
  );

const bytesOf = (variant: string): Buffer => readFileSync(inRoot("dist", `posenc.${variant}.wasm`));
const pe = await init();
const create = pe.create.bind(pe) as (spec: object) => any;
const rope = pe.create({ kind: "rope", dim: 8 });
const zeros = (...dims: number[]) => ({ data: new Float32Array(dims.reduce((a, b) => a * b)), dims });
const loose = (value: unknown): any => value;
const cacheFile = (texts = 1) =>
  saveCache(
    pe,
    Object.fromEntries(
      ["key", "value"].map((side) => [`past_key_values.0.${side}`, { type: "float32", ...zeros(texts, 1, 3, 8) }]),
    ),
    { encoding: rope },
  );
const keysOf = (tokens: number) => ({ "past_key_values.0.key": zeros(1, 1, tokens, 8) });

/** An empty cache of 2 heads, and one with tokens. */
const cacheOf = (other: object = {}) => pe.cache(loose({ heads: 2, dim: 8, capacity: 8, encoding: rope, ...other }));
const filledCache = (tokens: number, other: { batch?: number; [option: string]: unknown } = {}) => {
  const [k, v] = [zeros(other.batch ?? 1, 2, tokens, 8), zeros(other.batch ?? 1, 2, tokens, 8)];
  return cacheOf(other).append(k, v);
};

const onnxFile = (name: string): string => inRoot("tests", "fixtures", "onnx", name, "model.onnx");
/** Rewrites a fixture with options that it does not take. */
const rewritten = async (name: string, options: object): Promise<unknown> =>
  (await openModel(readFileSync(onnxFile(name)))).rewrite(pe, options);

const folder = mkdtempSync(join(tmpdir(), "posenc-errors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
/** A model that a command may overwrite if it fails to reject that. */
const ownModel = (name = "model.onnx"): string => {
  const path = join(folder, name);
  copyFileSync(onnxFile("llama"), path);
  return path;
};
/** Runs the program, and throws the first line that it prints about an error. */
function program(...words: string[]): void {
  const { stderr } = spawnSync(process.execPath, [inRoot("dist", "cli.js"), ...words], {
    encoding: "utf8",
    cwd: folder,
  });
  if (stderr) throw new Error(stderr.split("\n")[0]);
}

/** The library in a page whose policy has nothing for WebAssembly. */
async function underPolicy(policy: string): Promise<string> {
  const browser = await chromium.launch(chromiumOptions());
  try {
    const tab = await browser.newPage();
    await tab.route("http://posenc.test/*", (route) =>
      route.request().url().endsWith(".js")
        ? route.fulfill({ path: inRoot("dist", "posenc.iife.js") })
        : route.fulfill({
            contentType: "text/html",
            headers: { "content-security-policy": policy },
            body: '<script src="/posenc.js"></script>',
          }),
    );
    await tab.goto("http://posenc.test/");
    return await tab.evaluate(() =>
      (globalThis as any).posenc.init().then(
        () => "no error",
        (error: Error) => error.message,
      ),
    );
  } finally {
    await browser.close();
  }
}

/** The main entry as a bundler makes a script of it. */
async function asScript(): Promise<{ init: typeof init }> {
  const entryPoints = [inRoot("dist", "index.js")];
  const options = { bundle: true, format: "iife", globalName: "posenc", write: false, logLevel: "silent" } as const;
  const { outputFiles } = await build({ entryPoints, ...options });
  return new Function(`${outputFiles[0]!.text}; return posenc;`)();
}

/** `work` where no memory is left but for what is small. */
function starved(instance: typeof pe, work: () => unknown): void {
  vi.spyOn(WebAssembly.Memory.prototype, "grow").mockImplementation(() => {
    throw new RangeError("there is no more");
  });
  instance.trim();
  const taken: { dispose(): void }[] = [];
  try {
    for (let floats = 2 ** 24; floats >= 2 ** 14; floats /= 4)
      for (;;)
        try {
          taken.push(instance.tensor([floats]));
        } catch {
          break;
        }
    work();
  } finally {
    for (const tensor of taken) tensor.dispose();
  }
}

const buffer = { size: 32, usage: 0x8c, destroy() {} };
const there = { type: "float32", buffer, dims: [1, 1, 1, 8] };

/** A device that takes everything and does nothing: what is refused before is refused by it, too. */
const device = {
  ...Object.fromEntries(
    "createShaderModule createBindGroupLayout createPipelineLayout createComputePipeline createBindGroup pushErrorScope"
      .split(" ")
      .map((name) => [name, () => ({})]),
  ),
  limits: { maxBufferSize: 4096, maxStorageBufferBindingSize: 4096, maxComputeWorkgroupsPerDimension: 65535 },
  queue: { writeBuffer() {}, submit() {} },
  lost: new Promise<void>(() => {}),
  createBuffer: ({ size }: { size: number }) => ({ ...buffer, size }),
  createCommandEncoder: () => ({
    beginComputePass: () => ({ setPipeline() {}, setBindGroup() {}, dispatchWorkgroups() {}, end() {} }),
    finish: () => ({}),
  }),
  popErrorScope: async (): Promise<{ message: string } | null> => null,
  destroy() {},
};

const onGpu = async (other: object): Promise<unknown> =>
  (await webgpu(pe, device)).rotate(loose({ ...there, ...other }), { encoding: rope });

/** What a device says afterwards to the calls of one kind. */
async function complaint(about: string, call: (gpu: Gpu) => unknown): Promise<void> {
  const scopes: string[] = [];
  const gpu = await webgpu(pe, {
    ...device,
    pushErrorScope: (filter: string) => void scopes.push(filter),
    popErrorScope: async () => (scopes.pop() === about ? { message: "no" } : null),
  });
  call(gpu);
  await gpu.settled();
}

/** The library as a page has it: its base. */
let copies = 0;
async function inParts(): Promise<typeof pe> {
  const entry = (await import(`${inRoot("dist", "index.js")}?copy=${++copies}`)) as typeof import("posenc");
  return entry.init({ variant: "simd" });
}

/** What goes wrong, for each message of the page in its order. */
const faults: (() => unknown)[] = [
  () => init(new TextEncoder().encode("<!doctype html><title>404</title>")),
  () => init(new Response("", { status: 404 })),
  () => init("http://127.0.0.1:9/posenc.simd.wasm"),
  async () => (await asScript()).init(),
  async () => {
    throw new Error(await underPolicy("script-src 'self'"));
  },
  () => init(bytesOf("simd").subarray(0, 5000)),
  () => init(new TextEncoder().encode("no module")),
  () => {
    const damaged = Buffer.from(bytesOf("simd"));
    damaged[damaged.length - 1]! ^= 1;
    return init(damaged);
  },
  () => {
    const other = Buffer.from(bytesOf("scalar"));
    other[other.indexOf("posenc.difference") + "posenc.difference".length]! ^= 1;
    return init(other);
  },
  () => init(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])),
  () => {
    vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
    return init({ variant: "relaxed" });
  },
  () => {
    vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    vi.stubGlobal("DecompressionStream", undefined);
    return init({ variant: "simd" });
  },
  async () => (await inParts()).attention(zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), zeros(1, 1, 2, 8)),
  () => init(bytesOf("base")),
  async () => {
    const foreign = Buffer.from(bytesOf("attention"));
    foreign[foreign.indexOf(baseSection) + baseSection.length]! ^= 1;
    foreign.writeUInt32LE(checksumOf(foreign.subarray(0, -4)), foreign.length - 4);
    const { fs, read } = { fs: process.getBuiltinModule("node:fs"), read: readFileSync };
    const one = await inParts();
    vi.spyOn(fs, "readFileSync").mockImplementation(((path: unknown, ...more: []) =>
      String(path).endsWith("posenc.attention.wasm") ? foreign : read(path as string, ...more)) as never);
    return one.load("attention");
  },
  () => rope.apply(loose({ location: "gpu-buffer", dims: [1, 1, 1, 8] })),
  () => addPositional(loose({ location: "gpu-buffer", dims: [1, 8] }), pe.create({ kind: "sinusoidal", dim: 8 })),
  () => shiftCache(keysOf(9), pe.create({ kind: "rope-dynamic", dim: 8, factor: 2, originalLength: 4 }), { window: 2 }),
  () => {
    const model = { sessions: {}, _forward: async () => ({}) };
    withRollingCache(model, rope, { window: 4 });
    return model._forward.call(model, ...([model, { input_ids: zeros(1, 2), attention_mask: zeros(1, 2) }] as []));
  },
  () => rope.apply(loose({ type: "int8", data: new Int8Array(8), dims: [1, 1, 1, 8] })),
  () => rope.tables({ positions: loose({ type: "float16", data: new Uint16Array(8), dims: [8] }) }),
  () => rope.apply(loose(new Float32Array(8))),
  () => rope.apply(loose({ data: [1, 2, 3, 4], dims: [1, 1, 1, 4] })),
  () => rope.apply(zeros(4, 8)),
  () => rope.apply(zeros(1, 1, 1, 6)),
  () => rope.apply(zeros(1, 4, 2, 8), { positions: [0, 1, 2, 3] }),
  () => rope.apply({ data: new Float32Array(10), dims: [1, 2, 4, 8] }),
  () => create({ kind: "sinusoidal-2d", dim: 8 }).addTo(zeros(1, 197, 8), { grid: [14, 14] }),
  () => {
    const tensor = pe.tensor([2]);
    tensor.dispose();
    return tensor.data;
  },
  () => {
    const x = zeros(1, 1, 1, 8);
    structuredClone(x.data, { transfer: [x.data.buffer] });
    return rope.apply(x);
  },
  () => {
    const table = zeros(4, 4);
    return pe.similarity(table, { out: table });
  },
  () => {
    const table = {
      get data() {
        pe.trim();
        return new Float32Array(4);
      },
      dims: [2, 2],
    };
    return pe.similarity(table);
  },
  async () => loose(await init({ variant: "scalar" })).core.call(Operation.tableFacts, 2 ** 32 - 64, 0),
  async () => {
    const other = await init({ variant: "scalar" });
    const q = zeros(1, 1, 2, 8);
    return other.attention(q, q, q, { encoding: rope });
  },
  () => pe.tensor([1 << 30]),
  async () => {
    const other = await init({ variant: "scalar" });
    starved(other, () => other.create({ kind: "one-hot", dim: 2 ** 20 }));
  },
  async () => {
    const other = await init({ variant: "scalar" });
    const wide = other.create({ kind: "rope", dim: 4096 });
    const x = other.tensor([1, 1, 1, 4096]);
    starved(other, () => wide.apply(x));
  },
  async () => {
    const other = await init({ variant: "scalar" });
    const wide = other.create({ kind: "one-hot", dim: 2 ** 20 });
    starved(other, () => other.distanceProfile(wide, { maxDistance: 0 }));
  },
  () => {
    const [x, weights] = [zeros(2048, 1), zeros(2 ** 21 + 1, 1)];
    return pe.scoreTerms(x, x, weights, weights);
  },
  () => create({ kind: "learned", length: 2 ** 20, dim: 2 ** 20 }),
  () => pe.gridPositionIds([40000, 40000]),
  () => structuredClone(rope),
  () => rope.apply(zeros(1, 1, 2, 8), loose({ ofset: 1 })),
  () => rope.tables(loose(4096)),
  () => pe.attention(zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), loose({ causal: 1 })),
  () => init({ source: bytesOf("simd"), variant: "simd" }),
  () => create({ kind: "rope-yarn", dim: 8, factor: 0.5, originalLength: 64 }),
  () => create({ kind: "rope", dim: 8, bse: 1 }),
  () => create({ kind: "ropes", dim: 8 }),
  () => {
    const q = zeros(1, 1, 2, 8);
    return pe.attention(q, q, q, { encoding: loose(create({ kind: "sinusoidal", dim: 8 })) });
  },
  () => pe.attention(zeros(1, 3, 4, 8), zeros(1, 2, 4, 8), zeros(1, 2, 4, 8)),
  () => pe.attention(zeros(1, 2, 4, 8), zeros(1, 2, 4, 16), zeros(1, 2, 4, 8)),
  () => pe.attention(zeros(2, 2, 4, 8), zeros(1, 2, 4, 8), zeros(1, 2, 4, 8)),
  () => pe.attention(zeros(1, 2, 4, 8), zeros(1, 2, 4, 8), zeros(1, 2, 1, 8)),
  () => pe.attention(zeros(1, 2, 4, 16), zeros(1, 2, 4, 16), zeros(1, 2, 4, 16), { encoding: rope }),
  () => {
    const q = zeros(1, 4, 2, 8);
    return pe.attention(q, q, q, { encoding: create({ kind: "alibi", heads: 2 }) });
  },
  () => create({ kind: "alibi", heads: 2 }).bias(5),
  () => create({ kind: "alibi", heads: 2 }).bias({ queries: zeros(1, 2, 4, 8), keys: 4 }),
  () => pe.attention(zeros(1, 2, 4, 8), zeros(1, 2, 4, 8), zeros(1, 2, 4, 8), { bias: zeros(3, 4) }),
  () => {
    const q = zeros(1, 1, 2, 8);
    return pe.attention(q, q, q, { encoding: create({ kind: "forget", heads: 1 }) });
  },
  () => pe.attention(zeros(2, 1, 3, 8), zeros(2, 1, 5, 8), zeros(2, 1, 5, 8), { mask: [0, -Infinity, 0, 0, 0] }),
  () => {
    const mask = { data: new Uint8Array(10), dims: [2, 5] };
    return pe.attention(zeros(2, 1, 3, 8), zeros(2, 1, 5, 8), zeros(2, 1, 5, 8), { mask });
  },
  () => pe.attention(zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), { attentionMask: loose([[0, 1]]) }),
  () => pe.attention(zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), { segments: [1, 0.5] }),
  () => pe.attention(zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), zeros(1, 1, 2, 8), { cuSeqlens: [0, 1] }),
  () => create({ kind: "learned", length: 4, dim: 8 }).addTo(zeros(1, 9, 8)),
  () => create({ kind: "learned", length: 4, dim: 8 }).load({ weights: zeros(5, 8) }),
  () => filledCache(9),
  () => cacheOf({ capacity: undefined }),
  () => cacheOf({ capacity: 4, policy: { window: 8 } }),
  () => {
    const cache = cacheOf();
    cache.dispose();
    return cache.length;
  },
  () => cacheOf().append(zeros(1, 5, 2, 8), zeros(1, 5, 2, 8)),
  () => cacheOf().append(zeros(2, 2, 1, 8), zeros(2, 2, 1, 8)),
  () => cacheOf().append(zeros(1, 2, 1, 6), zeros(1, 2, 1, 6)),
  () => filledCache(2).attend(zeros(1, 2, 3, 8)),
  () => filledCache(2).attend(zeros(1, 2, 1, 8), { encoding: pe.create({ kind: "rope", dim: 8, base: 5e5 }) }),
  () => {
    const cache = filledCache(2, { encoding: undefined });
    cache.attend(zeros(1, 2, 1, 8), { encoding: rope });
    return cache.attend(zeros(1, 2, 1, 8));
  },
  () => cacheOf().append(zeros(1, 2, 3, 8), zeros(1, 2, 3, 8), { positions: [0, 1] }),
  () => {
    const positions = pe.positionIds([[0, 1]]);
    return cacheOf({ policy: { window: 4, sinks: 1 } }).append(zeros(1, 2, 2, 8), zeros(1, 2, 2, 8), { positions });
  },
  () => filledCache(2, { encoding: create({ kind: "rope-axial", dim: 8, axes: 2 }) }).attend(zeros(1, 2, 1, 8)),
  () => {
    const attentionMask = { data: new Uint8Array([1, 1]), dims: [2, 1] };
    return filledCache(3, { batch: 2 }).attend(zeros(2, 2, 1, 8), { attentionMask });
  },
  () => {
    const cache = cacheOf({ policy: { window: 4 } });
    for (let i = 0; i < 12; i++) cache.append(zeros(1, 2, 1, 8), zeros(1, 2, 1, 8));
    return cache.truncate(cache.length - 3);
  },
  () => filledCache(3, { policy: { window: 4 } }).evict(0, 1),
  () => cacheOf().restore(JSON.parse(JSON.stringify(filledCache(2).snapshot()))),
  () => cacheOf({ heads: 4 }).restore(filledCache(2).snapshot()),
  () => cacheOf({ capacity: 1 }).restore(filledCache(2).snapshot()),
  () => openCache(new TextEncoder().encode(`\x02\0\0\0\0\0\0\0{}`)),
  async () => openCache((await cacheFile()).slice(0, -1)),
  async () =>
    restoreCache(pe, await openCache(await cacheFile()), { encoding: pe.create({ kind: "rope", dim: 8, base: 5 }) }),
  () => cacheFile(2),
  () =>
    pe.fromConfig({ model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_scaling: { rope_type: "x" } }),
  () => pe.fromConfig({ model_type: "unheard-of" }),
  () => pe.fromConfig({ model_type: "llama" }),
  () => pe.fromConfig({ model_type: "wavlm" }),
  () => pe.fromConfig({ model_type: "cohere2" }, { layerType: "full_attention" }),
  () => pe.fromConfig({ model_type: "gemma3_text" }),
  () => openModel(loose("model.onnx")),
  () => openModel(new TextEncoder().encode("version https://git-lfs.github.com/spec/v1")),
  () => openModel(new TextEncoder().encode("<!DOCTYPE html>")),
  () => openModel(Uint8Array.of(127)),
  () => openModel(readFileSync(onnxFile("llama")).subarray(0, 20000)),
  () => openModel(readFileSync(onnxFile("mobius-llama"))),
  () => rewritten("bloom", { rotary: { kind: "rope-linear", factor: 4 } }),
  () => rewritten("llama", { length: 1024 }),
  () => rewritten("roberta", { length: 1024 }),
  () => rewritten("llama", { rotary: { kind: "rope", dim: 32 } }),
  () => rewritten("llama", { rotary: { kind: "rope-yarn", factor: 4 } }),
  () => rewritten("llama", { rotary: { kind: "rope-dynamic", factor: 4, originalLength: 64 } }),
  () => program("rewrite", ownModel(), "--no-config", "--yarn", "4", "-o", "new.onnx"),
  () => program("rewrite", ownModel(), "-o", "new.onnx"),
  () => program("rewrite", ownModel(), "--ntk", "4"),
  () => program("rewrite", ownModel(), "--ntk", "4", "-o", ownModel("other.onnx")),
  () => program("rewrite", ownModel(), "--ntk", "4", "-o", ownModel()),
  () => program("rewrite", ownModel(), "--fix", "all", "-o", "new.onnx"),
  () => program("inspect", inRoot("web", "docs")),
  () => webgpu(pe),
  () => webgpu(pe, loose({})),
  () => webgpu(pe, { ...device, lost: Promise.resolve() }),
  async () => {
    const gpu = await webgpu(pe, device);
    gpu.destroy();
    return gpu.tensor([4]);
  },
  async () => (await webgpu(pe, device)).rotate(loose(zeros(1, 1, 1, 8)), { encoding: rope }),
  () => fromOrt({ type: "float32", dims: [4], location: "cpu" }),
  () => onGpu({ dims: [1, 1, 2, 8] }),
  () => onGpu({ buffer: { ...buffer, usage: 0 } }),
  () => onGpu({ buffer: { ...buffer, mapState: "mapped" } }),
  () => toOrt(loose({ type: "float32", buffer, dims: [4], offset: 16 }), loose(null)),
  () => complaint("validation", (gpu) => gpu.rotate(loose(there), { encoding: rope })),
  async () => (await webgpu(pe, device)).tensor([1 << 20]),
  () => complaint("out-of-memory", (gpu) => gpu.tensor([4])),
  async () => (await webgpu(pe, device)).wgsl(create({ kind: "deberta", dim: 8, heads: 2 })),
  async () =>
    (await webgpu(pe, device)).add(loose(there), create({ kind: "sinusoidal", dim: 8 }), loose({ dropout: 0.5 })),
  async () => (await webgpu(pe, device)).keep(loose(there), { window: 1, out: loose(there) }),
];

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the page of errors", () => {
  it("has a fault for each message", () => expect(faults.length).toBe(quoted.length));
  const provoked = quoted.map((message, i) => ({ message, fault: faults[i]! }));
  // The script, and what differs from the simd build.
  const needsWhole = /Content-Security-Policy|not a build of the same version/;
  it.each(provoked.filter(({ message }) => isWhole || !needsWhole.test(message)))(
    "$message",
    async ({ message, fault }) => {
      const thrown = await Promise.resolve()
        .then(fault)
        .then(
          () => "no error",
          (error: Error) => error.message,
        );
      expect(thrown).toMatch(pattern(message));
    },
  );
});
