// What the solutions of the exercises are computed with.
import { fixed } from "../lib/format.ts";
import type { Posenc } from "../lib/engine.svelte.ts";

export type Numbers = Record<string, string | number>;

/** The library, as the build has it. */
export interface Tools {
  pe: Posenc;
  explain: (typeof import("posenc/explain"))["explain"];
  models: (typeof import("posenc/models"))["models"];
  recommend: (typeof import("posenc/models"))["recommend"];
}

export interface Exercise {
  /** A page and an anchor: where it can be tried. */
  at: string;
  /** The values of the placeholders in its words. */
  numbers?: (tools: Tools) => Numbers;
}

export interface Table {
  data: Float32Array;
  dims: readonly number[];
}

type Spec = Parameters<Posenc["create"]>[0];

export function tableOf(pe: Posenc, spec: Spec, places: object): Table {
  const encoding = pe.create(spec) as ReturnType<Posenc["create"]> & { table(at: object): Table };
  const { data, dims } = encoding.table(places);
  const table = { data: data.slice(), dims: [...dims] };
  encoding.dispose();
  return table;
}

const rowOf = ({ data, dims }: Table, row: number) => data.slice(row * dims[1]!, (row + 1) * dims[1]!);

export const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** The length of the step between two rows. */
export const distance = (table: Table, a: number, b: number): number => {
  const other = rowOf(table, b);
  return Math.hypot(...rowOf(table, a).map((value, column) => value - other[column]!));
};

/** The angle between the hands of one clock at the first two places of a table of sines and cosines, in degrees. */
export function apart({ data, dims }: Table, pair: number): number {
  const angle = (row: number) => Math.atan2(data[row * dims[1]! + 2 * pair]!, data[row * dims[1]! + 2 * pair + 1]!);
  const turned = Math.abs(degrees(angle(1) - angle(0))) % 360;
  return Math.min(turned, 360 - turned);
}

/** The angles between all pairs of different rows, in degrees. */
export function products(pe: Posenc, table: Table): number[] {
  const { data } = pe.similarity(table);
  const rows = table.dims[0]!;
  const size = (row: number) => Math.sqrt(data[row * rows + row]!);
  return Array.from({ length: rows }, (_, a) =>
    Array.from({ length: a }, (_, b) => degrees(Math.acos(data[a * rows + b]! / size(a) / size(b)))),
  ).flat();
}

/** The fewest binary digits that still write this position down. */
export function smallestBinary(pe: Posenc, position: number): number {
  for (let dim = 1; ; dim += 1) {
    try {
      const { data } = tableOf(pe, { kind: "binary", dim }, { positions: [position] });
      if (data.reduce((sum, digit, place) => sum + digit * 2 ** place, 0) === position) return dim;
    } catch (error) {
      if (dim > 40) throw error;
    }
  }
}

/** How far two steps of three are from one of six, over all blocks of the matrix. */
export function turnedBy(pe: Posenc): string {
  const encoding = pe.create({ kind: "sinusoidal", dim: 8, base: 100 });
  const [three, six] = [encoding.shift(3).data.slice(), encoding.shift(6).data.slice()];
  encoding.dispose();
  const errors = Array.from({ length: three.length / 4 }, (_, block) => {
    const [a, b, c, d] = three.slice(4 * block, 4 * block + 4) as unknown as [number, number, number, number];
    const twice = [a * a + b * c, a * b + b * d, c * a + d * c, c * b + d * d];
    return Math.max(...twice.map((value, index) => Math.abs(value - six[4 * block + index]!)));
  });
  return fixed(Math.max(...errors), 3);
}
