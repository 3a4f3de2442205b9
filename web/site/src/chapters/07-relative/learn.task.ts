// Trains the three learners one after the other, in a worker.
import { serveTask } from "../../lib/task.ts";
import { train } from "../../lib/training.ts";
import { learnerNames, learningRates, makeLearner, type LearnedNumbers, type RelativeCourse } from "./learn.ts";

export interface Outcome {
  course: RelativeCourse;
  learned: LearnedNumbers;
}

serveTask<RelativeCourse, Outcome>((pe, course, report) => {
  const entries = learnerNames.map((name, index) => {
    const learner = makeLearner(pe, name, course);
    const { frames } = train(pe, learner, { ...course, learningRate: learningRates[name] }, (fraction) =>
      report((index + fraction) / learnerNames.length),
    );
    return [name, frames.at(-1)!.weights] as const;
  });
  return { course, learned: Object.fromEntries(entries) as LearnedNumbers };
});
