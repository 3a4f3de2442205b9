// What may be written where: all of it is settled before anything is.
import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "./arguments.js";
import { isInside, realPath, statOf, type LazyFile, type OpenFiles } from "./files.js";
import { blockSize, type Plan } from "./write.js";

/** A file that a model needs under this name. */
export interface Needed {
  readonly path: string;
  /** What has to be there. */
  readonly source: string;
}

export interface Targets {
  readonly plans: readonly Plan[];
  readonly needed: readonly Needed[];
  /** What was read, and is never overwritten. */
  readonly inputs: readonly string[];
  /** Nothing is written outside. */
  readonly folder: string;
  /** Is what the command makes written over what is there? Copies never are. */
  readonly isForced: boolean;
}

/** Equal for paths that are one file on some system: letters of both cases, composed or not, dots and blanks at the end. */
function keyOf(path: string): string {
  const names = realPath(path).replaceAll(/[. ]+(?=[\\/]|$)/g, "");
  return names.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

const whatIs = ({ copyOf }: Plan): string => (copyOf ? `a copy of ${copyOf.path}` : "what is rewritten");

const collision = (plan: Plan, path: string, what: string): UsageError =>
  new UsageError(
    `--out: ${plan.path} (${whatIs(plan)}) and ${path} (${what}) would be one file; write under another name, or give the model's external data one`,
  );

/** Throws: UsageError where two files would be one, or a file and a folder. */
function checkApart(plans: readonly Plan[], needed: readonly Needed[]): void {
  const taken = new Map<string, Plan>();
  for (const plan of plans) {
    const key = keyOf(plan.path);
    const other = taken.get(key);
    if (other) throw collision(other, plan.path, whatIs(plan));
    taken.set(key, plan);
  }
  for (const [key, plan] of taken)
    for (let at = key; at !== dirname(at); at = dirname(at)) {
      const above = taken.get(dirname(at));
      if (above) throw collision(above, plan.path, whatIs(plan));
    }
  for (const { path, source } of needed) {
    const plan = taken.get(keyOf(path));
    if (plan && !(plan.copyOf && resolve(plan.copyOf.path) === resolve(source)))
      throw collision(plan, path, "external data that a model names");
  }
}

/** What a path and the file there are known by: links and hard links have the same numbers as their file. */
function identitiesOf(path: string): string[] {
  const stat = statOf(path);
  return [resolve(path), ...(stat && stat.ino > 0 ? [`${stat.dev}:${stat.ino}`] : [])];
}

/** Throws: UsageError where a file would take the place of one that is there, or of what is none. */
function checkFree({ path, copyOf }: Plan, { folder, isForced }: Targets): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink()) throw new UsageError(`--out: ${path} is a link; name the file that is meant`);
  if (!isInside(realPath(folder), realPath(path)))
    throw new UsageError(`--out: ${path} would be written outside of ${folder}, through a link in it`);
  if (!there) return;
  if (there.isDirectory()) throw new UsageError(`--out: ${path} is a folder`);
  if (!there.isFile()) throw new UsageError(`--out: ${path} is a device, a pipe or a socket; name a file`);
  if (copyOf)
    throw new UsageError(
      `--out: ${path} is there already; --force overwrites what the command makes, and no copy: move ${path} away, or name another folder`,
    );
  if (!isForced) throw new UsageError(`--out: ${path} is there already; --force overwrites it`);
}

/** Are both there, and the same? */
function isSameContent(file: LazyFile, path: string, files: OpenFiles): boolean {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const other = files.at(path);
  if (other.size !== file.size) return false;
  try {
    for (let at = 0; at < file.size; at += blockSize) {
      const length = Math.min(blockSize, file.size - at);
      if (Buffer.compare(file.read(at, length), other.read(at, length)) !== 0) return false;
    }
    return true;
  } finally {
    file.close();
    other.close();
  }
}

/** The plans that are carried out: without repetitions, and without copies that are there already. */
export function settled(targets: Targets, files: OpenFiles): Plan[] {
  const { needed } = targets;
  const isRepeated = (plan: Plan, other: Plan): boolean =>
    !!plan.copyOf && plan.copyOf.path === other.copyOf?.path && plan.path === other.path;
  const byPath = new Map<string, Plan>();
  const plans = targets.plans.filter((plan) => {
    const other = byPath.get(plan.path);
    byPath.set(plan.path, other ?? plan);
    return !other || !isRepeated(plan, other);
  });
  const missing = plans.filter(({ copyOf, path }) => !copyOf || !isSameContent(copyOf, path, files));
  const read = new Set(targets.inputs.flatMap(identitiesOf));
  const lost = missing.find(({ path }) => identitiesOf(path).some((one) => read.has(one)));
  if (lost) throw new UsageError(`--out: ${lost.path} is what is read; the source is never overwritten`);
  checkApart(plans, needed);
  for (const plan of missing) checkFree(plan, targets);
  return missing;
}
