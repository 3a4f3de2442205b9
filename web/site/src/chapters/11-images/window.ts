// Swin's window: which entry of the learned table each pair of patches reads. The entries come from the library.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import type { Place } from "./place.ts";

export interface WindowEntries {
  size: number;
  /** [patches, patches]: a row for each query, a column for each key. */
  entries: Int32Array;
  /** How many pairs read each entry. */
  counts: number[];
}

export function windowEntries(pe: Posenc, size: number): WindowEntries {
  const patches = size * size;
  const spec = { kind: "swin", heads: 1, windowHeight: size, windowWidth: size } as const;
  return withEncoding(pe.create(spec), (swin) => {
    const { data } = swin.buckets({ queries: patches, keys: patches });
    const counts = Array.from({ length: swin.parameters.weights.dims[0] }, () => 0);
    for (const entry of data) counts[entry] += 1;
    return { size, entries: data, counts };
  });
}

export const entryOf = ({ size, entries }: WindowEntries, query: number, key: number): number =>
  entries[query * size * size + key];

/** All pairs that read an entry, as places in the window. */
export function pairsOf({ size, entries }: WindowEntries, entry: number): { query: Place; key: Place }[] {
  const placeOf = (patch: number): Place => ({ row: Math.floor(patch / size), column: patch % size });
  return Array.from(entries).flatMap((value, index) =>
    value === entry ? [{ query: placeOf(Math.floor(index / (size * size))), key: placeOf(index % (size * size)) }] : [],
  );
}
