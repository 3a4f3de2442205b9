// Which encoding turned the keys of each layer, and whether they can be turned on.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Encoding } from "../encodings/encoding.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import { changesWithLength } from "./frequencies.js";

/** A layer as `pe.layers(config)` gives it. */
export interface LayerLike {
  /** null: its keys are not turned. */
  readonly encoding: Encoding<any> | null;
  /** Why there is none though the layer knows positions. */
  readonly note?: string;
}

/** One encoding for all layers, what `pe.layers(config)` gives, or a function from a layer's number to its encoding. */
export type LayerEncodings = Encoding<any> | readonly LayerLike[] | ((layer: number) => Encoding<any> | null);

const cannot = (why: string): PosencError => new PosencError("unsupported", `encoding: ${why}`, "encoding");

function given(encodings: LayerEncodings, layer: number): Encoding<any> | null {
  if (typeof encodings === "function") return encodings(layer);
  if (!Array.isArray(encodings)) return encodings as Encoding<any>;
  const found = encodings[layer] as LayerLike | undefined;
  if (!found) throw invalid("encoding", `has ${encodings.length} layers, the cache has a layer ${layer}`);
  if (!found.encoding && found.note) throw cannot(`layer ${layer}: ${found.note}`);
  return found.encoding;
}

/**
 * What moves the keys of a layer in a sequence of up to `length` tokens; undefined: nothing, they go by distances or know no
 * positions. Throws: unsupported, invalid-argument.
 */
export function turnOf(encodings: LayerEncodings, layer: number, length: number): RotaryEncoding<any> | undefined {
  const encoding = given(encodings, layer);
  if (encoding === null) return undefined;
  const { family, kind } = (encoding ?? {}) as Partial<Encoding<any>>;
  if (family === undefined) throw invalid("encoding", `must be made by pe.create or pe.layers, got ${show(encoding)}`);
  if (family === "bias") return undefined;
  if (family !== "rotary") throw cannot(`keys with ${kind} (${family}) cannot be moved`);
  const rotary = encoding as RotaryEncoding<any>;
  if (rotary.axes !== 1) throw cannot(`${kind} has ${rotary.axes} axes, places in a cache have one`);
  if (changesWithLength(rotary, length))
    throw cannot(`${kind} changes its frequencies within ${length} tokens: what is cached cannot be moved`);
  return rotary;
}
