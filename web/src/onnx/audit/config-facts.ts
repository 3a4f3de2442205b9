// Facts of a config.json about layers, lengths and windows that encodings do not have.
import { asObject, type Json } from "../../base/json.js";
import { attends } from "../../config/attends.js";
import { isAboutConfig } from "../../config/unreadable.js";
import type { FoundWindow } from "../find/windows.js";
import type { Library, LibraryLayerSpec } from "../options.js";
import type { FieldsOf } from "./match.js";

/** Numbers of tokens. */
export interface ConfigLengths {
  readonly maxLength?: number;
  readonly originalLength?: number;
}

export interface ConfigFacts extends ConfigLengths {
  readonly modelType: string;
  /** Number of layers with attention; undefined: the config does not have it. */
  readonly layers?: number;
  /** Kind of each layer with attention: "full_attention", "sliding_attention", "stage1". */
  readonly types?: readonly string[];
  /** Layers that rotate; undefined: all. */
  readonly rotatingLayers?: readonly number[];
  /** Windows of the layers, one for each size that is shorter than the longest text. */
  readonly windows: readonly ExpectedWindow[];
}

/** A window of the config. `isSure`: the model's code is known to use it. */
export interface ExpectedWindow extends Pick<FoundWindow, "size" | "layers"> {
  readonly isSure: boolean;
}

function numberOf(config: Json | undefined, ...names: string[]): number | undefined {
  const name = names.find((candidate) => typeof config?.[candidate] === "number");
  return name === undefined ? undefined : (config![name] as number);
}

/** Returns a maximum number of tokens. */
function lengthOf(config: Json | undefined, ...names: string[]): number | undefined {
  const length = numberOf(config, ...names);
  return Number.isSafeInteger(length) && length! > 0 && length! < 2 ** 40 ? length : undefined;
}

/**
 * Returns the length of texts that a scaling is for, factor × the length without scaling; undefined: the config does not have it.
 * The factor of NTK scaling scales the base, not the length. `before`: that length if the spec does not have it.
 */
export function scaledLength({ kind, factor, originalLength }: FieldsOf, before: number): number | undefined {
  const length = kind === "rope-ntk" ? NaN : Math.floor((factor ?? NaN) * (originalLength ?? before));
  return Number.isFinite(length) ? length : undefined;
}

/**
 * Returns the layers with attention of the language model or, without one, of the encoder; undefined if the config does not
 * describe them.
 */
export function attentionLayers(layerSpecs: Library["layerSpecs"], config: unknown): LibraryLayerSpec[] | undefined {
  try {
    const all = layerSpecs?.(config as object) ?? [];
    // A graph does not show convolutions, recurrences and linear attention as attention.
    const layers = all.filter(({ part, type }) => part === all[0]!.part && attends(type));
    return layers.length > 0 ? layers : undefined;
  } catch (error) {
    if (!isAboutConfig(error)) throw error;
    return undefined;
  }
}

const layersWhere = (layers: readonly LibraryLayerSpec[], is: (layer: LibraryLayerSpec) => boolean): number[] =>
  layers.flatMap((layer, index) => (is(layer) ? [index] : []));

const sizeOf = ({ window }: LibraryLayerSpec): number | undefined =>
  window === undefined || typeof window === "number" ? window : Math.max(...window);

/** Returns the windows that are shorter than the longest text. */
function windowsOf(layers: readonly LibraryLayerSpec[], maxLength = Infinity): ExpectedWindow[] {
  const isSure = !layers.some(({ assumed }) => assumed.includes("type"));
  const sizes = new Set(layers.map(sizeOf).filter((size) => size !== undefined && size < maxLength));
  return Array.from(sizes, (size) => ({
    size: size!,
    layers: layersWhere(layers, (layer) => sizeOf(layer) === size),
    isSure,
  }));
}

const textModel = (config: unknown): Json => {
  const outer = asObject(config) ?? {};
  return asObject(outer["text_config"]) ?? outer;
};

/** Returns the longest text of a config, and the longest one before scaling. */
export function lengthsIn(config: unknown): ConfigLengths {
  const model = textModel(config);
  const maxLength = lengthOf(model, "max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length");
  const rope = asObject(model["rope_parameters"]) ?? asObject(model["rope_scaling"]);
  const originalLength =
    lengthOf(rope, "original_max_position_embeddings") ?? lengthOf(model, "original_max_position_embeddings");
  return { ...(maxLength !== undefined && { maxLength }), ...(originalLength !== undefined && { originalLength }) };
}

/** Returns the facts of a config about its text model. */
export function readFacts(pe: Library, config: unknown): ConfigFacts {
  const { model_type: type } = textModel(config);
  const lengths = lengthsIn(config);
  const layers = config === undefined ? undefined : attentionLayers(pe.layerSpecs?.bind(pe), config);
  const facts = { modelType: typeof type === "string" ? type : "", ...lengths };
  if (!layers) return { ...facts, windows: [] };
  const rotatingLayers = layersWhere(layers, ({ spec }) => spec !== null);
  return {
    ...facts,
    layers: layers.length,
    types: layers.map((layer) => layer.type),
    ...(rotatingLayers.length < layers.length && { rotatingLayers }),
    windows: windowsOf(layers, lengths.maxLength),
  };
}
