// Long work: it reports its progress, and can be aborted.
import { invalid, show } from "./errors.js";
import { maybe, type Reader } from "./options.js";

/** How much of long work is done. */
export interface Progress {
  /** Number of steps that are done: layers, or their keys and values. */
  readonly done: number;
  /** Number of all steps. */
  readonly total: number;
}

/** Options of long work. */
export interface WorkOptions {
  /** Aborts the work between two steps: the call throws the signal's reason, and nothing has changed. */
  signal?: AbortSignal;
  /** Receives the progress after each step. */
  onProgress?: (progress: Progress) => void;
}

const aSignal: Reader<AbortSignal | undefined> = maybe((value, name) => {
  if (typeof (value as Partial<AbortSignal> | null)?.throwIfAborted !== "function")
    throw invalid(name, `must be an AbortSignal, got ${show(value)}`);
  return value as AbortSignal;
});
const aFunction: Reader<WorkOptions["onProgress"]> = maybe((value, name) => {
  if (typeof value !== "function") throw invalid(name, `must be a function, got ${show(value)}`);
  return value as WorkOptions["onProgress"];
});

export const workOptions = { signal: aSignal, onProgress: aFunction };

/** Longest time without a pause, in ms: a frame. */
const longest = 16;

/** Counts the steps of work, and lets the page work between them. */
export class Work {
  private done = 0;
  private paused = performance.now();

  constructor(
    private readonly total: number,
    private readonly options: { signal?: AbortSignal | undefined; onProgress?: WorkOptions["onProgress"] },
  ) {
    options.signal?.throwIfAborted();
  }

  /** Ends a step. Throws the reason of the signal if the work was aborted. */
  async step(): Promise<void> {
    this.done++;
    this.options.onProgress?.({ done: this.done, total: this.total });
    if (performance.now() - this.paused > longest) {
      await new Promise((resolve) => setTimeout(resolve));
      this.paused = performance.now();
    }
    this.options.signal?.throwIfAborted();
  }
}
