// Origins of the indices, bounds and angles of a graph: positions, tokens or constants.
import type { Constant, Flow, Value } from "../read/flow.js";
import { backward, scalarOf } from "../read/trace.js";
import { countOf, type Files } from "../read/values.js";

/**
 * Origin of a value.
 *
 * - `position`: counts positions (Range, CumSum, an input of position ids, constants that count up).
 * - `length`: a number of positions (Shape, Size).
 * - `token`: computed from another input.
 * - `constant`: computed only from constants.
 */
export type Origin = "position" | "length" | "token" | "constant";

const counters = new Set(["Range", "CumSum"]);
const lengths = new Set(["Shape", "Size"]);
/** Names of inputs are the interface of a model: callers pass values by these names. */
const isPositionName = (name: string): boolean => /(^|[^a-z])pos(ition|[^a-z]|$)/i.test(name);

/** Finds origins. Values with the same origin share the result. */
export class Positions {
  private readonly counting = new Map<Constant, boolean>();
  private readonly origins = new Map<Value, Origin>();

  constructor(private readonly files: Files) {}

  async originOf(value: Value | undefined): Promise<Origin> {
    if (!value) return "constant";
    const origin = this.origins.get(value) ?? (await this.find(value));
    this.origins.set(value, origin);
    return origin;
  }

  /** Whether a constant has consecutive whole numbers, as a buffer of position ids. */
  private async countsUp(constant: Constant): Promise<boolean> {
    const known = this.counting.get(constant);
    if (known !== undefined) return known;
    const numbers = countOf(constant.tensor) > 1 ? await this.files.numbers(constant) : undefined;
    const counts = !!numbers && numbers.every((number, i) => number === numbers[0]! + i);
    this.counting.set(constant, counts);
    return counts;
  }

  private async find(from: Value): Promise<Origin> {
    const operators = new Set<string>();
    const inputs = new Set<string>();
    const constants: Constant[] = [];
    backward(from, (value) => {
      const op = value.maker?.op ?? "";
      operators.add(op);
      if (value.isInput) inputs.add(value.name);
      if (value.constant) constants.push(value.constant);
      return lengths.has(op) || counters.has(op);
    });
    const has = (some: ReadonlySet<string>): boolean => [...some].some((op) => operators.has(op));
    if (has(counters)) return "position";
    for (const constant of constants) if (await this.countsUp(constant)) return "position";
    if ([...inputs].some(isPositionName)) return "position";
    if (inputs.size > 0) return "token";
    return has(lengths) ? "length" : "constant";
  }
}

const known = new WeakMap<Flow, Positions>();
/** Returns the origins of a flow, which all finders share. */
export function positionsOf(flow: Flow, files: Files): Positions {
  const positions = known.get(flow) ?? new Positions(files);
  known.set(flow, positions);
  return positions;
}

/** Maximum number of steps between an index and its counter. */
const mostSteps = 32;

/** Returns the number that is added to positions before they are an index, plus 1 if they are counted from 1. */
export async function startOf(index: Value | undefined, files: Files): Promise<number> {
  let start = 0;
  let at = index;
  for (let left = mostSteps; left > 0 && at?.maker; left--) {
    const { op, ins }: { op: string; ins: readonly (Value | undefined)[] } = at.maker;
    if (op === "CumSum") return start + 1;
    if (op === "Add" || op === "Sub") {
      const second = scalarOf(ins[1]);
      const first = op === "Add" ? scalarOf(ins[0]) : undefined;
      const number = second || first ? (await files.numbers((second ?? first)!))?.[0] : undefined;
      if (number !== undefined) start += op === "Add" ? number : -number;
      at = second || !first ? ins[0] : ins[1];
    } else at = ins[0];
  }
  return start;
}
