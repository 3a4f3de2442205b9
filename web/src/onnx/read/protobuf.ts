// Protocol buffers in a file: a tag, then a number, or a length and that many bytes. Files are untrusted: every length
// is checked against the message that contains it.
import { PosencError } from "../../base/errors.js";

/** Bytes from `start` to before `end` of the file. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The value of a field, and the start of the field. */
export interface FieldRange extends Range {
  readonly tag: number;
}

/** Encoding of a field's value. */
export const enum WireType {
  varint = 0,
  fixed64 = 1,
  bytes = 2,
  fixed32 = 5,
}

/** Returns a `load-failed` error for files that are not a model or are damaged. */
export const damaged = (what: string, at?: number): PosencError =>
  new PosencError("load-failed", `source: ${what}${at === undefined ? "" : ` at byte ${at}`}`, "source");

/** Pieces of a file in ascending order. The content of large tensors is missing. */
export class Pieces {
  private readonly starts: number[];
  private bytes: Uint8Array = new Uint8Array(0);
  private start = 0;
  private view: DataView = new DataView(new ArrayBuffer(0));

  constructor(
    private readonly pieces: readonly { readonly start: number; readonly bytes: Uint8Array }[],
    readonly size: number,
  ) {
    this.starts = pieces.map(({ start }) => start);
  }

  /** Selects the piece with `length` bytes from `at` on; false: there is none. */
  private seek(at: number, length: number): boolean {
    const isHere = (): boolean => at >= this.start && at + length <= this.start + this.bytes.length;
    if (isHere()) return true;
    let low = 0;
    for (let high = this.starts.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.starts[middle]! <= at) low = middle + 1;
      else high = middle;
    }
    const piece = this.pieces[low - 1];
    if (!piece) return false;
    this.start = piece.start;
    this.bytes = piece.bytes;
    this.view = new DataView(piece.bytes.buffer, piece.bytes.byteOffset, piece.bytes.byteLength);
    return isHere();
  }
  has({ start, end }: Range): boolean {
    return start === end || this.seek(start, end - start);
  }
  byte(at: number): number {
    if (!this.seek(at, 1)) throw damaged("a message is cut off", at);
    return this.bytes[at - this.start]!;
  }
  /** Returns the bytes themselves, not a copy. Call it only if has() returns true. */
  slice({ start, end }: Range): Uint8Array {
    if (!this.has({ start, end })) throw damaged("bytes are missing", start);
    return this.bytes.subarray(start - this.start, end - this.start);
  }
  float32(at: number): number {
    if (!this.seek(at, 4)) throw damaged("a number is cut off", at);
    return this.view.getFloat32(at - this.start, true);
  }
}

/** Maximum length of names. Longer content is not loaded if a file is read in parts. */
export const mostContent = 8192;

// A name must be written back exactly as it was read: without replaced bytes, with its byte order mark.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Walks over the fields of a message. */
export class Fields {
  /** The current field. */
  number = 0;
  type: WireType = WireType.varint;
  /** Position of the first byte of its tag. */
  tag = 0;
  /** Position of its value, after the length. */
  start = 0;
  end = 0;
  private next: number;

  constructor(
    readonly pieces: Pieces,
    private readonly message: Range,
  ) {
    this.next = message.start;
  }

  /** Moves to the next field; false: there is none. */
  advance(): boolean {
    if (this.next >= this.message.end) return false;
    this.tag = this.next;
    const tag = this.varint();
    this.number = Math.floor(tag / 8);
    this.type = tag % 8;
    if (this.number === 0) throw damaged("invalid field number 0", this.tag);
    const length = this.length();
    this.start = this.next;
    this.end = this.next += length;
    if (this.end > this.message.end) throw damaged("a field is longer than its message", this.tag);
    return true;
  }

  private length(): number {
    switch (this.type) {
      case WireType.varint: {
        let end = this.next;
        while (this.pieces.byte(end++) >= 128) if (end - this.next > 9) throw damaged("invalid varint", this.next);
        return end - this.next;
      }
      case WireType.fixed64:
        return 8;
      case WireType.fixed32:
        return 4;
      case WireType.bytes:
        return this.varint();
      default:
        throw damaged(`not an ONNX model: invalid wire type ${this.type}`, this.tag);
    }
  }

  /** Reads a tag or a length. */
  private varint(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 63; factor *= 128) {
      const byte = this.pieces.byte(this.next++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw damaged("invalid varint", this.next);
  }

  get range(): FieldRange {
    return { tag: this.tag, start: this.start, end: this.end };
  }
  /** A message, or bytes. */
  get content(): FieldRange {
    return this.as(WireType.bytes).range;
  }
  get text(): string {
    const { content } = this;
    if (content.end - content.start > mostContent)
      throw damaged(`a name cannot have more than ${mostContent} bytes`, this.tag);
    const bytes = this.pieces.slice(content);
    try {
      return utf8.decode(bytes);
    } catch {
      throw damaged("a name is not valid UTF-8", this.tag);
    }
  }
  /** A signed 64-bit integer; beyond 2^53 the nearest number. */
  get integer(): number {
    return readIntegers(this.as(WireType.varint).pieces, this.range)[0]!;
  }
  get float(): number {
    return this.as(WireType.fixed32).pieces.float32(this.start);
  }
  /** A field of integers, which has one of them, or all packed. */
  get integers(): number[] {
    return this.type === WireType.bytes ? readIntegers(this.pieces, this.range) : [this.integer];
  }
  get floats(): number[] {
    if (this.type !== WireType.bytes) return [this.float];
    const out = [];
    for (let at = this.start; at + 4 <= this.end; at += 4) out.push(this.pieces.float32(at));
    return out;
  }
  private as(type: WireType): this {
    if (this.type !== type) throw damaged(`field ${this.number} cannot have wire type ${this.type}`, this.tag);
    return this;
  }
}

function readIntegers(pieces: Pieces, { start, end }: Range): number[] {
  const out: number[] = [];
  for (let at = start; at < end;) {
    let low = 0;
    let high = 0;
    let shift = 0;
    for (let byte = 128; byte >= 128; shift += 7) {
      if (at >= end || shift > 63) throw damaged("invalid varint", at);
      byte = pieces.byte(at++);
      if (shift < 28) low += (byte & 127) * 2 ** shift;
      else high += (byte & 127) * 2 ** (shift - 28);
    }
    // `high` has the upper 36 of 64 bits, and is negative if the topmost bit is set.
    high %= 2 ** 36;
    out.push((high >= 2 ** 35 ? high - 2 ** 36 : high) * 2 ** 28 + low);
  }
  return out;
}
