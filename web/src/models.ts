/**
 * Published models and their positional encodings, as data. No wasm and no network.
 * @module posenc/models
 */
import type { Spec } from "./base/specs.gen.js";
import { specFromConfig } from "./config/config.js";
import { audio } from "./models/audio.js";
import { deepseek } from "./models/deepseek.js";
import { diffusionRotation } from "./models/diffusion-rotation.js";
import { diffusion } from "./models/diffusion.js";
import { embeddings } from "./models/embeddings.js";
import { experts } from "./models/experts.js";
import { gemmaSizes } from "./models/gemma-sizes.js";
import { glm } from "./models/glm.js";
import { gemma } from "./models/gemma.js";
import { gpt } from "./models/gpt.js";
import { imageRotation } from "./models/image-rotation.js";
import { latent } from "./models/latent.js";
import { llamaSizes } from "./models/llama-sizes.js";
import { llama } from "./models/llama.js";
import { longrope } from "./models/longrope.js";
import { mistral } from "./models/mistral.js";
import type { Entry, KnownModel, Model } from "./models/model.js";
import { open2024 } from "./models/open-2024.js";
import { open2025 } from "./models/open-2025.js";
import { open } from "./models/open.js";
import { qwenSizes } from "./models/qwen-sizes.js";
import { qwenVision } from "./models/qwen-vision.js";
import { qwen } from "./models/qwen.js";
import { recommendFrom, type Recommendation } from "./models/recommend.js";
import { textEncoders } from "./models/text-encoders.js";
import type { ModelTypes } from "./models/types.gen.js";
import { visionSizes } from "./models/vision-sizes.js";
import { vision } from "./models/vision.js";

export { PosencError } from "./base/errors.js";
export type { Config, KnownModel, Model } from "./models/model.js";
export { useCases, type Recommendation } from "./models/recommend.js";

const entries = {
  ...textEncoders,
  ...embeddings,
  ...gpt,
  ...open,
  ...open2024,
  ...open2025,
  ...llama,
  ...llamaSizes,
  ...mistral,
  ...gemma,
  ...gemmaSizes,
  ...longrope,
  ...glm,
  ...qwen,
  ...qwenSizes,
  ...deepseek,
  ...latent,
  ...experts,
  ...vision,
  ...visionSizes,
  ...qwenVision,
  ...imageRotation,
  ...diffusionRotation,
  ...diffusion,
  ...audio,
};

/** The ids of the models. */
export type ModelId = keyof ModelTypes;

/** A model whose spec is read from its config on first access. */
function modelOf(id: string, entry: Entry): Model {
  const modality = entry.modality ?? "text";
  if ("spec" in entry) return { id, ...entry, modality, spec: entry.spec as unknown as Spec };
  const { config, layerType } = entry;
  let spec: Spec | undefined;
  return {
    id,
    ...entry,
    modality,
    get spec() {
      return (spec ??= specFromConfig(config, layerType === undefined ? {} : { layerType }));
    },
  };
}

const collect = (): Record<string, Model> =>
  Object.fromEntries(Object.entries<Entry>(entries).map(([id, entry]) => [id, modelOf(id, entry)]));

/** Published models by id: `pe.create(models["llama-3.1-8b"].spec)`. */
export const models = /* @__PURE__ */ collect() as unknown as Readonly<
  { [Id in ModelId]: KnownModel<ModelTypes[Id]> } & Record<string, Model>
>;

/**
 * Recommends an encoding for a task, with the reason and published models that use it.
 *
 * @param useCase "short-text", "long-generation", "relative", "lightweight", "compatibility", "vision" … `useCases()` returns
 * all.
 * @returns A kind, a spec to start from, alternatives, the reason, and ids of models.
 * @throws {PosencError} `invalid-argument` if the use case is unknown; the message lists the known ones.
 * @example
 * const pe = await init();
 * const encoding = pe.create(recommend("long-generation").spec);
 */
export const recommend = (useCase: string): Recommendation => recommendFrom(Object.values<Model>(models), useCase);
