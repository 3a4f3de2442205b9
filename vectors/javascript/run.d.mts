import type { Vector } from "./runner.mjs";

/** The folder of the cases. */
export const folder: string;
/** Reads the cases of a folder with an index. */
export function readCases(from?: string): Vector[];
/** Some of the cases. Throws for topics and tags that no case has. */
export function chosenCases(cases: Vector[], chosen: { topic?: string[]; skipTag?: string[] }): Vector[];
