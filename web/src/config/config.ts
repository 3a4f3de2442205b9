// From a Hugging Face config.json (Transformers v4 or v5) to the spec of the encoding that the model uses.
import { PosencError, invalid, show } from "../base/errors.js";
import { maybe, oneOf, readOptions, text, withoutEffect, type Read } from "../base/options.js";
import type { Spec } from "../base/specs.gen.js";
import { modelType } from "./read.js";
import { notRotary, reasonOf } from "./not-rotary.js";
import { checkHasPositions, ignoredBy, partOfSchedule } from "./absent.js";
import { withoutReader } from "./unread.js";
import { partOf } from "./parts.js";
import type { Choice } from "./rules/text.js";
import { asLayerHas, overridesIn, hasLayerOverrides } from "./per-layer.js";
import type { ConfigReading } from "./reading.js";
import type { Json } from "../base/json.js";
import { configObject } from "./read.js";
import { rotary, type Pairing } from "./rope.js";
import { watch } from "./watched.js";

/** Options of `specFromConfig`, `readConfig` and `fromConfig`. */
export interface ConfigOptions {
  /**
   * Part of the model or kind of layer, if these differ: "full_attention", "sliding_attention" (two bases), "vision" (the image
   * encoder), "decoder" (T5, Whisper), "stage1", … (Swin).
   */
  layerType?: string;
  /** Overrides the pair layout that the model type implies. */
  pairing?: Pairing;
}

/**
 * Returns the spec of a model's positional encoding, from its Hugging Face config.json.
 *
 * Call `pe.fromConfig` to create the encoding at once, `readConfig` to see what was assumed and ignored, `layerSpecs`
 * if layers differ. Learned tables are returned as { length, dim, start }: load the weights into them. The tables of
 * RoBERTa, OPT and BART begin with rows that no token reads: `start` is their number, and positions count from 0.
 * Scale, window and sinks of attention are not in the spec; the page Configs lists the fields of the config that have
 * them.
 * @param config The object of a config.json, of Transformers v4 (`rope_scaling`, `rope_theta`) or v5
 * (`rope_parameters`).
 * @param options Layer type and pair layout. Default: the language model's or the encoder's, as the model type implies.
 * @returns The spec, which `pe.create` takes.
 * @throws {PosencError} `invalid-argument` if a field is missing, has the wrong type or contradicts another one, or if
 * an option has no effect; `unsupported` if the model has no positions or posenc has no kind for them.
 * @example
 * const encoding = pe.create(specFromConfig(JSON.parse(await readFile("config.json", "utf8"))));
 */
export function specFromConfig(config: unknown, options: ConfigOptions = {}): Spec {
  return readConfig(config, options).spec;
}

/**
 * Returns the spec of `specFromConfig` with the names of assumed and ignored fields.
 *
 * Check `assumed` for model types that posenc does not know: those fields of the spec have Llama's values.
 * @param config The object of a config.json, of Transformers v4 or v5.
 * @param options Layer type and pair layout. Default: the language model's or the encoder's, as the model type implies.
 * @returns `spec`; `assumed`, fields of the spec that nothing determines; `ignored`, fields of the config about positions that
 * the spec does not express. Both lists are frozen.
 * @throws {PosencError} `invalid-argument` or `unsupported`, as `specFromConfig`.
 * @example
 * const { spec, assumed, ignored } = readConfig(config);
 */
export function readConfig(config: unknown, options: ConfigOptions = {}): ConfigReading {
  const read = readOptions(options, configOptions);
  const used = { layerType: false, pairing: false };
  const reading = readingOf(config, read, used);
  checkUsed(read, used);
  return reading;
}

export const configOptions = {
  layerType: maybe(text),
  pairing: maybe(oneOf("half", "interleaved", "interleaved-to-half")),
};
export type ReadConfigOptions = Read<typeof configOptions>;
/** Records which options had an effect on reading a config. */
export type Used = Record<keyof ReadConfigOptions, boolean>;

/** Reads a config; sets in `used` which options had an effect. */
export function readingOf(config: unknown, { layerType, pairing }: ReadConfigOptions, used: Used): ConfigReading {
  const outer = configObject(config);
  const vision = layerType === "vision";
  const { layer_types: layers } = partOf(outer, false);
  // Layers may differ in other ways than their positions.
  used.layerType ||= vision || (Array.isArray(layers) && layers.includes(layerType));
  const choice = {
    vision,
    get layerType() {
      used.layerType = true;
      return layerType;
    },
  };
  const part = partOf(outer, vision);
  const { json: model, unread } = watch(part);
  checkHasPositions(model, layerType);
  // Some models have positions that posenc has no kind for, whatever positions their text part has.
  if (!vision && reasonOf(modelType(outer)) !== undefined) notRotary(outer, choice);
  const other = notRotary(model, choice);
  used.pairing ||= !other;
  const reading = other ? { spec: other, assumed: [], ignored: [] } : rotation(model, choice, pairing);
  const { spec, assumed, ignored } = reading;
  const others = withoutReader(part, unread(), !other, vision ? part : outer).filter(
    (name) => !partOfSchedule.test(name),
  );
  const names = [...(vision ? [] : ignoredBy(part)), ...ignored, ...others];
  return { spec, assumed: Object.freeze(assumed), ignored: Object.freeze([...new Set(names)]) };
}

/** Reads a rotation. If the config overrides single layers, the rotation must be the same in all requested layers. */
function rotation(model: Json, choice: Choice, pairing: Pairing | undefined): ConfigReading {
  if (!hasLayerOverrides(model)) return rotary(model, choice, pairing);
  const found = overridesIn(model, choice.layerType);
  if (found.length === 0)
    throw new PosencError("unsupported", "layer_rope_theta: no layer rotates", "layer_rope_theta");
  const [reading, ...others] = found.map((overrides) => rotary(asLayerHas(model, overrides), choice, pairing));
  if (others.some(({ spec }) => JSON.stringify(spec) !== JSON.stringify(reading!.spec)))
    throw invalid("layerType", `this model's layers differ: use layers(), got ${show(choice.layerType)}`);
  return reading!;
}

export function checkUsed(options: ReadConfigOptions, used: Used): void {
  if (options.layerType !== undefined && !used.layerType)
    throw withoutEffect("layerType", "no config has layers with different positions");
  if (options.pairing !== undefined && !used.pairing) throw withoutEffect("pairing", "no config has rotations");
}
