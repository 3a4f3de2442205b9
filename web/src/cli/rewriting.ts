// The work of posenc rewrite: models are rewritten, and planned files are written or explained.
import { dirname } from "node:path";
import { PosencError } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import type { ChangedModel } from "../onnx/rewrite/changed.js";
import { changeNames, type ChangeOption } from "../onnx/rewrite/unused.js";
import type { PositionalComponent } from "../onnx/component.js";
import type { OnnxModel } from "../onnx/model.js";
import type { Library, RewriteOptions } from "../onnx/options.js";
import type { FileSource } from "../base/source.js";
import { type Followed } from "../transformers/model-json.js";
import { isTextGraph, optionsOf } from "../transformers/text-graph.js";
import { Given, UsageError } from "./arguments.js";
import { choicesOf, inProgramWords, isForAll, optionOfField } from "./choices.js";
import { externalDataReader, externalPath, whyNotCopied } from "./external.js";
import { componentsInLines, elsewhere, elsewhereInLines, pairedComponents, type ChangedComponent } from "./explain.js";
import { followedBy } from "./followed.js";
import { isFile, isFolder, nearestConfig, OpenFiles, realPath } from "./files.js";
import { watched } from "./inspect.js";
import { Progress } from "./progress.js";
import { positionsInLines } from "./report.js";
import { planInJson, planInLines } from "./planned.js";
import { settled, type Needed } from "./targets.js";
import type { Tools } from "./tools.js";
import { readingError } from "./words.js";
import { planCopy, writeAll, type Plan } from "./write.js";

/** A rewritten model, possibly unchanged. */
export interface Rewritten {
  readonly path: string;
  /** The components before the rewrite. */
  readonly positions: readonly PositionalComponent[];
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

export class Rewriting {
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
      const { positions } = model;
      return { path, target, positions, changed, locations, options, followed, config: asObject(config?.json) };
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

  /** Returns the components of a file whose external data are next to `path`. */
  private async positionsIn(path: string, sourceIn: (files: OpenFiles) => FileSource) {
    const files = new OpenFiles();
    try {
      const { positions } = await this.tools.openModel(sourceIn(files), {
        externalData: externalDataReader(files, path),
      });
      return positions;
    } finally {
      files.close();
    }
  }

  /** Returns the plan of a model, whose positions are read again before and after it gets its final name. */
  private planOf({ target, changed, path }: Rewritten): Plan {
    const positionsAt = async (file: string, model: string): Promise<string[]> =>
      positionsInLines(await this.positionsIn(model, (files) => files.at(file)));
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
    const plans = given.has("out")
      ? settled({ plans: all, needed, inputs, folder, isForced: given.has("force") }, this.files)
      : all.filter(({ copyOf }) => !copyOf);
    const isJson = given.has("json");
    if (given.has("explain")) return tools.print(await this.explained(models, plans));
    tools.print(isJson ? planInJson(plans, tools.version) : planInLines(plans));
    const lines = await writeAll(plans, progress);
    if (!isJson) tools.print(lines);
  }

  /** Returns the planned changes, and the same changes for other programs. Writes nothing. */
  private async explained(models: readonly Rewritten[], plans: readonly Plan[]): Promise<string[]> {
    const { given, tools } = this;
    const components = new Map<string, ChangedComponent[]>();
    for (const { path, target, positions, changed } of models)
      components.set(target, pairedComponents(positions, await this.positionsIn(path, () => changed)));
    const texts = models.filter(({ path }) => models.length === 1 || isTextGraph(path));
    const { target, ...first } = texts.find(hasChanges) ?? models.find(hasChanges)!;
    const others = [...changeNames, "attention" as const].filter(
      (option) => option !== "rotary" && !(option === "length" && isUsed(models, "rotary")) && isUsed(models, option),
    );
    const same = elsewhere({
      ...first,
      rotary: isUsed(models, "rotary") ? first.options.rotary : undefined,
      components: components.get(target)!,
      others: [...new Set(others.map((option) => `--${optionOfField(option, given)}`))],
    });
    if (given.has("json")) return planInJson(plans, tools.version, components, same);
    const lines = plans.flatMap(({ path, changes }) => {
      const table = components.get(path);
      return changes
        ? ["", path, ...changes.map((line) => `  ${line}`), ...(table ? componentsInLines(table) : [])]
        : [];
    });
    const files = given.has("out") ? planInLines(plans, "would write") : ["writes nothing"];
    return [...files, ...lines, "", ...elsewhereInLines(same)];
  }
}

export const hasChanges = ({ changed }: Rewritten): boolean => changed.changes.length > 0;

/** Whether an option has an effect on any of the models. */
export const isUsed = (models: readonly Rewritten[], option: ChangeOption | "attention"): boolean =>
  models.some(
    ({ options, changed: { unused } }) => options[option] !== undefined && !unused.some((one) => one.option === option),
  );
