// Similarity over the frames of a video: three coordinates, time first.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { rotatedSimilarity, type Similarity } from "./similarity.ts";

export const videoGrid = { rows: 8, columns: 8 };
export const videoMethods = ["table", "axial"] as const;
export type VideoMethod = (typeof videoMethods)[number];

export function videoSimilarity(pe: Posenc, method: VideoMethod, frames: number): Similarity {
  const grid = [frames, videoGrid.rows, videoGrid.columns];
  if (method === "axial") {
    // HunyuanVideo's shares and base.
    const spec = { kind: "rope-axial", dim: 128, base: 256, axes: 3, axisDims: [16, 56, 56] } as const;
    return rotatedSimilarity(pe, { spec: { ...spec, axisDims: [...spec.axisDims] }, grid });
  }
  const table = withEncoding(pe.create({ kind: "sinusoidal-3d", dim: 96 }), (encoding) => encoding.table({ grid }));
  return { data: pe.similarity(table).data, places: frames * videoGrid.rows * videoGrid.columns };
}

/** The part of a row of similarities that belongs to one frame. */
export function frameOf(row: Float32Array, frame: number): Float32Array {
  const patches = videoGrid.rows * videoGrid.columns;
  return row.subarray(frame * patches, (frame + 1) * patches);
}
