// Position ids with several axes: patches of images and videos, and text between them (M-RoPE).
import { checkWhole, idArray, isNumberArray } from "../base/arrays.js";
import { sizeOf } from "../base/dims.js";
import { invalid, isCount, show } from "../base/errors.js";
import { asIs, count, maxAxes, number, oneOf, or, readOptions } from "../base/options.js";
import type {
  ArrayLike2D,
  IdTensor,
  NumberArray,
  OwnedBigInt64Array,
  OwnedFloat64Array,
  OwnedInt32Array,
  UntypedTensor,
} from "../base/types.js";
import { idTensor, idType, isId } from "./position-ids.js";

/** Position ids with several axes, shape [axes, T]. */
export interface AxisIds<T extends Int32Array | BigInt64Array = OwnedInt32Array> extends IdTensor<T> {
  /** One array per axis (views of `data`), as `positions` takes them. */
  readonly axes: T[];
}

/** Options of `gridPositionIds`. */
export interface GridIdOptions {
  /** Patches are ordered in blocks of mergeSize × mergeSize. Default 1: row by row. */
  mergeSize?: number;
  /**
   * Number of columns of the table that ids index (Pixtral): a patch of a grid [h, w] gets one id, row · columns +
   * column. Default: one id per axis.
   */
  columns?: number;
  /** Added to every id. Default 0. */
  offset?: number;
  /** Type of the ids. Default "int32". */
  type?: "int32" | "int64";
}

/** A segment of a multimodal sequence: a number of text or padding tokens, or a grid of patches [frames, rows, columns]. */
export type MropeSegment =
  | { text: number }
  | { padding: number }
  | { image: NumberArray }
  | { video: NumberArray; /** Ids per frame; may be a fraction. Default 1. */ interval?: number };

/** Options of `mropePositionIds`. */
export interface MropeOptions {
  /** Number of patches along each side that become one token (Qwen-VL: 2). Default 1: grids are given in tokens. */
  mergeSize?: number;
  /** Rule for the first id after an image or video: see `mropePositionIds`. Default "spatial". */
  after?: "spatial" | "maximum";
  /** The first id. Default 0. */
  offset?: number;
  /** Id of padding tokens. Default 0. */
  padding?: number;
  /** Type of the ids. Default "int32". */
  type?: "int32" | "int64";
}

/** Position ids of M-RoPE, and the positions at which the sequence continues. */
export interface MropeIds<T extends Int32Array | BigInt64Array = OwnedInt32Array> {
  /** Shape [3, T]: time, height, width. */
  positions: AxisIds<T>;
  /** The token decoded after n tokens is at position n + delta. */
  delta: number;
  /** First position of a segment appended to these. */
  next: number;
}

const idOptions = { mergeSize: or(count(1), 1), offset: or(count(), 0), type: idType };
const gridOptions = { ...idOptions, columns: or(count(1), 0) };
const mropeOptions = {
  ...idOptions,
  after: or(oneOf("spatial", "maximum"), "spatial"),
  padding: or(number, 0),
};
const segmentOptions = { text: asIs, padding: asIs, image: asIs, video: asIs, interval: or(number, 1) };

type Ids = OwnedInt32Array | OwnedBigInt64Array;

/** Returns ids [axes, T] with one view per axis. */
export function axisIds(ids: OwnedInt32Array, axes: number, type: "int32" | "int64"): AxisIds<Ids> {
  const length = ids.length / axes;
  const tensor = idTensor(ids, [axes, length], type) as IdTensor<Ids>;
  const rows = Array.from({ length: axes }, (_, axis) => tensor.data.subarray(axis * length, (axis + 1) * length));
  return { ...tensor, axes: rows };
}

/** Reads a grid. Rows and columns must be multiples of the merge size. */
function readGrid(grid: unknown, field: string, mergeSize: number): number[] {
  checkWhole(grid, field, "the sizes of the axes, such as [t, h, w]");
  if (grid.length === 0 || grid.length > maxAxes)
    throw invalid(field, `must be 1 to ${maxAxes} sizes of axes, such as [t, h, w], got ${grid.length}`);
  const sizes = Array.from<number | bigint, number>(grid, Number);
  if (sizes.some((size) => !isCount(size))) throw invalid(field, `must be whole numbers, got [${sizes.join(", ")}]`);
  if (sizes.slice(-2).some((size) => size % mergeSize !== 0) || (mergeSize > 1 && sizes.length < 2))
    throw invalid(field, `[${sizes.join(", ")}]: rows and columns must be multiples of mergeSize ${mergeSize}`);
  return sizes;
}

