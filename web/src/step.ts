// The options of an optimizer's step, on their way to the core.
import type { Core } from "./core.js";
import { checkOptions, invalid, show } from "./errors.js";
import type { AdamOptions, SgdOptions, StepOptions } from "./training-types.js";

/** Optimizer::Kind of the core, each with the options that it has. */
const optimizers = {
  sgd: "optimizer learningRate weightDecay momentum nesterov",
  adam: "optimizer learningRate weightDecay betas epsilon",
  adamw: "optimizer learningRate weightDecay betas epsilon",
};

function numberOf(value: unknown, name: string): number {
  if (typeof value !== "number") throw invalid(name, `must be a number, got ${show(value)}`);
  return value;
}

/** Checks the options and writes them to the frame; ranges are the core's. */
export function sendStep(core: Core, options: StepOptions): Core {
  if (options === null || typeof options !== "object")
    throw invalid("options", `must be an object, got ${show(options)}`);
  const { optimizer, learningRate, weightDecay = optimizer === "adamw" ? 0.01 : 0 } = options;
  const names = Object.keys(optimizers);
  if (!names.includes(optimizer))
    throw invalid("optimizer", `must be one of ${names.join(", ")}, got ${show(optimizer)}`);
  checkOptions(options, optimizers[optimizer]);
  const { momentum = 0, nesterov = false } = options as SgdOptions;
  const { betas = [0.9, 0.999], epsilon = 1e-8 } = options as AdamOptions;
  if (typeof nesterov !== "boolean") throw invalid("nesterov", `must be true or false, got ${show(nesterov)}`);
  if (!Array.isArray(betas) || betas.length !== 2) throw invalid("betas", `must be two numbers, got ${show(betas)}`);
  return core
    .number(names.indexOf(optimizer))
    .number(numberOf(learningRate, "learningRate"))
    .number(numberOf(weightDecay, "weightDecay"))
    .number(numberOf(momentum, "momentum"))
    .flag(nesterov)
    .number(numberOf(betas[0], "betas"))
    .number(numberOf(betas[1], "betas"))
    .number(numberOf(epsilon, "epsilon"));
}
