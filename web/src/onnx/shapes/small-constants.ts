// Constants that are small enough to be part of shapes.
import { PosencError } from "../../base/errors.js";
import { attributeOf, type Constant, type Flow, type Step, type Value } from "../read/flow.js";
import type { Tensor } from "../read/graph.js";
import { countOf, typeOf, type Files } from "../read/values.js";

/** Maximum number of elements: shapes have at most as many dims. */
const maxElements = 64;

/** Elements of small constants, read once. */
export class SmallConstants {
  /** The value that each ConstantOfShape repeats. */
  readonly filling = new Map<Step, number>();
  private readonly known = new Map<Value, readonly number[]>();

  async read(flow: Flow, files: Files): Promise<this> {
    for (const value of flow.constants) {
      const numbers = await numbersOf(value.constant!, files);
      if (numbers) this.known.set(value, [...numbers]);
    }
    for (const step of flow.steps) {
      if (step.op !== "ConstantOfShape") continue;
      const tensor = attributeOf(step.node, "value")?.tensor;
      const numbers = tensor ? await numbersOf({ tensor, graph: step.node.graph }, files) : [0];
      if (numbers?.length === 1) this.filling.set(step, numbers[0]!);
    }
    return this;
  }

  /** Returns elements of any dtype; undefined: there are too many, or they cannot be read. */
  numbersOf(value: Value): readonly number[] | undefined {
    return this.known.get(value);
  }

  /** Returns whole numbers that a shape can have. */
  integersOf(value: Value): readonly number[] | undefined {
    const numbers = isWhole(value.constant!.tensor) ? this.known.get(value) : undefined;
    // Integer tensors may store other values, in a field for another type.
    return numbers?.every(Number.isSafeInteger) ? numbers : undefined;
  }
}

const isWhole = (tensor: Tensor): boolean => ["int64", "int32"].includes(typeOf(tensor) ?? "");

async function numbersOf(
  constant: Constant,
  files: Files,
): Promise<(ArrayLike<number> & Iterable<number>) | undefined> {
  const { tensor } = constant;
  // Weights in external files are not read.
  const isWeight = tensor.data.form === "external" && !isWhole(tensor);
  if (isWeight || countOf(tensor) > maxElements) return undefined;
  try {
    return await files.numbers(constant);
  } catch (error) {
    // Missing files and damaged tensors are unknown shapes, not errors.
    if (error instanceof PosencError) return undefined;
    throw error;
  }
}
