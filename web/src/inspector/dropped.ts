// The files of a drop, also those in folders.

/** Levels of folders that are read: a checkout and its folder `onnx`. */
const mostDepth = 2;
const mostFiles = 1000;

const isHidden = (name: string): boolean => name.startsWith(".");

async function entriesIn(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  // A reader returns batches; an empty one is the last.
  for (
    let batch: FileSystemEntry[];
    (batch = await new Promise((resolve, reject) => reader.readEntries(resolve, reject)));
  ) {
    if (batch.length === 0 || found.length > mostFiles) break;
    found.push(...batch);
  }
  return found;
}

async function collect(entries: readonly FileSystemEntry[], files: File[], depth: number): Promise<void> {
  for (const entry of entries) {
    if (isHidden(entry.name) || files.length >= mostFiles) continue;
    if (entry.isFile)
      files.push(await new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject)));
    else if (depth < mostDepth) await collect(await entriesIn(entry as FileSystemDirectoryEntry), files, depth + 1);
  }
}

/** Returns dropped files and those in dropped folders. Must be called while the event is dispatched. */
export async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
  const plain = Array.from(transfer.files);
  if (entries.every(({ isFile }) => isFile)) return plain;
  const files: File[] = [];
  await collect(entries, files, 0);
  return files;
}
