// Threads and the process that has them.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Operation } from "../../../web/src/base/calls.gen";
import { hasAllBuilds } from "../helpers/wasm";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** What a program prints, as JSON; it must come to its end by itself. */
function printed(program: string): unknown {
  const command = ["--input-type=module", "-e", `import { init } from "posenc";\n${program}`];
  return JSON.parse(execFileSync(process.execPath, command, { cwd: root, encoding: "utf8", timeout: 50_000 }));
}

it.runIf(hasAllBuilds)("a process ends while its threads are idle", () => {
  const program = `
    const pe = await init({ threads: 3 });
    const x = { data: new Float32Array(4 * 300 * 32).fill(0.5), dims: [1, 4, 300, 32] };
    const { data } = pe.attention(x, x, x, { causal: true });
    console.log(JSON.stringify([pe.threads, data[0], data.at(-1)]));`;
  expect(printed(program)).toEqual([3, 0.5, 0.5]);
});

it.runIf(hasAllBuilds)("threads end with an instance that was stopped, and a fresh one has its own", () => {
  const program = `
    const threads = process.getBuiltinModule("node:worker_threads");
    const counts = { started: 0, ended: 0 };
    threads.Worker = class extends threads.Worker {
      constructor(...given) {
        super(...given);
        counts.started++;
        this.on("exit", () => counts.ended++);
      }
    };
    for (let round = 0; round < 12; round++) {
      const pe = await init({ threads: 3 });
      try {
        pe.core.call(${Operation.tableFacts}, 2 ** 32 - 64, 0);
      } catch {}
    }
    const soon = Date.now() + 20_000;
    while (counts.ended < counts.started && Date.now() < soon) await new Promise((next) => setTimeout(next, 20));
    console.log(JSON.stringify(counts));`;
  expect(printed(program)).toEqual({ started: 24, ended: 24 });
});

it.runIf(hasAllBuilds)("calls go on alone where threads are gone", () => {
  const program = `
    const pe = await init({ threads: 2 });
    const x = { data: new Float32Array(4 * 300 * 32).fill(0.5), dims: [1, 4, 300, 32] };
    pe.attention(x, x, x);
    pe.core.endThreads();
    const { data } = pe.attention(x, x, x);
    console.log(JSON.stringify([pe.threads, data[0]]));`;
  // Else a call may wait for a worker that ended while it looked for work: seen in one of ten under load.
  expect(printed(program)).toEqual([1, 0.5]);
});

it.runIf(hasAllBuilds)("calls go on alone where a worker fails before the pool starts", () => {
  const program = `
    const threads = process.getBuiltinModule("node:worker_threads");
    let started = 0;
    threads.Worker = class extends threads.Worker {
      // Like a browser's worker, it ends without notice. The last one fails as soon as it has started.
      on(name, listener) {
        if (name !== "message") return this;
        return super.on(name, (report) => {
          listener(report);
          if (++started === 2) listener({ error: "failed" });
        });
      }
    };
    const pe = await init({ threads: 3 });
    const x = { data: new Float32Array(4 * 300 * 32).fill(0.5), dims: [1, 4, 300, 32] };
    const { data } = pe.attention(x, x, x);
    console.log(JSON.stringify([started, pe.threads, data[0]]));`;
  // Else the call waits for workers that have ended.
  expect(printed(program)).toEqual([2, 1, 0.5]);
});
