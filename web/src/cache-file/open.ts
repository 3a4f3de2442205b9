// Opens a cache file and reads parts of it.
import { PosencError, invalid } from "../base/errors.js";
import { asObject } from "../base/json.js";
import { openSource, withStart, type FileSource, type Source } from "../base/source.js";
import { checksumOf, type Checksum } from "./checksum.js";
import {
  blocksOf,
  blockTokens,
  formatName,
  formatVersion,
  headerOf,
  layoutOf,
  sumsName,
  type CacheInfo,
  type Layout,
  type ModelNames,
} from "./format.js";
import { infoIn } from "./info.js";
import { rangesOf } from "./ranges.js";

const mostHeader = 2 ** 27;
/** Bytes that are read first: the header, positions and tokens of most files. Each read of a stored file takes some ms. */
const startBytes = 2 ** 16;

const damaged = (why: string): PosencError => new PosencError("invalid-argument", `source: ${why}`, "source");
const cut = (): PosencError => damaged("the file is damaged or cut off; save it again");

/** A file of cached keys and values. Its numbers are read when they are needed. */
export class CacheFile {
  /** Number of tokens. */
  readonly length: number;
  /** Names and hashes of the model that made the cache, as `saveCache` got them. */
  readonly model: ModelNames;
  /** Ids of the tokens; undefined: the file has none. */
  readonly tokens: readonly number[] | undefined;
  /** Positions of the tokens, a list for each axis. */
  readonly positions: readonly (readonly number[])[];

  /** @internal Files are opened by `openCache`. */
  constructor(
    /** @internal */
    readonly info: CacheInfo,
    private readonly blocks: Blocks,
    read: { readonly tokens: readonly number[] | undefined; readonly positions: readonly (readonly number[])[] },
  ) {
    this.length = info.length;
    this.model = info.model;
    this.tokens = read.tokens;
    this.positions = read.positions;
  }

  /** How keys and values are stored: "float32", "float16" or "int8". */
  get type(): CacheInfo["type"] {
    return this.info.type;
  }

  /** Number of layers with keys and values. */
  get layers(): number {
    return this.info.layers.length;
  }

  /** @internal Returns the rows of tokens `from` to `to` of a tensor, after checking them. */
  async rows(name: string, from: number, to: number, checksum: Checksum): Promise<Uint8Array> {
    return this.blocks.rows(name, { from, to, ahead: true, checksum });
  }
}

/**
 * Bytes that are read at once if all tokens are wanted: tensors follow each other, and the next are read meanwhile. Of a stored
 * file two reads take twice the time of one as large; from elsewhere they report progress sooner.
 */
const windowOf = ({ blob }: Source): number => (blob ? 2 ** 24 : 2 ** 21);

interface RowsOptions {
  readonly from?: number;
  readonly to?: number;
  readonly ahead?: boolean;
  readonly checksum?: Checksum;
}

/** The tensors of a file, in blocks with a checksum each. */
class Blocks {
  /** What was read last and is not used up. */
  private window: { readonly start: number; readonly end: number; readonly bytes: Promise<Uint8Array> } | undefined;

  constructor(
    private readonly source: Source,
    private readonly start: number,
    private readonly layout: Layout,
    private readonly sums: DataView,
    private readonly length: number,
  ) {}

  /**
   * Returns the rows of tokens `from` to `to` of a tensor. Throws if a block is damaged. `ahead`: the next tensors are
   * read with all tokens of this one.
   */
  async rows(
    name: string,
    { from = 0, to = this.length, ahead = false, checksum = checksumOf }: RowsOptions = {},
  ): Promise<Uint8Array> {
    const { rowBytes, offset, firstSum } = this.layout.parts.get(name)!;
    const [firstBlock, lastBlock] = [Math.floor(from / blockTokens), blocksOf(to)];
    const [first, end] = [firstBlock * blockTokens, Math.min(this.length, lastBlock * blockTokens)];
    const start = this.start + offset + first * rowBytes;
    const isWhole = first === 0 && end === this.length;
    const bytes = await this.read(start, start + (end - first) * rowBytes, ahead && isWhole);
    for (let block = firstBlock; block < lastBlock; block++) {
      const at = (block - firstBlock) * blockTokens * rowBytes;
      const part = bytes.subarray(at, Math.min(bytes.length, at + blockTokens * rowBytes));
      if (checksum(part) !== this.sums.getUint32(4 * (firstSum + block), true)) throw cut();
    }
    return bytes.subarray((from - first) * rowBytes, (to - first) * rowBytes);
  }

  /** Reads bytes, `ahead` also those of the next tensors. */
  private async read(start: number, end: number, ahead: boolean): Promise<Uint8Array> {
    const known = this.window;
    if (known && known.start <= start && end <= known.end) {
      if (end === known.end) this.window = undefined;
      return (await known.bytes).subarray(start - known.start, end - known.start);
    }
    const last = ahead ? Math.min(this.source.size, Math.max(end, start + windowOf(this.source))) : end;
    const bytes = Promise.resolve(this.source.read(start, last - start));
    const window = last > end ? { start, end: last, bytes } : undefined;
    this.window = window;
    // A failed read can be repeated.
    bytes.catch(() => this.window === window && (this.window = undefined));
    return (await bytes).subarray(0, end - start);
  }
}

