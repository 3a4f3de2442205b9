// Finds the image input of a model, and its size for another grid of patches.
import type { ImageCounts, Pass } from "./facts.js";
import { numberOf, type Source } from "./sizes.js";
import { backward } from "../read/trace.js";
import type { NewGrid, Work } from "../rewrite/work.js";

/** A side of an image with a fixed length in a graph input. */
export interface ImageSide {
  readonly source: Source;
  readonly old: number;
  readonly number: number;
  readonly isWidth: boolean;
}

const sideOf = ({ rows, prefix }: NewGrid): number => Math.sqrt(rows - prefix);

/** Returns the fixed sides of image inputs that feed the tables, with their new lengths. */
export function imagesOf({ grids }: Work, before: Pass): ImageSide[] {
  return grids.flatMap((grid) => {
    const found: ImageSide[] = [];
    backward(
      grid.steps[0]?.ins.find((value) => value && value !== grid.table),
      (value) => {
        if (value.isGiven && !value.constant && !value.graph.parent) {
          const dims = before.of(value).dims?.map(numberOf) ?? [];
          for (const side of squareOf(dims, grid)) found.push({ ...side, source: { value, index: side.index } });
        }
        return false;
      },
    );
    return found;
  });
}

/** Returns two neighbouring dims of equal length, at least as long as the grid. */
function squareOf(dims: readonly (number | undefined)[], grid: NewGrid) {
  const side = sideOf(grid);
  const at = dims.findLastIndex((dim, i) => i > 0 && dim !== undefined && dim === dims[i - 1] && dim >= side) - 1;
  if (dims.length < 3 || at < 0 || grid.grid.length !== 2) return [];
  const old = dims[at]!;
  // The stride of overlapping patches is less than the quotient.
  const stride = Math.floor(old / side);
  return [at, at + 1].map((index, i) => ({
    index,
    old,
    number: old + (grid.grid[i]! - side) * stride,
    isWidth: i === 1,
  }));
}

/** Returns the counts of tokens, patches and pixels. */
export function imageCounts({ grids }: Work, images: readonly ImageSide[]): ImageCounts {
  const tokens = new Map<number, number>();
  const counts = new Map<number, number>();
  const sides = new Map<number, readonly [number, number]>();
  for (const grid of grids) {
    const { rows, prefix } = grid;
    const patches = grid.grid.reduce((product, length) => product * length, 1);
    tokens.set(rows, prefix + patches);
    counts.set(rows, prefix + patches).set(rows - prefix, patches);
    const [height, width] = grid.grid;
    if (width !== undefined) sides.set(sideOf(grid), [height!, width]);
  }
  for (const { old, number, isWidth } of images) {
    const [height, width] = sides.get(old) ?? [number, number];
    sides.set(old, isWidth ? [height, number] : [number, width]);
  }
  return { tokens, counts, sides };
}
