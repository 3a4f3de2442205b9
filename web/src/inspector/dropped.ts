// The files of a drop, also those in folders.
import { PosencError } from "../base/errors.js";

/** Levels of folders that are read: a checkout and its folder `onnx`. */
const mostDepth = 2;
const mostFiles = 1000;

const refusal = (why: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", `source: ${why}`, "source", { cause });

const isHidden = (name: string): boolean => name.startsWith(".");

async function* entriesIn(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  // A reader returns batches; an empty one is the last.
  for (
    let batch: FileSystemEntry[];
    (batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject))).length > 0;
  )
    yield* batch;
}

type Entries = Iterable<FileSystemEntry> | AsyncIterable<FileSystemEntry>;

async function collect(entries: Entries, files: File[], depth: number): Promise<void> {
  for await (const entry of entries) {
    if (isHidden(entry.name)) continue;
    if (!entry.isFile) {
      if (depth < mostDepth) await collect(entriesIn(entry as FileSystemDirectoryEntry), files, depth + 1);
      continue;
    }
    if (files.length === mostFiles) throw refusal(`dropped folders have more than ${mostFiles} files`);
    files.push(await new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
  }
}

/**
 * Returns dropped files and those in dropped folders. Must be called while the event is dispatched. Throws `load-failed`
 * if folders cannot be read, have no files or too many.
 */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
  const plain = Array.from(transfer.files);
  if (entries.every(({ isFile }) => isFile)) return plain;
  const files: File[] = [];
  try {
    await collect(entries, files, 0);
  } catch (error) {
    throw error instanceof PosencError ? error : refusal(`a dropped folder cannot be read (${String(error)})`, error);
  }
  if (files.length === 0) throw refusal("the dropped folder has no files, nor have the folders in it");
  return files;
}
