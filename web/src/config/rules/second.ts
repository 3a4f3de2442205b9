// Models with two encodings at once, a table before the first layer and one in attention, and notes on further ones.
import type { Spec } from "../../base/specs.gen.js";
import { learned, maxPositions } from "./text.js";
import * as read from "../read.js";
import { number } from "../read.js";
import type { Stack } from "../stack.js";

export interface Second {
  readonly spec?: Spec;
  readonly input?: Spec;
  readonly note?: string;
}
/** Returns what a stack with this spec has in addition, in layers of one kind. */
export type SecondRule = (stack: Stack, spec: Spec, kind: string) => Second;

/** MPNet: T5's buckets in all layers, from one table. */
export const mpnet: SecondRule = ({ model }, input) => ({
  input,
  spec: {
    kind: "t5",
    heads: read.headCount(model),
    buckets: number(model, "relative_attention_num_buckets") ?? 32,
    maxDistance: 128,
  },
});

export const deberta: SecondRule = ({ model }, spec) =>
  spec.kind === "deberta" && read.flag(model, "position_biased_input") !== false
    ? { input: learned(maxPositions(model), read.modelWidth(model)) }
    : {};

export const beit: SecondRule = ({ model }, spec) => {
  if (spec.kind !== "learned" || !read.flag(model, "use_relative_position_bias")) return {};
  const [windowHeight, windowWidth] = read.patchGrid(model);
  return {
    input: spec,
    spec: { kind: "swin", heads: read.headCount(model), windowHeight, windowWidth, classToken: true },
  };
};

/** A learned grid that is resized to the image. */
export const grid: SecondRule = ({ model, part }) => {
  const rows = number(model, "num_position_embeddings");
  return part === "vision" && rows !== undefined ? { input: learned(rows, read.modelWidth(model)) } : {};
};

export const llama4: SecondRule = ({ model }) => {
  const [rows, columns] = read.patchGrid(model);
  return { input: learned(rows * columns + 1, read.modelWidth(model)) };
};

export const withNote =
  (note: string): SecondRule =>
  () => ({ note });

const windows = "window_attention: patches attend only within a square of window_size pixels; pass `segments`";
export const windowed: SecondRule = (_stack, _spec, kind) => (kind === "window_attention" ? { note: windows } : {});
const decomposed = "with use_rel_pos, attention adds decomposed row and column tables, which posenc does not support";
/** SAM's image encoder; the model itself has prompts, too. */
export const sam: SecondRule = ({ part }) => (part === "vision" ? { note: decomposed } : {});
export const samVision = withNote(decomposed);
