// Passes heads that are not float32 in wasm memory through wasm memory in chunks.
import { HeadLayout } from "../base/calls.gen.js";
import type { Region } from "../base/regions.js";
import type { Operand, Run } from "./operand.js";

// Chunks have about this many floats, which fit into the cache.
const chunkFloats = 65536;

/** Copies slices of positions (all heads of one batch element) of `x`, which has these dims, through wasm memory. */
export function inChunks(
  x: Operand,
  dims: readonly number[],
  layout: HeadLayout,
  rotate: (region: Region, row: number, first: number, count: number) => void,
): void {
  const [batch, heads, positions, width] =
    layout === HeadLayout.bhtd
      ? (dims as [number, number, number, number])
      : ([dims[0]!, dims[2]!, dims[1]!, dims[3]!] as const);
  const perPosition = heads * width;
  if (x.length === 0) return;
  x.checkApart();
  const step = Math.min(positions, Math.max(1, Math.floor(chunkFloats / perPosition)));
  const address = x.reserve(step * perPosition);
  for (let row = 0; row < batch; row++)
    for (let first = 0; first < positions; first += step) {
      const count = Math.min(step, positions - first);
      const start = row * positions * perPosition;
      // One run if positions come before heads or none is left out, otherwise one run for each head.
      const runs: Run[] =
        layout === HeadLayout.bthd || count === positions
          ? [[start + first * perPosition, count * perPosition]]
          : Array.from({ length: heads }, (_, head) => [start + (head * positions + first) * width, count * width]);
      const region = {
        address,
        length: count * perPosition,
        dims: layout === HeadLayout.bthd ? [1, count, heads, width] : [1, heads, count, width],
      };
      x.move(address, runs);
      rotate(region, row, first, count);
      x.move(address, runs, true);
    }
}
