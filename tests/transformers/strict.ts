// A strict program with onnxruntime-web, transformers.js and the browser: types.test.ts compiles it. Nothing may be `any`.
import { Tensor } from "@huggingface/transformers";
import * as ort from "onnxruntime-web";
import {
  init,
  RotaryEncoding,
  type AnyEncoding,
  type Float16Result,
  type Float16Tensor,
  type Spec,
  type Tensor as Plain,
} from "posenc";
import { layerSpecs, specFromConfig, specFromGguf } from "posenc/config";
import { explain } from "posenc/explain";
import { gridPositionIds, mropePositionIds, pixelPositions, positionIds } from "posenc/ids";
import { models } from "posenc/models";
import { openModel } from "posenc/onnx";
import * as adapters from "posenc/transformers";
import { webgpu } from "posenc/webgpu";

type IsAny<T> = 0 extends 1 & T ? true : false;
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Values<T> = T extends object ? T[keyof T] : never;
/** Compiles only if neither `x` nor what it has is `any`. */
declare function typed<T>(
  x: T,
  ...none: IsAny<T> extends true ? ["any"] : true extends IsAny<Values<T>> ? ["any"] : []
): T;
/** Compiles only if `x` is of exactly this type. */
declare function exactly<Wanted>(): <T>(x: T, ...other: Same<T, Wanted> extends true ? [] : ["another type"]) => void;
// @ts-expect-error the helper works
typed(JSON.parse("1"));
// @ts-expect-error inside, too
typed({ data: JSON.parse("1") });

const pe = await init();
const o = new ort.Tensor("float32", new Float32Array(16), [1, 1, 2, 8]) as ort.Tensor;
const h = new Tensor("float32", new Float32Array(16), [1, 1, 2, 8]);
const float16: ort.TypedTensor<"float16"> = new ort.Tensor("float16", new Uint16Array(16), [1, 1, 2, 8]);
const plain = { data: new Float32Array(16), dims: [1, 1, 2, 8] };

const rope = pe.create({ kind: "rope", dim: 8 });
const sinusoidal = pe.create({ kind: "sinusoidal", dim: 8 });
const learned = pe.create({ kind: "learned", length: 4, dim: 8 });
const alibi = pe.create({ kind: "alibi", heads: 1 });
const shaw = pe.create({ kind: "shaw", dim: 8, maxDistance: 4 });
const cope = pe.create({ kind: "cope", dim: 8, maxPosition: 4 });
const pope = pe.create({ kind: "pope", dim: 8, heads: 1 });
const mixed = pe.create({ kind: "rope-mixed", dim: 8, heads: 1 });
const none = pe.create({ kind: "none" });
const cache = pe.cache({ heads: 1, dim: 8, capacity: 8 });

// Results like an input whose type is not known: a union, which `type` tells apart.
const attended = typed(pe.attention(o, o, o));
exactly<Plain | Float16Result<Uint16Array<ArrayBuffer>>>()(attended);
if (attended.type === "float32") exactly<Float32Array<ArrayBuffer>>()(attended.data);
const again: ort.Tensor = new ort.Tensor(attended.type, attended.data, attended.dims);
const ofTransformers = typed(pe.attention(h, h, h, { encoding: rope, causal: true }));
const backToTransformers: Tensor = new Tensor(ofTransformers.type, ofTransformers.data, ofTransformers.dims);
for (const x of [o, h, plain, float16] as const) {
  typed(pe.attention(x, o, h));
  typed(pe.attentionWeights(x, x, { encoding: alibi }));
  typed(cache.append(x, x).attend(x));
  typed(sinusoidal.concatTo(x));
}
exactly<Plain>()(pe.attention(plain, o, o));
exactly<Float16Result<Uint16Array<ArrayBuffer>>>()(pe.attention(float16, o, o));
exactly<ort.Tensor>()(pe.attention(plain, h, h, { out: o }));
exactly<Tensor>()(pe.attention(o, o, o, { out: h }));
// @ts-expect-error a result is not of the type that its variable has
export const wrong: Float16Tensor = pe.attention(plain, plain, plain);
const back = typed(pe.attentionBackward(o, h, o, o, { out: { q: o } }));
exactly<ort.Tensor>()(back.q);
exactly<Plain>()(back.k);
exactly<Plain>()(pe.attentionBackward(o, o, o, o).v);

