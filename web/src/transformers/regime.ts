// Keys in a cache that were rotated with the frequencies of a shorter or longer text.
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { ArrayLike2D } from "../base/types.js";
import type { Gpu } from "../webgpu/gpu.js";
import { rerotateKeys, type CacheTensors } from "./cache.js";

/** A forward pass that makes a text longer. */
export interface Growth {
  readonly cache: CacheTensors;
  /** Lengths of the text, before and after. */
  readonly before: number;
  readonly after: number;
  /** Returns position ids [batch, at least `tokens`] of the cached tokens. */
  readonly idsOf: (tokens: number) => ArrayLike2D;
}

/**
 * Re-rotates cached keys if the frequencies for the longer text differ, so that all keys have the same. Dynamic NTK changes its
 * frequencies at each token: its keys stay, as in Transformers.
 */
export function followLength(encoding: RotaryEncoding<any>, growth: Growth, gpu: Gpu | undefined): void {
  const { cache, before, after, idsOf } = growth;
  if (encoding.kind === "rope-dynamic") return;
  const [old, now] = [encoding.frequenciesAt(before), encoding.frequenciesAt(after)];
  if (old.every((frequency, i) => frequency === now[i])) return;
  rerotateKeys(cache, encoding, gpu, (tokens) => {
    const { data, dims } = idsOf(tokens);
    const columns = dims.at(-1)!;
    const positions = Float64Array.from(data as ArrayLike<number>, Number).filter((_, i) => i % columns < tokens);
    return { from: encoding, to: encoding, positions, fromSequenceLength: before, sequenceLength: after };
  });
}
