// The file of a cache: a safetensors container, whose tensors follow from its metadata.
import type { Json } from "../base/json.js";
import type { OwnedUint8Array } from "../base/types.js";

/** How a file stores keys and values. */
export type CacheFileType = "float32" | "float16" | "int8";

/** Names and hashes of what made a cache; none of them is interpreted. */
export interface ModelNames {
  /** Name of the model, such as "onnx-community/Qwen3-0.6B". */
  readonly id?: string;
  /** Hash of the weights: `await fingerprint(file)`. */
  readonly weights?: string;
  /** Hash of the tokenizer: `await fingerprint(file)`. */
  readonly tokenizer?: string;
}

/** The names of `ModelNames`. */
export const modelNames = ["id", "weights", "tokenizer"] as const satisfies readonly (keyof ModelNames)[];

/** Keys and values of one layer. */
export interface LayerInfo {
  /** Names of keys and values in the model's cache: "past_key_values.0.key", "past_key_values.0.value". */
  readonly names: readonly [key: string, value: string];
  /** Number of heads. */
  readonly heads: number;
  /** Dimension of keys. */
  readonly dim: number;
  /** Dimension of values. */
  readonly valueDim: number;
  /** Index of the rotation of the keys in `rotations`; null: keys are not rotated. */
  readonly rotation: number | null;
  /** Attention window: a query attends to keys at a distance below it. */
  readonly window?: number;
}

/** A rotation of keys. */
export interface RotationInfo {
  /** Its spec. */
  readonly spec: Json;
  /** Keys of ones, rotated in a short and in a long text: files compare these, as specs do not have learned frequencies. */
  readonly probe: readonly number[];
}

/** All about a cache but its numbers. */
export interface CacheInfo {
  /** Number of tokens. */
  readonly length: number;
  /** How keys and values are stored. */
  readonly type: CacheFileType;
  /** The dtype of the cache. */
  readonly cacheType: "float32" | "float16";
  /** Number of axes of the positions. */
  readonly axes: number;
  /** Sequence length that the keys were rotated for. */
  readonly sequenceLength: number;
  /** Whether keys are stored as they were rotated. */
  readonly isRotated: boolean;
  /** Whether the file has the ids of the tokens. */
  readonly hasTokens: boolean;
  readonly layers: readonly LayerInfo[];
  readonly rotations: readonly RotationInfo[];
  readonly model: ModelNames;
}

export const formatName = "posenc-cache";
export const formatVersion = "1";
/** Number of tokens with a checksum of their own. */
export const blockTokens = 256;

const widths = { F64: 8, I64: 8, F32: 4, U32: 4, F16: 2, I8: 1 } as const;
export type Dtype = keyof typeof widths;
const stored: Record<CacheFileType, Dtype> = { float32: "F32", float16: "F16", int8: "I8" };

/** A tensor of the file, with a row for each token. */
export interface Part {
  readonly name: string;
  readonly dtype: Dtype;
  readonly shape: readonly number[];
  readonly rowBytes: number;
  /** Index of its first byte after the header. */
  readonly offset: number;
  /** Index of its first checksum. */
  readonly firstSum: number;
}

/** The tensors of a file. */
export interface Layout {
  readonly parts: ReadonlyMap<string, Part>;
  /** Offset and number of the checksums: of the header, then of each block of each part. */
  readonly sums: { readonly offset: number; readonly count: number };
  /** Bytes after the header. */
  readonly size: number;
}

/** Names of the tensors of a layer. */
export const partName = (layer: number, side: "key" | "value"): string => `layers.${layer}.${side}`;
export const scaleName = (name: string): string => `${name}.scale`;
export const sumsName = "checksums";

/** Number of checksums of one tensor with this number of tokens. */
export const blocksOf = (tokens: number): number => Math.ceil(tokens / blockTokens);

/** Returns the tensors of a file, those of wide numbers first: all are aligned, without holes. */
export function layoutOf({ length, type, axes, hasTokens, layers }: CacheInfo): Layout {
  const sides = layers.flatMap(({ heads, dim, valueDim }, layer) => [
    { name: partName(layer, "key"), row: [heads, dim] },
    { name: partName(layer, "value"), row: [heads, valueDim] },
  ]);
  const tokens: [string, Dtype, number[]][] = [["positions", "F64", [axes]]];
  if (hasTokens) tokens.push(["tokens", "I64", []]);
  const features = sides.map(({ name, row }): [string, Dtype, number[]] => [name, stored[type], row]);
  const scales = sides.map(({ name, row }): [string, Dtype, number[]] => [scaleName(name), "F32", [row[0]!]]);
  const rest = type === "int8" ? [...scales, ...features] : features;
  const count = 1 + (tokens.length + rest.length) * blocksOf(length);
  const parts = new Map<string, Part>();
  let offset = 0;
  const add = ([name, dtype, row]: [string, Dtype, number[]]): void => {
    const rowBytes = row.reduce((all, dim) => all * dim, widths[dtype]);
    const firstSum = 1 + parts.size * blocksOf(length);
    parts.set(name, { name, dtype, shape: [length, ...row], rowBytes, offset, firstSum });
    offset += length * rowBytes;
  };
  tokens.forEach(add);
  const sums = { offset, count };
  offset += 4 * count;
  rest.forEach(add);
  return { parts, sums, size: offset };
}

/** Returns the header of a file, with the length before it, aligned to 8 bytes. */
export function headerOf(info: CacheInfo, { parts, sums }: Layout): OwnedUint8Array {
  const entry = (dtype: Dtype, shape: readonly number[], from: number, size: number): Json => ({
    ...{ dtype, shape, data_offsets: [from, from + size] },
  });
  const entries = [...parts.values()].map(({ name, dtype, shape, offset, rowBytes }) => [
    name,
    entry(dtype, shape, offset, shape[0]! * rowBytes),
  ]);
  const json = JSON.stringify({
    __metadata__: { format: formatName, version: formatVersion, info: JSON.stringify(info) },
    ...Object.fromEntries(entries),
    [sumsName]: entry("U32", [sums.count], sums.offset, 4 * sums.count),
  });
  const text = new TextEncoder().encode(json);
  const length = Math.ceil(text.length / 8) * 8;
  const bytes = new Uint8Array(8 + length).fill(32);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(length), true);
  bytes.set(text, 8);
  return bytes;
}
