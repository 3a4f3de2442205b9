// Saves cached keys and values as a file.
import { checkWhole } from "../base/arrays.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { asObject } from "../base/json.js";
import { asIs, maybe, number, oneOf, readOptions, text, type Reader } from "../base/options.js";
import type { NumberArray, OwnedUint8Array } from "../base/types.js";
import { Steps, type WorkOptions } from "../base/work.js";
import { aGpu, type GpuOption } from "../transformers/gpu.js";
import type { LayerEncodings } from "../transformers/layer-encodings.js";
import { checksumIn } from "./checksum.js";
import { byToken, stored, type CacheLibrary, type Given } from "./elements.js";
import {
  blockTokens,
  headerOf,
  layoutOf,
  modelNames,
  partName,
  scaleName,
  type CacheFileType,
  type CacheInfo,
  type LayerInfo,
  type Layout,
  type ModelNames,
  type RotationInfo,
} from "./format.js";
import { rotaryAt, rotationInfo, type Axes } from "./rotations.js";
import { sourceOf, type LayerCaches } from "./sources.js";

/** Options of `saveCache`. */
export interface SaveOptions extends WorkOptions, GpuOption {
  /**
   * The encoding of all layers, `await pe.layers(config)`, or a function from the index of a layer to its encoding. Default: the
   * encodings of the caches of `pe.cache`.
   */
  encoding?: LayerEncodings;
  /** How the file stores keys and values. Default: the dtype of the cache. "int8" has a scale for each head of each token. */
  type?: CacheFileType;
  /** Ids of the tokens, [T]. */
  tokens?: NumberArray;
  /**
   * Positions of the tokens, [T], or a list for each axis. Default: those of the cache of `pe.cache`, or 0 … T - 1. Pass them for
   * M-RoPE with images: what follows the text begins after the largest.
   */
  positions?: NumberArray | readonly NumberArray[];
  /** Sequence length that the keys were rotated for. Default: the last position + 1. Only LongRoPE and the like depend on it. */
  sequenceLength?: number;
  /** Names and hashes of the model, which `restoreCache` compares. */
  model?: ModelNames;
}

const names: Reader<ModelNames> = (value, name) => {
  const given = asObject(value);
  if (!given || Object.keys(given).some((key) => !(modelNames as readonly string[]).includes(key)))
    throw invalid(name, `must be an object with id, weights or tokenizer, got ${show(value)}`);
  for (const [key, one] of Object.entries(given)) text(one, `${name}.${key}`);
  return given as ModelNames;
};
export const modelOption = maybe(names);

const saveOptions = {
  ...{ signal: asIs, onProgress: asIs },
  ...{ encoding: asIs, tokens: asIs, positions: asIs, gpu: aGpu },
  type: maybe(oneOf("float32", "float16", "int8")),
  sequenceLength: maybe(number),
  model: modelOption,
};

function axesOf(given: unknown, length: number): Axes {
  const lists = Array.isArray(given) && typeof given[0] === "object" ? given : [given];
  return lists.map((list: NumberArray) => {
    const numbers = Array.from((list as ArrayLike<number> | null) ?? [], Number);
    if (numbers.length === length && numbers.every(Number.isFinite)) return numbers;
    throw invalid("positions", `must be ${length} numbers, or a list of them for each axis, got ${show(given)}`);
  });
}

/**
 * Saves cached keys and values as a file: a safetensors container, which programs in any language read.
 *
 * Its tensors are `layers.<i>.key` and `.value` [T, H, D] (`.scale` [T, H] for int8), `positions` [T, axes], `tokens` [T] and
 * `checksums` of all blocks; its metadata has the rotations of the keys, which are stored as the cache has them.
 * @param pe The result of `init()`.
 * @param cache A `DynamicCache` of transformers.js, or the object that version 3 keeps: keys and values of all layers,
 * [1, H, T, D], float32 or float16, on the CPU or, with `gpu`, on the GPU. Or a list of caches of `pe.cache`, one for each layer.
 * @param options `encoding`, and optionally `type`, `tokens`, `positions`, `model`, `signal`, `onProgress`.
 * @returns The file, a `Blob`: for OPFS, IndexedDB or a download.
 * @throws {PosencError} `invalid-argument` if an argument is invalid or the cache is empty; `shape-mismatch` if layers have
 * different numbers of tokens, or keys another dimension than the encoding; `unsupported` if the cache has several texts, tensors
 * on the GPU without `gpu`, or other states than keys and values.
 * @example
 * const file = await saveCache(pe, past_key_values, { encoding: await pe.layers(model.config), tokens });
 */
