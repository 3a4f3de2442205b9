// A worker of any engine, whose code is a text: it needs no file, and bundlers need to know nothing of it.
import { builtInModule } from "./node.js";

/** A worker and its messages. */
export interface Line<Sent, Heard> {
  send(message: Sent, transfer?: Transferable[]): void;
  /** Listens to its messages, and to the error or the end of the worker. */
  hear(listener: (message: Heard) => void, ended: (reason: string) => void): void;
  /** Frees the code's address. The process may end while the worker is idle. */
  rest(): void;
  /** The process may not end: a call is running. */
  work(): void;
  end(): void;
}

/** Starts a worker. Throws if the engine has no workers, or if the page forbids them. */
export function startWorker<Sent, Heard>(code: string): Line<Sent, Heard> {
  const node = builtInModule("node:worker_threads");
  return node ? nodeLine(new node.Worker(code, { eval: true })) : pageLine(code);
}

type NodeWorker = InstanceType<NonNullable<ReturnType<typeof builtInModule<"node:worker_threads">>>["Worker"]>;

function nodeLine<Sent, Heard>(worker: NodeWorker): Line<Sent, Heard> {
  return {
    send: (message, transfer) => worker.postMessage(message, transfer),
    hear(listener, ended) {
      worker.on("message", (message) => listener(message as Heard));
      worker.on("error", (error) => ended(String(error)));
      worker.on("exit", () => ended("the worker has ended"));
    },
    rest: () => worker.unref(),
    work: () => worker.ref(),
    end: () => void worker.terminate(),
  };
}

function pageLine<Sent, Heard>(code: string): Line<Sent, Heard> {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  return lineOf(new Worker(address), () => URL.revokeObjectURL(address));
}

/** The line to a page's worker. */
export function lineOf<Sent, Heard>(worker: Worker, forget = (): void => {}): Line<Sent, Heard> {
  return {
    send: (message, transfer = []) => worker.postMessage(message, transfer),
    hear(listener, ended) {
      worker.onmessage = ({ data }) => listener(data as Heard);
      worker.onerror = ({ message }) => ended(message || "the worker did not start");
    },
    rest: forget,
    work() {},
    end() {
      forget();
      worker.terminate();
    },
  };
}
