// How similar the places of a grid are to each other, by different encodings. All vectors come from the library.
import { dots } from "../../lib/dots.ts";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import type { Size } from "./place.ts";

export interface GridSettings extends Size {
  dim: number;
  base: number;
}

/** A vector for every place, row by row. */
export interface Vectors {
  data: Float32Array;
  width: number;
}

/** Every place against every other one, row by row. */
export interface Similarity {
  data: Float32Array;
  places: number;
}

export const methods = ["grid", "line", "axial"] as const;
export type Method = (typeof methods)[number];

interface RotatedGrid {
  spec: { kind: "rope-axial"; dim: number; base?: number; axes?: number; axisDims?: number[] };
  grid: number[];
}

/** A query and a key that are alike (all ones), rotated for every place of a grid. */
function rotatedVectors(pe: Posenc, { spec, grid }: RotatedGrid): Vectors {
  const places = grid.reduce((product, size) => product * size);
  const vectors = { data: new Float32Array(places * spec.dim).fill(1), dims: [1, 1, places, spec.dim] };
  withEncoding(pe.create(spec), (rope) => rope.apply(vectors, { grid }));
  return { data: vectors.data, width: spec.dim };
}

/** Scores after rotation at every two places of a grid. */
export function rotatedSimilarity(pe: Posenc, rotated: RotatedGrid): Similarity {
  const { data, width } = rotatedVectors(pe, rotated);
  const places = data.length / width;
  return { data: pe.similarity({ data, dims: [places, width] }).data, places };
}

export function vectorsOf(pe: Posenc, method: Method, { rows, columns, dim, base }: GridSettings): Vectors {
  const grid = [rows, columns];
  if (method === "axial") return rotatedVectors(pe, { spec: { kind: "rope-axial", dim, base }, grid });
  const { data } =
    method === "grid"
      ? withEncoding(pe.create({ kind: "sinusoidal-2d", dim }), (encoding) => encoding.table({ grid }))
      : withEncoding(pe.create({ kind: "sinusoidal", dim }), (encoding) => encoding.table({ length: rows * columns }));
  return { data, width: data.length / (rows * columns) };
}

/** One place against all others, as a share of its similarity to itself. */
export function shares({ data, places }: Similarity, place: number): Float32Array {
  const self = data[place * places + place];
  return data.slice(place * places, (place + 1) * places).map((value) => value / self);
}

/** The same, asked for one place. */
export function sharesOf({ data, width }: Vectors, place: number): Float32Array {
  const row = dots(data.subarray(place * width, (place + 1) * width), data, width);
  const self = row[place];
  return row.map((value) => value / self);
}

/** From the smallest number of all maps to 1, rounded outwards so that the colours do not flicker. */
export const rangeOf = (maps: ArrayLike<number>[]): readonly [number, number] => {
  const least = Math.min(...maps.map((map) => Array.from(map).reduce((one, other) => Math.min(one, other), 1)));
  return [Math.floor(least * 10) / 10, 1];
};
