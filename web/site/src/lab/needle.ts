// A key is hidden in a text and begins once more at its end: does a model go on with it?
import type { Posenc } from "../lib/engine.svelte.ts";
import type { Report } from "../lib/task.ts";
import { download } from "./download.ts";
import { LanguageModel } from "./language-model.ts";
import { place } from "./positions.ts";
import { idsOf, type Reader } from "./read-along.ts";

export interface NeedleTask {
  reader: Reader;
  vocabulary: string[];
  /** At least as long as the text with both keys. */
  text: string;
  key: string;
  /** From the first letter of the first key to that of the second. */
  distance: number;
}

export interface NeedleFound {
  /** What the model expects most instead of each letter of the second key that is asked for. */
  said: string;
  /** The share of them that is right. */
  share: number;
}

/** Where the first key stands, and how many letters of the second one are given away: as it was measured. */
export const keyPlace = 32;
export const given = 4;

/** The text with the key in two places; it ends with the second one. */
export function hide(text: string, key: string, distance: number): string {
  const second = keyPlace + distance;
  const between = text.slice(keyPlace + key.length, second);
  return text.slice(0, keyPlace) + (key + between).slice(0, distance) + key;
}

/** The character that a model expects most after each of some rows of hidden states. */
function expected(model: LanguageModel, hidden: Float32Array, vocabulary: string[]): string {
  const logits = model.logits(hidden);
  const size = model.weight("embed_tokens").shape[0];
  let said = "";
  for (let start = 0; start < logits.length; start += size) {
    const row = logits.subarray(start, start + size);
    said += vocabulary[row.indexOf(Math.max(...row))];
  }
  return said;
}

/** Reads a text that ends with a key, and looks at what was expected instead of its letters but the first ones. */
export function findKey(
  pe: Posenc,
  model: LanguageModel,
  { reader, vocabulary, text, key, distance }: NeedleTask,
  progress?: (fraction: number) => void,
): NeedleFound {
  const ids = idsOf(hide(text, key, distance), vocabulary);
  const placement = place(pe, reader.trained, reader.rule, (name) => model.weight(name), ids.length);
  try {
    const hidden = model.hidden(pe, ids, placement, progress);
    const width = hidden.length / ids.length;
    const asked = key.slice(given);
    // The row before a letter is what expects it.
    const said = expected(model, hidden.subarray((ids.length - asked.length - 1) * width, -width), vocabulary);
    return { said, share: Array.from(asked).filter((letter, i) => letter === said[i]).length / asked.length };
  } finally {
    placement.dispose();
  }
}

export async function searchNeedle(pe: Posenc, task: NeedleTask, report: Report<never>): Promise<NeedleFound> {
  const { address, bytes } = task.reader;
  const file = await download(address, (loaded) => report(0.3 * Math.min(1, loaded / bytes)));
  return findKey(pe, new LanguageModel(file), task, (part) => report(0.3 + 0.7 * part));
}
