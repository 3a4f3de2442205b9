// Windows that a rewrite adds to attention: the attention of the library with the same window, and of PyTorch.
import { readFileSync } from "node:fs";
import { init } from "posenc";
import { openModel, type OnnxModel } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { float, int64, microsoft, node, onnxModel } from "../../examples/transformers/models/onnx.js";
import {
  attentionForms,
  batch,
  dim,
  float32,
  heads,
  k,
  length,
  modelOfForm,
  packed,
  q,
  v,
} from "../js/helpers/attention-forms";
import { maxDifference, positionsFrom, swapMiddle } from "../js/helpers/numbers";
import { errorOf, feedsOf, models, type Model } from "./onnx-models";
import { runtimes, tensorOf, type Numbers } from "./runtimes";

const pe = await init();
type Window = Parameters<OnnxModel["rewrite"]>[1]["window"];

async function run(ort: any, model: Uint8Array, feeds: (session: any) => Record<string, unknown>, data: object[] = []) {
  const session = await ort.InferenceSession.create(model, {
    ...{ graphOptimizationLevel: "basic", logSeverityLevel: 4, externalData: data },
    executionProviders: [ort === runtimes[1]![1] ? "wasm" : "cpu"],
  });
  try {
    return await session.run(feeds(session));
  } finally {
    await session.release();
  }
}
const windowed = async (model: Uint8Array, window: Window, more: object = {}) =>
  (await (await openModel(model)).rewrite(pe, { window, ...more })).bytes();

const windows: [string, Exclude<Window, Function | undefined>][] = [
  ["3 tokens", 3],
  ["only the own token", 1],
  ["2 before", [2, 0]],
  ["3 before, 1 after", [3, 1]],
];

describe.each(runtimes)("%s", (_, ort) => {
  describe.each(windows)("%s", (__, window) => {
    const wanted = pe.attentionWeights(q as never, k as never, { causal: true, window: window as number });
    it.each(Object.entries(attentionForms))("%s", async (___, form) => {
      const model = await windowed(modelOfForm(form), window, { attention: true });
      const feeds = Object.entries(form.inputs).map(([name, numbers]) => [name, tensorOf(ort, numbers)]);
      const outputs = await run(ort, model, () => Object.fromEntries(feeds));
      expect(maxDifference(outputs["attentions.0"].data, wanted.data)).toBeLessThan(1e-6);
    });
  });
});

/** The last two tokens, after a past of the others. */
const past = length - 2;
const newest = {
  q: positionsFrom(q, past, length),
  k: positionsFrom(k, past, length),
  v: positionsFrom(v, past, length),
};
const before = { pk: positionsFrom(k, 0, past), pv: positionsFrom(v, 0, past) };
const apart = { ...newest, ...before };
const together = { q: packed(newest.q), k: packed(newest.k), v: packed(newest.v), ...before };
const hidden = -1e30;
const causal = (dims: number[]) =>
  float(
    Array.from({ length: 2 * length }, (_, i) => (i % length > past + Math.floor(i / length) ? hidden : 0)),
    dims,
  );
