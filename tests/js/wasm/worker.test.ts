// What if a worker ends in the middle of a call?
import { describe, expect, it } from "vitest";
import { createTable, pe } from "../helpers/library";

interface LongCall {
  /** The first message. */
  first: Promise<unknown>;
  /** All so far. */
  messages: unknown[];
  terminate: () => unknown;
}

async function startLongCall(): Promise<LongCall> {
  const messages: unknown[] = [];
  if (typeof Worker !== "undefined") {
    const worker = new Worker(new URL("../helpers/long-call.mjs", import.meta.url), { type: "module" });
    const first = new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (messages.push(data), resolve(data));
      worker.onerror = (event) => reject(new Error(event.message || "the worker did not start"));
    });
    return { first, messages, terminate: () => worker.terminate() };
  }
  const { Worker: NodeWorker } = await import("node:worker_threads");
  const worker = new NodeWorker(new URL("../helpers/long-call.mjs", import.meta.url));
  worker.on("message", (message) => messages.push(message));
  const first = new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
  return { first, messages, terminate: () => worker.terminate() };
}

const soon = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a worker that is ended in the middle of a call", () => {
  it("ends there, and neither this library nor the next worker minds", async () => {
    const live = pe.liveBytes;
    for (let round = 0; round < 2; round++) {
      const { first, messages, terminate } = await startLongCall();
      expect(await first).toBe("ready");
      await soon(100);
      await terminate();
      // The call would go on for minutes, and say so when it is done.
      expect(messages).toEqual(["ready"]);
      expect(createTable({ kind: "sinusoidal", dim: 8 }).table({ length: 3 }).data[1]).toBe(1);
    }
    expect(pe.liveBytes).toBe(live);
  });
});
