// Models without rotation: biases, fixed and learned tables, relative attention. By model type, values only.
import { PosencError, invalid, show } from "../base/errors.js";
import type { Spec } from "../base/specs.gen.js";
import * as read from "./read.js";
import { number, type Json } from "./read.js";

export interface Choice {
  readonly layerType: string | undefined;
  readonly vision: boolean;
}
type Rule = (model: Json, choice: Choice) => Spec | undefined;

const learned = (length: number, dim: number, start = 0): Spec => ({
  kind: "learned",
  length,
  dim,
  ...(start > 0 ? { start } : {}),
});
const maxPositions = (model: Json): number => read.needNumber(model, "max_position_embeddings", "n_positions", "n_ctx");

/** A learned table [positions, width]. */
const learnedText =
  (widthName?: string): Rule =>
  (model) =>
    learned(maxPositions(model), widthName === undefined ? read.modelWidth(model) : read.needNumber(model, widthName));

/** Tables with two rows before those of the positions: OPT's, BART's. */
const learnedAfterTwo: Rule = (model) => learned(maxPositions(model) + 2, read.modelWidth(model), 2);

/** A learned table over the patches of an image, after `classTokens` rows for tokens that are no patches. */
const learnedPatches =
  (classTokens: number): Rule =>
  (model) => {
    const [rows, columns] = read.patchGrid(model);
    return learned(rows * columns + classTokens, read.modelWidth(model));
  };

/** RoBERTa's tables: max_position_embeddings counts the rows up to that of padding, too; tokens begin after it. */
const learnedAfterPadding =
  (fallback?: number): Rule =>
  (model) =>
    learned(
      maxPositions(model),
      read.modelWidth(model),
      read.need(number(model, "pad_token_id") ?? fallback, "pad_token_id") + 1,
    );

/** BERT's family names its positions. */
const bert =
  (absolute: Rule = learnedText()): Rule =>
  (model, choice) => {
    const type = read.text(model, "position_embedding_type") ?? "absolute";
    if (type === "absolute") return absolute(model, choice);
    if (type === "alibi") return { kind: "alibi", heads: read.headCount(model), form: "relative" };
    if (type === "rotary" || type === "rope") return undefined;
    if (type === "relative_key")
      return { kind: "shaw", dim: read.headShare(model), maxDistance: maxPositions(model) - 1, withValues: false };
    throw unknown("position_embedding_type", type, ["absolute", "alibi", "rotary", "relative_key"]);
  };

const unknown = (field: string, got: unknown, known: string[]): PosencError =>
  new PosencError("unsupported", `${field}: ${show(got)} is not known; known are ${known.join(", ")}`, field);

/** Which half of an encoder-decoder is meant. */
function isDecoder({ layerType }: Choice): boolean {
  if (layerType !== undefined && layerType !== "encoder" && layerType !== "decoder")
    throw invalid("layerType", `must be "encoder" or "decoder", got ${show(layerType)}`);
  return layerType === "decoder";
}

const t5: Rule = (model, choice) => ({
  kind: "t5",
  heads: read.needNumber(model, "num_heads"),
  buckets: number(model, "relative_attention_num_buckets") ?? 32,
  // Older files leave it out; all of T5's family has 128.
  maxDistance: number(model, "relative_attention_max_distance") ?? 128,
  bidirectional: !isDecoder(choice),
});

const deberta: Rule = (model, choice) => {
  if (read.flag(model, "relative_attention") !== true) return learnedText()(model, choice);
  const given = model["pos_att_type"];
  const terms = typeof given === "string" ? given.split("|") : given;
  if (!Array.isArray(terms)) throw invalid("pos_att_type", `must be a list such as ["c2p", "p2c"], got ${show(given)}`);
  const buckets = number(model, "position_buckets") ?? -1;
  const span = number(model, "max_relative_positions") ?? -1;
  return {
    kind: "deberta",
    dim: read.headShare(model),
    heads: read.headCount(model),
    maxDistance: span < 1 ? maxPositions(model) : span,
    ...(buckets > 0 ? { buckets } : {}),
    contentToPosition: terms.includes("c2p"),
    positionToContent: terms.includes("p2c"),
  };
};

