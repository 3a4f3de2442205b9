// Multimodal RoPE: cosines of three kinds of positions, of which each section of features takes one.
import type { Step, Value } from "./flow.js";
import { constantBehind, formOps, forward, scalarOf } from "./trace.js";
import type { Files } from "./values.js";

/** A part of the features and the axis whose positions it takes. */
interface Section {
  readonly size: number;
  readonly axis: number;
}

const mostSections = 64;

async function axisOf(part: Value, files: Files): Promise<number | undefined> {
  const [take, ...others] = part.users;
  const scalar = take?.op === "Gather" && others.length === 0 ? scalarOf(take.ins[1]) : undefined;
  return scalar && (await files.numbers(scalar))?.[0];
}

async function sectionsAt(split: Step, files: Files): Promise<Section[] | undefined> {
  const constant = constantBehind(split.ins[1])?.constant;
  const sizes = constant && split.outs.length <= mostSections ? await files.numbers(constant) : undefined;
  if (sizes?.length !== split.outs.length) return undefined;
  const found: Section[] = [];
  for (const [i, part] of split.outs.entries()) {
    const axis = await axisOf(part, files);
    if (axis === undefined || !(axis >= 0 && axis < sizes.length)) return undefined;
    found.push({ size: sizes[i]!, axis });
  }
  return found;
}

/** Bai et al. 2025 (Qwen2-VL, arXiv:2409.12191), section 2.1: pairs of each axis, in order; undefined: one axis for all. */
export async function sectionsOf(cos: Step, pairs: number, files: Files): Promise<readonly number[] | undefined> {
  const splits: Step[] = [];
  forward(cos.outs, (step) => {
    if (step.op === "Split") splits.push(step);
    return !formOps.has(step.op);
  });
  const [split] = splits;
  const all = split && (await sectionsAt(split, files));
  const total = all?.reduce((sum, { size }) => sum + size, 0);
  // Both features of a pair may have their own.
  const sections = total === 2 * pairs ? all!.slice(0, all!.length / 2) : total === pairs ? all! : [];
  const isInOrder = sections.length > 1 && sections.every(({ axis }, i) => axis === i);
  return isInOrder ? sections.map(({ size }) => size) : undefined;
}
