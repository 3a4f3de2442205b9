// Small learners: how they are trained on short texts, and how they are examined on longer ones.
import { Learner } from "../../lab/small/learner.ts";
import type { EncodingName } from "../../lab/small/places.ts";
import { begin, end, letters, makeBatch, mark, symbolCount, type TaskName } from "../../lab/small/texts.ts";
import type { Posenc } from "../../lib/engine.svelte.ts";
import { evenNumbers } from "../../lib/random.ts";

export interface LearnersSettings {
  task: TaskName;
  shown: EncodingName[];
  steps: number;
  seed: number;
  /** The reader's guess, after which the examination is shown. */
  guess: EncodingName | "none-yet";
}

export interface Course {
  encoding: EncodingName;
  task: TaskName;
  steps: number;
  seed: number;
}

export interface Report extends Course {
  /** Mean loss in nats over each fiftieth of the training that is done. */
  losses: number[];
  /** The share of right answers at each of `examLengths`; none before the training is over. */
  accuracy: number[];
}

/** Texts of the training have 2 to so many symbols. */
export const trainedTo = 12;
export const examLengths = Array.from({ length: 24 }, (_, index) => 2 * (index + 1));
export const longest = examLengths.at(-1)!;
export const parts = 50;

/** Where a text asks for one answer only, it takes more of them. */
const textsPerStep: Record<TaskName, number> = { copy: 8, retrieve: 12, reverse: 8, count: 12 };
const highestRate = 0.01;
const warmUp = 50;

export const courseKey = ({ encoding, task, steps, seed }: Course): string => [encoding, task, steps, seed].join();

export const makeLearner = (pe: Posenc, { encoding, seed }: Course): Learner =>
  new Learner(pe, {
    encoding,
    width: 32,
    heads: 4,
    layers: 2,
    // What begins, what ends, and the answer.
    longest: 2 * longest + 2,
    symbols: symbolCount,
    seed,
  });

/** Rates rise at first, then fall to nothing. */
const rateAt = (step: number, steps: number) => highestRate * Math.min(1, (step + 1) / warmUp) * (1 - step / steps);

export function trainAndExamine(
  pe: Posenc,
  course: Course,
  report: (fraction: number, soFar: Report) => void = () => {},
): Report {
  const { task, steps, seed } = course;
  const learner = makeLearner(pe, course);
  try {
    const even = evenNumbers(seed + 1000);
    const losses: number[] = [];
    let sum = 0;
    for (let step = 0; step < steps; step += 1) {
      const length = 2 + Math.floor(even() * (trainedTo - 1));
      sum += learner.learn(makeBatch(task, length, textsPerStep[task], even), rateAt(step, steps));
      if ((step + 1) % (steps / parts) !== 0) continue;
      losses.push(sum / (steps / parts));
      sum = 0;
      report((0.9 * (step + 1)) / steps, { ...course, losses: [...losses], accuracy: [] });
    }
    return { ...course, losses, accuracy: examine(learner, task) };
  } finally {
    learner.dispose();
  }
}

/** All learners read the same texts, which no training has seen; of a count only the last one is asked for. */
export function examine(learner: Learner, task: TaskName): number[] {
  const even = evenNumbers(987_654_321);
  const texts = task === "count" || task === "retrieve" ? 100 : 25;
  return examLengths.map((length) => learner.accuracy(makeBatch(task, length, texts, even, false)));
}

const alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUV";
const signOf = (symbol: number) =>
  symbol === begin ? "" : symbol === end ? "|" : symbol === mark ? "★" : alphabet[symbol % letters];

/** A short text of the task as a reader can see it: what is read, and the answers that are asked for. */
export function exampleOf(task: TaskName): { sign: string; answer: string }[] {
  const { symbols, wanted } = makeBatch(task, 6, 1, evenNumbers(5), true);
  return Array.from(symbols, (symbol, place) => ({
    sign: signOf(symbol),
    answer: wanted[place] < 0 ? "" : task === "count" ? String(wanted[place]) : signOf(wanted[place]),
  })).slice(1);
}
