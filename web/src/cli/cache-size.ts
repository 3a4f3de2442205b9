// Memory of the cache, for reports.
import { PosencError } from "../base/errors.js";
import { asObject } from "../base/json.js";
import { cacheBytes } from "../config/cache-bytes.js";
import { lengthsIn } from "../onnx/audit/config-facts.js";
import type { OnnxReport } from "./report.js";

/** Returns the memory that the longest text needs in the cache of a model that generates text. */
export function cacheOf(config: unknown): Pick<OnnxReport, "cache"> {
  const { architectures } = asObject(config) ?? {};
  const { maxLength: tokens } = lengthsIn(config);
  if (tokens === undefined || !/CausalLM|LMHead|ConditionalGeneration/.test(String(architectures))) return {};
  try {
    return { cache: { tokens, type: "float16", bytes: cacheBytes(config, { length: tokens }).bytes } };
  } catch (error) {
    if (!(error instanceof PosencError)) throw error;
    // Findings say why the config cannot be read.
    return {};
  }
}
