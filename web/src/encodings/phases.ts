// Content-dependent positions: cumulative sums of gates.
import { GateForm, Operation } from "../base/calls.gen.js";
import { number, oneOf, or, readOptions } from "../base/options.js";
import type { InputTensor, OwnedFloat64Array } from "../base/types.js";
import { readable } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";

/** How `cumulativePhases` computes gates. */
export interface PhaseOptions {
  /** Function of the gate: the logistic function, or ln(1 + e^x). Default "sigmoid". */
  form?: "sigmoid" | "softplus";
  /** The gates' inputs are divided by this, 1e-6 to 1e6 in magnitude. Default 1. */
  scale?: number;
}

const phaseOptions = { form: or(oneOf("sigmoid", "softplus"), "sigmoid" as const), scale: or(number, 1) };

/** See `Posenc.cumulativePhases`. */
export function cumulativePhases(core: Core, gates: InputTensor, options: PhaseOptions): OwnedFloat64Array {
  const { form, scale } = readOptions(options, phaseOptions);
  return core.withScratch(() => {
    const source = readable(core, gates, "gates");
    const length = source.dims.reduce((product, dim) => product * dim, 1);
    const address = core.borrow(8 * length);
    core.call(Operation.cumulativePhases, source, form === "softplus" ? GateForm.softplus : GateForm.sigmoid, scale, {
      address,
      length,
    });
    return core.doubles(address, length).slice();
  });
}
