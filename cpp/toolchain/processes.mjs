import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

const isWindows = process.platform === "win32";

/** The absolute path of a program on the PATH, or null. */
export function findOnPath(name) {
  const suffixes = isWindows ? [".bat", ".exe", ".cmd"] : [""];
  for (const folder of (process.env.PATH ?? "").split(delimiter).filter(Boolean)) {
    for (const suffix of suffixes) {
      const file = join(folder, name + suffix);
      try {
        accessSync(file, constants.X_OK);
        if (statSync(file).isFile()) return file;
      } catch {
        // not in this folder
      }
    }
  }
  return null;
}

function startChild(command, commandArguments, options) {
  // Node refuses to start a .bat file without a shell.
  const shell = isWindows && /\.(bat|cmd)$/i.test(command);
  return spawn(shell ? `"${command}"` : command, commandArguments, {
    stdio: ["ignore", "pipe", "pipe"],
    shell,
    ...options,
    env: { ...process.env, LC_ALL: "C.UTF-8", ...options.env },
  });
}

function finish(child, label) {
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`${label}: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve();
      reject(new Error(`${label} failed (${signal ?? `exit code ${code}`})\n${errors.trim().slice(-2000)}`));
    });
  });
}

/** Runs a command to its end and returns what it printed; throws with its error output when it fails. */
export async function run(command, commandArguments, options = {}) {
  const child = startChild(command, commandArguments, options);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  await finish(child, `${command} ${commandArguments[0] ?? ""}`.trim());
  return output;
}

/** Runs `producer | consumer`, each an array [command, ...arguments]; throws when either fails. */
export async function runPipe(producer, consumer) {
  const source = startChild(producer[0], producer.slice(1), {});
  const sink = startChild(consumer[0], consumer.slice(1), { stdio: ["pipe", "ignore", "pipe"] });
  // A consumer that dies closes the pipe under the producer; its own error is the one to report.
  sink.stdin.on("error", () => {});
  source.stdout.pipe(sink.stdin);
  const results = await Promise.allSettled([finish(sink, consumer[0]), finish(source, producer[0])]);
  const failure = results.find((result) => result.status === "rejected");
  if (failure) throw failure.reason;
}
