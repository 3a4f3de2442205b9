// Learned tables and biases of windows for another grid.
import type { ResizeOptions, WindowResizeOptions } from "../base/call-options.js";
import { sizeOf } from "../base/dims.js";
import { PosencError } from "../base/errors.js";
import { flag, maybe, number, readOptions } from "../base/options.js";
import type { Spec, SwinSpec } from "../base/specs.gen.js";
import { resized, resizeOptions, resizePlan } from "../tensors/resize.js";
import { WindowBias } from "./biases.js";
import { createHandle, filled } from "./encoding.js";
import type { ParameterTensor } from "./parameters.js";
import { LearnedTable } from "./tables.js";

const windowOptions = {
  windowHeight: maybe(number),
  windowWidth: maybe(number),
  mode: resizeOptions.mode,
  antialias: flag,
};

/** See `LearnedTable.resize`. */
export function resizeLearned<S extends Spec>(table: LearnedTable<S>, options: ResizeOptions): LearnedTable<S> {
  const { core, weights } = table;
  const { start = 0 } = table.spec as { start?: number };
  const read = readOptions(options, resizeOptions);
  const how = { ...read, prefix: read.prefix + start };
  const { to, kept } = resizePlan(weights.dims[0]!, how);
  const spec = { ...table.spec, length: kept + sizeOf(to) };
  // `std: 0`: no random values are drawn.
  const handle = createHandle(core, { ...spec, std: 0 });
  return filled(new LearnedTable<S>(core, handle, spec), (made) =>
    resized(core, weights, { ...how, out: made.weights }),
  );
}

const weightsOf = (bias: WindowBias<any>): ParameterTensor => bias.parameters["weights"] as ParameterTensor;

/** See `WindowBias.resize`. */
export function resizeWindow<S extends Spec>(bias: WindowBias<S>, options: WindowResizeOptions): WindowBias<S> {
  if (bias.kind !== "swin") throw new PosencError("unsupported", `resize: ${bias.kind} has no window`, "resize");
  const how = readOptions(options, windowOptions);
  const old = bias.spec as unknown as Required<SwinSpec>;
  const { windowHeight = old.windowHeight, windowWidth = old.windowWidth } = how;
  const spec = { ...bias.spec, windowHeight, windowWidth };
  const displacements = (height: number, width: number): number[] => [2 * height - 1, 2 * width - 1];
  const { core } = bias;
  return filled(new WindowBias<S>(core, createHandle(core, spec), spec), (other) =>
    resized(core, weightsOf(bias), {
      ...readOptions<ResizeOptions, typeof resizeOptions>({}, resizeOptions),
      mode: how.mode,
      antialias: how.antialias,
      from: displacements(old.windowHeight, old.windowWidth),
      grid: displacements(windowHeight, windowWidth),
      suffix: old.classToken ? 3 : 0,
      out: weightsOf(other),
    }),
  );
}
