// From the header of a GGUF file, as llama.cpp writes it and @huggingface/gguf reads it, to the spec of its encoding.
import { PosencError, invalid, isCount, show, whereSupported } from "../base/errors.js";
import { isNumberArray } from "../base/arrays.js";
import { maybe, oneOf, readOptions, type Read, text as textOption, withoutEffect } from "../base/options.js";
import type { Spec } from "../base/specs.gen.js";
import { asObject, type Json } from "../base/json.js";
import { architectureFacts } from "./gguf-architectures.js";
import { given } from "./read.js";
import type { ConfigReading } from "./reading.js";

/** Options of `specFromGguf` and `readGguf`. */
export interface GgufOptions {
  /** Kind of layer, if layers differ: "full_attention" or "sliding_attention" (Gemma 3), "decoder" (T5; default: its encoder). */
  layerType?: string;
  /** Overrides the pair layout that the architecture implies. */
  pairing?: "half" | "interleaved";
  /** Values of the tensor `rope_freqs.weight` (Llama 3.1), [pairs]: divisors of the frequencies. */
  ropeFreqs?: ArrayLike<number>;
  /** Values of the tensor `rope_factors_short.weight` (Phi-3), [pairs]. */
  shortFactors?: ArrayLike<number>;
  /** Values of the tensor `rope_factors_long.weight` (Phi-3), [pairs]. */
  longFactors?: ArrayLike<number>;
}

const numbers = maybe<readonly number[]>((value, name) => {
  if (!isNumberArray(value)) throw invalid(name, `must be the tensor's values, got ${show(value)}`);
  return Array.from(value as ArrayLike<number>);
});
const ggufOptions = {
  layerType: maybe(textOption),
  pairing: maybe(oneOf("half", "interleaved")),
  ropeFreqs: numbers,
  shortFactors: numbers,
  longFactors: numbers,
};

/** Values of the header by their names without the architecture. */
interface Header {
  readonly architecture: string;
  value(name: string): unknown;
  number(name: string): number | undefined;
  need(name: string): number;
  /** Returns full keys of rotations that were not read. */
  unread(): string[];
}

/** Unwraps values of `typedMetadata`, which are { value, type }; 64-bit integers are bigints. */
function plain(value: unknown): unknown {
  const object = asObject(value);
  const inner = object && "value" in object && "type" in object ? object["value"] : value;
  return typeof inner === "bigint" ? Number(inner) : inner;
}

function headerOf(metadata: unknown): Header {
  const object = asObject(metadata);
  if (!object) throw invalid("metadata", `must be the metadata of a GGUF file, got ${show(metadata)}`);
  const architecture = plain(object["general.architecture"]);
  if (typeof architecture !== "string")
    throw invalid("general.architecture", `must be a string, got ${show(architecture)}`);
  const key = (name: string): string => `${architecture}.${name}`;
  const asked = new Set<string>();
  const value = (name: string): unknown => {
    asked.add(key(name));
    return plain(object[key(name)]);
  };
  const unread = (): string[] =>
    Object.keys(object).filter((name) => name.startsWith(key("rope.")) && !asked.has(name));
  const number = (name: string): number | undefined => {
    const found = value(name);
    if (found === undefined || found === null) return undefined;
    // One value per layer; layers without attention have 0.
    const all: unknown[] =
      isNumberArray(found) || Array.isArray(found) ? Array.from(found as ArrayLike<unknown>, plain) : [found];
    const item = all.length > 1 || all !== found ? (all.find((one) => one !== 0) ?? all[0]) : found;
    if (typeof item !== "number" || !Number.isFinite(item))
      throw invalid(key(name), `must be a number, got ${show(found)}`);
    return item;
  };
  const need = (name: string): number => {
    const found = number(name);
    if (found === undefined) throw invalid(key(name), "is missing from the metadata");
    return found;
  };
  return { architecture, value, number, need, unread };
}

/** Returns the head dimension of queries and keys. */
function headWidth(header: Header, local: boolean): number {
  const own = (local ? header.number("attention.key_length_swa") : undefined) ?? header.number("attention.key_length");
  if (own !== undefined) return own;
  const [width, heads] = [header.need("embedding_length"), header.need("attention.head_count")];
  if (!isCount(width / heads))
    throw invalid(`${header.architecture}.embedding_length`, `${width} is not a multiple of ${heads} heads`);
  return width / heads;
}

