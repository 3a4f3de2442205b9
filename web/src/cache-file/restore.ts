// Puts files of cached keys and values back, at any position.
import { invalid } from "../base/errors.js";
import { asIs, maybe, must, oneOf, number, readOptions } from "../base/options.js";
import { perAxis } from "../base/axes.js";
import type { NumberArray } from "../base/types.js";
import { Steps, type WorkOptions } from "../base/work.js";
import type { LayerEncodings } from "../transformers/layer-encodings.js";
import { makeTensor, type RuntimeTensor, type TensorClass, type TensorOption } from "../transformers/tensors.js";
import { checksumIn, type Checksum } from "./checksum.js";
import { arrayOf, putByHead, unstored, type CacheLibrary, type Rows } from "./elements.js";
import { partName, scaleName, type CacheInfo, type ModelNames } from "./format.js";
import type { CacheFile } from "./open.js";
import { checkModels, checkTokens, partsOf, piecesOf, type Files, type Piece } from "./parts.js";
import { checkMovable, checkRotation, movedKeys, rotaryAt, rotatedKeys } from "./rotations.js";
import { modelOption } from "./save.js";
import type { LayerCaches } from "./sources.js";

/** Options of `restoreCache`. */
export interface RestoreOptions extends WorkOptions {
  /** The encoding of all layers, `await pe.layers(config)`, or a function from the index of a layer to its encoding. */
  encoding: LayerEncodings;
  /** Position of the first token, or one for each axis. Default: 0. */
  at?: number | NumberArray;
  /** Sequence length that the frequencies are chosen for (LongRoPE). Default: the last position + 1. */
  sequenceLength?: number;
  /** Names and hashes of the model that goes on: a file with others is refused. */
  model?: ModelNames;
  /** Ids of the prompt, [T]: files whose tokens are not its beginning are refused. */
  tokens?: NumberArray;
}

/** The options, and the class and dtype of the tensors. */
export interface RestoreTensorOptions<T> extends RestoreOptions, TensorOption<T> {
  /** dtype of the tensors. Default: that of the first file's cache. */
  type?: "float32" | "float16";
}

const restoreOptions = {
  ...{ signal: asIs, onProgress: asIs },
  ...{ encoding: must(asIs), at: maybe(perAxis), sequenceLength: maybe(number), model: modelOption, tokens: asIs },
};
export const tensorOptions = { ...restoreOptions, Tensor: asIs, type: maybe(oneOf("float32", "float16")) };

/** The options as they are read. */
export type Restored = Omit<RestoreOptions, "at"> & { readonly at?: readonly number[] | undefined };

const sides = ["key", "value"] as const;

/** Keys or values of a piece in a layer. */
interface RowsPart {
  readonly piece: Piece;
  readonly layer: number;
  readonly side: (typeof sides)[number];
}

/** Keys or values of all tokens of a layer, [1, heads, tokens, width]. */
export type Whole = Rows;

/** A restoration: the pieces, and how their keys are rotated. */
export class Restoration {
  readonly pieces: readonly Piece[];
  readonly length: number;
  readonly layers: number;
  readonly info: CacheInfo;
  private readonly sequenceLength: number;
  private readonly encoding: LayerEncodings;
  private readonly steps: Steps;
  private readonly checksum: Checksum;

  constructor(
    private readonly pe: CacheLibrary,
    given: Files,
    { encoding, at, sequenceLength, model, tokens, ...work }: Restored,
  ) {
    const parts = partsOf(given);
    const files = parts.map(({ file }) => file);
    checkModels(files, model ?? {});
    if (tokens !== undefined) checkTokens(parts, tokens);
    this.info = files[0]!.info;
    this.layers = this.info.layers.length;
    this.encoding = encoding;
    this.pieces = piecesOf(parts, at);
    this.length = parts.reduce((all, { from, to }) => all + to - from, 0);
    const last = this.pieces.flatMap((piece) => piece.at.flat()).reduce((most, one) => Math.max(most, one), 0);
    this.sequenceLength = sequenceLength ?? Math.floor(last) + 1;
    if (Array.isArray(encoding) && encoding.length !== this.layers)
      throw invalid("encoding", `has ${encoding.length} layers, the file ${this.layers}`);
    for (const file of new Set(files)) this.checkFile(file);
    this.checksum = checksumIn(pe);
    this.steps = new Steps(2 * this.layers * parts.length, work);
  }

