// Reads image encoders: tables over patches, biases over windows, rotations of several axes. Values only.
import { PosencError, invalid, show } from "../../base/errors.js";
import type { Spec } from "../../base/specs.gen.js";
import { learned, unknown, type Choice, type Rule } from "./text.js";
import { asObject, type Json } from "../../base/json.js";
import * as read from "../read.js";
import { number } from "../read.js";

/** Reads a learned table over the patches of an image, after `classTokens` rows for tokens that are not patches. */
export const learnedPatches =
  (classTokens: number): Rule =>
  (model) => {
    const [rows, columns] = read.patchGrid(model);
    return learned(rows * columns + classTokens, read.modelWidth(model));
  };

/** Returns the index of the requested stage of `count`: stage1, stage2 … */
function stageOf({ layerType }: Choice, count: number): number {
  const stage = Array.from({ length: count }, (_, i) => `stage${i + 1}`).indexOf(layerType ?? "");
  if (stage < 0)
    throw invalid("layerType", `the stages differ: must be stage1 to stage${count}, got ${show(layerType)}`);
  return stage;
}

/** Reads MGP-STR, whose distilled models have a second token, as in DeiT. */
export const mgpStr: Rule = (model, choice) => learnedPatches(read.flag(model, "distilled") ? 2 : 1)(model, choice);
export const siglip2: Rule = (model) => learned(read.needNumber(model, "num_patches"), read.modelWidth(model));

function headsOfStages(model: Json, name: string): number[] {
  const heads = model[name];
  if (!Array.isArray(heads)) throw invalid(name, `must be one number for each stage, got ${show(heads)}`);
  return heads as number[];
}

/** Reads Swin and CLAP: a table for each head of a window. */
export const swin =
  (headsName = "num_heads"): Rule =>
  (model, choice) => {
    const heads = headsOfStages(model, headsName);
    const stage = stageOf(choice, heads.length);
    const [windowHeight, windowWidth] = read.pairOf(model, "window_size");
    return { kind: "swin", heads: heads[stage]!, windowHeight, windowWidth };
  };

/** Reads Swin V2, whose window is no larger than the stage's grid, and Swin2SR, whose stages all have the same grid. */
export const swinV2 =
  (shrinks = true): Rule =>
  (model, choice) => {
    const heads = headsOfStages(model, "num_heads");
    const stage = stageOf(choice, heads.length);
    const shrink = shrinks ? 2 ** stage : 1;
    const isSized = ["image_size", "patch_size"].every((name) => model[name] !== undefined);
    const grid = isSized ? read.patchGrid(model) : [Infinity, Infinity];
    const fit = (side: number, axis: number): number => Math.min(side, Math.floor(grid[axis]! / shrink));
    const [windowHeight, windowWidth] = read.pairOf(model, "window_size").map(fit) as [number, number];
    const trained = [model["pretrained_window_sizes"]].flat()[stage];
    return {
      kind: "swin-v2",
      heads: heads[stage]!,
      windowHeight,
      windowWidth,
      ...(typeof trained === "number" && trained > 0 && { pretrainedHeight: trained, pretrainedWidth: trained }),
    };
  };

export const beit: Rule = (model, choice) => {
  if (read.flag(model, "use_absolute_position_embeddings")) return learnedPatches(1)(model, choice);
  const relative = ["use_relative_position_bias", "use_shared_relative_position_bias"];
  if (!relative.some((name) => read.flag(model, name)))
    throw new PosencError("unsupported", `${relative[0]}: this config disables all positions`, relative[0]);
  const [windowHeight, windowWidth] = read.patchGrid(model);
  return { kind: "swin", heads: read.headCount(model), windowHeight, windowWidth, classToken: true };
};

const axial = (dim: number, more: Json = {}): Spec => ({ kind: "rope-axial", dim, base: 10000, ...more });
/**
 * Reads the base. `rope_parameters` of an image encoder may call its rotation "axial", which applies to all of these.
 */
const baseOf = (model: Json, fallback: number): number =>
  read.agreed(
    "rope_theta",
    number(model, "rope_theta"),
    number(asObject(model["rope_parameters"]) ?? {}, "rope_theta"),
  ) ?? fallback;
/**
 * Reads Qwen2-VL. Its `embed_dim` is the hidden size of the image encoder; its `hidden_size` is the language model's.
 */
