// Files are written under another name first, and get theirs when all of it is on the disk.
import { mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "./arguments.js";
import { statOf, type LazyFile } from "./files.js";
import type { Progress } from "./progress.js";

/** One file to be. */
export interface Plan {
  readonly path: string;
  readonly size: number;
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Looks at what was written, before it gets its name. */
  check?(temporary: string): Promise<void>;
}

const mostAtOnce = 4194304;

/** A file as it is. */
export const copyOf = (file: LazyFile, path: string): Plan => ({
  path,
  size: file.size,
  *chunks() {
    for (let at = 0; at < file.size; at += mostAtOnce) yield file.read(at, Math.min(mostAtOnce, file.size - at));
  },
});

const isSame = (a: string, b: string): boolean => {
  const [one, other] = [statOf(a), statOf(b)];
  return (
    !!one &&
    !!other &&
    (realpathSync(a) === realpathSync(b) || (one.dev === other.dev && one.ino === other.ino && one.ino > 0))
  );
};

/** Throws: UsageError where a file would take the place of one that is read, or of one that is there. */
export function checkPlans(plans: readonly Plan[], sources: readonly string[], isForced: boolean): void {
  for (const { path } of plans) {
    const source = sources.find((one) => resolve(one) === resolve(path) || isSame(one, path));
    if (source) throw new UsageError(`--out: ${path} is what is read; the source is never overwritten`);
    const there = statOf(path);
    if (there?.isDirectory()) throw new UsageError(`--out: ${path} is a folder`);
    if (there && !isForced) throw new UsageError(`--out: ${path} is there already; --force overwrites it`);
  }
}

/** What is gone when the program is stopped. */
const unfinished = new Set<string>();
const stop = (signal: NodeJS.Signals): void => {
  for (const path of unfinished) rmSync(path, { force: true });
  process.exit(signal === "SIGINT" ? 130 : 143);
};

async function fill(temporary: string, { path, size, chunks }: Plan, progress: Progress): Promise<void> {
  const handle = await open(temporary, "wx");
  try {
    let done = 0;
    for await (const chunk of chunks()) {
      for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
      done += chunk.length;
      progress.at(`writing ${path}`, done, size);
    }
  } finally {
    await handle.close();
  }
}

/** Writes all of them, or as many as could be: none of them in part. */
export async function writeAll(plans: readonly Plan[], progress: Progress): Promise<void> {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
  try {
    for (const plan of plans) await write(plan, progress);
  } finally {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, stop);
    progress.end();
  }
}

async function write(plan: Plan, progress: Progress): Promise<void> {
  const folder = dirname(plan.path);
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `.${basename(plan.path)}.${process.pid}.part`);
  unfinished.add(temporary);
  try {
    await fill(temporary, plan, progress);
    await plan.check?.(temporary);
    renameSync(temporary, plan.path);
  } finally {
    rmSync(temporary, { force: true });
    unfinished.delete(temporary);
  }
}

/** Are both there, and the same? */
export function isSameContent(file: LazyFile, path: string, read: (path: string) => LazyFile): boolean {
  if (statOf(path)?.isFile() !== true) return false;
  const other = read(path);
  if (other.size !== file.size) return false;
  for (let at = 0; at < file.size; at += mostAtOnce) {
    const length = Math.min(mostAtOnce, file.size - at);
    if (Buffer.compare(file.read(at, length), other.read(at, length)) !== 0) return false;
  }
  return true;
}
