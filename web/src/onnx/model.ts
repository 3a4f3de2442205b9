// A model whose positions can be read and changed.
import { invalid, PosencError, show } from "../base/errors.js";
import { inspected } from "../base/inspected.js";
import { audited } from "./audit/audit.js";
import type { PositionalComponent } from "./component.js";
import { findPositions, type Found } from "./find/find.js";
import type { Finding } from "./audit/finding.js";
import { Flow } from "./read/flow.js";
import { locationsOf, readModel, type ModelGraph } from "./read/graph.js";
import { damaged } from "./read/protobuf.js";
import type { ChangedModel } from "./rewrite/changed.js";
import type { Library, RewriteOptions } from "./options.js";
import { scan } from "./read/scan.js";
import { openSource, textIn, watched, type FileSource, type Source } from "../base/source.js";
import { checkWork, type WorkOptions } from "../base/work.js";
import { Files } from "./read/values.js";
import { findWindows, layerCountOf, type FoundWindow } from "./find/windows.js";

/** Options of `openModel`. Progress is in bytes of the model's file. */
export interface OpenOptions extends WorkOptions {
  /**
   * External data files by the `location` that the model has for them ("model.onnx_data"), or a function that returns the file of
   * a location.
   */
  readonly externalData?:
    Readonly<Record<string, FileSource>> | ((location: string) => Promise<FileSource | undefined>);
}

/** An opened ONNX model. `rewrite` returns a new one and leaves it unchanged. */
export class OnnxModel {
  /** Positional components of the graph: rotations, biases and tables. */
  readonly positions: readonly PositionalComponent[];
  /** @internal */
  constructor(
    private readonly files: Files,
    private readonly flow: Flow,
    private readonly found: ReadonlyMap<PositionalComponent, Found>,
    private readonly externalData: Readonly<Record<string, FileSource>>,
    private readonly windows: readonly FoundWindow[],
    private readonly unexplained: string | undefined,
  ) {
    this.positions = [...found.keys()];
  }

  /** @internal */
  [inspected](): string {
    return `OnnxModel { positions: ${this.positions.length} }`;
  }

  /** Locations of the external data files that hold weights, as the model names them. */
  get externalLocations(): string[] {
    return locationsOf(this.flow.model);
  }

  /**
   * Returns what is wrong with the model's positions, in themselves and compared with its config.json.
   *
   * Findings of severity "error" make outputs wrong. Pass a finding's `rewrite` to `rewrite` to fix it.
   * @param pe Instance of the library, from `init()` of posenc.
   * @param configJson The object of the model's config.json. undefined: the graph is checked without it.
   * @returns One entry per finding; [] if there is nothing to report.
   * @throws {PosencError} `out-of-memory`; `not-loaded` if configs or the config's encoding are in a part that is not
   * loaded. A config that cannot be read is a finding, `config-unread`, not an error.
   * @example
   * for (const { severity, message } of model.audit(pe, config)) console.log(severity, message);
   */
  audit(pe: Library, configJson?: unknown): Finding[] {
    const { found, windows, unexplained } = this;
    return audited({ found, windows, unexplained, layers: layerCountOf(this.flow) }, pe, configJson);
  }

  /**
   * Returns a model with other positions, as `options` name them. The opened model stays unchanged.
   *
   * Everything that the options do not name is byte for byte the source.
   * @param pe Instance of the library, from `init()` of posenc.
   * @param options Rotation, bias, length, grid and other changes.
   * @param work `signal` and `onProgress`; progress is in positional components.
   * @returns The changed model; write it with `chunks()`, `bytes()` or `blob()`.
   * @throws {PosencError} `invalid-argument` or `invalid-spec` if an option is invalid; `shape-mismatch` if a rotation has other
   * pairs than the graph; `unsupported` if the graph cannot be changed that way; `out-of-range` or `out-of-memory` if the new
   * tables are too large; `load-failed` if external data that must change are missing.
   * @example
   * const changed = await model.rewrite(pe, { rotary: { kind: "rope-yarn", factor: 4, originalLength: 4096 }, length: 16384 });
   * await writeFile("model-16k.onnx", changed.chunks());
   */
  async rewrite(pe: Library, options: RewriteOptions, work: WorkOptions = {}): Promise<ChangedModel> {
    // Most programs only read positions.
    const { rewriteModel } = await import("./rewrite/rewrite.js");
    return rewriteModel(pe, this.files, this.flow, this.found, options, this.externalData, work);
  }
}

/**
 * Opens an ONNX model whose positional components can then be read, checked and changed.
 *
 * Reads the graph and, of the weights, only those of positional components. For a large file pass a `Blob`, or an
 * object that reads parts of it. Needs no WebAssembly.
 * @param source The file: bytes, a Blob, a Response, or { size, read(offset, length) }.
 * @param options `externalData`, the files that hold weights outside of the model (default: none); `signal`, `onProgress`.
 * @returns The model; its `positions` are the positional components of the graph.
 * @throws {PosencError} `load-failed` if the source is not an ONNX model, is damaged, or stores positions in an
 * external file that was not passed; `invalid-argument` if a source or option is invalid. Errors of `read` and of an
 * `externalData` function are passed on unchanged.
 * @example
 * const model = await openModel(await readFile("model.onnx"));
 * for (const { family, form, layers, spec } of model.positions) console.log(family, form, layers, spec);
 */
export async function openModel(source: FileSource, options: OpenOptions = {}): Promise<OnnxModel> {
  if (!isObject(options)) throw invalid("options", `must be an object, got ${show(options)}`);
  const { externalData = {} } = options;
  if (!isObject(externalData) && typeof externalData !== "function")
    throw invalid("externalData", `must be an object of files or a function, got ${show(externalData)}`);
  checkWork(options);
  const unknown = Object.keys(options).find((name) => !["externalData", "signal", "onProgress"].includes(name));
  if (unknown !== undefined) throw invalid(unknown, "unknown option; known are externalData, signal, onProgress");
  const opened = await openSource(source, "source");
  const graph = await graphOf(options.signal || options.onProgress ? watched(opened, options) : opened);
  const given = typeof externalData === "function" ? await found(externalData, locationsOf(graph)) : externalData;
  const external = new Map<string, Source>();
  for (const [location, file] of Object.entries(given)) external.set(location, await openSource(file, "externalData"));
  const flow = new Flow(graph);
  const files = new Files(opened, graph, external);
  const { components, unexplained } = await findPositions(files, flow);
  options.signal?.throwIfAborted();
  return new OnnxModel(files, flow, components, given, await findWindows(flow, files), unexplained);
}

async function graphOf(source: Source): Promise<ModelGraph> {
  try {
    return readModel(await scan(source));
  } catch (error) {
    // Failed downloads are text. Other errors are those of `read`.
    const isDamaged = error instanceof PosencError && error.code === "load-failed";
    const text = isDamaged ? await textIn(source) : undefined;
    throw text ? damaged(`must be an ONNX model, got ${text}`) : error;
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

async function found(
  find: (location: string) => Promise<FileSource | undefined>,
  locations: readonly string[],
): Promise<Record<string, FileSource>> {
  const files = await Promise.all(locations.map(async (location) => [location, await find(location)] as const));
  return Object.fromEntries(files.filter((one): one is readonly [string, FileSource] => one[1] !== undefined));
}
