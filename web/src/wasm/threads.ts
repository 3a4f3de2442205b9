// Several threads: workers, each with an instance of the same module over a shared memory. Loaded on demand.
import type { Core } from "./core.js";
import type { CoreModule } from "./frame.js";
import { startWorker, type Line } from "./line.js";
import { checked, run } from "./loader.js";
import code from "./thread-code.js";
import type { ThreadReport, ThreadStart } from "./thread.js";
import createModule from "./threads-glue.js";

/** The exports that only this build has (cpp/bindings/threads.cpp). */
interface ThreadModule extends CoreModule {
  /** Allocates the memory of a thread; the frame then has its addresses. */
  prepareThread(): boolean;
  startThreadPool(threads: number, maySleep: boolean): void;
}

/** Time limit for starting a thread. Engines take longer under load. */
const patience = 20_000;

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

type ThreadLine = Line<ThreadStart, ThreadReport>;

/** Starts a thread; resolves when it waits for work. */
async function startThread(line: ThreadLine, start: ThreadStart, onFailure: () => void): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await new Promise<void>((resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the worker did not respond")), patience);
    const ended = (reason: string): void => {
      reject(new Error(reason));
      onFailure();
    };
    line.hear(({ error }) => (error === undefined ? resolve() : ended(error)), ended);
    line.send(start);
  }).finally(() => clearTimeout(timer));
  line.rest();
}

/** Starts a core with this many threads. Throws if threads are not possible. */
export async function startThreads(compiling: Promise<WebAssembly.Module>, threads: number): Promise<Core> {
  const { core: bare, imports } = await run(compiling, createModule);
  const [memory] = Object.values(imports)
    .flatMap((group) => Object.values(group))
    .filter((item) => item instanceof WebAssembly.Memory);
  const module = await compiling;
  const watching = watched(bare as ThreadModule, memory!);
  const core = checked(watching);
  const lines: ThreadLine[] = [];
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
        const line: ThreadLine = startWorker(code);
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
