// The other files of a checkout: those that describe positions are updated, all others are copied unchanged.
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { asObject } from "../base/json.js";
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

/** Returns the file updated for the options; undefined: unchanged. */
function followed(path: string, target: string, options: Followed): Plan | undefined {
  const follow = Object.hasOwn(followers, basename(path)) ? followers[basename(path)] : undefined;
  const [json, config] = [asObject(parsed(path)), asObject(parsed(join(dirname(path), "config.json")))];
  if (!follow || !json || !config) return undefined;
  const after = follow(json, options, config);
  const changed = Object.keys(after).filter((name) => inJson(path, after[name]) !== inJson(path, json[name]));
  if (changed.length === 0) return undefined;
  const changes = changed.map((name) => `${name} is ${inJson(path, after[name])} now`);
  const bytes = new TextEncoder().encode(`${inJson(path, after, 2)}\n`);
  return { path: target, size: bytes.length, changes, chunks: () => [bytes] };
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