/**
 * Opens a file of cached keys and values. It reads the header and the positions; restoring reads the rest in parts.
 *
 * @param source The file: a URL, from which a server's ranges are fetched, a Blob or File (OPFS, IndexedDB, an input), a
 * Response, bytes, or `{ size, read(offset, length) }`.
 * @returns The file.
 * @throws {PosencError} `invalid-argument` if it is not a cache file, of another version, damaged or cut off; `load-failed` if
 * it cannot be fetched.
 * @example
 * const file = await openCache(await (await root.getFileHandle("contract.cache")).getFile());
 */
export async function openCache(source: FileSource | URL): Promise<CacheFile> {
  const opened = await sourceOf(source);
  const header = await headerIn(opened);
  const info = infoFrom(header);
  const layout = layoutOf(info);
  const start = header.length;
  if (start + layout.size !== opened.size || !isSame(header, headerOf(info, layout))) throw cut();
  const { offset, count } = layout.sums;
  const bytes = await opened.read(start + offset, 4 * count);
  const sums = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (sums.getUint32(0, true) !== checksumOf(header)) throw cut();
  const blocks = new Blocks(opened, start, layout, sums, info.length);
  const positions = positionsIn(await blocks.rows("positions"), info);
  const tokens = info.hasTokens ? idsIn(await blocks.rows("tokens")) : undefined;
  return new CacheFile(info, blocks, { tokens, positions });
}

/** Opens a source with its start in memory. */
async function sourceOf(given: FileSource | URL): Promise<Source> {
  if (given instanceof URL) return rangesOf(given);
  const source = await openSource(given, "source");
  return source.bytes ? source : withStart(source, await source.read(0, Math.min(source.size, startBytes)));
}

/** Returns the header with the length before it. */
async function headerIn(source: Source): Promise<Uint8Array> {
  if (source.size < 8) throw damaged("not a cache file: it has fewer than 8 bytes");
  const start = await source.read(0, 8);
  const length = new DataView(start.buffer, start.byteOffset, 8).getBigUint64(0, true);
  if (length > BigInt(Math.min(mostHeader, source.size - 8)))
    throw damaged("not a cache file, or cut off: its header is longer than the file");
  return source.read(0, 8 + Number(length));
}

function infoFrom(header: Uint8Array): CacheInfo {
  let entries: unknown;
  try {
    entries = JSON.parse(new TextDecoder().decode(header.subarray(8)));
  } catch {
    throw damaged("not a cache file: its header is not JSON");
  }
  const { format, version, info } = asObject(asObject(entries)?.["__metadata__"]) ?? {};
  if (format !== formatName || !asObject(entries)?.[sumsName])
    throw damaged("not a cache file: its metadata has another format; saveCache writes such files");
  if (version !== formatVersion)
    throw damaged(`has version ${String(version).slice(0, 20)} of the format, this posenc reads ${formatVersion}`);
  const read = typeof info === "string" ? infoIn(info) : undefined;
  if (!read) throw cut();
  return read;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && a.every((byte, i) => byte === b[i]);

const copied = (bytes: Uint8Array): ArrayBuffer => bytes.slice().buffer as ArrayBuffer;

function positionsIn(bytes: Uint8Array, { length, axes }: CacheInfo): number[][] {
  const rows = new Float64Array(copied(bytes));
  if (!rows.every(Number.isFinite)) throw cut();
  return Array.from({ length: axes }, (_, axis) => Array.from({ length }, (_, i) => rows[i * axes + axis]!));
}

const idsIn = (bytes: Uint8Array): number[] => Array.from(new BigInt64Array(copied(bytes)), Number);

/**
 * Returns a hash of a file, for `model` of `saveCache` and `restoreCache`: of its size, its first and its last 64 KB. Use
 * it to distinguish versions of a model; it does not protect against forgery.
 *
 * @param source A file: a Blob, a Response, bytes, or `{ size, read(offset, length) }`.
 * @returns 16 hexadecimal digits.
 * @throws {PosencError} `invalid-argument`, `load-failed`.
 * @example
 * const weights = await fingerprint(await fetch("models/tiny/onnx/model.onnx"));
 */
export async function fingerprint(source: FileSource): Promise<string> {
  const opened = await openSource(source, "source");
  const some = Math.min(opened.size, 2 ** 16);
  if (some === 0) throw invalid("source", "must not be empty");
  const sums = [
    checksumOf(await opened.read(0, some)) ^ opened.size,
    checksumOf(await opened.read(opened.size - some, some)),
  ];
  return sums.map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
}
