// The original files of a model, from where transformers.js would load them.
import { PosencError } from "../base/errors.js";
import { builtInModule } from "../wasm/node.js";
import { isOnHub, localKey, remoteKey, type FileRequest } from "./cache-keys.js";
import type { EnvLike } from "./env.js";
import { FolderCache, userCache, type CacheLike } from "./user-cache.js";

/** A file on this machine, or from a cache or a server. */
export type Original = { readonly path: string } | { readonly blob: Blob };

/** Returns a file from a cache. As in transformers.js, a cache that throws has no file: some accept only addresses. */
async function keptBy(cache: CacheLike | undefined, key: string): Promise<Original | undefined> {
  let kept: any;
  try {
    kept = await cache?.match(key);
  } catch {
    return undefined;
  }
  if (kept === undefined || kept === null) return undefined;
  const path: unknown = typeof kept === "string" ? kept : kept.filePath;
  return typeof path === "string" ? { path } : { blob: await kept.blob() };
}

export async function blobOf(original: Original): Promise<Blob> {
  if ("blob" in original) return original.blob;
  return new Blob([await builtInModule("node:fs")!.promises.readFile(original.path)]);
}

/** Whether a file is missing, or not accessible to this user. transformers.js has its own messages for that. */
const isMissing = (status: number): boolean => [401, 403, 404].includes(status);

export class Originals {
  /** Files that are being fetched: onnxruntime requests the weights while it reads the graph. */
  private readonly underway = new Map<string, Promise<Original | undefined>>();

  constructor(
    private readonly env: EnvLike,
    private readonly own: CacheLike | undefined,
  ) {}

  /**
   * Returns the file; undefined: there is none. Throws `load-failed` for errors of a server, and errors of a cache and
   * of `fetch`.
   */
  find(request: FileRequest): Promise<Original | undefined> {
    const key = request.revision === undefined ? localKey(this.env, request) : remoteKey(this.env, request);
    const known = this.underway.get(key);
    if (known) return known;
    const found = this.search(request).finally(() => this.underway.delete(key));
    this.underway.set(key, found);
    return found;
  }

  /** Looks for a file in the order of transformers.js. */
  private async search(request: FileRequest): Promise<Original | undefined> {
    const cache = await userCache(this.env, this.own);
    const local = localKey(this.env, request);
    const keptLocally = await keptBy(cache, local);
    if (keptLocally || request.revision === undefined) return keptLocally;
    return (
      (await keptBy(cache, remoteKey(this.env, request))) ??
      (await this.fromHere(local, cache)) ??
      (await this.fromHub(request, cache))
    );
  }

  private async fromHere(local: string, cache: CacheLike | undefined): Promise<Original | undefined> {
    if (!this.env.allowLocalModels) return undefined;
    const fs = this.env.useFS ? builtInModule("node:fs") : undefined;
    if (fs) return fs.statSync(local, { throwIfNoEntry: false })?.isFile() ? { path: local } : undefined;
    const response = await this.fetched(local).catch(() => undefined);
    return response?.status === 200 ? this.keep(local, response, cache) : undefined;
  }

  private async fromHub(request: FileRequest, cache: CacheLike | undefined): Promise<Original | undefined> {
    if (!this.env.allowRemoteModels || !isOnHub(request.model)) return undefined;
    const address = remoteKey(this.env, request);
    const response = await this.fetched(address, authorization(address));
    if (response.status === 200) return this.keep(address, response, cache);
    if (isMissing(response.status)) return undefined;
    throw new PosencError("load-failed", `${address}: the server returned status ${response.status}`, "models");
  }

  private async fetched(address: string, headers: Record<string, string> = {}): Promise<Response> {
    const { fetch = globalThis.fetch } = this.env;
    return fetch.call(globalThis, address, { headers }) as Promise<Response>;
  }

  /** Stores a file in the cache that transformers.js would use. */
  private async keep(key: string, response: Response, cache: CacheLike | undefined): Promise<Original> {
    if (!cache) return { blob: await response.blob() };
    // Not loaded into memory.
    if (cache instanceof FolderCache) {
      await cache.put(key, response);
      return (await keptBy(cache, key))!;
    }
    const headers = new Headers(response.headers);
    const blob = await response.blob();
    headers.set("content-length", `${blob.size}`);
    try {
      await cache.put(key, new Response(blob, { headers }));
    } catch {
      // The cache may be full: the file is used without it.
      return { blob };
    }
    const kept = await keptBy(cache, key);
    return kept && "path" in kept ? kept : { blob };
  }
}

/** Returns the headers for models with restricted access: as in transformers.js, only in Node and only for the hub. */
function authorization(address: string): Record<string, string> {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const token = process?.env?.["HF_TOKEN"] ?? process?.env?.["HF_ACCESS_TOKEN"];
  const isHub = /^https:\/\/(huggingface|hf)\.co\//.test(address);
  return token && isHub ? { Authorization: `Bearer ${token}` } : {};
}
