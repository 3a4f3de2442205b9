// What if a worker ends in the middle of a call?
import { describe, expect, it } from "vitest";
import { createTable, pe } from "./helpers/library";

interface LongCall {
  /** The next message. */
  next: Promise<unknown>;
  terminate: () => unknown;
}

async function startLongCall(): Promise<LongCall> {
  if (typeof Worker !== "undefined") {
    const worker = new Worker(new URL("./helpers/long-call.mjs", import.meta.url), { type: "module" });
    const next = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
    });
    return { next, terminate: () => worker.terminate() };
  }
  const { Worker: NodeWorker } = await import("node:worker_threads");
  const worker = new NodeWorker(new URL("./helpers/long-call.mjs", import.meta.url));
  const next = new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  return { next, terminate: () => worker.terminate() };
}

const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a worker that is ended in the middle of a call", () => {
  it("ends at once, and neither this library nor the next worker minds", async () => {
    const live = pe.liveBytes;
    for (let round = 0; round < 2; round++) {
      const { next, terminate } = await startLongCall();
      expect(await next).toBe("ready");
      await soon(100);
      const start = performance.now();
      await terminate();
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(createTable({ kind: "sinusoidal", dim: 8 }).table({ length: 3 }).data[1]).toBe(1);
    }
    expect(pe.liveBytes).toBe(live);
  });
});
