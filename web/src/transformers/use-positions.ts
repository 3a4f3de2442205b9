// Changes the positions of models that transformers.js loads, by a cache that it calls before its own.
import { invalid, show } from "../base/errors.js";
import { asIs, readOptions } from "../base/options.js";
import { checkWork, type WorkOptions } from "../base/work.js";
import type { Library, RewriteOptions } from "../onnx/options.js";
import { rewriteOptions } from "../onnx/rewrite/read-options.js";
import type { EnvLike, ModelChange } from "./env.js";
import { undoing, type Undo } from "./forward.js";
import type { ModelCache } from "./model-cache.js";
import { unreadable } from "./responses.js";

/** Properties that distinguish it from `env` of other libraries. */
const envTypes = {
  customCache: "object",
  useCustomCache: "boolean",
  localModelPath: "string",
  remoteHost: "string",
  remotePathTemplate: "string",
} as const;

function checkEnv(env: EnvLike): void {
  // The `in` operator throws for primitives.
  const given = Object(env) as Record<string, unknown>;
  for (const [name, type] of Object.entries(envTypes))
    if (!(name in given) || typeof given[name] !== type)
      throw invalid("env", `must be \`env\` of @huggingface/transformers 3 or 4, got ${show(env)} without ${name}`);
  if (Object.isFrozen(env)) throw invalid("env", "cannot be frozen: customCache is replaced");
}

function checkLibrary(pe: Library): void {
  for (const name of ["create", "fromConfig", "resizeTable"] as const)
    if (typeof pe?.[name] !== "function") throw invalid("pe", `must come from init(), got ${show(pe)}`);
}

/** Maximum length of a name, which is the maximum of paths. */
const longestName = 4096;

/** Returns a model's name or folder as addresses and paths contain it. */
function readName(name: string): string {
  const read = name.replace(/\/$/, "");
  const what = `models[${show(name.length > 99 ? `${name.slice(0, 99)}…` : name)}]`;
  if (!/^[^\x00-\x1f\x7f-\x9f]+$/.test(read) || read.length > longestName)
    throw invalid(what, `must be a name of 1 to ${longestName} characters without control characters`);
  return read;
}

function readModels(models: Readonly<Record<string, RewriteOptions>>): Map<string, RewriteOptions> {
  if (models === null || typeof models !== "object" || Array.isArray(models))
    throw invalid("models", `must be { "org/model": { rotary, length, … } }, got ${show(models)}`);
  const read = Object.entries(models).map(([name, options]): [string, RewriteOptions] => {
    const read = readName(name);
    const given = readOptions(options, rewriteOptions, `models[${show(name)}]`);
    if (Object.values(given).every((value) => !value)) {
      const known = Object.keys(rewriteOptions);
      throw invalid(`models[${show(name)}]`, `must name a change; known are ${known.join(", ")}`);
    }
    return [read, { ...options }];
  });
  if (read.length === 0) throw invalid("models", "must name a model");
  const byName = new Map(read);
  if (byName.size < read.length) throw invalid("models", "must name each model once; a final slash is ignored");
  return byName;
}

const workOptions = { signal: asIs, onProgress: asIs };

/** The cache that is installed in `env`, and all changes that use it. */
class Installed {
  readonly changes: ModelChange[] = [];
  private readonly before: Pick<EnvLike, "useCustomCache" | "customCache">;
  private opened: Promise<ModelCache> | undefined;
  /** The cache that transformers.js calls. */
  readonly cache = {
    match: async (key: string | undefined): Promise<unknown> => {
      let models: ModelCache;
      try {
        models = await this.open();
      } catch (error) {
        return unreadable(error);
      }
      return models.match(key);
    },
    put: async (key: string, response: Response, progress?: unknown): Promise<void> =>
      (await this.open()).put(key, response, progress),
    delete: async (key: string): Promise<boolean> => (await this.open()).delete(key),
  };

  constructor(private readonly env: EnvLike) {
    const { useCustomCache, customCache } = env;
    this.before = { useCustomCache, customCache };
    Object.assign(env, { useCustomCache: true, customCache: this.cache });
  }

  get isIn(): boolean {
    return this.env.customCache === this.cache;
  }

  private open(): Promise<ModelCache> {
    const { useCustomCache, customCache } = this.before;
    // Most pages that load posenc/transformers change no model.
    this.opened ??= import("./model-cache.js").then(
      ({ ModelCache }) => new ModelCache(this.env, useCustomCache ? customCache : undefined, this.changes),
    );
    this.opened.catch(() => (this.opened = undefined));
    return this.opened;
  }

  remove(change: ModelChange): void {
    const at = this.changes.indexOf(change);
    if (at < 0) return;
    this.changes.splice(at, 1);
    for (const clear of change.leftovers.splice(0)) clear();
    // A cache that was set later stays. Without changes, this cache only passes requests on.
    if (this.changes.length === 0 && this.isIn) Object.assign(this.env, this.before);
  }
}

const installed = new WeakMap<EnvLike, Installed>();

/**
 * Makes transformers.js (versions 3 and 4, in pages and in Node) load models with changed positions.
 *
 * Every file of a model follows: `.onnx` of any dtype, with external data; `config.json` (`rope_scaling` or `rope_parameters`,
 * `max_position_embeddings`, `image_size`); `model_max_length` of the tokenizer. Files change as they are loaded:
 * `env.customCache` becomes a cache in front of the one in use, which keeps only the originals. If several calls name a model,
 * the last one counts.
 * @param env `env` of @huggingface/transformers. Its `customCache` is replaced.
 * @param pe Instance of the library, from `init()` of posenc.
 * @param models Options of `rewrite` of posenc/onnx, by the name or folder that `pipeline` or `from_pretrained` get.
 * @param work `signal` aborts the loading of these models: `pipeline` rejects with its reason. `onProgress` reports the bytes of
 * each changed graph as they are written.
 * @returns A function that undoes it for models loaded afterwards; also with `using`.
 * @throws {PosencError} `invalid-argument` if an argument is invalid; names of models have at most 4,096 characters, none of them
 * a control character. `pipeline` then rejects with errors of `openModel` and `rewrite`, or with `unsupported` if a model has
 * nothing of the kind that is to be changed.
 * @example
 * usePositions(env, pe, { "org/model": { rotary: { kind: "rope-linear", factor: 4 }, length: 8192 } });
 * const writer = await pipeline("text-generation", "org/model");
 */
export function usePositions(
  env: EnvLike,
  pe: Library,
  models: Readonly<Record<string, RewriteOptions>>,
  work: WorkOptions = {},
): Undo {
  checkEnv(env);
  checkLibrary(pe);
  checkWork(readOptions(work, workOptions));
  const change: ModelChange = { pe, models: readModels(models), made: new Map(), leftovers: [], work: { ...work } };
  let own = installed.get(env);
  if (!own?.isIn) installed.set(env, (own = new Installed(env)));
  own.changes.push(change);
  return undoing(() => own.remove(change));
}
