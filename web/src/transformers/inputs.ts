// Positions as model inputs: each function calls the library, with the shapes and types of a runtime.
import type {
  At,
  BiasPositions,
  DropoutOptions,
  ResizeOptions,
  RoleOption,
  RotaryAt,
  TableAt,
} from "../base/call-options.js";
import { sizeOf } from "../base/dims.js";
import { PosencError, invalid } from "../base/errors.js";
import { asGiven, asIs, count, flag, maybe, number, oneOf, or, readOptions } from "../base/options.js";
import type {
  ArrayLike2D,
  Float16Tensor,
  IdTensor,
  InputTensor,
  OwnedBigInt64Array,
  OwnedFloat32Array,
  Positions,
  Tensor,
  TensorLike,
} from "../base/types.js";
import type { Gpu } from "../webgpu/gpu.js";
import type { CpuTensor } from "../webgpu/cpu-tensors.js";
import type { GpuTensor } from "../webgpu/types.js";
import type { BiasEncoding } from "../encodings/bias.js";
import { checkFamily } from "../encodings/family.js";
import { tableOptions, type RotaryEncoding } from "../encodings/rotary.js";
import { addOptions, type TableEncoding } from "../encodings/table.js";
import { idOptions, positionIds as idsOf, type PositionIdOptions, type Tokens } from "../ids/position-ids.js";
import { checkCpuTensor } from "../tensors/operand.js";
import { resizeOptions } from "../tensors/resize.js";
import { aGpu, changedCopy, fromRuntime, gpuFor, resultFor, toRuntime, type GpuOption } from "./gpu.js";
import { asType, copyAsFloats } from "./float-tensors.js";
import { classOf, makeTensor, type FloatType, type IdsLike, type RuntimeTensor, type TensorOption } from "./tensors.js";

const floatType = maybe(oneOf("float32", "float16"));
const injected = { Tensor: asIs, gpu: aGpu };
const positionalOptions = { ...asGiven(addOptions), mask: asIs, ...injected };
const rotaryOptions = {
  ...asGiven(tableOptions),
  layout: or(oneOf("onnx", "hf"), "onnx"),
  type: floatType,
  ...injected,
};
const biasOptions = {
  queries: maybe(count()),
  keys: maybe(count()),
  offset: maybe(number),
  keyPositions: asIs,
  mask: asIs,
  causal: flag,
  type: floatType,
  ...injected,
};

/** Options of `addPositional`: a mask, or positions as `addTo` takes them. */
export interface AddPositionalOptions<T = RuntimeTensor> extends TableAt, DropoutOptions, TensorOption<T>, GpuOption {
  /**
   * An `attention_mask`, shape [B, T]. The n-th visible token of a row is at position n - 1; masked tokens stay unchanged. If the
   * table has unused first rows (`start`), masked tokens get the last of them, as in RoBERTa and OPT. BART and mBART count
   * columns: leave the mask out. Of a longer mask, the last T columns are used.
   */
  mask?: IdsLike;
}

/**
 * Adds positional rows to hidden states and returns the sum as a new tensor.
 *
 * `x` is unchanged; `addTo` of the table changes its tensor instead. With `gpu`, `x` may be on the GPU: the sum is then on the
 * GPU too, and you must dispose of it.
 * @param x Hidden states of transformers.js or onnxruntime, shape [B, T, D], float32 or float16.
 * @param encoding An encoding of the family "table".
 * @param options Mask or positions, dropout, `Tensor` and `gpu`. Default: positions 0, 1, 2, …
 * @returns Shape [B, T, D], dtype and class of x.
 * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if x, mask or positions do not fit the table;
 * `unsupported` if the encoding is not a table, or x is on the GPU without `gpu` or with dropout.
 * @example
 * const sum = addPositional(hidden, pe.create({ kind: "sinusoidal", dim: 384 }), { mask: attention_mask });
 */
export function addPositional<T extends RuntimeTensor>(
  x: T,
  encoding: TableEncoding<any>,
  options: AddPositionalOptions<T> = {},
): T {
  const { mask, Tensor: Class, gpu: given, ...at } = readOptions(options, positionalOptions);
  checkFamily(encoding, "table", "addPositional");
  const gpu = gpuFor(x, given, "x");
  if (gpu) return toRuntime(gpu, addedOnGpu(gpu, fromRuntime(gpu, x), encoding, mask, at), Class ?? classOf(x));
  const sum = copyAsFloats(encoding.core, x, "x");
  if (mask === undefined) encoding.addTo(sum, at);
  else addToVisible(sum, encoding, mask, at);
  return makeTensor(asType(encoding.core, sum, x.type, x), Class, x);
}

