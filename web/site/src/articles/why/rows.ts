// Tables of positions compared: how alike their rows are, and whether one matrix leads from every row to a later one.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { randomRows } from "../../lib/products.ts";
import { length, width } from "./settings.ts";
import { crossProducts, solve, steadied } from "./solve.ts";

export interface StepsTask {
  name: "sinusoidal" | "random";
  /** Of another table. */
  rows?: Float32Array;
  /** From each row to the one so many later. */
  steps: number;
}

const seed = 3;
const steadiness = 1e-4;

/** Those that need no model. */
export function tableOf(pe: Posenc, name: "sinusoidal" | "random"): Float32Array {
  if (name === "random") return randomRows(pe, length, width, 1, seed);
  const waves = pe.create({ kind: "sinusoidal", dim: width });
  try {
    return waves.table({ length }).data.slice();
  } finally {
    waves.dispose();
  }
}

/** Cosines of all rows with all rows [rows, rows]. */
export function cosinesOf(pe: Posenc, rows: Float32Array): Float32Array {
  const count = rows.length / width;
  const { data } = pe.similarity({ data: rows, dims: [count, width] });
  return Float32Array.from(data, (value, at) => {
    const [row, column] = [Math.floor(at / count), at % count];
    return value / Math.sqrt(data[row * count + row] * data[column * count + column]);
  });
}

/** The mean cosine of rows that are so far apart. */
export function meanAt(cosines: Float32Array, distance: number): number {
  const count = Math.sqrt(cosines.length);
  let sum = 0;
  for (let row = distance; row < count; row += 1) sum += cosines[row * count + row - distance];
  return sum / (count - distance);
}

/** Which row is nearest to a vector. */
function nearest(rows: Float32Array, vector: Float64Array): number {
  let [found, least] = [0, Infinity];
  for (let row = 0; row < rows.length / width; row += 1) {
    let distance = 0;
    for (let i = 0; i < width; i += 1) distance += (vector[i] - rows[row * width + i]) ** 2;
    if (distance < least) [found, least] = [row, distance];
  }
  return found;
}

/** Every second row, from one on. */
function everySecond(rows: Float32Array, first: number, count: number): Float64Array {
  const result = new Float64Array(count * width);
  for (let at = 0; at < result.length; at += 1)
    result[at] = rows[(first + 2 * Math.floor(at / width)) * width + (at % width)];
  return result;
}

/** The matrix that leads best from each even row to the one `steps` later (least squares). */
function leading(rows: Float32Array, steps: number, count: number): Float64Array {
  const known = everySecond(rows, 0, count);
  const products = crossProducts(known, known, width, width);
  const wanted = crossProducts(known, everySecond(rows, steps, count), width, width);
  return solve(steadied(products, width, steadiness), wanted, width);
}

/** Of the odd positions, which that matrix has not been fitted to, the share from which it leads to the right row. */
export function stepsFound(rows: Float32Array, steps: number): number {
  const count = Math.floor((rows.length / width - steps) / 2);
  const matrix = leading(rows, steps, count);
  let found = 0;
  for (let row = 1; row < 2 * count; row += 2) {
    const led = new Float64Array(width);
    for (let i = 0; i < width; i += 1)
      for (let j = 0; j < width; j += 1) led[j] += rows[row * width + i] * matrix[i * width + j];
    if (nearest(rows, led) === row + steps) found += 1;
  }
  return found / count;
}
