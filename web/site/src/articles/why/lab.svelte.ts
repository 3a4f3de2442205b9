// The models that the article's figures share: what is downloaded for one of them is there for all.
import { untrack } from "svelte";
import { bytesOf, labModels, textAddress, vocabularyOf, weightsAddress } from "../../lab/models.ts";
import type { DataTable } from "../../lib/data-table.ts";
import { createJob } from "../../lib/job.svelte.ts";
import { type Reading, type ReadingTask } from "./reading.ts";
import { labName, type ModelName, modelNames } from "./settings.ts";
import type { en } from "./text.en.ts";

/** What there is to say of the models before one of them is there. */
export const modelTable = (text: typeof en.models): DataTable => ({
  caption: text.table,
  columns: ["", text.parameters, text.context],
  rows: modelNames.map((name) => {
    const { parameters, context } = labModels[labName[name]];
    return { head: text.names[name], cells: [parameters, context] };
  }),
});

const whole = (address: string) => new URL(address, location.href).href;

async function taskOf(name: ModelName): Promise<ReadingTask> {
  const id = labName[name];
  const { language, encoding } = labModels[id];
  return {
    model: name,
    address: whole(weightsAddress(id)!),
    bytes: bytesOf(id),
    text: whole(textAddress(language)),
    trained: encoding as ReadingTask["trained"],
    vocabulary: await vocabularyOf(language),
  };
}

/** @param settings the model that the reader has chosen; made while a component is being set up */
export class Lab {
  readonly job = createJob<ReadingTask, Reading>(
    () => new Worker(new URL("./reading.task.ts", import.meta.url), { type: "module" }),
  );
  /** Nothing is downloaded before the reader asks for it. */
  private asked = $state(false);
  private running: ModelName | undefined;
  private readings = $state.raw<Partial<Record<ModelName, Reading>>>({});
  private vocabularies = $state.raw<Partial<Record<ModelName, string[]>>>({});

  constructor(private readonly settings: { model: ModelName }) {
    $effect(() => {
      const { model } = this.settings;
      if (this.asked && !this.readings[model]) untrack(() => void this.run(model));
    });
    $effect(() => {
      const { status, result } = this.job;
      if (status === "done" && result) this.readings = { ...untrack(() => this.readings), [result.model]: result };
    });
  }

  get model(): ModelName {
    return this.settings.model;
  }

  set model(name: ModelName) {
    this.settings.model = name;
  }

  /** What came of the chosen model. */
  get reading(): Reading | undefined {
    return this.readings[this.model];
  }

  get vocabulary(): string[] {
    return this.vocabularies[this.model] ?? [];
  }

  /** Whether the reader has to press something, for the first time or because it was stopped or has failed. */
  get waits(): boolean {
    const given = this.job.status === "failed" || this.job.status === "cancelled";
    return !this.reading && (!this.asked || given);
  }

  get bytes(): number {
    return bytesOf(labName[this.model]);
  }

  /** The outcome of one model, whichever is chosen. */
  readingOf(name: ModelName): Reading | undefined {
    return this.readings[name];
  }

  /** Reads the chosen model, or another one that is chosen by that. */
  ask(name: ModelName = this.model): void {
    const again = this.waits && this.asked;
    this.model = name;
    this.asked = true;
    if (again) void this.run(name);
  }

  private async run(name: ModelName): Promise<void> {
    if (this.running === name && this.job.status === "running") return;
    this.running = name;
    const task = await taskOf(name);
    // Another one was chosen in the meantime.
    if (this.running !== name) return;
    this.vocabularies = { ...this.vocabularies, [name]: task.vocabulary };
    this.job.run(task);
  }
}
