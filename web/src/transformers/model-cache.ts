// The cache that transformers.js uses: it returns changed files for models with changed positions, and files of the
// user's cache for all others.
import { PosencError, invalid, show } from "../base/errors.js";
import { asObject, type Json } from "../base/json.js";
import { requestOf, type FileRequest } from "./cache-keys.js";
import type { EnvLike, ModelChange } from "./env.js";
import { followers } from "./model-json.js";
import { blobOf, Originals, type Original } from "./originals.js";
import { responseOf, unreadable } from "./responses.js";
import { rewritten } from "./rewritten.js";
import { isForRuntime, userCache, type CacheLike } from "./user-cache.js";

export class ModelCache {
  private readonly originals: Originals;
  private readonly promised: { readonly result: unknown }[] = [];

  constructor(
    private readonly env: EnvLike,
    private readonly own: CacheLike | undefined,
    private readonly changes: readonly ModelChange[],
  ) {
    this.originals = new Originals(env, own);
  }

  /** Returns a response, a path, or undefined if there is no such file. */
  async match(key: string | undefined): Promise<unknown> {
    if (key === undefined) return this.promised.shift()?.result;
    const result = await this.resultOf(key);
    if (result !== undefined && this.env.useFSCache && isForRuntime(key)) this.promise(result);
    return result;
  }

  /**
   * Keeps a result for a second call without a key.
   *
   * In Node, transformers.js 3 asks again for the file that it has just found, if it needs a path, and has lost the key
   * by then. It does so at once: a result that is not requested before the next task is removed.
   */
  private promise(result: unknown): void {
    const one = { result };
    this.promised.push(one);
    setTimeout(() => {
      const at = this.promised.indexOf(one);
      if (at >= 0) this.promised.splice(at, 1);
    });
  }

  private async resultOf(key: string): Promise<unknown> {
    if (typeof key !== "string") throw invalid("key", `must be a string, got ${show(key)}`);
    for (const change of [...this.changes].reverse()) {
      const request = requestOf(this.env, key, change.models.keys());
      if (!request) continue;
      if (!isForRuntime(request.file) && !Object.hasOwn(followers, request.file)) break;
      return this.changed(request, change).catch((error: unknown) => unreadable(error));
    }
    return (await userCache(this.env, this.own))?.match(key);
  }

  async put(key: string, response: Response, progress?: unknown): Promise<void> {
    await (await userCache(this.env, this.own))?.put(key, response, progress);
  }

  async delete(key: string): Promise<boolean> {
    return (await (await userCache(this.env, this.own))?.delete?.(key)) ?? false;
  }

  private async changed(request: FileRequest, change: ModelChange): Promise<unknown> {
    const original = await this.originals.find(request);
    if (!original) return undefined;
    if (!isForRuntime(request.file)) return this.following(request, original, change);
    const byPath = "path" in original && this.acceptsPaths;
    if (!request.file.endsWith(".onnx")) return byPath ? original.path : responseOf(await blobOf(original));
    const sibling = (file: string): Promise<Original | undefined> => this.sibling(request, file);
    const { result, forget } = rewritten({ request, change, original, byPath, sibling });
    const made = await result;
    return typeof made === "string" ? made : responseOf(made, forget);
  }

  /** Whether transformers.js passes paths to onnxruntime; otherwise it reads the files. */
  private get acceptsPaths(): boolean {
    const { version = "", useFSCache } = this.env;
    return useFSCache || Number.parseInt(version, 10) >= 4;
  }

  private sibling({ model, revision = "main" }: FileRequest, file: string): Promise<Original | undefined> {
    return this.originals.find({ model, file, revision });
  }

  /** Returns a JSON file that is changed to match the graph. */
  private async following(request: FileRequest, original: Original, { models }: ModelChange): Promise<Response> {
    const { file } = request;
    const options = models.get(request.model)!;
    const config = file === "config.json" ? original : await this.sibling(request, "config.json");
    const [json, model] = await Promise.all([read(original, request), config ? read(config, request) : {}]);
    const text = inJson(followers[file]!(json, options, model), request);
    return responseOf(new Blob([text], { type: "application/json" }));
  }
}

const damaged = ({ model, file }: FileRequest, what: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", `${file} of ${model} ${what}`, "models", { cause });

async function read(original: Original, request: FileRequest): Promise<Json> {
  let json: unknown;
  try {
    json = JSON.parse(await (await blobOf(original)).text());
  } catch (cause) {
    throw damaged(request, "is not valid JSON", cause);
  }
  const object = asObject(json);
  if (!object) throw damaged(request, "must be a JSON object");
  return object;
}

function inJson(json: Json, request: FileRequest): string {
  try {
    return JSON.stringify(json, null, 2);
  } catch (cause) {
    throw damaged(request, "is nested too deeply", cause);
  }
}
