// The training that all figures of this chapter look at, and the step at which they look.
import { createJob, type Job } from "../../lib/job.svelte.ts";
import { frameAt, type Frame, type Trained } from "../../lib/training.ts";
import { courseOf, type TableCourse, type TrainSettings } from "./settings.ts";

type TrainedTable = Trained<TableCourse>;
type TableJob = Job<TableCourse, TrainedTable, TrainedTable>;

export class TableTraining {
  /** The step that the reader has chosen; the last one without a choice. */
  chosen = $state<number>();

  readonly job: TableJob;

  constructor(settings: TrainSettings) {
    this.job = createJob(() => new Worker(new URL("./train.task.ts", import.meta.url), { type: "module" }));
    $effect(() => {
      const course = courseOf(settings);
      // A slider on its way passes many values; only where it rests is trained.
      const timer = setTimeout(() => this.begin(course), 150);
      return () => clearTimeout(timer);
    });
  }

  /** What there is to see: the training that runs or was stopped, else the last that was finished. */
  readonly trained = $derived.by((): TrainedTable | undefined => {
    const { status, partial, result } = this.job;
    return status === "running" || status === "cancelled" ? (partial ?? result) : result;
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