/** Returns the spec of architectures without rotation. */
function notRotary(header: Header, layerType: string | undefined): Spec | undefined {
  const { architecture, number, need } = header;
  const heads = (): number => need("attention.head_count");
  const facts = architectureFacts(architecture);
  const [ofLayers, layers] = facts.maxBiasAtLayers ?? [];
  const implied = layers !== undefined && number("block_count") === layers ? ofLayers : facts.maxBias;
  const maxBias = number("attention.max_alibi_bias") ?? implied ?? 0;
  if (maxBias > 0) return { kind: "alibi", heads: heads(), maxBias, form: "relative" };
  if (facts.buckets) {
    const buckets = number("attention.relative_buckets_count") ?? 32;
    return { kind: "t5", heads: heads(), buckets, maxDistance: 128, bidirectional: layerType !== "decoder" };
  }
  if (facts.table) return { kind: "learned", length: need("context_length"), dim: need("embedding_length") };
  if (facts.isUnrotated || (facts.needsFinetuned && header.value("rope.scaling.finetuned") !== true))
    throw new PosencError(
      "unsupported",
      `general.architecture: ${architecture} has no positions`,
      "general.architecture",
    );
  return undefined;
}

function pairingOf(architecture: string, pairing: "half" | "interleaved" | undefined): "half" | "interleaved" {
  if (pairing !== undefined) return pairing;
  const known = architectureFacts(architecture).pairing;
  if (known !== undefined) return known;
  throw new PosencError(
    "unsupported",
    `general.architecture: ${show(architecture)} is not known; pass pairing, the layout of rotated features`,
    "general.architecture",
  );
}

/** Reads llama.cpp's value for mscale_all_dim, which is a tenth of it, as float32. */
function mscales({ architecture, number }: Header): Json {
  const multiplier = number("rope.scaling.yarn_log_multiplier");
  if (!multiplier) return {};
  const mscaleAllDim = Math.round(multiplier * 1e6) / 1e5;
  return { mscale: architectureFacts(architecture).isOwnMscale ? mscaleAllDim : 1, mscaleAllDim };
}

function yarn(header: Header, factor: number): Json {
  const { number } = header;
  const times = (number("rope.scaling.attn_factor") ?? 1) * (number("rope.scaling.yarn_attn_factor") ?? 1);
  const scales = mscales(header);
  return {
    kind: "rope-yarn",
    factor,
    originalLength: number("rope.scaling.original_context_length") ?? header.need("context_length"),
    ...given({
      betaFast: number("rope.scaling.yarn_beta_fast"),
      betaSlow: number("rope.scaling.yarn_beta_slow"),
      // The factor multiplies YaRN's default.
      attentionFactor: times === 1 ? undefined : times * (0.1 * Math.log(factor) + 1),
    }),
    ...(times === 1 ? scales : {}),
  };
}

function longrope(header: Header, read: { shortFactors?: unknown; longFactors?: unknown }): Json {
  for (const [name, tensor] of [
    ["shortFactors", "short"],
    ["longFactors", "long"],
  ] as const)
    if (!read[name]) throw invalid(name, `is missing: the values of rope_factors_${tensor}.weight`);
  const original = header.need("rope.scaling.original_context_length");
  return {
    kind: "rope-longrope",
    shortFactor: read.shortFactors,
    longFactor: read.longFactors,
    originalLength: original,
    factor: Math.max(1, header.need("context_length") / original),
    ...given({ attentionFactor: header.number("rope.scaling.attn_factor") }),
  };
}

/** Reads the scaling of the frequencies. */
function scaling(header: Header, read: { shortFactors?: unknown; longFactors?: unknown }): Json {
  const type = header.value("rope.scaling.type") ?? "linear";
  const factor = header.number("rope.scaling.factor") || header.number("rope.scale_linear") || 1;
  if (type === "longrope" || (type !== "none" && (read.shortFactors || read.longFactors)))
    return longrope(header, read);
  const alpha = header.number("rope.scaling.alpha");
  if (alpha !== undefined && alpha !== 0) return { kind: "rope-ntk", factor: alpha };
  if (type === "none" || (type === "linear" && factor === 1)) return { kind: "rope" };
  if (type === "linear") return { kind: "rope-linear", factor };
  if (type === "yarn") return yarn(header, factor);
  const field = `${header.architecture}.rope.scaling.type`;
  throw new PosencError(
    "unsupported",
    `${field}: unknown scaling ${show(type)}; known are linear, longrope, none, yarn`,
    field,
  );
}

/** Reads the sections of M-RoPE: four, of which trailing ones are 0. */
function sections(header: Header): Json {
  const found = header.value("rope.dimension_sections");
  if (found === undefined || found === null) return {};
  const name = `${header.architecture}.rope.dimension_sections`;
  const list =
    isNumberArray(found) || Array.isArray(found) ? Array.from(found as ArrayLike<unknown>, plain) : undefined;
  if (!list?.every(isCount)) throw invalid(name, `must be a list of numbers, got ${show(found)}`);
  while (list.at(-1) === 0) list.pop();
  if (list.length === 0) return {};
  return {
    sections: list,
    ...(architectureFacts(header.architecture).interleavedSections ? { interleavedSections: true } : {}),
  };
}

