import { link, readFile, rm, writeFile } from "node:fs/promises";
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

async function tryToTake(file) {
  const ticket = `${file}.${process.pid}`;
  await writeFile(ticket, String(process.pid));
  try {
    // Unlike creating and then writing, a link never shows others a lock without its owner.
    await link(ticket, file);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  } finally {
    await rm(ticket, { force: true });
  }
  const owner = Number(await readFile(file, "utf8").catch(() => process.pid));
  if (!isAlive(owner)) await rm(file, { force: true });
  return false;
}

/** Runs `action` while no other process on this machine runs one under the same lock file. */
export async function withLock({ file, log }, action) {
  for (let attempt = 0; !(await tryToTake(file)); attempt++) {
    if (attempt === 3) log(`toolchain: waiting for another set-up to finish (${file})`);
    await sleep(attempt < 3 ? 50 : 500);
  }
  try {
    return await action();
  } finally {
    await rm(file, { force: true });
  }
}
