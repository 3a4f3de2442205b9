// Checks the number of inputs and outputs of nodes as they are read, so that later passes can rely on them.
import { damaged, type FieldRange } from "./protobuf.js";

/** The fields of a node that are checked. */
interface Parts {
  readonly op: string;
  readonly domain: string;
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly range: FieldRange;
}

type Counts = readonly [least: number, most: number, outputs?: number];

const named = (counts: Counts, ...ops: string[]): [string, Counts][] => ops.map((op) => [op, counts]);
/** For each operator: required inputs, maximum inputs and maximum outputs (1 by default). */
const known = new Map<string, Counts>([
  ...named([0, 0], "Constant"),
  ...named(
    [1, 1],
    "Abs",
    "Cast",
    "Ceil",
    "Cos",
    "Flatten",
    "Identity",
    "Log",
    "Neg",
    "Shape",
    "Sin",
    "Size",
    "Softmax",
  ),
  ...named([1, 1], "Tanh", "Transpose"),
  ...named([1, 1, Infinity], "If"),
  ...named([1, 2], "Reshape", "Squeeze", "Trilu", "Unsqueeze"),
  ...named([1, 2, Infinity], "Split"),
  ...named([1, 3, Infinity], "Dropout"),
  ...named([1, 4], "Resize"),
  ...named([1, 5], "Slice"),
  ...named([1, Infinity], "Concat", "Einsum"),
  ...named([2, 2], "Add", "CumSum", "Div", "Expand", "FusedMatMul", "Gather", "GatherElements", "GatherND", "Greater"),
  ...named([2, 2], "GreaterOrEqual", "Less", "LessOrEqual", "MatMul", "Mul", "Sub"),
  ...named([2, 3], "DequantizeLinear", "Gemm", "Tile"),
  ...named([3, 3], "Range", "ScatterND", "Where"),
]);

/**
 * Returns the operator of a node. A custom operator with a known name and other inputs gets a separate name. Throws
 * `load-failed` if an operator of ONNX has too few or too many inputs or outputs.
 */
export function operatorOf({ op, domain, name, inputs, outputs, range }: Parts): string {
  const [least, most, given = 1] = known.get(op) ?? [0, Infinity, Infinity];
  const isWhole =
    inputs.length >= least &&
    inputs.length <= most &&
    outputs.length <= given &&
    inputs.slice(0, least).every((input) => input !== "");
  const gives = outputs.some((output) => output !== "");
  if (isWhole && (gives || domain !== "")) return op;
  if (domain !== "") return `${domain}.${op}`;
  const has = `${inputs.length} inputs and ${outputs.length} outputs`;
  throw damaged(`${op} "${name}" cannot have ${gives ? has : "no output"}`, range.tag);
}
