// Small tasks that only positions can solve: every word is to answer with words that stand elsewhere in the text.
import { randomNumbers } from "./random.ts";

export const taskNames = ["previous", "neighbours", "halves"] as const;
export type TaskName = (typeof taskNames)[number];

export interface Task {
  name: TaskName;
  /** How far back the word is that is wanted; how far the neighbours reach to either side. */
  reach: number;
}

/** Numbers that make a word. */
export const wordWidth = 8;

/** Which words of a text the word at `position` is to answer with, in equal parts; none where nothing is asked of it. */
export function wantedWords({ name, reach }: Task, position: number, length: number): number[] {
  const all = Array.from({ length }, (_, index) => index);
  if (name === "previous") return position < reach ? [] : [position - reach];
  if (name === "neighbours") return all.filter((index) => Math.abs(index - position) <= reach);
  return all.filter((index) => index < length / 2 === position < length / 2);
}

export interface Texts {
  /** Random words, [count, 1, length, wordWidth]. */
  words: { data: Float32Array; dims: number[] };
  /** What is to come out, of the same dims. */
  wanted: Float32Array;
  /** Is anything asked of the word at a position? */
  asked: boolean[];
}

export function makeTexts(task: Task, length: number, count: number, normal: () => number): Texts {
  const data = Float32Array.from({ length: count * length * wordWidth }, normal);
  const wanted = new Float32Array(data.length);
  const lists = Array.from({ length }, (_, position) => wantedWords(task, position, length));
  for (let text = 0; text < count; text += 1) {
    const row = (position: number) => (text * length + position) * wordWidth;
    lists.forEach((list, position) => {
      for (const from of list)
        for (let index = 0; index < wordWidth; index += 1)
          wanted[row(position) + index] += data[row(from) + index] / list.length;
    });
  }
  return { words: { data, dims: [count, 1, length, wordWidth] }, wanted, asked: lists.map((list) => list.length > 0) };
}

export interface Answer {
  /** Mean square error of all numbers that were asked for. */
  loss: number;
  /** The gradient of the loss. */
  gradient: Float32Array;
  /** Mean square error of the words at each position; NaN where nothing is asked. */
  byPosition: Float64Array;
}

/** Compares what came out with what was wanted. */
export function judge({ words, wanted, asked }: Texts, out: Float32Array): Answer {
  const [count, , length] = words.dims;
  const places = asked.filter(Boolean).length;
  const numbers = Math.max(1, count * places * wordWidth);
  const gradient = new Float32Array(out.length);
  const byPosition = new Float64Array(length);
  let sum = 0;
  for (let index = 0; index < out.length; index += 1) {
    const position = Math.floor(index / wordWidth) % length;
    if (!asked[position]) continue;
    const error = out[index] - wanted[index];
    gradient[index] = (2 * error) / numbers;
    byPosition[position] += (error * error) / (count * wordWidth);
    sum += error * error;
  }
  asked.forEach((is, position) => !is && (byPosition[position] = NaN));
  return { loss: sum / numbers, gradient, byPosition };
}

/** Texts that training does not see: always the same ones. */
export const examTexts = (task: Task, length: number): Texts => makeTexts(task, length, 48, randomNumbers(987_654_321));
