// Reads text and audio models without rotation: biases, fixed and learned tables, relative attention. Values only.
import { PosencError, invalid, show } from "../../base/errors.js";
import type { Spec } from "../../base/specs.gen.js";
import { asObject, type Json } from "../../base/json.js";
import * as read from "../read.js";
import { number } from "../read.js";
import { inkling as inklingWindow } from "./windows.js";

export interface Choice {
  readonly layerType: string | undefined;
  readonly vision: boolean;
}
/** Reads the spec of a model; undefined: the model has a rotary encoding. */
export type Rule = (model: Json, choice: Choice) => Spec | undefined;

export const learned = (length: number, dim: number, start = 0): Spec => ({
  kind: "learned",
  length,
  dim,
  ...(start > 0 ? { start } : {}),
});
export const maxPositions = (model: Json): number =>
  read.needNumber(model, "max_position_embeddings", "n_positions", "n_ctx");

/** Reads a learned table [positions, hidden size]. */
export const learnedText =
  (widthName?: string): Rule =>
  (model) =>
    learned(maxPositions(model), widthName === undefined ? read.modelWidth(model) : read.needNumber(model, widthName));

/** Reads tables with two rows before those of the positions: OPT, BART. */
export const learnedAfterTwo: Rule = (model) => learned(maxPositions(model) + 2, read.modelWidth(model), 2);

/** Reads RoBERTa's tables: max_position_embeddings includes the rows up to the padding's row; tokens begin after it. */
export const learnedAfterPadding =
  (fallback?: number): Rule =>
  (model) =>
    learned(
      maxPositions(model),
      read.modelWidth(model),
      read.need(number(model, "pad_token_id") ?? fallback, "pad_token_id") + 1,
    );

/** Reads BERT and related models, whose configs name the type of positions. */
export const bert =
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

export const unknown = (field: string, got: unknown, known: string[]): PosencError =>
  new PosencError("unsupported", `${field}: ${show(got)} is not known; known are ${known.join(", ")}`, field);

/** Whether the decoder of an encoder-decoder is requested. */
export function isDecoder({ layerType }: Choice): boolean {
  if (layerType !== undefined && layerType !== "encoder" && layerType !== "decoder")
    throw invalid("layerType", `must be "encoder" or "decoder", got ${show(layerType)}`);
  return layerType === "decoder";
}

export const t5: Rule = (model, choice) => ({
  kind: "t5",
  heads: read.needNumber(model, "num_heads"),
  buckets: number(model, "relative_attention_num_buckets") ?? 32,
  // Older configs omit it; all models of T5's family have 128.
  maxDistance: number(model, "relative_attention_max_distance") ?? 128,
  bidirectional: !isDecoder(choice),
});

