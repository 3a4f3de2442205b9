// Formats the results of inspect.
import type { Spec } from "../base/specs.gen.js";
import type { PositionalComponent } from "../onnx/component.js";
import { few, nameLayers, type Finding } from "../onnx/audit/finding.js";
import type { GgufValue } from "./gguf.js";
import { aligned, quoted, sizeInWords, wrapped } from "./words.js";

interface Report {
  /** Path or name of the file. */
  readonly file: string;
  /** Size of the file in bytes. */
  readonly bytes: number;
  /** Findings about the positions; [] if there is nothing to report. */
  readonly findings: readonly (Pick<Finding, "severity" | "code" | "message"> & {
    /** Number of the component, from 1 on. */
    readonly component?: number;
    /** The code for `--fix` of rewrite. */
    readonly fix?: string;
  })[];
  /** Why the file could not be read. */
  readonly error?: { readonly code: string; readonly message: string };
}
/** The report about an ONNX model. */
export interface OnnxReport extends Report {
  /** Always "onnx". */
  readonly format: "onnx";
  /** Path of the config.json that the model was compared with. */
  readonly config?: string;
  /** Bytes of cached keys and values for the longest text of the config. */
  readonly cache?: { readonly tokens: number; readonly type: string; readonly bytes: number };
  /** Files with its weights. */
  readonly externalData?: readonly string[];
  /** Files with weights that do not exist. */
  readonly missing?: readonly string[];
  /** Fields of the config's encodings that have Llama's values, as its model type is unknown. */
  readonly assumed?: readonly string[];
  /** Fields of the config about positions without effect. */
  readonly ignored?: readonly string[];
  /** Positional components of the graph. */
  readonly positions: readonly PositionalComponent[];
}
/** The report about the header of a GGUF file. */
export interface GgufReport extends Report {
  /** Always "gguf". */
  readonly format: "gguf";
  /** Version of the file format. */
  readonly version?: number;
  /** Number of tensors in the file. */
  readonly tensorCount?: number;
  /** Values of the header by key, without long arrays such as vocabularies. */
  readonly metadata?: Readonly<Record<string, GgufValue>>;
  /** Values of the tensors that scale rotations, [pairs], by name of the tensor. */
  readonly factors?: Readonly<Record<string, Float64Array>>;
  /** Keys of the header about rotation without effect. */
  readonly ignored?: readonly string[];
  /** Encodings of the model: one, or one per kind of layer. */
  readonly positions: readonly { readonly spec: Spec; readonly layerType?: string }[];
}
export type ModelReport = OnnxReport | GgufReport;

const omittedDefaults: Readonly<Record<string, unknown>> = {
  precision: "exact",
  rotaryDim: 0,
  rotaryStart: 0,
  interleavedSections: false,
};

/** Formats a spec without defaults: "rope-yarn, dim 64, factor 4". */
export function specInWords(spec: Spec | undefined): string {
  if (!spec) return "follow no known rule";
  const fields = Object.entries(spec).filter(
    ([name, value]) => name !== "kind" && value !== null && value !== undefined && omittedDefaults[name] !== value,
  );
  const show = (value: unknown): string => (typeof value === "number" ? String(value) : listed(value));
  return [spec.kind, ...fields.map(([name, value]) => `${name} ${show(value)}`)].join(", ");
}

const listed = (value: unknown): string =>
  Array.isArray(value) || ArrayBuffer.isView(value)
    ? `of ${(value as ArrayLike<number>).length} values`
    : String(value);

/** Formats the first values. */
export function valuesInWords(values: ArrayLike<number>): string {
  const shown = Array.from({ length: Math.min(6, values.length) }, (_, i) => few(values[i]!));
  return `${shown.join(", ")}${values.length > shown.length ? ", …" : ""}`;
}

/** Formats other original lengths that the frequencies fit. */
function othersInWords({ fits, spec }: PositionalComponent): string {
  const { originalLength } = (spec ?? {}) as { originalLength?: number };
  const others = (fits?.originalLength ?? []).filter((length) => length !== originalLength);
  return others.length > 0 ? ` (originalLength ${others.join(" or ")} fits as well)` : "";
}

/** Formats a component that `rewrite` leaves unchanged: "shaw, dim 64, maxDistance 16; cannot be changed". */
function fixedInWords({ spec, heads, dim }: PositionalComponent): string {
  const facts = [heads !== undefined && `heads ${heads}`, dim !== undefined && `dim ${dim}`].filter(Boolean).join(", ");
  const known = spec ? specInWords(spec) : facts;
  return `${known}${known && "; "}cannot be changed`;
}

