// One action at a time: a lock file with the process id of its holder. It is void once that process has ended.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { link, readFile, rename, rm, writeFile } from "node:fs/promises";
import { uptime } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

function isAlive(processId) {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // EPERM: there is such a process, and it is another user's.
    return error.code === "EPERM";
  }
}

/** Who holds a lock: { pid, what, since }; undefined: nobody. */
async function holderOf(file) {
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, since, ...what] = text.split(" ");
  return { pid: Number(pid), since: Number(since), what: what.join(" ") };
}

/** Process ids are reused after a restart of the machine. */
const isStale = ({ pid, since }) => !isAlive(pid) || since < Date.now() - uptime() * 1000;

/** Removes a lock whose holder has ended. Another process may have done so, and hold it by now: then that one stays. */
async function removeStale(file) {
  const aside = `${file}.stale.${process.pid}`;
  await rename(file, aside).catch(() => undefined);
  const holder = await holderOf(aside);
  if (holder && !isStale(holder)) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}

async function tryToTake(file, what) {
  const ticket = `${file}.${process.pid}`;
  await writeFile(ticket, `${process.pid} ${Date.now()} ${what}`);
  try {
    // Unlike creating and then writing, a link never shows others a lock without its owner.
    await link(ticket, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    await rm(ticket, { force: true });
  }
  const holder = await holderOf(file);
  if (holder && isStale(holder)) await removeStale(file);
  return false;
}

/** Environment variable of all processes that the holder of a lock started; its value is the holder's number. */
const markOf = (file) => `POSENC_LOCK_${createHash("sha256").update(file).digest("hex").slice(0, 8)}`;

/**
 * Processes that a holder of a lock started and that go on though it has ended; known on Linux only. Those of a holder that lives
 * are services that it keeps for later.
 */
function orphansOf(file) {
  if (!existsSync("/proc/self/environ")) return [];
  const start = `${markOf(file)}=`;
  const isOrphan = (pid) => {
    try {
      const mark = readFileSync(`/proc/${pid}/environ`, "utf8")
        .split("\0")
        .find((entry) => entry.startsWith(start));
      return mark !== undefined && !isAlive(Number(mark.slice(start.length)));
    } catch {
      return false;
    }
  };
  return readdirSync("/proc").filter((name) => /^\d+$/.test(name) && isOrphan(name));
}

const patience = 4;
const pause = (attempt) => sleep(attempt < patience ? 50 : 300);

async function take({ file, what, log }) {
  for (let attempt = 0; !(await tryToTake(file, what)); attempt++) {
    const holder = attempt === patience ? await holderOf(file) : undefined;
    if (holder) log(`waiting for another command (${holder.what}, process ${holder.pid})`);
    await pause(attempt);
  }
  for (let attempt = 0; orphansOf(file).length > 0; attempt++) {
    if (attempt === patience) log(`waiting for what an ended command started (process ${orphansOf(file).join(", ")})`);
    await pause(attempt);
  }
}

/** Locks that this process holds or waits for: { actions, free, release }. */
const running = new Map();
/** The locks of the action that the present code belongs to. */
const held = new AsyncLocalStorage();

/** Waits until no other action of this process, nor another process, holds the lock. */
async function begin(options) {
  const { file } = options;
  while (running.has(file)) await running.get(file).free;
  const entry = { actions: 1 };
  entry.free = new Promise((resolve) => (entry.release = resolve));
  running.set(file, entry);
  try {
    await take(options);
  } catch (error) {
    running.delete(file);
    entry.release();
    throw error;
  }
  process.env[markOf(file)] = String(process.pid);
}

async function end(file) {
  const entry = running.get(file);
  entry.actions--;
  if (entry.actions > 0) return;
  running.delete(file);
  delete process.env[markOf(file)];
  await rm(file, { force: true });
  entry.release();
}

/**
 * Runs `action` while no other one runs under the same lock file, in this process or in another one on this machine. What it calls and
 * the processes that it starts belong to it: they may ask for the same lock. If its process is killed, the lock is free only when the
 * processes that it started have ended, too.
 *
 * @param options `file`: the lock; `what`: the command, for those that wait; `log`: hears why this process waits.
 */
export async function withLock({ file, what = "set-up", log }, action) {
  const outer = held.getStore() ?? [];
  if (process.env[markOf(file)] && !running.has(file)) return action();
  if (outer.includes(file) && running.has(file)) running.get(file).actions++;
  else await begin({ file, what, log });
  try {
    return await held.run([...outer, file], action);
  } finally {
    await end(file);
  }
}
