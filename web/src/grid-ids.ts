// Position ids with several axes: patches of images and videos, and text between them (M-RoPE).
import { checkOptions, invalid, isCount, show } from "./errors.js";
import { count, idTensor } from "./position-ids.js";
import { isNumberArray } from "./positions.js";
import { sizeOf } from "./tensor.js";
import type { IdTensor, NumberArray } from "./types.js";

/** Position ids with several axes, [axes, T]. */
export interface AxisIds<T extends Int32Array | BigInt64Array = Int32Array> extends IdTensor<T> {
  /** One array per axis (views of `data`), as `positions` takes them. */
  readonly axes: T[];
}

export interface GridIdOptions {
  /** Patches come in blocks of mergeSize × mergeSize. Default 1: row by row. */
  mergeSize?: number;
  /** Added to every id. Default 0. */
  offset?: number;
  type?: "int32" | "int64";
}

/** A piece of a multimodal sequence: so many tokens of text or padding, or a grid of patches [frames, rows, columns]. */
export type MropeSegment =
  | { text: number }
  | { padding: number }
  | { image: NumberArray }
  | { video: NumberArray; /** Ids from frame to frame, fractions too. Default 1. */ interval?: number };

export interface MropeOptions {
  /** Patches that become one token, along each side (Qwen-VL: 2). Default 1: grids are given in tokens. */
  mergeSize?: number;
  /** Where text goes on after vision: see `mropePositionIds`. Default "spatial". */
  after?: "spatial" | "maximum";
  /** The first id. Default 0. */
  offset?: number;
  /** What padded places get. Default 0. */
  padding?: number;
  type?: "int32" | "int64";
}

export interface MropeIds<T extends Int32Array | BigInt64Array = Int32Array> {
  /** [3, T], time, height, width. */
  positions: AxisIds<T>;
  /** A token decoded after n tokens stands at n + delta. */
  delta: number;
  /** Where a segment appended to these would start. */
  next: number;
}

type Ids = Int32Array | BigInt64Array;
type Place = [number, number, number];

/** [axes, T] with one view per axis. */
function axisIds(ids: Int32Array, axes: number, type: unknown): AxisIds<Ids> {
  const length = ids.length / axes;
  const tensor = idTensor(ids, [axes, length], type) as IdTensor<Ids>;
  const rows = Array.from({ length: axes }, (_, axis) => tensor.data.subarray(axis * length, (axis + 1) * length));
  return { ...tensor, axes: rows };
}

/** A grid as numbers; rows and columns must be multiples of the merge size. */
function readGrid(grid: unknown, field: string, mergeSize: number): number[] {
  if (!isNumberArray(grid) || grid.length === 0)
    throw invalid(field, `must be the places along each axis, such as [t, h, w], got ${show(grid)}`);
  const sizes = Array.from<number | bigint, number>(grid, Number);
  if (sizes.some((size) => !isCount(size))) throw invalid(field, `must be whole numbers, got [${sizes.join(", ")}]`);
  if (sizes.slice(-2).some((size) => size % mergeSize !== 0) || (mergeSize > 1 && sizes.length < 2))
    throw invalid(field, `[${sizes.join(", ")}]: rows and columns must be multiples of mergeSize ${mergeSize}`);
  return sizes;
}

/** Calls `visit` for each place of a grid, the last axis fastest. */
function walk(sizes: readonly number[], visit: (place: readonly number[]) => void): void {
  const total = sizeOf(sizes);
  const place = sizes.map(() => 0);
  for (let i = 0; i < total; i++) {
    visit(place);
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      if (++place[axis]! < sizes[axis]!) break;
      place[axis] = 0;
    }
  }
}

/**
 * Where the patches of a grid [h, w] or [t, h, w] stand, in the order in which a vision encoder holds them: row by row,
 * or with `mergeSize` m in m × m blocks, each block row by row. Returns [axes, T]; `axes` holds one array per axis, ready
 * for `positions`. Throws: invalid-argument. Source: Hugging Face `get_vision_position_ids` (Qwen2-VL).
 */
export function gridPositionIds(grid: NumberArray, options: GridIdOptions & { type: "int64" }): AxisIds<BigInt64Array>;
export function gridPositionIds(grid: NumberArray, options?: GridIdOptions): AxisIds;
export function gridPositionIds(grid: NumberArray, options: GridIdOptions = {}): AxisIds<Ids> {
  checkOptions(options, "mergeSize offset type");
  const mergeSize = count(options.mergeSize, "mergeSize", 1, 1);
  const offset = count(options.offset, "offset", 0);
  const sizes = readGrid(grid, "grid", mergeSize);
  const axes = sizes.length;
  const length = sizeOf(sizes);
  const ids = new Int32Array(axes * length);
  // Blocks, and places inside a block, are the two halves of one larger grid.
  const merge = sizes.map((_, axis) => (axis >= axes - 2 ? mergeSize : 1));
  let token = 0;
  walk([...sizes.map((size, axis) => size / merge[axis]!), ...merge], (place) => {
    for (let axis = 0; axis < axes; axis++)
      ids[axis * length + token] = offset + place[axis]! * merge[axis]! + place[axes + axis]!;
    token++;
  });
  return axisIds(ids, axes, options.type);
}