/** Nodes from the cache to the masked scores. */
const cachedScores = [
  node("Concat", "pk k", "pkv", { axis: 2 }),
  node("Concat", "pv v", "ppv", { axis: 2 }),
  node("Transpose", "pkv", "kt", { perm: [0, 1, 3, 2] }),
  node("MatMul", "q kt", "raw"),
  node("Mul", "raw scale", "scaled"),
  node("Add", "scaled mask", "masked"),
];
const caches = { pkv: [batch, heads, length, dim], ppv: [batch, heads, length, dim] };
const withPast: Record<string, { inputs: Record<string, Numbers>; nodes: object[]; constants?: object; y: number[] }> =
  {
    "a softmax": {
      inputs: apart,
      y: [batch, heads, 2, dim],
      constants: { mask: causal([1, 1, 2, length]), scale: float([dim ** -0.5], []) },
      nodes: [...cachedScores, node("Softmax", "masked", "weights", { axis: -1 }), node("MatMul", "weights ppv", "y")],
    },
    "a softmax with sinks, and largest scores subtracted": {
      inputs: apart,
      y: [batch, heads, 2, dim],
      constants: {
        ...{ mask: causal([1, 1, 2, length]), scale: float([dim ** -0.5], []) },
        sinks: float(Array(batch * heads * 2).fill(-1e4), [batch, heads, 2, 1]),
        ...{ zero: int64([0]), last: int64([length]), axis: int64([3]) },
      },
      nodes: [
        ...cachedScores,
        node("Concat", "masked sinks", "all", { axis: -1 }),
        node("ReduceMax", "all axis", "largest", { keepdims: 1 }),
        node("Sub", "all largest", "smaller"),
        node("Softmax", "smaller", "soft", { axis: -1 }),
        node("Slice", "soft zero last axis", "weights"),
        node("MatMul", "weights ppv", "y"),
      ],
    },
    "ai.onnx Attention": {
      inputs: apart,
      y: [batch, heads, 2, dim],
      nodes: [node("Attention", "q k v - pk pv", "y pkv ppv", { is_causal: 1 })],
    },
    "ai.onnx Attention with a mask": {
      inputs: apart,
      y: [batch, heads, 2, dim],
      constants: { mask: causal([2, length]) },
      nodes: [node("Attention", "q k v mask pk pv", "y pkv ppv")],
    },
    "com.microsoft MultiHeadAttention": {
      inputs: together,
      y: [batch, 2, heads * dim],
      nodes: [
        microsoft("MultiHeadAttention", "q k v - - - pk pv", "y pkv ppv", { num_heads: heads, unidirectional: 1 }),
      ],
    },
    "com.microsoft MultiHeadAttention with keys in heads": {
      inputs: { q: packed(newest.q), k: { ...k }, v: { ...v } } as Record<string, Numbers>,
      y: [batch, 2, heads * dim],
      constants: { bias: causal([1, 1, 2, length]) },
      nodes: [
        microsoft("MultiHeadAttention", "q k v - - bias", "y", { num_heads: heads }),
        node("Identity", "k", "pkv"),
        node("Identity", "v", "ppv"),
      ],
    },
    "com.microsoft MultiHeadAttention with a bias": {
      inputs: together,
      y: [batch, 2, heads * dim],
      constants: { bias: causal([1, 1, 2, length]) },
      nodes: [microsoft("MultiHeadAttention", "q k v - - bias pk pv", "y pkv ppv", { num_heads: heads })],
    },
  };

describe("with a cache", () => {
  const [, ort] = runtimes[0]!;
  const queries = newest.q as never;
  const wanted = pe.attention(queries, k as never, v as never, { causal: true, window: 3 }).data;
  it.each(Object.entries(withPast))("%s", async (_, { inputs, nodes, constants = {}, y }) => {
    const model = onnxModel({
      inputs: Object.fromEntries(Object.entries(inputs).map(([name, one]) => [name, float32(one.dims)])),
      ...{ constants, outputs: { y, ...caches }, nodes },
    });
    const feeds = Object.entries(inputs).map(([name, numbers]) => [name, tensorOf(ort, numbers)]);
    const outputs = await run(ort, await windowed(model, 3), () => Object.fromEntries(feeds));
    const own = y.length === 3 ? swapMiddle({ data: outputs.y.data, dims: [batch, 2, heads, dim] }) : outputs.y;
    expect(maxDifference(own.data, wanted)).toBeLessThan(1e-6);
  });
});

/** Sets the size of the window in the graph of Gemma 3 to a size beyond all texts. */
function withoutWindow(bytes: Uint8Array): Uint8Array {
  const lost = Buffer.from(bytes);
  const at = lost.indexOf(Buffer.from(BigInt64Array.of(32n).buffer), lost.indexOf("/model/Constant_27_output_0"));
  lost.writeBigInt64LE(1000000n, at);
  return lost;
}

