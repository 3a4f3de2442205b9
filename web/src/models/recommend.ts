// Recommended encodings for tasks, with reasons, as data.
import { PosencError, show } from "../base/errors.js";
import type { Spec } from "../base/specs.gen.js";
import type { Model } from "./model.js";

/** The result of `recommend`. */
export interface Recommendation {
  /** The first name of the task. */
  useCase: string;
  /** The kind of `spec`. */
  kind: string;
  /** A spec to start from, for `pe.create`. */
  spec: Spec;
  /** Kinds that are as suitable. */
  alternatives: readonly string[];
  /** The reason, in one sentence. */
  reason: string;
  /** Ids of the models in `models` that use the kind, for RoPE also with a scaling rule. */
  models: readonly string[];
}

type Advice = Pick<Recommendation, "alternatives" | "reason"> & {
  spec: Spec;
  /** Set if only models of this modality are listed. */
  modality?: Model["modality"];
  /** The name, then its synonyms. */
  names: readonly [string, ...string[]];
};

const knownAdvice: readonly Advice[] = [
  {
    names: ["short-text", "classification", "text-classification", "short"],
    modality: "text",
    spec: { kind: "learned", length: 512, dim: 768 },
    alternatives: ["sinusoidal", "t5"],
    reason: "Texts have a known maximum length, and a learned row for each position adapts to the task.",
  },
  {
    names: ["long-generation", "long-text", "long-text-generation", "generation", "chat"],
    spec: { kind: "rope", dim: 128, base: 500000 },
    alternatives: ["alibi", "rope-yarn", "rope-llama3"],
    reason:
      "Scores depend on distances, nothing is learned, cached keys stay valid, and scaling rules extend the context.",
  },
  {
    names: ["context-extension", "long-context", "extrapolation"],
    spec: { kind: "rope-yarn", dim: 128, factor: 4, originalLength: 4096 },
    alternatives: ["rope-llama3", "rope-longrope", "rope-dynamic", "rope-linear", "alibi"],
    reason: "Slow pairs are interpolated and fast ones kept: a trained model handles longer texts with little tuning.",
  },
  {
    names: ["relative", "relative-position", "relative-modelling", "relative-modeling"],
    spec: { kind: "t5", heads: 12 },
    alternatives: ["shaw", "transformer-xl", "deberta", "rope"],
    reason: "Only the distance of two tokens matters; each distance has a learned bias or vector.",
  },
  {
    names: ["lightweight", "light-weight", "light", "small"],
    spec: { kind: "alibi", heads: 12 },
    alternatives: ["rope", "sinusoidal"],
    reason: "No parameters and nothing to rotate: one slope for each head, added to the scores.",
  },
  {
    names: ["compatibility", "universal", "general", "translation"],
    spec: { kind: "sinusoidal", dim: 512 },
    alternatives: ["learned", "rope"],
    reason: "A fixed table that any model and any framework can add to its features, with rows for any position.",
  },
  {
    names: ["vision", "image", "images", "image-classification"],
    modality: "image",
    spec: { kind: "learned", length: 197, dim: 768 },
    alternatives: ["swin", "sinusoidal-2d", "rope-axial"],
    reason:
      "A grid of fixed size, resized by interpolation for others; windows and axial rotations use rows and columns.",
  },
  {
    names: ["multimodal", "image-text", "vision-language", "video"],
    spec: { kind: "rope-mrope", dim: 128, sections: [16, 24, 24] },
    alternatives: ["rope-axial", "rope"],
    reason: "Time, rows and columns rotate different pairs; text rotates all by one position: one sequence holds both.",
  },
  {
    names: ["speech", "audio"],
    modality: "audio",
    spec: { kind: "sinusoidal", dim: 384, pairing: "concat", frequencyShift: 1 },
    alternatives: ["shaw", "transformer-xl", "rope"],
    reason: "Frames are many and evenly spaced: a fixed table suits whole clips, relative vectors suit streams.",
  },
];

const normal = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_]+/g, "-");

/** Returns the use cases that `recommend` knows. */
export const useCases = (): string[] => knownAdvice.map(({ names }) => names[0]);

/** Whether a model uses a kind. RoPE includes its scaled forms, except those with several axes, which are for other tasks. */
const uses = (model: Model, kind: string): boolean =>
  model.spec.kind === kind ||
  (kind === "rope" && model.spec.kind.startsWith("rope-") && !/axial|mrope/.test(model.spec.kind));

/** Returns the recommendation for a use case, with the models of a catalogue that use it. Throws `invalid-argument`. */
export function recommendFrom(models: readonly Model[], useCase: string): Recommendation {
  const advice = knownAdvice.find(({ names }) => typeof useCase === "string" && names.includes(normal(useCase)));
  if (!advice)
    throw new PosencError(
      "invalid-argument",
      `useCase: ${show(useCase)} is not known; known are ${useCases().join(", ")}`,
      "useCase",
    );
  const { names, spec, modality, alternatives, reason } = advice;
  const fitting = models.filter((model) => uses(model, spec.kind) && (modality ?? model.modality) === model.modality);
  return {
    useCase: names[0],
    kind: spec.kind,
    spec: { ...spec } as unknown as Spec,
    alternatives,
    reason,
    models: fitting.map(({ id }) => id),
  };
}
