// Which features of queries or keys a rotation rotates, followed from a product of both back to the rotation.
import { integerOf, type Step, type Value } from "../read/flow.js";
import type { Ranks } from "../read/ranks.js";
import { formOps, forward, scalarOf } from "../read/trace.js";
import { withTwins, type FoundRotation } from "./rotary.js";
import { isFused, isProduct } from "./sites.js";

/** The rotated features of a head: all, or the first or last ones. */
export type RotatedPart = "all" | "first" | "last";

const ends = new Set(["Softmax", "Shape", "Size"]);

/** Returns the values that are computed from the cosines and sines of a rotation, up to products of queries and keys. */
export function rotatedBy(found: FoundRotation): ReadonlySet<Value> {
  const values = new Set<Value>();
  for (const { users } of withTwins(found)) {
    for (const value of users) values.add(value);
    forward(users, (step) => {
      const isEnd = ends.has(step.op) || isFused(step) || isProduct(step);
      if (!isEnd) for (const out of step.outs) values.add(out);
      return isEnd;
    });
  }
  return values;
}

/** Maximum number of steps between a rotation and the product. */
const mostSteps = 64;

/** Whether the result of a step is computed from rotated features times a scalar. */
const scales = ({ op, ins }: Step): boolean =>
  (op === "Mul" || op === "Div") && ins.some((value) => value && isScalar(value));
/** Scalars are constants or computed from lengths, such as the root of the head dimension. */
const isScalar = (value: Value): boolean =>
  !!scalarOf(value) || value.maker?.op === "Sqrt" || value.maker?.op === "Pow";

/** Whether a Concat joins features: along the last axis. */
function joinsFeatures(step: Step, ranks: Ranks): boolean {
  const axis = integerOf(step.node, "axis", 0);
  return axis === -1 || axis === (ranks.of(step.outs[0]) ?? 4) - 1;
}

/**
 * Returns the part of the features that is rotated.
 *
 * @returns The part; the name of an operator that changes features after the rotation; undefined: they are not rotated.
 */
export function rotatedPart(
  features: Value,
  rotated: ReadonlySet<Value>,
  ranks: Ranks,
): RotatedPart | { readonly after: string } | undefined {
  if (!rotated.has(features)) return undefined;
  let part: RotatedPart = "all";
  let at = features;
  for (let left = mostSteps; left > 0; left--) {
    const step: Step | undefined = at.maker;
    if (!step) return undefined;
    const inside: Value[] = step.ins.filter((value) => value && rotated.has(value)) as Value[];
    if (step.op === "RotaryEmbedding" || step.op === "MRotaryEmbedding") {
      const isPartial = integerOf(step.node, "rotary_embedding_dim", 0) > 0;
      return isPartial ? "first" : part;
    }
    const next: Value | undefined = inside[0];
    if (step.op === "Concat" && joinsFeatures(step, ranks) && inside.length < step.ins.length) {
      if (inside.length !== 1 || part !== "all") return { after: step.op };
      if (next === step.ins[0]) part = "first";
      else if (next === step.ins.at(-1)) part = "last";
      else return { after: step.op };
    } else if (inside.length > 1 || step.op === "ScatterND") return part;
    else if (!formOps.has(step.op) && step.op !== "Concat" && step.op !== "Where" && !scales(step))
      return { after: step.op };
    if (!next) return undefined;
    at = next;
  }
  return undefined;
}
