// Built-in modules of Node, Deno and Bun, loaded at run time: an import would break bundlers for the web.

/** Modification time and size of a file. */
interface Stats {
  readonly mtimeMs: number;
  readonly size: number;
  isFile(): boolean;
}

/** An end of a channel between threads. */
interface Port {
  onmessage: ((event: { data: unknown }) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
}

/** The built-in modules that are used here. */
interface BuiltInModules {
  "node:fs": {
    readFileSync(address: URL): Uint8Array;
    statSync(path: string, options: { throwIfNoEntry: false }): Stats | undefined;
    openSync(path: string, flags: "r" | "wx"): number;
    readSync(handle: number, bytes: Uint8Array, at: number, length: number, offset: number): number;
    writeSync(handle: number, bytes: Uint8Array): number;
    closeSync(handle: number): void;
    mkdirSync(path: string, options: { recursive: true }): void;
    mkdtempSync(prefix: string): string;
    realpathSync(path: string): string;
    linkSync(path: string, other: string): void;
    copyFileSync(path: string, other: string): void;
    renameSync(path: string, other: string): void;
    rmSync(path: string, options: { recursive: true; force: true }): void;
    readonly promises: { readFile(path: string): Promise<Uint8Array<ArrayBuffer>> };
  };
  "node:os": { tmpdir(): string };
  "node:path": { join(...parts: string[]): string; dirname(path: string): string; basename(path: string): string };
  "node:worker_threads": {
    readonly parentPort: Port | null;
    readonly Worker: new (
      code: string,
      options: { eval: true },
    ) => Port & {
      on(event: "message" | "error" | "exit", listener: (value: unknown) => void): void;
      ref(): void;
      unref(): void;
      terminate(): unknown;
    };
  };
  "node:zlib": { gunzipSync(bytes: Uint8Array): Uint8Array };
}
interface Process {
  getBuiltinModule?<Name extends keyof BuiltInModules>(name: Name): BuiltInModules[Name] | undefined;
}

/** Returns a built-in module of the engine synchronously; undefined if there is none. */
export const builtInModule = <Name extends keyof BuiltInModules>(name: Name): BuiltInModules[Name] | undefined =>
  (globalThis as { process?: Process }).process?.getBuiltinModule?.(name);

/** The end of the channel to the thread that started this one. */
export const parentPort = (): Port =>
  builtInModule("node:worker_threads")?.parentPort ?? (globalThis as unknown as Port);
