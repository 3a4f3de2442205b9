// posenc rewrite: writes a model with other positions, or a checkout with all of its models.
import { basename, dirname, join, relative } from "node:path";
import { PosencError } from "../base/errors.js";
import { firstError } from "../onnx/rewrite/unused.js";
import { whatIsLost } from "../transformers/model-json.js";
import { Given, UsageError, type OptionKinds } from "./arguments.js";
import { planOthers } from "./checkout.js";
import { changeOptions, inProgramWords, optionOfField } from "./choices.js";
import { isFile, isFolder, isInside, modelsAt, realPath, statOf } from "./files.js";
import type { Tools } from "./tools.js";
import { type Plan } from "./write.js";

import { hasChanges, isUsed, Rewriting, type Rewritten } from "./rewriting.js";

export const rewriteOptions: OptionKinds = {
  out: "value",
  "no-config": "flag",
  explain: "flag",
  force: "flag",
  json: "flag",
  progress: "flag",
  help: "flag",
  ...changeOptions,
};

/** Throws UsageError if a folder cannot be written to this place. */
function checkFolder(folder: string, out: string): void {
  const [from, to] = [realPath(folder), realPath(out)];
  if (from === to || isInside(from, to))
    throw new UsageError(`--out: ${out} is inside the source folder; choose another one`);
  if (statOf(out) && !isFolder(out)) throw new UsageError(`--out: ${out} must be a folder, as ${folder} is`);
}

async function rewriteFolder(rewriting: Rewriting, folder: string, out: string): Promise<void> {
  if (rewriting.given.has("out")) checkFolder(folder, out);
  const paths = modelsAt(folder).filter((path) => path.endsWith(".onnx"));
  if (paths.length === 0) throw new UsageError(`${folder}: has only GGUF files, which are only inspected`);
  const models: Rewritten[] = [];
  for (const path of paths) models.push(await rewriting.model(path, join(out, relative(folder, path))));
  rejectUnused(models, folder, rewriting.given);
  const first = models.find(hasChanges);
  if (!first) throw nothing(folder);
  const others = planOthers(rewriting.files, folder, out, paths, first.followed);
  remarkConfig(first, others, rewriting.tools);
  await rewriting.write(models, out, others);
}

/** Reports a rotation or bias that config.json cannot describe. */
function remarkConfig({ followed, config }: Rewritten, others: readonly Plan[], { log }: Tools): void {
  const plan = others.find(({ path }) => basename(path) === "config.json");
  const lost = plan && config && whatIsLost(config, followed);
  if (!lost) return;
  log(
    `posenc: ${plan.path} keeps its ${lost}: config.json cannot describe the new one; edit it, or inspect with --no-config`,
  );
}

/** Throws for an option without effect on any of the models of a file or folder. */
function rejectUnused(models: readonly Rewritten[], path: string, given: Given): void {
  const unused = models.flatMap(({ changed }) => changed.unused).filter(({ option }) => !isUsed(models, option));
  // In a folder, config.json has the length if the graphs do not.
  const hasConfig = isFolder(path) && isFile(join(path, "config.json"));
  const first = hasConfig ? firstError(models[0]!.options, unused) : unused[0];
  if (!first) return;
  const { option, reason } = first;
  const message = `${path}: --${optionOfField(option, given)}: ${inProgramWords(reason)}`;
  throw new PosencError("unsupported", message, option);
}

const nothing = (path: string): PosencError =>
  new PosencError("unsupported", `${path}: has nothing that these options change; see posenc inspect ${path}`);

async function rewriteFile(rewriting: Rewriting, path: string, out: string): Promise<void> {
  const target = isFolder(out) || /[\\/]$/.test(out) ? join(out, basename(path)) : out;
  const model = await rewriting.model(path, target);
  rejectUnused([model], path, rewriting.given);
  if (!hasChanges(model)) throw nothing(path);
  await rewriting.write([model], dirname(target));
}

/** Returns the exit code 0, or throws. */
export async function rewrite(words: readonly string[], tools: Tools): Promise<number> {
  const given = new Given(words, rewriteOptions);
  const [path, second] = given.paths;
  if (path === undefined) throw new UsageError("rewrite: name a model (.onnx) or a folder with models");
  if (second !== undefined) throw new UsageError(`rewrite: takes one model, got ${path} and ${second}`);
  // Without writing, files keep their names.
  const out = given.text("out") ?? (given.has("explain") ? path : undefined);
  if (out === undefined)
    throw new UsageError("rewrite: -o is required: the file or folder to write; --explain writes nothing");
  if (given.has("config") && given.has("no-config"))
    throw new UsageError("--config and --no-config exclude each other");
  const rewriting = new Rewriting(given, tools, await tools.library());
  try {
    await (isFolder(path) ? rewriteFolder : rewriteFile)(rewriting, path, out);
    return 0;
  } finally {
    rewriting.progress.end();
    rewriting.files.close();
  }
}