const swin: Rule = (model, { layerType }) => {
  const heads = model["num_heads"];
  if (!Array.isArray(heads)) throw invalid("num_heads", `must be one number for each stage, got ${show(heads)}`);
  const stage = heads.map((_, i) => `stage${i + 1}`).indexOf(layerType ?? "");
  if (stage < 0)
    throw invalid("layerType", `the stages differ: must be stage1 to stage${heads.length}, got ${show(layerType)}`);
  const [windowHeight, windowWidth] = read.pairOf(model, "window_size");
  return { kind: "swin", heads: heads[stage], windowHeight, windowWidth };
};

const beit: Rule = (model, choice) => {
  if (read.flag(model, "use_absolute_position_embeddings")) return learnedPatches(1)(model, choice);
  const relative = ["use_relative_position_bias", "use_shared_relative_position_bias"];
  if (!relative.some((name) => read.flag(model, name)))
    throw new PosencError("unsupported", `${relative[0]}: this model says that it has no positions`, relative[0]);
  const [windowHeight, windowWidth] = read.patchGrid(model);
  return { kind: "swin", heads: read.headCount(model), windowHeight, windowWidth, classToken: true };
};

const conformer: Rule = (model) => {
  const type = read.text(model, "position_embeddings_type");
  const heads = read.headCount(model);
  const dim = read.headShare(model);
  if (type === "rotary") return { kind: "rope", dim, base: read.needNumber(model, "rotary_embedding_base") };
  if (type === "relative") return { kind: "transformer-xl", dim, heads, modelDim: read.modelWidth(model) };
  if (type === "relative_key") {
    const [maxLeft, maxRight] = ["left", "right"].map((side) =>
      read.needNumber(model, `${side}_max_position_embeddings`),
    );
    return { kind: "shaw", dim, maxLeft, maxRight, withValues: false };
  }
  throw unknown("position_embeddings_type", type, ["rotary", "relative", "relative_key"]);
};

const transformerXl: Rule = (model) => {
  const clampLength = number(model, "clamp_len") ?? 0;
  return {
    kind: "transformer-xl",
    dim: read.needNumber(model, "d_head"),
    heads: read.headCount(model),
    modelDim: read.modelWidth(model),
    ...(clampLength > 0 ? { clampLength } : {}),
  };
};

const alibi: Rule = (model) => ({ kind: "alibi", heads: read.headCount(model), form: "key-absolute" });
const falcon: Rule = (model, choice) => (read.flag(model, "alibi") ? alibi(model, choice) : undefined);

const mpt: Rule = (model) => {
  const attention = read.asObject(model["attn_config"]) ?? {};
  // MPT's configuration class has alibi on.
  if (read.flag(attention, "alibi") ?? true)
    return {
      kind: "alibi",
      heads: read.headCount(model),
      form: "key",
      maxBias: number(attention, "alibi_bias_max") ?? 8,
    };
  if (read.flag(attention, "rope")) return undefined;
  return learned(read.needNumber(model, "max_seq_len"), read.modelWidth(model));
};

const sinusoidal = (model: Json, more: Json = {}): Spec => ({
  kind: "sinusoidal",
  dim: read.modelWidth(model),
  pairing: "concat",
  ...more,
});
const m2m: Rule = (model) =>
  sinusoidal(model, { frequencyShift: 1, oddDim: "pad", paddingIndex: number(model, "pad_token_id") ?? 1 });
const whisper: Rule = (model, choice) =>
  isDecoder(choice)
    ? learned(read.needNumber(model, "max_target_positions"), read.modelWidth(model))
    : sinusoidal(model, { frequencyShift: 1 });

const axial = (dim: number, more: Json = {}): Spec => ({ kind: "rope-axial", dim, base: 10000, ...more });
/** Qwen2-VL calls the width of its image encoder embed_dim; its hidden_size is the language model's. */
const qwenVision: Rule = (model) => {
  const [width, heads] = [read.needNumber(model, "embed_dim", "hidden_size"), read.needNumber(model, "num_heads")];
  return axial(width / heads);
};
const baseOf = (model: Json, fallback: number): number =>
  read.agreed(
    "rope_theta",
    number(model, "rope_theta"),
    number(read.asObject(model["rope_parameters"]) ?? {}, "rope_theta"),
  ) ?? fallback;
