// Checks that commands can run at once in one checkout, and be killed.
// node tests/lanes/pairs.mjs [ROUNDS] [SEED]
// In a fresh clone, each round removes or changes something, starts two commands with a random delay, and in half of the
// rounds kills one of them. The other must succeed; then `npm run build` must make the same dist/ as in every round, and
// the golden cases must pass. Run `npm run build` before: the toolchain is copied.
import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, cpSync, existsSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fingerprint, inRoot, log, root, runTask } from "../../web/tasks/prepare.mjs";
import { random } from "../mutation/mutants.mjs";

const folder = join("build", "pairs");
const clone = inRoot(folder);
const inClone = (...parts) => join(clone, ...parts);
const port = 4901;

const commands = {
  start: ["start"],
  build: ["run", "build"],
  // The set-up of the whole lane, and a few of its files.
  js: ["test", "--", "js/positions"],
  golden: ["run", "golden", "--", "tests/fixtures/golden"],
};
const damages = {
  "no packages": () => rmSync(inClone("node_modules"), { recursive: true, force: true }),
  "no dist": () => rmSync(inClone("dist"), { recursive: true, force: true }),
  "no site": () => rmSync(inClone("dist-site"), { recursive: true, force: true }),
  "no build": () => rmSync(inClone("build"), { recursive: true, force: true }),
  "one variant less": () => rmSync(inClone("build", "wasm", "posenc.relaxed.wasm"), { force: true }),
  "a changed source of TypeScript": () => appendFileSync(inClone("web", "src", "library.ts"), "// Changed.\n"),
  "a changed source of C++": () => appendFileSync(inClone("cpp", "src", "describe.cpp"), "// Changed.\n"),
};

/** Whether the tutorial is served, as a whole or as a quick build. */
const isServed = () =>
  fetch(`http://localhost:${port}/`)
    .then(async (page) => page.ok && /<html/.test(await page.text()))
    .catch(() => false);

/** Starts a command in a process group. `done`: its exit code; of `npm start`: 0 once it serves, then it is ended. */
function start(name, number) {
  const output = inRoot("build", `pairs-${number}-${name}.log`);
  const file = openSync(output, "w");
  const child = spawn("npm", commands[name], {
    cwd: clone,
    stdio: ["ignore", file, file],
    detached: true,
    env: { ...process.env, PORT: String(port), CI: "" },
  });
  const ended = new Promise((resolve) => child.on("close", (code, signal) => resolve(code ?? signal)));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const kill = (signal) => hasEnded() || process.kill(-child.pid, signal);
  const serving = async () => {
    while (!hasEnded()) {
      if (await isServed()) {
        kill("SIGTERM");
        await ended;
        return 0;
      }
      await sleep(500);
    }
    return ended;
  };
  return { name, output, kill, done: name === "start" ? serving() : ended };
}

function check(holds, text, output) {
  if (holds) return;
  throw new Error(`${text}${output && existsSync(output) ? `\n${readFileSync(output, "utf8").slice(-4000)}` : ""}`);
}

async function round(number, next) {
  const pick = (names) => names[Math.floor(next() * names.length)];
  const damage = pick(Object.keys(damages));
  if (number > 0) damages[damage]();
  const names = Object.keys(commands);
  const first = pick(names);
  const second = pick(names.filter((name) => name !== first));
  const delay = Math.floor(next() * 20_000);
  const victim = next() < 0.5 ? pick([first, second]) : undefined;
  const signal = pick(["SIGKILL", "SIGTERM", "SIGINT"]);
  const life = Math.floor(next() * 40_000);
  const death = victim ? `, ${signal} to ${victim} after ${life} ms` : "";
  log(`round ${number}: ${number > 0 ? damage : "fresh clone"}: ${first}, after ${delay} ms ${second}${death}`);
  const running = [];
  for (const [i, name] of [first, second].entries()) {
    if (i > 0) await sleep(delay);
    const one = start(name, number);
    running.push(one);
    if (name === victim) setTimeout(() => one.kill(signal), life).unref();
  }
  for (const { name, output, done } of running) {
    const code = await done;
    check(code === 0 || name === victim, `${name}: ${code}`, output);
  }
}

/** Builds what is missing. Returns the digest of dist/. */
async function digest(number) {
  for (const name of ["build", "golden"]) {
    const { done, output } = start(name, `${number}-after`);
    check((await done) === 0, `${name} after the round`, output);
  }
  return fingerprint([join(folder, "dist")]);
}

await runTask(async () => {
  const [rounds = 20, seed = 1] = process.argv.slice(2).map(Number);
  const next = random(seed);
  rmSync(clone, { recursive: true, force: true });
  execFileSync("git", ["clone", "--quiet", root, clone]);
  if (existsSync(inRoot(".toolchain")))
    cpSync(inRoot(".toolchain"), inClone(".toolchain"), { recursive: true, verbatimSymlinks: true });
  let expected;
  for (let number = 0; number < rounds; number++) {
    const begin = Date.now();
    await round(number, next);
    const found = await digest(number);
    expected ??= found;
    check(found === expected, `round ${number}: dist/ differs from that of the first round`);
    log(`round ${number}: right, ${Math.round((Date.now() - begin) / 1000)} s`);
  }
  log(`${rounds} rounds, none failed`);
});
