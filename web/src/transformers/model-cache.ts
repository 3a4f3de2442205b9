// The cache that transformers.js uses: it returns changed files for models with changed positions, and files of the
// user's cache for all others.
import { PosencError, invalid, show } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { askedOf, type Asked } from "./cache-keys.js";
import type { EnvLike, ModelChange } from "./env.js";
import { followers } from "./model-json.js";
import { blobOf, Originals, type Original } from "./originals.js";
import { responseOf, unreadable } from "./responses.js";
import { rewritten } from "./rewritten.js";
import { isForRuntime, userCache, type CacheLike } from "./user-cache.js";

export class ModelCache {
  private readonly originals: Originals;
  private readonly promised: { readonly answer: unknown }[] = [];

  constructor(
    private readonly env: EnvLike,
    private readonly own: CacheLike | undefined,
    private readonly changes: readonly ModelChange[],
  ) {
    this.originals = new Originals(env, own);
  }

  /** Returns a response, a path, or undefined if there is no such file. */
  async match(key: string | undefined): Promise<unknown> {
    if (key === undefined) return this.promised.shift()?.answer;
    const answer = await this.answer(key);
    if (answer !== undefined && this.env.useFSCache && isForRuntime(key)) this.promise(answer);
    return answer;
  }

  /**
   * Keeps a result for a second call without a key.
   *
   * In Node, transformers.js 3 asks again for the file that it has just found, if it needs a path, and has lost the key
   * by then. It does so at once: a result that is not requested before the next task is removed.
   */
  private promise(answer: unknown): void {
    const one = { answer };
    this.promised.push(one);
    setTimeout(() => {
      const at = this.promised.indexOf(one);
      if (at >= 0) this.promised.splice(at, 1);
    });
  }

  private async answer(key: string): Promise<unknown> {
    if (typeof key !== "string") throw invalid("key", `must be a string, got ${show(key)}`);
    for (const change of [...this.changes].reverse()) {
      const asked = askedOf(this.env, key, change.models.keys());
      if (!asked) continue;
      if (!isForRuntime(asked.file) && !Object.hasOwn(followers, asked.file)) break;
      return this.changed(asked, change).catch((error: unknown) => unreadable(error));
    }
    return (await userCache(this.env, this.own))?.match(key);
  }

  async put(key: string, response: Response, progress?: unknown): Promise<void> {
    await (await userCache(this.env, this.own))?.put(key, response, progress);
  }

  async delete(key: string): Promise<boolean> {
    return (await (await userCache(this.env, this.own))?.delete?.(key)) ?? false;
  }

  private async changed(asked: Asked, change: ModelChange): Promise<unknown> {
    const original = await this.originals.find(asked);
    if (!original) return undefined;
    if (!isForRuntime(asked.file)) return this.following(asked, original, change);
    const byPath = "path" in original && this.takesPaths;
    if (!asked.file.endsWith(".onnx")) return byPath ? original.path : responseOf(await blobOf(original));
    const beside = (file: string): Promise<Original | undefined> => this.beside(asked, file);
    const { answer, forget } = rewritten({ asked, change, original, byPath, beside });
    const made = await answer;
    return typeof made === "string" ? made : responseOf(made, forget);
  }

  /** Whether transformers.js passes paths to onnxruntime; otherwise it reads the files. */
  private get takesPaths(): boolean {
    const { version = "", useFSCache } = this.env;
    return useFSCache || Number.parseInt(version, 10) >= 4;
  }

  private beside({ model, revision = "main" }: Asked, file: string): Promise<Original | undefined> {
    return this.originals.find({ model, file, revision });
  }

  /** Returns a JSON file that is changed to match the graph. */
  private async following(asked: Asked, original: Original, { models }: ModelChange): Promise<Response> {
    const { file } = asked;
    const options = models.get(asked.model)!;
    const config = file === "config.json" ? original : await this.beside(asked, "config.json");
    const [json, model] = await Promise.all([read(original, asked), config ? read(config, asked) : {}]);
    const text = inJson(followers[file]!(json, options, model), asked);
    return responseOf(new Blob([text], { type: "application/json" }));
  }
}

const damaged = ({ model, file }: Asked, what: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", `${file} of ${model} ${what}`, "models", { cause });

async function read(original: Original, asked: Asked): Promise<Json> {
  let json: unknown;
  try {
    json = JSON.parse(await (await blobOf(original)).text());
  } catch (cause) {
    throw damaged(asked, "is no JSON", cause);
  }
  const object = asObject(json);
  if (!object) throw damaged(asked, "must be an object in JSON");
  return object;
}

function inJson(json: Json, asked: Asked): string {
  try {
    return JSON.stringify(json, null, 2);
  } catch (cause) {
    throw damaged(asked, "is nested too deeply", cause);
  }
}