/** Calls `visit` for each cell of a grid, the last axis fastest. */
function walk(sizes: readonly number[], visit: (cell: readonly number[]) => void): void {
  const total = sizeOf(sizes);
  const cell = sizes.map(() => 0);
  for (let i = 0; i < total; i++) {
    visit(cell);
    for (let axis = sizes.length - 1; axis >= 0; axis--) {
      if (++cell[axis]! < sizes[axis]!) break;
      cell[axis] = 0;
    }
  }
}

/** One grid, or one for each image of a batch. */
type Grids = NumberArray | readonly NumberArray[];

/** Calls `visit` for each patch of a grid, block by block, always with the same array. */
function walkPatches(sizes: readonly number[], mergeSize: number, visit: (cell: readonly number[]) => void): void {
  const axes = sizes.length;
  // Blocks, and patches inside a block, form one larger grid.
  const merge = sizes.map((_, axis) => (axis >= axes - 2 ? mergeSize : 1));
  const patch = sizes.map(() => 0);
  walk([...sizes.map((size, axis) => size / merge[axis]!), ...merge], (cell) => {
    for (let axis = 0; axis < axes; axis++) patch[axis] = cell[axis]! * merge[axis]! + cell[axes + axis]!;
    visit(patch);
  });
}

/** Returns the function from a cell [row, column] to its id under `columns`. */
function flatten(sizes: readonly number[], columns: number, field: string): (cell: readonly number[]) => number[] {
  if (sizes.length !== 2 || sizes[1]! > columns)
    throw invalid("columns", `${field} must be [h, w] with w at most ${columns}, got [${sizes.join(", ")}]`);
  return ([row, column]) => [row! * columns + column!];
}

/** Returns the position ids of patches as int64, for `type: "int64"`. */
export function gridPositionIds(grid: Grids, options: GridIdOptions & { type: "int64" }): AxisIds<OwnedBigInt64Array>;
/**
 * Returns the position ids of the patches of an image or video, in the order in which a vision encoder holds them.
 *
 * The order is row by row, or with `mergeSize` m in m × m blocks, each block row by row. Several grids (Qwen-VL's `grid_thw`)
 * follow one another, one image after the other.
 * @param grid Number of patches along each axis, [h, w] or [t, h, w] (up to 4 axes), or an array of such grids.
 * @param options Block size, first id, `columns`, and the type of the ids.
 * @returns Shape [axes, T] for T patches ([1, T] with `columns`); int32, or int64 with `type`. `axes` holds one array per axis.
 * @throws {PosencError} `invalid-argument` if a grid is not 1 to 4 whole numbers, grids have different numbers of axes, rows or
 * columns are not a multiple of `mergeSize`, or ids exceed 2147483647; `out-of-memory`.
 * @example
 * rope2d.apply(q, { positions: gridPositionIds([24, 16]) });
 * @see Hugging Face `get_vision_position_ids` (Qwen2-VL), `position_ids_in_meshgrid` (Pixtral)
 */
export function gridPositionIds(grid: Grids, options?: GridIdOptions): AxisIds;
export function gridPositionIds(grid: Grids, options: GridIdOptions = {}): AxisIds<Ids> {
  if (!isNumberArray(grid)) readGrid(grid, "grid", 1);
  const { mergeSize, columns, offset, type } = readOptions(options, gridOptions);
  const several = Array.isArray(grid) && isNumberArray(grid[0]);
  const grids = several ? (grid as readonly NumberArray[]) : [grid as NumberArray];
  const field = (index: number) => (several ? `grid[${index}]` : "grid");
  const all = grids.map((one, index) => readGrid(one, field(index), mergeSize));
  const axes = columns ? 1 : all[0]!.length;
  const length = all.reduce((sum, sizes) => sum + sizeOf(sizes), 0);
  const reach = (sizes: readonly number[]): number => (columns ? sizes[0]! * columns : Math.max(...sizes));
  const largest = all.reduce((most, sizes) => Math.max(most, reach(sizes)), 0);
  if (offset + largest > 2 ** 31) throw invalid("offset", `ids exceed 2147483647, got ${offset}`);
  const ids = idArray(axes * length);
  let token = 0;
  all.forEach((sizes, index) => {
    if (sizes.length !== all[0]!.length)
      throw invalid(field(index), `must have ${all[0]!.length} axes like the first, got [${sizes.join(", ")}]`);
    const idsOf = columns ? flatten(sizes, columns, field(index)) : (cell: readonly number[]) => cell;
    walkPatches(sizes, mergeSize, (cell) => {
      const own = idsOf(cell);
      for (let axis = 0; axis < axes; axis++) ids[axis * length + token] = offset + own[axis]!;
      token++;
    });
  });
  return axisIds(ids, axes, type);
}

