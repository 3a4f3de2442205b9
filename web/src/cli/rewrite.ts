// posenc rewrite: writes a model with other positions, or a checkout with all of its models.
import { basename, dirname, join, relative } from "node:path";
import { PosencError } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import type { ChangedModel } from "../onnx/rewrite/changed.js";
import { firstError, type UnusedOption } from "../onnx/rewrite/unused.js";
import type { OnnxModel } from "../onnx/model.js";
import type { Library, RewriteOptions } from "../onnx/options.js";
import { whatIsLost, type Followed } from "../transformers/model-json.js";
import { optionsOf } from "../transformers/text-graph.js";
import { Given, UsageError, type OptionKinds } from "./arguments.js";
import { planOthers } from "./checkout.js";
import { changeOptions, choicesOf, inProgramWords, isForAll, optionOfField } from "./choices.js";
import { externalDataReader, externalPath, whyNotCopied } from "./external.js";
import { followedBy } from "./followed.js";
import { isFile, isFolder, isInside, modelsAt, nearestConfig, OpenFiles, realPath, statOf } from "./files.js";
import { jsonLines, watched } from "./inspect.js";
import { Progress } from "./progress.js";
import { positionsInLines } from "./report.js";
import { settled, type Needed } from "./targets.js";
import type { Tools } from "./tools.js";
import { readingError, sizeInWords } from "./words.js";
import { planCopy, writeAll, type Plan } from "./write.js";

export const rewriteOptions: OptionKinds = {
  out: "value",
  "no-config": "flag",
  force: "flag",
  json: "flag",
  progress: "flag",
  help: "flag",
  ...changeOptions,
};

/** A rewritten model, possibly unchanged. */
interface Rewritten {
  readonly path: string;
  readonly target: string;
  readonly changed: ChangedModel;
  /** Files with its weights. */
  readonly locations: readonly string[];
  readonly options: RewriteOptions;
  /** Options for its other files. */
  readonly followed: Followed;
  readonly config: Json | undefined;
}

/** Returns the message of an error, with the option that it is about. */
function inOptions({ code, field, message }: PosencError, given: Given): string {
  if (code === "load-failed") return readingError(message);
  const option = optionOfField(field, given, message.startsWith(`${field}: required by `));
  if (option === undefined) return message;
  const prefix = [option, field].map((name) => `${name}: `).find((name) => message.startsWith(name)) ?? "";
  return `--${option}: ${inProgramWords(message.slice(prefix.length))}`;
}

class Rewriting {
  readonly files = new OpenFiles();
  readonly progress: Progress;
  /** Files that are never overwritten. */
  readonly inputs: string[] = [];
  constructor(
    readonly given: Given,
    readonly tools: Tools,
    readonly pe: Library,
  ) {
    this.progress = new Progress(tools, given.has("progress"));
    if (given.has("config")) this.inputs.push(given.text("config")!);
  }

  /** Rewrites a model. Options may have no effect on it. */
  async model(path: string, target: string): Promise<Rewritten> {
    const { given, tools, files, pe } = this;
    if (/\.gguf$/i.test(path))
      throw new UsageError(
        `${path}: GGUF files are only inspected; llama.cpp takes --rope-scaling and --rope-freq-base when it runs`,
      );
    try {
      const model = await tools.openModel(watched(files.at(path), this.progress), {
        externalData: externalDataReader(files, path),
      });
      const config = given.has("no-config") ? undefined : nearestConfig(path, tools.log);
      const choices = choicesOf(given, model, pe, config?.json);
      const options = isFolder(given.paths[0]!) ? optionsOf(path, choices) : choices;
      if (Object.keys(choices).length === 0)
        throw new UsageError(
          "rewrite: nothing to change; give --yarn 4, --length 8192, --fix all … (posenc --help lists them)",
        );
      this.remarkBases(path, model);
      const changed = await model.rewrite(pe, { ...options, partial: true });
      const locations = model.externalLocations;
      this.inputs.push(path, ...locations.flatMap((location) => externalPath(path, location) ?? []));
      if (config) this.inputs.push(config.path);
      // A fix makes the model match its config.json.
      const { rotary: fixed, ...others } = options;
      const followed = given.has("fix") && fixed ? others : followedBy(options, model.positions, config?.json);
      return { path, target, changed, locations, options, followed, config: asObject(config?.json) };
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      throw new PosencError(error.code, `${path}: ${inOptions(error, given)}`, error.field);
    }
  }

  /** Warns if rotations of different bases all change: layers of two kinds are seldom scaled alike. */
  private remarkBases(path: string, { positions }: OnnxModel): void {
    const rotations = positions.flatMap(({ family, spec }) =>
      family === "rotary" && spec && "base" in spec ? [spec.base] : [],
    );
    if (new Set(rotations).size < 2 || this.given.has("component") || !isForAll(this.given)) return;
    const bases = [...new Set(rotations)].join(" and ");
    this.tools.log(
      `posenc: ${path} has rotations of base ${bases}, and all are changed; --component N changes one (posenc inspect lists the numbers)`,
    );
  }

