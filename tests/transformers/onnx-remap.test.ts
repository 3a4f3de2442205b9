// Distances that a rewrite remaps: the attention of the library with the same rule, also with a cache and behind padding.
import { readFileSync } from "node:fs";
import { init, type Remap, type Temperature } from "posenc";
import { openModel } from "posenc/onnx";
import { describe, expect, it } from "vitest";
import { lossOf, needlesFound } from "../../examples/transformers/measure.js";
import { bibleFile, bibleText, openBible } from "../../examples/transformers/models/bible.js";
import { maxDifference, positionsFrom, randomTensor, type PlainTensor } from "../js/helpers/numbers";
import {
  base,
  batch,
  dim,
  heads,
  plainForm,
  rotaryDim,
  rotatingModel,
  type RotatingForm,
} from "../js/helpers/rotating-forms";
import { errorOf, feedsOf, models } from "./onnx-models";
import { runtimes, tensorOf } from "./runtimes";

const pe = await init();
const keys = plainForm.tokens;
const rules: [string, Remap][] = [
  ["SelfExtend", { kind: "self-extend", group: 4, window: 8 }],
  ["SelfExtend with another window", { kind: "self-extend", group: 3, window: 7 }],
  ["ReRoPE", { kind: "rerope", window: 6 }],
  ["leaky ReRoPE", { kind: "rerope", window: 6, leak: 0.25 }],
  ["dual chunk", { kind: "dual-chunk", chunk: 12, local: 4 }],
  ["dual chunk of a trained length", { kind: "dual-chunk", chunk: 10, local: 0, trained: 16 }],
];
const forms: [string, RotatingForm][] = [
  ["half", plainForm],
  ["half, as many heads of keys", { ...plainForm, keyHeads: 4 }],
  ["interleaved, as many heads of keys", { ...plainForm, keyHeads: 4, pairing: "interleaved" }],
  ["the last features, as many heads of keys", { ...plainForm, keyHeads: 4, part: "last", past: 31, tokens: 9 }],
  ["interleaved", { ...plainForm, pairing: "interleaved" }],
  ["half, the first features", { ...plainForm, part: "first" }],
  ["half, the last features", { ...plainForm, part: "last" }],
  ["interleaved, the last features", { ...plainForm, pairing: "interleaved", part: "last" }],
  ["interleaved by a matrix", { ...plainForm, rotates: "matrix", pairing: "interleaved" }],
  ["the last features by a matrix", { ...plainForm, rotates: "matrix", part: "last", past: 31, tokens: 9 }],
  ["RotaryEmbedding", { ...plainForm, rotates: "RotaryEmbedding" }],
  ["RotaryEmbedding of the first features", { ...plainForm, rotates: "RotaryEmbedding", part: "first" }],
  ["com.microsoft RotaryEmbedding, interleaved", { ...plainForm, rotates: "microsoft", pairing: "interleaved" }],
  ["ai.onnx Attention", { ...plainForm, rotates: "RotaryEmbedding", attends: "Attention" }],
  ["ai.onnx Attention with a cache", { ...plainForm, attends: "Attention", past: 31, tokens: 9 }],
  ["MultiHeadAttention with a cache", { ...plainForm, attends: "MultiHeadAttention", past: 31, tokens: 9 }],
  ["with a cache", { ...plainForm, past: 31, tokens: 9 }],
  ["one token with a cache, interleaved", { ...plainForm, past: 39, tokens: 1, pairing: "interleaved" }],
];

const filled = (dims: number[], seed: number) => {
  const { data } = randomTensor(dims, seed);
  return { data: data.map((x) => 3 * x), dims };
};
const allOf = ({ keyHeads }: RotatingForm) => ({
  q: filled([batch, heads, keys, dim], 1),
  k: filled([batch, keyHeads, keys, dim], 2),
  v: filled([batch, keyHeads, keys, dim], 3),
});
/** Tokens of padding before the text of each batch element. */
const padding = [0, 3];
const positionOf = (element: number, index: number) => index - padding[element]!;

const encodingOf = ({ pairing, part }: RotatingForm) =>
  pe.create({
    ...{ kind: "rope", dim, base, pairing, rotaryDim: rotaryDim({ part }) },
    ...(part === "last" && { rotaryStart: dim - rotaryDim({ part }) }),
  });

