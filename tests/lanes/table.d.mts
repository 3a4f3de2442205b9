import type { Lane } from "./words.mjs";
export const table: readonly Lane[];
