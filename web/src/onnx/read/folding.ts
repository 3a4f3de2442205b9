// Values that a graph computes from constants and known dims: base^(-2i/dim), as some models write it.
import type { OwnedFloat64Array } from "../../base/types.js";
import { attributeOf, integerOf, type Step, type Value } from "./flow.js";
import { declaredOf } from "./ranks.js";
import { constantValues } from "./constant-values.js";
import { formOps } from "./trace.js";
import type { Files } from "./values.js";

/** Known elements of a value: whole numbers, or float32. */
interface Folded {
  readonly numbers: readonly number[];
  readonly isWhole: boolean;
  /** Whether the value has more than one dim. */
  readonly isShaped?: boolean;
}

type Combine = (a: number, b: number) => number;
const pairwise: Readonly<Record<string, Combine>> = {
  Add: (a, b) => a + b,
  Div: (a, b) => a / b,
  Mul: (a, b) => a * b,
  Pow: (a, b) => a ** b,
  Sub: (a, b) => a - b,
};
const single: Readonly<Record<string, (a: number) => number>> = {
  Exp: Math.exp,
  Floor: Math.floor,
  Log: Math.log,
  Neg: (a) => -a,
  Reciprocal: (a) => 1 / a,
  Sqrt: Math.sqrt,
};
const float = 1;
const wholeTypes = new Set([6, 7]);
const maxElements = 8192;
const mostDepth = 48;
/** Their outputs have the dims of their first input. */
const keepDims = new Set(["Cast", "Dropout", "Identity", "LayerNormalization", "Neg", "Softmax"]);

export class Folding {
  private readonly known = new Map<Value, Folded | undefined>();

  constructor(private readonly files: Files) {}

  /** Returns the float32 elements of a value with one dim; undefined: some are unknown. */
  async numbersOf(value: Value): Promise<OwnedFloat64Array | undefined> {
    const folded = await this.of(value, mostDepth);
    return folded && !folded.isWhole && !folded.isShaped ? Float64Array.from(folded.numbers) : undefined;
  }

  private async of(value: Value | undefined, left: number): Promise<Folded | undefined> {
    if (!value || left === 0) return undefined;
    if (!this.known.has(value)) {
      this.known.set(value, undefined);
      this.known.set(value, await this.find(value, left - 1));
    }
    return this.known.get(value);
  }

  private async find(value: Value, left: number): Promise<Folded | undefined> {
    const { constant, maker } = value;
    if (constant) {
      const { type, dims } = constant.tensor;
      const isSmall = dims.reduce((all, dim) => all * dim, 1) <= maxElements;
      const numbers =
        isSmall && (type === float || wholeTypes.has(type)) ? await this.files.numbers(constant) : undefined;
      return numbers && { numbers: Array.from(numbers), isWhole: type !== float, isShaped: dims.length > 1 };
    }
    if (!maker || maker.node.domain !== "") return undefined;
    const { op, ins } = maker;
    if (op === "Range") return this.range(maker, left);
    if (op === "Gather") return this.gathered(maker, left);
    if (op === "Split") return this.part(value, maker, left);
    if (op === "Cast") return cast(await this.of(ins[0], left), integerOf(maker.node, "to", 0));
    const [combine, change] = [pairwise[op], single[op]];
    if (combine) return combined(combine, op, await this.of(ins[0], left), await this.of(ins[1], left));
    const [first, isForm] = [await this.of(ins[0], left), formOps.has(op) && op !== "Expand" && op !== "Tile"];
    if (first && isForm) return { ...first, isShaped: first.numbers.length > 1 };
    if (!first) return undefined;
    return change && !first.isWhole ? rounded({ ...first, numbers: first.numbers.map(change) }) : undefined;
  }

  private async range({ ins }: Step, left: number): Promise<Folded | undefined> {
    const bounds: (Folded | undefined)[] = [];
    for (const value of ins) bounds.push(await this.of(value, left));
    const [start, end, step] = bounds.map((one) => one?.numbers[0]);
    if (start === undefined || end === undefined || !step) return undefined;
    const count = Math.ceil((end - start) / step);
    if (!(count > 0 && count <= maxElements)) return undefined;
    return { numbers: Array.from({ length: count }, (_, i) => start + i * step), isWhole: bounds[0]!.isWhole };
  }

