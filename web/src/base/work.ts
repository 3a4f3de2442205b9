// Long work: it reports its progress, and can be aborted.
import { invalid, show } from "./errors.js";

/** The progress of long work: in bytes of a file, or in steps. */
export interface Progress {
  /** Bytes or steps that are done. */
  readonly done: number;
  /** All bytes or steps. */
  readonly total: number;
}

/** Options of long work. */
export interface WorkOptions {
  /** Aborts the work between two steps: the call throws the signal's reason, and nothing has changed. */
  signal?: AbortSignal;
  /** Receives the progress after each step. */
  onProgress?: (progress: Progress) => void;
}

/** Throws `invalid-argument` if an option is invalid. */
export function checkWork({ signal, onProgress }: WorkOptions): void {
  if (signal !== undefined && typeof (signal as Partial<AbortSignal> | null)?.throwIfAborted !== "function")
    throw invalid("signal", `must be an AbortSignal, got ${show(signal)}`);
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw invalid("onProgress", `must be a function, got ${show(onProgress)}`);
}

/** Longest time without a pause, in ms: a frame. */
const longest = 16;

/** Lets timers and messages run, one of which may abort the work: after `scheduler.yield` they would wait for all of it. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Counts the steps of long work, and lets the page do its own between them. */
export class Steps {
  private done = 0;
  private paused = performance.now();

  constructor(
    private readonly total: number,
    private readonly options: { readonly [Name in keyof WorkOptions]: WorkOptions[Name] | undefined },
  ) {
    checkWork(options as WorkOptions);
    this.check();
  }

  /** Ends one step, or some bytes. Throws the reason of the signal if the work was aborted. */
  async step(size = 1): Promise<void> {
    this.done += size;
    this.options.onProgress?.({ done: this.done, total: this.total });
    if (performance.now() - this.paused > longest) {
      await pause();
      this.paused = performance.now();
    }
    this.check();
  }

  /** Throws the reason of the signal if the work was aborted. */
  check(): void {
    this.options.signal?.throwIfAborted();
  }
}
