// A model with other positions.
import type { OwnedUint8Array } from "../../base/types.js";
import { Steps, type WorkOptions } from "../../base/work.js";
import type { Change } from "./changes.js";
import { joined } from "./encode.js";
import { chunksOf, readPart, total, type Part } from "./patch.js";
import type { FileSource, Source } from "../../base/source.js";
import type { UnusedOption } from "./unused.js";

/** A model with other positions: unchanged parts of its source, and new ones between them. */
export class ChangedModel {
  /** @internal */
  constructor(
    private readonly source: Source,
    private readonly parts: readonly Part[],
    /** The changes: the name of each changed value, and a description. */
    readonly changes: readonly Change[],
    /**
     * Options that changed nothing, with the reasons. Without `partial` only `length`, if a rotation changed that is computed
     * for every length.
     */
    readonly unused: readonly UnusedOption[],
    /** External data files of the source, unchanged. */
    readonly externalData: Readonly<Record<string, FileSource>>,
  ) {}
  /**
   * Returns the whole file as a Blob. If the source is a Blob, unchanged parts share its memory.
   *
   * @param work `signal` and `onProgress`.
   * @returns A Blob of `size` bytes.
   * @throws {PosencError} `load-failed` if the source returns the wrong number of bytes.
   */
  async blob(work: WorkOptions = {}): Promise<Blob> {
    const { blob } = this.source;
    if (!blob) return new Blob([await this.bytes(work)]);
    return new Blob(
      this.parts.map((part) => (part instanceof Uint8Array ? joined([part]) : blob.slice(part.start, part.end))),
    );
  }
  /** Size of the whole file in bytes. */
  get size(): number {
    return total(this.parts);
  }
  /**
   * Returns the whole file piece by piece, for files that are larger than memory.
   *
   * @param work `signal` and `onProgress`.
   * @returns Pieces of at most a few megabytes of the source, and new parts, in the order of the file: [bytes] each.
   * @throws {PosencError} `load-failed` if the source returns the wrong number of bytes.
   * @example
   * await writeFile("changed.onnx", changed.chunks());
   */
  async *chunks(work: WorkOptions = {}): AsyncGenerator<Uint8Array, void> {
    const steps = new Steps(this.size, work);
    for await (const chunk of chunksOf(this.source, this.parts)) {
      yield chunk;
      await steps.step(chunk.length);
    }
  }
  /**
   * Returns the whole file as one array.
   *
   * @param work `signal` and `onProgress`.
   * @returns Shape [size].
   * @throws {PosencError} `load-failed` if the source returns the wrong number of bytes.
   */
  async bytes(work: WorkOptions = {}): Promise<OwnedUint8Array> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of this.chunks(work)) chunks.push(chunk);
    return joined(chunks);
  }
  /**
   * Returns some bytes of the file, so that `openModel` reads the new positions before the file is written.
   *
   * @param offset Index of the first byte, from 0.
   * @param length Number of bytes.
   * @returns Shape [length]; fewer bytes if the file ends before.
   * @throws {PosencError} `load-failed` if the source returns the wrong number of bytes.
   * @example
   * const { positions } = await openModel(changed, { externalData: changed.externalData });
   */
  read(offset: number, length: number): Promise<OwnedUint8Array> {
    return readPart(this.source, this.parts, offset, length);
  }
}