  /** Returns one dim of a Shape, whose dims may have been reordered. */
  private async dim(vector: Value | undefined, index: number | undefined, left: number): Promise<Folded | undefined> {
    const from = vector?.maker;
    if (!from || index === undefined || left === 0) return undefined;
    if (from.op === "Gather")
      return this.dim(from.ins[0], (await this.of(from.ins[1], left))?.numbers.at(index), left - 1);
    if (from.op !== "Shape" || integerOf(from.node, "start", 0) !== 0) return undefined;
    const dim = await this.dimOf(from.ins[0], index, left);
    return dim === undefined ? undefined : { numbers: [dim], isWhole: true };
  }

  private async gathered({ ins }: Step, left: number): Promise<Folded | undefined> {
    const [index, ...others] = (await this.of(ins[1], left))?.numbers ?? [];
    return others.length > 0 ? undefined : this.dim(ins[0], index, left);
  }

  /** Returns a part of a Shape that was split into its dims. */
  private async part(value: Value, { ins, outs }: Step, left: number): Promise<Folded | undefined> {
    const sizes = (await this.of(ins[1], left))?.numbers;
    return sizes?.every((size) => size === 1) ? this.dim(ins[0], outs.indexOf(value), left) : undefined;
  }

  private async dimOf(value: Value | undefined, axis: number, left: number): Promise<number | undefined> {
    if (!value || left === 0) return undefined;
    const declared = value.constant?.tensor.dims ?? declaredOf(value)?.dims;
    const dim = declared?.at(axis);
    if (typeof dim === "number" && dim > 0) return dim;
    const { maker } = value;
    if (!maker) return undefined;
    const { op, ins, node } = maker;
    if (keepDims.has(op)) return this.dimOf(ins[0], axis, left - 1);
    if (op === "Transpose") return this.dimOf(ins[0], attributeOf(node, "perm")?.ints.at(axis) ?? NaN, left - 1);
    if (op !== "Reshape") return undefined;
    const size = await this.sizeOf(ins[1], axis, left - 1);
    return size !== undefined && size > 0 ? size : undefined;
  }

  /** Returns one element of a Reshape's shape, which is a constant or is concatenated from one element per dim. */
  private async sizeOf(shape: Value | undefined, axis: number, left: number): Promise<number | undefined> {
    const numbers = await constantValues(shape, this.files);
    if (numbers) return numbers.at(axis);
    if (shape?.maker?.op !== "Concat") return undefined;
    const part = await this.of(shape.maker.ins.at(axis), left);
    return part?.numbers.length === 1 ? part.numbers[0] : undefined;
  }
}

const rounded = (folded: Folded): Folded =>
  folded.isWhole ? folded : { ...folded, numbers: folded.numbers.map(Math.fround) };

function cast(folded: Folded | undefined, to: number): Folded | undefined {
  if (!folded || (to !== float && !wholeTypes.has(to))) return undefined;
  const isWhole = to !== float;
  return { ...folded, numbers: folded.numbers.map(isWhole ? Math.trunc : Math.fround), isWhole };
}

function combined(combine: Combine, op: string, a: Folded | undefined, b: Folded | undefined): Folded | undefined {
  if (!a || !b) return undefined;
  const count = Math.max(a.numbers.length, b.numbers.length);
  if (![a, b].every(({ numbers: { length } }) => length === 1 || length === count)) return undefined;
  const isWhole = a.isWhole && b.isWhole;
  const isShaped = a.isShaped || b.isShaped || false;
  const at = ({ numbers }: Folded, i: number): number => numbers[numbers.length === 1 ? 0 : i]!;
  const numbers = Array.from({ length: count }, (_, i) => combine(at(a, i), at(b, i)));
  return rounded({ numbers: isWhole && op === "Div" ? numbers.map(Math.trunc) : numbers, isWhole, isShaped });
}
