// One process at a time: a lock file with the process id of its holder. It is void once that process has ended.
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

/** Actions of this process under each lock. */
const running = new Map();

/**
 * Runs `action` while no other process on this machine runs one under the same lock file. Processes that it starts belong to it:
 * they may ask for the same lock, and if its own process is killed, the lock is free only when they have ended, too.
 *
 * @param options `file`: the lock; `what`: the command, for those that wait; `log`: hears why this process waits.
 */
export async function withLock({ file, what = "set-up", log }, action) {
  const mark = markOf(file);
  if (process.env[mark] && !running.has(file)) return action();
  if (!running.has(file)) await take({ file, what, log });
  running.set(file, (running.get(file) ?? 0) + 1);
  process.env[mark] = String(process.pid);
  try {
    return await action();
  } finally {
    const left = running.get(file) - 1;
    if (left > 0) running.set(file, left);
    else {
      running.delete(file);
      delete process.env[mark];
      await rm(file, { force: true });
    }
  }
}
