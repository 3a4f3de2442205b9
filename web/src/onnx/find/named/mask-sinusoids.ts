// Cosines and sines of positions without other components: sinusoids of a mask's running sums (DETR), and unknown ones.
import type { Constant, Step, Value } from "../../read/flow.js";
import type { Facts, Known, Named } from "./facts.js";
import { walkBack, from, stepsOf } from "./sources.js";
import { sourceConstant, scalarOf } from "../../read/trace.js";
import { countOf, isFloat, typeOf } from "../../read/values.js";

const maxValues = 100;

/** Whether angles depend on positions, not on features or a time step. */
function isByPosition(angles: Value | undefined, { sources }: Named): boolean {
  const bits = sources.of(angles);
  if (bits & from.layer) return false;
  return (bits & from.position) !== 0 || ((bits & from.count) !== 0 && !(bits & from.input));
}

/** Returns cosines and sines of positions that belong to no component. */
function unassignedSinusoids(at: Named, { constants, steps }: Known): Step[] {
  return stepsOf(at.flow, "Cos", "Sin").filter((step) => {
    if (steps.has(step) || !isByPosition(step.ins[0], at)) return false;
    let isKnown = false;
    walkBack(
      step.ins[0],
      ({ constant, maker }) => {
        if ((constant && constants.has(constant)) || (maker && steps.has(maker))) isKnown = true;
        return isKnown;
      },
      maxValues,
    );
    return !isKnown;
  });
}

interface Counted {
  readonly sums: Set<Step>;
  readonly frequencies: Set<Constant>;
  isNormalised: boolean;
}

/** Returns the running sums from which angles are computed, and whether these are divided by their last element. */
function runningSumsOf(angles: Value | undefined, { sources }: Named): Counted {
  const found: Counted = { sums: new Set(), frequencies: new Set(), isNormalised: false };
  walkBack(
    angles,
    ({ maker, constant }) => {
      if (constant && isFloat(typeOf(constant.tensor)) && countOf(constant.tensor) > 1) found.frequencies.add(constant);
      if (maker?.op === "CumSum") found.sums.add(maker);
      else if (maker?.op === "Div")
        found.isNormalised ||= maker.ins.every((value) => sources.of(value) & from.position);
      return maker?.op === "CumSum";
    },
    maxValues,
  );
  return found;
}

/**
 * Finds sinusoids of a mask: rows and columns are counted in the mask, and divided by their number. Carion et al. 2020
 * (arXiv:2005.12872).
 */
export async function findMaskSinusoids(at: Named, known: Known): Promise<Facts[]> {
  const sinusoids = unassignedSinusoids(at, known).map((step) => ({ step, ...runningSumsOf(step.ins[0], at) }));
  const counted = sinusoids.filter(({ sums }) => sums.size > 0);
  const sums = new Set(counted.flatMap((one) => [...one.sums]));
  const axes = new Set<number | undefined>();
  for (const { ins } of sums) {
    const axis = scalarOf(ins[1]);
    axes.add(axis && (await at.files.numbers(axis))?.[0]);
  }
  const has = (op: string): boolean => counted.some(({ step }) => step.op === op);
  if (!has("Cos") || !has("Sin")) return [];
  if (axes.size < 2 && !counted.some(({ isNormalised }) => isNormalised)) return [];
  const steps = counted.map(({ step }) => step);
  const layers = at.sites.reachedBy(steps.flatMap(({ outs }) => outs));
  if (layers.length === 0) return [];
  const frequencies = new Set(counted.flatMap((one) => [...one.frequencies]));
  const [first] = frequencies;
  const pairs = Math.max(0, ...[...frequencies].map(({ tensor }) => countOf(tensor)));
  return [
    {
      family: "table",
      form: "computed-from-mask",
      layers,
      ...(pairs > 0 && { dim: pairs * Math.max(1, axes.size) }),
      type: (first && typeOf(first.tensor)) ?? "float32",
      constants: [...frequencies],
      steps: [...steps, ...sums],
    },
  ];
}

/** Returns cosines and sines of positions that reach an attention and belong to no component. */
export function unexplainedSinusoids(at: Named, known: Known): Step[] {
  const loose = unassignedSinusoids(at, known);
  const reaching = loose.filter(({ outs, ins }) => !sourceConstant(ins[0]) && at.sites.reachedBy(outs).length > 0);
  const has = (op: string): boolean => reaching.some((step) => step.op === op);
  return has("Cos") && has("Sin") ? reaching : [];
}
