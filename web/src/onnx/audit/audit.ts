// Findings about the positions of a model, in itself and compared with its config.json.
import type { Spec } from "../../base/specs.gen.js";
import { isAboutConfig } from "../../config/unreadable.js";
import { fieldsOfLayers } from "../../config/of-layers.js";
import type { RotaryEncoding } from "../../encodings/rotary.js";
import { Exact, misplaced } from "./angles.js";
import { matches, lengthsOf, plainSpec } from "./match.js";
import { Maker, kindsOf, type Kind } from "./kinds.js";
import {
  auditBuckets,
  auditNamed,
  auditRows,
  auditSlopes,
  auditRotatingLayers,
  auditWindowed,
  auditWindows,
} from "./others.js";
import { auditRotary, rotaryFix, type Expected } from "./rotary.js";
import type { Buckets } from "../find/bias.js";
import { readFacts, type ConfigFacts } from "./config-facts.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { few, nameLayers, type Finding, type FindingCode } from "./finding.js";
import type { Library, RewriteOptions } from "../options.js";
import type { FoundRotation } from "../find/rotary.js";
import type { FoundWindow } from "../find/windows.js";

/** Facts about a model without its config. */
export interface Audited {
  readonly found: ReadonlyMap<PositionalComponent, Found>;
  readonly windows: readonly FoundWindow[];
  /** Message about cosines and sines of positions that belong to no component; undefined: there are none. */
  readonly unexplained: string | undefined;
  /** Number of layers with attention. */
  readonly layers: number;
}

