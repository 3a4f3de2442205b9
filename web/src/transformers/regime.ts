// Keys in a cache that were rotated with the frequencies of a shorter or longer text.
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { ArrayLike2D } from "../base/types.js";
import type { Gpu } from "../webgpu/gpu.js";
import { rerotateKeys, type CacheTensors } from "./cache.js";

/** A forward pass: the cache, the ids of all its tokens, and the lengths of the text before and after. */
export interface Growth {
  readonly cache: CacheTensors;
  /** Position ids [B, tokens]: those of the cached tokens first. */
  readonly ids: ArrayLike2D;
  readonly before: number;
  readonly after: number;
}

/**
 * Re-rotates cached keys if the frequencies for the longer text differ, so that all keys have the same. Dynamic NTK changes its
 * frequencies at each token: its keys stay, as in Transformers.
 */
export function followLength(encoding: RotaryEncoding<any>, growth: Growth, gpu: Gpu | undefined): void {
  const { cache, ids, before, after } = growth;
  if (encoding.kind === "rope-dynamic") return;
  const [old, now] = [encoding.frequenciesAt(before), encoding.frequenciesAt(after)];
  if (old.every((frequency, i) => frequency === now[i])) return;
  const columns = ids.dims.at(-1)!;
  rerotateKeys(cache, encoding, gpu, (count) => ({
    from: encoding,
    to: encoding,
    positions: Float64Array.from(ids.data as ArrayLike<number>, Number).filter((_, i) => i % columns < count),
    fromSequenceLength: before,
    sequenceLength: after,
  }));
}
