// The installed program in a thread that stays: each call is a new import of dist/cli.js, whose modules are loaded once.
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";

let calls = 0;
parentPort.on("message", async ({ program, words, done, port }) => {
  const written = { out: "", stderr: "" };
  process.stdout.write = (text) => ((written.out += text), true);
  process.stderr.write = (text) => ((written.stderr += text), true);
  process.argv = [process.execPath, program, ...words];
  process.exitCode = undefined;
  try {
    await import(`${pathToFileURL(program)}?${calls++}`);
  } catch (error) {
    written.stderr += error.stack;
    process.exitCode = 1;
  }
  port.postMessage({ status: process.exitCode ?? 0, ...written });
  Atomics.store(done, 0, 1);
  Atomics.notify(done, 0);
});