/**
 * Whether layers with a window and a separate base are requested; false: all layers are alike, or those without a
 * window.
 */
function isLocal(header: Header, layerType: string | undefined): boolean {
  const names = ["full_attention", "sliding_attention"];
  const differ = header.number("rope.freq_base_swa") ?? architectureFacts(header.architecture).localBase;
  if (differ === undefined && layerType !== undefined)
    throw withoutEffect("layerType", `all layers of ${header.architecture} have the same positions`);
  if (differ === undefined) return false;
  if (layerType === undefined || !names.includes(layerType))
    throw invalid(
      "layerType",
      `this model's layers differ: must be one of ${names.map(show).join(", ")}, got ${show(layerType)}`,
    );
  return layerType === "sliding_attention";
}

/**
 * Returns the spec of a GGUF model's positional encoding, from the metadata of its header.
 *
 * Conversion to GGUF permutes the weights of `llama`, so the spec pairs neighbouring features, not halves. Factors that the file
 * stores as tensors (Llama 3.1, Phi-3) are options. The attention window (`attention.sliding_window`) is not in the spec.
 * @param metadata Metadata as the package `@huggingface/gguf` reads them, `metadata` or `typedMetadata`.
 * @param options Layer type, pair layout, and frequency factors, [pairs]. Default: as the architecture implies, without factors.
 * @returns The spec, which `pe.create` takes.
 * @throws {PosencError} `invalid-argument` if a value is missing or has the wrong type, or an option has no effect; `unsupported`
 * if the architecture has no positions, its scaling is unknown, or it is unknown itself and `pairing` is not given.
 * @example
 * const { metadata } = await gguf(url);
 * const rope = pe.create(specFromGguf(metadata));
 * @see llama.cpp, src/llama-model.cpp
 */
export function specFromGguf(metadata: unknown, options: GgufOptions = {}): Spec {
  return readGguf(metadata, options).spec;
}

/**
 * Returns the spec of a GGUF model's positional encoding, and the keys about rotation that had no effect on it.
 *
 * Use it instead of `specFromGguf` to see what the spec does not express, such as `rope.scaling.yarn_ext_factor`.
 * @param metadata Metadata as the package `@huggingface/gguf` reads them, `metadata` or `typedMetadata`.
 * @param options Layer type, pair layout, and frequency factors, [pairs]. Default: as the architecture implies, without factors.
 * @returns `spec`, as `specFromGguf` returns it; `assumed`, which is empty, as unknown architectures throw; `ignored`, the
 * unread keys `<architecture>.rope.*` in full. Keys of the model's other layers count as read.
 * @throws {PosencError} `invalid-argument` or `unsupported`, as `specFromGguf`.
 * @example
 * const { spec, ignored } = readGguf(metadata);
 * if (ignored.length > 0) console.warn(`without effect: ${ignored.join(", ")}`);
 * @see llama.cpp, src/llama-model.cpp
 */
export function readGguf(metadata: unknown, options: GgufOptions = {}): ConfigReading {
  const read = readOptions(options, ggufOptions);
  const header = headerOf(metadata);
  const spec = notRotary(header, read.layerType) ?? rotation(header, read);
  return { spec, assumed: [], ignored: header.unread() };
}

type ReadGgufOptions = Read<typeof ggufOptions>;

function rotation(header: Header, read: ReadGgufOptions): Spec {
  const pairing = pairingOf(header.architecture, read.pairing);
  const local = isLocal(header, read.layerType);
  const spec = rotationOf(header, read, pairing, local);
  // Marks the keys of the other layers as read, even if these layers are not supported.
  if (read.layerType !== undefined) whereSupported(() => rotationOf(header, read, pairing, !local));
  return spec;
}

function rotationOf(header: Header, read: ReadGgufOptions, pairing: "half" | "interleaved", local: boolean): Spec {
  const { architecture, number } = header;
  const width = (local ? number("rope.dimension_count_swa") : undefined) ?? number("rope.dimension_count");
  // Latent attention (DeepSeek) rotates a separate part of the head.
  const latent = number("attention.kv_lora_rank") !== undefined ? width : undefined;
  const dim = latent ?? headWidth(header, local);
  const own = local ? { kind: "rope" } : scaling(header, read);
  const axes = sections(header);
  const localBase = number("rope.freq_base_swa") ?? architectureFacts(architecture).localBase;
  return {
    dim,
    base: (local ? localBase : undefined) ?? number("rope.freq_base") ?? 10000,
    pairing,
    ...(width === undefined || width === dim ? {} : { rotaryDim: width }),
    ...(read.ropeFreqs && !local ? { frequencyFactors: read.ropeFreqs } : {}),
    ...axes,
    ...own,
    ...(own["kind"] === "rope" && "sections" in axes ? { kind: "rope-mrope" } : {}),
  } as unknown as Spec;
}
