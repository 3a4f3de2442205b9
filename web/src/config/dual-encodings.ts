// Models with two encodings at once, a table before the first layer and one in attention, and notes on further ones.
import type { Spec } from "../base/specs.gen.js";
import { learned, maxPositions } from "./others.js";
import * as read from "./read.js";
import { number } from "./read.js";
import type { Stack } from "./stacks.js";

interface Second {
  readonly spec?: Spec;
  readonly input?: Spec;
  readonly note?: string;
}
type Rule = (stack: Stack, spec: Spec, kind: string) => Second;

/** MPNet: T5's buckets in all layers, from one table. */
const mpnet: Rule = ({ model }, input) => ({
  input,
  spec: {
    kind: "t5",
    heads: read.headCount(model),
    buckets: number(model, "relative_attention_num_buckets") ?? 32,
    maxDistance: 128,
  },
});

const deberta: Rule = ({ model }, spec) =>
  spec.kind === "deberta" && read.flag(model, "position_biased_input") !== false
    ? { input: learned(maxPositions(model), read.modelWidth(model)) }
    : {};

const beit: Rule = ({ model }, spec) => {
  if (spec.kind !== "learned" || !read.flag(model, "use_relative_position_bias")) return {};
  const [windowHeight, windowWidth] = read.patchGrid(model);
  return {
    input: spec,
    spec: { kind: "swin", heads: read.headCount(model), windowHeight, windowWidth, classToken: true },
  };
};

/** A learned grid that is resized to the image. */
const grid: Rule = ({ model, part }) => {
  const rows = number(model, "num_position_embeddings");
  return part === "vision" && rows !== undefined ? { input: learned(rows, read.modelWidth(model)) } : {};
};

const llama4: Rule = ({ model }) => {
  const [rows, columns] = read.patchGrid(model);
  return { input: learned(rows * columns + 1, read.modelWidth(model)) };
};

const withNote =
  (note: string): Rule =>
  () => ({ note });

const windows = "window_attention: patches attend only within a square of window_size pixels; pass `segments`";
const windowed: Rule = (_stack, _spec, kind) => (kind === "window_attention" ? { note: windows } : {});
const decomposed = "with use_rel_pos, attention adds decomposed row and column tables, which posenc does not support";

const rules: Record<string, Rule> = {
  mpnet,
  deberta,
  "deberta-v2": deberta,
  beit,
  qwen3_vl: grid,
  qwen3_vl_moe: grid,
  qwen3_5: grid,
  qwen3_5_moe: grid,
  qwen3_vl_vision: grid,
  qwen3_vl_moe_vision: grid,
  qwen3_5_vision: grid,
  qwen3_5_moe_vision: grid,
  qwen3_omni_moe_vision_encoder: grid,
  qwen2_5_vl_vision: windowed,
  muse_glimmer_vision: windowed,
  llama4_vision_model: llama4,
  gemma4_vision: withNote("learned row and column tables are added first, which posenc does not support"),
  vits: withNote("pad emb_rel_k and emb_rel_v with a row of zeros at both ends before loading"),
  sam: ({ part }) => (part === "vision" ? { note: decomposed } : {}),
  sam_vision_model: withNote(decomposed),
  vitpose_backbone: withNote("the class token's row is added to all patches"),
  yolos: withNote("the last rows are for the detection tokens"),
  longt5: withNote("with transient global attention, block sums have separate buckets"),
  idefics3_vision: withNote("a patch's row is computed from fractional image coordinates"),
  smolvlm_vision: withNote("a patch's row is computed from fractional image coordinates"),
  siglip2_vision_model: withNote("the table is resized to the image"),
  qwen2_5_vl: windowed,
  exaone4_5: windowed,
  exaone4_5_vision: windowed,
  granite_speech_encoder: withNote("rel_pos_emb has the opposite row order: load it reversed"),
  deepseek_v4: withNote("attention outputs are rotated back by the query's angle"),
};

/** Returns the encoding that a stack has in addition, and a note. */
export function secondOf(stack: Stack, spec: Spec, kind: string): Second {
  return read.lookUp(rules, read.modelType(stack.model))?.(stack, spec, kind) ?? {};
}
