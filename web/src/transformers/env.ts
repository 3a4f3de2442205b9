// Types: the properties of transformers.js' `env` that locate files, and the requested changes of models.
import type { WorkOptions } from "../base/work.js";
import type { Library, RewriteOptions } from "../onnx/options.js";

/** `env` of transformers.js, versions 3 and 4: the properties that are read here. */
export interface EnvLike {
  /** Version of transformers.js: "4.3.1". */
  readonly version?: string;
  /** Whether `customCache` is used. */
  useCustomCache: boolean;
  /** A cache with match(key) and put(key, response). */
  customCache: any;
  /** Whether CacheStorage is used. */
  readonly useBrowserCache: boolean;
  /** Name of the cache in CacheStorage (version 4). */
  readonly cacheKey?: string;
  /** Whether downloads are stored as files. */
  readonly useFSCache: boolean;
  /** Folder of these files. */
  readonly cacheDir: string | null;
  /** Whether files on this machine are read. */
  readonly useFS: boolean;
  /** Whether models are looked up on this machine or server. */
  readonly allowLocalModels: boolean;
  /** Folder or address of these models. */
  readonly localModelPath: string;
  /** Whether models are downloaded. */
  readonly allowRemoteModels: boolean;
  /** Server of the downloads. */
  readonly remoteHost: string;
  /** Path of a model's files on that server. */
  readonly remotePathTemplate: string;
  /** Function that downloads (version 4). */
  readonly fetch?: (address: any, options?: any) => Promise<any>;
}

/** Models whose positions are changed together. */
export interface ModelChange {
  readonly pe: Library;
  readonly models: ReadonlyMap<string, RewriteOptions>;
  /** Results that are finished or in progress: paths of files, or the files. */
  readonly made: Map<string, Promise<string | Blob>>;
  /** Functions that remove temporary data. */
  readonly leftovers: (() => void)[];
  /** Aborts the work on graphs, and reports it. */
  readonly work: WorkOptions;
}
