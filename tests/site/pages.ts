// Which pages the tutorial has: as many as chapters have been written, and the start page.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chapterFolders, pageOf } from "../../web/site/build/pages.ts";

export const siteRoot = fileURLToPath(new URL("../../web/site", import.meta.url));
export const folders = chapterFolders(siteRoot);
export const chapterNames = folders.map(pageOf);
export const pageNames = ["index", "inspector", ...chapterNames];

/** Names of the figures of a chapter, as its components have them. */
export const sourcesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending));