// In place: the tensor's own class.
exactly<ort.Tensor>()(rope.apply(o));
exactly<Tensor>()(rope.rerotate(h, { from: 4, to: 0 }));
exactly<Tensor>()(sinusoidal.addTo(h));
exactly<ort.Tensor>()(alibi.applyTo(o));
exactly<ort.Tensor>()(none.apply(o));
exactly<Tensor>()(mixed.apply(h, { grid: [1, 2] }));

// New tensors.
for (const made of [
  sinusoidal.table({ length: 2 }),
  sinusoidal.shift(1),
  rope.tables({ length: 2 }).cos,
  rope.backward(o, o),
  alibi.bias({ queries: 1, keys: 2 }),
  alibi.backward(o),
  shaw.logits(o, h),
  shaw.backward(o, o, o).q,
  cope.contextPositions(o, o),
  pope.expand(o, { role: "query" }),
  mixed.applyBackward(o, o, { grid: [1, 2] }),
  cache.read({ encoding: rope }).k,
  pe.similarity(o),
  pe.distanceProfile(rope, { maxDistance: 4 }),
  pe.scoreTerms(o, o, o, o).contentPosition,
  pe.relativeShift(o),
  pe.queryTemperature({ length: 2, temperature: { factor: 1, length: 2 } }),
  pe.resizeTable(o, { grid: [2, 2] }),
  pe.toFloat32(float16),
])
  exactly<Plain>()(made);
exactly<ort.Tensor>()(sinusoidal.table({ length: 2, out: o }));
exactly<Tensor>()(rope.tables({ length: 2, out: { cos: h, sin: h } }).cos);
typed(sinusoidal.table({ length: 2, type: "float16" }));
typed(rope.tables({ length: 2, type: "bfloat16" }).sin);
// @ts-expect-error `out` has a type
sinusoidal.table({ length: 2, type: "float16", out: o });
typed(pe.toFloat16(o));
typed(pe.toBfloat16(o));
typed(pe.toFloat32(o));
typed(pe.permuteWeights({ data: new Float32Array(8), dims: [8, 1] }, { heads: 1, from: "half", to: "interleaved" }));
typed(learned.resize({ length: 8 }));
typed(learned.weights.data);
typed(learned.gradient);
typed(rope.spec);
typed(cache.positions);
typed(pe.describe());
typed(await pe.layers({}));
typed(await pe.explain(rope));
typed(explain(pe, { kind: "alibi", heads: 2 }));
typed(await pe.compare(rope, rope));
typed(models);

// Over memory of their own: what the browser takes.
const blobs = new Blob([
  pe.attention(plain, h, o).data,
  attended.data as Exclude<typeof attended.data, Uint16Array>,
  sinusoidal.table({ length: 2 }).data,
  pe.toFloat16(o).data,
  pe.toBfloat16(o).data,
  rope.inverseFrequencies,
  rope.frequenciesAt(4),
  rope.angles({ length: 2 }),
  mixed.frequencies,
  alibi.slopes,
  shaw.bucketOf([1]),
  pe.cumulativePhases(o),
  cache.snapshot().state,
  pe.positionIds([1, 1]).data,
  pe.positionIds([1, 1], { type: "int64" }).data,
  positionIds([1, 1]).data,
  gridPositionIds([2, 2]).axes[0]!,
  mropePositionIds([{ text: 2 }]).positions.data,
  pixelPositions({ data: new Uint8Array(4), dims: [2, 2] })[0]!.positions[0],
]);
export const response = new Response(alibi.bias({ queries: 1, keys: 2 }).data);
export const digest: ArrayBuffer = await crypto.subtle.digest("SHA-256", cache.snapshot().state);
declare const channel: AudioBuffer;
channel.copyToChannel(rope.tables({ length: 2 }).cos.data, 0);
// A snapshot may come from a database, in any array of bytes.
declare const kept: { length: number; type: "float32"; encoding: null; state: Uint8Array };
cache.restore(kept);
const model = await openModel(blobs);
const changed = await model.rewrite(pe, { rotary: rope });
export const rewritten = new Response(await changed.bytes());
typed(changed);
typed(model.positions);
typed(await model.audit(pe));
export const frequencies = new Blob([model.positions[0]!.frequencies!]);

