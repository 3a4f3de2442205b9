import { setTimeout as sleep } from "node:timers/promises";

/** Returns what `works` returns as soon as that is something; throws after so many milliseconds. */
export async function until(what, patience, works) {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(100)) {
    const result = await works().catch(() => undefined);
    if (result) return result;
  }
  throw new Error(`${what} did not happen in ${patience / 1000} s`);
}
