// The two languages. Texts are typed dictionaries, one file per chapter and language, side by side.
import { getContext, setContext } from "svelte";
import type { ChapterName } from "../text/chapters.en.ts";
import type { frame } from "../text/frame.en.ts";
import type { SidePageName } from "../text/pages.ts";

export type Locale = "en" | "zh-CN";
export type PageName = ChapterName | SidePageName;
/** A page comes with the text of its own language alone. */
export type FrameText = typeof frame;

export interface Language extends FrameText {
  locale: Locale;
  page: PageName;
}

const key = Symbol("language");

export function setLanguage(language: Language): Language {
  return setContext(key, language);
}

export function getLanguage(): Language {
  return getContext<Language>(key);
}

/** What stands between two sentences: nothing in Chinese. */
export const gapOf = (locale: Locale): string => (locale === "en" ? " " : "");

/** The language of a short text that may be in the other one, for voices that read it; nothing if it is the page's. */
export function otherVoice(text: string, locale: Locale): "en" | "zh" | undefined {
  const isChinese = /\p{Script=Han}/u.test(text);
  if (locale === "en") return isChinese ? "zh" : undefined;
  return !isChinese && /[a-z]{3}/i.test(text) ? "en" : undefined;
}

/** Puts values into a text: `fill("row {row}", { row: 3 })`. */
export function fill(template: string, values: Record<string, string | number>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** The page of the API documentation about a kind of encoding; there is one for both languages. */
export const methodPage = (locale: Locale, kind: string): string =>
  `${locale === "en" ? "./" : "../"}api/documents/Encodings.${kind}.html`;

/** The path from the folder of one language to that of the other. */
export function otherLanguage(locale: Locale): { locale: Locale; folder: string } {
  return locale === "en" ? { locale: "zh-CN", folder: "./zh-CN/" } : { locale: "en", folder: "../" };
}
