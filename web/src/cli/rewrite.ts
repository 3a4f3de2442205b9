// posenc rewrite: a model with other positions, or a checkout with all of its models.
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { PosencError } from "../base/errors.js";
import type { ChangedModel } from "../onnx/changed.js";
import type { OnnxModel } from "../onnx/model.js";
import type { Library, RewriteOptions } from "../onnx/options.js";
import { Given, UsageError, type OptionKinds } from "./arguments.js";
import { planOthers } from "./checkout.js";
import { changeOptions, choicesOf, isForAll, optionBehind } from "./choices.js";
import { dataBeside, isFile, isFolder, modelsAt, nearestConfig, OpenFiles, placeOf } from "./files.js";
import { isExpected, watched } from "./inspect.js";
import { Progress } from "./progress.js";
import { positionsInLines } from "./report.js";
import type { Tools } from "./tools.js";
import { checkPlans, copyOf, isSameContent, writeAll, type Plan } from "./write.js";
import { printable } from "./words.js";

export const rewriteOptions: OptionKinds = {
  out: "value",
  force: "flag",
  progress: "flag",
  help: "flag",
  ...changeOptions,
};

/** One model that is changed, or not. */
interface Rewritten {
  readonly path: string;
  readonly target: string;
  readonly changed: ChangedModel;
  /** The files beside it that its weights lie in. */
  readonly locations: readonly string[];
  readonly options: RewriteOptions;
}

/** The sentence of an error, with the option that it is about. */
function inOptions({ code, field, message }: PosencError, given: Given): string {
  if (code === "load-failed") return message.replace(/^source: /, "");
  const option = optionBehind(field, given);
  if (option === undefined) return message;
  return message.startsWith(`${option}:`) ? `--${message}` : `--${option}: ${message}`;
}

class Rewriting {
  readonly files = new OpenFiles();
  readonly progress: Progress;
  /** What is never overwritten. */
  readonly read: string[] = [];
  constructor(
    readonly given: Given,
    readonly tools: Tools,
    readonly pe: Library,
  ) {
    this.progress = new Progress(tools.say, tools.isTerminal, given.has("progress"));
  }

  async model(path: string, target: string): Promise<Rewritten> {
    const { given, tools, files, pe } = this;
    if (/\.gguf$/i.test(path))
      throw new UsageError(
        `${path}: GGUF files are only inspected; llama.cpp takes --rope-scaling and --rope-freq-base when it runs`,
      );
    try {
      const model = await tools.openModel(watched(files.at(path), this.progress), {
        externalData: dataBeside(files, path),
      });
      const options = choicesOf(given, model, pe, nearestConfig(path, tools.say)?.json);
      if (Object.keys(options).length === 0)
        throw new UsageError(
          "rewrite: nothing to change; give --yarn 4, --length 8192, --mend all … (posenc --help lists them)",
        );
      this.remarkBases(path, model);
      const changed = await model.rewrite(pe, options);
      const locations = model.externalLocations;
      this.read.push(path, ...locations.flatMap((location) => placeOf(path, location) ?? []));
      return { path, target, changed, locations, options };
    } catch (error) {
      if (!(error instanceof PosencError)) throw error;
      throw new PosencError(error.code, `${path}: ${inOptions(error, given)}`, error.field);
    }
  }

  /** Layers of two kinds are seldom scaled alike. */
  private remarkBases(path: string, { positions }: OnnxModel): void {
    const rotations = positions.flatMap(({ family, spec }) =>
      family === "rotary" && spec && "base" in spec ? [spec.base] : [],
    );
    if (new Set(rotations).size < 2 || this.given.has("carrier") || !isForAll(this.given)) return;
    const bases = [...new Set(rotations)].join(" and ");
    this.tools.say(
      `posenc: ${path} has rotations of base ${bases}, and all are changed; --carrier N changes one (posenc inspect numbers them)\n`,
    );
  }

  /** The model, read once more before it gets its name. */
  private planOf({ target, changed, path }: Rewritten): Plan {
    return {
      path: target,
      size: changed.size,
      chunks: () => changed.chunks(),
      check: async (temporary) => {
        const written = new OpenFiles();
        try {
          const externalData = dataBeside(this.files, path);
          const { positions } = await this.tools.openModel(written.at(temporary), { externalData });
          this.tellModel(target, changed, positionsInLines(positions));
        } finally {
          written.close();
        }
      },
    };
  }

