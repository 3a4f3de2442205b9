// Where the files are kept: in the browser's private file system (OPFS), or in memory until the page is closed.
import { failureOf, type Failure } from "../lib/failure.ts";

const folderName = "posenc-documents";

/** Undefined: this browser, or a private window of it, keeps no files. */
async function openFolder(): Promise<FileSystemDirectoryHandle | undefined> {
  if (typeof FileSystemFileHandle === "undefined" || !("createWritable" in FileSystemFileHandle.prototype))
    return undefined;
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true });
  } catch {
    return undefined;
  }
}

/** A file that could not be written to its end is not there: its content takes effect when the stream is closed. */
async function write(folder: FileSystemDirectoryHandle, name: string, file: Blob): Promise<void> {
  const handle = await folder.getFileHandle(name, { create: true });
  const stream = await handle.createWritable();
  try {
    await stream.write(file);
    await stream.close();
  } catch (error) {
    await stream.abort().catch(() => undefined);
    throw error;
  }
}

async function filesIn(folder: FileSystemDirectoryHandle): Promise<[name: string, file: Blob][]> {
  const files: [string, Blob][] = [];
  for await (const [name, handle] of folder.entries()) {
    const file = handle.kind === "file" ? await (handle as FileSystemFileHandle).getFile() : undefined;
    // What was never written to its end is empty.
    if (file?.size) files.push([name, file]);
  }
  return files;
}

/** Why a file was not kept. */
export interface Refused {
  isFull: boolean;
  failure: Failure;
}

export class Shelf {
  /** Undefined until it is known what is there. */
  files = $state.raw<ReadonlyMap<string, Blob>>();
  /** Whether files outlast the page. */
  isLasting = $state(true);
  refused = $state.raw<Refused>();
  /** Files that are in memory alone. */
  inMemory = $state.raw<ReadonlyMap<string, Blob>>(new Map());
  /** What is kept beyond this visit; where nothing is, what is in memory. */
  readonly kept = $derived(
    [...(this.files ?? [])].flatMap(([name, file]) => (this.isLasting && this.inMemory.has(name) ? [] : [file])),
  );

  private folder: FileSystemDirectoryHandle | undefined;
  /** One file after the other. */
  private last = Promise.resolve();

  async open(): Promise<void> {
    this.folder = await openFolder();
    this.isLasting = this.folder !== undefined;
    await this.refresh();
  }

  /** Looks again: another tab may have written or removed files. */
  async refresh(): Promise<void> {
    const stored = this.folder ? await filesIn(this.folder).catch(() => []) : [];
    this.files = new Map([...stored, ...this.inMemory]);
  }

  /** Keeps a file; where there is no room for it, until the page is closed. */
  keep(name: string, file: Blob): Promise<void> {
    this.last = this.last.then(() => this.keepNext(name, file));
    return this.last;
  }

  private async keepNext(name: string, file: Blob): Promise<void> {
    const inMemory = new Map(this.inMemory);
    try {
      if (this.folder) await write(this.folder, name, file);
      if (this.folder) inMemory.delete(name);
      else inMemory.set(name, file);
    } catch (error) {
      inMemory.set(name, file);
      this.refused = { isFull: (error as Error).name === "QuotaExceededError", failure: failureOf(error) };
    }
    this.inMemory = inMemory;
    await this.refresh();
  }

  /** Tries once more to keep what is in memory alone. */
  async keepAgain(): Promise<void> {
    this.refused = undefined;
    for (const [name, file] of this.inMemory) await this.keep(name, file);
  }

  empty(): Promise<void> {
    this.last = this.last.then(() => this.emptyNow());
    return this.last;
  }

  private async emptyNow(): Promise<void> {
    this.refused = undefined;
    this.inMemory = new Map();
    const names: string[] = [];
    if (this.folder) for await (const name of this.folder.keys()) names.push(name);
    for (const name of names) await this.folder?.removeEntry(name).catch(() => undefined);
    await this.refresh();
  }
}
