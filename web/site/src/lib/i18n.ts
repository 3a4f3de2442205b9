// The two languages. Texts are typed dictionaries, one file per chapter and language, side by side.
import { getContext, setContext } from "svelte";
import { chaptersEn, type ChapterName } from "../text/chapters.en.ts";
import { chaptersZhCN } from "../text/chapters.zh-CN.ts";
import { en } from "../text/text.en.ts";
import { zhCN } from "../text/text.zh-CN.ts";

export type Locale = "en" | "zh-CN";
export type PageName = ChapterName | "index";
export type CommonText = typeof en;

export interface Language {
  locale: Locale;
  page: PageName;
  common: CommonText;
  chapters: typeof chaptersEn;
}

const key = Symbol("language");
const common: Record<Locale, CommonText> = { en, "zh-CN": zhCN };
const chapters = { en: chaptersEn, "zh-CN": chaptersZhCN };

export function setLanguage(locale: Locale, page: PageName): Language {
  return setContext(key, { locale, page, common: common[locale], chapters: chapters[locale] });
}

export function getLanguage(): Language {
  return getContext<Language>(key);
}

/** Puts values into a text: `fill("row {row}", { row: 3 })`. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The path from the folder of one language to that of the other. */
export function otherLanguage(locale: Locale): { locale: Locale; folder: string } {
  return locale === "en" ? { locale: "zh-CN", folder: "./zh-CN/" } : { locale: "en", folder: "../" };
}