  /** Throws if a file is of another model. */
  private checkFile({ info }: CacheFile): void {
    if (info.layers.length !== this.layers)
      throw invalid("files", `have ${this.layers} and ${info.layers.length} layers: they are of different models`);
    info.layers.forEach(({ heads, dim, valueDim, rotation }, layer) => {
      const own = this.info.layers[layer]!;
      if (own.heads !== heads || own.dim !== dim || own.valueDim !== valueDim)
        throw invalid("files", `have other heads in layer ${layer}: they are of different models`);
      const saved = rotation === null ? undefined : info.rotations[rotation];
      checkRotation(saved, rotaryAt(this.encoding, layer), layer);
    });
  }

  /** Returns the keys or values of parts, token by token; keys rotated for their new positions, or not rotated. */
  async *rows(parts: readonly RowsPart[], isRotated: boolean): AsyncGenerator<[RowsPart, Rows]> {
    let next: Promise<Rows> | undefined;
    for (const [i, part] of parts.entries()) {
      const rows = await (next ?? this.read(part));
      // The next part is read while this one is rotated and copied.
      next = parts[i + 1] && this.read(parts[i + 1]!);
      next?.catch(() => {});
      yield [part, part.side === "key" ? this.rotated(part, rows, isRotated) : rows];
      await this.steps.step();
    }
  }

  private async read({ piece, layer, side }: RowsPart): Promise<Rows> {
    const { file, from, to } = piece;
    const { heads, dim, valueDim } = file.info.layers[layer]!;
    const name = partName(layer, side);
    const data = await file.rows(name, from, to, this.checksum);
    const scales = file.type === "int8" ? await file.rows(scaleName(name), from, to, this.checksum) : undefined;
    return unstored({ data, ...(scales && { scales }) }, file.type, heads, side === "key" ? dim : valueDim);
  }

  private rotated({ piece, layer }: RowsPart, keys: Rows, isRotated: boolean): Rows {
    const { file, old, at } = piece;
    const rotary = rotaryAt(this.encoding, layer);
    const stays = old.every((axis, i) => axis[0] === at[i]![0]);
    if (!stays) checkMovable(this.encoding, layer);
    if (!rotary) return keys;
    const { info } = file;
    const lengths = { before: info.sequenceLength, after: this.sequenceLength };
    if (info.isRotated && isRotated) return movedKeys(rotary, keys, { from: old, to: at, ...lengths });
    if (info.isRotated) return rotatedKeys(rotary, keys, old, lengths.before, true);
    return isRotated ? rotatedKeys(rotary, keys, at, lengths.after, false) : keys;
  }

  /** Returns keys and values of all layers and pieces by name. */
  async all(type = this.info.cacheType): Promise<Map<string, Whole>> {
    const all = new Map<string, Whole>();
    const parts = this.info.layers.flatMap((_, layer) =>
      sides.flatMap((side) => this.pieces.map((piece) => ({ piece, layer, side }))),
    );
    let first = 0;
    for await (const [{ piece, layer, side }, rows] of this.rows(parts, true)) {
      const { names, heads } = this.info.layers[layer]!;
      const { width } = rows;
      const name = names[sides.indexOf(side)]!;
      if (!all.has(name)) all.set(name, { type, data: arrayOf(type, heads * this.length * width), heads, width });
      if (piece === this.pieces[0]) first = 0;
      putByHead(this.pe, rows, all.get(name)!, first, this.length);
      first += piece.to - piece.from;
    }
    return all;
  }
}

/** Runtimes take a Float16Array where the engine has it, and bits elsewhere. */
function inFloat16({ buffer }: Rows["data"]): unknown {
  const { Float16Array: Class = Uint16Array } = globalThis as { Float16Array?: typeof Uint16Array };
  return new Class(buffer);
}

