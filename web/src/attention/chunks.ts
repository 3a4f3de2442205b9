// Calls of attention in parts, so that a long call can report its progress or be aborted.
import type { Core } from "../wasm/core.js";

/** Some of the chunks of queries that a call consists of. Calls for all chunks write what one call writes. */
export interface ChunkRange {
  /** Index of the first chunk. */
  readonly first: number;
  /** The largest number of chunks. */
  readonly most: number;
  /** Receives the number of chunks of the whole call. */
  all: number;
}

/** Runs a call with the address of a range; 0: the whole call. */
export function withChunks(core: Core, range: ChunkRange | undefined, call: (address: number) => void): void {
  if (!range) return call(0);
  const address = core.borrow(24);
  core.doubles(address, 3).set([range.first, range.most, 0]);
  call(address);
  range.all = core.doubles(address, 3)[2]!;
}
