// Tasks for small learners, as texts of symbols: copy, retrieve, reverse, count.
import type { Batch } from "./learner.ts";

export const taskNames = ["copy", "retrieve", "reverse", "count"] as const;
export type TaskName = (typeof taskNames)[number];

/** Ordinary symbols; no text has the same one twice, but where marks are counted. */
export const letters = 48;
export const begin = letters;
export const end = letters + 1;
export const mark = letters + 2;
export const symbolCount = letters + 4;
export const mostMarks = 9;

type Even = () => number;

/** The first `count` of a shuffled list. */
function shuffled(list: number[], count: number, even: Even): number[] {
  const left = [...list];
  return Array.from({ length: count }, () => left.splice(Math.floor(even() * left.length), 1)[0]);
}
const alphabet = Array.from({ length: letters }, (_, index) => index);

/** A text, and what is wanted after each of its symbols. */
type Text = { symbols: number[]; wanted: number[] };

function answering(text: number[], answer: number[]): Text {
  const symbols = [begin, ...text, end, ...answer.slice(0, -1)];
  const wanted = symbols.map((_, place) => answer[place - text.length - 1] ?? -1);
  return { symbols, wanted };
}

/** Somewhere in the text stands a mark; the letter right after it is wanted. */
function retrieve(length: number, even: Even): Text {
  const text = shuffled(alphabet, length, even);
  const place = Math.floor(even() * (length - 1));
  text[place] = mark;
  return answering(text, [text[place + 1]]);
}

function count(length: number, even: Even, everywhere: boolean): Text {
  const marks = Math.floor(even() * (Math.min(mostMarks, length) + 1));
  const marked = shuffled(
    Array.from({ length }, (_, index) => index),
    marks,
    even,
  );
  const symbols = [begin];
  const wanted = [everywhere ? 0 : -1];
  let seen = 0;
  for (let place = 0; place < length; place += 1) {
    const is = marked.includes(place);
    symbols.push(is ? mark : 10 + Math.floor(even() * (letters - 10)));
    if (is) seen += 1;
    wanted.push(everywhere || place === length - 1 ? seen : -1);
  }
  return { symbols, wanted };
}

function makeText(task: TaskName, length: number, even: Even, everywhere: boolean): Text {
  if (task === "count") return count(length, even, everywhere);
  if (task === "retrieve") return retrieve(length, even);
  const text = shuffled(alphabet, length, even);
  return answering(text, task === "copy" ? text : text.toReversed());
}

/** Texts of `length` symbols, without those that begin, end and answer. */
export function makeBatch(task: TaskName, length: number, texts: number, even: Even, everywhere = true): Batch {
  const list = Array.from({ length: texts }, () => makeText(task, length, even, everywhere));
  return {
    texts,
    length: list[0].symbols.length,
    symbols: Int32Array.from(list.flatMap(({ symbols }) => symbols)),
    wanted: Int32Array.from(list.flatMap(({ wanted }) => wanted)),
  };
}