export const deberta: Rule = (model, choice) => {
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

export const conformer: Rule = (model) => {
  const type = read.text(model, "position_embeddings_type");
  const heads = read.headCount(model);
  const dim = read.headShare(model);
  const base = number(model, "rotary_embedding_base");
  if (type === "rotary") return { kind: "rope", dim, base: read.need(base, "rotary_embedding_base") };
  if (type === "relative") return { kind: "transformer-xl", dim, heads, modelDim: read.modelWidth(model) };
  if (type === "relative_key") {
    const [maxLeft, maxRight] = ["left", "right"].map((side) =>
      read.needNumber(model, `${side}_max_position_embeddings`),
    );
    return { kind: "shaw", dim, maxLeft, maxRight, withValues: false };
  }
  throw unknown("position_embeddings_type", type, ["rotary", "relative", "relative_key"]);
};

export const transformerXl: Rule = (model) => {
  const clampLength = number(model, "clamp_len") ?? 0;
  return {
    kind: "transformer-xl",
    dim: read.needNumber(model, "d_head"),
    heads: read.headCount(model),
    modelDim: read.modelWidth(model),
    ...(clampLength > 0 ? { clampLength } : {}),
  };
};

/** Inkling: relative logits, with another extent in layers with a window. */
export const inkling: Rule = (model, { layerType }) => {
  const kinds = ["hybrid", "hybrid_sliding"];
  if (layerType === undefined || !kinds.includes(layerType)) throw read.needLayerType(kinds, layerType);
  const extent = layerType === "hybrid" ? (number(model, "rel_extent") ?? 1024) : inklingWindow(model);
  return { kind: "inkling", relativeDim: number(model, "d_rel") ?? 16, extent };
};

export const alibi: Rule = (model) => ({ kind: "alibi", heads: read.headCount(model), form: "key-absolute" });
export const falcon: Rule = (model, choice) => (read.flag(model, "alibi") ? alibi(model, choice) : undefined);

/**
 * Reads ChatGLM. The first version rotates half of a head by the position in the prompt, half by the position in the
 * generated text; later ones use one position.
 */
export const chatGlm: Rule = (model) =>
  read.flag(model, "position_encoding_2d")
    ? {
        kind: "rope-axial",
        dim: read.headShare(model),
        base: 10000,
        axes: 2,
        separateAxes: true,
        float16Frequencies: true,
      }
    : undefined;

export const mpt: Rule = (model) => {
  const attention = asObject(model["attn_config"]) ?? {};
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

/** Reads a decision transformer: a row for each step of an episode. */
export const decisions: Rule = (model) => learned(read.needNumber(model, "max_ep_len"), read.modelWidth(model));

const sinusoidal = (model: Json, more: Json = {}): Spec => ({
  kind: "sinusoidal",
  dim: read.modelWidth(model),
  pairing: "concat",
  ...more,
});
/** Reads sinusoids without fields of their own. */
export const sinusoids =
  (more: Json = {}): Rule =>
  (model) =>
    sinusoidal(model, more);
export const m2m: Rule = (model) =>
  sinusoidal(model, { frequencyShift: 1, oddDim: "pad", paddingIndex: number(model, "pad_token_id") ?? 1 });
export const whisper: Rule = (model, choice) =>
  isDecoder(choice)
    ? learned(read.needNumber(model, "max_target_positions"), read.modelWidth(model))
    : sinusoidal(model, { frequencyShift: 1 });

/** Reads NEZHA: sinusoids of clipped distances, for keys and values. */
export const nezha: Rule = (model) => ({
  kind: "nezha",
  dim: read.headShare(model),
  maxDistance: number(model, "max_relative_position") ?? 64,
});

/** Reads VITS: beyond its window nothing is added, so the outermost rows are zeros. */
export const vits: Rule = (model) => ({
  kind: "shaw",
  dim: read.headShare(model),
  maxDistance: (number(model, "window_size") ?? 4) + 1,
});

/** Reads Jais: GPT-2 with ALiBi of distances. */
export const jais: Rule = (model, choice) => {
  const type = read.text(model, "position_embedding_type") ?? "learned";
  if (type === "learned") return learnedText()(model, choice);
  if (type !== "alibi") throw unknown("position_embedding_type", type, ["alibi", "learned"]);
  if (asObject(model["alibi_scaling"]))
    throw new PosencError(
      "unsupported",
      "alibi_scaling: posenc has no kind with length-dependent slopes",
      "alibi_scaling",
    );
  return { kind: "alibi", heads: read.headCount(model), form: "relative" };
};

/** Reads Baichuan: the 7B model has a rotary encoding; the 13B model has ALiBi and no largest position. */
export const baichuan: Rule = (model, choice) =>
  number(model, "max_position_embeddings") === undefined ? alibi(model, choice) : undefined;

/** Reads XLM: a learned table, or one that is filled with sinusoids. */
export const xlm: Rule = (model) => {
  const dim = read.needNumber(model, "emb_dim");
  return read.flag(model, "sinusoidal_embeddings") ? { kind: "sinusoidal", dim } : learned(maxPositions(model), dim);
};

export const trocr: Rule = (model, choice) =>
  (read.flag(model, "use_learned_position_embeddings") ?? true) ? learnedAfterTwo(model, choice) : m2m(model, choice);

/** Reads MusicGen: cosines first. */
export const musicgen: Rule = (model) => sinusoidal(model, { frequencyShift: 1, order: "cos-sin" });

/** Reads FastConformer: the relative attention of Transformer-XL. */
export const parakeet: Rule = (model) => ({
  kind: "transformer-xl",
  dim: read.headShare(model),
  heads: read.headCount(model),
  modelDim: read.modelWidth(model),
});

/** Reads Granite Speech: Shaw's encoding of keys only. */
export const graniteSpeech: Rule = (model) => ({
  kind: "shaw",
  dim: number(model, "dim_head") ?? read.headShare(model),
  maxDistance: read.needNumber(model, "max_pos_emb"),
  withValues: false,
});
