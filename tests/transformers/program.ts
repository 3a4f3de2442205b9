// What users write, against the types of the real libraries: types.test.ts compiles it.
import { DynamicCache, Tensor, env, pipeline } from "@huggingface/transformers";
import * as ort from "onnxruntime-node";
import * as web from "onnxruntime-web";
import { init, type Float16Tensor, type InputTensor, type Tensor as Result } from "posenc";
import {
  addPositional,
  attentionBias,
  interpolatePositionEmbeddings,
  positionIds,
  rotaryInputs,
  shiftCache,
  usePositions,
  withRollingCache,
  withRotaryTables,
} from "posenc/transformers";
import { webgpu } from "posenc/webgpu";

const pe = await init();
const sinusoidal = pe.create({ kind: "sinusoidal", dim: 8 });
const rope = pe.create({ kind: "rope", dim: 8 });
const alibi = pe.create({ kind: "alibi", heads: 2 });

const extractor = await pipeline("feature-extraction", "a model");
const words: Tensor = await extractor("dog bites man");
const attentionMask = new Tensor("int64", new BigInt64Array(2), [1, 2]);
const ofRuntime: ort.Tensor = new ort.Tensor("float32", new Float32Array(16), [1, 2, 8]);

export const sums: [Tensor, ort.Tensor] = [
  addPositional(words, sinusoidal, { mask: attentionMask }),
  addPositional(ofRuntime, sinusoidal, { offset: 3 }),
];
export const ids: Tensor = positionIds(attentionMask, { padding: 1 });
export const idsOfRuntime: ort.Tensor = positionIds(attentionMask, { Tensor: ort.Tensor });
export const plainIds: BigInt64Array = positionIds([0, 1, 1]).data;
export const caches: { cos: Tensor; sin: Tensor } = rotaryInputs(rope, { length: 8, Tensor });
export const rows: { cos: Tensor } = rotaryInputs<Tensor>(rope, { positions: ids, layout: "hf" });
export const bias: Tensor = attentionBias(alibi, { mask: attentionMask, causal: true, Tensor });
export const resized: Tensor = interpolatePositionEmbeddings(words, pe, { grid: [2, 2], prefix: 1 });

const generator = await pipeline("text-generation", "a model");
using undo = withRotaryTables(generator.model, rope);
undo();

const gpu = await webgpu(pe);
const anywhere = await webgpu(pe, null, { fallback: "wasm" });
export const there: Tensor = addPositional(words, sinusoidal, { gpu });
export const biasThere: Tensor = attentionBias(alibi, { queries: 1, keys: 2, Tensor, gpu: anywhere });
export const dropped: number = shiftCache(new DynamicCache(), rope, { sinks: 4, window: 8, gpu });
using undoRolling = withRollingCache(generator.model, await pe.layers({}), { window: 8, evict: 1 });
undoRolling();
withRollingCache(generator.model, (layer) => (layer % 4 === 3 ? null : rope), { window: 8, gpu: anywhere });
// @ts-expect-error a window is needed
shiftCache(new DynamicCache(), rope, { sinks: 4 });

using undoPositions = usePositions(env, pe, {
  "org/model": { rotary: { kind: "rope-yarn", factor: 4, originalLength: 4096 }, length: 16384, angles: "float32" },
  "org/other": { rotary: ({ spec }) => (spec?.kind === "rope" ? rope : undefined), resize: "linear" },
});
undoPositions();
// @ts-expect-error a typing slip
usePositions(env, pe, { "org/model": { lenght: 8 } });
// @ts-expect-error no kind of rotation
usePositions(env, pe, { "org/model": { rotary: { kind: "alibi" } } });
// @ts-expect-error not env
usePositions(generator, pe, {});

// The calls themselves take these tensors as their own types, in place and as results, too.
const typed: ort.TypedTensor<"float32"> = new ort.Tensor("float32", new Float32Array(16), [1, 1, 2, 8]);
const session = await ort.InferenceSession.create("a graph");
const { q, k, v } = await session.run({ input: typed });
const webSession = await web.InferenceSession.create("a graph");
const fromWeb: web.Tensor = (await webSession.run({}))["q"]!;
export const rotated: [ort.Tensor, ort.TypedTensor<"float32">, web.Tensor, Tensor] = [
  rope.apply(q!, { offset: 3 }),
  rope.apply(typed),
  rope.rerotate(fromWeb, { from: 4, to: 0 }),
  sinusoidal.addTo(words),
];
export const attended = pe.attention(q!, k!, v!, {
  encoding: alibi,
  attentionMask,
  bias: typed,
  at: { positions: ids },
});
export const floatsOfAttended: Float32Array | undefined = attended.type === "float32" ? attended.data : undefined;
const float16: ort.TypedTensor<"float16"> = new ort.Tensor("float16", new Uint16Array(16), [1, 1, 2, 8]);
export const attendedFloat16: Float16Tensor<Uint16Array> = pe.attention(rope.apply(float16), typed, fromWeb);
export const attendedFloats: Result = pe.attention(typed, float16, float16);
export const backToRuntime = new ort.Tensor(attendedFloat16.type, attendedFloat16.data, attendedFloat16.dims);
export const written: ort.Tensor = pe.attention(typed, fromWeb, words, { mask: idsOfRuntime, out: ofRuntime });
export const gradients: (Result | web.Tensor)[] = Object.values(
  pe.attentionBackward(q!, k!, v!, attended, { out: { q: fromWeb } }),
);
export const shifted: [Int32Array, number] = [
  pe.positionIds(attentionMask).data,
  pe.pixelPositions(idsOfRuntime)[0]!.grid[0],
];
// And their constructors take results.
const { cos } = rope.tables({ length: 8 });
export const feeds: Record<string, ort.Tensor> = {
  cos: new ort.Tensor(cos.type, cos.data, cos.dims),
  output: new web.Tensor(attended.type, attended.data, attended.dims),
};
export const hidden: Tensor = new Tensor(cos.type, cos.data, cos.dims);
export const floats: Float32Array[] = [pe.toFloat32(q!).data, pe.toFloat32(typed).data, pe.toFloat32(words).data];
export const inputs: InputTensor[] = [q!, typed, fromWeb, words, cos];
export const learned = pe.create({ kind: "learned", length: 4, dim: 8, weights: typed }).load(words);

// @ts-expect-error an array is no tensor
rope.apply([1, 2, 3]);
// @ts-expect-error nor is one without dims
rope.apply({ type: "float32", data: new Float32Array(8) });
// @ts-expect-error plain data are floats
rope.apply({ type: "int32", data: new Int32Array(8), dims: [1, 1, 1, 8] });
// @ts-expect-error a rotation adds nothing
addPositional(words, rope);
// @ts-expect-error a typing slip
rotaryInputs(rope, { lenght: 8 });
// @ts-expect-error no model
withRotaryTables(generator.tokenizer, rope);
