// The parts of one instance: what is loaded, and how the rest joins it.
import { firstCalls, type Operation } from "../base/calls.gen.js";
import { PosencError } from "../base/errors.js";
import type { LibraryPart } from "../base/types.js";
import { isWasm, neededBy, notLoaded, partOf, wasmParts, type CodeOf, type WasmPart } from "./parts.js";

export class LoadedParts {
  private readonly code = new Map<LibraryPart, object>();
  private readonly loading = new Map<LibraryPart, Promise<void>>();
  /** Where the JavaScript of parts comes from. */
  codeOf!: CodeOf;
  /** Loads the WebAssembly of a part that the build did not come with. */
  attach?: (part: WasmPart) => Promise<void>;
  /** Calls from this number on may be of a part that is not loaded. */
  checkedFrom: number = firstCalls.attention;

  get names(): LibraryPart[] {
    return [...this.code.keys()];
  }

  /** Throws if a part is not loaded. */
  need(part: LibraryPart): void {
    if (!this.code.has(part)) throw notLoaded(part);
  }

  /** Throws if the part of a call is not loaded. */
  needFor(operation: Operation): void {
    this.need(partOf(operation)!);
  }

  /** Returns the JavaScript of a part, whose type the caller knows. Throws if it is not loaded. */
  use<Code>(part: LibraryPart): Code {
    this.need(part);
    return this.code.get(part) as Code;
  }

  /** Loads parts, each once. A part that failed to load can be tried again. */
  async load(parts: readonly LibraryPart[]): Promise<void> {
    await Promise.all(parts.map((part) => this.loadOnce(part)));
  }

  private loadOnce(part: LibraryPart): Promise<void> | undefined {
    if (this.code.has(part)) return undefined;
    const known = this.loading.get(part);
    if (known) return known;
    const loading = this.join(part).finally(() => this.loading.delete(part));
    this.loading.set(part, loading);
    return loading;
  }

  private async join(part: LibraryPart): Promise<void> {
    const [code] = await Promise.all([
      this.codeOf[part](),
      isWasm(part) ? this.attach?.(part) : undefined,
      ...neededBy(part).map((other) => this.loadOnce(other)),
    ]);
    this.code.set(part, code);
    if (wasmParts.every((one) => this.code.has(one))) this.checkedFrom = Infinity;
  }

  /** Runs work that may create any encoding. Loads relative encodings if it creates one. */
  async withRelative<T>(work: () => T): Promise<T> {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof PosencError) || error.code !== "not-loaded") throw error;
      await this.load(["relative"]);
      return work();
    }
  }
}
