// The two languages. Texts are typed dictionaries, one file per page and language, side by side.
import { getContext, setContext } from "svelte";
import { en } from "../text/text.en.ts";
import { zhCN } from "../text/text.zh-CN.ts";
import type { PageName } from "./pages.ts";

export type Locale = "en" | "zh-CN";
export type CommonText = typeof en;

export interface Language {
  locale: Locale;
  page: PageName;
  common: CommonText;
}

const key = Symbol("language");
const common: Record<Locale, CommonText> = { en, "zh-CN": zhCN };

export function setLanguage(locale: Locale, page: PageName): Language {
  return setContext(key, { locale, page, common: common[locale] });
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
