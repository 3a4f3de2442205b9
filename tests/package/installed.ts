// The packed package, installed where nothing else is, and its program.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { afterAll, beforeAll } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

export const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
export const fixture = (...path: string[]): string => inRoot("tests", "fixtures", "onnx", ...path);

let folderOfAll: string;
/** Where the package is installed: a folder with a space in its name. */
export const home = (): string => folderOfAll;
beforeAll(() => {
  folderOfAll = join(mkdtempSync(join(tmpdir(), "posenc cli ")), "my project");
  mkdirSync(home());
  const silent = { cwd: home(), stdio: "ignore" as const, shell: process.platform === "win32" };
  execFileSync("npm", ["pack", "--loglevel=error", "--ignore-scripts", "--pack-destination", home()], {
    ...silent,
    cwd: inRoot(),
  });
  writeFileSync(join(home(), "package.json"), '{ "private": true }');
  const tarball = join(home(), `posenc-${version}.tgz`);
  execFileSync("npm", ["install", "--offline", "--no-package-lock", "--no-audit", "--no-fund", tarball], silent);
});
afterAll(() => rmSync(join(home(), ".."), { recursive: true, force: true }));

/** Where a test writes. */
const folders = { next: 0 };
export function folder(): string {
  const path = join(home(), `folder ${folders.next++}`);
  mkdirSync(path);
  return path;
}

interface Outcome {
  status: number | null;
  out: string;
  stderr: string;
}

const program = (): string => join(home(), "node_modules", ".bin", "posenc");
const thread = new Worker(new URL("program.mjs", import.meta.url));
thread.unref();

/** Runs the program in a thread of its own: its modules are loaded once for all calls. */
export function posenc(...words: string[]): Outcome {
  const done = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  thread.postMessage({ program: realpathSync(program()), words, done, port: port2 }, [port2]);
  if (Atomics.wait(done, 0, 0, 60_000) === "timed-out") throw new Error(`posenc ${words.join(" ")} does not end`);
  return receiveMessageOnPort(port1)!.message;
}

/** Runs the program as a shell does. */
export function spawned(...words: string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(), ...words], {
    cwd: home(),
    encoding: "utf8",
  });
  return { status, out: stdout, stderr: stderr };
}

export const inspected = (...words: string[]): { status: number | null; files: any[] } => {
  const { status, out } = posenc("inspect", "--json", ...words);
  return { status, files: JSON.parse(out).files };
};

/** A checkout of the hub: config.json above, models in the folder onnx. */
export function checkout(): string {
  const path = folder();
  mkdirSync(join(path, "onnx"));
  copyFileSync(fixture("llama", "config.json"), join(path, "config.json"));
  writeFileSync(join(path, "tokenizer.json"), "{}");
  copyFileSync(fixture("llama", "model.onnx"), join(path, "onnx", "model.onnx"));
  copyFileSync(fixture("llama-tjs", "model_fp16.onnx"), join(path, "onnx", "model_fp16.onnx"));
  return path;
}