const pixtral: Rule = (model) =>
  axial(number(model, "head_dim") ?? read.headShare(model), { base: baseOf(model, 10000), form: "strided" });
const llama4Vision: Rule = (model) =>
  axial(read.headShare(model), { base: baseOf(model, 10000), pairing: "interleaved", axisOrder: [1, 0], start: 1 });
const dinov3: Rule = (model) =>
  axial(read.headShare(model), { base: baseOf(model, 100), coordinates: "centres", scale: 2 * Math.PI });

const detr: Rule = (model) => {
  const type = read.text(model, "position_embedding_type") ?? "sine";
  if (type !== "sine") throw unknown("position_embedding_type", type, ["sine"]);
  return { kind: "sinusoidal-2d", dim: read.modelWidth(model), start: 1, normalize: true, scale: 2 * Math.PI };
};
const mae: Rule = (model) => ({
  kind: "sinusoidal-2d",
  dim: read.modelWidth(model),
  pairing: "concat",
  axisOrder: "xy",
});
/** What Segment Anything makes of points and boxes; its image encoder is "vision". */
const sam: Rule = (model) => {
  const prompts = read.asObject(model["prompt_encoder_config"]);
  if (!prompts) throw invalid("prompt_encoder_config", "is missing from the config");
  return { kind: "fourier", dim: read.modelWidth(prompts), inputs: 2, coordinates: "centres", axisOrder: "xy" };
};

// Image encoders whose name their language models have, too.
const visionRules: Record<string, Rule> = {
  qwen2_vl: qwenVision,
  qwen2_5_vl: qwenVision,
  qwen3_vl: qwenVision,
  qwen3_vl_moe: qwenVision,
  qwen3_5: qwenVision,
  sam: learnedPatches(0),
};

const roberta = bert(learnedAfterPadding(1));

const rules: Record<string, Rule> = {
  pixtral,
  llama4_vision_model: llama4Vision,
  dinov3_vit: dinov3,
  detr,
  vit_mae: mae,
  sam,
  sam_vision_model: learnedPatches(0),
  bloom: alibi,
  falcon,
  RefinedWebModel: falcon,
  mpt,
  whisper,
  marian: (model) => sinusoidal(model),
  pegasus: (model) => sinusoidal(model),
  m2m_100: m2m,
  "nllb-moe": m2m,
  fsmt: m2m,
  bert: bert(),
  roberta,
  "roberta-prelayernorm": roberta,
  "xlm-roberta": roberta,
  "xlm-roberta-xl": roberta,
  camembert: roberta,
  "data2vec-text": roberta,
  // Its configuration class knows no padding token of its own.
  esm: bert(learnedAfterPadding()),
  electra: bert(learnedText("embedding_size")),
  albert: bert(learnedText("embedding_size")),
  distilbert: learnedText("dim"),
  longformer: learnedAfterPadding(1),
  "openai-gpt": learnedText(),
  gpt2: learnedText(),
  gpt_bigcode: learnedText(),
  gpt_neo: learnedText(),
  opt: learnedAfterTwo,
  biogpt: learnedAfterTwo,
  bart: learnedAfterTwo,
  mbart: learnedAfterTwo,
  plbart: learnedAfterTwo,
  mvp: learnedAfterTwo,
  blenderbot: learnedText(),
  "blenderbot-small": learnedText(),
  bigbird_pegasus: learnedText(),
  vit: learnedPatches(1),
  deit: learnedPatches(2),
  dinov2: learnedPatches(1),
  clip_vision_model: learnedPatches(1),
  siglip_vision_model: learnedPatches(0),
  clip_text_model: learnedText(),
  siglip_text_model: learnedText(),
  t5,
  mt5: t5,
  umt5: t5,
  longt5: t5,
  switch_transformers: t5,
  deberta,
  "deberta-v2": deberta,
  "transfo-xl": transformerXl,
  xlnet: transformerXl,
  swin,
  beit,
  "wav2vec2-bert": conformer,
  "wav2vec2-conformer": conformer,
};

/** The spec of a model that does not rotate, or undefined. */
export function notRotary(model: Json, choice: Choice): Spec | undefined {
  const type = read.modelType(model);
  const rule = (choice.vision ? read.lookUp(visionRules, type) : undefined) ?? read.lookUp(rules, type);
  return rule?.(model, choice);
}
