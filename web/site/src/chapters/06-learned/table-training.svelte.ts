// The training that all figures of this chapter look at, and the step at which they look.
import { engine, type Posenc } from "../../lib/engine.svelte.ts";
import { createJob, type Job } from "../../lib/job.svelte.ts";
import { tableLearner } from "../../lib/learners.ts";
import { frameAt, train, type Frame, type Trained } from "../../lib/training.ts";
import { courseOf, noise, tableRows, type TableCourse, type TrainSettings } from "./settings.ts";

type TrainedTable = Trained<TableCourse>;
type TableJob = Job<TableCourse, TrainedTable, TrainedTable>;

/** Before the first step: noise, and the error that it makes. */
function untrained(pe: Posenc, course: TableCourse): TrainedTable {
  const table = pe.create({ kind: "learned", length: tableRows, dim: course.dim, std: noise, seed: course.seed });
  const { losses, frames } = train(pe, tableLearner(table), { ...course, steps: 1 });
  table.dispose();
  return { course, losses: losses.slice(0, 1), frames: frames.slice(0, 1) };
}

const wantsStillness = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class TableTraining {
  /** The step that the reader has chosen; the last one without a choice. */
  chosen = $state<number>();

  readonly job: TableJob;

  /** Nothing is trained before the reader asks for it, or opens what shows a trained table: the guess comes first. */
  awake = $state(false);

  constructor(private readonly settings: TrainSettings) {
    this.job = createJob(() => new Worker(new URL("./train.task.ts", import.meta.url), { type: "module" }));
    $effect(() => {
      const course = courseOf(settings);
      if (!this.awake) return;
      // A slider on its way passes many values; only where it rests is trained.
      const timer = setTimeout(() => this.begin(course), 150);
      return () => clearTimeout(timer);
    });
  }

  wake(): void {
    this.awake = true;
  }

  private readonly untrained = $derived.by(
    () => engine.instance && untrained(engine.instance, courseOf(this.settings)),
  );

  /** What there is to see: the training that runs or was stopped, else the last that was finished, else noise. */
  readonly trained = $derived.by((): TrainedTable | undefined => {
    const { status, partial, result } = this.job;
    const isShown = status === "cancelled" || (status === "running" && !wantsStillness());
    return (isShown ? partial : undefined) ?? result ?? this.untrained;
  });

  /** Steps that were done so far. */
  readonly last = $derived(this.trained?.frames.at(-1)?.step ?? 0);

  readonly frame = $derived.by((): Frame | undefined => {
    return this.trained && frameAt(this.trained, Math.min(this.chosen ?? Infinity, this.last));
  });

  private begin(course: TableCourse): void {
    this.chosen = undefined;
    this.job.partial = undefined;
    this.job.run(course);
  }
}
