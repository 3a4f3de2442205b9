// Rotations in a graph against those that a config describes.
import type { Spec } from "../../base/specs.gen.js";
import type { RotaryEncoding } from "../../encodings/rotary.js";
import type { ConfigFacts } from "./config-facts.js";
import type { PositionalComponent } from "../component.js";
import { few, nameLayers, type Finding, type FindingCode } from "./finding.js";
import type { RewriteOptions } from "../options.js";
import {
  describeSpec,
  factorMatches,
  lengthsOf,
  matches,
  needsLength,
  plainSpec,
  variesWithLength,
  type FieldsOf,
} from "./match.js";

/** The encoding of one kind of layer. */
export interface Expected {
  readonly name?: string;
  readonly encoding: RotaryEncoding;
  /** Layers that have it; undefined: all, or unknown. */
  readonly layers?: readonly number[];
}

export interface RotaryAudit {
  readonly components: readonly PositionalComponent[];
  readonly expected: readonly Expected[];
  readonly facts: ConfigFacts;
}

const sets = new WeakMap<readonly number[], ReadonlySet<number>>();
function overlap(a: readonly number[], b: readonly number[]): number[] {
  const set = sets.get(b) ?? new Set(b);
  sets.set(b, set);
  return a.filter((layer) => set.has(layer));
}

/** Returns the kinds of layers that a component rotates. */
const concerns = ({ layers }: PositionalComponent, expected: readonly Expected[]): Expected[] =>
  expected.filter((one) => !one.layers || layers.length === 0 || overlap(layers, one.layers).length > 0);

/** The maximum number of rows; 0 for an empty list. */
const mostOf = (rows: Iterable<number | undefined>): number => {
  let most = 0;
  for (const one of rows) most = Math.max(most, one ?? 0);
  return most;
};

const fixes = new WeakMap<RotaryAudit, Map<number | undefined, RewriteOptions | undefined>>();
/**
 * Returns the options that make all rotations match the config, computed once; undefined: one component would need two
 * rotations.
 */
export function rotaryFix(audit: RotaryAudit, length?: number): RewriteOptions | undefined {
  const known = fixes.get(audit) ?? new Map<number | undefined, RewriteOptions | undefined>();
  fixes.set(audit, known);
  if (!known.has(length)) known.set(length, fixOf(audit, length));
  return known.get(length);
}

function fixOf({ components, expected, facts }: RotaryAudit, length?: number): RewriteOptions | undefined {
  // If the graph chooses between tables by the length, each has its own number of rows.
  const rowsOf = new Map(components.map(({ layers, rows }) => [layers.join(), rows]));
  const isChosen = components.some(({ layers, rows }) => rowsOf.get(layers.join()) !== rows);
  const longest = mostOf(components.map(({ rows }) => rows));
  if (isChosen && (length ?? 0) > longest) return undefined;
  const rows = longest > 0 && !isChosen ? Math.max(longest, facts.maxLength ?? 0) : undefined;
  const lengths =
    !isChosen && (length !== undefined || rows !== undefined) ? { length: Math.max(length ?? 0, rows ?? 0) } : {};
  const [only] = expected;
  if (!only) return undefined;
  if (expected.length === 1) return { rotary: plainSpec(only.encoding.spec), ...originalOf(only), ...lengths };
  if (components.some((component) => concerns(component, expected).length !== 1)) return undefined;
  const specs = new Map(expected.map((one) => [one, plainSpec(one.encoding.spec)]));
  return { rotary: (component) => specs.get(concerns(component, expected)[0]!), ...lengths };
}

/** Returns the length without scaling, for a rotation that cannot be written without a length. */
function originalOf({ encoding }: Expected): RewriteOptions {
  const { originalLength, kind } = fieldsOf(encoding.spec);
  return needsLength(kind!) && originalLength !== undefined ? { length: originalLength } : {};
}