  /** Returns the plan of a model, whose positions are read again before and after it gets its final name. */
  private planOf({ target, changed, path }: Rewritten): Plan {
    const positionsAt = async (file: string, model: string): Promise<string[]> => {
      const files = new OpenFiles();
      try {
        const { positions } = await this.tools.openModel(files.at(file), {
          externalData: externalDataReader(files, model),
        });
        return positionsInLines(positions);
      } finally {
        files.close();
      }
    };
    let before: string[];
    return {
      path: target,
      size: changed.size,
      changes: changed.changes.map(({ name, what }) => inProgramWords(`${name} ${what}`)),
      chunks: () => changed.chunks(),
      check: async (temporary) => void (before = await positionsAt(temporary, path)),
      reread: async () => {
        const positions = await positionsAt(target, target);
        if (positions.join("\n") === before.join("\n")) return positions;
        throw new PosencError("load-failed", `${target}: the positions in the file are not the written ones`, "source");
      },
    };
  }

  /** Returns the external data that a model needs at its new path. */
  private neededBy({ path, target, locations }: Rewritten): Needed[] {
    const isThere = realPath(dirname(path)) === realPath(dirname(target));
    return locations.flatMap((location) => {
      const why = isThere ? undefined : whyNotCopied(path, target, location);
      if (why !== undefined) {
        const what = `its external data ${JSON.stringify(location)} ${why}; write into the model's own folder, or save the model with other names`;
        throw new PosencError("unsupported", `${path}: ${what}`, "source");
      }
      const [source, needed] = [externalPath(path, location), externalPath(target, location)];
      return source === undefined || needed === undefined ? [] : [{ source, path: needed }];
    });
  }

  private copiesFor(needed: readonly Needed[]): Plan[] {
    return needed.flatMap(({ source, path }) => {
      if (realPath(source) === realPath(path)) return [];
      if (isFile(source)) return [planCopy(this.files.at(source), path)];
      this.tools.log(`posenc: ${source}, which has weights of the model, is missing; put it at ${path}`);
      return [];
    });
  }

  /** Writes these models and other files into a folder. */
  async write(models: readonly Rewritten[], folder: string, others: readonly Plan[] = []): Promise<void> {
    const { given, tools, inputs, progress } = this;
    const needed = models.flatMap((model) => this.neededBy(model));
    const all = [...others, ...this.copiesFor(needed), ...models.map((model) => this.planOf(model))];
    inputs.push(...all.flatMap(({ copyOf }) => copyOf?.path ?? []));
    const plans = settled({ plans: all, needed, inputs, folder, isForced: given.has("force") }, this.files);
    const isJson = given.has("json");
    tools.print(isJson ? planInJson(plans, tools.version) : planInLines(plans));
    const lines = await writeAll(plans, progress);
    if (!isJson) tools.print(lines);
  }
}

const planInLines = (plans: readonly Plan[]): string[] => [
  `writes ${plans.length} ${plans.length === 1 ? "file" : "files"}:`,
  ...plans.map(
    ({ path, size, copyOf }) => `  ${path} (${sizeInWords(size)})${copyOf ? `, a copy of ${copyOf.path}` : ""}`,
  ),
];

const planInJson = (plans: readonly Plan[], posenc: string): string[] =>
  jsonLines({
    posenc,
    files: plans.map(({ path, size, copyOf, changes }) => ({
      ...{ file: path, bytes: size },
      ...(copyOf && { copyOf: copyOf.path }),
      ...(changes && { changes }),
    })),
  });

async function rewriteFolder(rewriting: Rewriting, folder: string, out: string): Promise<void> {
  const [from, to] = [realPath(folder), realPath(out)];
  if (from === to || isInside(from, to))
    throw new UsageError(`--out: ${out} is inside the source folder; choose another one`);
  if (statOf(out) && !isFolder(out)) throw new UsageError(`--out: ${out} must be a folder, as ${folder} is`);
  const paths = modelsAt(folder).filter((path) => path.endsWith(".onnx"));
  if (paths.length === 0) throw new UsageError(`${folder}: has only GGUF files, which are only inspected`);
  const models: Rewritten[] = [];
  for (const path of paths) models.push(await rewriting.model(path, join(out, relative(folder, path))));
  rejectUnused(models, folder, rewriting.given);
  const first = models.find(({ changed }) => changed.changes.length > 0);
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
  const isUsed = ({ option }: UnusedOption): boolean =>
    models.some(
      ({ options, changed: { unused } }) =>
        options[option] !== undefined && !unused.some((one) => one.option === option),
    );
  const unused = models.flatMap(({ changed }) => changed.unused).filter((one) => !isUsed(one));
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
  if (model.changed.changes.length === 0) throw nothing(path);
  await rewriting.write([model], dirname(target));
}

/** Returns the exit code 0, or throws. */
export async function rewrite(words: readonly string[], tools: Tools): Promise<number> {
  const given = new Given(words, rewriteOptions);
  const [path, second] = given.paths;
  if (path === undefined) throw new UsageError("rewrite: name a model (.onnx) or a folder with models");
  if (second !== undefined) throw new UsageError(`rewrite: takes one model, got ${path} and ${second}`);
  const out = given.text("out");
  if (out === undefined) throw new UsageError("rewrite: -o is required: the file or folder to write");
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
