// The texts of the page, and the model that reads them, in the page's language.
import en from "../../lab/documents.en.json";
import zh from "../../lab/documents.zh.json";
import { bytesOf, labModels } from "../lab/models.ts";
import type { Rule } from "../lab/positions.ts";
import type { Locale } from "../lib/i18n.ts";

export interface Document {
  title: string;
  source: string;
  text: string;
  /** What follows the text where it is from. */
  next: string;
}

interface Edition {
  language: "en" | "zh";
  documents: readonly Document[];
  model: string;
  /** The texts are longer together than the model's training texts: with this rule it reads 1024 characters well. */
  rule: Rule;
}

const editions: Record<Locale, Edition> = {
  en: { language: "en", documents: en, model: "en-rope-ft-yarn4", rule: { name: "yarn", value: 4 } },
  "zh-CN": {
    language: "zh",
    documents: zh,
    model: "zh-rope-copy",
    rule: { name: "selfextend", group: 8, window: 64 },
  },
};

export const editionOf = (locale: Locale): Edition => editions[locale];

export const readerOf = ({ model, rule }: Edition, address: string) => ({
  name: model,
  address,
  bytes: bytesOf(model),
  trained: labModels[model].encoding,
  rule,
});

/** Files are kept in one of these. */
export const fileTypes = ["float16", "int8"] as const;
export type FileType = (typeof fileTypes)[number];

export const fileName = ({ language }: Edition, document: number, type: FileType): string =>
  `${language}-${document + 1}-${type}.cache`;
