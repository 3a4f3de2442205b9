// Starts a core from a source: chooses the build, loads its bytes, and checks that it computes correctly here.
import { kindOf } from "../base/arrays.js";
import { schema } from "../base/calls.gen.js";
import { asIs, count, oneOf, or, readOptions, withoutEffect } from "../base/options.js";
import type { InitOptions, LibraryPart, Source, Variant } from "../base/types.js";
import { attachPart, isBase } from "./attach.js";
import { Core } from "./core.js";
import { differenceSection } from "./difference.js";
import {
  compileBytes,
  differing,
  failed,
  foreign,
  fromDifference,
  read,
  relaxedOf,
  sectionOf,
  type Download,
} from "./download.js";
import type { CoreModule } from "./frame.js";
import createModule from "./glue.js";
import { isWasm, partNames, readParts, wasmParts, type CodeOf, type PartFile } from "./parts.js";

/** The builds of an entry point and their sources. */
export interface BuiltIn {
  code: CodeOf;
  /** Whole builds. The relaxed build comes with the simd build. */
  whole(variant: "simd" | "scalar"): Source | Promise<Source>;
  /** The simd build in parts. Default: it is loaded whole. */
  part?(file: PartFile): Source;
  threads?: Threads;
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

const initOptions = {
  source: asIs,
  variant: or(oneOf("auto", ...fastestFirst), "auto"),
  threads: or(count(1, 64), 1),
  parts: asIs,
};

/** The options of `init`. */
export interface Request {
  source: Source | undefined;
  variant: "auto" | Variant;
  threads: number;
  parts: readonly LibraryPart[];
}

/** Reads and checks the argument of `init`. Throws `invalid-argument`. */
export function readRequest(argument: Source | InitOptions | undefined): Request {
  const options = (argument === undefined || kindOf(argument) === "Object" ? argument : { source: argument }) ?? {};
  const { source, variant, threads, parts } = readOptions(options as InitOptions, initOptions);
  if (source !== undefined && variant !== "auto") throw withoutEffect("variant", "a source holds one build");
  if (source !== undefined && threads > 1) throw withoutEffect("threads", "a source holds one build");
  // Where there are no threads, the library has the same parts as with them.
  const wanted = parts === undefined ? [] : readParts(parts);
  return { source, variant, threads, parts: threads > 1 ? partNames : wanted };
}

/** The builds of an entry point. Each file is read once; builds other than simd are differences from it. */
class Builds {
  private readonly files = new Map<PartFile | "simd", Promise<Download>>();

  constructor(private readonly builtIn: BuiltIn) {}

  /** Begins to read a file. Whoever awaits it gets its error; after one, it can be read again. */
  file(name: PartFile | "simd"): Promise<Download> {
    const known = this.files.get(name);
    if (known) return known;
    const reading = this.read(name);
    reading.catch(() => this.drop(name));
    this.files.set(name, reading);
    return reading;
  }

  /** Frees the bytes of a file. */
  drop(name: PartFile | "simd"): void {
    this.files.delete(name);
  }

  /** Reads a file. Addresses are known at once: their download begins first. */
  private async read(name: PartFile | "simd"): Promise<Download> {
    const source = name === "simd" ? this.builtIn.whole(name) : this.builtIn.part!(name);
    return read(source instanceof Promise ? await source : source);
  }

  /** Compiles a file of the simd build, or the relaxed build inside it. */
  async compileFile(name: PartFile | "simd", isRelaxed: boolean): Promise<WebAssembly.Module> {
    const simd = await this.file(name);
    return compileBytes(isRelaxed ? relaxedOf(simd) : simd);
  }

  async compile(variant: Variant): Promise<WebAssembly.Module> {
    if (variant !== "scalar") return this.compileFile("simd", variant === "relaxed");
    // It loads at the same time.
    this.file("simd");
    return compile(await this.builtIn.whole(variant), this);
  }

