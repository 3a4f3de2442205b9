// Windows of local layers that are not the `sliding_window` of the config.
import * as read from "../read.js";
import type { Json } from "../../base/json.js";
import { number } from "../read.js";
import type { Stack } from "../stack.js";

export type Window = number | readonly [number, number];
export type WindowRule = (model: Json, stack: Stack) => Window | undefined;

const both = (reach: number | undefined): Window | undefined => (reach === undefined ? undefined : [reach, reach]);

/** A window with half of its size on each side. */
export const halved =
  (name: string): WindowRule =>
  (model) => {
    const width = number(model, name);
    return both(width === undefined ? undefined : Math.floor(width / 2));
  };
/** A window of this field, or of this size. */
export const given =
  (name: string, fallback: number): WindowRule =>
  (model) =>
    number(model, name) ?? fallback;
/** `sliding_window` on each side. */
export const onBothSides: WindowRule = (model) => both(number(model, "sliding_window"));

export const modernbertDecoder: WindowRule = (model) => Math.floor((number(model, "local_attention") ?? 128) / 2);
export const longformer: WindowRule = (model) => {
  const sizes = model["attention_window"];
  return both(Math.floor(Number(Array.isArray(sizes) ? sizes[0] : sizes) / 2));
};
/** T5Gemma: encoders attend to both sides, unlike decoders. */
export const t5gemma: WindowRule = (model, stack) =>
  read.flag(model, "is_decoder") ? number(model, "sliding_window") : onBothSides(model, stack);
export const t5gemma2: WindowRule = (model) => {
  const width = number(model, "sliding_window");
  return width === undefined ? undefined : [Math.floor((width + 1) / 2) - 1, Math.floor(width / 2)];
};
/** LongT5: blocks with their neighbours; farther tokens are masked. */
export const longt5: WindowRule = (model, { part }) =>
  part === "encoder" ? both(number(model, "local_radius") ?? 127) : undefined;

export const inkling = (model: Json): number => number(model, "sliding_window_size", "sliding_window") ?? 512;

/** Granite Speech: tokens attend within blocks. */
export const contextChunk = (model: Json): number => number(model, "context_size") ?? 200;
