// transformers.js as far as it says where files come from, and what is to be changed in them.
import type { Library, RewriteOptions } from "../onnx/options.js";

/** `env` of transformers.js, versions 3 and 4, as far as it matters here. */
export interface EnvLike {
  /** "4.3.1" */
  readonly version?: string;
  /** Is `customCache` used? */
  useCustomCache: boolean;
  /** A cache: match(key), put(key, response). */
  customCache: any;
  /** Is CacheStorage used? */
  readonly useBrowserCache: boolean;
  /** Its cache's name, in version 4. */
  readonly cacheKey?: string;
  /** Are downloads kept as files? */
  readonly useFSCache: boolean;
  /** Where. */
  readonly cacheDir: string | null;
  /** Are files on this machine read? */
  readonly useFS: boolean;
  /** Are models looked for on this machine or server? */
  readonly allowLocalModels: boolean;
  /** Where. */
  readonly localModelPath: string;
  /** Are models downloaded? */
  readonly allowRemoteModels: boolean;
  /** From where. */
  readonly remoteHost: string;
  /** Where a model's files are there. */
  readonly remotePathTemplate: string;
  /** What downloads, in version 4. */
  readonly fetch?: (address: any, options?: any) => Promise<any>;
}

/** Models whose positions are changed together. */
export interface ModelChange {
  readonly pe: Library;
  readonly models: ReadonlyMap<string, RewriteOptions>;
  /** What was made already, or is being made: paths of files, or the files themselves. */
  readonly made: Map<string, Promise<string | Blob>>;
  /** What is left to clear away. */
  readonly leftovers: (() => void)[];
}