function positionInWords(component: PositionalComponent): string {
  if (component.changeable === false) return fixedInWords(component);
  const { spec, frequencies, attentionFactor = 1, buckets, maxDistance } = component;
  const factor = Math.abs(attentionFactor - 1) > 1e-6 ? `, attention factor ${few(attentionFactor)}` : "";
  if (spec) return specInWords(spec) + othersInWords(component) + factor;
  if (buckets !== undefined) return `${buckets} buckets up to distance ${maxDistance ?? "?"}`;
  return frequencies ? `no known rule: ${valuesInWords(frequencies)}${factor}` : "no known rule";
}

/** Formats indices of layers: "0-4, 6". */
export const layersInWords = (layers: readonly number[]): string =>
  layers.length === 0 ? "?" : nameLayers(layers).replace(/^layers? /, "");

/** The heads of a table of components, without its number. */
export const componentHead = ["component", "layers", "rows", "type", "error", "positions"];

/** Returns a component as a row of that table. */
export const componentRow = (component: PositionalComponent): string[] => [
  `${component.family} ${component.form}`,
  layersInWords(component.layers),
  component.rows === undefined ? "" : String(component.rows),
  component.type,
  component.spec && component.error !== undefined ? few(component.error) : "",
  positionInWords(component) + (component.pairing === "half" ? "" : pairingInWords(component)),
];

/** Returns a table with a row for each component. */
export function positionsInLines(positions: readonly PositionalComponent[]): string[] {
  if (positions.length === 0) return ["no positions were found"];
  return aligned([
    ["#", ...componentHead],
    ...positions.map((component, i) => [String(i + 1), ...componentRow(component)]),
  ]);
}

/** Formats the pairing unless the spec contains it. */
export const pairingInWords = ({ pairing, spec }: PositionalComponent): string =>
  pairing && !(spec && "pairing" in spec) ? `, pairing ${pairing}` : "";

/** Returns names and values in a header that are about positions. */
export function ggufFacts({ metadata = {}, factors = {}, version }: GgufReport): string[][] {
  const own = Object.entries(metadata).filter(([key]) =>
    /\.rope\.|\.context_length$|\.attention\.(key|value)_length$/.test(key),
  );
  const lines = own.map(([key, value]) => [key, Array.isArray(value) ? value.join(", ") : String(value)]);
  const tensors = Object.entries(factors).map(([name, values]) => [name, valuesInWords(values)]);
  const head = ["GGUF", `version ${version}, ${String(metadata["general.architecture"] ?? "no architecture")}`];
  return [head, ...lines, ...tensors];
}

function ggufLines(report: GgufReport): string[] {
  return [
    ...aligned(ggufFacts(report)),
    ...report.positions.map(
      ({ spec, layerType }) => `positions${layerType ? ` of ${layerType} layers` : ""}: ${specInWords(spec)}`,
    ),
  ];
}

const severities = { error: "error  ", warning: "warning", note: "note   " };

function findingLines({ findings, file, positions }: ModelReport, width: number): string[] {
  const lines = findings.flatMap(({ severity, code, message, component }) => {
    const where = component !== undefined && positions.length > 1 ? ` (#${component})` : "";
    const [first = "", ...rest] = wrapped(`${code}${where}: ${message}`, width - 9);
    return [`${severities[severity]}  ${first}`, ...rest.map((line) => `         ${line}`)];
  });
  const fix = fixCommand({ file, findings });
  return fix === undefined ? lines : [...lines, `fix with  ${fix}`];
}

/** Returns the command that fixes findings; undefined: a rewrite cannot fix them. */
export function fixCommand({ file, findings }: Pick<Report, "file" | "findings">): string | undefined {
  const fixes = [...new Set(findings.flatMap(({ fix, severity }) => (fix && severity !== "note" ? [fix] : [])))];
  return fixes.length > 0 ? `posenc rewrite ${quoted(file)} --fix ${fixes.join(",")} -o fixed.onnx` : undefined;
}

const cacheInWords = ({ tokens, type, bytes }: NonNullable<OnnxReport["cache"]>): string =>
  `keys and values of ${tokens} tokens: ${sizeInWords(bytes)} as ${type}`;

function reportLines(report: ModelReport, width: number): string[] {
  const { file, bytes, error } = report;
  const config = "config" in report ? `, compared with ${report.config!}` : "";
  const head = `${file} (${sizeInWords(bytes)})${config}`;
  if (error) return [head, ...wrapped(`cannot be read: ${error.message}`, width)];
  const cache = "cache" in report ? [cacheInWords(report.cache!)] : [];
  const missing = "missing" in report ? [`missing: ${report.missing!.join(", ")}`] : [];
  const body = report.format === "gguf" ? ggufLines(report) : positionsInLines(report.positions);
  return [head, ...body, ...cache, ...missing, ...findingLines(report, width)];
}

export const showReports = (reports: readonly ModelReport[], width: number): string[] =>
  reports.flatMap((report, i) => [...(i > 0 ? [""] : []), ...reportLines(report, Math.max(width, 60))]);
