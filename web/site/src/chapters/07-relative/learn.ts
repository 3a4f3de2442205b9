// Three learners and what can be asked of them: a table of places, Shaw's vectors and T5's biases.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { distanceLearner, questionWidth, tableLearner, type Learner } from "../../lib/learners.ts";
import type { Course } from "../../lib/training.ts";

export const learnerNames = ["table", "shaw", "t5"] as const;
export type LearnerName = (typeof learnerNames)[number];

/** The longest text of the examination: the table needs as many rows. */
export const longest = 96;

export interface RelativeCourse extends Course {
  clip: number;
  /** T5's largest distance. */
  last: number;
}

export type LearnedNumbers = Record<LearnerName, Float32Array>;

/** Learning rates at which each of them settles within the course. */
export const learningRates: Record<LearnerName, number> = { table: 0.03, shaw: 0.1, t5: 0.1 };

export function makeLearner(pe: Posenc, name: LearnerName, { clip, last, seed }: RelativeCourse): Learner {
  if (name === "table") {
    return tableLearner(pe.create({ kind: "learned", length: longest, dim: 16, std: 0.3, seed }));
  }
  if (name === "t5") return distanceLearner(pe, { kind: "t5", heads: 1, maxDistance: last, std: 0.1, seed }, "weights");
  const spec = { kind: "shaw", dim: questionWidth, maxDistance: clip, withValues: false, std: 0.1, seed } as const;
  return distanceLearner(pe, spec, "keys");
}

/** The learner as it was after its training. Dispose of its encoding. */
export function trainedLearner(pe: Posenc, name: LearnerName, course: RelativeCourse, weights: Float32Array): Learner {
  const learner = makeLearner(pe, name, course);
  learner.encoding.load({ [name === "shaw" ? "keys" : "weights"]: weights });
  return learner;
}

/** What the three know before their training. */
export function untrainedNumbers(pe: Posenc, course: RelativeCourse): LearnedNumbers {
  const entries = learnerNames.map((name) => {
    const learner = makeLearner(pe, name, course);
    const weights = learner.weights();
    learner.encoding.dispose();
    return [name, weights] as const;
  });
  return Object.fromEntries(entries) as LearnedNumbers;
}

/** What attention adds to a score at each distance from -reach to reach. */
export function distanceScores(pe: Posenc, learner: Learner, reach: number): Float32Array {
  const keys = 2 * reach + 1;
  const q = { data: new Float32Array(questionWidth).fill(1), dims: [1, 1, 1, questionWidth] };
  const k = { data: new Float32Array(keys * questionWidth), dims: [1, 1, keys, questionWidth] };
  // The logarithm of a softmax is the score but for a constant: that of the query itself is made 0.
  const options = { encoding: learner.encoding, queryAt: { offset: reach } };
  const weights = pe.attentionWeights(q, k, options).data;
  return weights.map((weight) => Math.log(weight / weights[reach]));
}
