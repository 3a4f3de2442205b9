// Biases by offset that an optimiser folded into constants: from tables with their indices, or from networks.
import type { Constant, Step, Value } from "../../read/flow.js";
import type { Facts, Named } from "./facts.js";
import { sourceConstant } from "../../read/trace.js";
import { countOf, isFloat, typeOf } from "../../read/values.js";

/** A constant that is added to scores. */
export interface Folded {
  readonly form: "network" | "offsets";
  readonly constant: Constant;
  readonly steps: readonly Step[];
  readonly heads: number;
  /** Number of offsets with separate values; undefined: they were not counted. */
  readonly rows?: number;
}

/** Maximum number of elements that are compared. */
const maxElements = 1048576;

/** Finds the logits before the 16 · sigmoid of a network, [tokens², heads] or [heads, tokens, tokens]. */
function logits(step: Step): Folded | undefined {
  const constant = step.op === "Sigmoid" ? sourceConstant(step.ins[0])?.constant : undefined;
  const dims = constant?.tensor.dims.filter((dim) => dim > 1) ?? [];
  const [first = 0, second = 0, third] = dims;
  const isSquare = third === undefined ? Number.isInteger(Math.sqrt(first)) : second === third;
  if (!constant || !isSquare || dims.length < 2 || dims.length > 3) return undefined;
  return { form: "network", constant, steps: [step], heads: third === undefined ? second : first };
}

/**
 * Returns the number of offsets in biases [heads, queries, keys]: all heads have equal values at the same indices, as
 * they read one matrix of indices, and different values from one another. undefined: they do not.
 */
function offsetsIn(numbers: Float64Array, heads: number): number | undefined {
  const count = numbers.length / heads;
  const firsts = new Map<number, number>();
  const pattern = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const first = firsts.get(numbers[i]!) ?? i;
    firsts.set(numbers[i]!, first);
    pattern[i] = first;
  }
  if (firsts.size < 4 || 2 * firsts.size > count) return undefined;
  for (let head = 1; head < heads; head++) {
    const start = head * count;
    const seen = new Set<number>();
    let differs = 0;
    for (let i = 0; i < count; i++) {
      const number = numbers[start + i]!;
      if (number !== numbers[start + pattern[i]!]) return undefined;
      seen.add(number);
      if (number !== numbers[i]) differs++;
    }
    // Learned values are rarely equal for two offsets or for two heads.
    if (seen.size < firsts.size - 1 || differs < count / 2) return undefined;
  }
  return firsts.size;
}

const examined = new WeakMap<Constant, number | undefined>();

async function biases(value: Value, { files }: Named): Promise<Folded | undefined> {
  const constant = sourceConstant(value)?.constant;
  const [heads = 0, ...others] = constant?.tensor.dims.filter((dim) => dim > 1) ?? [];
  const isFit = others.length === 2 && isFloat(typeOf(constant!.tensor)) && countOf(constant!.tensor) <= maxElements;
  if (!constant || !isFit) return undefined;
  if (!examined.has(constant)) {
    const numbers = await files.numbers(constant);
    examined.set(constant, numbers && offsetsIn(numbers, heads));
  }
  const rows = examined.get(constant);
  return rows === undefined ? undefined : { form: "offsets", constant, steps: [], heads, rows };
}

/** Returns the constant that an addend of scores is, or from which it is computed. */
export const foldedOf = async (value: Value, at: Named): Promise<Folded | undefined> =>
  value.maker ? logits(value.maker) : biases(value, at);

export function describeFolded({ form, constant, steps, heads, rows }: Folded, layers: readonly number[]): Facts {
  const facts = { layers, heads, ...(rows !== undefined && { rows }), type: typeOf(constant.tensor)! };
  return { family: "bias", form, ...facts, constants: [constant], steps };
}
