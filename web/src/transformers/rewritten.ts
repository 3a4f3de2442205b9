// A graph with other positions, as a file that onnxruntime opens or as bytes.
import { PosencError } from "../base/errors.js";
import type { ChangedModel } from "../onnx/rewrite/changed.js";
import { firstError } from "../onnx/rewrite/unused.js";
import type { OnnxModel } from "../onnx/model.js";
import type { RewriteOptions } from "../onnx/options.js";
import type { FileSource, RandomAccess } from "../base/source.js";
import { builtInModule } from "../wasm/node.js";
import type { FileRequest } from "./cache-keys.js";
import type { ModelChange } from "./env.js";
import { blobOf, type Original } from "./originals.js";
import { TemporaryFolder } from "./temporary.js";
import { isTextGraph, optionsOf } from "./text-graph.js";

/** A graph of a model, and its changes. */
export interface Rewriting {
  readonly request: FileRequest;
  readonly change: ModelChange;
  readonly original: Original;
  /** Whether the result is a path; otherwise it is bytes. */
  readonly byPath: boolean;
  /** Returns another file of the same model. */
  sibling(file: string): Promise<Original | undefined>;
}

/**
 * Returns the changed graph. transformers.js asks several times for one file: each graph is made once, and kept until
 * `forget`.
 */
export function rewritten(work: Rewriting): { result: Promise<string | Blob>; forget: () => void } {
  const { request, original } = work;
  const { made } = work.change;
  const key =
    "path" in original ? stampOf(original.path) : [request.model, request.revision ?? "main", request.file].join("\n");
  let result = made.get(key);
  if (!result) {
    made.set(key, (result = make(work)));
    result.catch(() => made.delete(key));
  }
  return { result, forget: () => made.delete(key) };
}

function stampOf(path: string): string {
  const { mtimeMs = 0, size = 0 } = builtInModule("node:fs")!.statSync(path, { throwIfNoEntry: false }) ?? {};
  return [path, mtimeMs, size].join("\n");
}

async function make({ request, change, original, byPath, sibling }: Rewriting): Promise<string | Blob> {
  const { openModel } = await import("../onnx/model.js");
  const opened = new OpenFiles();
  const external = new Map<string, Original>();
  const folder = request.file.slice(0, request.file.lastIndexOf("/") + 1);
  const externalData = async (location: string): Promise<FileSource | undefined> => {
    if (onAnySystem(namesOf(location)[0] ?? "") === onAnySystem(request.file.slice(folder.length)))
      throw new PosencError("unsupported", `models: ${request.file} names itself as its external data`, "models");
    const found = isInside(location) ? await sibling(folder + location) : undefined;
    if (found) external.set(location, found);
    return found && opened.source(found);
  };
  try {
    const { signal } = change.work;
    const model = await openModel(opened.source(original), { externalData, ...(signal && { signal }) });
    const changed = await rewrittenBy(model, request, change);
    if (changed.changes.length === 0) return byPath ? (original as { path: string }).path : await blobOf(original);
    return byPath ? await written(changed, request, external, change) : await changed.blob(change.work);
  } finally {
    opened.close();
  }
}

/** Whether a location is inside the model's folder. Locations in a file are not trusted. */
const isInside = (location: string): boolean =>
  !/^[/\\]|^\w+:|[\x00-\x1f\x7f]/.test(location) && !location.split(/[/\\]/).includes("..");

const namesOf = (location: string): string[] => location.split(/[/\\]/).filter((name) => name !== "" && name !== ".");
/** Returns equal strings for names that are one file on some system. */
const onAnySystem = (name: string): string => name.normalize("NFC").toLowerCase();

/** Options that may concern the image encoder of a model, which is in another file than its decoder. */
const isOfImages = new Set<keyof RewriteOptions>(["grid", "resize"]);

/** Throws `unsupported` if an option finds nothing to change in the graph that has the text's positions. */
function checkUsed({ model, file }: FileRequest, options: RewriteOptions, { unused }: ChangedModel): void {
  if (!isTextGraph(file)) return;
  const isElsewhere = (option: keyof RewriteOptions): boolean => isOfImages.has(option) && /decoder_/.test(file);
  // config.json has the length if the graph does not.
  const first = firstError(
    options,
    unused.filter(({ option }) => !isElsewhere(option)),
  );
  if (!first) return;
  const { option, reason } = first;
  throw new PosencError("unsupported", `${option}: ${file} of ${model}: ${reason}`, option);
}

/** Changes a graph. Graphs without attention have no attention weights as outputs. */
async function rewrittenBy(
  model: OnnxModel,
  request: FileRequest,
  { pe, models, work }: ModelChange,
): Promise<ChangedModel> {
  const { signal } = work;
  const during = { ...(signal && { signal }) };
  const options = { ...optionsOf(request.file, models.get(request.model)!), partial: true };
  try {
    const changed = await model.rewrite(pe, options, during);
    checkUsed(request, options, changed);
    return changed;
  } catch (error) {
    const { field } = error as Partial<PosencError>;
    if (field !== "attention" || isTextGraph(request.file)) throw error;
    return model.rewrite(pe, { ...options, attention: false }, during);
  }
}

/** Writes the new graph, with its weight files next to it under the names that it uses. */
async function written(
  changed: ChangedModel,
  { file }: FileRequest,
  external: ReadonlyMap<string, Original>,
  { leftovers, work }: ModelChange,
): Promise<string> {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const byName = new Map([...external].map(([location, original]) => [namesOf(location).join("/"), original]));
  const folder = new TemporaryFolder();
  leftovers.push(() => folder.remove());
  for (const [location, original] of byName)
    if ("path" in original) folder.link(location, original.path);
    else await folder.write(location, [new Uint8Array(await original.blob.arrayBuffer())]);
  return folder.write(name, changed.chunks(work));
}

/** Files that are read in parts. Each is opened at its first read. */
class OpenFiles {
  private readonly handles = new Map<string, number>();
  private readonly fs = builtInModule("node:fs");

  source(original: Original): FileSource {
    if ("blob" in original) return original.blob;
    const { path } = original;
    const size = this.fs!.statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    return { size, read: (offset, length) => this.read(path, offset, length) } satisfies RandomAccess;
  }

  private read(path: string, offset: number, length: number): Uint8Array {
    const fs = this.fs!;
    const handle = this.handles.get(path) ?? fs.openSync(path, "r");
    this.handles.set(path, handle);
    const bytes = new Uint8Array(length);
    let filled = 0;
    for (let got = 1; got > 0 && filled < length; filled += got)
      got = fs.readSync(handle, bytes, filled, length - filled, offset + filled);
    return bytes.subarray(0, filled);
  }

  close(): void {
    for (const handle of this.handles.values()) this.fs!.closeSync(handle);
    this.handles.clear();
  }
}
