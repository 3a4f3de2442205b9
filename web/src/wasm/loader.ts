// Starts a core from a source: chooses the build, loads its bytes, and checks that it computes correctly here.
import { checkAttached, kindOf } from "../base/arrays.js";
import { schema } from "../base/calls.gen.js";
import { PosencError, invalid, show } from "../base/errors.js";
import { asIs, count, oneOf, or, readOptions, withoutEffect } from "../base/options.js";
import type { InitOptions, Source, Variant } from "../base/types.js";
import { decodeBase64 } from "./base64.js";
import { checksumSection, isWhole } from "./checksum.js";
import { Core } from "./core.js";
import { applyDifference, differenceSection, findSection, relaxedSection } from "./difference.js";
import type { CoreModule } from "./frame.js";
import createModule from "./glue.js";
import { builtInModule } from "./node.js";

/** The builds of an entry point and their sources. */
export interface BuiltIn {
  /** The relaxed build comes with the simd build. */
  (variant: Exclude<Variant, "relaxed">): Source | Promise<Source>;
  /** Default: all. */
  variants?: readonly Variant[];
}

/**
 * The build with threads, as a difference from the simd build, and the module that starts it. Both are loaded only if
 * `threads` is more than 1.
 */
export interface Threads {
  source(): Source | Promise<Source>;
  starter(): Promise<{ startThreads(compiling: Promise<WebAssembly.Module>, threads: number): Promise<Core> }>;
}

