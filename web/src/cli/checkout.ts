// The other files of a checkout: those that describe positions are updated, all others are copied unchanged.
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { asObject, type Json } from "../base/json.js";
import { followers, type Followed } from "../transformers/model-json.js";
import { UsageError } from "./arguments.js";
import { foldersOf, isHidden, namesBelow } from "./external.js";
import { isFile, isFolder, realPath, type OpenFiles } from "./files.js";
import { planCopy, type Plan } from "./write.js";

/**
 * Returns config.json, tokenizer.json and others next to models and above. Throws UsageError for links out of the
 * folder: an untrusted checkout could have any file of this machine copied.
 */
function othersIn(folder: string, models: readonly string[]): string[] {
  const own = new Set(models.map((path) => resolve(path)));
  const folders = [realPath(folder), ...models.flatMap((path) => foldersOf(path).slice(1))];
  const paths = [folder, join(folder, "onnx")]
    .filter(isFolder)
    .flatMap((one) => readdirSync(one).map((name) => join(one, name)))
    .filter((path) => !isHidden(basename(path)) && isFile(path) && !own.has(resolve(path)));
  for (const path of paths) {
    const names = namesBelow(folders, path);
    if (!names || names.some(isHidden))
      throw new UsageError(`${path}: is a link to ${realPath(path)}, which is not copied; replace it with the file`);
  }
  return paths;
}

const parsed = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
};

function inJson(path: string, value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    throw new UsageError(`${path}: is nested too deeply`);
  }
}

/** A changed value of a JSON file by its path: "model.context_length". undefined: it is removed. */
export type Entry = readonly [path: string, value: unknown];

/** Returns the values that differ. A rotation is one value. */
function entriesOf(path: string, before: Json, after: Json, prefix = ""): Entry[] {
  return Object.keys({ ...before, ...after }).flatMap((name): Entry[] => {
    const [had, has] = [before[name], after[name]];
    if (inJson(path, had) === inJson(path, has)) return [];
    const [from, to] = [asObject(had), asObject(has)];
    if (from && to && !name.startsWith("rope_")) return entriesOf(path, from, to, `${prefix}${name}.`);
    return [[prefix + name, has]];
  });
}

export const entryInWords = ([name, value]: Entry): string =>
  value === undefined ? `${name} is removed` : `${name} is ${JSON.stringify(value)} now`;

/** Returns the content of a file, and that for the options with the values that differ; undefined: it does not follow them. */
export function followedFile(path: string, json: Json, options: Followed, config: Json) {
  const name = basename(path);
  if (!Object.hasOwn(followers, name)) return undefined;
  const after = followers[name]!(json, options, config);
  return { after, entries: entriesOf(path, json, after) };
}

/** Returns the object in a JSON file; undefined: there is none. */
export const objectAt = (path: string): Json | undefined => asObject(parsed(path));

/** Returns the file updated for the options; undefined: unchanged. */
function followed(path: string, target: string, options: Followed): Plan | undefined {
  const [json, config] = [objectAt(path), objectAt(join(dirname(path), "config.json"))];
  const { after, entries } = (json && config && followedFile(path, json, options, config)) ?? {};
  if (!entries?.length) return undefined;
  const bytes = new TextEncoder().encode(`${inJson(path, after, 2)}\n`);
  return { path: target, size: bytes.length, changes: entries.map(entryInWords), chunks: () => [bytes] };
}

/** Returns plans for all files of a checkout except models; `options` are those that changed the models. */
export function planOthers(
  files: OpenFiles,
  folder: string,
  out: string,
  models: readonly string[],
  options: Followed,
): Plan[] {
  return othersIn(folder, models).map((path) => {
    const target = join(out, relative(folder, path));
    return followed(path, target, options) ?? planCopy(files.at(path), target);
  });
}
