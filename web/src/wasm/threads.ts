// Several threads: workers, each with an instance of the same module over a shared memory. Loaded on demand.
import type { Core } from "./core.js";
import type { CoreModule } from "./frame.js";
import { checked, run } from "./loader.js";
import { builtInModule } from "./node.js";
import code from "./thread-code.js";
import type { ThreadReport, ThreadStart } from "./thread.js";
import createModule from "./threads-glue.js";

/** The exports that only this build has (cpp/bindings/threads.cpp). */
interface ThreadModule extends CoreModule {
  /** Allocates the memory of a thread; the frame then has its addresses. */
  prepareThread(): boolean;
  startThreadPool(threads: number, maySleep: boolean): void;
}

/** A worker of any engine. */
interface Line {
  send(start: ThreadStart): void;
  /** Listens to its messages and errors. */
  hear(listener: (report: ThreadReport) => void): void;
  /** Allows the process to end while the worker is idle. */
  rest(): void;
  end(): void;
}

/** Time limit for starting a thread. Engines take longer under load. */
const patience = 20_000;

function nodeLine({ Worker }: { Worker: NodeWorker }): Line {
  const worker = new Worker(code, { eval: true });
  return {
    send: (start) => worker.postMessage(start),
    hear(listener) {
      worker.on("message", (report) => listener(report as ThreadReport));
      worker.on("error", (error) => listener({ error: String(error) }));
      worker.on("exit", () => listener({ error: "the worker has ended" }));
    },
    rest: () => worker.unref(),
    end: () => void worker.terminate(),
  };
}
type NodeWorker = NonNullable<ReturnType<typeof builtInModule<"node:worker_threads">>>["Worker"];

function pageLine(): Line {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  return {
    send: (start) => worker.postMessage(start),
    hear(listener) {
      worker.onmessage = ({ data }) => listener(data as ThreadReport);
      worker.onerror = ({ message }) => listener({ error: message || "the worker did not start" });
    },
    rest: () => URL.revokeObjectURL(address),
    end() {
      URL.revokeObjectURL(address);
      worker.terminate();
    },
  };
}

/** Whether this thread may block while the other ones work: not if it is a page's main thread. */
function maySleep(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1);
    return true;
  } catch {
    return false;
  }
}

/** Returns a core whose views are updated after another thread has enlarged the memory. */
function watched<Module extends CoreModule>(core: Module, memory: WebAssembly.Memory): Module {
  const viewsOf = (buffer: ArrayBuffer) => ({
    HEAPU8: new Uint8Array(buffer),
    HEAPF32: new Float32Array(buffer),
    HEAPF64: new Float64Array(buffer),
  });
  let views = viewsOf(memory.buffer);
  const known = new WeakSet<object>([memory.buffer]);
  const present = (): typeof views => {
    const { buffer } = memory;
    if (buffer !== views.HEAPU8.buffer) {
      views = viewsOf(buffer);
      known.add(buffer);
    }
    return views;
  };
  return Object.create(core, {
    HEAPU8: { get: () => present().HEAPU8 },
    HEAPF32: { get: () => present().HEAPF32 },
    HEAPF64: { get: () => present().HEAPF64 },
    owns: { value: (buffer: object) => known.has(buffer) },
  }) as Module;
}

/** Starts a thread; resolves when it waits for work. */
async function startThread(line: Line, start: ThreadStart, onFailure: (report: ThreadReport) => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the worker did not respond")), patience);
    line.hear((report) => {
      if (report.error === undefined) return resolve();
      reject(new Error(report.error));
      onFailure(report);
    });
    line.send(start);
  }).finally(() => clearTimeout(timer));
  line.rest();
}

/** Starts a core with this many threads. Throws if threads are not possible. */
export async function startThreads(compiling: Promise<WebAssembly.Module>, threads: number): Promise<Core> {
  const node = builtInModule("node:worker_threads");
  const { core: bare, imports } = await run(compiling, createModule);
  const [memory] = Object.values(imports)
    .flatMap((group) => Object.values(group))
    .filter((item) => item instanceof WebAssembly.Memory);
  const module = await compiling;
  const watching = watched(bare as ThreadModule, memory!);
  const core = checked(watching);
  const lines: Line[] = [];
  let ended = false;
  core.endThreads = () => {
    ended = true;
    // A worker may end without notice: from now on no call waits for one.
    watching.startThreadPool(1, false);
    core.threads = 1;
    for (const line of lines) line.end();
  };
  try {
    await Promise.all(
      Array.from({ length: threads - 1 }, (_, i) => {
        const line = node ? nodeLine(node) : pageLine();
        lines.push(line);
        const start = { module, memory: memory!, thread: i + 1, ...prepared(watching) };
        return startThread(line, start, () => core.endThreads?.());
      }),
    );
  } catch (error) {
    core.endThreads();
    throw error;
  }
  // A worker may have failed before the last one started.
  if (ended) return core;
  watching.startThreadPool(threads, maySleep());
  core.threads = threads;
  return core;
}

function prepared(core: ThreadModule): Omit<ThreadStart, "module" | "memory" | "thread"> {
  if (!core.prepareThread()) throw new Error("no memory for a thread");
  const at = core.frameAddress() / 8;
  const [stack, variables, restoreStack, help, fail] = core.HEAPF64.subarray(at, at + 5) as unknown as number[];
  return { stack: stack!, variables: variables!, restoreStack: restoreStack!, help: help!, fail: fail! };
}
