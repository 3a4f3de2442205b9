// Copies of arrays: small ones at once, large ones piece by piece, so that the page is never blocked.
import { Steps } from "../base/work.js";

/** Larger arrays are copied in pieces. Elements: 4 MB of float32. */
const piece = 2 ** 20;

type AnyArray = Float32Array;

interface Job {
  from: AnyArray;
  to: AnyArray;
}

export class Copies {
  private readonly jobs: Job[] = [];

  /** Whether all arrays are copied. */
  get done(): boolean {
    return this.jobs.length === 0;
  }

  /** Returns a copy of an array. A large one is empty until `finish` returns. */
  of<T extends ArrayBufferView>(view: T): T {
    const from = view as unknown as AnyArray;
    if (!(from.length > piece)) return from.slice() as unknown as T;
    const to = new (from.constructor as typeof Float32Array)(from.length);
    this.jobs.push({ from, to });
    return to as unknown as T;
  }

  /** Copies elements into an array. */
  into(to: unknown, from: unknown): void {
    const job = { from, to } as Job;
    if (job.from.length > piece) this.jobs.push(job);
    else job.to.set(job.from);
  }

  /** Copies what is left. Throws the signal's reason if it is aborted. */
  async finish(signal?: AbortSignal): Promise<void> {
    const steps = new Steps(0, { signal, onProgress: undefined });
    for (const { from, to } of this.jobs)
      for (let at = 0; at < from.length; at += piece) {
        to.set(from.subarray(at, at + piece), at);
        await steps.step();
      }
  }
}