/** Returns all findings about a model. */
export function audited(model: Audited, pe: Library, config?: unknown): Finding[] {
  const maker = new Maker(pe);
  try {
    const facts = readFacts(pe, config);
    const isKnown = facts.layers !== undefined && facts.layers === model.layers;
    let kinds: Kind[] = [];
    const unread: Finding[] = [];
    if (config !== undefined)
      try {
        kinds = kindsOf(maker, config, facts, model);
      } catch (error) {
        if (!isAboutConfig(error)) throw error;
        const message = `The config describes no encoding: ${error.message}.`;
        unread.push({ severity: "note", code: "config-unread", message });
      }
    const findings = new Map<string, Finding>();
    const own = ofItself(model, maker, kinds, facts);
    for (const finding of [
      ...unread,
      ...aboutReading(kinds, facts),
      ...own,
      ...auditNamed(model),
      ...against(model, maker, kinds, facts, isKnown, config),
    ]) {
      const key = `${finding.code} ${finding.message}`;
      if (!findings.has(key)) findings.set(key, finding);
    }
    return [...findings.values()];
  } finally {
    maker.dispose();
  }
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** Returns notes on assumed fields of the encodings and on ignored fields of the config. */
function aboutReading(kinds: readonly Kind[], { modelType }: ConfigFacts): Finding[] {
  const assumed = union(kinds.map(({ encoding }) => encoding.assumed));
  const ignored = union(kinds.map(({ encoding }) => encoding.ignored)).filter((name) => !fieldsOfLayers.has(name));
  const type = modelType ? `model_type "${modelType}" is unknown` : "The config has no model_type";
  const notes: [FindingCode, string, string[]][] = [
    ["config-assumed", `${type}: assumed as in Llama: ${assumed.join(", ")}.`, assumed],
    ["config-ignored", `Config fields without effect: ${ignored.join(", ")}.`, ignored],
  ];
  return notes.flatMap(([code, message, fields]) =>
    fields.length > 0 ? [{ severity: "note" as const, code, message, fields }] : [],
  );
}

const rotations = (kinds: readonly Kind[]): Expected[] =>
  kinds.flatMap(({ encoding, ...kind }) =>
    encoding.family === "rotary" ? [{ ...kind, encoding: encoding as unknown as RotaryEncoding }] : [],
  );

/**
 * Returns the intended frequencies: the config's if the stored ones are close to them, else the rule's, else the stored
 * ones.
 */
function exactOf(component: PositionalComponent, maker: Maker, kinds: readonly Kind[]): ArrayLike<number> {
  for (const { encoding } of rotations(kinds))
    for (const length of lengthsOf(encoding, component))
      if (matches(component, encoding, length)) return encoding.frequenciesAt(length);
  const { spec, frequencies } = component;
  return spec ? (maker.create(spec) as unknown as RotaryEncoding).frequenciesAt(1) : frequencies!;
}

/**
 * Tolerance for tables of a dtype: its rounding, and the rounding of angles in float32, as all exporters compute them.
 */
const tableTolerance = ({ type, rows = 0, attentionFactor = 1 }: PositionalComponent): number =>
  attentionFactor * (({ float16: 2e-3, bfloat16: 2e-2 }[type as string] ?? 2e-5) + rows * 2e-7);

/** Whether a component is a rotation whose frequencies are in the graph. */
const hasFrequencies = ({ family, frequencies }: PositionalComponent): boolean =>
  family === "rotary" && frequencies !== undefined;

/** Returns the findings that need no config. */
function ofItself(model: Audited, maker: Maker, kinds: readonly Kind[], facts: ConfigFacts): Finding[] {
  const findings: Finding[] = [];
  const components = [...model.found.keys()].filter(hasFrequencies);
  const audit = { components, expected: rotations(kinds), facts };
  // Components may share frequencies.
  const exacts = new Map<Float64Array, Exact>();
  for (const [component, found] of model.found) {
    if ("parts" in found && found.parts.form === "buckets") findings.push(...logarithms(component, found.parts));
    if (!hasFrequencies(component)) continue;
    const { error = 0, rows, spec } = component;
    const frequencies = component.frequencies!;
    const exact = exacts.get(frequencies) ?? new Exact(exactOf(component, maker, kinds));
    exacts.set(frequencies, exact);
    findings.push(...angles(component, found as FoundRotation, exact, facts.originalLength ?? facts.maxLength ?? 2048));
    if (rows !== undefined && error > tableTolerance(component)) {
      const message = `${nameLayers(component.layers)}: cosines and sines have errors up to ${few(error)} for their frequencies.`;
      const rewrite = rotaryFix(audit) ?? (spec && { rotary: plainSpec(spec) });
      findings.push({ severity: "error", code: "table-error", message, component, ...(rewrite && { rewrite }) });
    }
    if (spec || component.changeable === false || audit.expected.length > 0) continue;
    const shown = Array.from(frequencies, few).join(", ");
    const message = `${nameLayers(component.layers)}: the frequencies follow no known rule: ${shown}.`;
    findings.push({ severity: "note", code: "unknown-frequencies", message, component });
  }
  return findings;
}

function logarithms(component: PositionalComponent, parts: Buckets): Finding[] {
  const error = misplaced(parts);
  if (!error) return [];
  const some = `${error.distances.slice(0, 4).join(", ")}${error.distances.length > 4 ? ", …" : ""}`;
  const message = `${nameLayers(component.layers)}: logarithms are computed in ${error.type}: distances ${some} get wrong buckets.`;
  return [{ severity: "warning", code: "buckets-float16", message, component, rewrite: { angles: "float32" } }];
}

function angles(component: PositionalComponent, found: FoundRotation, exact: Exact, length: number): Finding[] {
  const error = exact.errorOf(found, length);
  if (!error) return [];
  const far = length < 2048 ? exact.errorOf(found, 2048) : undefined;
  const more = far ? `${few(far.radians)} at ${far.position}` : "more in longer texts";
  const what = error.isProduct ? "angles are computed" : "frequencies are stored";
  const message =
    `${nameLayers(component.layers)}: ${what} in ${error.type}: errors up to ${few(error.radians)} radians at position ` +
    `${error.position}, ${more}. Logits of a small Llama have errors of 0.2 at 192 tokens, 2.8 at 2048.`;
  return [{ severity: "error", code: "angles-float16", message, component, rewrite: { angles: "float32" } }];
}

/**
 * Returns the component with the most rows of several for the same layers: the graph chooses between these by the
 * length.
 */
function longest(components: readonly PositionalComponent[]): PositionalComponent[] {
  const found = new Map<string, PositionalComponent>();
  for (const component of components) {
    const key = component.layers.join();
    const other = found.get(key);
    if (!other || (component.rows ?? 0) > (other.rows ?? 0)) found.set(key, component);
  }
  const kept = new Set(found.values());
  return components.filter((component) => kept.has(component));
}

function against(
  model: Audited,
  maker: Maker,
  kinds: readonly Kind[],
  facts: ConfigFacts,
  isKnown: boolean,
  config: unknown,
): Finding[] {
  const components = [...model.found.keys()];
  const rotary = components.filter(hasFrequencies);
  const expected = rotations(kinds);
  const findings: Finding[] = [];
  const audit = { components: rotary, expected, facts };
  if (expected.length > 0 && rotary.length > 0) {
    findings.push(...auditRotary(audit));
    const all = components.filter(({ family }) => family === "rotary");
    if (isKnown) findings.push(...auditRotatingLayers(all, facts));
  }
  for (const component of longest(rotary))
    findings.push(...auditRows(component, facts.maxLength, facts.originalLength, rotaryFix(audit, facts.maxLength)));
  for (const component of components) findings.push(...auditOther(component, maker, kinds, facts, config));
  findings.push(...auditWindows(model.windows, facts, isKnown, config));
  if (kinds.length > 0 && !kinds.some(({ encoding }) => components.some(({ family }) => family === encoding.family))) {
    const message = `The graph has no known component for the config's encoding: ${kinds[0]!.encoding.spec.kind}.`;
    findings.push({ severity: "note", code: "not-found", message });
  }
  return findings;
}

/** Returns the encoding that a config has for a part of the model. */
function partOf(maker: Maker, config: unknown, part: string): Spec | undefined {
  try {
    return maker.fromConfig(config, part).spec;
  } catch (error) {
    if (!isAboutConfig(error)) throw error;
    return undefined;
  }
}

function auditOther(
  component: PositionalComponent,
  maker: Maker,
  kinds: readonly Kind[],
  facts: ConfigFacts,
  config: unknown,
): Finding[] {
  const [kind] = kinds;
  const spec = kind?.encoding.spec;
  if (component.family === "table") return table(component, maker, spec, config);
  if (component.form === "baked-slopes" || component.form === "slopes") {
    const rows = auditRows(
      component,
      facts.maxLength,
      facts.originalLength,
      facts.maxLength ? { length: facts.maxLength } : {},
    );
    if (spec?.kind !== "alibi" || !component.spec) return rows;
    const width = /falcon|RefinedWeb/.test(facts.modelType) ? headWidth(config) : undefined;
    return [...rows, ...auditSlopes(component, maker.create(component.spec).slopes!, kind!.encoding.slopes!, width)];
  }
  if (component.form === "windowed") return auditWindowed(component, kinds);
  const { bidirectional } = (component.spec ?? {}) as { bidirectional?: boolean };
  const wanted = bidirectional === false ? (partOf(maker, config, "decoder") ?? spec) : spec;
  const kindFound = component.spec?.kind ?? (component.family === "relative" ? "deberta" : undefined);
  return component.form === "buckets" && wanted?.kind === kindFound ? auditBuckets(component, wanted!) : [];
}

function headWidth(config: unknown): number | undefined {
  const { hidden_size: width, num_attention_heads: heads } = config as Record<string, unknown>;
  return typeof width === "number" && typeof heads === "number" ? width / heads : undefined;
}

/** Checks a learned table, which may belong to any part of the model. */
function table(component: PositionalComponent, maker: Maker, spec: Spec | undefined, config: unknown): Finding[] {
  const parts = [spec, ...(spec ? ["decoder", "vision"].map((part) => partOf(maker, config, part)) : [])];
  const lengths = parts.flatMap((part) =>
    part?.kind === "learned" && part.dim === component.dim ? [part.length] : [],
  );
  const { rows = 0 } = component;
  const wanted = lengths.length > 0 && !lengths.some((length) => rows >= length) ? Math.min(...lengths) : undefined;
  const rewrite = wanted === undefined ? undefined : tableFix(component, wanted, config);
  return auditRows(component, wanted, undefined, rewrite);
}

function tableFix({ form, spec }: PositionalComponent, rows: number, config: unknown): RewriteOptions | undefined {
  const { start = 0 } = (spec ?? {}) as { start?: number };
  if (form !== "added") return { length: rows - start, resize: "linear" };
  const { image_size: image, patch_size: patch } = config as Record<string, unknown>;
  if (typeof image !== "number" || typeof patch !== "number") return undefined;
  const side = Math.floor(image / patch);
  return { grid: [side, side] };
}
