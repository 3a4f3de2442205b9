// The types of the library in a worker follow from those of the library: the compiler checks this file.
import type { Bfloat16Result, Float16Result, KeyValueCache, RotaryEncoding, Tensor, WasmTensor } from "posenc";
import { init, type InWorker } from "posenc/worker";
import { afterAll, expect, expectTypeOf, it } from "vitest";
import { caught } from "../helpers/refusals";

const pe = await init({ parts: "all" });
afterAll(() => pe.terminate());
const q = { data: new Float32Array(8), dims: [1, 1, 1, 8] };
const half = { type: "float16" as const, data: new Uint16Array(8), dims: [1, 1, 1, 8] };

it("encodings have the class of their kind, and calls the dtype of their tensors", async () => {
  const rope = await pe.create({ kind: "rope", dim: 8 });
  expectTypeOf(rope).toExtend<InWorker<RotaryEncoding>>();
  const rotated = await rope.apply(q, { offset: 3, signal: new AbortController().signal, transfer: false });
  expectTypeOf(rotated).toEqualTypeOf<typeof q>();
  expectTypeOf((await rope.spec).dim).toEqualTypeOf<number>();
  const options = { encoding: rope, causal: true, onProgress: ({ done }: { done: number }) => void done };
  expectTypeOf(await pe.attention(q, q, q, options)).toEqualTypeOf<Tensor>();
  expectTypeOf((await pe.attention(half, q, q)).type).toEqualTypeOf<"float16">();
  const out = await pe.tensor([1, 1, 1, 8]);
  expectTypeOf(await pe.attention(q, q, q, { encoding: rope, out })).toEqualTypeOf<InWorker<WasmTensor>>();
  await out.dispose();
  const sinusoids = await pe.create({ kind: "sinusoidal", dim: 8 });
  expectTypeOf(await sinusoids.table({ length: 3 })).toEqualTypeOf<Tensor>();
  expectTypeOf(await sinusoids.table({ length: 3, type: "float16" })).toEqualTypeOf<Float16Result>();
  expectTypeOf(await pe.toBfloat16(q)).toEqualTypeOf<Bfloat16Result>();
  expect(rotated).toBe(q);
});

it("caches, tensors, layers and explanations", async () => {
  const rope = await pe.create({ kind: "rope", dim: 8 });
  const cache = await pe.cache({ heads: 1, dim: 8, capacity: 8, encoding: rope });
  expectTypeOf(await cache.append(q, q, { offset: 1 })).toEqualTypeOf<InWorker<KeyValueCache>>();
  expectTypeOf(await cache.attend(q, { softcap: 3 })).toEqualTypeOf<Tensor>();
  expectTypeOf(await cache.length).toEqualTypeOf<number>();
  await cache.assign("encoding", rope);
  const tensor = await pe.tensor([2, 4], { type: "float16" });
  await tensor.assign("data", new Uint16Array(8));
  expectTypeOf(await rope.apply(await pe.tensor([1, 1, 1, 8]))).toEqualTypeOf<InWorker<WasmTensor>>();
  const config = { model_type: "llama", hidden_size: 8, num_attention_heads: 1, num_hidden_layers: 1 };
  const layers = await pe.layers({ ...config, max_position_embeddings: 8 });
  expect(await layers[0]!.encoding!.kind).toBe("rope");
  const rotary = await pe.fromConfig(config, { family: "rotary" });
  await rotary.apply(q);
  expectTypeOf((await pe.explain({ kind: "rope", dim: 8 })).summary).toEqualTypeOf<string>();
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
