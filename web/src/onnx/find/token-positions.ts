// The positions of the tokens by which a graph rotates its queries and keys.
import { integerOf, type Step, type Value } from "../read/flow.js";
import { declaredOf } from "../read/ranks.js";
import { beforeForms, carries, formOps, forward, makerOf, sourceConstant } from "../read/trace.js";
import type { FoundRotation } from "./rotary.js";

const selects = new Set(["Slice", ...formOps]);

/** Returns the indices of a Gather, or of a GatherElements that repeats them for each feature, that reads rows of a table. */
function indicesOf(table: Value): Value | undefined {
  let found: Value | undefined;
  forward([table], (step, by) => {
    const isGather =
      step.ins[0] === by &&
      (step.op === "GatherElements" || (step.op === "Gather" && integerOf(step.node, "axis", 0) === 0));
    if (isGather) found ??= step.ins[1];
    return isGather || !carries(selects, step, by);
  });
  return found;
}

/** Index of the positions among the inputs of operators that rotate. */
const positionInput = ({ node }: Step): number => (node.domain === "" ? 3 : 1);

/**
 * Returns the positions [batch, tokens] or [tokens] of a rotation; undefined: the graph numbers tokens by their index in the
 * text, cached tokens included.
 */
export function tokenPositionsOf({ parts, steps }: FoundRotation): Value | undefined {
  let given: Value | undefined;
  if (parts.form === "frequencies") {
    const { product, value } = parts;
    const isOwn = (factor: Value | undefined): boolean =>
      !factor || factor === value || makerOf(factor)?.outs[0] === value || sourceConstant(factor)?.value === value;
    given = product.ins.slice(0, 2).find((factor) => !isOwn(factor));
  } else {
    const rotator = steps.find(({ op }) => /^M?RotaryEmbedding$/.test(op));
    given = rotator?.ins[positionInput(rotator)] ?? indicesOf(parts.cos);
    // An offset of the first token, as onnxruntime takes it.
    if (given && declaredOf(beforeForms(given))?.dims?.length === 1 && rotator) return undefined;
  }
  const value = given && beforeForms(given);
  return value && !value.constant ? value : undefined;
}
