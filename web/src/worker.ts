/**
 * The library in a worker: its calls return promises, and never block the page.
 * @module posenc/worker
 */
import { kindOf } from "./base/arrays.js";
import { invalid, PosencError, show } from "./base/errors.js";
import { checkWork } from "./base/work.js";
import type { TypeOption } from "./base/call-options.js";
import type { Family, Kind, Spec } from "./base/specs.gen.js";
import type { InitOptions, Source, TensorType } from "./base/types.js";
import type { ConfigOptions } from "./config/config.js";
import type { CreatedFrom, EncodingOfFamily } from "./encodings/kinds.js";
import type { Posenc } from "./posenc.js";
import type { WasmTensorOf } from "./tensors/tensor.js";
import { addresses } from "./wasm/addresses.js";
import { lineOf, startWorker, type Line } from "./wasm/line.js";
import { builtInModule } from "./wasm/node.js";
import { Connection } from "./worker/connection.js";
import type { FromWorker, Start, ToWorker } from "./worker/messages.js";
import type { CallOptions } from "./worker/sent.js";
import type { Argument, InWorker } from "./worker/types.js";

export { PosencError, type ErrorCode } from "./base/errors.js";
export type { Progress, WorkOptions } from "./base/work.js";
export type { CallOptions } from "./worker/sent.js";
export type { Argument, InWorker, Result } from "./worker/types.js";

/** Options of `init`: those of the library, and the worker. */
export interface WorkerInitOptions extends InitOptions, Pick<CallOptions, "signal"> {
  /**
   * A worker that runs the file `posenc.worker.js` of the package. Default: one is started with that file, which is next to this
   * module.
   */
  worker?: Worker;
}

/** Calls whose result depends on a literal argument: TypeScript loses that relation when it maps a type. */
interface ByKind {
  /** As `create` of `Posenc`. */
  create<K extends Kind>(
    spec: { kind: K } & Argument<Extract<Spec, { kind: K }>>,
    options?: CallOptions,
  ): Promise<InWorker<CreatedFrom<K>>>;
  /** As `fromConfig` of `Posenc`. */
  fromConfig<F extends Family = Family>(
    config: unknown,
    options?: ConfigOptions & { family?: F } & CallOptions,
  ): Promise<InWorker<EncodingOfFamily[F]>>;
  /** As `tensor` of `Posenc`. */
  tensor<Type extends TensorType = "float32">(
    dims: readonly number[],
    options?: Partial<TypeOption<Type>> & CallOptions,
  ): Promise<InWorker<WasmTensorOf<Type>>>;
  /** As `tensor` of `Posenc`. */
  tensor<Type extends TensorType = "float32">(
    data: ArrayLike<number>,
    dims: readonly number[],
    options?: Partial<TypeOption<Type>> & CallOptions,
  ): Promise<InWorker<WasmTensorOf<Type>>>;
  /** Ends the worker. Calls that are not complete, and all later ones, throw `disposed`. */
  terminate(): void;
}

/** The library in a worker. */
export type PosencInWorker = Omit<InWorker<Posenc>, keyof ByKind> & ByKind;

type WorkerLine = Line<ToWorker, FromWorker>;

/** A literal: bundlers look for exactly this form, and copy the file. */
const script = (): URL => new URL("./posenc.worker.js", import.meta.url);

const failed = (why: string, cause: unknown): PosencError =>
  new PosencError(
    "load-failed",
    `worker: ${why} (${String(cause)}); serve posenc.worker.js next to this module, or pass a Worker that runs it`,
    "worker",
    { cause },
  );

/** Starts the worker by its file. Files of another origin, such as a CDN, are fetched as text. */
async function started(): Promise<WorkerLine> {
  try {
    const address = script();
    const fs = builtInModule("node:worker_threads") && builtInModule("node:fs");
    if (fs) return startWorker(new TextDecoder().decode(fs.readFileSync(address)));
    try {
      return lineOf(new Worker(address));
    } catch {
      const response = await fetch(address);
      if (!response.ok) throw new Error(`status ${response.status}`);
      return startWorker(await response.text());
    }
  } catch (cause) {
    throw failed("cannot be started", cause);
  }
}

async function lineTo(worker: Worker | undefined): Promise<WorkerLine> {
  if (worker === undefined) return started();
  if (typeof (worker as Partial<Worker> | null)?.postMessage === "function") return lineOf(worker);
  throw invalid("worker", `must be a Worker, got ${show(worker)}`);
}

/** The addresses of the builds, as far as they are known. */
function located(): Start["addresses"] {
  const found: [string, string][] = [];
  for (const [file, address] of Object.entries(addresses))
    try {
      found.push([file, address().href]);
    } catch {
      // A bundler may have removed them: then `source` is needed, and the worker says so.
    }
  return Object.fromEntries(found);
}

/** Returns a source as it can be sent: addresses whole, and responses as their bytes. */
async function sendable(source: Source | undefined): Promise<Source | undefined> {
  if (kindOf(source) === "URL") return (source as URL).href;
  if (kindOf(source) === "Response") return (source as Response).arrayBuffer();
  if (typeof source !== "string") return source;
  const { baseURI } = (globalThis as { document?: Document }).document ?? {};
  return baseURI ? new URL(source, baseURI).href : source;
}

/**
 * Starts the library in a worker. Each call starts another worker; `terminate()` ends it.
 *
 * Methods and properties of the instance, and of the objects that it returns, are those of `posenc` and return promises.
 * Arguments are copied, or moved with `transfer: true`; results are moved to the page. Tensors that a call changes in place, or
 * that receive a result, are changed when the promise settles: do not use them before. Each call takes `signal`, `onProgress`
 * and `transfer` among its options. A signal ends `attention` and `attend` between two chunks of queries; other calls end before
 * they begin, or their result is discarded.
 * @param source As for `init` of `posenc`, and `worker`, `signal`.
 * @returns The instance.
 * @throws {PosencError} As `init` of `posenc`; `load-failed` if the worker cannot be started.
 * @example
 * const pe = await init({ parts: ["attention"] });
 * const rope = await pe.create({ kind: "rope", dim: 64 });
 * const out = await pe.attention(q, k, v, { encoding: rope, causal: true, signal, onProgress });
 */
export async function init(source?: Source | WorkerInitOptions): Promise<PosencInWorker> {
  const given = source === undefined || kindOf(source) === "Object" ? source : { source };
  const { worker, signal, source: from, ...options } = (given ?? {}) as WorkerInitOptions;
  checkWork({ ...(signal !== undefined && { signal }) });
  signal?.throwIfAborted();
  const bytes = await sendable(from);
  const connection = new Connection(await lineTo(worker));
  try {
    const start = { addresses: located(), options: { ...options, ...(bytes !== undefined && { source: bytes }) } };
    const instance = await connection.start(start, { ...(signal && { signal }) });
    const terminate = (): void => connection.close("terminate() was called");
    return Object.defineProperty(instance as object, "terminate", { value: terminate }) as PosencInWorker;
  } catch (error) {
    connection.close(String(error));
    throw (error as Partial<PosencError>).code === "disposed" ? failed("did not start", error) : error;
  }
}
