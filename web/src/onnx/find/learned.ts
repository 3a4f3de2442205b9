// Learned tables in a graph: rows that are read by position, not by token, and tables that are added whole.
import { integerOf, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import { combinationOf } from "./combination.js";
import { constantValue, constantValues } from "../read/constant-values.js";
import { positionsOf, startOf, type Positions } from "./positions.js";
import { isProduct } from "./sites.js";
import { sourceConstant, Following, formOps, scalarOf, usersOf } from "../read/trace.js";
import { typeOf, type DataType, type Files } from "../read/values.js";

export interface FoundTable {
  readonly form: "gathered" | "added" | "resized";
  readonly type: DataType;
  readonly rows: number;
  readonly dim: number;
  /** Index of the dim with its rows; for a grid, the next dim has the columns of patches. */
  readonly axis: number;
  /** Rows and columns of patches, if they are dims of the constant. */
  readonly grid?: readonly [number, number];
  /** Whether features are the first dim, as in convolutions. */
  readonly isChannelsFirst?: boolean;
  /** Index of the row of the first position. */
  readonly start: number;
  /** The constant. */
  readonly value: Value;
  readonly constants: readonly Constant[];
  readonly steps: readonly Step[];
}

const tableOps = new Set([...formOps, "DequantizeLinear"]);
const floats = new Set<DataType | undefined>(["float32", "float16", "bfloat16", "float64", "uint8", "int8"]);

/** Rows and features of a table whose other dims are 1. */
type Table = Pick<FoundTable, "type" | "rows" | "dim" | "axis" | "grid">;

function tableOf({ tensor }: Constant): Table | undefined {
  const { dims } = tensor;
  const type = typeOf(tensor);
  const last = dims.length - 1;
  const [axis = -1, next, ...others] = dims.map((_, at) => at).filter((at) => at < last && dims[at] !== 1);
  const [height = 0, width = 1, dim = 0] = [dims[axis], next === undefined ? 1 : dims[next], dims[last]];
  const isTable = others.length === 0 && (next === undefined || next === axis + 1) && height > 1 && dim > 1;
  if (!type || !floats.has(type) || !isTable) return undefined;
  return { type, rows: height * width, dim, axis, ...(next !== undefined && { grid: [height, width] as const }) };
}

/** A step that may read a table, and the constant before it. */
interface Read {
  readonly step: Step;
  readonly table: Table;
  /** Number of dims of the constant; undefined: its form was changed. */
  readonly rank: number | undefined;
}

/** Returns the bounds of the rows that a Slice keeps; undefined: it slices other dims. */
async function boundsOf({ step, table, rank }: Read, files: Files): Promise<readonly [Value, Value] | undefined> {
  const [, start, end, axes, steps] = step.ins;
  const [along = 0, ...others] = axes ? ((await constantValues(axes, files)) ?? [NaN]) : [];
  const [by = 1] = steps ? ((await constantValues(steps, files)) ?? [NaN]) : [];
  const isRows = rank === undefined ? along !== -1 : (along < 0 ? along + rank : along) === table.axis;
  return isRows && others.length === 0 && by === 1 && start && end ? [start, end] : undefined;
}

/** Returns the first row that a Slice reads; undefined: it does not read by position, or reads a single row. */
async function sliceStart(read: Read, positions: Positions, files: Files): Promise<number | undefined> {
  const bounds = await boundsOf(read, files);
  if (!bounds) return undefined;
  const scalars = bounds.map(scalarOf);
  for (const [i, bound] of bounds.entries())
    if (!scalars[i] && ["token", "constant"].includes(await positions.originOf(bound))) return undefined;
  const [first, end] = await Promise.all(bounds.map((bound) => constantValue(bound, files)));
  const start = first ?? (await startOf(bounds[0], files));
  const isTable = start >= 0 && start < read.table.rows && (end === undefined || end < 0 || end - start > 1);
  return isTable ? start : undefined;
}

/** Returns the first row that a step reads by position; undefined: it reads by another value. */
async function readsFrom(read: Read, positions: Positions, files: Files): Promise<number | undefined> {
  const { step, table } = read;
  if (step.op === "Slice") return sliceStart(read, positions, files);
  const isRows = [0, table.axis].includes(integerOf(step.node, "axis", 0));
  return isRows && (await positions.originOf(step.ins[1])) === "position" ? startOf(step.ins[1], files) : undefined;
}

async function* gathered(flow: Flow, files: Files): AsyncGenerator<FoundTable> {
  const positions = positionsOf(flow, files);
  for (const step of flow.steps) {
    if (step.op !== "Gather" && step.op !== "Slice") continue;
    const arrival = sourceConstant(step.ins[0], tableOps);
    const table = arrival && tableOf(arrival.constant);
    if (!table || table.grid || combinationOf(step.outs) !== "sum") continue;
    const { value, constant } = arrival;
    const rank = value === step.ins[0] ? constant.tensor.dims.length : undefined;
    const start = await readsFrom({ step, table, rank }, positions, files);
    if (start === undefined) continue;
    yield { form: "gathered", ...table, start, value, constants: [constant], steps: [step] };
  }
}

const projection = 1;
const scores = 2;
const projections = new Set([
  "Conv",
  "Gemm",
  "LayerNormalization",
  "MatMul",
  "MatMulInteger",
  "SimplifiedLayerNormalization",
]);
/**
 * The next steps after features: a projection or a normalisation, or keys. Biases of queries lead to the scores
 * directly.
 */
const ahead = new Following((step) => (isProduct(step) ? scores : projections.has(step.op) ? projection : undefined));

/**
 * Finds tables that are added whole, or resized to an image first: [tokens, dim] or [rows, columns, dim], or one of
 * these after a 1.
 */
async function* whole(flow: Flow): AsyncGenerator<FoundTable> {
  for (const value of flow.constants) {
    const constant = value.constant!;
    const table = tableOf(constant);
    const { dims } = constant.tensor;
    const isLast = table && table.axis === dims.length - (table.grid ? 3 : 2);
    if (!isLast || table.dim < 8 || table.axis > 1) continue;
    const [step] = usersOf(value, ["Add", "Resize"], tableOps);
    if (!step || !hasFeatures(step, constant) || ahead.of(step.outs) === scores) continue;
    const form = step.op === "Resize" ? "resized" : "added";
    const shape = table.grid && followsConvolution(step) ? channelsFirst(table, dims) : table;
    yield { form, ...shape, start: 0, value, constants: [constant], steps: [step] };
  }
}

/** Whether a convolution's output has channels first. onnxruntime reorders it and may put features last. */
function makesChannels(maker: Step | undefined): boolean {
  if (maker?.op === "ReorderOutput") return integerOf(maker.node, "channels_last", 0) === 0;
  return maker?.op === "Conv" || maker?.op === "FusedConv";
}
const followsConvolution = ({ ins }: Step): boolean => ins.some((value) => makesChannels(value?.maker));

/** Returns the table with dims [dim, rows, columns] instead of [rows, columns, dim]. */
function channelsFirst(table: Table, dims: readonly number[]): Table & Pick<FoundTable, "isChannelsFirst"> {
  const [dim, height, width] = dims.slice(-3) as [number, number, number];
  return { ...table, rows: height * width, dim, grid: [height, width], isChannelsFirst: true };
}

const hasFeatures = (step: Step, table: Constant): boolean =>
  step.op === "Resize" ||
  step.ins.some((value) => value && !value.constant && sourceConstant(value, tableOps)?.constant !== table);

export async function* findTables(flow: Flow, files: Files): AsyncGenerator<FoundTable> {
  yield* gathered(flow, files);
  yield* whole(flow);
}