/** Positions of the pixels of one padded image, as `table` of `sinusoidal-2d` takes them. */
export interface MaskedPositions {
  /** Row and column of each pixel, counted over the visible ones: [H * W] each. */
  positions: [OwnedFloat64Array, OwnedFloat64Array];
  /** Number of visible rows and columns. */
  grid: [number, number];
}

/**
 * Returns the row and column of each pixel in a batch of images that are padded to one size.
 *
 * Pass them to `table` of a `sinusoidal-2d` encoding (DETR). Rows and columns count the visible ones, from 0; padding after them
 * repeats the last number. A pixel has row -1 if its column has no visible pixel up to it, and column -1 if its row has none; an
 * encoding that starts at 1, as DETR's does, makes that 0.
 * @param pixelMask Shape [B, H, W] or [H, W], 1 = visible, 0 = padding, as Hugging Face's `pixel_mask`.
 * @returns One entry per image: `positions`, [H * W] for rows and for columns, and the `grid` of visible rows and columns.
 * @throws {PosencError} `invalid-argument` if dims and data do not fit, or the visible pixels of an image are not a rectangle.
 * @see Carion et al. 2020, arXiv:2005.12872; `PositionEmbeddingSine` of facebookresearch/detr (cumsum of the mask)
 */
export function pixelPositions(pixelMask: ArrayLike2D | UntypedTensor): MaskedPositions[] {
  const { data, dims } = (pixelMask ?? {}) as { data?: unknown; dims?: unknown };
  if (!isNumberArray(data) || !isNumberArray(dims) || ![2, 3].includes(dims.length))
    throw invalid("pixelMask", `must be { data, dims } with dims [B, H, W] or [H, W], got ${show(pixelMask)}`);
  checkWhole(data, "pixelMask", undefined, true);
  checkWhole(dims, "pixelMask.dims");
  const [width = 0, height = 0, images = 1] = Array.from<number | bigint, number>(dims, Number).reverse();
  if (images * height * width !== data.length)
    throw invalid("pixelMask", `dims [${dims.join(", ")}] need ${images * height * width} values, got ${data.length}`);
  const size = height * width;
  return Array.from({ length: images }, (_, image) => {
    const isVisible = (pixel: number) => Boolean(Number(data[image * size + pixel]));
    return pixelIds(isVisible, height, width, `image ${image}`);
  });
}

function pixelIds(isVisible: (pixel: number) => boolean, height: number, width: number, name: string): MaskedPositions {
  const rows = new Float64Array(height * width);
  const columns = new Float64Array(height * width);
  let grid: [number, number] = [0, 0];
  for (let pixel = 0; pixel < rows.length; pixel++) {
    const step = isVisible(pixel) ? 1 : 0;
    rows[pixel] = (pixel < width ? -1 : rows[pixel - width]!) + step;
    columns[pixel] = (pixel % width === 0 ? -1 : columns[pixel - 1]!) + step;
    grid = [Math.max(grid[0], rows[pixel]! + 1), Math.max(grid[1], columns[pixel]! + 1)];
  }
  const visible = rows.reduce((total, _, pixel) => total + (isVisible(pixel) ? 1 : 0), 0);
  if (visible !== grid[0] * grid[1]) throw invalid("pixelMask", `${name}: visible pixels must be a rectangle`);
  return { positions: [rows, columns], grid };
}

interface Segment {
  kind: "text" | "padding" | "vision";
  /** Number of tokens. */
  length: number;
  /** Frames, rows and columns after merging. */
  grid: [number, number, number];
  interval: number;
}

/** Reads and checks one segment. */
function readSegment(segment: MropeSegment, index: number, mergeSize: number): Segment {
  const field = `segments[${index}]`;
  const { interval, ...rest } = readOptions(segment, segmentOptions, field);
  const [[name, value] = ["", undefined], another] = Object.entries(rest).filter(([, given]) => given !== undefined);
  if (name === "" || another)
    throw invalid(field, "must be one of { text }, { image: [t, h, w] }, { video: [t, h, w] } and { padding }");
  if (!(interval >= 0) || !Number.isFinite(interval)) throw invalid("interval", `must be ≥ 0, got ${show(interval)}`);
  if (interval !== 1 && name !== "video") throw invalid("interval", "belongs to a video");
  if (name === "text" || name === "padding")
    return { kind: name, length: count()(value, `${field}.${name}`), grid: [0, 0, 0], interval };
  const [t, h, w, ...more] = readGrid(value, `${field}.${name}`, mergeSize);
  if (w === undefined || more.length > 0) throw invalid(`${field}.${name}`, "a grid of M-RoPE is [t, h, w]");
  const sizes: Segment["grid"] = [t!, h! / mergeSize, w / mergeSize];
  return { kind: "vision", length: sizeOf(sizes), grid: sizes, interval };
}

