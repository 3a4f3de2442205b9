// Facts of a config.json about layers, lengths and windows that encodings do not have.
import { asObject, type Json } from "../../base/json.js";
import { isLocalAmongExperts, rotatesDespiteLayerType, rotatesOnlyLocally } from "../../config/local-only.js";
import type { FoundWindow } from "../find/windows.js";
import type { FieldsOf } from "./match.js";

export interface ConfigFacts {
  readonly modelType: string;
  /** Number of layers with attention; undefined: the config does not have it. */
  readonly layers?: number;
  /** Kind of each layer with attention: "full_attention", "sliding_attention", "stage1". */
  readonly types?: readonly string[];
  /** Layers that rotate; undefined: all. */
  readonly rotatingLayers?: readonly number[];
  readonly maxLength?: number;
  readonly originalLength?: number;
  readonly window?: ExpectedWindow;
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

/** More layers than any model has. */
const mostLayers = 4096;

const patternOf = (model: Json): number | undefined =>
  numberOf(model, "sliding_window_pattern", "_sliding_window_pattern");
/** All except every `n`th layer, unless the config has another number. */
const allBut =
  (n?: number) =>
  (layer: number, model: Json): boolean =>
    (layer + 1) % (patternOf(model) || n!) !== 0;

/** Which layers are local, if the model's code determines it and not its config. */
const localLayers: Record<string, (layer: number, model: Json) => boolean> = {
  cohere2: allBut(4),
  cohere2_moe: (layer, model) => isLocalAmongExperts(model, layer),
  gemma2: (layer) => layer % 2 === 0,
  gemma3_text: allBut(6),
  gpt_oss: (layer) => layer % 2 === 0,
  modernbert: (layer, model) => layer % (numberOf(model, "global_attn_every_n_layers") ?? 3) !== 0,
};

/** Returns "stage1" for each layer of the first stage and so on, if stages have different numbers of heads. */
function stagesOf({ depths, num_heads: heads, num_attention_heads: others }: Json): string[] | undefined {
  if (!Array.isArray(depths) || !(Array.isArray(heads) || Array.isArray(others))) return undefined;
  const isCount = (depth: unknown): boolean => Number.isInteger(depth) && (depth as number) > 0;
  const all = depths.reduce<number>((sum, depth) => sum + (isCount(depth) ? (depth as number) : Infinity), 0);
  if (all > mostLayers) return undefined;
  return depths.flatMap((depth, stage) => Array<string>(depth as number).fill(`stage${stage + 1}`));
}

function typesOf(model: Json, type: string, count: number | undefined): string[] | undefined {
  const { layer_types: given } = model;
  const stages = stagesOf(model);
  if (stages) return stages;
  // A graph does not show convolutions, recurrences and linear attention as attention.
  if (Array.isArray(given)) return given.map(String).filter((name) => /attention/.test(name) && !/linear/.test(name));
  if (count === undefined) return undefined;
  const own = Object.hasOwn(localLayers, type) ? localLayers[type] : undefined;
  const isLocal = own ?? (patternOf(model) ? allBut() : undefined);
  if (!isLocal) return undefined;
  return Array.from({ length: count }, (_, layer) => (isLocal(layer, model) ? "sliding_attention" : "full_attention"));
}

const layersWhere = (count: number, is: (layer: number) => boolean): number[] =>
  Array.from({ length: count }, (_, layer) => layer).filter(is);

function rotatingLayersOf(model: Json, type: string, count: number, types?: readonly string[]): number[] | undefined {
  const { no_rope_layers: given } = model;
  // Despite the field's name, 1 marks a layer that rotates.
  if (Array.isArray(given) && given.length === count) return layersWhere(count, (layer) => !!given[layer]);
  const isKnown = type === "smollm3" || type === "llama4_text";
  const interval = numberOf(model, "no_rope_layer_interval") ?? (isKnown ? 4 : undefined);
  if (isKnown && interval) return layersWhere(count, (layer) => (layer + 1) % interval !== 0);
  return rotatesOnlyLocally(type, model) && types?.length === count
    ? layersWhere(count, (layer) => types[layer] !== "full_attention" || rotatesDespiteLayerType(type, model, layer))
    : undefined;
}

const windowed =
  /^(cohere2|exaone(4|_moe)|gemma[23]|gpt_oss|ministral|mistral|mixtral|modernbert$|phi3|phimoe|qwen|smollm3|starcoder2)/;

function windowOf(model: Json, type: string, count: number, types?: readonly string[]): ExpectedWindow | undefined {
  // ModernBERT's `local_attention` covers both sides.
  const local = numberOf(model, "local_attention");
  const size = local === undefined ? numberOf(model, "sliding_window") : local / 2;
  const used = model["use_sliding_window"];
  if (size === undefined || used === false || (used === undefined && /^qwen/.test(type))) return undefined;
  const from = used === true ? (numberOf(model, "max_window_layers") ?? 0) : 0;
  const layers = layersWhere(count, (layer) => (types ? types[layer] === "sliding_attention" : layer >= from));
  return layers.length === 0 ? undefined : { size, layers, isSure: types !== undefined || windowed.test(type) };
}

/** Returns the facts of a config about its text model. */
export function readFacts(config: unknown): ConfigFacts {
  const outer = asObject(config) ?? {};
  const model = asObject(outer["text_config"]) ?? outer;
  const type = typeof model["model_type"] === "string" ? model["model_type"] : "";
  const given = numberOf(model, "num_hidden_layers", "n_layer", "n_layers", "num_layers");
  const count = given !== undefined && Number.isInteger(given) && given > 0 && given <= mostLayers ? given : undefined;
  const types = typesOf(model, type, count);
  const layers = types?.length ?? count;
  const maxLength = lengthOf(model, "max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length");
  const rope = asObject(model["rope_parameters"]) ?? asObject(model["rope_scaling"]);
  const originalLength =
    lengthOf(rope, "original_max_position_embeddings") ?? lengthOf(model, "original_max_position_embeddings");
  const rotatingLayers = layers === undefined ? undefined : rotatingLayersOf(model, type, layers, types);
  const window = layers === undefined ? undefined : windowOf(model, type, layers, types);
  return {
    modelType: type,
    ...(layers !== undefined && { layers }),
    ...(types && { types }),
    ...(rotatingLayers && { rotatingLayers }),
    ...(maxLength !== undefined && { maxLength }),
    ...(originalLength !== undefined && { originalLength }),
    ...(window && (maxLength === undefined || window.size < maxLength) && { window }),
  };
}