function addedOnGpu(
  gpu: Gpu,
  x: GpuTensor,
  encoding: TableEncoding<any>,
  mask: IdsLike | undefined,
  at: TableAt & DropoutOptions,
): GpuTensor {
  const present = Object.fromEntries(Object.entries(at).filter(([, value]) => value !== undefined));
  return changedCopy(gpu, x, (sum) => {
    if (mask === undefined || "dropout" in present) return void gpu.add(sum, encoding, present);
    const rows: Tensor = { type: "float32", data: new Float32Array(sizeOf(x.dims)), dims: [...x.dims] };
    addToVisible(rows, encoding, mask, present);
    gpu.add(sum, rows as CpuTensor);
  });
}

function addToVisible(x: Tensor, encoding: TableEncoding<any>, given: IdsLike, at: TableAt & DropoutOptions): void {
  for (const name of ["positions", "offset", "grid"] as const)
    if (at[name] !== undefined) throw invalid(name, `give either mask or ${name}, not both`);
  checkCpuTensor(given, "mask");
  const mask = given as ArrayLike2D;
  const length = x.dims.at(-2) ?? 0;
  const columns = mask.dims.at(-1) ?? 0;
  if (sizeOf(x.dims.slice(0, -2)) !== sizeOf(mask.dims.slice(0, -1)) || columns < length)
    throw new PosencError(
      "shape-mismatch",
      `mask: [${mask.dims.join(", ")}] does not fit x [${x.dims.join(", ")}]`,
      "mask",
    );
  const skips = encoding.kind === "learned" && (encoding.spec as { start?: number }).start! > 0;
  const before = x.data.slice();
  const padding = skips ? -1 : 0;
  encoding.addTo(x, { ...at, positions: idsOf(mask, { pastLength: columns - length, padding }).data });
  if (skips) return;
  const dim = x.dims.at(-1)!;
  for (let row = 0, i = 0; i < x.data.length; row++)
    for (let t = 0; t < length; t++, i += dim)
      if (Number(mask.data[row * columns + columns - length + t]) === 0) x.data.set(before.subarray(i, i + dim), i);
}

/** Options of `rotaryInputs`: positions, and the layout and type of the tables. */
export interface RotaryInputOptions<T = RuntimeTensor>
  extends Omit<RotaryAt, "positions">, RoleOption, TensorOption<T>, GpuOption {
  /** `position_ids`, shape [B, T] ([axes, B, T] with M-RoPE), or positions as all calls take them. */
  positions?: IdsLike | At["positions"];
  /**
   * "onnx" (default): [rows, pairs], the caches of ONNX RotaryEmbedding and GroupQueryAttention; with position ids [B, T, pairs].
   * "hf": [B, T, rotaryDim], each value twice, as Hugging Face's rotary modules return them.
   */
  layout?: "onnx" | "hf";
  /** Type of the results. Default "float32". */
  type?: FloatType;
}

/**
 * Returns cos and sin of a rotary encoding as inputs of a model.
 *
 * `length: n` returns the rows of positions 0 … n - 1; `positions` returns the rows of a batch's `position_ids`. With `gpu`
 * they are on the GPU.
 * @param encoding An encoding of the family "rotary".
 * @param options Length or positions, layout and type, `Tensor` and `gpu`.
 * @returns `cos` and `sin`, shape [T, pairs], or [B, T, pairs] for position ids; with `layout: "hf"` [B, T, rotaryDim]. float32
 * or `type`, of the class `Tensor` or the class of the position ids.
 * @throws {PosencError} `invalid-argument` or `out-of-range` if the positions or options are invalid; `unsupported` if the
 * encoding is not rotary, or the position ids are on the GPU.
 * @example
 * const { cos, sin } = rotaryInputs(rope, { length: 4096, Tensor });
 */
