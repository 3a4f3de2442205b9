// What every Chinese page has beside its own text.
import { chaptersZhCN } from "./chapters.zh-CN.ts";
import { zhCN } from "./text.zh-CN.ts";

export const frame = { common: zhCN, chapters: chaptersZhCN };
