// Which keys are visible, from any array to wasm memory: masks as bytes, packed sequences as sequence numbers.
import { arrayType, checkAttached, isNumberArray } from "../base/arrays.js";
import type { VisibilityOptions } from "../base/call-options.js";
import type { VisibilityFields } from "../base/calls.gen.js";
import { checkDims, checkLength } from "../base/dims.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { list } from "../base/options.js";
import { nothing, type Region } from "../base/regions.js";
import type { MaskLike } from "../base/types.js";
import type { Core } from "../wasm/core.js";
import { sequenceEnds } from "../ids/sequence-ends.js";

/** Readers of `VisibilityOptions`. */
export const visibilityOptions = { mask: list, attentionMask: list, segments: list, cuSeqlens: list };

/** The masks of a call in scratch. */
export interface Sight {
  fields: VisibilityFields;
  /** Number of batch elements with separate masks; undefined: all share one. */
  batch: number | undefined;
}

type Given = Exclude<MaskLike, { dims: unknown }>;

/** Returns data and dims. A plain array has one row of `keys`, or one for each batch element if `hasRows` allows it. */
function readArray(
  core: Core,
  given: unknown,
  field: string,
  keys: number,
  hasRows: boolean,
): { data: Given; dims: number[] } {
  const plain = isNumberArray(given);
  const data: unknown = core.copyIfWasmBacked(plain ? given : (given as { data?: unknown } | null)?.data);
  if (!isNumberArray(data)) throw invalid(field, `must be an array or { data, dims }, got ${show(given)}`);
  checkAttached(data, field);
  const rows = keys > 0 ? data.length / keys : 1;
  if (plain) return { data, dims: hasRows && Number.isInteger(rows) && rows > 1 ? [rows, keys] : [data.length] };
  const { dims } = given as { dims?: unknown };
  checkDims(dims, field);
  checkLength(data.length, dims, field);
  return { data, dims };
}

const holdsIntegers = (data: Given): boolean => /(Int|Uint)\d/.test(arrayType(data));

/** The bits of the value 1. */
const onesIn16Bits: Record<string, number> = { float16: 0x3c00, bfloat16: 0x3f80 };

/**
 * Writes mask values. Of integers, all but 0 are true; of other numbers only 1 is true and 0 is false, all others
 * throw.
 */
function writeFlags(bytes: Uint8Array, data: Given, field: string, type: string): void {
  const integers = holdsIntegers(data);
  const one = onesIn16Bits[type];
  if (integers && !one) {
    for (let i = 0; i < bytes.length; i++) bytes[i] = Number(data[i] != 0);
    return;
  }
  for (let i = 0; i < bytes.length; i++) {
    let value: unknown = data[i];
    if (integers) value = value === one ? 1 : value === 0 ? 0 : `the bits ${show(value)}`;
    if (value === true || value === 1 || value === 1n) bytes[i] = 1;
    else if (value === false || value === 0 || value === 0n) bytes[i] = 0;
    else
      throw invalid(
        field,
        Array.isArray(value)
          ? "must be { data, dims: [batch, keys] }, not rows"
          : `must hold booleans, integers, or 0 and 1, got ${show(value)}; pass additive values as bias`,
      );
  }
}

function flagRegion(core: Core, given: MaskLike | undefined, field: string, keys: number): Region {
  if (given === undefined) return nothing;
  const { data, dims } = readArray(core, given, field, keys, field === "attentionMask");
  const address = core.borrow(data.length);
  writeFlags(core.bytes(address, data.length), data, field, (given as { type?: string }).type!);
  return { address, length: data.length, dims };
}

/** Numbers sequences in order of appearance, so that ids of contiguous sequences rise. */
function numberSegments(data: Given, keys: number): Int32Array {
  const numbers = new Int32Array(data.length);
  let known = new Map<unknown, number>();
  for (let i = 0; i < numbers.length; i++) {
    const value: unknown = data[i];
    if (typeof value !== "bigint" && !Number.isInteger(value))
      throw invalid("segments", `must hold whole numbers, got ${show(value)}`);
    if (i % keys === 0) known = new Map();
    const number = known.get(value) ?? known.size;
    known.set(value, number);
    numbers[i] = number;
  }
  return numbers;
}

function numberLengths(cuSeqlens: unknown, keys: number): Int32Array {
  const ends = sequenceEnds(cuSeqlens);
  const last = ends.at(-1)!;
  if (last !== keys)
    throw new PosencError(
      "shape-mismatch",
      `cuSeqlens: must end with ${keys}, the number of keys, got ${last}`,
      "cuSeqlens",
    );
  const numbers = new Int32Array(keys);
  for (let i = 1; i < ends.length; i++) numbers.fill(i, ends[i - 1], ends[i]);
  return numbers;
}

function segmentNumbers(
  core: Core,
  { segments, cuSeqlens }: VisibilityOptions,
  keys: number,
): { numbers: Int32Array; dims: number[] } | undefined {
  if (cuSeqlens !== undefined) {
    if (segments !== undefined) throw invalid("cuSeqlens", "give either segments or cuSeqlens, not both");
    return { numbers: numberLengths(cuSeqlens, keys), dims: [keys] };
  }
  if (segments === undefined) return undefined;
  const { data, dims } = readArray(core, segments, "segments", keys, true);
  return { numbers: numberSegments(data, dims.at(-1)!), dims };
}

/** Adds dims to sequence ids that are given for `total` tokens, of which a call has the last `keys`. */
export function segmentsOfText(
  { segments, cuSeqlens }: VisibilityOptions,
  total: number,
  keys: number,
  batch: number,
): VisibilityOptions {
  const withDims = (data: Given, rows: number): VisibilityOptions => ({
    segments: { data, dims: rows > 1 ? [rows, total] : [total] } as MaskLike,
    cuSeqlens: undefined!,
  });
  if (total === keys || (segments === undefined) === (cuSeqlens === undefined)) return {};
  if (cuSeqlens) return sequenceEnds(cuSeqlens).at(-1) === total ? withDims(numberLengths(cuSeqlens, total), 1) : {};
  if (!isNumberArray(segments) || segments.length === batch * keys) return {};
  const rows = [1, batch].find((rows) => segments.length === rows * total);
  return rows ? withDims(segments, rows) : {};
}

/** Reads, checks and copies the options that mask some of the `keys` keys. */
export function readVisibility(core: Core, options: VisibilityOptions, keys: number): Sight {
  const mask = flagRegion(core, options.mask, "mask", keys);
  const attentionMask = flagRegion(core, options.attentionMask, "attentionMask", keys);
  const packed = segmentNumbers(core, options, keys);
  let segments: Region = nothing;
  if (packed) {
    const { numbers, dims } = packed;
    segments = { address: core.borrow(4 * numbers.length), length: numbers.length, dims };
    core.bytes(segments.address, 4 * numbers.length).set(new Uint8Array(numbers.buffer));
  }
  const batches = [mask.dims.length === 4 ? mask : nothing, attentionMask, segments]
    .filter(({ dims }) => dims.length > 1)
    .map(({ dims }) => dims[0]!);
  return {
    fields: [mask, attentionMask, segments],
    batch: batches.length > 0 ? Math.max(...batches) : undefined,
  };
}