export async function saveCache(
  pe: CacheLibrary,
  cache: object | LayerCaches,
  options: SaveOptions = {},
): Promise<Blob> {
  const { type, tokens, model, ...read } = readOptions(options, saveOptions);
  const source = sourceOf(cache, read.gpu);
  const { length } = source;
  const encoding = read.encoding ?? source.encoding;
  if (encoding === undefined) throw invalid("encoding", "is missing, must be await pe.layers(config), or an encoding");
  if (tokens !== undefined) checkWhole(tokens, "tokens");
  if (tokens !== undefined && tokens.length !== length)
    throw new PosencError("shape-mismatch", `tokens: the cache has ${length} tokens, got ${tokens.length}`, "tokens");
  const axes = read.positions ? axesOf(read.positions, length) : source.positions;
  const positions = axes ?? [Array.from({ length }, (_, i) => i)];
  const last = positions.flat().reduce((most, position) => Math.max(most, position), 0);
  const rotations = new Rotations(encoding);
  const writing = new Writing(pe, type ?? source.type, tokens, positions);
  const layers: LayerInfo[] = [];
  const steps = new Steps(source.layers.length, read);
  for (const [layer, { names, read: both }] of source.layers.entries()) {
    const [key, value] = await both();
    layers.push({ names, ...rotations.of(layer, key, value) });
    writing.add(layer, key, value, names);
    await steps.step();
  }
  return writing.file({
    ...{ length, type: type ?? source.type, cacheType: source.type, axes: positions.length },
    ...{ sequenceLength: read.sequenceLength ?? Math.floor(last) + 1, isRotated: source.isRotated },
    ...{ hasTokens: tokens !== undefined, layers, rotations: rotations.all, model: model ?? {} },
  });
}

/** The rotations of all layers, each once. */
class Rotations {
  readonly all: RotationInfo[] = [];
  private readonly known = new Map<object, number>();

  constructor(private readonly encoding: LayerEncodings) {}

  /** Returns what the metadata says of a layer. */
  of(layer: number, key: Given, value: Given): Omit<LayerInfo, "names"> {
    const [heads, dim] = [key.dims[key.isByToken ? 2 : 1]!, key.dims[3]!];
    const rotary = rotaryAt(this.encoding, layer);
    if (rotary && rotary.dim !== dim)
      throw new PosencError(
        "shape-mismatch",
        `encoding: keys of layer ${layer} have ${dim} features, the encoding ${rotary.dim}`,
        "encoding",
      );
    if (rotary && !this.known.has(rotary)) this.known.set(rotary, this.all.push(rotationInfo(rotary)) - 1);
    const window = this.windowOf(layer);
    return {
      ...{ heads, dim, valueDim: value.dims[3]!, rotation: rotary ? this.known.get(rotary)! : null },
      ...(window !== undefined && { window }),
    };
  }

  /** Returns the window of a layer of `pe.layers`, if it is one number. */
  private windowOf(layer: number): number | undefined {
    const { window } = ((this.encoding as readonly unknown[])[layer] ?? {}) as { window?: unknown };
    return Number.isSafeInteger(window) && (window as number) > 0 ? (window as number) : undefined;
  }
}

/** The tensors of a file, as bytes. */
class Writing {
  private readonly bytes = new Map<string, OwnedUint8Array>();

  constructor(
    private readonly pe: CacheLibrary,
    private readonly type: CacheFileType,
    tokens: NumberArray | undefined,
    positions: Axes,
  ) {
    const rows = positions[0]!.flatMap((_, i) => positions.map((axis) => axis[i]!));
    this.bytes.set("positions", new Uint8Array(Float64Array.from(rows).buffer));
    const ids = tokens && BigInt64Array.from(Array.from<number | bigint, bigint>(tokens, BigInt));
    if (ids) this.bytes.set("tokens", new Uint8Array(ids.buffer));
  }

  add(layer: number, key: Given, value: Given, names: readonly [string, string]): void {
    for (const [i, side] of (["key", "value"] as const).entries()) {
      const name = partName(layer, side);
      const { data, scales } = stored(this.pe, byToken([key, value][i]!), this.type, names[i]!);
      this.bytes.set(name, data);
      if (scales) this.bytes.set(scaleName(name), scales);
    }
  }

  file(info: CacheInfo): Blob {
    const layout = layoutOf(info);
    const header = headerOf(info, layout);
    const parts = [...layout.parts.values()].map(({ name, offset }) => ({ offset, data: this.bytes.get(name)! }));
    parts.push({ offset: layout.sums.offset, data: this.sumsOf(header, layout) });
    const data = parts.sort((a, b) => a.offset - b.offset).map((part) => part.data);
    return new Blob([header, ...data], { type: "application/octet-stream" });
  }

  private sumsOf(header: Uint8Array, { parts, sums }: Layout): OwnedUint8Array {
    const view = new DataView(new ArrayBuffer(4 * sums.count));
    const checksum = checksumIn(this.pe);
    view.setUint32(0, checksum(header), true);
    for (const { name, firstSum, rowBytes } of parts.values()) {
      const all = this.bytes.get(name)!;
      const block = blockTokens * rowBytes;
      for (let i = 0; i * block < all.length; i++)
        view.setUint32(4 * (firstSum + i), checksum(all.subarray(i * block, (i + 1) * block)), true);
    }
    return new Uint8Array(view.buffer);
  }
}