// Ids are of the class of their array.
exactly<"int32">()(pe.positionIds([1, 1]).type);
exactly<"int64">()(pe.positionIds([1, 1], { type: "int64" }).type);
export const ids = new ort.Tensor("int64", pe.positionIds([1, 1], { type: "int64" }).data, [2]);

// A spec that is told only at run time makes an encoding of any family, whose `family` tells which.
for (const spec of [specFromConfig({}), specFromGguf({})] satisfies Spec[]) {
  const any = pe.create(spec);
  exactly<AnyEncoding>()(any);
  if (any.family === "rotary") exactly<Plain>()(any.tables({ length: 2 }).cos);
  else if (any.family === "table") exactly<Plain>()(any.table({ length: 2 }));
  else if (any.family === "bias") exactly<number>()(any.heads);
  else exactly<number>()(any.dim);
  exactly<Spec["kind"]>()(any.kind);
  if (any instanceof RotaryEncoding) any.apply(o);
  pe.attention(o, o, o, { encoding: any });
}
exactly<AnyEncoding>()(pe.fromConfig({}));
exactly<RotaryEncoding>()(pe.fromConfig({}, { family: "rotary" }));
declare const eitherRotation: { kind: "rope"; dim: number } | { kind: "rope-linear"; dim: number; factor: number };
pe.create(eitherRotation).apply(o);
typed(layerSpecs({})[0]!.spec);
// Attention cannot apply a table, and a cache cannot either.
// @ts-expect-error a table
pe.attention(o, o, o, { encoding: sinusoidal });
// @ts-expect-error a learned table
pe.attention(o, o, o, { encoding: learned, causal: true });
// @ts-expect-error a table, whatever the result
pe.attention(o, o, o, { encoding: sinusoidal, out: h });
// @ts-expect-error a table
pe.attentionWeights(o, o, { encoding: sinusoidal });
// @ts-expect-error a table
pe.attentionBackward(o, o, o, o, { encoding: learned });
// @ts-expect-error a table
cache.attend(o, { encoding: sinusoidal });
// @ts-expect-error a table
pe.cache({ heads: 1, dim: 8, capacity: 8, encoding: learned });
pe.cache({ heads: 1, dim: 8, capacity: 8, encoding: rope }).attend(o, { encoding: null });
// @ts-expect-error caches do not store them
cache.attend(o, { gateKeys: o });
// @ts-expect-error a bias turns no keys
cache.read({ encoding: alibi });
// @ts-expect-error a spec is not an encoding
pe.attention(o, o, o, { encoding: { kind: "rope", dim: 8 } });
for (const encoding of [rope, alibi, shaw, none, cope, pope, mixed]) pe.attention(o, o, o, { encoding });
const [layer] = await pe.layers({});
if (layer?.encoding) cache.attend(o, { encoding: layer.encoding });
pe.attention(o, o, o, { encoding: undefined });

// The adapters.
typed(adapters.positionIds([1, 1]));
typed(adapters.rotaryInputs(rope, { length: 2 }));
typed(adapters.attentionBias(alibi, { queries: 1, keys: 2 }));
exactly<Tensor>()(adapters.addPositional(h, sinusoidal));
exactly<Tensor>()(adapters.rotaryInputs(rope, { length: 2, Tensor }).cos);
exactly<ort.Tensor>()(adapters.positionIds([1, 1], { Tensor: ort.Tensor }));
const gpu = await webgpu(pe);
typed(gpu.tensor(plain));
export { again, backToTransformers };
