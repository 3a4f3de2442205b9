// Reads builds: bytes from any source, the build that a difference describes, and a compiled module that is whole.
import { checkAttached, kindOf } from "../base/arrays.js";
import { PosencError, invalid, show } from "../base/errors.js";
import type { Source } from "../base/types.js";
import { decodeBase64 } from "./base64.js";
import { checksumSection, isWhole } from "./checksum.js";
import { applyDifference, differenceSection, findSection, relaxedSection } from "./difference.js";
import { builtInModule } from "./node.js";

export const remedy = "pass the address of the .wasm file to init(), or import posenc/inline";

export const failed = (message: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", message, "source", { cause });

export const foreign = (from: string, cause?: unknown): PosencError =>
  failed(`source: not a build of this version of posenc (${from})`, cause);

/** The bytes of a source, and its name in messages. */
export interface Download {
  bytes: Uint8Array;
  from: string;
}

export async function read(source: Source): Promise<Download> {
  const kind = kindOf(source);
  if (kind === "String" || kind === "URL") return readAddress(String(source));
  if (kind === "Response") return readResponse(source as Response, (source as Response).url || "the response");
  checkAttached(source, "source");
  const bytes = ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : kind === "ArrayBuffer"
      ? new Uint8Array(source as ArrayBuffer)
      : undefined;
  if (!bytes) throw invalid("source", `must be a URL, Response, bytes or WebAssembly.Module, got ${show(source)}`);
  return { bytes, from: "the given bytes" };
}

async function readAddress(url: string): Promise<Download> {
  const data = dataOf(url);
  if (data) return data;
  let response: Response;
  try {
    const bytes = fileOf(url);
    if (bytes) return { bytes, from: url };
    response = await fetch(url);
  } catch (error) {
    throw failed(`source: cannot fetch ${url} (${String(error)}); ${remedy}`, error);
  }
  return readResponse(response, url);
}

/** Reads a file: address if the engine has files (Node, Deno, Bun): their fetch() cannot. */
function fileOf(url: string): Uint8Array | undefined {
  return url.startsWith("file:") ? builtInModule("node:fs")?.readFileSync(new URL(url)) : undefined;
}

/** Reads a data: address. Bundlers create such addresses for small files, and strict pages forbid fetching them. */
function dataOf(url: string): Download | undefined {
  const [start] = /^data:[^,]*;base64,/.exec(url) ?? [];
  if (start === undefined) return undefined;
  try {
    return { bytes: decodeBase64(url.slice(start.length)), from: `${start}…` };
  } catch {
    // Percent-encoded, or invalid base64: fetch() decides.
    return undefined;
  }
}

async function readResponse(response: Response, from: string): Promise<Download> {
  if (!response.ok) throw failed(`source: ${from} returned status ${response.status}; ${remedy}`);
  try {
    return { bytes: new Uint8Array(await response.arrayBuffer()), from };
  } catch (error) {
    throw failed(`source: the download of ${from} failed (${String(error)})`, error);
  }
}

function checkBytes({ bytes, from }: Download): void {
  if (bytes[0] === 0x3c)
    throw failed(`source: ${from} is an HTML page, not WebAssembly: the server has no such file; ${remedy}`);
  if (bytes.length < 8 || bytes[0] !== 0 || bytes[1] !== 0x61 || bytes[2] !== 0x73 || bytes[3] !== 0x6d)
    throw failed(`source: ${from} is not WebAssembly (${bytes.length} bytes)`);
}

export async function compileBytes(download: Download): Promise<WebAssembly.Module> {
  checkBytes(download);
  const { bytes, from } = download;
  let module: WebAssembly.Module;
  let whole: boolean;
  try {
    const compiling = WebAssembly.compile(bytes as BufferSource);
    // Engines compile on other threads; this one computes the checksum.
    whole = isWhole(bytes);
    module = await compiling;
  } catch (error) {
    const hint = String(error).includes("unsafe-eval")
      ? "; the page's Content-Security-Policy needs script-src 'wasm-unsafe-eval'"
      : "";
    throw failed(`source: ${from} cannot be compiled (${String(error)})${hint}`, error);
  }
  // Builds stored as differences are checked after reconstruction.
  if (sectionOf(module, differenceSection)) return module;
  if (!sectionOf(module, checksumSection)) throw foreign(from);
  if (!whole) throw failed(`source: ${from} is damaged (wrong checksum); download it again`);
  return module;
}

/** Returns the content of a custom section of a module. */
export const sectionOf = (module: WebAssembly.Module, name: string): ArrayBuffer | undefined =>
  WebAssembly.Module.customSections(module, name)[0];

/** Returns the relaxed build, from the difference inside the simd build. */
export function relaxedOf(simd: Download): Download {
  checkBytes(simd);
  const section = findSection(simd.bytes, relaxedSection);
  if (!section) throw foreign(simd.from);
  return differing(section.content, { ...simd, bytes: simd.bytes.subarray(0, section.start) });
}

/** Returns the build that a difference from `base` describes. */
export function differing(difference: Uint8Array, { bytes, from }: Download): Download {
  try {
    return { bytes: applyDifference(difference, bytes), from: `the build from ${from}` };
  } catch (error) {
    throw failed(`source: not a build of the same version as ${from}`, error);
  }
}

/** Returns the build that a download's difference from `base` describes. */
export function fromDifference({ bytes, from }: Download, base: Download): Download {
  const section = findSection(bytes, differenceSection);
  if (!section) throw foreign(from);
  return differing(section.content, base);
}
