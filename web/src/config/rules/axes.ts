// The axis of each pair, for layouts of M-RoPE that sections do not express. Axes are 0 (time), 1 (rows) and 2 (columns).
import { invalid } from "../../base/errors.js";
import type { Json } from "../../base/json.js";
import { flag } from "../read.js";

/** Returns the axis of each pair; undefined if the sections of this config follow one another. */
export type AxisRule = (sections: readonly number[], rope: Json) => number[] | undefined;

function check(isValid: boolean, rule: string, sections: readonly number[]): void {
  if (!isValid) throw invalid("mrope_section", `must be ${rule}, got [${sections.join(", ")}]`);
}
const isSize = (size: number): boolean => Number.isInteger(size) && size >= 0 && size < 2 ** 16;

/** Rows and columns alternate; the last pairs belong to time. `names` is the order of the sections. */
const alternating =
  (...names: ("time" | "rows" | "columns")[]): AxisRule =>
  (sections) => {
    const [time, rows, columns] = ["time", "rows", "columns"].map((name) => sections[names.indexOf(name as never)]!);
    const isValid = sections.length === 3 && sections.every(isSize) && rows === columns;
    check(isValid, `whole numbers [${names.join(", ")}] with as many rows as columns`, sections);
    return Array.from({ length: time! + 2 * rows! }, (_, pair) => (pair < 2 * rows! ? 1 + (pair % 2) : 0));
  };

/** ERNIE 4.5 VL. */
export const ernie = alternating("rows", "columns", "time");
/** Ling and Ming. */
export const bailing = alternating("time", "rows", "columns");

/**
 * Reads openPangu VL. With `mrope_interleaved`, each pair has the axis of which the smallest part is assigned so far, other than
 * the axis of the pair before it. Of three axes, the first one has the last pair.
 */
export const pangu: AxisRule = (sections, rope) => {
  if (!flag(rope, "mrope_interleaved")) return undefined;
  const hasLast = sections.length === 3;
  const sizes = sections.map((size, axis) => (hasLast && axis === 0 ? size - 1 : size));
  check((hasLast || sizes.length === 2) && sizes.every(isSize), "2 or 3 whole numbers, of 3 the first ≥ 1", sections);
  const assigned = sizes.map(() => 0);
  const axes: number[] = [];
  for (let pairs = sizes.reduce((sum, size) => sum + size); pairs > 0; pairs--) {
    const unfinished = [...sizes.keys()].filter((axis) => assigned[axis]! < sizes[axis]!);
    const others = unfinished.filter((axis) => axis !== axes.at(-1));
    const share = (axis: number): number => assigned[axis]! / sizes[axis]!;
    const next = (others.length ? others : unfinished).reduce((best, axis) =>
      share(axis) < share(best) ? axis : best,
    );
    assigned[next]!++;
    axes.push(next);
  }
  return hasLast ? [...axes, 0] : axes;
};

/** Rope types that imply a layout. Ming's code has default sections. */
export const byRopeType: Readonly<Record<string, { readonly axes: AxisRule; readonly sections?: readonly number[] }>> =
  {
    openpangu: { axes: pangu },
    video_rope: { axes: bailing, sections: [8, 12, 12] },
  };