export function rotaryInputs<T = RuntimeTensor>(
  encoding: RotaryEncoding<any>,
  options: RotaryInputOptions<T>,
): { cos: T; sin: T } {
  const { layout, type, Tensor: Class, gpu, positions, ...at } = readOptions(options, rotaryOptions);
  checkFamily(encoding, "rotary", "rotaryInputs");
  const ids = isTensor(positions) ? positions : undefined;
  const tables = encoding.tables({ ...at, positions: positions as Positions | undefined });
  const count = tables.cos.dims[0]!;
  const last = ids?.dims?.slice(-2) ?? [];
  // Ids of several axes may be [axes, T], as gridPositionIds returns them.
  const rows = last.length > 0 && sizeOf(last) === count ? last : layout === "hf" ? [1, count] : [count];
  const made = (table: Tensor): T => {
    const data = layout === "hf" ? doubled(table, encoding) : table.data;
    const dims = [...rows, data.length / sizeOf(rows)];
    return resultFor(gpu, asType(encoding.core, { type: "float32", data, dims }, type), Class, ids);
  };
  return { cos: made(tables.cos as Tensor), sin: made(tables.sin as Tensor) };
}

const isTensor = (x: unknown): x is IdsLike =>
  x !== null && typeof x === "object" && !Array.isArray(x) && !ArrayBuffer.isView(x);

/** Repeats each value of a row: next to itself if neighbours are pairs, otherwise the row after itself. */
function doubled({ data, dims }: Tensor, encoding: RotaryEncoding<any>): OwnedFloat32Array {
  const pairs = dims[1]!;
  const neighbours = (encoding.spec as { pairing?: unknown }).pairing === "interleaved";
  const out = new Float32Array(2 * data.length);
  for (let row = 0; row < data.length; row += pairs)
    if (neighbours) for (let i = 2 * row; i < 2 * (row + pairs); i++) out[i] = data[i >> 1]!;
    else for (const start of [0, pairs]) out.set(data.subarray(row, row + pairs), 2 * row + start);
  return out;
}

/** Options of `attentionBias`: number of queries and keys, and which keys are masked. */
export interface AttentionBiasOptions<T = RuntimeTensor> extends BiasPositions, TensorOption<T>, GpuOption {
  /** Number of queries. Default: as many as keys. */
  queries?: number;
  /** Number of keys. Default: as many as the mask has columns. */
  keys?: number;
  /** An `attention_mask`, shape [B, keys], 0 = masked. */
  mask?: IdsLike;
  /** Also masks keys after the query. Default false: operators often do that themselves. */
  causal?: boolean;
  /** Type of the result. Default "float32". */
  type?: FloatType;
}

/**
 * Returns a bias encoding as the additive mask of ONNX Attention (`attn_mask`) and MultiHeadAttention (`attention_bias`).
 *
 * Masked keys get the lowest finite number of the type: with -Infinity, rows of padding, which attend to no key, would become
 * NaN. With `gpu` the result is on the GPU. If a bias depends on distances only, and neither `mask` nor `causal` masks keys,
 * only one row is sent there.
 * @param encoding An encoding of the family "bias".
 * @param options Number of queries and keys, or a mask; positions, `causal`, type, `Tensor` and `gpu`.
 * @returns Shape [1, heads, queries, keys], or [B, heads, queries, keys] with a mask; float32 or `type`, of the class `Tensor`
 * or the class of the mask.
 * @throws {PosencError} `invalid-argument`, `out-of-range` or `shape-mismatch` if the options are invalid or do not fit
 * together; `unsupported` if the encoding is not a bias, or the mask is on the GPU.
 * @example
 * const attn_mask = attentionBias(alibi, { mask: attention_mask, causal: true });
 */
export function attentionBias<T = RuntimeTensor>(encoding: BiasEncoding<any>, options: AttentionBiasOptions<T>): T {
  const { mask, causal, type, Tensor: Class, gpu, ...callOptions } = readOptions(options, biasOptions);
  checkFamily(encoding, "bias", "attentionBias");
  if (mask !== undefined) checkCpuTensor(mask, "mask");
  const { keys = mask?.dims.at(-1) as number, queries = keys } = callOptions;
  if (gpu?.onGpu && !mask && !causal) {
    const made: GpuTensor = gpu.bias(encoding, { ...callOptions, keys, queries, finite: true, ...(type && { type }) });
    return toRuntime(gpu, { ...made, dims: [1, ...made.dims] }, Class);
  }
  const { data, dims } = encoding.bias({
    ...callOptions,
    keys,
    queries,
    ...(mask && { attentionMask: mask as ArrayLike2D }),
  }) as Tensor;
  const offset = callOptions.offset ?? keys - queries;
  const lowest = type === "float16" ? -65504 : -3.4028234663852886e38;
  for (let row = 0, i = 0; i < data.length; row++)
    for (let key = 0; key < keys; key++, i++)
      if (data[i] === -Infinity || (causal && key > (row % queries) + offset)) data[i] = lowest;
  const bias: Tensor = { type: "float32", data, dims: dims.length === 3 ? [1, ...dims] : dims };
  return resultFor(gpu, asType(encoding.core, bias, type), Class, mask);
}

