// Commands that write into one checkout wait for each other, whatever happens to the one before.
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { inRoot } from "../../web/tasks/prepare.mjs";

const folder = mkdtempSync(join(tmpdir(), "posenc-lock-"));
afterAll(() => rmSync(folder, { recursive: true }));
const module = pathToFileURL(inRoot("cpp", "toolchain", "lock.mjs")).href;

/** A process that runs `work` under a lock; it has `say`, which appends a word to the lock's journal, and `pause`. */
function command(name: string, lock: string, work: string, after = "") {
  const journal = JSON.stringify(`${lock}.journal`);
  const script = `
    import { appendFileSync } from "node:fs";
    import { spawn } from "node:child_process";
    import { setTimeout as pause } from "node:timers/promises";
    import { withLock } from ${JSON.stringify(module)};
    const say = (word) => appendFileSync(${journal}, word + "\\n");
    const file = ${JSON.stringify(lock)};
    const options = { file, what: ${JSON.stringify(name)}, log: (text) => console.log(text) };
    await withLock(options, async () => { ${work} });
    ${after}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = new Promise<string>((resolve) => child.on("close", () => resolve(output)));
  return { child, ended };
}

const journalOf = (lock: string): string[] =>
  existsSync(`${lock}.journal`) ? readFileSync(`${lock}.journal`, "utf8").trim().split("\n") : [];
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20));
}
const turn = (name: string) => `say("${name} begins"); await pause(120); say("${name} ends");`;

describe("a lock", () => {
  it("lets one command work at a time", async () => {
    const lock = join(folder, "several");
    const names = ["a", "b", "c", "d"];
    await Promise.all(names.map((name) => command(name, lock, turn(name)).ended));
    const journal = journalOf(lock);
    expect(journal.length).toBe(8);
    for (let i = 0; i < 8; i += 2) expect(journal[i + 1]).toBe(journal[i]!.replace("begins", "ends"));
    expect(existsSync(lock)).toBe(false);
  });

  it("says whom a command waits for", async () => {
    const lock = join(folder, "told");
    const first = command("npm start", lock, `say("here"); await pause(1500);`);
    await until(() => journalOf(lock).includes("here"));
    const second = command("npm test", lock, "");
    expect(await second.ended).toContain(`waiting for another command (npm start, process ${first.child.pid})`);
    await first.ended;
  });

  it("is free when its holder was killed", async () => {
    const lock = join(folder, "killed");
    const { child, ended } = command("one", lock, `say("here"); await pause(60000);`);
    await until(() => journalOf(lock).includes("here"));
    child.kill("SIGKILL");
    await ended;
    expect(existsSync(lock)).toBe(true);
    await Promise.all(["a", "b", "c"].map((name) => command(name, lock, turn(name)).ended));
    const journal = journalOf(lock).slice(1);
    for (let i = 0; i < 6; i += 2) expect(journal[i + 1]).toBe(journal[i]!.replace("begins", "ends"));
  });

  it("means nothing after the machine has started anew, whoever has the holder's number now", async () => {
    const lock = join(folder, "rebooted");
    writeFileSync(lock, `${process.pid} 0 npm test`);
    await command("next", lock, turn("next")).ended;
    expect(journalOf(lock)).toEqual(["next begins", "next ends"]);
  });

  it.runIf(existsSync("/proc/self/environ"))("waits for what a killed holder had started", async () => {
    const lock = join(folder, "orphans");
    const journal = `${lock}.journal`;
    const worker = `setTimeout(() => require("fs").appendFileSync(${JSON.stringify(journal)}, "worker ends\\n"), 900)`;
    const work = `spawn(process.execPath, ["-e", ${JSON.stringify(worker)}], { stdio: "ignore" }); say("here"); await pause(60000);`;
    const { child, ended } = command("one", lock, work);
    await until(() => journalOf(lock).includes("here"));
    child.kill("SIGKILL");
    await ended;
    await command("next", lock, turn("next")).ended;
    expect(journalOf(lock)).toEqual(["here", "worker ends", "next begins", "next ends"]);
  });

  it("does not wait for a service that a command keeps after its work", async () => {
    const lock = join(folder, "service");
    const work = `say(spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], { stdio: "ignore" }).pid);`;
    const again = `await withLock(options, async () => say("again")); say("goes on"); await pause(60000);`;
    const { child, ended } = command("one", lock, work, again);
    await until(() => journalOf(lock).includes("goes on"));
    await command("next", lock, turn("next")).ended;
    const [service, ...others] = journalOf(lock);
    expect(others).toEqual(["again", "goes on", "next begins", "next ends"]);
    process.kill(Number(service));
    child.kill("SIGKILL");
    await ended;
  });

  it("lets one action of a command work at a time", async () => {
    const lock = join(folder, "parallel");
    const work = (name: string) => `withLock(options, async () => { ${turn(name)} })`;
    const all = `const first = ${work("b")}; await pause(60); await Promise.all([first, ${work("c")}]);`;
    await command("several", lock, turn("a"), all).ended;
    const outside = ["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]);
    expect(journalOf(lock)).toEqual(outside);
    expect(existsSync(lock)).toBe(false);
  });

  it("that cannot be taken is an error for each action that waits", async () => {
    const { withLock } = await import(module);
    const file = join(folder, "no such folder", "lock");
    const results = await Promise.allSettled([1, 2].map(() => withLock({ file, log: () => {} }, () => "ran")));
    for (const result of results) expect(result).toMatchObject({ status: "rejected", reason: { code: "ENOENT" } });
    expect(results.length).toBe(2);
  });

  it("is held once by a command and by all that it starts", async () => {
    const lock = join(folder, "nested");
    appendFileSync(`${lock}.journal`, "");
    const inner = `import { withLock } from ${JSON.stringify(module)};
      await withLock({ file: ${JSON.stringify(lock)}, log: console.log }, async () => console.log("inside"));`;
    const { ended } = command(
      "outer",
      lock,
      `await withLock(options, async () => say("again"));
       await Promise.all([pause(50), withLock(options, () => pause(100))]);
       const child = spawn(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(inner)}], { stdio: "inherit" });
       await new Promise((resolve) => child.on("close", resolve)); say("done");`,
    );
    expect(await ended).toContain("inside");
    expect(journalOf(lock)).toEqual(["again", "done"]);
    expect(existsSync(lock)).toBe(false);
  });
});
