// Files for onnxruntime in Node, which opens graphs and their weights by their paths.
import { builtInModule } from "../wasm/node.js";

interface Process {
  once(event: "exit", work: () => void): void;
}

/** Folders that exist until the program ends. */
const folders = new Set<TemporaryFolder>();
let isWatched = false;

export class TemporaryFolder {
  private readonly fs = builtInModule("node:fs")!;
  private readonly paths = builtInModule("node:path")!;
  private readonly path = this.fs.mkdtempSync(this.paths.join(builtInModule("node:os")!.tmpdir(), "posenc-"));

  constructor() {
    folders.add(this);
    if (!isWatched)
      (globalThis as { process?: Process }).process?.once("exit", () => folders.forEach((one) => one.remove()));
    isWatched = true;
  }

  private pathOf(name: string): string {
    const path = this.paths.join(this.path, name);
    this.fs.mkdirSync(this.paths.dirname(path), { recursive: true });
    return path;
  }

  /** Creates the same file under another name. onnxruntime rejects symbolic links that lead out of a model's folder. */
  link(name: string, original: string): void {
    const path = this.pathOf(name);
    const file = this.fs.realpathSync(original);
    try {
      this.fs.linkSync(file, path);
    } catch {
      // It is on another drive.
      this.fs.copyFileSync(file, path);
    }
  }

  /** Writes a file and returns its path. */
  async write(name: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
    const path = this.pathOf(name);
    const handle = this.fs.openSync(path, "wx");
    try {
      for await (const chunk of chunks)
        for (let at = 0; at < chunk.length;) at += this.fs.writeSync(handle, chunk.subarray(at));
    } finally {
      this.fs.closeSync(handle);
    }
    return path;
  }

  /** Removes the folder. If a system keeps files that are in use, the folder is removed when the program ends. */
  remove(): void {
    try {
      this.fs.rmSync(this.path, { recursive: true, force: true });
      folders.delete(this);
    } catch {
      folders.add(this);
    }
  }
}
