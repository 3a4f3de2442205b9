// Models read a text: how little each expected every next character.
import type { Posenc } from "../lib/engine.svelte.ts";
import type { Report } from "../lib/task.ts";
import { download } from "./download.ts";
import { LanguageModel, unknown } from "./language-model.ts";
import { place, type Rule, type TrainedWith } from "./positions.ts";

export interface Reader {
  /** Of an entrant, as the figure calls it. */
  name: string;
  /** Where its weights are, and how many bytes they have. */
  address: string;
  bytes: number;
  trained: TrainedWith;
  rule: Rule;
}

export interface ReadingTask {
  readers: Reader[];
  vocabulary: string[];
  text: string;
}

/** The losses of each reader: of every character of the text but the first. */
export type Readings = Record<string, Float32Array>;

/** Characters as the model knows them; those that it does not know have the id of <unk>. */
export function idsOf(text: string, vocabulary: string[]): Int32Array {
  const ids = new Map(vocabulary.map((character, id) => [character, id]));
  return Int32Array.from(Array.from(text), (character) => ids.get(character) ?? unknown);
}

/** A learned table that is not stretched has no rows for more. */
export const readableLength = ({ trained, rule }: Pick<Reader, "trained" | "rule">): number =>
  trained === "learned" && rule.name !== "interp" ? 256 : Infinity;

export async function readAlong(pe: Posenc, task: ReadingTask, report: Report<Readings>): Promise<Readings> {
  const all = idsOf(task.text, task.vocabulary);
  const readings: Readings = {};
  for (const [index, reader] of task.readers.entries()) {
    const at = (part: number) => report((index + part) / task.readers.length, { ...readings });
    const model = new LanguageModel(
      await download(reader.address, (bytes) => at(0.3 * Math.min(1, bytes / reader.bytes))),
    );
    const ids = all.subarray(0, readableLength(reader));
    const placement = place(pe, reader.trained, reader.rule, (name) => model.weight(name), ids.length);
    try {
      readings[reader.name] = model.losses(pe, ids, placement, (part) => at(0.3 + 0.7 * part));
    } finally {
      placement.dispose();
    }
    at(1);
  }
  return readings;
}

/** The mean loss of the first characters, up to each of these lengths. NaN: none of them has a loss. */
export function meansUpTo(losses: ArrayLike<number>, lengths: number[]): number[] {
  return lengths.map((length) => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < Math.min(length, losses.length); i += 1) {
      if (Number.isNaN(losses[i])) continue;
      sum += losses[i];
      count += 1;
    }
    return sum / count;
  });
}
