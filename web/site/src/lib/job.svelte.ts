// The page's side of a long computation: starts it in a worker, follows it, and gives it up when a newer one is wanted.
import { onDestroy } from "svelte";
import type { Failure } from "./failure.ts";
import type { Message } from "./task.ts";

export class Job<Input, Result, Partial = never> {
  status = $state<"idle" | "running" | "done" | "failed" | "cancelled">("idle");
  /** 0 … 1 */
  progress = $state(0);
  partial = $state.raw<Partial>();
  result = $state.raw<Result>();
  /** Why it failed; the message alone is `failure`. */
  reason = $state.raw<Failure>();

  get failure(): string {
    return this.reason?.message ?? "";
  }

  private worker: Worker | undefined;
  /** Whether the present run has reported a part. */
  private reported = false;

  constructor(private readonly makeWorker: () => Worker) {}

  /** The last result stays until the new one is there, or has failed. */
  run(input: Input): void {
    this.end();
    this.status = "running";
    this.progress = 0;
    this.reason = undefined;
    this.reported = false;
    const worker = this.makeWorker();
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<Message<Result, Partial>>) => this.take(data);
    worker.onerror = (event) => this.take({ type: "failed", failure: { message: event.message } });
    worker.postMessage(input);
  }

  cancel(): void {
    if (this.status !== "running") return;
    this.end();
    this.status = "cancelled";
  }

  private take(message: Message<Result, Partial>): void {
    if (message.type === "progress") {
      this.progress = message.fraction;
      if (message.partial === undefined) return;
      this.reported = true;
      this.partial = message.partial;
      return;
    }
    this.end();
    if (message.type === "done") {
      this.result = message.result;
      this.progress = 1;
      this.status = "done";
    } else {
      // What came before would pass for the outcome of what has just failed.
      this.result = undefined;
      if (!this.reported) this.partial = undefined;
      this.reason = message.failure;
      this.status = "failed";
    }
  }

  /** @internal Also when the component goes. */
  end(): void {
    this.worker?.terminate();
    this.worker = undefined;
  }
}

/** A job of a component, while the component is being set up. */
export function createJob<Input, Result, Partial = never>(makeWorker: () => Worker): Job<Input, Result, Partial> {
  const job = new Job<Input, Result, Partial>(makeWorker);
  onDestroy(() => job.end());
  return job;
}
