// The product of positions and frequencies before a cosine or a sine.
import type { OwnedFloat64Array } from "../../base/types.js";
import { attributeOf, type Step, type Value } from "../read/flow.js";
import { Folding } from "../read/folding.js";
import { constantValues } from "../read/constant-values.js";
import { sourceConstant, formOps, makerOf, scalarOf } from "../read/trace.js";
import { countOf, isFloat, typeOf, type DataType, type Files } from "../read/values.js";

export interface Angles {
  readonly product: Step;
  /** The value with the frequencies: a constant, or computed by a step from constants. */
  readonly value: Value;
  /** Its elements, as stored or computed. */
  readonly numbers: OwnedFloat64Array;
  readonly type: DataType;
  /** TensorProto.DataType of the elements when they are multiplied. */
  readonly arrivesAs: number;
  /** Factor of the elements in addition to the positions. */
  readonly scale: number;
  /** Whether positions are divided by the elements. */
  readonly isInverse: boolean;
}

/** Maximum number of frequencies of a rotation. */
const mostPairs = 8192;
/** Maximum number of steps between the product and the cosine. */
const mostSteps = 64;
/** Maximum number of products with a scalar. */
const mostScales = 3;

const productOps = new Set(["Div", "Einsum", "Gemm", "MatMul", "Mul"]);
/** Operators that may select or repeat angles before the cosine. */
const selections = ["Gather", "GatherElements", "GatherND", "ScatterND", "Slice", "Split"];
/** Operators of repeat_interleave with free dims. */
const sequences = ["ConcatFromSequence", "Loop", "SequenceAt", "SequenceInsert", "SplitToSequence"];
const betweenOps = new Set([...formOps, ...selections, ...sequences]);

type Frequencies = Pick<Angles, "value" | "numbers" | "type" | "arrivesAs">;

/** Finds the angles of many cosines and sines. Each product is examined once. */
export class AngleFinder {
  private readonly folding: Folding;
  private readonly known = new Map<Value, Angles | undefined>();

  constructor(private readonly files: Files) {
    this.folding = new Folding(files);
  }

  async of(step: Step): Promise<Angles | undefined> {
    const value = step.ins[0]!;
    if (!this.known.has(value)) this.known.set(value, await this.find(value));
    return this.known.get(value);
  }

  private async find(angles: Value): Promise<Angles | undefined> {
    let maker = makerOf(angles, betweenOps);
    let scale = 1;
    for (let i = 0; i < mostScales && maker && productOps.has(maker.op); i++) {
      const divides = maker.op === "Div";
      const factors = maker.ins.slice(0, 2);
      const scalars = factors.map(scalarOf);
      const at = scalars[1] ? 1 : scalars[0] && !divides ? 0 : undefined;
      if (at !== undefined) {
        const number = (await this.files.numbers(scalars[at]!))?.[0];
        if (!number) return undefined;
        scale *= divides ? 1 / number : number;
        maker = makerOf(factors[1 - at], betweenOps);
        continue;
      }
      const frequencies = await this.frequenciesOf(divides ? [factors[1]] : factors);
      const isWhole = frequencies && (await this.takesAll(angles, maker));
      return isWhole ? { product: maker, ...frequencies, scale, isInverse: divides } : undefined;
    }
    return undefined;
  }

  /** Returns the only factor that is constant, or computed from constants and decreasing. */
  private async frequenciesOf(factors: readonly (Value | undefined)[]): Promise<Frequencies | undefined> {
    const arrivals = factors.map((value) => sourceConstant(value));
    const [constant, ...others] = arrivals.filter((arrival) => arrival !== undefined);
    if (others.length > 0 || factors.includes(undefined)) return undefined;
    if (constant) {
      const { tensor } = constant.constant;
      const type = typeOf(tensor);
      const numbers = countOf(tensor) <= mostPairs ? await this.files.numbers(constant.constant) : undefined;
      if (!numbers || !type || !isFloat(type)) return undefined;
      return { value: constant.value, numbers, type, arrivesAs: constant.type };
    }
    for (const factor of factors) {
      const value = makerOf(factor)?.outs[0];
      const numbers = value && (await this.folding.numbersOf(value));
      if (numbers && numbers.length > 1 && numbers.every((number, i) => i === 0 || number < numbers[i - 1]!))
        return { value, numbers, type: "float32", arrivesAs: 1 };
    }
    return undefined;
  }

  /** Whether all angles are used. A Slice of every second angle has other frequencies than the product. */
  private async takesAll(angles: Value, product: Step): Promise<boolean> {
    let at: Value | undefined = angles;
    for (let left = mostSteps; left > 0 && at?.maker && at.maker !== product; left--) {
      const { op, ins }: Step = at.maker;
      const steps = op === "Slice" ? await constantValues(ins[4], this.files) : undefined;
      if (steps?.some((step) => step !== 1)) return false;
      at = ins[0];
    }
    return true;
  }
}

/** Returns the dtype of the last cast before the cosine, or else of the product. */
export function angleTypeOf(value: Value | undefined, { product, arrivesAs }: Angles): number {
  let at = value;
  for (let left = mostSteps; left > 0 && at?.maker && at.maker !== product; left--, at = at.maker.ins[0]) {
    const to = at.maker.op === "Cast" ? attributeOf(at.maker.node, "to")?.i : undefined;
    if (to !== undefined) return to;
  }
  return arrivesAs;
}
