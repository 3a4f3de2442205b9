// The encodings of models that do not rotate.
import { PosencError } from "../base/errors.js";
import type { Json } from "../base/json.js";
import type { Spec } from "../base/specs.gen.js";
import { factsOf, typeFacts } from "./model-types/table.js";
import { modelType } from "./read.js";
import type { Choice } from "./rules/text.js";

/** Returns the reason why a type has no spec. */
export function reasonOf(type: string): string | undefined {
  const { reason } = typeFacts(type);
  return reason && `posenc has no kind for ${type}: its positions ${reason}`;
}

/** Returns the spec of a model that does not rotate, or undefined. */
export function notRotary(model: Json, choice: Choice): Spec | undefined {
  const { rule: own, visionRule } = factsOf(model);
  const rule = (choice.vision ? visionRule : undefined) ?? own;
  const reason = rule ? undefined : reasonOf(modelType(model));
  if (reason !== undefined) throw new PosencError("unsupported", `model_type: ${reason}`, "model_type");
  return rule?.(model, choice);
}
