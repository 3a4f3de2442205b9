// What the race's bars and table show of a result, whether there is one yet or not.
import { type CaseResult, type WayName } from "./bench.ts";
import { cases, isForGpu, type CaseName } from "./cases.ts";

export type View = "ratio" | "time";

export interface Row {
  name: WayName;
  state: "waiting" | "refused" | "none" | "software" | "wrong" | "done";
  /** In the unit of the view: the median and the middle half; NaN where there is none. */
  value: number;
  low: number;
  high: number;
}

/** The contenders of a case, in the order of the bars. */
export function waysOf(name: CaseName): WayName[] {
  const { limit } = cases[name];
  return [
    "plain",
    ...(name === "tables" ? (["sums"] as const) : []),
    "scalar",
    "simd",
    "relaxed",
    "arrays",
    ...(isForGpu(name) ? (["webgpu"] as const) : []),
    ...(limit ? (["limit"] as const) : []),
  ];
}

const nothing = { value: NaN, low: NaN, high: NaN };

export function rowsOf(name: CaseName, result: CaseResult | undefined, view: View): Row[] {
  const plain = result?.ways.find((way) => way.name === "plain")?.median ?? NaN;
  return waysOf(name).map((wayName): Row => {
    if (!result) return { name: wayName, state: "waiting", ...nothing };
    const way = result.ways.find((one) => one.name === wayName);
    if (wayName === "webgpu" && result.gpu === "none") return { name: wayName, state: "none", ...nothing };
    if (!way) return { name: wayName, state: result.isWhole ? "refused" : "waiting", ...nothing };
    if (way.isWrong) return { name: wayName, state: "wrong", ...nothing };
    const { median, low, high } = way;
    if (wayName === "webgpu" && result.gpu === "software") return { name: wayName, state: "software", ...nothing };
    if (view === "time") return { name: wayName, state: "done", value: median, low, high };
    return { name: wayName, state: "done", value: plain / median, low: plain / high, high: plain / low };
  });
}

/** What the whole width stands for: no bar is cut off, however far away the limit is. */
export function longest(rows: Row[]): number {
  const timed = rows.filter(({ value }) => value > 0);
  return Math.max(...timed.flatMap(({ value, high }) => [1.08 * value, high]), 0) || 1;
}

/** GB/s, GFLOP/s or nanoseconds a number. */
export function rateOf(name: CaseName, size: number[], milliseconds: number): number {
  const { unit, amount } = cases[name].rate;
  const perSecond = amount(size) / milliseconds / 1e6;
  return unit === "ns" ? 1 / perSecond : perSecond;
}
