// Reads a file up to the content of its large tensors, which may be gigabytes.
import { damaged, mostContent, Pieces, WireType } from "./protobuf.js";
import type { Source } from "../../base/source.js";

/** The messages that a message contains, by field; other fields are content. */
interface Layout {
  readonly [field: number]: () => Layout;
}
const tensor: Layout = {};
/** Lists of numbers in attributes, which are always read. */
const numbers: Layout = {};
const sparse: Layout = { 1: () => tensor, 2: () => tensor };
const attribute: Layout = {
  5: () => tensor,
  6: () => graph,
  7: () => numbers,
  8: () => numbers,
  10: () => tensor,
  11: () => graph,
  22: () => sparse,
  23: () => sparse,
};
const node: Layout = { 5: () => attribute };
const graph: Layout = { 1: () => node, 5: () => tensor, 15: () => sparse };
const functions: Layout = { 7: () => node, 11: () => attribute };
const model: Layout = { 7: () => graph, 25: () => functions };

/** Number of bytes that are read at once. */
const window = 262144;
/** Maximum number of bytes of nodes, names and small tensors together. Larger graphs do not exist. */
const mostKept = 201326592;
export const mostDepth = 32;

/** Maximum bytes of a tag followed by a length or a number. */
const mostOfField = 20;

class Scanner {
  readonly pieces: { start: number; bytes: Uint8Array }[] = [];
  /** The current piece. Its capacity doubles: most fields have only a few bytes. */
  private piece = new Uint8Array(window);
  private length = 0;
  private kept = 0;
  private buffer: Uint8Array = new Uint8Array(0);
  private used = 0;
  at = 0;

  constructor(private readonly source: Source) {}

  /** Reads at least this many bytes to `buffer`, from `used` on. */
  private async fill(length: number): Promise<void> {
    const want = Math.min(Math.max(length, window), this.source.size - this.at);
    if (want < length) throw damaged("the file ends in the middle of a message", this.at);
    this.buffer = await this.source.read(this.at, want);
    this.used = 0;
  }
  private get left(): number {
    return this.buffer.length - this.used;
  }
  /** Keeps the next bytes of the buffer. */
  private take(length: number): void {
    if (length > this.left) throw damaged("the file ends in the middle of a message", this.at);
    this.count(length);
    const end = this.length + length;
    if (end > this.piece.length) {
      const piece = new Uint8Array(Math.max(end, 2 * this.piece.length));
      piece.set(this.piece.subarray(0, this.length));
      this.piece = piece;
    }
    for (let i = 0; i < length; i++) this.piece[this.length + i] = this.buffer[this.used + i]!;
    this.length = end;
    this.used += length;
    this.at += length;
  }
  private async keep(length: number): Promise<void> {
    if (this.left < length) {
      this.count(0, length);
      await this.fill(length);
    }
    this.take(length);
  }
  /** Counts bytes that are kept, and bytes that are about to be kept. */
  private count(length: number, more = 0): void {
    this.kept += length;
    if (this.kept + more > mostKept) throw damaged(`has more than ${mostKept} bytes outside of tensors`);
  }
  private skip(length: number): void {
    this.close();
    this.at += length;
    this.used = Math.min(this.buffer.length, this.used + length);
  }
  close(): void {
    if (this.length > 0) this.pieces.push({ start: this.at - this.length, bytes: this.piece.slice(0, this.length) });
    this.length = 0;
  }

  private varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 63; factor *= 128) {
      this.take(1);
      const byte = this.buffer[this.used - 1]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw damaged("invalid varint", this.at);
  }

  async message(layout: Layout, end: number, depth: number): Promise<void> {
    if (depth > mostDepth) throw damaged(`graphs are nested more than ${mostDepth} deep`, this.at);
    while (this.at < end) {
      if (this.left < Math.min(mostOfField, this.source.size - this.at)) await this.fill(0);
      const tag = this.varint();
      const type = tag % 8;
      if (type === WireType.varint) this.varint();
      else if (type === WireType.fixed64) await this.keep(8);
      else if (type === WireType.fixed32) await this.keep(4);
      else if (type === WireType.bytes) await this.content(layout[Math.floor(tag / 8)], end, depth);
      else throw damaged(`not an ONNX model: invalid wire type ${type}`, this.at);
      if (this.at > end) throw damaged("a field is longer than its message", this.at);
    }
  }

  private async content(inside: (() => Layout) | undefined, end: number, depth: number): Promise<void> {
    const length = this.varint();
    if (this.at + length > end) throw damaged("a field is longer than its message", this.at);
    const layout = inside?.();
    if (length <= mostContent || layout === numbers) await this.keep(length);
    else if (layout) await this.message(layout, this.at + length, depth + Number(layout === graph));
    else this.skip(length);
  }
}

/** Returns the whole file if it is in memory, else everything except the content of large tensors. */
export async function scan(source: Source): Promise<Pieces> {
  if (source.bytes) return new Pieces([{ start: 0, bytes: source.bytes }], source.size);
  const scanner = new Scanner(source);
  await scanner.message(model, source.size, 0);
  scanner.close();
  return new Pieces(scanner.pieces, source.size);
}
