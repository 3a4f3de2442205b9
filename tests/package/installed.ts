// The packed package, installed where nothing else is, and its program.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";
import { inject } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

export const { version } = JSON.parse(readFileSync(inRoot("package.json"), "utf8"));
export const fixture = (...path: string[]): string => inRoot("tests", "fixtures", "onnx", ...path);

/** Installs the package in a folder with a space in its name, or waits for the other thread, which does it. */
function install(): string {
  const folder = join(inject("temporary"), "my project");
  if (mkdirSync(folder, { recursive: true }) === undefined) {
    for (let i = 0; i < 1000 && !existsSync(program(folder)); i++)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    return folder;
  }
  const silent = { cwd: folder, stdio: "ignore" as const, shell: process.platform === "win32" };
  execFileSync("npm", ["pack", "--loglevel=error", "--ignore-scripts", "--pack-destination", folder], {
    ...silent,
    cwd: inRoot(),
  });
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  const tarball = join(folder, `posenc-${version}.tgz`);
  execFileSync("npm", ["install", "--offline", "--no-package-lock", "--no-audit", "--no-fund", tarball], silent);
  return folder;
}

let folderOfAll: string | undefined;
/** Where the package is installed, once for all files. */
export const home = (): string => (folderOfAll ??= install());

/** Where a test writes. */
export const folder = (): string => mkdtempSync(join(home(), "folder "));

interface Outcome {
  status: number | null;
  out: string;
  stderr: string;
}

/** npm links it last. */
const program = (folder = home()): string => join(folder, "node_modules", ".bin", "posenc");
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