/** Rotates the keys of a cache. */
const rotated = (form: RotatingForm, x: PlainTensor, offset: number): PlainTensor =>
  x.data.length > 0 ? (encodingOf(form).apply(x, { offset }) as PlainTensor) : x;

/** Inputs of a form. */
function inputsOf(form: RotatingForm): Record<string, { data: any; dims: number[]; type?: string }> {
  const { past, tokens, keyHeads } = form;
  const all = allOf(form);
  const newest = Object.fromEntries(Object.entries(all).map(([name, x]) => [name, positionsFrom(x, past, keys)]));
  const cached = Array.from({ length: batch }, (_, b) =>
    rotated(form, positionsFrom(all.k, 0, past, b), positionOf(b, 0)),
  );
  const mask = Array.from({ length: batch * tokens * keys }, (_, i) => {
    const [b, query, key] = [Math.floor(i / (tokens * keys)), past + (Math.floor(i / keys) % tokens), i % keys];
    return key > query || key < padding[b]! ? -1e30 : 0;
  });
  const ids = Array.from({ length: batch * tokens }, (_, i) =>
    BigInt(Math.max(0, positionOf(Math.floor(i / tokens), past + (i % tokens)))),
  );
  return {
    ...newest,
    mask: { data: Float32Array.from(mask), dims: [batch, 1, tokens, keys] },
    position_ids: { data: BigInt64Array.from(ids), dims: [batch, tokens] },
    "past_key_values.0.key": {
      data: Float32Array.from(cached.flatMap(({ data }) => [...data])),
      dims: [batch, keyHeads, past, dim],
    },
    "past_key_values.0.value": positionsFrom(all.v, 0, past),
  };
}

/** What the library computes for one batch element, without its padding. */
function wantedOf(form: RotatingForm, options: { remap?: Remap; temperature?: Temperature }, element: number) {
  const all = allOf(form);
  const first = padding[element]!;
  const query = Math.max(form.past, first);
  return pe.attention(
    positionsFrom(all.q, query, keys, element),
    positionsFrom(all.k, first, keys, element),
    positionsFrom(all.v, first, keys, element),
    { encoding: encodingOf(form), causal: true, ...options },
  );
}

async function run(ort: any, model: Uint8Array, form: RotatingForm) {
  const session = await ort.InferenceSession.create(model, {
    ...{ logSeverityLevel: 4, executionProviders: [ort === runtimes[1]![1] ? "wasm" : "cpu"] },
  });
  try {
    const feeds = Object.entries(inputsOf(form)).map(([name, numbers]) => [name, tensorOf(ort, numbers)]);
    return await session.run(Object.fromEntries(feeds));
  } finally {
    await session.release();
  }
}

async function expectSame(ort: any, form: RotatingForm, options: { remap?: Remap; temperature?: Temperature }) {
  const source = rotatingModel(form);
  const changed = await (await openModel(source)).rewrite(pe, options);
  expect(changed.changes.length).toBe(1);
  const outputs = await run(ort, await changed.bytes(), form);
  const plainOutputs = await run(ort, source, form);
  for (let element = 0; element < batch; element++) {
    const skipped = Math.max(0, padding[element]! - form.past);
    const own = positionsFrom(outputs.y, skipped, form.tokens, element);
    const wanted = wantedOf(form, options, element);
    expect(maxDifference(own.data, wanted.data)).toBeLessThan(2e-5);
  }
  expect(maxDifference(plainOutputs.y.data, outputs.y.data)).toBeGreaterThan(1e-2);
  // The cache is that of the source.
  expect(maxDifference(plainOutputs["present.0.key"].data, outputs["present.0.key"].data)).toBe(0);
}

