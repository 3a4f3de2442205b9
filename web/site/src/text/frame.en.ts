// What every English page has beside its own text.
import { chaptersEn } from "./chapters.en.ts";
import { en } from "./text.en.ts";

export const frame = { common: en, chapters: chaptersEn };
