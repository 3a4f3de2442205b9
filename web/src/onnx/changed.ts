// A model with other positions.
import type { OwnedUint8Array } from "../base/types.js";
import type { Change } from "./changes.js";
import { joined } from "./encode.js";
import { bytesOf, chunksOf, total, type Part } from "./patch.js";
import type { FileSource, Source } from "./source.js";

/** A model with other positions: parts of its source, and new ones between them. */
export class ChangedModel {
  /** @internal */
  constructor(
    private readonly source: Source,
    private readonly parts: readonly Part[],
    /** What changed, in words. */
    readonly changes: readonly Change[],
    /** The files beside the model: as they were. */
    readonly externalData: Readonly<Record<string, FileSource>>,
  ) {}
  /** The whole file as a Blob; parts that did not change are the source's own, where it is a Blob. */
  async blob(): Promise<Blob> {
    const { blob } = this.source;
    if (!blob) return new Blob([await this.bytes()]);
    return new Blob(
      this.parts.map((part) => (part instanceof Uint8Array ? joined([part]) : blob.slice(part.start, part.end))),
    );
  }
  /** Bytes of the whole file. */
  get size(): number {
    return total(this.parts);
  }
  /** The whole file piece by piece, [bytes] each, for what is larger than memory: `writeFile(path, changed.chunks())`. */
  chunks(): AsyncGenerator<Uint8Array, void> {
    return chunksOf(this.source, this.parts);
  }
  /** The whole file. */
  bytes(): Promise<OwnedUint8Array> {
    return bytesOf(this.source, this.parts);
  }
}
