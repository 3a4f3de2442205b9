// A model whose positions can be read and changed.
import { invalid, show } from "../base/errors.js";
import { inspected } from "../base/inspected.js";
import { audited } from "./audit.js";
import { findCarriers, type Carrier, type Found } from "./find.js";
import type { Finding } from "./finding.js";
import { Flow } from "./flow.js";
import { locationsOf, readModel } from "./graph.js";
import type { ChangedModel } from "./changed.js";
import type { Library, RewriteOptions } from "./options.js";
import { scan } from "./scan.js";
import { openSource, type FileSource, type Source } from "./source.js";
import { Files } from "./values.js";
import { findWindows, layerCountOf, type FoundWindow } from "./windows.js";

/** How a model is opened. */
export interface OpenOptions {
  /** The files beside the model, by the `location` that it calls them ("model.onnx_data"), or what finds them when asked. */
  readonly externalData?:
    Readonly<Record<string, FileSource>> | ((location: string) => Promise<FileSource | undefined>);
}

/** A model as it was opened. */
export class OnnxModel {
  /** What carries positions in it. */
  readonly positions: readonly Carrier[];
  /** @internal */
  constructor(
    private readonly files: Files,
    private readonly flow: Flow,
    private readonly found: ReadonlyMap<Carrier, Found>,
    private readonly externalData: Readonly<Record<string, FileSource>>,
    private readonly windows: readonly FoundWindow[],
  ) {
    this.positions = [...found.keys()];
  }

  /** @internal */
  [inspected](): string {
    return `OnnxModel { positions: ${this.positions.length} }`;
  }

  /** The files beside it that its weights lie in, by the `location` that it calls them. */
  get externalLocations(): string[] {
    return locationsOf(this.flow.model);
  }

  /**
   * What is wrong with the positions: in themselves, and, with the model's config.json, against it. Errors make outputs
   * wrong; `rewrite` of a finding is what mends it. Throws: nothing for a config that cannot be read, which is a finding.
   */
  audit(pe: Library, configJson?: unknown): Finding[] {
    return audited({ found: this.found, windows: this.windows, layers: layerCountOf(this.flow) }, pe, configJson);
  }

  /**
   * The model with other positions; this one stays as it is. What is not named is the source byte for byte.
   * Throws: invalid-argument for options that are none, shape-mismatch for a rotation of other pairs, unsupported for what
   * the graph cannot be made to do.
   */
  async rewrite(pe: Library, options: RewriteOptions): Promise<ChangedModel> {
    // Most only look.
    const { rewriteModel } = await import("./rewrite.js");
    return rewriteModel(pe, this.files, this.flow, this.found, options, this.externalData);
  }
}

/**
 * Reads a model as far as positions need it: its graph, and of its weights those that are positions.
 * Throws: load-failed for what is no ONNX model, is damaged or lies in a file that was not given; invalid-argument for
 * sources that are none.
 */
export async function openModel(source: FileSource, options: OpenOptions = {}): Promise<OnnxModel> {
  if (!isObject(options)) throw invalid("options", `must be an object, got ${show(options)}`);
  const { externalData = {} } = options;
  if (!isObject(externalData) && typeof externalData !== "function")
    throw invalid("externalData", `must be an object of files or a function, got ${show(externalData)}`);
  const opened = await openSource(source, "source");
  const graph = readModel(await scan(opened));
  const given = typeof externalData === "function" ? await found(externalData, locationsOf(graph)) : externalData;
  const external = new Map<string, Source>();
  for (const [location, file] of Object.entries(given)) external.set(location, await openSource(file, "externalData"));
  const flow = new Flow(graph);
  const files = new Files(opened, graph, external);
  return new OnnxModel(files, flow, await findCarriers(files, flow), given, await findWindows(flow, files));
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

async function found(
  find: (location: string) => Promise<FileSource | undefined>,
  locations: readonly string[],
): Promise<Record<string, FileSource>> {
  const files = await Promise.all(locations.map(async (location) => [location, await find(location)] as const));
  return Object.fromEntries(files.filter((one): one is readonly [string, FileSource] => one[1] !== undefined));
}
