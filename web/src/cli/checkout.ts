// The files of a checkout that are no models: those that speak of positions follow, all others are as they were.
import { readFileSync, readdirSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { asObject } from "../base/json.js";
import type { RewriteOptions } from "../onnx/options.js";
import { followers } from "../transformers/model-json.js";
import { isFile, isFolder, type OpenFiles } from "./files.js";
import { printable } from "./words.js";
import { copyOf, type Plan } from "./write.js";

/** config.json, tokenizer.json … beside models and above. */
function othersIn(folder: string, models: ReadonlySet<string>): string[] {
  return [folder, join(folder, "onnx")]
    .filter(isFolder)
    .flatMap((one) => readdirSync(one).map((name) => join(one, name)))
    .filter((path) => !basename(path).startsWith(".") && isFile(path) && !models.has(resolve(path)));
}

const parsed = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
};

/** The file with what follows from the options; undefined: nothing does. */
function followed(
  path: string,
  target: string,
  options: RewriteOptions,
  print: (text: string) => void,
): Plan | undefined {
  const follow = Object.hasOwn(followers, basename(path)) ? followers[basename(path)] : undefined;
  const [json, config] = [asObject(parsed(path)), asObject(parsed(join(dirname(path), "config.json")))];
  if (!follow || !json || !config) return undefined;
  const after = follow(json, options, config);
  const changes = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(json[name]));
  if (changes.length === 0) return undefined;
  const bytes = new TextEncoder().encode(`${JSON.stringify(after, null, 2)}\n`);
  const check = async (): Promise<void> =>
    print(
      [target, ...changes.map(([name, value]) => `  ${name} is ${JSON.stringify(value)} now`)]
        .map(printable)
        .join("\n"),
    );
  return { path: target, size: bytes.length, chunks: () => [bytes], check };
}

/** All of a checkout but its models; `options` are those that changed these. */
export function planOthers(
  files: OpenFiles,
  folder: string,
  out: string,
  models: readonly string[],
  options: RewriteOptions,
  print: (text: string) => void,
): Plan[] {
  return othersIn(folder, new Set(models.map((path) => resolve(path)))).map((path) => {
    const target = join(out, relative(folder, path));
    return followed(path, target, options, print) ?? copyOf(files.at(path), target);
  });
}
