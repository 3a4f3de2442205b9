// The options of an optimizer's step, on their way to the core.
import { OptimizerKind, type OptimizerFields } from "../base/calls.gen.js";
import { invalid, show } from "../base/errors.js";
import { maybe, must, flag, number, oneOf, readOptions, withoutEffect, type Reader } from "../base/options.js";
import type { StepOptions } from "./training.js";

/** Code of each optimizer, and the options that other optimizers do not have. */
const optimizers: Record<keyof typeof OptimizerKind, readonly [OptimizerKind, ...string[]]> = {
  sgd: [OptimizerKind.sgd, "momentum", "nesterov"],
  adam: [OptimizerKind.adam, "betas", "epsilon"],
  adamw: [OptimizerKind.adamw, "betas", "epsilon"],
};
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

/**
 * Reads the options. The returned function checks that they fit together, and returns the core's fields. The core
 * checks ranges.
 */
export function readStep(options: StepOptions): () => OptimizerFields {
  const read = readOptions(options, stepOptions);
  const { optimizer, learningRate, weightDecay = optimizer === "adamw" ? 0.01 : 0 } = read;
  const { momentum = 0, nesterov = false, betas = [0.9, 0.999], epsilon = 1e-8 } = read;
  const [kind, ...own] = optimizers[optimizer];
  return () => {
    for (const name of ["momentum", "nesterov", "betas", "epsilon"] as const)
      if (read[name] !== undefined && !own.includes(name)) throw withoutEffect(name, `${optimizer} has no ${name}`);
    return [kind, learningRate, weightDecay, momentum, nesterov, ...betas, epsilon];
  };
}
