// What the figures of this chapter share.
import type { TaskName } from "../../lib/copying.ts";
import type { Course } from "../../lib/training.ts";

/** Rows of the table; texts of the training may be shorter. */
export const tableRows = 48;
/** How large the noise is that tables begin with. */
export const noise = 0.3;

export interface TrainSettings {
  task: TaskName;
  reach: number;
  length: number;
  dim: number;
  steps: number;
  seed: number;
}

/** A training of a table. */
export interface TableCourse extends Course {
  dim: number;
}

export const courseOf = ({ task, reach, length, dim, steps, seed }: TrainSettings): TableCourse => ({
  task: { name: task, reach },
  length,
  dim,
  steps,
  seed,
  learningRate: 0.02,
});

export const shownTables = ["noise", "trained", "sinusoidal"] as const;
export type ShownTable = (typeof shownTables)[number];

export interface HelixSettings {
  table: ShownTable;
  position: number;
  /** Degrees. */
  turn: number;
}
