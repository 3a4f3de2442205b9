// The keys of transformers.js' caches: the address of a file on the hub, or its local path.
import { invalid, show } from "../base/errors.js";
import type { EnvLike } from "./env.js";

/** A requested file of a model. */
export interface FileRequest {
  readonly model: string;
  /** Path inside the model: "onnx/model_q4.onnx". */
  readonly file: string;
  /** Revision; undefined: the key is a local path. */
  readonly revision: string | undefined;
}

/** Joins paths as transformers.js does: with one slash between the parts. */
const joined = (...parts: string[]): string =>
  parts
    .map((part, i) => (i > 0 ? part.replace(/^\//, "") : part))
    .map((part, i) => (i + 1 < parts.length ? part.replace(/\/$/, "") : part))
    .join("/");

/** Whether it could be a model on the hub; otherwise it is a folder. */
export const isOnHub = (model: string): boolean =>
  /^(\b[\w\-.]+\b\/)?\b[\w\-.]{1,96}\b$/.test(model) && !/\.\.|--|\.git$|\.ipynb$/.test(model);

export const localKey = (env: EnvLike, { model, file }: FileRequest): string =>
  isOnHub(model) ? joined(env.localModelPath, model, file) : joined(model, file);

export const remoteKey = (env: EnvLike, { model, file, revision = "main" }: FileRequest): string =>
  joined(
    env.remoteHost,
    env.remotePathTemplate.replaceAll("{model}", model).replaceAll("{revision}", encodeURIComponent(revision)),
    file,
  );

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

/**
 * Returns a pattern for addresses of a model's files, or of any model's. Folders have addresses too, at which there is
 * no file.
 */
function addresses(env: EnvLike, model?: string): RegExp {
  const groups: Record<string, string> = {
    "{model}": model === undefined ? "(?<model>.+?)" : `(?<model>${escaped(model.replace(/^\//, ""))})/?`,
    "{revision}": "(?<revision>[^/]+?)",
  };
  const template = env.remotePathTemplate.replace(/^\/|\/$/g, "");
  const seen = new Set<string>();
  const pattern = template.split(/(\{model\}|\{revision\})/).map((part) => {
    const group = groups[part];
    if (group === undefined) return escaped(part);
    if (seen.has(part)) return `\\k<${part.slice(1, -1)}>`;
    seen.add(part);
    return group;
  });
  return new RegExp(`^${escaped(env.remoteHost.replace(/\/$/, ""))}/${pattern.join("")}/(?<file>.+)$`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const longestKey = 8192;

/**
 * Throws `invalid-argument` for keys that are not the address or path of a file, or that lead upwards, even if encoded.
 */
export function checkKey(key: string): string {
  if (typeof key !== "string") throw invalid("key", `must be a string, got ${show(key)}`);
  if (key.length > longestKey) throw invalid("key", `must have at most ${longestKey} characters, got ${key.length}`);
  const names = key.replace(/%(2e|2f|5c)/gi, decodeURIComponent).split(/[/\\]/);
  const isFile = !["", "."].includes(names.at(-1)!);
  if (!isFile || names.includes("..") || /[\x00-\x1f\x7f]|%[01][0-9a-f]|%7f/i.test(key))
    throw invalid("key", `must be a file's address without ".." and control characters, got ${show(key)}`);
  return key;
}

function onHub(env: EnvLike, key: string, model?: string): FileRequest | undefined {
  const groups = addresses(env, model).exec(key)?.groups;
  if (!groups) return undefined;
  const { model: found = "", revision = "main", file } = groups;
  return { model: model ?? found, file: file!, revision: decoded(revision) };
}

/** Returns the file of one of these models that a key requests. */
export function requestOf(env: EnvLike, key: string, models: Iterable<string>): FileRequest | undefined {
  for (const model of models) {
    const remote = onHub(env, key, model);
    if (remote) return remote;
    const start = localKey(env, { model, file: "", revision: undefined });
    if (key.startsWith(start)) return { model, file: key.slice(start.length), revision: undefined };
  }
  return undefined;
}

/** Returns the key of the file cache for a key. transformers.js uses other keys for it than for all other caches. */
export function fileKey(env: EnvLike, key: string): string {
  const request = onHub(env, key);
  if (!request) return key;
  const { model, revision, file } = request;
  return revision === "main" ? joined(model, file) : joined(model, revision!, file);
}