  private tellModel(target: string, { changes }: ChangedModel, positions: readonly string[]): void {
    this.progress.end();
    const told = changes.map(({ name, what }) => printable(`  ${name} ${what}`));
    this.tools.print([printable(target), ...told, ...positions.map(printable)].join("\n"));
  }

  /** External data that a model needs where it will be. */
  private dataOf({ path, target, locations }: Rewritten): Plan[] {
    const [from, to] = [dirname(path), dirname(target)];
    if (resolve(from) === resolve(to)) return [];
    return locations.flatMap((location) => {
      const [source, copy] = [placeOf(path, location), placeOf(target, location)];
      if (source === undefined || copy === undefined) {
        const what = `${path}: its external data "${location}" lie outside of its folder`;
        throw new PosencError("unsupported", what, "source");
      }
      if (!isFile(source)) {
        const what = `${printable(location)}, which has weights of ${path}, is not here: put it beside ${target}`;
        this.tools.say(`posenc: ${what}\n`);
        return [];
      }
      const file = this.files.at(source);
      return isSameContent(file, copy, (one) => this.files.at(one)) ? [] : [copyOf(file, copy)];
    });
  }

  /** All that is to be written for these models. */
  plans(models: readonly Rewritten[]): Plan[] {
    const all = models.flatMap((model) => [...this.dataOf(model), this.planOf(model)]);
    return all.filter(({ path }, i) => all.findIndex((other) => other.path === path) === i);
  }
}

async function rewriteFolder(rewriting: Rewriting, folder: string, out: string): Promise<Plan[]> {
  const inside = relative(resolve(folder), resolve(out));
  if (inside === "" || !(inside.split(sep)[0] === ".." || isAbsolute(inside)))
    throw new UsageError(`--out: ${out} lies in the folder that is read; name another one`);
  const paths = modelsAt(folder).filter((path) => path.endsWith(".onnx"));
  if (paths.length === 0) throw new UsageError(`${folder}: has GGUF files alone, which are only inspected`);
  const models: Rewritten[] = [];
  for (const path of paths) models.push(await rewriting.model(path, join(out, relative(folder, path))));
  const first = models.find(({ changed }) => changed.changes.length > 0);
  if (!first) throw nothing(folder);
  const plans = rewriting.plans(models);
  const planned = new Set(plans.map(({ path }) => resolve(path)));
  const others = planOthers(rewriting.files, folder, out, paths, first.options, rewriting.tools.print);
  return [...others.filter(({ path }) => !planned.has(resolve(path))), ...plans];
}

const nothing = (path: string): PosencError =>
  new PosencError(
    "unsupported",
    `${path}: has nothing that these options change; posenc inspect ${path} lists what it has`,
  );

async function rewriteFile(rewriting: Rewriting, path: string, out: string): Promise<Plan[]> {
  const target = isFolder(out) || /[\\/]$/.test(out) ? join(out, basename(path)) : out;
  const model = await rewriting.model(path, target);
  if (model.changed.changes.length === 0) throw nothing(path);
  return rewriting.plans([model]);
}

/** The exit code: 1 where it cannot be done. */
export async function rewrite(words: readonly string[], tools: Tools): Promise<number> {
  const given = new Given(words, rewriteOptions);
  const [path, second] = given.paths;
  if (path === undefined) throw new UsageError("rewrite: name a model (.onnx) or a folder with models");
  if (second !== undefined) throw new UsageError(`rewrite: takes one model, got ${path} and ${second}`);
  const out = given.text("out");
  if (out === undefined) throw new UsageError("rewrite: -o names the file, or the folder, that is written");
  const rewriting = new Rewriting(given, tools, await tools.library());
  try {
    const plans = await (isFolder(path) ? rewriteFolder : rewriteFile)(rewriting, path, out);
    checkPlans(plans, rewriting.read, given.has("force"));
    await writeAll(plans, rewriting.progress);
    return 0;
  } catch (error) {
    if (error instanceof UsageError || !isExpected(error)) throw error;
    rewriting.progress.end();
    tools.say(`posenc: ${printable(error.message)}\n`);
    return 1;
  } finally {
    rewriting.files.close();
  }
}
