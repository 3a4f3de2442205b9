// Reads a file up to the content of its large tensors, which may be gigabytes.
import { damaged, mostContent, Pieces, WireType } from "./wire.js";
import type { Source } from "./source.js";

/** The messages that a message contains by field; what is not named is content. */
interface Layout {
  readonly [field: number]: () => Layout;
}
const tensor: Layout = {};
/** Numbers of an attribute, which are read with the graph however many they are. */
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

/** Bytes that are asked for at once. */
const window = 262144;
/** Bytes of nodes, names and small tensors together: larger graphs there are none of. */
const mostKept = 201326592;
export const mostDepth = 32;

class Scanner {
  readonly pieces: { start: number; bytes: Uint8Array }[] = [];
  private parts: Uint8Array[] = [];
  private pieceStart = 0;
  private kept = 0;
  private buffer: Uint8Array = new Uint8Array(0);
  private used = 0;
  at = 0;

  constructor(private readonly source: Source) {}

  /** The next bytes are in `buffer` from `used` on. */
  private async fill(length: number): Promise<void> {
    const want = Math.min(Math.max(length, window), this.source.size - this.at);
    if (want < length) throw damaged("the file ends in the middle of a message", this.at);
    this.buffer = await this.source.read(this.at, want);
    this.used = 0;
  }
  /** Keeps the next bytes. */
  private take(length: number): void {
    const bytes = this.buffer.slice(this.used, this.used + length);
    this.kept += length;
    this.parts.push(bytes);
    this.used += length;
    this.at += length;
  }
  async keep(length: number): Promise<void> {
    if (this.kept + length > mostKept) throw damaged(`has more than ${mostKept} bytes beside its tensors`);
    if (this.buffer.length - this.used < length) await this.fill(length);
    this.take(length);
  }
  skip(length: number): void {
    this.close();
    this.at += length;
    this.used = Math.min(this.buffer.length, this.used + length);
    this.pieceStart = this.at;
  }
  close(): void {
    if (this.parts.length === 0) return;
    const bytes = new Uint8Array(this.at - this.pieceStart);
    let end = 0;
    for (const part of this.parts) {
      bytes.set(part, end);
      end += part.length;
    }
    this.pieces.push({ start: this.pieceStart, bytes });
    this.parts = [];
    this.pieceStart = this.at;
  }

  private async varint(): Promise<number> {
    let value = 0;
    for (let factor = 1; factor < 2 ** 63; factor *= 128) {
      if (this.used >= this.buffer.length) await this.fill(1);
      const byte = this.buffer[this.used]!;
      this.take(1);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw damaged("a number has no end", this.at);
  }

  async message(layout: Layout, end: number, depth: number): Promise<void> {
    if (depth > mostDepth) throw damaged(`graphs are nested more than ${mostDepth} deep`, this.at);
    while (this.at < end) {
      const tag = await this.varint();
      const type = tag % 8;
      if (type === WireType.varint) await this.varint();
      else if (type === WireType.fixed64) await this.keep(8);
      else if (type === WireType.fixed32) await this.keep(4);
      else if (type === WireType.bytes) await this.content(layout[Math.floor(tag / 8)], end, depth);
      else throw damaged(`there is no wire type ${type}: this is no ONNX model`, this.at);
      if (this.at > end) throw damaged("a field is longer than what it is in", this.at);
    }
  }

  private async content(inside: (() => Layout) | undefined, end: number, depth: number): Promise<void> {
    const length = await this.varint();
    if (this.at + length > end) throw damaged("a field is longer than what it is in", this.at);
    const layout = inside?.();
    if (length <= mostContent || layout === numbers) await this.keep(length);
    else if (layout) await this.message(layout, this.at + length, depth + Number(layout === graph));
    else this.skip(length);
  }
}

/** All of a file that is in memory, else all but the content of large tensors. */
export async function scan(source: Source): Promise<Pieces> {
  if (source.bytes) return new Pieces([{ start: 0, bytes: source.bytes }], source.size);
  const scanner = new Scanner(source);
  await scanner.message(model, source.size, 0);
  scanner.close();
  return new Pieces(scanner.pieces, source.size);
}
