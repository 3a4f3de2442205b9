// Training by gradient descent: the encodings' own gradients and optimizers do the work.
import { examTexts, judge, makeTexts, type Task } from "./copying.ts";
import type { Posenc } from "./engine.svelte.ts";
import type { Learner } from "./learners.ts";
import { randomNumbers } from "./random.ts";

export interface Course {
  task: Task;
  /** Words in each text of the training. */
  length: number;
  steps: number;
  seed: number;
  learningRate: number;
}

export interface Frame {
  /** Steps that were done. */
  step: number;
  weights: Float32Array;
}

export interface Trained<C extends Course = Course> {
  course: C;
  /** Mean square error after so many steps, from none to the last. */
  losses: Float32Array;
  /** The learned numbers at some of the steps, the first and the last among them. */
  frames: Frame[];
}

const textsPerStep = 4;
const growth = 1.07;

/** New texts through attention: how far the answers are off. */
function look(pe: Posenc, learner: Learner, course: Course, normal: () => number) {
  const texts = makeTexts(course.task, course.length, textsPerStep, normal);
  const asked = learner.ask(course.length, textsPerStep);
  return { texts, ...asked, ...judge(texts, pe.attention(asked.q, asked.k, texts.words, asked.options).data) };
}

/** One step: the error of some texts back through attention, and every learned number a little downhill. */
function step(pe: Posenc, learner: Learner, course: Course, normal: () => number, learningRate: number): number {
  const { texts, q, k, options, loss, gradient } = look(pe, learner, course, normal);
  const back = pe.attentionBackward(q, k, texts.words, { data: gradient, dims: texts.words.dims }, options);
  learner.learn(back, course.length, textsPerStep);
  learner.encoding.step({ optimizer: "adam", learningRate });
  return loss;
}

/** Trains; `report` hears how far it is and can have all that is there so far. */
export function train<C extends Course>(
  pe: Posenc,
  learner: Learner,
  course: C,
  report: (fraction: number, soFar: () => Trained<C>) => void = () => {},
): Trained<C> {
  const { steps, seed, learningRate } = course;
  const normal = randomNumbers(seed);
  const losses: number[] = [];
  const frames: Frame[] = [];
  const soFar = (): Trained<C> => ({ course, losses: Float32Array.from(losses), frames: [...frames] });
  const keep = () => frames.push({ step: losses.length, weights: learner.weights() });
  let next = 1;
  keep();
  while (losses.length < steps) {
    // Smaller and smaller steps let the rows come to rest.
    const rate = learningRate * (1 - losses.length / steps);
    losses.push(step(pe, learner, course, normal, rate));
    if (losses.length < next && losses.length < steps) continue;
    next = Math.max(losses.length + 1, Math.round(losses.length * growth));
    keep();
    report(losses.length / steps, soFar);
  }
  losses.push(look(pe, learner, course, normal).loss);
  return soFar();
}

/** The frame at a step, or the last one before it. */
export function frameAt({ frames }: Trained, step: number): Frame {
  return frames.findLast((frame) => frame.step <= step) ?? frames[0];
}

/** Mean square error at each position of texts that were not trained on. */
export function examine(pe: Posenc, learner: Learner, task: Task, length: number): Float64Array {
  const texts = examTexts(task, length);
  const { q, k, options } = learner.ask(length, texts.words.dims[0]);
  return judge(texts, pe.attention(q, k, texts.words, options).data).byPosition;
}
