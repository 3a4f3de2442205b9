// Which character and which position are in a sum of the two? Read by plain dot products, and by one linear layer.
import { linear } from "../../lab/linear.ts";
import { width } from "./settings.ts";
import { crossProducts, solve, steadied } from "./solve.ts";

export const ways = ["dot", "layer"] as const;
export type Way = (typeof ways)[number];

/** Of the covariance, what is added to its diagonal. */
const steadiness = 1e-3;

/** Before it the vocabularies have <pad> and <unk>, which no text contains. */
const firstCharacter = 2;

export interface Answers {
  character: Uint16Array;
  position: Uint16Array;
}

export type CutAnswers = Record<Way, Answers>;

/** The first numbers of each row. */
function firstOf(rows: ArrayLike<number>, kept: number): Float32Array {
  const result = new Float32Array((rows.length / width) * kept);
  for (let at = 0; at < result.length; at += 1) result[at] = rows[Math.floor(at / kept) * width + (at % kept)];
  return result;
}

/** For each row of scores, which column is highest, from the first one that counts on. */
function best(scores: Float32Array, columns: number, first: number, added?: Float64Array): Uint16Array {
  return Uint16Array.from({ length: scores.length / columns }, (_, row) => {
    let [found, top] = [first, -Infinity];
    for (let column = first; column < columns; column += 1) {
      const score = scores[row * columns + column] + (added?.[column] ?? 0);
      if (score > top) [found, top] = [column, score];
    }
    return found;
  });
}

/** What the rows have in common, and how they scatter around it. */
function scatterOf(rows: Float32Array, size: number) {
  const count = rows.length / size;
  const mean = new Float64Array(size);
  for (let at = 0; at < rows.length; at += 1) mean[at % size] += rows[at] / count;
  const centred = Float64Array.from(rows, (value, at) => value - mean[at % size]);
  const covariance = crossProducts(centred, centred, size, size).map((sum) => sum / count);
  return { mean, covariance: steadied(covariance, size, steadiness) };
}

/**
 * A linear layer that finds which of some rows was added to others: it counts little on the directions in which those scatter (Fisher's
 * linear discriminant).
 * @param wanted the rows that it tells apart
 * @param others what they are added to
 */
function layerFor(wanted: Float32Array, others: Float32Array, size: number) {
  const { mean, covariance } = scatterOf(others, size);
  const count = wanted.length / size;
  const columns = Float64Array.from(
    { length: wanted.length },
    (_, at) => wanted[(at % count) * size + Math.floor(at / count)],
  );
  const solved = solve(covariance, columns, size);
  const weights = Float32Array.from(
    { length: wanted.length },
    (_, at) => solved[(at % size) * count + Math.floor(at / size)],
  );
  const added = Float64Array.from({ length: count }, (_, row) => {
    let sum = 0;
    for (let i = 0; i < size; i += 1) sum -= (wanted[row * size + i] / 2 + mean[i]) * weights[row * size + i];
    return sum;
  });
  return { weights, added };
}

export interface Sums {
  /** Vectors of the vocabulary, and of the positions [rows, width]. */
  characters: Float32Array;
  positions: Float32Array;
  /** Characters of a text that the layer for positions knows, and those that are examined, at positions 0, 1, … again and again. */
  known: ArrayLike<number>;
  examined: ArrayLike<number>;
}

/** Rows of a table, one after the other. */
function rowsAt(table: Float32Array, ids: ArrayLike<number>, size: number): Float32Array {
  const result = new Float32Array(ids.length * size);
  for (let at = 0; at < ids.length; at += 1)
    result.set(table.subarray(ids[at] * size, (ids[at] + 1) * size), at * size);
  return result;
}

/** All the sums of the examined text, taken apart in both ways, with so many numbers of each vector. */
export function takeApart(sums: Sums, kept: number): CutAnswers {
  const characters = firstOf(sums.characters, kept);
  const positions = firstOf(sums.positions, kept);
  const x = rowsAt(characters, sums.examined, kept);
  for (let at = 0; at < x.length; at += 1) x[at] += positions[at % positions.length];
  const read = (part: keyof Answers, rows: Float32Array, added?: Float64Array) => {
    const scores = linear(x, { shape: [rows.length / kept, kept], values: rows });
    return best(scores, rows.length / kept, part === "character" ? firstCharacter : 0, added);
  };
  const forPosition = layerFor(positions, rowsAt(characters, sums.known, kept), kept);
  const forCharacter = layerFor(characters, positions, kept);
  return {
    dot: { character: read("character", characters), position: read("position", positions) },
    layer: {
      character: read("character", forCharacter.weights, forCharacter.added),
      position: read("position", forPosition.weights, forPosition.added),
    },
  };
}

/** The share of answers that are right. */
export function shareRight(answers: ArrayLike<number>, right: (at: number) => number): number {
  let found = 0;
  for (let at = 0; at < answers.length; at += 1) if (answers[at] === right(at)) found += 1;
  return found / answers.length;
}