/**
 * Returns the keys and values of files for a transformers.js model, at any position: `past_key_values`.
 *
 * A file that stays at its positions gives the bits that were saved (float32, float16). Keys that move are re-rotated in one pass,
 * each layer by its own encoding. Several files, or parts of one, follow each other in the list's order. A text that was read
 * alone has not seen the texts before it: beyond the first layer its keys and values differ from those of reading all at once.
 * @param pe The result of `init()`.
 * @param files A file of `openCache`, a part of one, `{ file, from, to }`, or a list of them.
 * @param options `encoding`, and optionally `at`, `Tensor`, `type`, `sequenceLength`, `model`, `tokens`, `signal`, `onProgress`.
 * @returns Keys and values by name, [1, H, T, D]: for version 3 as they are, for version 4 in `new DynamicCache(…)`.
 * @throws {PosencError} `invalid-argument` if a file is of another model or rotation, or damaged; `shape-mismatch`, `out-of-range`;
 * `unsupported` if keys would move that cannot.
 * @example
 * const past = await restoreCache(pe, [contract, { file: letter, from: 20 }], { encoding: await pe.layers(config), Tensor });
 */
export async function restoreCache<T = RuntimeTensor>(
  pe: CacheLibrary,
  files: Files,
  options: RestoreTensorOptions<T>,
): Promise<Record<string, T>> {
  const { Tensor, type, ...read } = readOptions(options, tensorOptions);
  return tensorsOf(await new Restoration(pe, files, read as Restored).all(type), Tensor);
}

/** Returns keys and values as a runtime's tensors. */
export const tensorsOf = <T>(all: ReadonlyMap<string, Whole>, Tensor: TensorClass<T> | undefined): Record<string, T> =>
  Object.fromEntries(
    Array.from(all, ([name, { type, data, heads, width }]) => {
      const dims = [1, heads, data.length / (heads * width), width];
      return [name, makeTensor<T>({ type, data: type === "float16" ? inFloat16(data) : data, dims }, Tensor)];
    }),
  );

/**
 * Appends the keys and values of files to caches of `pe.cache`, one for each layer.
 *
 * @param pe The result of `init()`.
 * @param caches One cache for each layer, with room for the tokens.
 * @param files A file of `openCache`, a part of one, `{ file, from, to }`, or a list of them.
 * @param options `encoding`, and optionally `at`, `sequenceLength`, `model`, `tokens`, `signal`, `onProgress`.
 * @throws {PosencError} As `restoreCache`, and as `append` of the caches. The caches are unchanged then.
 * @example
 * await appendCache(pe, layers.map(({ encoding }) => pe.cache({ heads: 4, dim: 64, capacity: 4096, encoding })), file, { encoding: layers });
 */
export async function appendCache(
  pe: CacheLibrary,
  caches: LayerCaches,
  files: Files,
  options: RestoreOptions,
): Promise<void> {
  const restoration = new Restoration(pe, files, readOptions(options, restoreOptions) as Restored);
  if (caches.length !== restoration.layers)
    throw invalid("caches", `must be one for each of ${restoration.layers} layers, got ${caches.length}`);
  const lengths = caches.map(({ length }) => length);
  try {
    const parts = restoration.pieces.flatMap((piece) =>
      caches.flatMap((_, layer) => sides.map((side) => ({ piece, layer, side }))),
    );
    let k: RuntimeTensor | undefined;
    for await (const [{ piece, layer, side }, rows] of restoration.rows(parts, false)) {
      const cache = caches[layer]!;
      const tensor = inLayout(pe, rows, cache.layout, piece.to - piece.from);
      if (side === "value")
        cache.append(k as never, tensor as never, { positions: piece.at.length > 1 ? piece.at : piece.at[0]! });
      k = tensor;
    }
  } catch (error) {
    caches.forEach((cache, layer) => cache.length > lengths[layer]! && cache.truncate(lengths[layer]!));
    throw error;
  }
}

/** Returns rows as a tensor in the layout of a cache. */
function inLayout(pe: CacheLibrary, rows: Rows, layout: "bhtd" | "bthd", tokens: number): RuntimeTensor {
  const { type, heads, width } = rows;
  if (layout === "bthd") return { type, data: rows.data, dims: [1, tokens, heads, width] };
  const data = arrayOf(type, rows.data.length);
  putByHead(pe, rows, { type, data }, 0, tokens);
  return { type, data, dims: [1, heads, tokens, width] };
}
