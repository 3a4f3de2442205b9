// Checks all files to write before any is written.
import { lstatSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { UsageError } from "./arguments.js";
import { isInside, realPath, statOf, type LazyFile, type OpenFiles } from "./files.js";
import { blockSize, type Plan } from "./write.js";

/** A file that a model needs at a path. */
export interface Needed {
  readonly path: string;
  /** The file to copy there. */
  readonly source: string;
}

export interface Targets {
  readonly plans: readonly Plan[];
  readonly needed: readonly Needed[];
  /** Files that were read. They are never overwritten. */
  readonly inputs: readonly string[];
  /** Nothing is written outside this folder. */
  readonly folder: string;
  /** Whether results overwrite existing files. Copies never do. */
  readonly isForced: boolean;
}

/** Equal for paths that are one file on some system: ignores case, Unicode form, and dots and spaces at the end. */
function keyOf(path: string): string {
  const names = realPath(path).replaceAll(/[. ]+(?=[\\/]|$)/g, "");
  return names.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}

const whatIs = ({ copyOf }: Plan): string => (copyOf ? `a copy of ${copyOf.path}` : "the result");

const collision = (plan: Plan, path: string, what: string): UsageError =>
  new UsageError(
    `--out: ${plan.path} (${whatIs(plan)}) and ${path} (${what}) would be the same file; choose another name, or rename the model's external data`,
  );

/** Throws UsageError if two paths would be the same file, or a file and a folder. */
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

/** Returns identities of a path and its file: links and hard links have the inode of their file. */
function identitiesOf(path: string): string[] {
  const stat = statOf(path);
  return [resolve(path), ...(stat && stat.ino > 0 ? [`${stat.dev}:${stat.ino}`] : [])];
}

/** Throws UsageError if a file would replace an existing one, or something that is not a file. */
function checkFree({ path, copyOf }: Plan, { folder, isForced }: Targets): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isSymbolicLink()) throw new UsageError(`--out: ${path} is a link; name its target`);
  if (!isInside(realPath(folder), realPath(path)))
    throw new UsageError(`--out: ${path} would be written outside ${folder}, through a link in it`);
  if (!there) return;
  if (there.isDirectory()) throw new UsageError(`--out: ${path} is a folder`);
  if (!there.isFile()) throw new UsageError(`--out: ${path} is a device, a pipe or a socket; name a file`);
  if (copyOf)
    throw new UsageError(
      `--out: ${path} already exists; --force does not overwrite it with a copy: move ${path} away, or choose another folder`,
    );
  if (!isForced) throw new UsageError(`--out: ${path} already exists; --force overwrites it`);
}

/** Whether both files exist with the same content. */
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

/** Returns the plans to execute, without repetitions and copies that already exist. */
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
  if (lost) throw new UsageError(`--out: ${lost.path} is an input; inputs are never overwritten`);
  checkApart(plans, needed);
  for (const plan of missing) checkFree(plan, targets);
  return missing;
}
