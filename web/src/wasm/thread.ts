// The code that a worker runs. It is shipped as text (thread-code.js): workers without a file need no bundler.
import { parentPort } from "./node.js";

/** The message that starts a thread. */
export interface ThreadStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** Number of the thread, from 1. */
  thread: number;
  /** Address at which its stack ends and its thread-local variables begin. */
  stack: number;
  variables: number;
  // Functions, by their indices in the table (cpp/bindings/threads.cpp).
  restoreStack: number;
  help: number;
  fail: number;
}

/** The message of a thread: that it is running, or its error. */
export interface ThreadReport {
  error?: string;
}

const port = parentPort();

/** Returns the imports. Memory exists already, and calls of JavaScript happen only on the first thread. */
function importsOf({ module, memory }: ThreadStart): WebAssembly.Imports {
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = kind === "memory" ? memory : () => 0;
  return imports;
}

function work(start: ThreadStart): void {
  const { exports } = new WebAssembly.Instance(start.module, importsOf(start));
  const table = Object.values(exports).find((item) => item instanceof WebAssembly.Table)!;
  const call = (index: number, ...given: number[]): void => void table.get(index)(...given);
  call(start.restoreStack, start.stack);
  port.postMessage({} satisfies ThreadReport);
  try {
    // Runs as long as the worker.
    call(start.help, start.thread, start.variables);
  } catch (error) {
    call(start.fail);
    throw error;
  }
}

port.onmessage = ({ data }: { data: unknown }) => {
  try {
    work(data as ThreadStart);
  } catch (error) {
    port.postMessage({ error: String(error) } satisfies ThreadReport);
  }
};
