// The three learners before texts that are longer than those they were trained on.
import { examTexts, judge, type Task } from "../../lib/copying.ts";
import { withEncoding, type Posenc } from "../../lib/engine.svelte.ts";
import { examine as errorsOf } from "../../lib/training.ts";
import { distanceScores, learnerNames, trainedLearner, type LearnerName } from "./learn.ts";
import type { Outcome } from "./learn.task.ts";

export interface Results {
  positions: Float32Array;
  /** Mean square error at each position, divided by that of answering nothing. */
  errors: Record<LearnerName, Float64Array>;
  /** The largest of all errors. */
  most: number;
  /** The mean of the errors beyond the length of the training; NaN where there is nothing beyond. */
  beyond: Record<LearnerName, number>;
  distances: Float32Array;
  /** What a key at each distance is worth, compared with distance 0. */
  scores: Record<"shaw" | "t5", Float32Array>;
}

/** The mean square error at each position of one who answers nothing: words get smaller the more of them are averaged. */
function errorsOfNothing(task: Task, length: number): Float64Array {
  const texts = examTexts(task, length);
  return judge(texts, new Float32Array(texts.wanted.length)).byPosition;
}

function mean(values: Float64Array): number {
  const list = values.filter((value) => !Number.isNaN(value));
  return list.reduce((sum, value) => sum + value, 0) / list.length;
}

export function examine(pe: Posenc, { course, learned }: Outcome, length: number): Results {
  const use = <T>(name: LearnerName, work: (learner: ReturnType<typeof trainedLearner>) => T): T => {
    const learner = trainedLearner(pe, name, course, learned[name]);
    return withEncoding(learner.encoding, () => work(learner));
  };
  const reach = length - 1;
  const nothing = errorsOfNothing(course.task, length);
  const errors = learnerNames.map((name) => {
    const values = use(name, (one) => errorsOf(pe, one, course.task, length));
    return [name, values.map((error, position) => error / nothing[position])] as const;
  });
  const beyond = errors.map(([name, values]) => [name, mean(values.slice(course.length))] as const);
  return {
    positions: Float32Array.from({ length }, (_, index) => index),
    errors: Object.fromEntries(errors) as Results["errors"],
    most: Math.max(1, ...errors.flatMap(([, values]) => [...values].filter((value) => !Number.isNaN(value)))),
    beyond: Object.fromEntries(beyond) as Results["beyond"],
    distances: Float32Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach),
    scores: {
      shaw: use("shaw", (learner) => distanceScores(pe, learner, reach)),
      t5: use("t5", (learner) => distanceScores(pe, learner, reach)),
    },
  };
}
