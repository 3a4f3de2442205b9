// T5's buckets of a row of distances, and the bias matrix of one head.
import { PosencError } from "posenc/ids";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";

export interface BucketSettings {
  buckets: number;
  largest: number;
  bidirectional: boolean;
  reach: number;
  logarithmic: boolean;
}

/** Neighbouring distances (key - query) that share a bucket. */
export interface BucketRun {
  bucket: number;
  from: number;
  to: number;
}

export interface Buckets {
  distances: number[];
  bucketOf: Int32Array;
  runs: BucketRun[];
  /** [places, places] of one head. */
  bias: Float32Array;
  biasBuckets: Int32Array;
}

/** Queries and keys of the matrix. */
export const places = 48;

function runsOf(distances: number[], bucketOf: Int32Array): BucketRun[] {
  const runs: BucketRun[] = [];
  distances.forEach((distance, index) => {
    const last = runs.at(-1);
    if (last?.bucket === bucketOf[index]) last.to = distance;
    else runs.push({ bucket: bucketOf[index], from: distance, to: distance });
  });
  return runs;
}

/** Everything the figure shows, or what the library says against such buckets. */
export function t5Buckets(pe: Posenc, settings: BucketSettings): Buckets | { message: string } {
  const { buckets, largest: maxDistance, bidirectional, reach } = settings;
  const distances = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
  try {
    const spec = { kind: "t5", heads: 1, buckets, maxDistance, bidirectional, std: 1, seed: 4 } as const;
    return withEncoding(pe.create(spec), (t5) => {
      const asked = { queries: 1, keys: distances.length, offset: 0, keyPositions: distances };
      const bucketOf = t5.buckets(asked).data;
      const size = { queries: places, keys: places };
      return {
        distances,
        bucketOf,
        runs: runsOf(distances, bucketOf),
        bias: t5.bias(size).data,
        biasBuckets: t5.buckets(size).data,
      };
    });
  } catch (problem) {
    if (!(problem instanceof PosencError)) throw problem;
    return { message: problem.message };
  }
}
