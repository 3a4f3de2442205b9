// A trained table before texts that are longer than those it was trained on.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { tableLearner } from "../../lib/learners.ts";
import { examine } from "../../lib/training.ts";
import { tableRows, type TableCourse } from "./settings.ts";

export interface Errors {
  asIs: Float64Array;
  resized: Float64Array;
  none: Float64Array;
}

/** Mean square error at each position of texts of `length` words. */
export function examErrors(pe: Posenc, weights: Float32Array, course: TableCourse, length: number): Errors {
  const { dim, task } = course;
  const table = (rows: number) => pe.create({ kind: "learned", length: rows, dim, std: 0 });
  const errors = (encoding: ReturnType<typeof table>) => {
    const found = examine(pe, tableLearner(encoding), task, length);
    encoding.dispose();
    return found;
  };
  // Only rows that were trained are worth stretching.
  const trained = table(course.length).load(weights.slice(0, course.length * dim));
  const resized = errors(trained.resize({ length, mode: "linear" }));
  trained.dispose();
  return { asIs: errors(table(tableRows).load(weights)), resized, none: errors(table(tableRows)) };
}

/** The mean of the numbers from one place to another, without those that are missing. */
export function meanOf(values: Float64Array, from: number, to: number): number {
  const list = values.slice(from, to).filter((value) => !Number.isNaN(value));
  return list.reduce((sum, value) => sum + value, 0) / list.length;
}
