// Tables, slopes, buckets and windows of a graph against those that a config describes.
import type { Spec } from "../../base/specs.gen.js";
import type { ConfigFacts, ExpectedWindow } from "./config-facts.js";
import type { PositionalComponent } from "../component.js";
import type { Found } from "../find/find.js";
import { few, nameLayers, type Finding } from "./finding.js";
import type { RewriteOptions } from "../options.js";
import { leastWindow, type FoundWindow } from "../find/windows.js";

/** Effect on tokens after the last row, by form of the component. */
const ends: Readonly<Record<string, string>> = {
  cache: "onnxruntime rejects longer texts",
  tables: "longer texts read beyond its end, which onnxruntime rejects",
  gathered: "longer texts read beyond its end, which onnxruntime rejects",
  added: "inputs with another number of tokens are rejected",
  "baked-slopes": "longer texts read beyond its end",
};

/** Notes on components of other finders that `rewrite` leaves unchanged, by family. */
const fixed: Partial<Record<PositionalComponent["family"], string>> = {
  rotary: "cosines and sines of the rows and columns of patches",
  table: "a table of channels, rows and columns",
  bias: "biases of the scores by offset in a window, from a table (Swin, BEiT)",
};

/** Notes on components that `rewrite` cannot change, and on cosines and sines that belong to no component. */
export function auditNamed({
  found,
  unexplained,
}: {
  readonly found: ReadonlyMap<PositionalComponent, Found>;
  readonly unexplained: string | undefined;
}): Finding[] {
  const severity = "note";
  const notes = [...found].flatMap(([component, one]): Finding[] => {
    const note = "note" in one ? one.note : component.changeable === false ? fixed[component.family] : undefined;
    if (note === undefined) return [];
    const message = `${nameLayers(component.layers)}: ${note}; posenc cannot change them.`;
    return [{ severity, code: "not-changeable", message, component }];
  });
  return unexplained ? [...notes, { severity, code: "unexplained", message: unexplained }] : notes;
}

/**
 * Checks the number of rows of a table. `wanted`: rows that the config needs; `trained`: the smallest useful number.
 */
export function auditRows(
  component: PositionalComponent,
  wanted: number | undefined,
  trained: number | undefined,
  rewrite: RewriteOptions | undefined,
): Finding[] {
  const { rows, form } = component;
  const how = Object.hasOwn(ends, form) ? ends[form] : undefined;
  if (rows === undefined || !how) return [];
  if (wanted === undefined || rows >= wanted)
    return [{ severity: "note", code: "rows", message: `The table has ${rows} rows: ${how}.`, component }];
  const isTrained = trained !== undefined && rows >= trained;
  const message = `The table has ${rows} rows, the config needs ${wanted}: ${how}.`;
  const severity = isTrained ? "warning" : "error";
  return [{ severity, code: "rows", message, component, ...(rewrite && { rewrite }) }];
}

/** Tolerance of slopes in 16-bit floats and sums of them. */
const slopesTolerance = 4e-3;

/**
 * Compares ALiBi's slopes with the config's. `width`: head dimension, by whose square root Falcon divides the slopes.
 */
export function auditSlopes(
  component: PositionalComponent,
  found: ArrayLike<number>,
  wanted: ArrayLike<number>,
  width: number | undefined,
): Finding[] {
  if (found.length !== wanted.length) {
    const message = `${nameLayers(component.layers)}: ALiBi has ${found.length} heads, ${wanted.length} in the config.`;
    return [{ severity: "error", code: "slopes", message, component }];
  }
  const ratios = Array.from(found, (slope, head) => Math.abs(slope / wanted[head]!));
  const isNear = (factor: number): boolean => ratios.every((ratio) => Math.abs(ratio / factor - 1) < slopesTolerance);
  if (isNear(1) || (width !== undefined && isNear(1 / Math.sqrt(width)))) return [];
  const worst = ratios.reduce((one, other) => (Math.abs(Math.log(other)) > Math.abs(Math.log(one)) ? other : one));
  const message = `${nameLayers(component.layers)}: ALiBi's slopes are up to ${few(worst)} times the config's, and so are biases.`;
  const rewrite: RewriteOptions = { bias: { kind: "alibi", slopes: Array.from(wanted) } };
  return [{ severity: "error", code: "slopes", message, component, rewrite }];
}

const bucketFields = ["buckets", "maxDistance", "bidirectional"] as const;
type Buckets = { readonly kind?: string } & Partial<Record<(typeof bucketFields)[number], number | boolean>>;

/**
 * Compares two values. A missing value equals any value. Distances come from a logarithm, which may be a 16-bit float.
 */
const isSame = (found?: number | boolean, wanted?: number | boolean): boolean =>
  found === undefined || wanted === undefined || Math.abs(Number(found) - Number(wanted)) <= 1e-3 * Number(wanted);

export function auditBuckets(component: PositionalComponent, wantedSpec: Spec): Finding[] {
  // A graph does not show DeBERTa's other fields, so its component has no spec.
  const [found, wanted] = [(component.spec ?? component) as unknown as Buckets, wantedSpec as unknown as Buckets];
  const other = bucketFields.filter((name) => !isSame(found[name], wanted[name]));
  if (other.length === 0) return [];
  const list = other.map((name) => `${name} ${found[name]} instead of ${wanted[name]}`).join(", ");
  const message = `${nameLayers(component.layers)}: ${list}: distances get other buckets than in training.`;
  const { kind, maxDistance } = wanted;
  const canFix = other.every((name) => name === "maxDistance");
  const rewrite: RewriteOptions = {
    bias: { kind: kind === "t5" ? kind : "deberta", maxDistance: Number(maxDistance) },
  };
  return [{ severity: "error", code: "buckets", message, component, ...(canFix && { rewrite }) }];
}

