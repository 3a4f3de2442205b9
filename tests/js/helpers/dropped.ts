// What a browser passes when files and folders are dropped.

export type Dropped = File | FileSystemDirectoryEntry;

const isEntry = (dropped: Dropped): dropped is FileSystemDirectoryEntry => "isDirectory" in dropped;

const entryOf = (dropped: Dropped): FileSystemEntry =>
  isEntry(dropped)
    ? dropped
    : ({
        isFile: true,
        name: dropped.name,
        file: (resolve: (file: File) => void) => queueMicrotask(() => resolve(dropped)),
      } as unknown as FileSystemEntry);

/** A folder whose reader returns two entries at a time. */
export function folderOf(name: string, content: readonly Dropped[]): FileSystemDirectoryEntry {
  const createReader = () => {
    const left = content.map(entryOf);
    return {
      readEntries: (resolve: (entries: FileSystemEntry[]) => void) => queueMicrotask(() => resolve(left.splice(0, 2))),
    };
  };
  return { isFile: false, isDirectory: true, name, createReader } as unknown as FileSystemDirectoryEntry;
}

export const transferOf = (...dropped: Dropped[]): DataTransfer =>
  ({
    items: dropped.map((one) => ({ webkitGetAsEntry: () => entryOf(one) })),
    // A folder is among the files, too.
    files: dropped.map((one) => (isEntry(one) ? new File([], one.name) : one)),
  }) as unknown as DataTransfer;
