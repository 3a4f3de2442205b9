/**
 * Explanations and comparisons of encodings, in words and values; `describe` needs no WebAssembly. The methods of
 * `Posenc` with the same names load this module when they are first called.
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
 * Describes what an encoding, a spec or a Hugging Face config does, with values and one paragraph.
 *
 * - Rotations: wavelengths, which pairs a scaling rule changes and how, the length at which the slowest pair completes
 *   a rotation.
 * - Biases: slopes and reach.
 * - Tables: the wavelengths of their sinusoids.
 * @param pe The instance.
 * @param encoding An encoding, a spec, or the object of a config.json.
 * @param options `contextLength`: number of positions in which rotations are counted, default the spec's
 * `originalLength`. For a config also `layerType` and `pairing`.
 * @returns The explanation. Its `family` determines which fields it has.
 * @throws {PosencError} `invalid-argument` if the subject or an option is invalid; `invalid-spec` or `unsupported`, as
 * `Posenc.create` and `Posenc.fromConfig`; `disposed`.
 * @example
 * explain(pe, { kind: "rope-linear", dim: 128, factor: 4 }).summary;
 */
export function explain<E extends Encoding<any>>(
  pe: Posenc,
  encoding: E,
  options?: ExplainOptions,
): ExplanationOf<E["family"]>;
/**
 * Describes the encoding of a spec, as if it were created.
 *
 * @param pe The instance.
 * @param spec The kind and its fields.
 * @param options `contextLength`, as in the first signature.
 * @returns The explanation for the family of the kind.
 * @throws {PosencError} As the first signature.
 */
export function explain<K extends Kind>(
  pe: Posenc,
  spec: { kind: K } & Extract<Spec, { kind: K }>,
  options?: ExplainOptions,
): ExplanationOf<EncodingOf<K>["family"]>;
/**
 * Describes the encoding of a Hugging Face config.
 *
 * @param pe The instance.
 * @param config The object of a config.json.
 * @param options `contextLength`, and the options of `fromConfig`: `layerType` and `pairing`.
 * @returns The explanation. Its `family` narrows the type.
 * @throws {PosencError} As the first signature.
 */
export function explain(pe: Posenc, config: object, options?: ExplainOptions & ConfigOptions): Explanation;
export function explain(pe: Posenc, subject: object, options?: ExplainOptions & ConfigOptions): Explanation {
  return explainSubject(pe.core, subject, options);
}

/**
 * Compares two encodings, specs or Hugging Face configs.
 *
 * Reports differences in kind, fields, frequencies, magnitude and layout, and whether one can replace the other in a trained
 * model, such as after a permutation of the weights.
 * @param pe The instance.
 * @param a An encoding, a spec, or the object of a config.json.
 * @param b The one to compare it with.
 * @param options `layerType` and `pairing`, for configs.
 * @returns `same`, `interchangeable` with a `note`, and the `differences`, most important first.
 * @throws {PosencError} `invalid-argument` if a subject or an option is invalid; `invalid-spec` or `unsupported`, as
 * `Posenc.create` and `Posenc.fromConfig`; `disposed`, `out-of-memory`.
 * @example
 * compare(pe, { kind: "rope", dim: 64 }, { kind: "rope", dim: 64, pairing: "interleaved" }).interchangeable; // "permuted"
 */
export const compare = (pe: Posenc, a: object, b: object, options?: ConfigOptions): Comparison =>
  compareSubjects(pe.core, a, b, options);
