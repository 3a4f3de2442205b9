// The small language models: what they are, and where their weights and vocabularies lie.
import modelsJson from "../../lab/models.json";
import type { TrainedWith } from "./positions.ts";

export interface LabModel {
  encoding: TrainedWith;
  language: "en" | "zh";
  recipe: "A" | "B" | "C";
  /** Characters in training. */
  context: number;
  parameters: number;
}

export const labModels = modelsJson as unknown as Record<string, LabModel>;

/** The weights that the site ships, as addresses. */
const files = import.meta.glob<string>("../../lab/models/*.safetensors", {
  query: "?url",
  import: "default",
  eager: true,
});
const texts = import.meta.glob<string>("../../lab/text.*.txt", { query: "?url", import: "default", eager: true });
const vocabularies = import.meta.glob<string[]>("../../lab/vocabulary.*.json", { import: "default" });

export const hasWeights = (id: string): boolean => weightsAddress(id) !== undefined;
export const weightsAddress = (id: string): string | undefined => files[`../../lab/models/${id}.safetensors`];
export const textAddress = (language: "en" | "zh"): string => texts[`../../lab/text.${language}.txt`];
export const vocabularyOf = (language: "en" | "zh"): Promise<string[]> =>
  vocabularies[`../../lab/vocabulary.${language}.json`]();

/** Bytes of a download: two for each number. */
export const bytesOf = (id: string): number => 2 * labModels[id].parameters;
