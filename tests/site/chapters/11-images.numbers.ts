// What the figures of the images chapter have to show, straight from the library.
import { pe } from "../library.ts";

export interface Grid {
  rows: number;
  columns: number;
}

/** Similarity of every place to every other one, as shares of that of a place with itself. */
export function shareIn(table: { data: Float32Array; dims: readonly number[] }) {
  const count = table.dims[0];
  const { data } = pe.similarity(table);
  return (a: number, b: number) => data[a * count + b] / data[a * count + a];
}

export function similarities({ rows, columns }: Grid, dim: number, base: number) {
  const grid = [rows, columns];
  const queries = { data: new Float32Array(rows * columns * dim).fill(1), dims: [1, 1, rows * columns, dim] };
  pe.create({ kind: "rope-axial", dim, base }).apply(queries, { grid });
  return [
    shareIn(pe.create({ kind: "sinusoidal-2d", dim }).table({ grid })),
    shareIn(pe.create({ kind: "sinusoidal", dim }).table({ length: rows * columns })),
    shareIn({ data: queries.data, dims: [rows * columns, dim] }),
  ];
}

export const trained = 14;

/** The error of each way of resizing, in the order of the figure's table. */
export function resizeErrors(rows: number, columns: number, noise = 0): number[] {
  const encoding = pe.create({ kind: "sinusoidal-2d", dim: 64 });
  const table = encoding.table({ grid: [trained, trained] });
  if (noise) pe.create({ kind: "learned", length: trained ** 2, dim: 64, std: noise, seed: 1 }).addTo(table);
  const centres = (size: number) => Array.from({ length: size }, (_, i) => ((i + 0.5) * trained) / size - 0.5);
  const positions = [
    centres(rows).flatMap((y) => Array.from({ length: columns }, () => y)),
    centres(rows).flatMap(() => centres(columns)),
  ];
  const truth = encoding.table({ positions }).data;
  const grid = [rows, columns];
  const line = pe.create({ kind: "learned", length: trained ** 2, dim: 64, weights: table.data });
  const tables = [
    pe.resizeTable(table, { grid, mode: "nearest" }).data,
    pe.resizeTable(table, { grid, mode: "bilinear" }).data,
    pe.resizeTable(table, { grid, mode: "bilinear", antialias: true }).data,
    pe.resizeTable(table, { grid, mode: "bicubic" }).data,
    pe.resizeTable(table, { grid, mode: "bicubic", antialias: true }).data,
    line.resize({ length: rows * columns, mode: "linear" }).weights.data,
  ];
  return tables.map((data) =>
    Math.sqrt(data.reduce((sum, value, i) => sum + (value - truth[i]) ** 2, 0) / data.length),
  );
}

/** The similarity of one place to the same place in every frame. */
export function sameWhere(method: "table" | "axial", frames: number, cell: [number, number, number]): number[] {
  const grid = [frames, 8, 8];
  const at = (frame: number) => (frame * 8 + cell[1]) * 8 + cell[2];
  let table = pe.create({ kind: "sinusoidal-3d", dim: 96 }).table({ grid });
  if (method === "axial") {
    const queries = { data: new Float32Array(frames * 64 * 128).fill(1), dims: [1, 1, frames * 64, 128] };
    pe.create({ kind: "rope-axial", dim: 128, base: 256, axes: 3, axisDims: [16, 56, 56] }).apply(queries, { grid });
    table = { type: "float32", data: queries.data, dims: [frames * 64, 128] };
  }
  const share = shareIn(table);
  return Array.from({ length: frames }, (_, frame) => share(at(cell[0]), at(frame)));
}