interface WindowSpec {
  readonly kind: string;
  readonly heads?: number;
  readonly windowHeight?: number;
  readonly windowWidth?: number;
}
const windowInWords = ({ heads, windowHeight, windowWidth }: WindowSpec): string =>
  `${windowHeight} × ${windowWidth} positions and ${heads} heads`;

/** Checks a table over windows against the stages with its layers, or against all stages if these are unknown. */
export function auditWindowed(
  component: PositionalComponent,
  kinds: readonly { readonly encoding: { readonly spec: Spec }; readonly layers?: readonly number[] }[],
): Finding[] {
  const found = component.spec as WindowSpec | undefined;
  const own = kinds.filter(({ encoding }) => encoding.spec.kind === found?.kind);
  const concerned = own.filter(({ layers }) => !layers || component.layers.some((layer) => layers.includes(layer)));
  const wanted = (concerned.length > 0 ? concerned : own).map(({ encoding }) => encoding.spec as WindowSpec);
  if (!found || wanted.length === 0 || wanted.some((one) => windowInWords(one) === windowInWords(found))) return [];
  const list = [...new Set(wanted.map(windowInWords))].join(" or ");
  const message = `${nameLayers(component.layers)}: a table over windows of ${windowInWords(found)}, ${list} in the config.`;
  return [{ severity: "error", code: "buckets", message, component }];
}

/** Whether a size is a window of n tokens, with or without the query's own token. */
const isWindow = (found: number, size: number): boolean => Math.abs(found - size) <= 1;

/** Checks windows. `isKnown`: layers of the graph have the same indices as in the config. */
export function auditWindows(
  windows: readonly FoundWindow[],
  facts: ConfigFacts,
  isKnown: boolean,
  config: unknown,
): Finding[] {
  const rewrite = { window: config } as RewriteOptions;
  const findings = facts.windows.flatMap((window) => [
    ...lostWindows(windows, window, facts.maxLength, isKnown),
    ...(isKnown ? unwanted(windows, window) : []),
  ]);
  return findings.map((finding) => (isKnown ? { ...finding, rewrite } : finding));
}

/** Returns findings about fused attention with a window that the config does not have. */
function unwanted(windows: readonly FoundWindow[], { size, layers: wanted }: ExpectedWindow): Finding[] {
  const layers = windows.flatMap((one) => (one.form === "attribute" && isWindow(one.size, size) ? one.layers : []));
  const known = new Set(wanted);
  const extra = layers.filter((layer) => !known.has(layer));
  if (extra.length === 0) return [];
  const message = `${nameLayers(extra)}: a window of ${size} tokens, but the config has none: outputs for longer texts are wrong.`;
  return [{ severity: "error", code: "window-size", message }];
}

function lostWindows(
  windows: readonly FoundWindow[],
  window: ExpectedWindow,
  maxLength: number | undefined,
  isKnown: boolean,
): Finding[] {
  const fitting = windows.filter(({ size }) => isWindow(size, window.size));
  const covered = new Set(fitting.flatMap(({ layers }) => layers));
  const lost = window.layers.filter((layer) => (isKnown ? !covered.has(layer) : fitting.length === 0));
  if (lost.length === 0) return [];
  const severity = window.isSure ? "error" : "warning";
  const uncovered = new Set(lost);
  const others = windows.filter(({ layers }) => !isKnown || layers.some((layer) => uncovered.has(layer)));
  const attributes = new Set(others.filter(({ form }) => form === "attribute").map(({ size }) => size));
  const where = nameLayers(lost);
  if (attributes.size > 0) {
    const sizes = [...attributes].join(" and ");
    const message = `${where}: the window is ${sizes} tokens, ${window.size} in the config: outputs for longer texts are wrong.`;
    return [{ severity, code: "window-size", message }];
  }
  const compared = [...new Set(others.map(({ size }) => size))].filter((size) => size >= leastWindow);
  const sizes = compared.length > 0 ? ` (masks compare with ${compared.join(", ")})` : "";
  const message =
    `${where}: the config has a window of ${window.size} tokens, the graph none of that size${sizes}. Outputs for ` +
    `longer texts${maxLength === undefined ? "" : `, up to ${maxLength} tokens,`} are wrong: tokens attend beyond the window.`;
  return [{ severity, code: "window-lost", message }];
}

/** Checks layers without positions. */
export function auditRotatingLayers(components: readonly PositionalComponent[], facts: ConfigFacts): Finding[] {
  const { rotatingLayers, layers = 0 } = facts;
  const found = new Set(components.flatMap((component) => component.layers));
  const all = Array.from({ length: layers }, (_, layer) => layer);
  const should = new Set(rotatingLayers ?? all);
  const extra = all.filter((layer) => found.has(layer) && !should.has(layer));
  const missing = all.filter((layer) => !found.has(layer) && should.has(layer));
  const findings: Finding[] = [];
  if (extra.length > 0) {
    const message = `${nameLayers(extra)}: queries and keys are rotated, but have no positions in the config.`;
    findings.push({ severity: "error", code: "nope-layer-rotated", message });
  }
  if (missing.length > 0) {
    const message = `${nameLayers(missing)}: no rotation of queries and keys was found, but the config has one.`;
    findings.push({ severity: "error", code: "layer-not-rotated", message });
  }
  return findings;
}
