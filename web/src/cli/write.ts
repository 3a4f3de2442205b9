// Writes files under temporary names, and renames them when all are complete.
import { mkdirSync, renameSync, rmdirSync, rmSync, statSync, type Stats } from "node:fs";
import { open } from "node:fs/promises";
import { constants } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PosencError } from "../base/errors.js";
import type { LazyFile } from "./files.js";
import type { Progress } from "./progress.js";

/** A file to write. */
export interface Plan {
  readonly path: string;
  readonly size: number;
  /** The source, if it is a copy. */
  readonly copyOf?: LazyFile;
  /** Descriptions of the changes. */
  readonly changes?: readonly string[];
  chunks(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Checks the written file before it gets its final name. */
  check?(temporary: string): Promise<void>;
  /** Reads it under its final name. Returns lines to print. */
  reread?(): Promise<readonly string[]>;
}

export const blockSize = 4194304;

/** Returns the plan of an unchanged copy. */
export const planCopy = (file: LazyFile, path: string): Plan => ({
  path,
  size: file.size,
  copyOf: file,
  *chunks() {
    try {
      for (let at = 0; at < file.size; at += blockSize) yield file.read(at, Math.min(blockSize, file.size - at));
    } finally {
      // Some checkouts have more files than a process may open.
      file.close();
    }
  },
});

/** Files and new folders to remove unless everything is written. */
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
  /** Keeps all files, which now have their final names. */
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
        // It contains files of others.
      }
  }
}

interface Written {
  readonly plan: Plan;
  readonly temporary: string;
  readonly stat: Stats;
}

/** Writes a file under a unique temporary name. */
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
    if (done !== size) throw changed(plan.copyOf?.path ?? path, "the source changed during reading");
    const stat = await handle.stat();
    return { plan, temporary, stat };
  } finally {
    await handle.close();
  }
}

const changed = (path: string, why: string): PosencError => new PosencError("load-failed", `${path}: ${why}`, "source");

/** Throws `load-failed` if the file of that name is not the one that was written. */
function confirm({ plan: { path, size }, stat }: Written): void {
  const { dev, ino, size: length } = statSync(path);
  if (dev !== stat.dev || ino !== stat.ino || length !== size)
    throw changed(path, "was replaced by another file after it was written");
}

/** Writes all files or none, and reads them again under their final names. Returns lines to print. */
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
    const lines: string[] = [];
    for (const { path, changes, reread } of plans) {
      const more = (await reread?.()) ?? [];
      if (changes) lines.push(path, ...changes.map((line) => `  ${line}`), ...more);
    }
    return lines;
  } finally {
    unfinished.clear();
    for (const signal of signals) process.off(signal, stop);
    progress.end();
  }
}
