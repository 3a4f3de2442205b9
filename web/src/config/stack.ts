// A stack of layers: what a config describes once or several times.
import type { Json } from "../base/json.js";

/**
 * Part of a model that a layer belongs to: the language model, an encoder of images or audio, or a half of an
 * encoder-decoder.
 */
export type Part = "text" | "vision" | "audio" | "encoder" | "decoder";

export interface Stack {
  readonly part: Part;
  readonly model: Json;
  /** Number of layers; undefined: the lists of the config have it. */
  readonly count?: number | undefined;
  readonly types?: readonly string[] | undefined;
  /** Half of a model whose encoder and decoder share one config. */
  readonly side?: "encoder" | "decoder";
  /** Reason why posenc cannot express its positions. */
  readonly note?: string;
}
