// Position ids of text: from attention masks, packed sequences and cumulative lengths.
import { checkNumbers, checkWhole, idArray, isNumberArray } from "../base/arrays.js";
import { invalid, show } from "../base/errors.js";
import { asIs, count, flag, maybe, oneOf, or, readOptions, type Read, type Reader } from "../base/options.js";
import type {
  ArrayLike2D,
  IdTensor,
  NumberArray,
  OwnedBigInt64Array,
  OwnedInt32Array,
  UntypedTensor,
} from "../base/types.js";
import { sequenceEnds } from "./sequence-ends.js";

/** Input of `positionIds`: an attention mask [B, T] or [T], or cumulative lengths of packed sequences. */
export type Tokens = ArrayLike2D | UntypedTensor | NumberArray | readonly NumberArray[] | { cuSeqlens: NumberArray };

/** Options of `positionIds`. */
export interface PositionIdOptions {
  /**
   * Id of padding tokens: a number, "repeat" (the id of the token before), or "continue" (padding after the first token counts as
   * tokens). Default `start` - 1, at least 0.
   */
  padding?: number | "repeat" | "continue";
  /**
   * Id of each sequence's first token, for exported graphs whose tables have unused first rows (RoBERTa: padding_idx + 1 = 2;
   * padding then gets padding_idx). Default 0, also for this library's own tables, which have the spec's `start`.
   */
  start?: number;
  /** Number of tokens already in the cache: one number, with `cuSeqlens` also one per sequence. Default 0. */
  pastLength?: number | NumberArray;
  /** Whether the mask's values name segments (1 1 2 2 2); ids then restart in each. Default false. */
  packed?: boolean;
  /** Type of the ids. Default "int32". */
  type?: "int32" | "int64";
}

/** Returns ids in the requested dtype. */
export function idTensor(
  ids: OwnedInt32Array,
  dims: number[],
  type: "int32" | "int64",
): IdTensor<OwnedInt32Array | OwnedBigInt64Array> {
  if (type === "int32") return { type, data: ids, dims };
  // Written by halves: a BigInt for each id is 100× slower.
  const data = new BigInt64Array(ids.length);
  const words = new Int32Array(data.buffer);
  for (let i = 0; i < ids.length; i++) {
    words[2 * i + lowWord] = ids[i]!;
    words[2 * i + 1 - lowWord] = ids[i]! >> 31;
  }
  return { type, data, dims };
}

/** Index of the lower 32 bits of a 64-bit integer in this machine's memory. */
const lowWord = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 0 : 1;

export const idType = or(oneOf("int32", "int64"), "int32");
const padding: Reader<number | "repeat" | "continue"> = (value, name) => {
  if (!isId(value) && value !== "repeat" && value !== "continue")
    throw invalid(name, `must be a whole number of 32 bits, "repeat" or "continue", got ${show(value)}`);
  return value;
};
/** Reads one number, or one for each row. */
export const perRow: Reader<number | number[]> = (value, name) => {
  if (!isNumberArray(value)) return count()(value, name);
  checkWhole(value, name);
  return Array.from<number | bigint, number>(value, (one) => count()(Number(one), name));
};
export const idOptions = {
  padding: maybe(padding),
  start: or(count(), 0),
  pastLength: maybe(perRow),
  packed: maybe(flag),
  type: idType,
};
type Options = Read<typeof idOptions>;

/** Reads rows of whole numbers, of a `mask` also booleans: { data, dims }, one row, or an array of rows. */
export function readRows(
  given: unknown,
  field: string,
  isMask = false,
): { values: number[]; rows: number; columns: number; dims: number[] } {
  let { data, dims } = (given ?? {}) as { data?: unknown; dims?: unknown };
  if (Array.isArray(given) && isNumberArray(given[0])) {
    for (const row of given) checkNumbers(row, field);
    data = (given as NumberArray[]).flatMap((row) => Array.from<number | bigint>(row));
    dims = [given.length, given[0].length];
  } else if (isNumberArray(given)) {
    data = given;
    dims = [given.length];
  }
  if (!isNumberArray(data) || !Array.isArray(dims))
    throw invalid(
      field,
      `must be rows of numbers${isMask ? ", { data, dims } or { cuSeqlens }" : " or { data, dims }"}, got ${show(given)}`,
    );
  checkWhole(data, field, undefined, isMask);
  const [columns = 0, rows = 1] = (dims as number[]).slice().reverse();
  if (dims.length > 2 || rows * columns !== data.length)
    throw invalid(field, `must have equal rows: dims [${dims.join(", ")}], ${data.length} values`);
  return { values: Array.from<number | bigint, number>(data, Number), rows, columns, dims };
}

/** Whether the value fits int32. */
export const isId = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) === ((value as number) | 0);