/**
 * Writes the coordinates of a segment that starts at `start` to the axes from token `at` on. Returns the largest id.
 */
function writeSegment(
  { kind, length, grid, interval }: Segment,
  start: number,
  at: number,
  axes: Int32Array[],
): number {
  if (kind === "vision") {
    const [frames, rows, columns] = grid;
    const [times, heights, widths] = axes as [Int32Array, Int32Array, Int32Array];
    for (let line = 0, token = at; line < frames * rows; line++, token += columns) {
      times.fill(start + Math.floor(Math.floor(line / rows) * interval), token, token + columns);
      heights.fill(start + (line % rows), token, token + columns);
      for (let column = 0; column < columns; column++) widths[token + column] = start + column;
    }
    const last = start + Math.floor(Math.max(0, frames - 1) * interval);
    return Math.max(last, start - 1 + Math.max(rows, columns));
  }
  for (const axis of axes) for (let i = 0; i < length; i++) axis[at + i] = start + i;
  return start + length - 1;
}

/** Returns the M-RoPE position ids of a sequence as int64, for `type: "int64"`. */
export function mropePositionIds(
  segments: readonly MropeSegment[],
  options: MropeOptions & { type: "int64" },
): MropeIds<OwnedBigInt64Array>;
/**
 * Returns the position ids of a sequence of text, images and videos for M-RoPE (Qwen-VL).
 *
 * Text counts on all three axes. The patch in frame i, row r, column c of a grid [t, h, w] is at start + (⌊i ·
 * interval⌋, r, c), after rows and columns were merged `mergeSize` by `mergeSize`. The next segment starts
 *
 * - max(h, w) / mergeSize later with `after: "spatial"` (Transformers v5);
 * - after the largest id so far with "maximum" (Transformers v4, transformers.js).
 *
 * The two differ for videos with more frames than rows and columns.
 * @param segments Text and padding in tokens, images and videos as grids of patches [t, h, w], in the order of the
 * sequence.
 * @param options Merge size, first id, id of padding, `after`, and the type of the ids.
 * @returns `positions`, shape [3, T] (time, height, width), int32, or int64 with `type`; `next`, the first position of
 * an appended segment; `delta`: the next decoded token is at position number of tokens so far + `delta`.
 * @throws {PosencError} `invalid-argument` if a segment or option is invalid, or ids exceed 2147483647;
 * `out-of-memory`.
 * @example
 * const { positions, delta } = mropePositionIds([{ text: 4 }, { image: [1, 16, 24] }, { text: 7 }], { mergeSize: 2 });
 * @see Wang et al. 2024, arXiv:2409.12191, section 2.1; Hugging Face `get_rope_index`
 */
export function mropePositionIds(segments: readonly MropeSegment[], options?: MropeOptions): MropeIds;
export function mropePositionIds(segments: readonly MropeSegment[], options: MropeOptions = {}): MropeIds<Ids> {
  const { mergeSize, after, offset, padding, type } = readOptions(options, mropeOptions);
  if (!Array.isArray(segments)) throw invalid("segments", `must be a list of segments, got ${show(segments)}`);
  if (!isId(padding)) throw invalid("padding", `must be a whole number of 32 bits, got ${show(padding)}`);
  const read = segments.map((segment, index) => readSegment(segment, index, mergeSize));
  const total = read.reduce((sum, { length }) => sum + length, 0);
  const ids = idArray(3 * total);
  const axes = [0, 1, 2].map((axis) => ids.subarray(axis * total, (axis + 1) * total));
  let [at, next, largest] = [0, offset, offset - 1];
  for (const segment of read) {
    const { kind, length, grid } = segment;
    if (kind === "padding") for (const axis of axes) axis.fill(padding, at, at + length);
    else if (length > 0) largest = Math.max(largest, writeSegment(segment, next, at, axes));
    if (kind === "text") next += length;
    else if (kind === "vision") next = after === "spatial" ? next + Math.max(grid[1], grid[2]) : largest + 1;
    at += length;
  }
  if (largest > 2147483647) throw invalid("segments", `positions reach ${largest}, at most 2147483647 is possible`);
  return { positions: axisIds(ids, 3, type), delta: largest + 1 - total, next };
}