/** Describes how far frequencies differ, and the resulting errors of angles. */
function difference({ frequencies }: PositionalComponent, wanted: ArrayLike<number>, length: number): string {
  let ratio = 1;
  let radians = 0;
  frequencies!.forEach((frequency, k) => {
    const one = frequency / wanted[k]!;
    if (Math.abs(Math.log(one)) > Math.abs(Math.log(ratio))) ratio = one;
    radians = Math.max(radians, Math.abs(frequency - wanted[k]!) * (length - 1));
  });
  const [speed, times] = ratio > 1 ? ["fast", ratio] : ["slow", 1 / ratio];
  if (times < 1.01)
    return `frequencies differ by up to ${few(100 * (times - 1))} %, angles by ${few(radians)} radians at position ${length - 1}`;
  return `pairs rotate up to ${few(times)} times too ${speed}, and angles differ by up to ${few(radians)} radians at position ${length - 1}`;
}

const fieldsOf = (spec: Spec | undefined): FieldsOf => (spec ?? {}) as unknown as FieldsOf;
const same = (a: number | undefined, b: number | undefined): boolean =>
  a === b || (a !== undefined && b !== undefined && Math.abs(a / b - 1) < 1e-3);

/** Returns the code of the finding for a wrong rotation. */
function codeOf(component: PositionalComponent, { encoding }: Expected, expected: readonly Expected[]): FindingCode {
  if (component.frequencies!.length !== encoding.pairs) return "width";
  if (expected.some((other) => other.encoding !== encoding && matches(component, other.encoding))) return "layer-base";
  const [found, wanted] = [fieldsOf(component.spec), fieldsOf(encoding.spec)];
  if (found.kind === "rope" && wanted.kind === "rope") return "base";
  if (found.kind === "rope" && same(found.base, wanted.base)) return "scaling-ignored";
  const isScaledSo = found.kind === wanted.kind && same(found.base, wanted.base) && same(found.factor, wanted.factor);
  return isScaledSo && found.originalLength !== wanted.originalLength ? "original-length" : "frequencies";
}

const consequences: Partial<Record<FindingCode, string>> = {
  "scaling-ignored": "Outputs are wrong, most of all beyond the original length.",
  "original-length": "Outputs are wrong at any length.",
  "layer-base": "Layers attend at other distances than in training.",
  base: "The longer the text, the larger the error of distances.",
};

function wrong(component: PositionalComponent, one: Expected, audit: RotaryAudit): Finding {
  const { encoding } = one;
  const code = codeOf(component, one, audit.expected);
  const where = nameLayers(one.layers ? overlap(component.layers, one.layers) : component.layers);
  const found = describeSpec(component.spec, component.frequencies);
  const length = audit.facts.originalLength ?? audit.facts.maxLength ?? 2048;
  if (code === "width") {
    const isAssumed = encoding.assumed.some((field) => field === "dim" || field === "rotaryDim");
    const message = `${where}: ${2 * component.frequencies!.length} features are rotated, ${2 * encoding.pairs} ${isAssumed ? "were assumed" : "in the config"}.`;
    return { severity: isAssumed ? "note" : "error", code, message, component };
  }
  const kind = one.name ? ` for ${one.name} layers` : "";
  const factor = factorMatches(component, encoding)
    ? ""
    : ` The attention factor is ${few(component.attentionFactor!)} instead of ${few(encoding.attentionFactor)}.`;
  const message =
    `${where}: the graph has ${found}, the config has ${describeSpec(encoding.spec)}${kind}: ` +
    `${difference(component, encoding.frequenciesAt(length), length)}.${factor} ${consequences[code] ?? ""}`.trimEnd();
  const rewrite = rotaryFix(audit);
  return { severity: "error", code, message, component, ...(rewrite && { rewrite }) };
}