  /** Compiles the build with threads. */
  async compileThreads(source: Source, isRelaxed: boolean): Promise<WebAssembly.Module> {
    this.file("simd");
    const difference = await read(source);
    const simd = fromDifference(difference, await this.file("simd"));
    return compileBytes(isRelaxed ? relaxedOf(simd) : simd);
  }
}

/** Loads a core. Throws `load-failed` with the reason and the address. A failed attempt is not cached. */
export async function load(request: Request, builtIn: BuiltIn): Promise<Core> {
  if (typeof WebAssembly === "undefined")
    throw failed("source: WebAssembly is missing or disabled (lockdown mode, jitless)");
  // It loads at the same time; whoever needs it gets its error.
  for (const part of request.parts) Promise.resolve(builtIn.code[part]()).catch(() => {});
  const core = await startCore(request, builtIn);
  core.parts.codeOf = builtIn.code;
  // A build in one piece has all parts.
  await core.load(core.parts.attach ? [] : partNames);
  return core;
}

async function startCore(request: Request, builtIn: BuiltIn): Promise<Core> {
  const builds = new Builds(builtIn);
  const { source, variant, threads } = request;
  if (source !== undefined) return start(compile(source, builds));
  const together = threads > 1 && (await loadThreads(request, builds, builtIn.threads));
  if (together) return together;
  const isInParts = builtIn.part !== undefined && !wasmParts.every((part) => request.parts.includes(part));
  const all = candidates(variant);
  const inParts = isInParts ? all.filter((candidate) => candidate !== "scalar") : [];
  const attempts = [
    ...inParts.map((candidate) => () => startParts(candidate, request.parts, builds)),
    ...all.map((candidate) => () => start(builds.compile(candidate))),
  ];
  let reason: unknown;
  for (const attempt of attempts) {
    try {
      return await attempt();
    } catch (error) {
      // If a build is missing or computes wrongly, the next one is tried. The first error is the most informative one.
      reason ??= error;
    }
  }
  throw reason;
}

/** Returns the builds to try. Throws if the engine cannot run the one that is asked for. */
function candidates(variant: "auto" | Variant): readonly Variant[] {
  if (variant === "auto") return fastestFirst.filter(supports);
  if (!supports(variant)) throw failed(`variant: this engine cannot run the ${variant} build`);
  return [variant];
}

/** Starts a build by its base. The requested parts begin to load at the same time. */
async function startParts(
  variant: Exclude<Variant, "scalar">,
  parts: readonly LibraryPart[],
  builds: Builds,
): Promise<Core> {
  for (const part of parts.filter(isWasm)) builds.file(part);
  const isRelaxed = variant === "relaxed";
  const compiling = builds.compileFile("base", isRelaxed);
  const { core: module, exports } = await run(compiling, createModule);
  const base = await compiling;
  const core = checked(module, false);
  builds.drop("base");
  core.parts.attach = async (part) => {
    await attachPart(await builds.compileFile(part, isRelaxed), base, exports);
    if (part === "attention") checkRight(module.attendsRightly, core);
    builds.drop(part);
  };
  return core;
}

/**
 * Loads a core with threads; undefined if that is not possible for any reason: one thread computes the same results.
 */
async function loadThreads(
  { variant, threads }: Request,
  builds: Builds,
  shared: Threads | undefined,
): Promise<Core | undefined> {
  const isolated = (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated ?? true;
  if (!shared || !isolated || typeof SharedArrayBuffer === "undefined" || !supports("simd")) return undefined;
  const isRelaxed = variant !== "simd" && supports("relaxed");
  if (variant === "scalar" || (variant === "relaxed" && !isRelaxed)) return undefined;
  try {
    const compiling = builds.compileThreads(await shared.source(), isRelaxed);
    compiling.catch(() => {});
    return await (await shared.starter()).startThreads(compiling, threads);
  } catch {
    return undefined;
  }
}

async function start(compiling: Promise<WebAssembly.Module>): Promise<Core> {
  return checked((await run(compiling, createModule)).core);
}

/** A started core, and what it was linked with: what it imports and what it exports. */
interface Running {
  core: CoreModule;
  imports: WebAssembly.Imports;
  exports: WebAssembly.Exports;
}

/**
 * Starts a core, and returns it with its source. Emscripten's code is prepared while the module is being downloaded.
 */
export async function run(compiling: Promise<WebAssembly.Module>, create: typeof createModule): Promise<Running> {
  let given: WebAssembly.Imports = {};
  let exports: WebAssembly.Exports = {};
  const rejectBuild = (error: unknown): never => {
    throw foreign(String(error), error);
  };
  const core = await new Promise<CoreModule>((resolve, fail) => {
    const running = create({
      instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void) {
        given = imports;
        const begin = (instance: WebAssembly.Instance): void => {
          exports = instance.exports;
          done(instance);
        };
        compiling.then((module) => WebAssembly.instantiate(module, imports).then(begin).catch(rejectBuild)).catch(fail);
        return {};
      },
    }) as Promise<CoreModule>;
    running.then(resolve, fail);
  });
  return { core, imports: given, exports };
}

/** Throws if the core has other calls or computes incorrectly. `isWhole`: it has all parts. */
export function checked(module: CoreModule, isWhole = true): Core {
  if (module.schema?.() !== schema) throw failed("source: not a build of this version of posenc");
  const core = new Core(module);
  checkRight(module.rotatesRightly, core);
  if (isWhole) checkRight(module.attendsRightly, core);
  return core;
}

function checkRight(test: () => boolean, { variant }: Core): void {
  let isRight = false;
  try {
    isRight = test();
  } catch {
    // A trap is a wrong result, too.
  }
  if (!isRight) throw failed(`this engine computes wrong results with the ${variant} build`);
}

async function compile(source: Source, builds: Builds): Promise<WebAssembly.Module> {
  const download = kindOf(source) === "WebAssembly.Module" ? undefined : await read(source);
  const module = download ? await compileBytes(download) : (source as WebAssembly.Module);
  if (isBase(module)) throw failed("source: is only the base of a build; pass posenc.simd.wasm, which has all parts");
  const difference = sectionOf(module, differenceSection);
  return difference ? compileBytes(differing(new Uint8Array(difference), await builds.file("simd"))) : module;
}
