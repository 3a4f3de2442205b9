// What the page's worker does: reads texts and makes files of them; goes on after texts, from their files or by reading them anew.
import type { CacheFileType } from "posenc/cache-file";
import { openModel, Reading, warmUp, type NamedModel } from "../lab/kept-reading.ts";
import { logSumExp } from "../lab/linear.ts";
import { idsOf, type Reader } from "../lab/read-along.ts";
import type { Posenc } from "../lib/engine.svelte.ts";
import { failureOf, type Failure } from "../lib/failure.ts";
import type { Report } from "../lib/task.ts";

interface Common {
  reader: Reader;
  vocabulary: string[];
}

export interface ReadTask extends Common {
  type: CacheFileType;
  /** Texts that are not kept yet, by the names of their files. */
  texts: Record<string, string>;
}

/** Files by their names. */
export type Files = Record<string, Blob>;

/** A text, perhaps with its file. */
export interface Part {
  text: string;
  file?: Blob;
}

export interface AnswerTask extends Common {
  /** In their order. Those without a file are read. */
  parts: Part[];
  /** The share of each text but the first that is read again. */
  share: number;
  /** What follows the texts. */
  question: string;
  /** How many characters the model goes on for. */
  more: number;
}

export interface Answer {
  /** Until the model knows which character follows the question. */
  milliseconds: number;
  /** Of the question, nats per character. */
  loss: number;
  /** How the model goes on. */
  written: string;
  /** Logarithms of what the model expected after each character of the question [characters, vocabulary]. */
  expected: Float32Array;
}

/** A file that cannot be used. */
export interface Refusal {
  /** Which part. */
  refused: number;
  failure: Failure;
}

const downloadShare = 0.1;

export async function readTexts(pe: Posenc, task: ReadTask, report: Report<Files>): Promise<Files> {
  const named = await openModel(task.reader, (fraction) => report(downloadShare * fraction));
  const files: Files = {};
  const texts = Object.entries(task.texts);
  for (const [index, [name, text]] of texts.entries()) {
    const ids = idsOf(text, task.vocabulary);
    const reading = new Reading(pe, named, ids.length);
    try {
      const done = (part: number) => downloadShare + ((1 - downloadShare) * (index + part)) / texts.length;
      reading.read(ids, (part) => report(done(part)));
      files[name] = await reading.save(ids, task.type);
      report(done(1), { ...files });
    } finally {
      reading.dispose();
    }
  }
  return files;
}

export async function goOn(pe: Posenc, task: AnswerTask, report: Report<never>): Promise<Answer | Refusal> {
  const named = await openModel(task.reader, (fraction) => report(downloadShare * fraction));
  const question = idsOf(task.question, task.vocabulary);
  const ids = task.parts.map(({ text }) => idsOf(text, task.vocabulary));
  const capacity = ids.reduce((sum, { length }) => sum + length, question.length + task.more);
  warmUp(pe, named, question);
  const reading = new Reading(pe, named, capacity);
  try {
    const start = performance.now();
    for (const [index, { file }] of task.parts.entries()) {
      const at = (part: number) => report(downloadShare + (1 - downloadShare) * ((index + part) / ids.length));
      const failure = await take(reading, ids[index], index === 0 ? 0 : task.share, file, at);
      if (failure) return { refused: index, failure };
    }
    return finish(named, reading, question, start, task);
  } finally {
    reading.dispose();
  }
}

/** Reads a text, or its beginning before the rest comes from its file. Returns why a file cannot be used. */
async function take(
  reading: Reading,
  ids: Int32Array,
  share: number,
  file: Blob | undefined,
  progress: (fraction: number) => void,
): Promise<Failure | undefined> {
  const read = file ? Math.ceil(share * ids.length) : ids.length;
  if (read > 0) reading.read(ids.subarray(0, read), progress);
  if (!file) return undefined;
  try {
    await reading.put(file, ids, read);
    return undefined;
  } catch (error) {
    return failureOf(error);
  }
}

function finish(
  { model }: NamedModel,
  reading: Reading,
  question: Int32Array,
  start: number,
  { vocabulary, more }: AnswerTask,
): Answer {
  const hidden = reading.read(question);
  let next = likeliest(model.logits(hidden.subarray(-hidden.length / question.length)));
  const milliseconds = performance.now() - start;
  const expected = logSoftmax(model.logits(hidden), question.length);
  const size = expected.length / question.length;
  const losses = Array.from(question.subarray(1), (id, row) => -expected[row * size + id]);
  let written = "";
  for (let count = 0; count < more; count += 1) {
    written += vocabulary[next];
    next = likeliest(model.logits(reading.read(Int32Array.of(next))));
  }
  return { milliseconds, loss: losses.reduce((sum, loss) => sum + loss, 0) / losses.length, written, expected };
}

const likeliest = (logits: Float32Array): number => logits.indexOf(Math.max(...logits));

/** Logarithms of probabilities, row by row. */
function logSoftmax(logits: Float32Array, rows: number): Float32Array {
  const size = logits.length / rows;
  const result = new Float32Array(logits.length);
  for (let start = 0; start < logits.length; start += size) {
    const row = logits.subarray(start, start + size);
    const all = logSumExp(row);
    for (let i = 0; i < size; i += 1) result[start + i] = row[i] - all;
  }
  return result;
}

/** The mean Kullback–Leibler divergence of two answers to the same question, in nats: 0 if the same was expected. */
export function divergenceOf(right: Answer, other: Answer, characters: number): number {
  const sum = right.expected.reduce(
    (all, logarithm, i) => all + Math.exp(logarithm) * (logarithm - other.expected[i]),
    0,
  );
  return Math.max(0, sum / characters);
}
