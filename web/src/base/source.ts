// Sources of a file's bytes: memory, or an object that reads parts of it.
import { PosencError, invalid, show } from "./errors.js";
import type { WorkOptions } from "./work.js";

/** A file that is read in parts. */
export interface RandomAccess {
  /** Size of the file in bytes. */
  readonly size: number;
  /**
   * Reads some bytes of the file.
   *
   * @param offset Index of the first byte, from 0.
   * @param length Number of bytes.
   * @returns The bytes, shape [length], or a promise of them. `openModel` throws `load-failed` if their number is another.
   * @throws {PosencError} Any error: the caller of `openModel`, `rewrite` or `bytes` receives it.
   */
  read(offset: number, length: number): Uint8Array | Promise<Uint8Array>;
}

/** A file: its bytes, a Blob or File, a Response whose body was not read yet, or an object that reads parts of it. */
export type FileSource = Uint8Array | ArrayBuffer | Blob | Response | RandomAccess;

/** An opened file; `bytes` is set if all of it is in memory. */
export interface Source extends RandomAccess {
  readonly bytes?: Uint8Array;
  /** The Blob that parts are sliced from: slices need no copy. */
  readonly blob?: Blob;
}

const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

const inMemory = (bytes: Uint8Array): Source => ({
  size: bytes.length,
  bytes,
  read: (offset, length) => bytes.subarray(offset, offset + length),
});

const inBlob = (blob: Blob): Source => ({
  size: blob.size,
  blob,
  read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
});

/**
 * Opens a file as a source. Throws `invalid-argument` if it is not a file, `load-failed` for a response with an error
 * status.
 */
export async function openSource(given: FileSource, name: string): Promise<Source> {
  if (ArrayBuffer.isView(given)) return inMemory(new Uint8Array(given.buffer, given.byteOffset, given.byteLength));
  const tag = tagOf(given);
  if (tag === "ArrayBuffer" || tag === "SharedArrayBuffer") return inMemory(new Uint8Array(given as ArrayBuffer));
  if (tag === "Blob" || tag === "File") return inBlob(given as Blob);
  if (tag === "Response") return inBlob(await bodyOf(given as Response, name));
  const access = given as RandomAccess | null | undefined;
  if (typeof access?.read !== "function" || !Number.isSafeInteger(access.size) || access.size < 0) {
    const hint = typeof given === "string" ? "; pass await readFile(path) or await fetch(url)" : "";
    throw invalid(
      name,
      `must be a Uint8Array, an ArrayBuffer, a Blob, a Response or { size, read(offset, length) }, got ${show(given)}${hint}`,
    );
  }
  return checked(access, name);
}

async function bodyOf(response: Response, name: string): Promise<Blob> {
  if (response.bodyUsed) throw invalid(name, "must be an unread Response");
  if (!response.ok)
    throw new PosencError(
      "load-failed",
      `${name}: ${response.url || "the server"} returned status ${response.status}`,
      name,
    );
  return response.blob();
}

function checked(access: RandomAccess, name: string): Source {
  return {
    size: access.size,
    async read(offset, length) {
      const bytes = await access.read(offset, length);
      if (bytes?.length === length) return bytes;
      const got = bytes === undefined ? "nothing" : `${bytes.length} bytes`;
      throw new PosencError("load-failed", `${name}: read(${offset}, ${length}) returned ${got}`, name);
    },
  };
}

/** Returns a source whose first bytes are in memory. What goes beyond them is read whole: joining it would copy all of it. */
export const withStart = ({ read, ...source }: Source, start: Uint8Array): Source => ({
  ...source,
  read: (offset, length) =>
    offset + length <= start.length ? start.subarray(offset, offset + length) : read(offset, length),
});

/** Returns a source that reports up to where it was read, and throws the signal's reason if the work was aborted. */
export function watched(source: Source, { signal, onProgress }: WorkOptions): Source {
  let done = 0;
  return {
    size: source.size,
    async read(offset, length) {
      signal?.throwIfAborted();
      const bytes = await source.read(offset, length);
      done = Math.max(done, offset + length);
      onProgress?.({ done, total: source.size });
      return bytes;
    },
  };
}

/** Returns what a file of text is instead of weights, and the remedy; undefined: it is not text. */
export async function textIn(source: Source): Promise<string | undefined> {
  const text = new TextDecoder().decode(await source.read(0, Math.min(source.size, 24)));
  if (!/^[\t\n\r -~]+$/.test(text)) return undefined;
  if (text.startsWith("version https://git-")) return "a Git LFS pointer; run git lfs pull";
  return `a text that begins with ${JSON.stringify(text)}; check the address that it was downloaded from`;
}