/** Returns the `position_ids` of an attention mask in the class that the option `Tensor` names. */
export function positionIds<T>(attentionMask: IdsLike | Tokens, options: PositionIdOptions & Injected<T>): T;
/**
 * Returns the `position_ids` of an attention mask as int64, in the class of the mask.
 *
 * Same as `positionIds` of posenc/ids, which returns int32 by default. Give `pastLength` for columns that are in the cache;
 * `padding: 1` fills masked columns as transformers.js does.
 * @param attentionMask Mask, shape [B, T] or [T], 0 = padding; or any other input of `positionIds` of posenc/ids.
 * @param options Ids of padding and of first tokens, cached tokens, `packed`, type; `Tensor`, the class of the result.
 * @returns Shape [B, T - pastLength], or [T - pastLength] for a mask [T]; int64, or int32 with `type`.
 * @throws {PosencError} `invalid-argument` if mask or options are invalid; `unsupported` if the mask is on the GPU;
 * `out-of-memory`.
 * @example
 * const position_ids = positionIds(attention_mask, { padding: 1 });
 */
export function positionIds<T extends RuntimeTensor>(attentionMask: T, options?: PositionIdOptions): T;
/** Returns the `position_ids` of an attention mask that is an array or { data, dims }, as such an object. */
export function positionIds(attentionMask: Tokens, options?: PositionIdOptions): IdTensor<OwnedBigInt64Array>;
export function positionIds(
  attentionMask: IdsLike | Tokens,
  given: PositionIdOptions & TensorOption<any> = {},
): unknown {
  const { Tensor: Class, type = "int64", ...options } = readOptions(given, { ...asGiven(idOptions), Tensor: asIs });
  checkCpuTensor(attentionMask, "attentionMask");
  return makeTensor(idsOf(attentionMask as Tokens, { ...options, type: type as "int64" }), Class, attentionMask);
}

type Injected<T> = Required<TensorOption<T>>;

/** The method of a posenc instance that is called here. `init()` of any entry returns one. */
interface TableResizer {
  resizeTable(table: InputTensor, options: ResizeOptions): TensorLike;
  toFloat32(x: Float16Tensor | InputTensor): TensorLike;
  toFloat16(x: InputTensor): Float16Tensor;
}

/**
 * Returns the position embeddings of an image model for images of another size.
 *
 * Takes the options of `pe.resizeTable`; `prefix: 1` keeps a class token. With `gpu`, `x` may be on the GPU, and the result is
 * there, too.
 * @param x Position embeddings, shape [1, rows, dim], float32 or float16.
 * @param pe Instance of the library, from `init()` of any entry.
 * @param options New `grid` or `length`, `prefix`, interpolation; `Tensor` and `gpu`.
 * @returns Shape [1, new rows, dim], dtype and class of x.
 * @throws {PosencError} `shape-mismatch` or `invalid-argument` if the options do not fit x; `unsupported` if x is on the GPU
 * without `gpu`, or of another type.
 * @example
 * const resized = interpolatePositionEmbeddings(embeddings, pe, { grid: [24, 16], prefix: 1 });
 */
export function interpolatePositionEmbeddings<T extends RuntimeTensor>(
  x: T,
  pe: TableResizer,
  options: ResizeOptions & TensorOption<T> & GpuOption,
): T {
  const { Tensor: Class, gpu: device, ...resizing } = readOptions(options, { ...asGiven(resizeOptions), ...injected });
  const gpu = gpuFor(x, device, "x");
  if (gpu) return toRuntime(gpu, gpu.resize(fromRuntime(gpu, x), resizing as ResizeOptions), Class ?? classOf(x));
  checkCpuTensor(x, "x");
  const resized = pe.resizeTable(pe.toFloat32(x as never), resizing) as Tensor;
  return makeTensor(x.type === "float16" ? pe.toFloat16(resized) : resized, Class, x);
}
