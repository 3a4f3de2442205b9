// External data: the files that a model names for its weights. What a model says of itself is not to be trusted.
import { lstatSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import { isFile, isInside, realPath, type LazyFile, type OpenFiles } from "./files.js";

/**
 * The folders that a model's files may be in: its own, and where the model itself is a link, the one that it leads to: the
 * hub's cache has links in place of all files.
 */
export function foldersOf(model: string): string[] {
  const isLink = lstatSync(model, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return [realPath(dirname(model)), ...(isLink ? [dirname(realPath(model))] : [])];
}

/** The names of a file below one of these folders, links followed; undefined: it is in none of them. */
export function namesBelow(folders: readonly string[], path: string): string[] | undefined {
  const real = realPath(path);
  const folder = folders.find((one) => isInside(one, real));
  return folder === undefined ? undefined : relative(folder, real).split(sep);
}

/** Where a model's external data lie; undefined: outside of its folder, where they have no business. */
export function placeOf(model: string, location: string): string | undefined {
  const inside = normalize(location);
  if (location === "" || location.includes("\0") || isAbsolute(location) || inside.split(sep)[0] === "..")
    return undefined;
  const path = join(dirname(model), inside);
  return namesBelow(foldersOf(model), path) && path;
}

/** Finds a model's external data, as `openModel` asks for them. */
export const dataBeside =
  (files: OpenFiles, model: string) =>
  async (location: string): Promise<LazyFile | undefined> => {
    const path = placeOf(model, location);
    return path !== undefined && isFile(path) ? files.at(path) : undefined;
  };

export const isHidden = (name: string): boolean => name.startsWith(".");

/** Why external data are not copied to where the model `target` will be; undefined: they are. */
export function whyNotCopied(model: string, target: string, location: string): string | undefined {
  const [source, copy] = [placeOf(model, location), placeOf(target, location)];
  const names = location.split(/[\\/]/);
  if (source === undefined || names.includes("..")) return "lie outside of its folder, by their name or through a link";
  if (copy === undefined) return `would be written outside of ${dirname(target)}, through a link in it`;
  if (/[\x00-\x1f\x7f-\x9f]/.test(location)) return "have a name with control characters in it";
  const real = namesBelow(foldersOf(model), source)!;
  if ([...names.filter((name) => name !== "."), ...real].some(isHidden))
    return "have a hidden name, one that begins with a dot";
  return undefined;
}
