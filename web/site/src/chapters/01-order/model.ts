// What the reader does with the positions of a real model.
import { labModels } from "../../lab/models.ts";
import type { TrainedWith } from "../../lab/positions.ts";

export const languages = ["en", "zh"] as const;
export type ModelLanguage = (typeof languages)[number];
export const encodings = ["none", "sinusoidal", "learned", "t5", "alibi", "rope"] as const;
export const treatments = ["trained", "away", "shifted", "scrambled", "swapped"] as const;
/** Encodings that need no trained numbers: any model can be given them. */
export const swaps = ["sinusoidal", "alibi", "rope"] as const;

export interface ModelSettings {
  language: ModelLanguage;
  text: string;
  model: TrainedWith;
  treatment: (typeof treatments)[number];
  shift: number;
  swap: (typeof swaps)[number];
  layer: number;
  head: number;
  /** -1: all pairs turn. */
  pair: number;
}

/** Beginnings that the models can go on with, by their language and not the page's. */
export const samples: Record<ModelLanguage, readonly string[]> = {
  en: [
    "And God said, Let there be light: and there was ",
    "The LORD is my shepherd; I shall not ",
    "In the beginning God created the heaven and the ",
  ],
  zh: [
    "床前明月光，疑是地上霜。\n举头望明月，低头思",
    "白日依山尽，黄河入海流。\n欲穷千里目，更上一",
    "春眠不觉晓，处处闻啼鸟。\n夜来风雨声，花落知多",
  ],
};

/** Up to the end of a word, or of what a comma parts in Chinese. */
export const beginningOf = (sample: string): string =>
  /^(?:[^，]{4,}?(?=，)|.{10,22}(?= ))/u.exec(sample)?.[0] ?? sample;

/** More would not be legible as a map. */
export const mostCharacters = 120;

/** The folder of a model; undefined where none was trained. */
export function modelId(language: ModelLanguage, encoding: TrainedWith): string | undefined {
  const id = language === "zh" && encoding === "rope" ? "zh-rope-copy" : `${language}-${encoding}`;
  return id in labModels ? id : undefined;
}

/** The whole numbers below `count` in an order without a pattern that the eye finds, the same each time: by the golden ratio. */
export function scrambled(count: number): number[] {
  const key = (i: number) => ((i + 1) * 0.6180339887498949) % 1;
  return Array.from({ length: count }, (_, i) => i).sort((a, b) => key(a) - key(b));
}

/** Where the characters stand. */
export function placesOf({ treatment, shift }: Pick<ModelSettings, "treatment" | "shift">, count: number): number[] {
  if (treatment === "scrambled") return scrambled(count);
  const first = treatment === "shifted" ? shift : 0;
  return Array.from({ length: count }, (_, i) => first + i);
}

/** The words in another order; in Chinese, the characters. */
export function shuffled(text: string, language: ModelLanguage): string {
  const [parts, glue] = language === "en" ? [text.trim().split(/\s+/), " "] : [Array.from(text), ""];
  return scrambled(parts.length)
    .map((place) => parts[place])
    .join(glue);
}