/** Checks rotations that depend on the length of the text. */
function frozen(components: readonly PositionalComponent[], one: Expected, audit: RotaryAudit): Finding[] {
  const { encoding } = one;
  const { originalLength: original = 0, factor = 1, kind } = fieldsOf(encoding.spec);
  const longest = Math.max(audit.facts.maxLength ?? 0, kind === "rope-dynamic" ? Math.round(original * factor) : 0);
  const [component] = components;
  const lengths = components.flatMap((each) =>
    lengthsOf(encoding, each).filter((length) => matches(each, encoding, length)),
  );
  const hasShort = lengths.some((length) => length <= original);
  const long = lengths.find((length) => length > original);
  const hasBoth = hasShort && long !== undefined && kind === "rope-longrope";
  if (hasBoth || lengths.length === 0 || longest <= original) return [];
  const name = describeSpec(encoding.spec);
  const rewrite = rotaryFix({ ...audit, components: [] }, longest);
  const more = { component: component!, ...(rewrite && { rewrite }) };
  if (!hasShort) {
    // A graph has one length: only a rewrite to inputs fits all lengths.
    const isFarthest = kind !== "rope-dynamic" || long === longest;
    const message =
      `${name} is fixed to texts of ${kind === "rope-dynamic" ? long : `more than ${original}`} tokens: wrong for others. ` +
      `Tables as inputs fit every length.`;
    return [
      { severity: "warning", code: "frozen-scaling", message, ...(isFarthest ? { component: component! } : more) },
    ];
  }
  const rows = mostOf(components.map((each) => each.rows ?? Infinity));
  const ends = rows <= original ? ` Its tables end after ${rows} rows.` : "";
  const message =
    `${name} is fixed to texts of up to ${original} tokens: wrong from ${original + 1} on. ` +
    `At ${longest} ${difference(component!, encoding.frequenciesAt(longest), longest)}.${ends}`;
  return [{ severity: ends ? "warning" : "error", code: "frozen-scaling", message, ...more }];
}

function magnitude(component: PositionalComponent, one: Expected, audit: RotaryAudit): Finding[] {
  const { encoding } = one;
  if (factorMatches(component, encoding)) return [];
  const message =
    `${nameLayers(component.layers)}: cosines and sines are multiplied by ${few(component.attentionFactor!)}, by ` +
    `${few(encoding.attentionFactor)} in the config: scores are ${few((component.attentionFactor! / encoding.attentionFactor) ** 2)} times the config's.`;
  const rewrite = rotaryFix(audit);
  return [{ severity: "error", code: "attention-factor", message, component, ...(rewrite && { rewrite }) }];
}

function pairs(component: PositionalComponent, { encoding }: Expected): Finding[] {
  const { pairing } = fieldsOf(encoding.spec);
  // An assumed pairing is not an expectation.
  if (encoding.assumed.includes("pairing")) return [];
  if (!component.pairing || (pairing !== "half" && pairing !== "interleaved") || pairing === component.pairing)
    return [];
  const message = `Pairs are ${component.pairing}, in the config ${pairing}: correct only if the weights were permuted.`;
  return [{ severity: "warning", code: "pairing", message, component }];
}

const fits = (component: PositionalComponent, { encoding }: Expected): boolean =>
  lengthsOf(encoding, component).some((length) => matches(component, encoding, length));

/** Returns all findings about the rotations of a graph. */
export function auditRotary(audit: RotaryAudit): Finding[] {
  const { components, expected } = audit;
  const findings: Finding[] = [];
  for (const component of components) {
    const kinds = concerns(component, expected);
    // If it is unknown which layers are of which kind, any kind may match.
    const isLoose = kinds.some(({ layers }) => !layers) || component.layers.length === 0;
    if (isLoose && kinds.some((one) => fits(component, one))) continue;
    const bad = kinds.find((one) => !fits(component, one));
    if (bad) findings.push(wrong(component, bad, audit));
  }
  for (const one of expected) {
    const own = components.filter((component) => concerns(component, [one]).length > 0);
    const right = own.filter((component) => fits(component, one));
    if (right.length > 0 && variesWithLength(one.encoding.kind)) findings.push(...frozen(right, one, audit));
    for (const component of right) findings.push(...magnitude(component, one, audit), ...pairs(component, one));
  }
  return findings;
}