interface Segment {
  kind: "text" | "padding" | "vision";
  /** Tokens of text or padding. */
  length: number;
  /** Frames, rows and columns after merging. */
  grid: [number, number, number];
  interval: number;
}

/** One segment, checked. */
function readSegment(segment: unknown, index: number, mergeSize: number): Segment {
  const field = `segments[${index}]`;
  checkOptions(segment, "text padding image video interval", field);
  const { interval = 1, ...rest } = segment as Record<string, unknown>;
  const [[name, value] = ["", undefined], another] = Object.entries(rest);
  if (name === "" || another)
    throw invalid(field, "must be one of { text }, { image: [t, h, w] }, { video: [t, h, w] } and { padding }");
  if (typeof interval !== "number" || !(interval >= 0) || !Number.isFinite(interval))
    throw invalid("interval", `must be ≥ 0, got ${show(interval)}`);
  if (interval !== 1 && name !== "video") throw invalid("interval", "belongs to a video");
  if (name === "text" || name === "padding")
    return { kind: name, length: count(value, `${field}.${name}`, 0), grid: [0, 0, 0], interval };
  const [t, h, w, ...more] = readGrid(value, `${field}.${name}`, mergeSize);
  if (w === undefined || more.length > 0) throw invalid(`${field}.${name}`, "a grid of M-RoPE is [t, h, w]");
  return { kind: "vision", length: 0, grid: [t!, h! / mergeSize, w / mergeSize], interval };
}

/** The places of a segment that starts at `start`. */
function placeSegment({ kind, length, grid, interval }: Segment, start: number, padding: number): Place[] {
  if (kind === "padding") return Array.from({ length }, () => [padding, padding, padding]);
  if (kind === "text") return Array.from({ length }, (_, i) => [start + i, start + i, start + i]);
  const places: Place[] = [];
  walk(grid, ([frame, row, column]) =>
    places.push([start + Math.floor(frame! * interval), start + row!, start + column!]),
  );
  return places;
}

/**
 * Position ids [3, T] (time, height, width) of a sequence of text, images and videos, for M-RoPE. Text counts on all three
 * axes; the patch in frame i, row r, column c of a [t, h, w] grid of patches stands at start + (⌊i · interval⌋, r, c)
 * after its rows and columns were merged `mergeSize` by `mergeSize`. What follows starts max(h, w) / mergeSize later
 * ("spatial", Transformers v5), or after the largest id so far ("maximum": Transformers v4, transformers.js); they differ
 * for videos with more frames than rows and columns. The next decoded token stands at tokens so far + `delta`.
 * Throws: invalid-argument. Source: Wang et al. 2024, arXiv:2409.12191, section 2.1; Hugging Face `get_rope_index`.
 */
export function mropePositionIds(
  segments: readonly MropeSegment[],
  options: MropeOptions & { type: "int64" },
): MropeIds<BigInt64Array>;
export function mropePositionIds(segments: readonly MropeSegment[], options?: MropeOptions): MropeIds;
export function mropePositionIds(segments: readonly MropeSegment[], options: MropeOptions = {}): MropeIds<Ids> {
  checkOptions(options, "mergeSize after offset padding type");
  if (!Array.isArray(segments)) throw invalid("segments", `must be a list of segments, got ${show(segments)}`);
  const mergeSize = count(options.mergeSize, "mergeSize", 1, 1);
  const offset = count(options.offset, "offset", 0);
  const { after = "spatial", padding = 0 } = options;
  if (after !== "spatial" && after !== "maximum")
    throw invalid("after", `must be "spatial" or "maximum", got ${show(after)}`);
  if (!Number.isInteger(padding)) throw invalid("padding", `must be a whole number, got ${show(padding)}`);
  const tokens: Place[] = [];
  let next = offset;
  let largest = offset - 1;
  segments.forEach((given, index) => {
    const segment = readSegment(given, index, mergeSize);
    const places = placeSegment(segment, next, padding);
    for (const place of places) tokens.push(place);
    if (segment.kind === "padding") return;
    for (const place of places) largest = Math.max(largest, ...place);
    if (segment.kind === "text") next += segment.length;
    else next = after === "spatial" ? next + Math.max(segment.grid[1], segment.grid[2]) : largest + 1;
  });
  if (largest > 2147483647) throw invalid("segments", `positions reach ${largest}, at most 2147483647 is possible`);
  const ids = new Int32Array(3 * tokens.length);
  tokens.forEach((place, i) => place.forEach((id, axis) => (ids[axis * tokens.length + i] = id)));
  return { positions: axisIds(ids, 3, options.type), delta: largest + 1 - tokens.length, next };
}
