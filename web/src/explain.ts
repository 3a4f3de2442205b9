/**
 * What encodings are and do, in words and numbers; `describe` needs no WebAssembly. The methods of `Posenc` by the same
 * names load this module when they are first called.
 * @module posenc/explain
 */
import type { Kind, Spec } from "./base/specs.gen.js";
import type { ConfigOptions } from "./config/config.js";
import type { Encoding } from "./encodings/encoding.js";
import type { EncodingOf } from "./encodings/kinds.js";
import type { Comparison } from "./explain/compare.js";
import type { ExplainOptions, Explanation, ExplanationOf } from "./explain/explanation.js";
import { compareSubjects, explainSubject } from "./explain/subjects.js";
import type { Posenc } from "./posenc.js";

export { describe } from "./explain/describe.js";
export type { Comparison, Difference, Interchangeable } from "./explain/compare.js";
export type * from "./base/description.js";
export type * from "./explain/explanation.js";

/**
 * What an encoding (or a spec, or a config) does, in numbers and in one paragraph: wavelengths, which pairs a scaling
 * rule changes and how, when the slowest has turned once; slopes and how far they reach; and so on by family.
 * Throws: invalid-argument, and as `Posenc.create` and `Posenc.fromConfig`.
 */
export function explain<E extends Encoding<any>>(
  pe: Posenc,
  encoding: E,
  options?: ExplainOptions,
): ExplanationOf<E["family"]>;
export function explain<K extends Kind>(
  pe: Posenc,
  spec: { kind: K } & Extract<Spec, { kind: K }>,
  options?: ExplainOptions,
): ExplanationOf<EncodingOf<K>["family"]>;
export function explain(pe: Posenc, config: object, options?: ExplainOptions & ConfigOptions): Explanation;
export function explain(pe: Posenc, subject: object, options?: ExplainOptions & ConfigOptions): Explanation {
  return explainSubject(pe.core, subject, options);
}

/**
 * What differs between two encodings, specs or Hugging Face configs: kind, fields, frequencies, magnitude, layout; and
 * whether one can stand for the other, such as after a permutation of the weights.
 * Throws: invalid-argument, and as `Posenc.create` and `Posenc.fromConfig`.
 */
export const compare = (pe: Posenc, a: object, b: object, options?: ConfigOptions): Comparison =>
  compareSubjects(pe.core, a, b, options);
