// The options of an optimizer's step, on their way to the core.
import { invalid, show } from "../base/errors.js";
import { maybe, must, flag, number, oneOf, readOptions, withoutEffect, type Reader } from "../base/options.js";
import type { Core } from "../wasm/core.js";
import type { StepOptions } from "./training.js";

/** Optimizer::Kind of the core, each with the options that the others lack. */
const optimizers = {
  sgd: ["momentum", "nesterov"],
  adam: ["betas", "epsilon"],
  adamw: ["betas", "epsilon"],
} as const;
const names = Object.keys(optimizers) as (keyof typeof optimizers)[];

const betas: Reader<readonly [number, number]> = (value, name) => {
  if (!Array.isArray(value) || value.length !== 2) throw invalid(name, `must be two numbers, got ${show(value)}`);
  return [number(value[0], name), number(value[1], name)];
};
const stepOptions = {
  optimizer: must(oneOf(...names)),
  learningRate: must(number),
  weightDecay: maybe(number),
  momentum: maybe(number),
  nesterov: maybe(flag),
  betas: maybe(betas),
  epsilon: maybe(number),
};
export const readStep = (options: StepOptions) => readOptions(options, stepOptions);

/** Writes the options to the frame; ranges are the core's. */
export function sendStep(core: Core, options: ReturnType<typeof readStep>): Core {
  const { optimizer, learningRate, weightDecay = optimizer === "adamw" ? 0.01 : 0 } = options;
  const { momentum = 0, nesterov = false, betas = [0.9, 0.999], epsilon = 1e-8 } = options;
  for (const name of ["momentum", "nesterov", "betas", "epsilon"] as const)
    if (options[name] !== undefined && !(optimizers[optimizer] as readonly string[]).includes(name))
      throw withoutEffect(name, `${optimizer} has none`);
  return core
    .number(names.indexOf(optimizer))
    .number(learningRate)
    .number(weightDecay)
    .number(momentum)
    .flag(nesterov)
    .number(betas[0])
    .number(betas[1])
    .number(epsilon);
}
