// Learned tables in a graph: rows that are read by position, not by token, and tables that are added as they are.
import { integerOf, type Constant, type Flow, type Step, type Value } from "./flow.js";
import { backward, carries, constantBehind, formOps, forward, meetingOf, scalarOf } from "./trace.js";
import { countOf, typeOf, type DataType, type Files } from "./values.js";

export interface FoundTable {
  readonly form: "gathered" | "added" | "resized";
  readonly type: DataType;
  readonly rows: number;
  readonly dim: number;
  /** The row of the first position. */
  readonly start: number;
  /** The constant. */
  readonly value: Value;
  readonly constants: readonly Constant[];
  readonly steps: readonly Step[];
}

const tableOps = new Set([...formOps, "DequantizeLinear"]);
const floats = new Set<DataType | undefined>(["float32", "float16", "bfloat16", "float64", "uint8", "int8"]);

/** What rows are read by. */
type Index = "position" | "token" | "constant" | "other";

/** Classifies indices. Steps with the same index share the result. */
class Indices {
  private readonly counting = new Map<Constant, boolean>();
  private readonly kinds = new Map<Value, Index>();

  constructor(private readonly files: Files) {}

  async kindOf(index: Value | undefined): Promise<Index> {
    if (!index) return "constant";
    const kind = this.kinds.get(index) ?? (await this.find(index));
    this.kinds.set(index, kind);
    return kind;
  }

  /** Whole numbers that count up: a buffer of position ids. */
  private async countsUp(constant: Constant): Promise<boolean> {
    const known = this.counting.get(constant);
    if (known !== undefined) return known;
    const numbers = countOf(constant.tensor) > 1 ? await this.files.numbers(constant) : undefined;
    const counts = !!numbers && numbers.every((number, i) => number === numbers[0]! + i);
    this.counting.set(constant, counts);
    return counts;
  }

  private async find(index: Value): Promise<Index> {
    let counts = false;
    const inputs = new Set<string>();
    const constants: Constant[] = [];
    backward(index, (value) => {
      const op = value.maker?.op;
      if (op === "Range" || op === "CumSum") counts = true;
      if (value.isInput) inputs.add(value.name);
      if (value.constant) constants.push(value.constant);
      return op === "Shape" || op === "Size" || op === "Range" || op === "CumSum";
    });
    if (counts) return "position";
    for (const constant of constants) if (await this.countsUp(constant)) return "position";
    if (inputs.size === 0) return "constant";
    // The names of inputs are the model's interface: callers feed them by these.
    return [...inputs].some((name) => /position/.test(name)) ? "position" : "token";
  }
}

/** What is added to the index on its way, and whether it counts from 1. */
async function startOf(index: Value | undefined, files: Files): Promise<number> {
  let start = 0;
  let at = index;
  for (let i = 0; i < 32 && at?.maker; i++) {
    const { op, ins } = at.maker;
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

async function* gathered(flow: Flow, files: Files): AsyncGenerator<FoundTable> {
  const indices = new Indices(files);
  for (const step of flow.steps) {
    const isGather = step.op === "Gather" && integerOf(step.node, "axis", 0) === 0;
    if (!isGather && step.op !== "Slice") continue;
    const table = constantBehind(step.ins[0], tableOps);
    const dims = table?.constant.tensor.dims.filter((dim, i, all) => dim !== 1 || i >= all.length - 2);
    const type = table && typeOf(table.constant.tensor);
    if (!table || !type || !floats.has(type) || dims?.length !== 2 || dims[0]! < 2 || dims[1]! < 2) continue;
    if ((await indices.kindOf(step.ins[1])) !== "position" || meetingOf(step.outs) !== "sum") continue;
    const start = await startOf(step.ins[1], files);
    const { value, constant } = table;
    yield { form: "gathered", type, rows: dims[0]!, dim: dims[1]!, start, value, constants: [constant], steps: [step] };
  }
}

/** Tables [tokens, dim], or [1, tokens, dim], that are added whole, or resized to an image first. */
async function* whole(flow: Flow): AsyncGenerator<FoundTable> {
  for (const value of flow.constants) {
    const { constant } = value;
    const type = typeOf(constant!.tensor);
    const [rows, dim, ...more] =
      constant!.tensor.dims[0] === 1 ? constant!.tensor.dims.slice(1) : constant!.tensor.dims;
    if (more.length > 0 || !(rows! > 1) || !(dim! > 7) || !type || !floats.has(type)) continue;
    const steps: Step[] = [];
    forward([value], (step, by) => {
      if (step.op === "Add" || step.op === "Resize") steps.push(step);
      return !carries(tableOps, step, by);
    });
    const [step] = steps;
    if (!step || !hasFeatures(step, constant!)) continue;
    const form = step.op === "Resize" ? "resized" : "added";
    yield { form, type, rows: rows!, dim: dim!, start: 0, value, constants: [constant!], steps: [step] };
  }
}

const hasFeatures = (step: Step, table: Constant): boolean =>
  step.op === "Resize" ||
  step.ins.some((value) => value && !value.constant && constantBehind(value, tableOps)?.constant !== table);

export async function* findTables(flow: Flow, files: Files): AsyncGenerator<FoundTable> {
  yield* gathered(flow, files);
  yield* whole(flow);
}
