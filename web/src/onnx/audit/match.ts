// Compares frequencies with those of an encoding, and describes encodings.
import type { RotaryChoice } from "../options.js";
import type { Spec } from "../../base/specs.gen.js";
import type { RotaryEncoding } from "../../encodings/rotary.js";
import type { PositionalComponent } from "../component.js";
import { few } from "./finding.js";

/** Fields that specs of rotations may have. */
export interface FieldsOf {
  readonly kind?: Spec["kind"];
  readonly base?: number;
  readonly factor?: number;
  readonly originalLength?: number;
  readonly pairing?: string;
}

/** Fields with values that equal their defaults. */
const silent: Readonly<Record<string, unknown>> = {
  precision: "exact",
  rotaryDim: 0,
  rotaryStart: 0,
  interleavedSections: false,
};

/** Returns a spec without fields that have no effect. */
export const plainSpec = (spec: Spec): RotaryChoice =>
  Object.fromEntries(
    Object.entries(spec).filter(([name, value]) => value !== null && silent[name] !== value),
  ) as RotaryChoice;

/** Tolerance of each dtype: relative, and the smallest absolute one. */
const tolerances: Partial<Record<PositionalComponent["type"], readonly [relative: number, least: number]>> = {
  float16: [4e-3, 1e-7],
  bfloat16: [3e-2, 0],
};
const toleranceOf = ({ type }: PositionalComponent): readonly [number, number] => tolerances[type] ?? [2e-5, 0];

/** Whether the frequencies of a component equal those of an encoding for texts of some length. */
export function matches(component: PositionalComponent, encoding: RotaryEncoding, length = 1): boolean {
  const { frequencies } = component;
  if (frequencies?.length !== encoding.pairs) return false;
  const [relative, least] = toleranceOf(component);
  const wanted = encoding.frequenciesAt(length);
  return frequencies.every(
    (frequency, k) => Math.abs(frequency - wanted[k]!) <= relative * Math.abs(wanted[k]!) + least,
  );
}

/** Whether two encodings have the same angles, except for rounding. */
export function isSameRule(a: RotaryEncoding, b: RotaryEncoding): boolean {
  const fields = ({ spec }: RotaryEncoding): string =>
    JSON.stringify(Object.entries({ ...spec, precision: "exact", pairing: "half" }).sort());
  return fields(a) === fields(b);
}

export function factorMatches(component: PositionalComponent, { attentionFactor }: RotaryEncoding): boolean {
  return Math.abs((component.attentionFactor ?? 1) / attentionFactor - 1) <= toleranceOf(component)[0];
}

/** Whether frequencies change continuously with the length of the text beyond the original length. */
export const needsLength = (kind: string): boolean => kind === "rope-dynamic" || kind === "rope-qwen";
/** Whether frequencies depend on the length of the text, continuously or by a step at the original length. */
export const variesWithLength = (kind: string): boolean => needsLength(kind) || kind === "rope-longrope";

/**
 * Returns the lengths for which a component may have been exported; only one if the encoding's frequencies do not
 * change.
 */
export function lengthsOf({ kind, spec }: RotaryEncoding, component: PositionalComponent): number[] {
  const { originalLength = 1 } = spec as unknown as FieldsOf;
  if (kind === "rope-longrope") return [originalLength, originalLength + 1];
  if (!needsLength(kind)) return [1];
  const traced = tracedLength(component, spec as unknown as FieldsOf);
  return traced > originalLength ? [originalLength, traced] : [originalLength];
}

/**
 * Returns the length at which dynamic NTK has the base that was found: base' = base (factor n / original - factor +
 * 1)^(dim / (dim - 2)). For Qwen, the longest one: as with factor 2, where lengths are powers of two.
 */
function tracedLength({ spec, dim = 2 }: PositionalComponent, given: FieldsOf): number {
  const { base = 10000, originalLength = 1 } = given;
  const factor = given.kind === "rope-qwen" ? 2 : (given.factor ?? 1);
  const { kind, base: found } = (spec ?? {}) as FieldsOf;
  if (kind !== "rope" || found === undefined) return 0;
  const stretch = (found / base) ** ((dim - 2) / dim);
  return Math.round(((stretch + factor - 1) * originalLength) / factor);
}

const names: Partial<Record<Spec["kind"], string>> = {
  rope: "plain rotation",
  "rope-dynamic": "dynamic NTK",
  "rope-linear": "linear scaling",
  "rope-llama3": "Llama 3 scaling",
  "rope-longrope": "LongRoPE",
  "rope-ntk": "NTK scaling",
  "rope-qwen": "Qwen's dynamic NTK",
  "rope-yarn": "YaRN",
};

/** Describes a rotation: "Llama 3 scaling × 8 with base 10000 and original length 64". */
export function describeSpec(spec: Spec | undefined, frequencies?: ArrayLike<number>): string {
  if (!spec) {
    const shown = Array.from(frequencies ?? [])
      .slice(0, 8)
      .map(few)
      .join(", ");
    return `frequencies that follow no known rule (${shown}${frequencies && frequencies.length > 8 ? ", …" : ""})`;
  }
  const { kind, base = 10000, factor, originalLength } = spec as unknown as FieldsOf;
  const times = factor === undefined ? "" : ` × ${few(factor)}`;
  const length = originalLength === undefined ? "" : ` and original length ${originalLength}`;
  return `${names[kind!] ?? kind}${times} with base ${base}${length}`;
}
