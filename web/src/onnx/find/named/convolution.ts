// Positional convolutions: wide and grouped ones whose result is added to their own input, as in wav2vec 2.0
// (Baevski et al. 2020, arXiv:2006.11477, section 2), WavLM and data2vec.
import { attributeOf, integerOf, type Step, type Value } from "../../read/flow.js";
import type { Facts, Named } from "./facts.js";
import { downstream, stepsOf } from "./sources.js";
import { sourceConstant, formOps } from "../../read/trace.js";
import { isFloat, typeOf } from "../../read/values.js";

/** Minimum size of a kernel. Smaller ones mix neighbours for other reasons. */
const leastKernel = 8;
/** Maximum number of steps between the first convolution and the sum. */
const mostFollowed = 96;

const between = new Set([
  ...formOps,
  ..."Add BiasGelu Conv Div Dropout Elu Erf FastGelu Gelu LayerNormalization Mul Pow ReduceMean Relu Sigmoid".split(
    " ",
  ),
  ..."Slice Softplus Sqrt Sub Tanh".split(" "),
]);

/** The value before changes of form and type. */
function origin(value: Value | undefined): Value | undefined {
  let at = value;
  for (let left = 64; left > 0 && at?.maker && formOps.has(at.maker.op); left--) at = at.maker.ins[0];
  return at;
}

/** Returns the constant with three dims that a kernel is, or from which it is normalised. */
function kernelOf(value: Value | undefined): { value: Value; dims: readonly number[] } | undefined {
  const seen = new Set<Value>(value ? [value] : []);
  for (const at of seen) {
    const constant = sourceConstant(at)?.constant;
    const dims = constant?.tensor.dims;
    if (dims?.length === 3 && dims.every((dim) => dim >= 1) && dims[0]! > 1 && isFloat(typeOf(constant!.tensor)))
      return { value: sourceConstant(at)!.value, dims };
    for (const one of at.maker?.ins ?? []) if (one && seen.size < 24) seen.add(one);
  }
  return undefined;
}

/** The sum of a convolution's result and its input. */
function sumOf(conv: Step): Step | undefined {
  const input = origin(conv.ins[0]);
  let found: Step | undefined;
  downstream(
    conv.outs,
    (step) => {
      const isSum = step.op === "Add" || step.op === "SkipLayerNormalization";
      if (isSum && step.ins.slice(0, 2).some((value) => origin(value) === input)) found ??= step;
      return !found && between.has(step.op);
    },
    mostFollowed,
  );
  return found;
}

/** Maximum number of convolutions. Models have one or a few; examining each takes a walk through the graph. */
const mostConvolutions = 8;

export function findConvolutions({ flow, sites }: Named): Facts[] {
  let looked = 0;
  return stepsOf(flow, "Conv").flatMap((step): Facts[] => {
    const groups = integerOf(step.node, "group", 1);
    if (groups < 2) return [];
    const kernel = kernelOf(step.ins[1]);
    const [channels = 0, perGroup = 0, width = 0] = kernel?.dims ?? [];
    const size = attributeOf(step.node, "kernel_shape")?.ints ?? [width];
    // With one channel per group it mixes no features: a filter.
    if (!kernel || size.length !== 1 || perGroup < 2 || size[0]! < leastKernel) return [];
    const sum = sumOf(step);
    if (!sum || ++looked > mostConvolutions) return [];
    const layers = sites.reachedBy(sum.outs);
    if (layers.length === 0) return [];
    const { constant } = kernel.value;
    const type = typeOf(constant!.tensor)!;
    const facts = { layers, dim: channels, rows: size[0]!, type, constants: [constant!], steps: [step, sum] };
    return [{ family: "relative", form: "convolution", ...facts }];
  });
}
