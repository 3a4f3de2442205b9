// Elements of constants, also after changes of their form.
import type { OwnedFloat64Array } from "../../base/types.js";
import type { Value } from "./flow.js";
import { sourceConstant, scalarOf } from "./trace.js";
import type { Files } from "./values.js";

/** Values of the constant behind form changes. undefined: there is none. */
export async function constantValues(value: Value | undefined, files: Files): Promise<OwnedFloat64Array | undefined> {
  const constant = sourceConstant(value)?.constant;
  return constant && files.numbers(constant);
}

/** Returns the value of a scalar constant; undefined: it is not one. */
export async function constantValue(value: Value | undefined, files: Files): Promise<number | undefined> {
  const constant = scalarOf(value);
  return constant && (await files.numbers(constant))?.[0];
}