// Smallest modules that use an opcode: an engine that rejects one lacks the feature.
const probes: Record<Variant, number[] | undefined> = {
  // (func (result v128) (i8x16.popcnt (i8x16.splat (i32.const 0))))
  simd: [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
  // (func (result v128) (f32x4.relaxed_madd c c c)), c = (f32x4.splat (f32.const 0))
  relaxed: [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 28, 1, 26, 0, 67, 0, 0, 0, 0, 253, 19, 67, 0,
    0, 0, 0, 253, 19, 67, 0, 0, 0, 0, 253, 19, 253, 133, 2, 11,
  ],
  scalar: undefined,
};

const fastestFirst: readonly Variant[] = ["relaxed", "simd", "scalar"];

export function supports(variant: Variant): boolean {
  const probe = probes[variant];
  return probe === undefined || WebAssembly.validate(new Uint8Array(probe));
}

export const remedy = "pass the address of the .wasm file to init(), or import posenc/inline";

export const failed = (message: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", message, "source", { cause });

const initOptions = { source: asIs, variant: or(oneOf("auto", ...fastestFirst), "auto"), threads: or(count(1, 64), 1) };

/** The options of `init`. */
export interface Request {
  source: Source | undefined;
  variant: "auto" | Variant;
  threads: number;
}

/** Reads and checks the argument of `init`. Throws `invalid-argument`. */
export function readRequest(argument: Source | InitOptions | undefined): Request {
  const options = (argument === undefined || kindOf(argument) === "Object" ? argument : { source: argument }) ?? {};
  const { source, variant, threads } = readOptions(options as InitOptions, initOptions);
  if (source !== undefined && variant !== "auto") throw withoutEffect("variant", "a source holds one build");
  if (source !== undefined && threads > 1) throw withoutEffect("threads", "a source holds one build");
  return { source, variant, threads };
}

/** The bytes of a source, and its name in messages. */
interface Download {
  bytes: Uint8Array;
  from: string;
}

/** The builds of an entry point. The simd build is read once; the other ones are differences from it. */
class Builds {
  private simd: Promise<Download> | undefined;

  constructor(private readonly builtIn: BuiltIn) {}

  base(): Promise<Download> {
    return (this.simd ??= this.readBase());
  }

  /** Reads the simd build. Addresses are known at once: their download begins first. */
  private async readBase(): Promise<Download> {
    const source = this.builtIn("simd");
    return read(source instanceof Promise ? await source : source);
  }

  async compile(variant: Variant): Promise<WebAssembly.Module> {
    const base = this.base();
    if (variant === "simd") return compileBytes(await base);
    if (variant === "relaxed") return compileBytes(relaxedOf(await base));
    // It loads at the same time; whoever awaits it gets its error.
    base.catch(() => {});
    return compile(await this.builtIn(variant), this);
  }

  /** Compiles the build with threads. */
  async compileThreads(source: Source, isRelaxed: boolean): Promise<WebAssembly.Module> {
    const base = this.base();
    base.catch(() => {});
    const { bytes, from } = await read(source);
    const section = findSection(bytes, differenceSection);
    if (!section) throw failed(`source: not a build of this version of posenc (${from})`);
    const simd = differing(section.content, await base);
    return compileBytes(isRelaxed ? relaxedOf(simd) : simd);
  }
}

/** Loads a core. Throws `load-failed` with the reason and the address. A failed attempt is not cached. */
export async function load({ source, variant, threads }: Request, builtIn: BuiltIn, shared?: Threads): Promise<Core> {
  if (typeof WebAssembly === "undefined")
    throw failed("source: WebAssembly is missing or disabled (lockdown mode, jitless)");
  const builds = new Builds(builtIn);
  const { variants = fastestFirst } = builtIn;
  if (source !== undefined) return start(compile(source, builds));
  const together = threads > 1 && shared && (await loadThreads(threads, variant, builds, shared));
  if (together) return together;
  if (variant !== "auto") {
    if (!variants.includes(variant)) throw failed(`variant: this entry of the package has no ${variant} build`);
    if (!supports(variant)) throw failed(`variant: this engine cannot run the ${variant} build`);
    return start(builds.compile(variant));
  }
  // All builds need it: it loads while the engine's features are checked. Whoever awaits it gets its error.
  builds.base().catch(() => {});
  let reason: unknown;
  for (const candidate of variants.filter(supports)) {
    try {
      return await start(builds.compile(candidate));
    } catch (error) {
      // If a build is missing or computes wrongly, the next one is tried. The first error is the most informative one.
      reason ??= error;
    }
  }
  throw reason;
}

/**
 * Loads a core with threads; undefined if that is not possible for any reason: one thread computes the same results.
 */
async function loadThreads(
  threads: number,
  variant: "auto" | Variant,
  builds: Builds,
  { source, starter }: Threads,
): Promise<Core | undefined> {
  const isolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? true;
  if (!isolated || typeof SharedArrayBuffer === "undefined" || !supports("simd")) return undefined;
  const isRelaxed = variant !== "simd" && supports("relaxed");
  if (variant === "scalar" || (variant === "relaxed" && !isRelaxed)) return undefined;
  try {
    const compiling = builds.compileThreads(await source(), isRelaxed);
    compiling.catch(() => {});
    return await (await starter()).startThreads(compiling, threads);
  } catch {
    return undefined;
  }
}

async function start(compiling: Promise<WebAssembly.Module>): Promise<Core> {
  return checked((await run(compiling, createModule)).core);
}

/**
 * Starts a core, and returns it with its source. Emscripten's code is prepared while the module is being downloaded.
 */
export async function run(
  compiling: Promise<WebAssembly.Module>,
  create: typeof createModule,
): Promise<{ core: CoreModule; imports: WebAssembly.Imports }> {
  let given: WebAssembly.Imports = {};
  const rejectBuild = (error: unknown): never => {
    throw failed(`source: not a build of this version of posenc (${String(error)})`, error);
  };
  const core = await new Promise<CoreModule>((resolve, fail) => {
    const running = create({
      instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
        given = imports;
        compiling.then((module) => WebAssembly.instantiate(module, imports).then(done).catch(rejectBuild)).catch(fail);
        return {};
      },
    }) as Promise<CoreModule>;
    running.then(resolve, fail);
  });
  return { core, imports: given };
}

/** Throws if the core has other calls or computes incorrectly. */
export function checked(core: CoreModule): Core {
  if (core.schema?.() !== schema) throw failed("source: not a build of this version of posenc");
  const made = new Core(core);
  if (!isRight(core)) throw failed(`this engine computes wrong results with the ${made.variant} build`);
  return made;
}

function isRight(core: CoreModule): boolean {
  try {
    return core.selfTest();
  } catch {
    return false;
  }
}

async function compile(source: Source, builds: Builds): Promise<WebAssembly.Module> {
  const download = kindOf(source) === "WebAssembly.Module" ? undefined : await read(source);
  const module = download ? await compileBytes(download) : (source as WebAssembly.Module);
  const [difference] = WebAssembly.Module.customSections(module, differenceSection);
  if (!difference) return module;
  return compileBytes(differing(new Uint8Array(difference), await builds.base()));
}

/** Returns the relaxed build, from the difference inside the simd build. */
function relaxedOf(simd: Download): Download {
  checkBytes(simd);
  const section = findSection(simd.bytes, relaxedSection);
  if (!section) throw failed(`source: not a build of this version of posenc (${simd.from})`);
  return differing(section.content, { ...simd, bytes: simd.bytes.subarray(0, section.start) });
}

function differing(difference: Uint8Array, { bytes, from }: Download): Download {
  try {
    return { bytes: applyDifference(difference, bytes), from: `the build from ${from}` };
  } catch (error) {
    throw failed(`source: not a build of the same version as ${from}`, error);
  }
}

async function read(source: Source): Promise<Download> {
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

async function compileBytes(download: Download): Promise<WebAssembly.Module> {
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
  const sections = (name: string): number => WebAssembly.Module.customSections(module, name).length;
  // Builds stored as differences are checked after reconstruction.
  if (sections(differenceSection)) return module;
  if (!sections(checksumSection)) throw failed(`source: not a build of this version of posenc (${from})`);
  if (!whole) throw failed(`source: ${from} is damaged (wrong checksum); download it again`);
  return module;
}
