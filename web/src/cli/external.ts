// External data: the files with a model's weights. Their names come from the model and are not trusted.
import { lstatSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { isFile, isInside, realPath, type LazyFile, type OpenFiles } from "./files.js";

/**
 * Returns the folders that a model's files may be in: its own, and if the model is a link, the folder of the link's
 * target. The hub's cache consists of links.
 */
export function foldersOf(model: string): string[] {
  const isLink = lstatSync(model, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return [realPath(dirname(model)), ...(isLink ? [dirname(realPath(model))] : [])];
}

/** Returns the path of a file below one of these folders, links resolved; undefined: it is in none of them. */
export function namesBelow(folders: readonly string[], path: string): string[] | undefined {
  const real = realPath(path);
  const folder = folders.find((one) => isInside(one, real));
  return folder === undefined ? undefined : relative(folder, real).split(sep);
}

/** Returns the path of a model's external data; undefined: it is outside the model's folder, which is not allowed. */
export function externalPath(model: string, location: string): string | undefined {
  const inside = normalize(location);
  if (location === "" || location.includes("\0") || isAbsolute(location) || inside.split(sep)[0] === "..")
    return undefined;
  const path = join(dirname(model), inside);
  return namesBelow(foldersOf(model), path) && path;
}

/** Finds a model's external data for `openModel`. */
export const externalDataReader =
  (files: OpenFiles, model: string) =>
  async (location: string): Promise<LazyFile | undefined> => {
    const path = externalPath(model, location);
    return path !== undefined && isFile(path) ? files.at(path) : undefined;
  };

export const isHidden = (name: string): boolean => name.startsWith(".");

/** Returns why external data cannot be copied next to the model `target`; undefined: they can. */
export function whyNotCopied(model: string, target: string, location: string): string | undefined {
  const [source, copy] = [externalPath(model, location), externalPath(target, location)];
  const names = location.split(/[\\/]/);
  if (source === undefined || names.includes("..")) return "are outside its folder, by name or through a link";
  if (copy === undefined) return `would be written outside ${dirname(target)}, through a link in it`;
  if (/[\x00-\x1f\x7f-\x9f]/.test(location)) return "have a name with control characters";
  const real = namesBelow(foldersOf(model), source)!;
  if ([...names.filter((name) => name !== "."), ...real].some(isHidden))
    return "have a hidden name (it begins with a dot)";
  return undefined;
}
