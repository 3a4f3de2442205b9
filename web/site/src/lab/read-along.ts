// Models read a text: how little each expected every next character.
import type { Posenc } from "../lib/engine.svelte.ts";
import type { Report } from "../lib/task.ts";
import { download } from "./download.ts";
import { LanguageModel, unknown } from "./language-model.ts";
import { knowsLength, place, trainedLength, type Rule, type TrainedWith } from "./positions.ts";

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
  /** Of the beginnings of the text that are looked at, rising. */
  lengths: number[];
}

/** Of each reader the mean losses of the first characters, as they were measured: how many are predicted, and nats. */
export type Readings = Record<string, [length: number, nats: number][]>;

/** Characters as the model knows them; those that it does not know have the id of <unk>. */
export function idsOf(text: string, vocabulary: string[]): Int32Array {
  const ids = new Map(vocabulary.map((character, id) => [character, id]));
  return Int32Array.from(Array.from(text), (character) => ids.get(character) ?? unknown);
}

/** A learned table that is not stretched has no rows for more. */
const readableLength = ({ trained, rule }: Reader): number =>
  trained === "learned" && rule.name !== "interp" ? trainedLength : Infinity;

/** All beginnings in one pass, or each in its own where positions follow from the length. */
function read(pe: Posenc, model: LanguageModel, reader: Reader, ids: Int32Array, task: ReadingTask, at: Progress) {
  const most = Math.min(ids.length - 1, readableLength(reader));
  const lengths = task.lengths.filter((length) => length <= most);
  const passes = knowsLength(reader.rule) ? lengths.map((length) => [length]) : [lengths];
  return passes.flatMap((pass, index): Readings[string] => {
    const longest = pass[pass.length - 1];
    const placement = place(pe, reader.trained, reader.rule, (name) => model.weight(name), longest);
    try {
      const part = (fraction: number) => at((index + fraction) / passes.length);
      const means = meansUpTo(model.losses(pe, ids.subarray(0, longest + 1), placement, part), pass);
      return pass.map((length, which) => [length, means[which]]);
    } finally {
      placement.dispose();
    }
  });
}
type Progress = (fraction: number) => void;

export async function readAlong(pe: Posenc, task: ReadingTask, report: Report<Readings>): Promise<Readings> {
  const ids = idsOf(task.text, task.vocabulary);
  const readings: Readings = {};
  for (const [index, reader] of task.readers.entries()) {
    const at = (part: number) => report((index + part) / task.readers.length, { ...readings });
    const model = new LanguageModel(
      await download(reader.address, (bytes) => at(0.3 * Math.min(1, bytes / reader.bytes))),
    );
    readings[reader.name] = read(pe, model, reader, ids, task, (part) => at(0.3 + 0.7 * part));
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