export const qwenVision: Rule = (model) => {
  const width = read.needNumber(model, "embed_dim", "hidden_size");
  const heads = read.needNumber(model, "num_heads", "num_attention_heads");
  return axial(number(model, "head_dim") ?? width / heads, { base: baseOf(model, 10000) });
};
export const pixtral: Rule = (model) =>
  axial(number(model, "head_dim") ?? read.headShare(model), { base: baseOf(model, 10000), form: "strided" });
export const llama4Vision: Rule = (model) =>
  axial(read.headShare(model), { base: baseOf(model, 10000), pairing: "interleaved", axisOrder: [1, 0], start: 1 });
/** Reads Muse Glimmer: columns before rows, both counted from 1. */
export const museVision: Rule = (model) =>
  axial(number(model, "head_dim") ?? read.headShare(model), {
    base: baseOf(model, 10000),
    axisOrder: [1, 0],
    start: 1,
  });
export const dinov3: Rule = (model) =>
  axial(read.headShare(model), { base: baseOf(model, 100), coordinates: "centres", scale: 2 * Math.PI });

export const detr: Rule = (model) => {
  const type = read.text(model, "position_embedding_type") ?? "sine";
  if (type !== "sine") throw unknown("position_embedding_type", type, ["sine"]);
  return { kind: "sinusoidal-2d", dim: read.modelWidth(model), start: 1, normalize: true, scale: 2 * Math.PI };
};
export const mae: Rule = (model) => ({
  kind: "sinusoidal-2d",
  dim: read.modelWidth(model),
  pairing: "concat",
  axisOrder: "xy",
});
/** Reads Segment Anything's encoding of points and boxes; its image encoder is "vision". */
export const sam: Rule = (model) => {
  const prompts = asObject(model["prompt_encoder_config"]);
  if (!prompts) throw invalid("prompt_encoder_config", "is missing from the config");
  return { kind: "fourier", dim: read.modelWidth(prompts), inputs: 2, coordinates: "centres", axisOrder: "xy" };
};

/** Reads RT-DETR and later models: rows first, as in MoCo v3. */
export const sineGrid: Rule = (model) => ({
  kind: "sinusoidal-2d",
  dim: read.needNumber(model, "encoder_hidden_dim"),
  base: number(model, "positional_encoding_temperature") ?? 10000,
  pairing: "concat",
});

/** Reads YOLOS: the class token, the patches, the detection tokens. */
export const yolos: Rule = (model, choice) => {
  const spec = learnedPatches(1)(model, choice) as { length: number };
  return { ...spec, length: spec.length + (number(model, "num_detection_tokens") ?? 100) } as Spec;
};

/** Reads Hiera, whose patches overlap: their number follows from the stride. */
export const hiera: Rule = (model) => {
  const [image, stride] = [read.pairOf(model, "image_size"), read.pairOf(model, "patch_stride")];
  return learned(
    Math.floor(image[0] / stride[0]) * Math.floor(image[1] / stride[1]),
    read.needNumber(model, "embed_dim"),
  );
};

/** Reads PVT: a table for each stage; the last one has a class token. */
export const pvt: Rule = (model, choice) => {
  const [sizes, widths] = [model["patch_sizes"], model["hidden_sizes"]];
  if (!Array.isArray(sizes) || !Array.isArray(widths))
    throw invalid("patch_sizes", "must be one number for each stage, as hidden_sizes");
  const stage = stageOf(choice, widths.length);
  const image = Math.floor(read.sizeOf(model["image_size"], "image_size") / (stage === 0 ? 1 : 2 ** (stage + 1)));
  const last = stage === widths.length - 1;
  return learned(Math.floor(image / read.sizeOf(sizes[stage], "patch_sizes")) ** 2 + Number(last), widths[stage]);
};

/**
 * Reads the audio spectrogram transformer: overlapping patches of frequency and time, after two tokens (as in DeiT).
 */
export const spectrogram: Rule = (model) => {
  const patch = read.sizeOf(model["patch_size"], "patch_size");
  const patchesAlong = (size: string, stride: string, implied: number): number =>
    Math.floor((read.sizeOf(model[size], size) - patch) / read.sizeOf(model[stride] ?? implied, stride)) + 1;
  const [rows, columns] = [
    patchesAlong("num_mel_bins", "frequency_stride", 10),
    patchesAlong("max_length", "time_stride", 10),
  ];
  return learned(rows * columns + 2, read.modelWidth(model));
};

/** Reads Gemma 4's image encoder: columns rotate the first half of a head, rows the second one. */
export const gemma4Vision: Rule = (model) =>
  axial(number(model, "head_dim") ?? read.headShare(model), {
    base: baseOf(model, 100),
    separateAxes: true,
    axisOrder: [1, 0],
  });
