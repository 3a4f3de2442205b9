// The small language models: what was measured with them, and where their weights and vocabularies lie.
import measuredJson from "../../lab/measured.json";
import type { TrainedWith } from "./positions.ts";

/** Pairs of a length and the mean loss; pairs of a distance and the share of characters that were found. */
export interface Measurement {
  loss: [length: number, nats: number][];
  needle: [distance: number, share: number][];
}

export interface LabModel {
  encoding: TrainedWith;
  language: "en" | "zh";
  recipe: "A" | "B" | "C";
  /** Characters in training. */
  context: number;
  parameters: number;
  /** By rule: "default", "yarn-4", "selfextend-8-64". */
  measured: Record<string, Measurement>;
}

export const labModels = measuredJson as unknown as Record<string, LabModel>;

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
