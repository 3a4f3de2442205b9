// The layers of a model with their encodings; layers with the same spec share one.
import type { Spec } from "../base/specs.gen.js";
import { layerSpecs, type LayerFacts, type LayerOptions } from "../config/layers.js";
import type { Core } from "../wasm/core.js";
import { createEncoding } from "./create.js";
import type { AnyEncoding } from "./kinds.js";

/** A layer of a model, with its encoding. */
export interface Layer extends LayerFacts {
  /** Encoding of the layer; null: no positions, or, if there is a `note`, positions of a kind that posenc does not have. */
  readonly encoding: AnyEncoding | null;
  /** Table that is added to the input of the first layer, in addition to the encoding of attention (MPNet, DeBERTa). */
  readonly input?: AnyEncoding;
}

/** "type" is an assumption about a layer, not about its encoding. */
const withNotes = (encoding: AnyEncoding, { assumed, ignored }: LayerFacts): AnyEncoding =>
  Object.assign(encoding, { assumed: Object.freeze(assumed.filter((name) => name !== "type")), ignored });

/** See `Posenc.layers`. */
export function createLayers(core: Core, config: unknown, options: LayerOptions): Layer[] {
  const made = new Map<string, AnyEncoding>();
  const encodingOf = (spec: Spec): AnyEncoding => {
    const key = JSON.stringify(spec);
    const encoding = made.get(key) ?? createEncoding(core, spec, "when-read");
    made.set(key, encoding);
    return encoding;
  };
  try {
    return layerSpecs(config, options).map(({ spec, input, ...facts }) => ({
      ...facts,
      encoding: spec && withNotes(encodingOf(spec), facts),
      ...(input && { input: encodingOf(input) }),
    }));
  } catch (error) {
    for (const encoding of made.values()) encoding.dispose();
    throw error;
  }
}
