// A learned table of 14 × 14 places made into another grid, beside what it should be there. The library does the resizing.
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import type { Size } from "./place.ts";
import type { Similarity } from "./similarity.ts";

export const trained = 14;
const dim = 64;

export const modes = ["nearest", "bilinear", "bicubic", "line"] as const;
export type Mode = (typeof modes)[number];

export interface ResizeSettings extends Size {
  noise: number;
  mode: Mode;
  antialias: boolean;
}

interface Table {
  data: Float32Array;
  dims: number[];
}

const trainedGrid = { rows: trained, columns: trained };

/** Sinusoids of the trained grid, with the noise of an untrained table on top. */
function trainedTable(pe: Posenc, noise: number): Table {
  const table = withEncoding(pe.create({ kind: "sinusoidal-2d", dim }), (encoding) =>
    encoding.table({ grid: [trained, trained] }),
  );
  if (noise > 0) {
    const spec = { kind: "learned", length: trained ** 2, dim, std: noise, seed: 1 } as const;
    withEncoding(pe.create(spec), (random) => random.addTo(table));
  }
  return table;
}

/** Where the middle of each new patch lies in the trained grid: half a cell is half a cell in both. */
export function placesIn(size: number): number[] {
  return Array.from({ length: size }, (_, index) => ((index + 0.5) * trained) / size - 0.5);
}

/** The sinusoids themselves at the places of the new grid: what a perfect interpolation would give. */
function trueTable(pe: Posenc, { rows, columns }: Size): Table {
  const [ys, xs] = [placesIn(rows), placesIn(columns)];
  const positions = [ys.flatMap((y) => xs.map(() => y)), ys.flatMap(() => xs)];
  return withEncoding(pe.create({ kind: "sinusoidal-2d", dim }), (encoding) => encoding.table({ positions }));
}

interface Request extends Size {
  mode: Mode;
  antialias: boolean;
}

/** Through a learned encoding with the table as its weights, as a reader with a checkpoint would do it. */
function resized(pe: Posenc, table: Table, { rows, columns, mode, antialias }: Request): Table {
  const spec = { kind: "learned", length: trained ** 2, dim, weights: table.data } as const;
  return withEncoding(pe.create(spec), (learned) =>
    withEncoding(
      mode === "line"
        ? learned.resize({ length: rows * columns, mode: "linear" })
        : learned.resize({ grid: [rows, columns], mode, antialias: antialias && mode !== "nearest" }),
      ({ weights }) => ({ data: weights.data.slice(), dims: [...weights.dims] }),
    ),
  );
}

const rootMeanSquare = (values: ArrayLike<number>) =>
  Math.sqrt(Array.from(values).reduce((sum, value) => sum + value * value, 0) / values.length);

/** How far each row of a table is from the true one. */
function errors(table: Table, truth: Table): Float32Array {
  const rows = table.data.length / dim;
  return Float32Array.from({ length: rows }, (_, row) => {
    const own = table.data.subarray(row * dim, (row + 1) * dim);
    return rootMeanSquare(own.map((value, feature) => value - truth.data[row * dim + feature]));
  });
}

export interface Contender {
  mode: Mode;
  antialias: boolean;
  error: number;
}

const contenders = modes.flatMap((mode) =>
  (mode === "bilinear" || mode === "bicubic" ? [false, true] : [false]).map((antialias) => ({ mode, antialias })),
);

/** The error of every method for one grid, each over all rows. */
export function compareModes(pe: Posenc, { rows, columns, noise }: Size & { noise: number }): Contender[] {
  const table = trainedTable(pe, noise);
  const truth = trueTable(pe, { rows, columns });
  return contenders.map((contender) => ({
    ...contender,
    error: rootMeanSquare(errors(resized(pe, table, { rows, columns, ...contender }), truth)),
  }));
}

export interface Resized {
  before: Similarity;
  after: Similarity;
  truth: Similarity;
  errors: Float32Array;
}

const similarity = (pe: Posenc, table: Table): Similarity => ({
  data: pe.similarity(table).data,
  places: table.data.length / dim,
});

export function resizeResult(pe: Posenc, settings: ResizeSettings): Resized {
  const table = trainedTable(pe, settings.noise);
  const after = resized(pe, table, settings);
  const truth = trueTable(pe, settings);
  return {
    before: similarity(pe, table),
    after: similarity(pe, after),
    truth: similarity(pe, truth),
    errors: errors(after, truth),
  };
}

/** The patch of one grid that lies where a patch of another one does. */
export function translate({ row, column }: { row: number; column: number }, from: Size, to: Size) {
  const place = (index: number, size: number, other: number) =>
    Math.min(other - 1, Math.floor(((index + 0.5) * other) / size));
  return { row: place(row, from.rows, to.rows), column: place(column, from.columns, to.columns) };
}

export { trainedGrid };
