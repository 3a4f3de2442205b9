// A model writes on from a beginning, one character at a time, with keys and values in caches.
import type { Posenc } from "../lib/engine.svelte.ts";
import { evenNumbers } from "../lib/random.ts";
import type { Report } from "../lib/task.ts";
import { download } from "./download.ts";
import { heads, LanguageModel, layers, unknown } from "./language-model.ts";
import { headDim, place } from "./positions.ts";
import { idsOf, type Reader } from "./read-along.ts";

export interface WritingTask {
  reader: Reader;
  vocabulary: string[];
  beginning: string;
  /** Characters in the end, those of the beginning among them. */
  length: number;
  seed: number;
}

/** All that was written so far, the beginning first. */
export interface Written {
  text: string;
}

/** Below 1: likely characters become likelier still. */
const temperature = 0.6;

/** So many characters come to the screen at once. */
const reported = 4;

/** Draws a character by the logits of the last row; never one that is not in the vocabulary. */
function draw(logits: Float32Array, even: () => number): number {
  const own = logits.subarray(unknown + 1);
  const most = own.reduce((a, b) => Math.max(a, b), -Infinity);
  const weights = own.map((value) => Math.exp((value - most) / temperature));
  let left = even() * weights.reduce((a, b) => a + b, 0);
  const found = weights.findIndex((weight) => (left -= weight) <= 0);
  return unknown + 1 + (found < 0 ? weights.length - 1 : found);
}

export function write(
  pe: Posenc,
  model: LanguageModel,
  { reader, vocabulary, beginning, length, seed }: WritingTask,
  report: (text: string) => void,
): string {
  const placement = place(pe, reader.trained, reader.rule, (name) => model.weight(name), length);
  const { encoding } = placement.attention;
  const caches = Array.from({ length: layers }, () =>
    pe.cache({ heads, dim: headDim, capacity: length, layout: "bthd", encoding }),
  );
  const even = evenNumbers(seed);
  let text = beginning;
  let fresh: ArrayLike<number> = idsOf(beginning, vocabulary);
  try {
    for (let count = fresh.length; count < length; count += 1) {
      const hidden = model.hiddenAfter(caches, fresh, placement);
      const width = hidden.length / fresh.length;
      const id = draw(model.logits(hidden.subarray(hidden.length - width)), even);
      text += vocabulary[id];
      fresh = [id];
      if (count % reported === 0) report(text);
    }
  } finally {
    for (const cache of caches) cache.dispose();
    placement.dispose();
  }
  return text;
}

export async function writeOn(pe: Posenc, task: WritingTask, report: Report<Written>): Promise<Written> {
  const { address, bytes } = task.reader;
  const file = await download(address, (loaded) => report(0.2 * Math.min(1, loaded / bytes)));
  const first = Array.from(task.beginning).length;
  const share = (text: string) => (Array.from(text).length - first) / Math.max(1, task.length - first);
  const text = write(pe, new LanguageModel(file), task, (so) => report(0.2 + 0.8 * share(so), { text: so }));
  return { text };
}
