// Files are written under other names first, and get their own when all of them are complete.
import { mkdirSync, renameSync, rmdirSync, rmSync, statSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PosencError } from "../base/errors.js";
import type { LazyFile } from "./files.js";
import type { Progress } from "./progress.js";

/** One file to be. */
export interface Plan {
  readonly path: string;
  readonly size: number;
  /** The file that it is a copy of. */
  readonly copyOf?: LazyFile;
  /** What is new in it, in words. */
  readonly changes?: readonly string[];
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Looks at what was written, before it gets its name. */
  check?(temporary: string): Promise<void>;
  /** Reads it under its name; answers what there is to say of it. */
  reread?(): Promise<readonly string[]>;
}

export const blockSize = 4194304;

/** A file as it is. */
export const planCopy = (file: LazyFile, path: string): Plan => ({
  path,
  size: file.size,
  copyOf: file,
  *chunks() {
    try {
      for (let at = 0; at < file.size; at += blockSize) yield file.read(at, Math.min(blockSize, file.size - at));
    } finally {
      // Some checkouts have more files than a program may open.
      file.close();
    }
  },
});

/** What goes again unless all is written: files, and the folders that were made for them. */
class Unfinished {
  private readonly files = new Set<string>();
  private readonly folders: string[] = [];

  makeFolder(folder: string): void {
    const first = mkdirSync(folder, { recursive: true });
    if (first === undefined) return;
    const made = [resolve(folder)];
    while (made[0] !== resolve(first) && made[0] !== dirname(made[0]!)) made.unshift(dirname(made[0]!));
    this.folders.push(...made);
  }
  add(path: string): void {
    this.files.add(path);
  }
  /** All files have their names. */
  keep(): void {
    this.files.clear();
    this.folders.length = 0;
  }
  clear(): void {
    for (const path of this.files) rmSync(path, { force: true });
    for (const folder of this.folders.splice(0).reverse())
      try {
        rmdirSync(folder);
      } catch {
        // Somebody else's files are in it.
      }
  }
}

interface Written {
  readonly plan: Plan;
  readonly temporary: string;
  readonly stat: Stats;
}

/** Writes a file under another name, as nobody else may have chosen. */
async function fill(plan: Plan, unfinished: Unfinished, progress: Progress): Promise<Written> {
  const { path, size } = plan;
  const folder = dirname(path);
  unfinished.makeFolder(folder);
  const temporary = join(folder, `.posenc-${process.pid}-${Math.random().toString(36).slice(2)}.part`);
  const handle = await open(temporary, "wx");
  unfinished.add(temporary);
  let done = 0;
  try {
    for await (const chunk of plan.chunks()) {
      for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten;
      done += chunk.length;
      progress.at(`writing ${path}`, done, size);
    }
    if (done !== size) throw changed(plan.copyOf?.path ?? path, "its source changed while it was read");
    const stat = await handle.stat();
    return { plan, temporary, stat };
  } finally {
    await handle.close();
  }
}

const changed = (path: string, why: string): PosencError => new PosencError("load-failed", `${path}: ${why}`, "source");

/** Throws: load-failed where the file of that name is not the one that was written. */
function confirm({ plan: { path, size }, stat }: Written): void {
  const { dev, ino, size: length } = statSync(path);
  if (dev !== stat.dev || ino !== stat.ino || length !== size)
    throw changed(path, "is not what was written: another file has taken its name");
}

/** Writes all of them or none, and reads them again under their names; answers what there is to say of each. */
export async function writeAll(plans: readonly Plan[], progress: Progress): Promise<string[]> {
  const unfinished = new Unfinished();
  const stop = (signal: NodeJS.Signals): void => {
    unfinished.clear();
    process.exit(128 + constants.signals[signal]);
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    const written: Written[] = [];
    for (const plan of plans) {
      const one = await fill(plan, unfinished, progress);
      written.push(one);
      await plan.check?.(one.temporary);
    }
    for (const { temporary, plan } of written) renameSync(temporary, plan.path);
    unfinished.keep();
    written.forEach(confirm);
    const said: string[] = [];
    for (const { path, changes, reread } of plans) {
      const more = (await reread?.()) ?? [];
      if (changes) said.push(path, ...changes.map((line) => `  ${line}`), ...more);
    }
    return said;
  } finally {
    unfinished.clear();
    for (const signal of signals) process.off(signal, stop);
    progress.end();
  }
}
