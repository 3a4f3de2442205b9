// npm start: runs the set-up, then serves the tutorial at http://localhost:PORT/ (default 4173). If nothing is built
// yet, it serves a quick build after a third of the work, and replaces it when the full build is done.
import { spawn } from "node:child_process";
import { constants, setPriority } from "node:os";
import { inRoot, isComplete, log, root, runTask, setUp } from "./prepare.mjs";
import { contentSecurityPolicy, serve } from "./serve.mjs";

const standardPort = 4173;

function wantedPort() {
  if (!process.env.PORT) return standardPort;
  const port = Number(process.env.PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`PORT must be a number from 0 to 65535, got ${process.env.PORT}`);
  return port;
}

/** Serves these folders. Until one of them has the API documentation, its pages show a message. */
async function open(folders, missing) {
  const port = wantedPort();
  const waiting = (path) => (/^\/api(\/|$)/.test(path) ? missing() : undefined);
  return serve(folders, port, contentSecurityPolicy, waiting).catch((error) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`port ${port} is taken: choose another with PORT=… npm start`);
  });
}

/** Runs npm run build in a process of low priority. Prints its notes, and all output if it fails. */
function buildRest() {
  const child = spawn(process.execPath, [inRoot("web", "tasks", "start-build.mjs")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    // A process group, to end compilers, too.
    detached: process.platform !== "win32",
  });
  setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const end = () => process.kill(process.platform === "win32" ? child.pid : -child.pid);
  process.on("exit", end);
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(128 + constants.signals[signal]));
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
      for (const [line] of text.matchAll(/^posenc: building .*$/gm)) console.log(line);
    });
  return new Promise((resolve, reject) => {
    child.on("close", (code) => {
      process.off("exit", end);
      if (code === 0) resolve();
      else reject(new Error(printed));
    });
  });
}

/** Serves a quick build of the tutorial until the full build replaces it. */
async function showFirst() {
  const { close } = await open([], () => undefined);
  close();
  await setUp();
  // Imported late: the build's dependencies are installed now.
  const { buildFirst } = await import("./first.mjs");
  const folders = [await buildFirst()];
  let state = "is being built: this page reloads when it is ready.";
  const { url } = await open(folders, () => `The API documentation ${state}`);
  log(`the tutorial is at ${url} (stop with Ctrl+C)`);
  log("still to come: the API documentation, the package, its builds with relaxed SIMD and without SIMD");
  await buildRest().then(
    () => {
      // Open pages may still request files of the quick build.
      folders.unshift(inRoot("dist-site"));
      log(`complete: the tutorial, the API documentation at ${url}api/, the package in dist/`);
    },
    ({ message }) => {
      console.error(message);
      state = "could not be built: see the terminal.";
      log(`the tutorial stays at ${url}; the rest could not be built`);
    },
  );
}

await runTask(async () => {
  if (!isComplete()) return showFirst();
  const { url } = await open([inRoot("dist-site")], () => undefined);
  log(`the tutorial is at ${url} (stop with Ctrl+C)`);
});
