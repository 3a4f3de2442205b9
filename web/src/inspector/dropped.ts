// The files of a drop, also those in folders.
import { PosencError } from "../base/errors.js";

/** Levels of folders that are read: a checkout and its folder `onnx`. */
const mostDepth = 2;
const mostFiles = 1000;

const refusal = (why: string, cause?: unknown): PosencError =>
  new PosencError("load-failed", `source: ${why}`, "source", { cause });

const isHidden = (name: string): boolean => name.startsWith(".");

async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  // A reader returns batches; an empty one is the last.
  for (
    let batch: FileSystemEntry[];
    (batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)));
  ) {
    if (batch.length === 0) break;
    found.push(...batch);
    if (found.length > mostFiles) throw refusal(`a dropped folder has more than ${mostFiles} files`);
  }
  return found;
}

async function collect(entries: readonly FileSystemEntry[], files: File[], depth: number): Promise<void> {
  for (const entry of entries) {
    if (isHidden(entry.name)) continue;
    if (entry.isFile)
      files.push(await new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    else if (depth < mostDepth) await collect(await entriesIn(entry as FileSystemDirectoryEntry), files, depth + 1);
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
