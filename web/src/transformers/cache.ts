// The key-value cache of a transformers.js model: removes tokens and shifts later ones forward.
import { checkAxes, perAxis } from "../base/axes.js";
import { sizeOf } from "../base/dims.js";
import type { RerotateOptions } from "../base/call-options.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { count, maybe, must, or, readOptions } from "../base/options.js";
import type { NumberArray } from "../base/types.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { Gpu } from "../webgpu/gpu.js";
import { aGpu, changedCopy, freeOnGpu, fromRuntime, gpuFor, toRuntime, type GpuOption } from "./gpu.js";
import { rotaryOf, type LayerEncodings } from "./layer-encodings.js";
import { classOf, makeTensor, type RuntimeTensor } from "./tensors.js";

/** Options of `shiftCache`: which tokens stay. */
export interface ShiftOptions extends GpuOption {
  /** Number of first tokens that stay. Default 0. */
  sinks?: number;
  /** Number of last tokens that stay. */
  window: number;
  /**
   * Number that is added to the positions of the tokens after the removed ones, or one per axis of M-RoPE: [t, h, w]. Default:
   * minus the number of removed tokens. An image takes fewer positions than tokens.
   */
  delta?: number | NumberArray;
}

/** The tensors of a `DynamicCache` by name. */
export type CacheTensors = Record<string, RuntimeTensor>;

export const windowOptions = { sinks: or(count(), 0), window: must(count()), gpu: aGpu };
const shiftOptions = { ...windowOptions, delta: maybe(perAxis) };

/** Keys or values of one layer. */
export interface Entry {
  name: string;
  tensor: RuntimeTensor;
  layer: number;
  isKey: boolean;
}

/** Tensors whose size does not depend on the text: states of other layers, and outputs of an encoder. */
export const fixedStates = /^past_(conv|ssm|recurrent)|\.encoder\./;

export function entriesOf(cache: object): Entry[] {
  if (cache === null || typeof cache !== "object")
    throw invalid("cache", `must be a DynamicCache of transformers.js (past_key_values), got ${show(cache)}`);
  return Object.entries(cache as CacheTensors).flatMap(([name, tensor]) => {
    if (fixedStates.test(name)) return [];
    const [, layer, part] = /^past_key_values\.(\d+)\.(?:decoder\.)?(key|value)$/.exec(name) ?? [];
    if (part === undefined || tensor.dims?.length !== 4)
      throw new PosencError("unsupported", `cache: ${name} must be keys or values [B, H, T, D]`, "cache");
    return [{ name, tensor, layer: Number(layer), isKey: part === "key" }];
  });
}

export function lengthOfEntries(entries: readonly Entry[]): number {
  const length = entries[0]?.tensor.dims[2] ?? 0;
  const other = entries.find(({ tensor }) => tensor.dims[2] !== length);
  if (other)
    throw new PosencError(
      "shape-mismatch",
      `cache: ${entries[0]!.name} has ${length} tokens, ${other.name} has ${other.tensor.dims[2]}`,
      "cache",
    );
  return length;
}

/** Returns the number of tokens in a cache. */
export const cachedTokens = (cache: object): number => lengthOfEntries(entriesOf(cache));

/** Old indices of the tokens that stay: the first `sinks`, and those after the `dropped` ones. */
interface Kept {
  sinks: number;
  dropped: number;
  length: number;
}

interface Move extends Kept {
  /** Added to the positions of the tokens after the dropped ones: one for all axes, or one per axis. */
  delta: readonly number[];
}

function movedOnCpu(
  x: RuntimeTensor,
  { sinks, dropped, length }: Kept,
  rotate?: (kept: any) => unknown,
): RuntimeTensor {
  const [batch, heads, , dim] = x.dims as [number, number, number, number];
  const old = x.data as Float32Array;
  const dims = [batch, heads, length - dropped, dim];
  const data = new (old.constructor as Float32ArrayConstructor)(sizeOf(dims));
  for (let row = 0; row < batch * heads; row++) {
    const [from, to] = [row * length * dim, row * (length - dropped) * dim];
    data.set(old.subarray(from, from + sinks * dim), to);
    data.set(old.subarray(from + (sinks + dropped) * dim, from + length * dim), to + sinks * dim);
  }
  const kept = { type: x.type, data, dims };
  rotate?.(kept);
  return makeTensor(kept, undefined, x);
}

function movedOnGpu(
  gpu: Gpu,
  x: RuntimeTensor,
  { sinks, dropped, length }: Kept,
  rotate?: (kept: any) => unknown,
): any {
  const ranges = [
    [0, sinks],
    [sinks + dropped, length],
  ] as const;
  return toRuntime(
    gpu,
    changedCopy(gpu, fromRuntime(gpu, x), (kept) => rotate?.(kept), ranges),
    classOf(x),
  );
}

