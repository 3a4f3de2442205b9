// The types of the library in a worker follow from those of the library: the compiler checks this file.
import type { Bfloat16Result, Float16Result, KeyValueCache, RotaryEncoding, Tensor, WasmTensor } from "posenc";
import { init, type InWorker } from "posenc/worker";
import { afterAll, expect, it } from "vitest";
import { caught } from "../helpers/refusals";

/** For the compiler: fails if a value has another type, or may have. */
const isOf =
  <T>() =>
  (value: T): T =>
    value;

const pe = await init({ parts: "all" });
afterAll(() => pe.terminate());
const q = { data: new Float32Array(8), dims: [1, 1, 1, 8] };
const half = { type: "float16" as const, data: new Uint16Array(8), dims: [1, 1, 1, 8] };

it("encodings have the class of their kind, and calls the dtype of their tensors", async () => {
  const rope = await pe.create({ kind: "rope", dim: 8 });
  isOf<InWorker<RotaryEncoding>>()(rope);
  const rotated = await rope.apply(q, { offset: 3, signal: new AbortController().signal, transfer: false });
  isOf<typeof q>()(rotated);
  isOf<number>()((await rope.spec).dim);
  const options = { encoding: rope, causal: true, onProgress: ({ done }: { done: number }) => void done };
  isOf<Tensor>()(await pe.attention(q, q, q, options));
  isOf<"float16">()((await pe.attention(half, q, q)).type);
  const out = await pe.tensor([1, 1, 1, 8]);
  isOf<InWorker<WasmTensor>>()(await pe.attention(q, q, q, { encoding: rope, out }));
  await out.dispose();
  const sinusoids = await pe.create({ kind: "sinusoidal", dim: 8 });
  isOf<Tensor>()(await sinusoids.table({ length: 3 }));
  isOf<Float16Result>()(await sinusoids.table({ length: 3, type: "float16" }));
  isOf<Bfloat16Result>()(await pe.toBfloat16(q));
  expect(rotated).toBe(q);
});

it("caches, tensors, layers and explanations", async () => {
  const rope = await pe.create({ kind: "rope", dim: 8 });
  const cache = await pe.cache({ heads: 1, dim: 8, capacity: 8, encoding: rope });
  isOf<InWorker<KeyValueCache>>()(await cache.append(q, q, { offset: 1 }));
  isOf<Tensor>()(await cache.attend(q, { softcap: 3 }));
  isOf<number>()(await cache.length);
  await cache.assign("encoding", rope);
  const tensor = await pe.tensor([2, 4], { type: "float16" });
  await tensor.assign("data", new Uint16Array(8));
  isOf<InWorker<WasmTensor>>()(await rope.apply(await pe.tensor([1, 1, 1, 8])));
  const config = { model_type: "llama", hidden_size: 8, num_attention_heads: 1, num_hidden_layers: 1 };
  const layers = await pe.layers({ ...config, max_position_embeddings: 8 });
  expect(await layers[0]!.encoding!.kind).toBe("rope");
  const rotary = await pe.fromConfig(config, { family: "rotary" });
  await rotary.apply(q);
  isOf<string>()((await pe.explain({ kind: "rope", dim: 8 })).summary);
});

it("what the library refuses, the compiler refuses", async () => {
  const rope = await pe.create({ kind: "rope", dim: 8 });
  const cache = await pe.cache({ heads: 1, dim: 8, capacity: 8 });
  // @ts-expect-error unknown option
  expect(await caught(() => rope.apply(q, { ofset: 3 }))).toMatchObject({ field: "ofset" });
  // @ts-expect-error no dims
  expect(await caught(() => rope.apply({ data: q.data }))).toMatchObject({ field: "x" });
  // @ts-expect-error only a getter
  expect(await caught(() => cache.assign("length", 3))).toBeInstanceOf(TypeError);
  // @ts-expect-error unknown kind
  expect(await caught(() => pe.create({ kind: "ropes", dim: 8 }))).toMatchObject({ field: "kind" });
});
