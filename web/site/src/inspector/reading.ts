// What the library answers about a model, as plain data that a worker can hand over.
import { layerSpecs, type LayerSpec, type Part } from "posenc/config";
import type { PosencError } from "posenc";
import type { PositionalComponent, Finding, RewriteOptions } from "posenc/onnx";
import type { Posenc } from "../lib/engine.svelte.ts";

/** Layers that do the same. */
export interface LayerGroup extends Omit<LayerSpec, "layer"> {
  /** Their numbers; none where the config does not say how many layers there are. */
  readonly layers: number[];
  /** What they see is not known. */
  readonly isBare?: boolean;
}

/** Layers with a window whose size the config leaves to whoever loads it. */
export const hidesWindow = ({ type, window }: LayerGroup): boolean =>
  window === undefined && /sliding|compressed/.test(type);

export interface ConfigReading {
  readonly groups: LayerGroup[];
  /** Fields of the encodings that have Llama's values, as the model type is unknown. */
  readonly assumed: string[];
  /** Fields of the config that the encoding alone does not honour. */
  readonly ignored: string[];
  /** Those that no layer uses either. */
  readonly unused: string[];
  /** What YaRN multiplies the softmax by, where it does. */
  readonly softmaxFactors: number[];
  /** Some of the groups are kinds of layers without their numbers. */
  readonly isUnnumbered: boolean;
  /** What the library says of the layers that it cannot tell, where it is more than that their number is missing. */
  readonly complaint?: string;
}

/** Numbers of a spec as text: an array counts with all of its numbers. */
const keyOf = ({ layer: _, ...facts }: LayerSpec): string =>
  JSON.stringify(facts, (_, value: unknown) => (ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value));

function grouped(layers: readonly LayerSpec[]): LayerGroup[] {
  const groups = new Map<string, LayerGroup>();
  for (const one of layers) {
    const { layer, ...facts } = one;
    const known = groups.get(keyOf(one));
    if (known) known.layers.push(layer);
    else groups.set(keyOf(one), { ...facts, layers: [layer] });
  }
  return [...groups.values()];
}

/** More layers than any rule needs to show all the kinds that it makes. */
const many = 64;
const isPart = (name: string, value: unknown): value is object =>
  /(_config|coder)$/.test(name) && typeof value === "object" && value !== null && !Array.isArray(value);

/** Kinds of layers of a config, or of a part of it, that does not say how many there are. */
function unnumbered(config: object, part?: Part): LayerGroup[] {
  const counted = Object.entries(config).map(([name, value]) =>
    isPart(name, value) ? [name, { num_hidden_layers: many, ...value }] : [name, value],
  );
  const whole = { ...Object.fromEntries(counted), ...(part === undefined && { num_hidden_layers: many }) };
  return grouped(layerSpecs(whole, { part })).map((group) => ({ ...group, layers: [] }));
}

/** What encodings there are at least, where nothing tells the layers. */
function encodingsOf(pe: Posenc, config: unknown): LayerGroup[] {
  const groupOf = (type: string, choice: { layerType?: string }): LayerGroup[] => {
    try {
      const encoding = pe.fromConfig(config, choice);
      const { spec, assumed } = encoding;
      encoding.dispose();
      return [{ part: "text", type, spec, assumed, ignored: [], layers: [], isBare: true }];
    } catch {
      return [];
    }
  };
  const whole = groupOf("", {});
  const stages = Array.from({ length: 4 }, (_, stage) => `stage${stage + 1}`);
  const types = ["full_attention", "sliding_attention", "encoder", "decoder", "vision", ...stages];
  return whole.length ? whole : types.flatMap((type) => groupOf(type, { layerType: type }));
}

const lacksCount = (error: unknown): boolean =>
  /^num_hidden_layers: is missing/.test(error instanceof Error ? error.message : "");

/** Without its number of layers a config still has their kinds; without more than that, there is something to complain of. */
function kindsOf(pe: Posenc, config: unknown, error: unknown): ReturnType<typeof layersOf> {
  let complaint = error;
  if (lacksCount(error))
    try {
      return { groups: unnumbered(config as object), isUnnumbered: true };
    } catch (other) {
      complaint = other;
    }
  const groups = encodingsOf(pe, config);
  if (groups.length === 0) throw complaint;
  const { field, message } = complaint as PosencError;
  // Nobody chose a kind of layer here.
  return { groups, isUnnumbered: true, ...(field !== "layerType" && { complaint: message }) };
}

/** Of a part whose layers the config does not number: its kinds, if they can be told. */
function partOf(config: object, group: LayerGroup): LayerGroup[] {
  try {
    return unnumbered(config, group.part);
  } catch {
    return [group];
  }
}

function layersOf(pe: Posenc, config: unknown): Pick<ConfigReading, "groups" | "isUnnumbered" | "complaint"> {
  let layers: LayerSpec[];
  try {
    layers = layerSpecs(config);
  } catch (error) {
    return kindsOf(pe, config, error);
  }
  const groups = grouped(layers).flatMap((group) =>
    group.type === "unknown" ? partOf(config as object, group) : [group],
  );
  return { groups, isUnnumbered: groups.some(({ layers: numbers }) => numbers.length === 0) };
}

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