describe.each(runtimes)("%s", (_, ort) => {
  describe.each(rules)("%s", (__, remap) => {
    it.each(forms)("%s", async (___, form) => expectSame(ort, form, { remap }));
  });
  it.each<[string, Temperature]>([
    ["LogN", { rule: "log-n", length: 8 }],
    ["Inkling's", { rule: "log", factor: 0.3, length: 5, offset: 1 }],
    ["steps", { factor: 0.1, length: 4 }],
    ["steps with an offset", { factor: 0.3, length: 4, offset: 1 }],
  ])("temperature: %s", async (__, temperature) => {
    await expectSame(ort, plainForm, { temperature });
    await expectSame(ort, { ...plainForm, past: 31, tokens: 9 }, { temperature, remap: { kind: "rerope", window: 6 } });
  });
});

describe("exported models with the same weights", () => {
  const [, ort] = runtimes[0]!;
  const ofLlama = models.filter(({ name }) => /^(llama|llama-v437|mobius-llama|llama-ext)\/model\.onnx$/.test(name));
  it.each(rules)("%s: compute the same logits", async (_, remap) => {
    const logits: Float32Array[] = [];
    for (const model of ofLlama) {
      const one = model.truth.cases.find(({ name }) => name === "orig@48")!;
      const opened = await openModel(readFileSync(model.file), { externalData: model.externalData });
      const externalData = Object.entries(model.externalData).map(([path, data]) => ({ path, data }));
      const options = { graphOptimizationLevel: "basic", logSeverityLevel: 4, externalData };
      const session = await ort.InferenceSession.create(await (await opened.rewrite(pe, { remap })).bytes(), options);
      const outputs = await session.run(feedsOf(ort, session, model, one));
      await session.release();
      logits.push(Float32Array.from(outputs.logits.data));
      expect(errorOf(outputs, model, one)).toBeGreaterThan(0.1);
    }
    expect(logits.length).toBeGreaterThan(2);
    for (const other of logits.slice(1)) expect(maxDifference(other, logits[0]!)).toBeLessThan(1e-4);
  });
});

describe("behind padding", () => {
  const [, ort] = runtimes[0]!;
  const [tokens, padding] = [40, 7];
  const ids = Array.from({ length: tokens }, (_, i) => (i * 37 + 11) % 150);
  const before = (first: number, rest: number[], count: number) => [...Array<number>(count).fill(first), ...rest];
  /** The logits of the text, after so many tokens of padding. */
  async function logitsAfter(session: any, count: number): Promise<Float32Array> {
    const int64 = (data: number[]) => new ort.Tensor("int64", BigInt64Array.from(data, BigInt), [1, data.length]);
    const inputs: Record<string, unknown> = {
      input_ids: int64(before(3, ids, count)),
      attention_mask: int64(before(0, Array<number>(tokens).fill(1), count)),
      position_ids: int64(before(1, Array.from(ids.keys()), count)),
    };
    const empty = (shape: unknown[]) =>
      new ort.Tensor("float32", new Float32Array(), [1, shape[1], 0, shape[3]] as number[]);
    const feeds = session.inputMetadata.map(({ name, shape }: any) => [name, inputs[name] ?? empty(shape)]);
    const { logits } = await session.run(Object.fromEntries(feeds));
    return logits.data.slice(-tokens * logits.dims[2]);
  }
  it.each(["gptj/model.onnx", "llama/model.onnx", "llama-v437/model.onnx"])("%s", async (name) => {
    const model = models.find((one) => one.name === name)!;
    for (const [, remap] of rules) {
      const bytes = await (await (await openModel(readFileSync(model.file))).rewrite(pe, { remap })).bytes();
      const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4 });
      const [plainForm, padded] = [await logitsAfter(session, 0), await logitsAfter(session, padding)];
      await session.release();
      expect(maxDifference(padded, plainForm)).toBeLessThan(1e-4);
    }
  });
});

it("a model that was trained on 256 characters reads 4096, and finds keys 2048 characters later", async () => {
  const exported = await openModel(readFileSync(bibleFile));
  const changed = await exported.rewrite(pe, { remap: { kind: "rerope", window: 192 } });
  const model = await openBible(await changed.bytes());
  const text = await bibleText();
  // 16 windows: 1.01. 32 keys: 99 %. As exported: 4.27 and 4 %.
  expect(await lossOf(model, text, 4096, 2)).toBeLessThan(1.15);
  expect(await needlesFound(model, text, 2048, 3)).toBeGreaterThan(0.9);
});
