// Which pages the tutorial has: as many as chapters have been written, and those beside them.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chapterFolders, pageOf } from "../../web/site/build/pages.ts";
import { sidePageNames } from "../../web/site/src/text/pages.ts";

export const siteRoot = fileURLToPath(new URL("../../web/site", import.meta.url));
export const folders = chapterFolders(siteRoot);
export const chapterNames = folders.map(pageOf);
export const pageNames = [...sidePageNames, ...chapterNames];
export const isChapter = (name: string): boolean => chapterNames.some((one) => one === name);

/** Names of the figures of a chapter, as its components have them. */
export const sourcesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => name.endsWith(ending));