describe("a window that an exporter lost", () => {
  const [, ort] = runtimes[0]!;
  const gemma = models.find(({ name }) => name === "gemma3/model.onnx")!;
  const config = JSON.parse(readFileSync(gemma.file.replace("model.onnx", "config.json"), "utf8"));
  const lost = withoutWindow(readFileSync(gemma.file));
  const one = gemma.truth.cases.find(({ name }) => name === "orig@192")!;
  const error = async (model: Uint8Array) =>
    errorOf(await run(ort, model, (session) => feedsOf(ort, session, gemma, one)), gemma, one);

  it("is found, and back after the fix", async () => {
    const model = await openModel(lost);
    const [finding] = model.audit(pe, config).filter(({ code }) => code === "window-lost");
    expect(finding!.message).toMatch(/layers 0, 2/);
    expect(await error(lost)).toBeGreaterThan(0.1);
    const fixed = await (await model.rewrite(pe, finding!.rewrite!)).bytes();
    expect(await error(fixed)).toBeLessThan(1e-4);
    expect((await openModel(fixed)).audit(pe, config).map(({ code }) => code)).not.toContain("window-lost");
  });
});

describe("the same weights in other graphs", () => {
  const [, ort] = runtimes[0]!;
  const ofLlama = models.filter(({ name }) => /^(llama|llama-v437|mobius-llama|llama-ext)\/model\.onnx$/.test(name));
  const window = (layer: number): Window & object => (layer === 0 ? [7, 0] : [12, 0]);
  const dataOf = ({ externalData }: Model) => Object.entries(externalData).map(([path, data]) => ({ path, data }));
  const caseOf = (model: Model) => model.truth.cases.find(({ name }) => name === "orig@48")!;
  type Feeds = Record<string, any>;
  /** Runs a model with a window; `more` replaces its inputs, if it has these. */
  async function ask(model: Model, more: (ids: BigInt64Array) => Feeds = () => ({})) {
    const opened = await openModel(readFileSync(model.file), { externalData: model.externalData });
    const bytes = await (await opened.rewrite(pe, { window })).bytes();
    const feeds = (session: any) => {
      const whole = feedsOf(ort, session, model, caseOf(model)) as Feeds;
      const all = { ...whole, ...more(whole.input_ids.data) };
      return Object.fromEntries(Object.keys(whole).map((name) => [name, all[name]]));
    };
    return run(ort, bytes, feeds, dataOf(model));
  }
  const ids64 = (data: readonly number[]) => new ort.Tensor("int64", data.map(BigInt), [1, data.length]);
  const inputs = (ids: readonly number[], mask: readonly number[], positions: readonly number[]): Feeds => ({
    ...{ input_ids: ids64(ids), attention_mask: ids64(mask), position_ids: ids64(positions) },
  });
  const ones = (count: number): number[] => Array(count).fill(1);
  const from = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

  it("attend alike", async () => {
    const logits: Float32Array[] = [];
    for (const model of ofLlama) {
      const outputs = await ask(model);
      logits.push(Float32Array.from(outputs.logits.data));
      expect(errorOf(outputs, model, caseOf(model))).toBeGreaterThan(0.1);
    }
    expect(logits.length).toBeGreaterThan(2);
    for (const other of logits.slice(1)) expect(maxDifference(other, logits[0]!)).toBeLessThan(1e-4);
  });

  describe.each(ofLlama.map((model) => [model.name, model] as const))("%s", (_, model) => {
    const [tokens, half, padding] = [48, 20, 5];
    const last = ({ logits: { data, dims } }: any) => Float32Array.from(data.slice(-dims[2] * (tokens - half)));
    it("in two steps", async () => {
      const first = await ask(model, (ids) =>
        inputs(Array.from(ids.slice(0, half), Number), ones(half), from(0, half)),
      );
      const past = Object.entries(first).map(([name, tensor]) => [name.replace("present", "past_key_values"), tensor]);
      const second = await ask(model, (ids) => ({
        ...inputs(Array.from(ids.slice(half), Number), ones(tokens), from(half, tokens - half)),
        ...Object.fromEntries(past),
      }));
      expect(maxDifference(last(second), last(await ask(model)))).toBeLessThan(1e-4);
    });
    it("behind padding", async () => {
      const padded = await ask(model, (ids) =>
        inputs(
          [...Array(padding).fill(3), ...Array.from(ids, Number)],
          [...Array(padding).fill(0), ...ones(tokens)],
          [...ones(padding), ...from(0, tokens)],
        ),
      );
      expect(maxDifference(last(padded), last(await ask(model)))).toBeLessThan(1e-4);
    });
  });
});
