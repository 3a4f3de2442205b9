// Reads files of a checkout: models, their other files, configs.
import { closeSync, openSync, readFileSync, readdirSync, readSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PosencError } from "../base/errors.js";
import type { RandomAccess } from "../base/source.js";
import { UsageError } from "./arguments.js";

/** Returns undefined if nothing exists at the path, or a link without target. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") return undefined;
    throw error;
  }
}
export const isFile = (path: string): boolean => statOf(path)?.isFile() === true;
export const isFolder = (path: string): boolean => statOf(path)?.isDirectory() === true;

/** Resolves links in the part of a path that exists. */
export function realPath(path: string): string {
  const missing: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      return join(realpathSync(at), ...missing);
    } catch {
      if (dirname(at) === at) return resolve(path);
      missing.unshift(basename(at));
    }
  }
}

/** Whether a path is below a folder; both are results of `realPath`. */
export function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== "" && inside.split(sep)[0] !== ".." && !isAbsolute(inside);
}

/** Whether an error comes from files or disks; all others are bugs. */
export const isExpected = (error: unknown): error is Error & { code: string } =>
  error instanceof PosencError ||
  (error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === "string");

/** A file that is opened when it is first read. */
export class LazyFile implements RandomAccess {
  private handle: number | undefined;
  constructor(
    readonly path: string,
    readonly size: number,
    private readonly opened: Set<LazyFile>,
  ) {}
  read(offset: number, length: number): Uint8Array {
    this.handle ??= openSync(this.path, "r");
    this.opened.add(this);
    const bytes = new Uint8Array(length);
    let filled = 0;
    while (filled < length) {
      const got = readSync(this.handle, bytes, filled, length - filled, offset + filled);
      // The file was truncated after it was opened.
      if (got === 0) return bytes.subarray(0, filled);
      filled += got;
    }
    return bytes;
  }
  close(): void {
    if (this.handle !== undefined) closeSync(this.handle);
    this.handle = undefined;
  }
}

/** The open files of a command. */
export class OpenFiles {
  private readonly opened = new Set<LazyFile>();
  at(path: string): LazyFile {
    const stat = statOf(path);
    if (!stat) throw new UsageError(`${path}: there is no such file`);
    if (!stat.isFile()) throw new UsageError(`${path}: must be a regular file, not a folder, device or pipe`);
    return new LazyFile(path, stat.size, this.opened);
  }
  close(): void {
    for (const file of this.opened) file.close();
    this.opened.clear();
  }
}

/** A config.json and its path. */
export interface Config {
  readonly path: string;
  readonly json: unknown;
}

/** Reads a config. Throws UsageError if it cannot be read or is not valid JSON. */
export function readConfig(path: string, name: string): Config {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${name}: cannot read ${path} (${(error as NodeJS.ErrnoException).code})`);
  }
  try {
    return { path, json: JSON.parse(text) };
  } catch (error) {
    throw new UsageError(`${name}: ${path} is not valid JSON (${(error as Error).message})`);
  }
}

/** Returns config.json next to a model or above it. Reports and ignores one that cannot be read. */
export function nearestConfig(model: string, log: (text: string) => void): Config | undefined {
  const folders = [dirname(model), join(dirname(model), "..")];
  const path = folders.map((folder) => join(folder, "config.json")).find(isFile);
  if (path === undefined) return undefined;
  try {
    return readConfig(path, "config.json");
  } catch (error) {
    log(`posenc: ${(error as Error).message}; ignored`);
    return undefined;
  }
}

/** Hidden files are not models: macOS creates "._model.onnx" next to "model.onnx". */
const isModel = (name: string): boolean => /^[^.].*\.(onnx|gguf)$/is.test(name);

/** Returns a model, or those in a folder and its subfolder `onnx`. Throws UsageError if there are none. */
export function modelsAt(path: string): string[] {
  const stat = statOf(path);
  if (!stat) throw new UsageError(`${path}: there is no such file or folder`);
  if (!stat.isDirectory()) return [path];
  const found = [path, join(path, "onnx")]
    .filter(isFolder)
    .flatMap((folder) =>
      readdirSync(folder)
        .filter(isModel)
        .sort()
        .map((name) => join(folder, name)),
    )
    .filter(isFile);
  if (found.length === 0) throw new UsageError(`${path}: has no .onnx or .gguf file, nor does its subfolder onnx`);
  return found;
}