/** Returns positions, one list per axis, of the keys that move to 0, 1, …. */
function fromPositions({ axes }: RotaryEncoding<any>, { sinks, dropped, length, delta }: Move) {
  const from = Array.from({ length: axes }, (_, axis) =>
    Float64Array.from({ length: length - dropped }, (_, i) => (i < sinks ? i : i - delta[axis % delta.length]!)),
  );
  return axes > 1 ? from : from[0]!;
}

function moved(entry: Entry, encoding: RotaryEncoding<any> | undefined, move: Move, given: Gpu | undefined): any {
  const { tensor, name } = entry;
  const gpu = gpuFor(tensor, given, name);
  // Only differences of positions matter: sink tokens keep theirs.
  const from = encoding && fromPositions(encoding, move);
  if (gpu) return movedOnGpu(gpu, tensor, move, encoding && ((x) => gpu.rerotate(x, { encoding, from: from!, to: 0 })));
  return movedOnCpu(tensor, move, encoding && ((x) => encoding.rerotate(x, { from: from!, to: 0 })));
}

/**
 * Removes tokens from the middle of a transformers.js cache and re-rotates the keys after them, in place.
 *
 * The first `sinks` and the last `window` tokens stay. Keys of rotary layers are re-rotated to their new positions, 0 … sinks +
 * window - 1; keys of layers with a bias or without positions need no rotation. Keys of M-RoPE move by the same number on all
 * axes: pass `delta` if images are removed, as they take fewer positions than tokens. After an error the cache is unchanged.
 * `withRollingCache` calls it whenever the cache is full.
 * @param cache A `DynamicCache`, or the object that version 3 keeps: keys and values of all layers, [B, H, T, D], float32 or
 * float16, on the CPU or, with `gpu`, on the GPU. It changes.
 * @param encoding The encoding of all layers, `await pe.layers(config)`, or a function from the index of a layer to its encoding.
 * @param options `window`, `sinks` (default 0), `delta` (default: minus the number of removed tokens) and `gpu`.
 * @returns Number of tokens that were removed; 0 if all fit.
 * @throws {PosencError} `invalid-argument` if an argument is invalid; `shape-mismatch` if layers have different numbers of
 * tokens, keys do not fit the encoding, or `delta` has another number of axes; `unsupported` if keys of the encoding cannot be
 * moved, the cache is of another kind, or tensors are on the GPU without `gpu`.
 * @example
 * shiftCache(past_key_values, await pe.layers(model.config), { sinks: 4, window: 1000 });
 * @see Xiao et al. 2023, arXiv:2309.17453
 */
export function shiftCache(cache: object, encoding: LayerEncodings, options: ShiftOptions): number {
  const { sinks, window, gpu, delta } = readOptions(options, shiftOptions);
  const entries = entriesOf(cache);
  const length = lengthOfEntries(entries);
  const rotaries = entries.map(({ isKey, layer }) =>
    isKey ? rotaryOf(encoding, layer, Math.max(1, length)) : undefined,
  );
  if (delta) for (const rotary of rotaries) if (rotary) checkAxes(delta, rotary.axes, "delta");
  const dropped = Math.max(0, length - sinks - window);
  if (dropped === 0) return 0;
  const move = { sinks, dropped, length, delta: delta ?? [-dropped] };
  replaceAll(cache, entries, (entry, i) => moved(entry, rotaries[i], move, gpu));
  return dropped;
}

/** Replaces the tensors of a cache by new ones. After an error the cache is unchanged. */
function replaceAll(cache: object, entries: readonly Entry[], make: (entry: Entry, index: number) => any): void {
  const made: CacheTensors = {};
  try {
    entries.forEach((entry, i) => (made[entry.name] = make(entry, i)));
  } catch (error) {
    freeOnGpu(Object.values(made));
    throw error;
  }
  const old = entries.map(({ tensor }) => tensor);
  Object.assign(cache, made);
  freeOnGpu(old);
}

/** Re-rotates all cached keys. `how`: from the number of cached tokens. */
export function rerotateKeys(
  cache: object,
  encoding: RotaryEncoding<any>,
  gpu: Gpu | undefined,
  how: (tokens: number) => RerotateOptions,
): void {
  const entries = entriesOf(cache).filter(({ isKey }) => isKey);
  const options = how(lengthOfEntries(entries));
  replaceAll(cache, entries, ({ tensor, name }) => {
    const on = gpuFor(tensor, gpu, name);
    const whole = { sinks: 0, dropped: 0, length: tensor.dims[2]! };
    if (on) return movedOnGpu(on, tensor, whole, (x) => on.rerotate(x, { encoding, ...options }));
    return movedOnCpu(tensor, whole, (x) => encoding.rerotate(x, options));
  });
}