/** Throws: what the library says of a config that it cannot read. */
export function readConfig(pe: Posenc, config: unknown): ConfigReading {
  const { groups, ...told } = layersOf(pe, config);
  const ignored: (readonly string[])[] = [];
  const factors = new Set<number>();
  for (const { type, spec } of groups) {
    if (!spec) continue;
    try {
      const encoding = pe.fromConfig(config, type ? { layerType: type } : {});
      ignored.push(encoding.ignored);
      const { softmaxFactor = 1 } = encoding as { softmaxFactor?: number };
      if (softmaxFactor !== 1) factors.add(softmaxFactor);
      encoding.dispose();
    } catch {
      // Parts that layerSpecs reads and fromConfig has no name for.
    }
  }
  const unused = union(groups.map((group) => group.ignored));
  return {
    groups,
    assumed: union(groups.map((group) => group.assumed)),
    ignored: union(ignored).filter((name) => !unused.includes(name)),
    unused,
    softmaxFactors: [...factors],
    ...told,
  };
}

export const changeNames = [
  "fix",
  "yarn",
  "ntk",
  "linear",
  "dynamic",
  "llama3",
  "rerope",
  "window",
  "base",
  "length",
  "resize",
  "angles",
  "tables",
  "attention",
] as const;
export type ChangeName = (typeof changeNames)[number];

export interface ChangeRequest {
  readonly name: ChangeName;
  /** A factor, a base, a length or a window. */
  readonly value: number;
  readonly originalLength: number;
}

/** Changes that have a number of their own. */
export const needsNumber = (name: ChangeName): boolean => !["fix", "angles", "tables", "attention"].includes(name);
/** Those that go by the length that a model was trained for. */
export const needsLength = (name: ChangeName): boolean => ["yarn", "dynamic", "llama3"].includes(name);

const isFixable = ({ rewrite, severity }: Finding): boolean => !!rewrite && severity !== "note";

type Json = Record<string, unknown>;

/** The length that a model was trained for: what its config says of it before any scaling, or the rows of its tables. */
export function trainedLengthOf(config: unknown, positions: readonly PositionalComponent[]): number | undefined {
  const whole = (config ?? {}) as Json;
  const text = (whole["text_config"] ?? whole) as Json;
  const scaling = (text["rope_scaling"] ?? text["rope_parameters"] ?? {}) as Json;
  const said = scaling["original_max_position_embeddings"] ?? text["original_max_position_embeddings"];
  const length = said ?? text["max_position_embeddings"] ?? positions.find(({ rows }) => rows !== undefined)?.rows;
  return typeof length === "number" ? length : undefined;
}

/** What can be asked of a file with these positions. */
export function offersFor(positions: readonly PositionalComponent[], findings: readonly Finding[]): ChangeName[] {
  const rotary = positions.some(({ family }) => family === "rotary");
  const offers: Record<ChangeName, boolean> = {
    fix: findings.some(isFixable),
    yarn: rotary,
    ntk: rotary,
    linear: rotary,
    dynamic: rotary,
    llama3: rotary,
    rerope: rotary,
    window: positions.length > 0,
    base: rotary,
    length: positions.some(({ family, rows }) => family === "rotary" && rows !== undefined),
    resize: positions.some(({ family, form }) => family === "table" && form === "gathered"),
    angles: findings.some(({ code }) => code.endsWith("-float16")),
    tables: rotary,
    attention: true,
  };
  return changeNames.filter((name) => offers[name]);
}

function fixed(findings: readonly Finding[]): RewriteOptions {
  const rewrites = findings.filter(isFixable).map(({ rewrite }) => rewrite!);
  const lengths = rewrites.flatMap(({ length }) => length ?? []);
  return { ...Object.assign({}, ...rewrites), ...(lengths.length > 0 && { length: Math.max(...lengths) }) };
}

/** The rules that were found, with another base. */
const withBase =
  (base: number) =>
  ({ spec }: PositionalComponent): never =>
    (spec && "base" in spec ? { ...spec, base } : { kind: "rope", base }) as never;

/** The options of `rewrite` behind a request. */
export function optionsOf(request: ChangeRequest, findings: readonly Finding[]): RewriteOptions {
  const { name, value, originalLength } = request;
  const scaled = (kind: string) =>
    ({ rotary: { kind, factor: value, ...(needsLength(name) && { originalLength }) } }) as RewriteOptions;
  if (name === "fix") return fixed(findings);
  if (name === "base") return { rotary: withBase(value) };
  if (name === "rerope") return { remap: { kind: "rerope", window: value } };
  if (name === "window") return { window: value };
  if (name === "length") return { length: value };
  if (name === "resize") return { length: value, resize: "linear" };
  if (name === "angles") return { angles: "float32" };
  if (name === "tables") return { tables: "inputs" };
  if (name === "attention") return { attention: true };
  return scaled(`rope-${name}`);
}

/** "0–4, 6": numbers as ranges. */
export function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}

const quiet: Readonly<Record<string, unknown>> = {
  precision: "exact",
  rotaryDim: 0,
  rotaryStart: 0,
  interleavedSections: false,
};

/** "dim 64, factor 4": the fields of a spec, or of anything like it, without what all have. */
export function fieldsInWords(fields: object): string {
  const show = (value: unknown): string => {
    if (ArrayBuffer.isView(value)) return `[${(value as Float32Array).length}]`;
    if (Array.isArray(value)) return value.length <= 4 ? `[${value.join(", ")}]` : `[${value.length}]`;
    return typeof value === "number" ? String(Number(value.toPrecision(7))) : String(value);
  };
  return Object.entries(fields)
    .filter(([name, value]) => name !== "kind" && value !== null && value !== undefined && quiet[name] !== value)
    .map(([name, value]) => `${name} ${show(value)}`)
    .join(", ");
}
