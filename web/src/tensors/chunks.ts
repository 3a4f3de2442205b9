// Ordinary arrays of heads on their way through wasm memory.
import { HeadLayout } from "../base/calls.gen.js";
import type { Region } from "../base/regions.js";
import type { TensorLike } from "../base/types.js";
import type { Core } from "../wasm/core.js";

// Chunks of about this many floats, which stay in cache.
const chunkFloats = 65536;

/** Hands slices of positions (all heads of one batch row) through wasm memory. */
export function inChunks(
  core: Core,
  x: TensorLike,
  layout: HeadLayout,
  rotate: (region: Region, row: number, first: number, count: number) => void,
): void {
  const [batch, heads, positions, width] =
    layout === HeadLayout.bhtd
      ? (x.dims as [number, number, number, number])
      : ([x.dims[0]!, x.dims[2]!, x.dims[1]!, x.dims[3]!] as const);
  const perPosition = heads * width;
  if (x.data.length === 0) return;
  const step = Math.min(positions, Math.max(1, Math.floor(chunkFloats / perPosition)));
  const address = core.borrow(4 * step * perPosition);
  for (let row = 0; row < batch; row++)
    for (let first = 0; first < positions; first += step) {
      const count = Math.min(step, positions - first);
      const start = row * positions * perPosition;
      // One run of memory where positions lead or none is left out, one for each head otherwise.
      const runs =
        layout === HeadLayout.bthd || count === positions
          ? [x.data.subarray(start + first * perPosition, start + (first + count) * perPosition)]
          : headRuns(x.data, start, heads, positions * width, first * width, count * width);
      const region = {
        address,
        length: count * perPosition,
        dims: layout === HeadLayout.bthd ? [1, count, heads, width] : [1, heads, count, width],
      };
      runs.forEach((run, i) => core.floats(address + 4 * i * run.length, run.length).set(run));
      rotate(region, row, first, count);
      runs.forEach((run, i) => run.set(core.floats(address + 4 * i * run.length, run.length)));
    }
}

function headRuns(
  data: Float32Array,
  start: number,
  heads: number,
  stride: number,
  offset: number,
  length: number,
): Float32Array[] {
  return Array.from({ length: heads }, (_, head) => {
    const at = start + head * stride + offset;
    return data.subarray(at, at + length);
  });
}
