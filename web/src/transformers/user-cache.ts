// The cache that transformers.js would use without changes: the user's own, the page's, or a folder.
import { invalid, show } from "../base/errors.js";
import { builtInModule } from "../wasm/node.js";
import { checkKey, fileKey } from "./cache-keys.js";
import type { EnvLike } from "./env.js";

/** A cache as transformers.js calls it; results are responses, or paths of files. */
export interface CacheLike {
  match(key: string): Promise<unknown>;
  put(key: string, response: Response, progress?: unknown): Promise<unknown>;
  delete?(key: string): Promise<boolean>;
}

/** Returns the cache of the user; undefined: downloads are not stored. */
export async function userCache(env: EnvLike, own: CacheLike | undefined): Promise<CacheLike | undefined> {
  if (own) return own;
  if (env.useBrowserCache && typeof caches !== "undefined") {
    // Some pages have `caches` but cannot open it.
    const opened = await caches.open(env.cacheKey ?? "transformers-cache").catch(() => undefined);
    if (opened) return opened;
  }
  return env.useFSCache && env.cacheDir !== null && builtInModule("node:fs") ? new FolderCache(env) : undefined;
}

/** Whether a file is a graph or its weights: in Node, onnxruntime gets their paths. */
export const isForRuntime = (file: string): boolean => /\.onnx(_data(_\d+)?)?$/.test(file);

type Progress = ((state: { progress: number; loaded: number; total: number }) => void) | undefined;

/** The folder in which transformers.js stores files, with its keys. */
export class FolderCache implements CacheLike {
  private readonly fs = builtInModule("node:fs")!;
  private readonly path = builtInModule("node:path")!;
  constructor(private readonly env: EnvLike) {}

  /** Returns the path of a key. Throws `invalid-argument` for keys that lead out of the folder. */
  private pathOf(key: string): string {
    return this.path.join(this.env.cacheDir!, checkKey(fileKey(this.env, checkKey(key))));
  }

  async match(key: string): Promise<unknown> {
    const path = this.pathOf(key);
    const stat = this.fs.statSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile()) return undefined;
    if (isForRuntime(path)) return path;
    return new Response(await this.fs.promises.readFile(path), { headers: { "content-length": `${stat.size}` } });
  }

  /** Stores a file. It is written under another name first, so that no incomplete file is visible. */
  async put(key: string, response: Response, progress?: unknown): Promise<void> {
    const path = this.pathOf(key);
    if (typeof response?.headers?.get !== "function" || response.bodyUsed)
      throw invalid("response", `must be an unread Response, got ${show(response)}`);
    const part = `${path}.part-${Math.random().toString(36).slice(2)}`;
    this.fs.mkdirSync(this.path.dirname(path), { recursive: true });
    const handle = this.fs.openSync(part, "wx");
    try {
      try {
        await this.fill(handle, response, progress as Progress);
      } finally {
        this.fs.closeSync(handle);
      }
      this.fs.renameSync(part, path);
    } catch (error) {
      this.fs.rmSync(part, { recursive: true, force: true });
      throw error;
    }
  }

  private async fill(handle: number, { headers, body }: Response, progress: Progress): Promise<void> {
    const total = Number(headers.get("content-length") ?? 0);
    const reader = body?.getReader();
    let loaded = 0;
    for (let read = await reader?.read(); read && !read.done; read = await reader!.read()) {
      for (let at = 0; at < read.value.length;) at += this.fs.writeSync(handle, read.value.subarray(at));
      loaded += read.value.length;
      progress?.({ progress: total ? (loaded / total) * 100 : 0, loaded, total });
    }
  }

  async delete(key: string): Promise<boolean> {
    const path = this.pathOf(key);
    if (!this.fs.statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    this.fs.rmSync(path, { recursive: true, force: true });
    return true;
  }
}