type Padding = (last: number) => number;

/** Returns the id of a padding token, from the id of the last token (start - 1: no token yet). */
const paddingRule =
  (padding: number | string, start: number): Padding =>
  (last) =>
    typeof padding === "number" ? padding : Math.max(last, start);

function idsOfMask(mask: unknown, options: Options): IdTensor<OwnedInt32Array | OwnedBigInt64Array> {
  const { values, rows, columns, dims } = readRows(mask, "attentionMask", true);
  const { padding, packed, start } = options;
  const past = options.pastLength ?? 0;
  const padded = paddingRule(padding ?? Math.max(start - 1, 0), start);
  const counts = padding === "continue";
  if (typeof past !== "number" || past > columns)
    throw invalid("pastLength", `must be a whole number from 0 to ${columns}, got ${show(past)}`);
  const width = columns - past;
  const ids = idArray(rows * width);
  for (let row = 0; row < rows; row++) {
    let last = start - 1;
    let segment: number | undefined;
    for (let column = 0; column < columns; column++) {
      const value = values[row * columns + column]!;
      if (value !== 0) {
        // A new segment restarts the count; padding inside one does not.
        if (packed && segment !== undefined && value !== segment) last = start - 1;
        segment = value;
        last++;
      } else if (counts && last >= start) last++;
      if (column >= past) ids[row * width + column - past] = value === 0 ? padded(last) : last;
    }
  }
  return idTensor(ids, [...dims.slice(0, -1), width], options.type);
}

function idsOfLengths(cuSeqlens: unknown, options: Options): IdTensor<OwnedInt32Array | OwnedBigInt64Array> {
  for (const name of ["padding", "packed"] as const)
    if (options[name] !== undefined) throw invalid(name, "is only for masks, not for cuSeqlens");
  const ends = sequenceEnds(cuSeqlens);
  const past = options.pastLength ?? 0;
  if (typeof past !== "number" && past.length !== ends.length - 1)
    throw invalid("pastLength", `must be one number, or one for each of ${ends.length - 1} sequences`);
  const ids = idArray(ends.at(-1)!);
  for (let i = 1; i < ends.length; i++) {
    const first = ends[i - 1]!;
    const cached = (typeof past === "number" ? past : past[i - 1]!) + options.start;
    if (cached + ends[i]! - first > 2 ** 31) throw invalid("pastLength", `positions exceed 2147483647, got ${cached}`);
    for (let index = first; index < ends[i]!; index++) ids[index] = index - first + cached;
  }
  return idTensor(ids, [ids.length], options.type);
}

/** Returns the position ids of tokens as int64, for `type: "int64"`. */
export function positionIds(
  tokens: Tokens,
  options: PositionIdOptions & { type: "int64" },
): IdTensor<OwnedBigInt64Array>;
/**
 * Returns the position ids of tokens, from an attention mask or from the lengths of packed sequences.
 *
 * From a mask, the n-th visible token of a row gets the id n - 1: padding on either side shifts nothing. With `packed`, the
 * mask's values name segments (1 1 2 2 2, 0 = padding) and ids restart in each. From { cuSeqlens: [0, 3, 7] } ids are 0 1 2 0 1 2
 * 3. With `pastLength`, a mask also covers that many cached columns, and ids are returned for the columns after them; the
 * sequences of `cuSeqlens` continue from there.
 * @param tokens Attention mask, shape [B, T] or [T], 0 = padding: an array of rows, one row, or { data, dims }. Or { cuSeqlens }.
 * @param options Ids of padding and of first tokens, cached tokens, `packed`, and the type of the ids.
 * @returns Shape [B, T - pastLength] or [T - pastLength] for a mask, [total length] for `cuSeqlens`; int32, or int64 with `type`.
 * @throws {PosencError} `invalid-argument` if tokens or options are invalid or do not fit together; `out-of-memory`.
 * @example
 * positionIds([[0, 0, 1, 1, 1]]).data; // 0 0 0 1 2
 * positionIds({ cuSeqlens: [0, 3, 7] }).data; // 0 1 2 0 1 2 3
 * @see Hugging Face `create_position_ids` (cumsum(mask) - 1); `cu_seqlens` of flash-attention
 */
export function positionIds(tokens: Tokens, options?: PositionIdOptions): IdTensor;
export function positionIds(
  tokens: Tokens,
  options: PositionIdOptions = {},
): IdTensor<OwnedInt32Array | OwnedBigInt64Array> {
  const read = readOptions(options, idOptions);
  if (tokens === null || typeof tokens !== "object" || !("cuSeqlens" in tokens)) return idsOfMask(tokens, read);
  return idsOfLengths(readOptions(tokens, { cuSeqlens: asIs }, "tokens").cuSeqlens, read);
}
