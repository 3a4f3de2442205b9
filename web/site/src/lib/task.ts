// The worker's side of a long computation: it has a library of its own and reports how far it is.
import { init } from "posenc";
import type { Posenc } from "./engine.svelte.ts";
import { failureOf, type Failure } from "./failure.ts";

export type Message<Result, Partial> =
  | { type: "progress"; fraction: number; partial?: Partial }
  | { type: "done"; result: Result }
  | { type: "failed"; failure: Failure };

export type Report<Partial> = (fraction: number, partial?: Partial) => void;

/** Answers every message with a result. A worker is ended, not asked to stop, when its result is no longer wanted. */
export function serveTask<Input, Result, Partial = never>(
  work: (pe: Posenc, input: Input, report: Report<Partial>) => Result | Promise<Result>,
): void {
  const send = (message: Message<Result, Partial>) => self.postMessage(message);
  self.addEventListener("message", async (event: MessageEvent<Input>) => {
    try {
      const pe = await init({ parts: "all" });
      const report: Report<Partial> = (fraction, partial) => send({ type: "progress", fraction, partial });
      send({ type: "done", result: await work(pe, event.data, report) });
    } catch (error) {
      send({ type: "failed", failure: failureOf(error) });
    }
  });
}
