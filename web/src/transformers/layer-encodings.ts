// The encoding that rotated the keys of each layer, and whether the keys can be re-rotated.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Encoding } from "../encodings/encoding.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import { changesWithLength } from "./frequencies.js";

/** A layer, as `pe.layers(config)` returns it. */
export interface LayerLike {
  /** Encoding of the layer; null: its keys are not rotated. */
  readonly encoding: Encoding<any> | null;
  /** Reason why `encoding` is null although the layer has positions. */
  readonly note?: string;
}

/**
 * One encoding for all layers, the result of `pe.layers(config)`, or a function from the index of a layer to its
 * encoding.
 */
export type LayerEncodings = Encoding<any> | readonly LayerLike[] | ((layer: number) => Encoding<any> | null);

const cannot = (why: string): PosencError => new PosencError("unsupported", `encoding: ${why}`, "encoding");

/** Returns the encoding of a layer; null: it has none. Throws `invalid-argument`, and `unsupported` for other positions. */
export function encodingAt(encodings: LayerEncodings, layer: number): Encoding<any> | null {
  if (typeof encodings === "function") return encodings(layer);
  if (!Array.isArray(encodings)) return encodings as Encoding<any>;
  const found = encodings[layer] as LayerLike | undefined;
  if (!found) throw invalid("encoding", `has ${encodings.length} layers, the cache has a layer ${layer}`);
  if (!found.encoding && found.note) throw cannot(`layer ${layer}: ${found.note}`);
  return found.encoding;
}

/**
 * Returns the rotary encoding that re-rotates a layer's keys in a sequence of up to `length` tokens. undefined: keys
 * need no rotation, as they depend on distances or have no positions. Throws `unsupported`, `invalid-argument`.
 */
export function rotaryOf(encodings: LayerEncodings, layer: number, length: number): RotaryEncoding<any> | undefined {
  const encoding = encodingAt(encodings, layer);
  if (encoding === null) return undefined;
  const { family, kind } = (encoding ?? {}) as Partial<Encoding<any>>;
  if (family === undefined) throw invalid("encoding", `must be made by pe.create or pe.layers, got ${show(encoding)}`);
  if (family === "bias") return undefined;
  if (family !== "rotary") throw cannot(`keys with ${kind} (${family}) cannot be moved`);
  const rotary = encoding as RotaryEncoding<any>;
  // M-RoPE gives text the same position on all axes, and moves it on all of them.
  if (rotary.axes !== 1 && kind !== "rope-mrope")
    throw cannot(`${kind} has ${rotary.axes} axes, cached positions have one`);
  if (changesWithLength(rotary, length))
    throw cannot(`${kind} changes its frequencies within ${length} tokens: cached keys cannot be moved`);
  return rotary;
}
