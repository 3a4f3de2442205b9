// A cache of keys and values in wasm memory.
import { arrayType } from "../base/arrays.js";
import type {
  AttendOptions,
  CacheAt,
  CacheOptions,
  EncodingLike,
  ResultIn,
  OutOption,
  ReadingOptions,
} from "../base/call-options.js";
import { ElementType, HeadLayout, Operation } from "../base/calls.gen.js";
import { PosencError, invalid, show } from "../base/errors.js";
import {
  anEncoding,
  count,
  flag,
  maybe,
  must,
  nested,
  oneOf,
  or,
  readOptions,
  layout,
  type Reader,
  tensor,
} from "../base/options.js";
import { inspected } from "../base/inspected.js";
import { printed } from "../base/printing.js";
import { nothing, type Region } from "../base/regions.js";
import type { Family } from "../base/specs.gen.js";
import type {
  InputTensor,
  NumberArray,
  OwnedFloat64Array,
  OwnedUint8Array,
  ResultLike,
  Tensor,
} from "../base/types.js";
import { attentionFields, attentionOptions } from "../encodings/scores.js";
import type { Encoding } from "../encodings/encoding.js";
import { positionRegion, positionRun, run } from "../positions/at.js";
import { segmentsOfText } from "../positions/mask.js";
import { produce, produceAll, readable } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";
import { CacheEncoding } from "./cache-encoding.js";

/** How a cache stores numbers. */
export type CacheType = "float32" | "float16" | "int8";

/** What `cache.snapshot()` gives: plain data, for `structuredClone`, `postMessage` and databases. */
export interface CacheSnapshot {
  /** How many tokens it holds. */
  length: number;
  /** Of the cache that it is of. */
  type: CacheType;
  /** The spec of the encoding that `attend` used; null: none; undefined: `attend` was not called. */
  encoding?: object | null | undefined;
  /** All that the cache held, with a checksum. Its format belongs to this version of the library. */
  state: OwnedUint8Array;
}

const types = ["float32", "float16", "int8"] as const;
const tokens = count(1);
const policy = nested({ window: must(tokens), sinks: or(count(), 0), undo: or(count(), 0) });
/** null: none, which is another thing than not given. */
const encoding: Reader<Encoding | null | undefined> = (value, name) =>
  value === null ? null : anEncoding(value, name);
const cacheOptions = {
  heads: must(tokens),
  dim: must(tokens),
  valueDim: maybe(tokens),
  capacity: maybe(tokens),
  batch: or(tokens, 1),
  type: or(oneOf(...types), "float32"),
  layout,
  policy: maybe(policy),
  encoding,
};
const { layout: _layout, at: _at, queryAt: _queryAt, ...asked } = attentionOptions;
const attendOptions = { ...asked, encoding, causal: or(flag, true) };

const readingOptions = {
  encoding,
  out: or(nested({ k: tensor, v: tensor }), {} as Partial<Record<"k" | "v", any>>),
};

type Facts = Record<"length" | "bytes" | "axes" | "rows" | "snapshot" | "past" | "dropped", number>;

/** What is freed, once. */
interface Holding {
  core: Core;
  address: number;
  bytes: number;
}

function free(holding: Holding): void {
  const { core, address, bytes } = holding;
  if (!address) return;
  holding.address = holding.bytes = 0;
  core.liveBytes -= bytes;
  core.destroyCache(address);
}

// A safety net; it never runs in fully synchronous code.
const leaks = typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry<Holding>(free);

/**
 * The keys and values of all tokens so far, in wasm memory: made by `pe.cache`, freed by `dispose()` or `using`. Keys stand
 * in it as the rotary encoding of the last `attend` turns them, so that a token costs no more than attention without
 * encoding; another encoding, or the same one where its frequencies change (LongRoPE beyond its length, either way), turns
 * all of them anew in one pass, which rounds them once more. Frequencies that change with each token (`rope-dynamic` beyond
 * its length), `xpos`, and axes that go by the size of a grid turn keys as they are read instead; so does everything after 32
 * passes, those of `evict` among them (4 for float16 and int8), so that errors do not add up. After an error nothing has
 * changed. All members throw `disposed` after `dispose()`.
 */
export class KeyValueCache {
  /** How it stores numbers. */
  readonly type: CacheType;
  /** How many tokens there is room for; a policy takes more for a longer append, until the next. */
  readonly capacity: number;
  private readonly holding: Holding;
  private readonly sizes: { batch: number; heads: number; dim: number; valueDim: number; layout: HeadLayout };
  private readonly encodings = new CacheEncoding();
  private tokens = 0;
  private gone = 0;

  /** @internal Caches are made by `pe.cache`. */
  constructor(core: Core, given: CacheOptions) {
    const { heads, dim, valueDim = dim, batch, type, layout, ...options } = readOptions(given, cacheOptions);
    const { window, sinks, undo } = options.policy ?? { window: 0, sinks: 0, undo: 0 };
    if (options.capacity === undefined && !window) throw invalid("capacity", "is missing");
    this.capacity = options.capacity ?? sinks + window + undo + Math.max(64, Math.ceil(window / 4));
    this.encodings.choose(core, options.encoding);
    this.type = type;
    this.sizes = { batch, heads, dim, valueDim, layout };
    const address = core.withScratch(() => {
      const out = core.borrow(8);
      const stored = [ElementType.float32, ElementType.float16, ElementType.int8][types.indexOf(type)]!;
      const policy = [window, sinks, undo] as const;
      core.call(Operation.createCache, batch, heads, dim, valueDim, this.capacity, stored, layout, ...policy, out);
      return core.doubles(out, 1)[0]!;
    });
    this.holding = { core, address, bytes: 0 };
    leaks?.register(this, this.holding, this.holding);
    this.measure();
  }

  /** @internal */
  [inspected](): string {
    return printed(this, this.toJSON()) + (this.disposed ? " (disposed)" : "");
  }

  /** How many tokens it has. Under a policy these may be more than `sinks + window` until others are appended. */
  get length(): number {
    this.core();
    return this.tokens;
  }

  /** How many tokens a policy has dropped before those. */
  get dropped(): number {
    this.core();
    return this.gone;
  }

  /**
   * What `attend` and `read` use unless they are told otherwise; null: none; undefined: each call must be told. Another one
   * may be assigned: the next `attend` rotates all keys anew. Throws: invalid-argument, disposed.
   */
  get encoding(): EncodingLike | null | undefined {
    return this.encodings.chosen;
  }

  set encoding(value: EncodingLike | null | undefined) {
    this.encodings.choose(this.core(), encoding(value, "encoding"));
  }

  /** All of its memory, which is part of `pe.liveBytes`. */
  get bytes(): number {
    this.core();
    return this.holding.bytes;
  }

  /**
   * Where its tokens stand: one number each; for each batch row after the other where rows have their own; an array of
   * these for each axis where positions have several. Under a policy with sinks they are counted inside the cache.
   */
  get positions(): OwnedFloat64Array | OwnedFloat64Array[] {
    const core = this.core();
    return core.withScratch(() => {
      const { axes, rows, length } = this.facts();
      const all = axes * rows * length;
      const address = core.borrow(8 * all);
      core.call(Operation.cachePositions, this.holding.address, { address, length: all });
      const numbers = core.doubles(address, all);
      if (axes === 1) return numbers.slice();
      return Array.from({ length: axes }, (_, axis) => numbers.slice(axis * rows * length, (axis + 1) * rows * length));
    });
  }

  /**
   * Keeps the keys k [B, H, T, dim] and values v [B, H, T, valueDim] ("bhtd", or the cache's layout) of T more tokens, as
   * they are before any encoding. They stand after the last ones unless `at` says where: `offset`, or `positions` in any
   * of their forms. A policy forgets before that what it no longer needs, and takes any number of tokens: beyond `capacity` the
   * cache is larger until the next `append`, as `attend` may ask for all of them. Throws: out-of-range without a policy if
   * there is no room, out-of-memory, shape-mismatch, invalid-argument; unsupported: places of one's own under a policy with
   * sinks.
   */
  append(k: InputTensor, v: InputTensor, at: CacheAt = {}): this {
    const core = this.core();
    const where = readOptions(at, run);
    // Which tells the core that none was given.
    if (Number.isNaN(where.offset)) throw invalid("offset", "must be finite, got NaN");
    core.withScratch(() => {
      const inputs = [readable(core, k, "k"), readable(core, v, "v")] as const;
      const some = inputs[0].dims[this.sizes.layout === HeadLayout.bhtd ? 2 : 1] ?? 0;
      const given = where.offset !== undefined || where.positions !== undefined;
      const positions = given ? positionRegion(core, where, some) : positionRun(NaN, some);
      core.call(Operation.cacheAppend, this.holding.address, ...inputs, positions);
    });
    this.measure();
    return this;
  }

  /**
   * Causal attention (`pe.attention` is not causal by default) of q [B, Hq, Tq, dim] over what the cache has, without copying it; Hq
   * a multiple of H. The queries are
   * those of the last Tq tokens, `causal` is true unless told otherwise, positions are the cache's. Masks and biases have a
   * number for each token in the cache (`length`). Under a policy each query sees what it would have seen had the tokens
   * come one by one; `segments` may have a number for each token of the text instead (`dropped + length`), and must where
   * results depend on positions in a sequence whose beginning was dropped (`temperature`). Scaling rules go by the sequence of
   * the largest position in the cache. Returns [B, Hq, Tq, valueDim], of q's type.
   *
   * Without `encoding` it is the cache's, null: none. A cache that was made without one stays with what the first call is told:
   * another one, or none, is an error until `cache.encoding` is assigned.
   *
   * float32 gives what attention from scratch does, but for 1e-6. With normally distributed keys and values (64 features, 512
   * tokens, results around 0.08) float16 is off by 3e-5 and int8 by 6e-4 on average, by 1e-4 and 2e-3 at worst.
   * Throws: as `attention`; out-of-range: more queries than tokens that can still be asked for; unsupported: `gateKeys`.
   */
  attend<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(
    q: Q,
    given: AttendOptions<F> & OutOption<Out> = {},
  ): ResultIn<Out, ResultLike<Q>> {
    const core = this.core();
    const options = readOptions(given, attendOptions);
    const { batch, heads, dim, valueDim } = this.sizes;
    const encoding = this.encodings.resolveUsed(options.encoding);
    const result = core.withScratch(() => {
      const query = readable(core, q, "q");
      const keys = { ...nothing, dims: [batch, heads, this.tokens, dim] };
      const packed = segmentsOfText(options, this.gone + this.tokens, this.tokens, batch);
      const plain = { ...options, ...packed, encoding, layout: HeadLayout.bhtd, at: undefined, queryAt: undefined };
      const fields = attentionFields(core, query, keys, plain);
      const fill = (out: Region): void => core.call(Operation.cacheAttend, this.holding.address, query, ...fields, out);
      return produce(core, [...query.dims.slice(0, -1), valueDim], options.out, fill, { like: query });
    });
    this.encodings.remember(options.encoding);
    this.measure();
    return result as never;
  }

  /**
   * What the next token sees besides itself, for models whose attention is inside a graph: keys [B, H, past, dim], as the
   * rotary `encoding` turns them at their positions (without one, or with `none`: as they were given), and values [B, H,
   * past, valueDim]. Without `encoding` it is the cache's. Under a policy with sinks positions are 0 … past - 1, and the next
   * token's is `past`.
   * Throws: shape-mismatch, invalid-argument, out-of-memory; unsupported for encodings that turn nothing.
   */
  read(options: ReadingOptions = {}): { k: Tensor; v: Tensor } {
    const core = this.core();
    const { encoding: given, out } = readOptions(options, readingOptions);
    const encoding = this.encodings.resolve(given);
    if (encoding && encoding.family !== "rotary" && encoding.kind !== "none")
      throw new PosencError("unsupported", `encoding: ${encoding.kind} turns no keys`, "encoding");
    const { batch, heads, dim, valueDim, layout } = this.sizes;
    const read = core.withScratch(() => {
      const { past } = this.facts();
      const dims = (width: number): number[] =>
        layout === HeadLayout.bhtd ? [batch, heads, past, width] : [batch, past, heads, width];
      return produceAll<"k" | "v">(core, { k: dims(dim), v: dims(valueDim) }, out, ({ k, v }) =>
        core.call(Operation.cacheRead, this.holding.address, encoding?.handleIn(core) ?? 0, k!, v!),
      );
    });
    this.measure();
    return read;
  }

  /**
   * Forgets the newest tokens, all but the first `length`: guesses that were wrong. Under a policy tokens that had left the
   * window for those come back, so that the cache is that of the shorter text. Throws: out-of-range, also if more were dropped
   * than the policy's `undo` keeps.
   */
  truncate(length: number): this {
    return this.change((core, cache) => core.call(Operation.cacheTruncate, cache, must(count())(length, "length")));
  }

  /** Forgets all tokens: the next text begins. */
  clear(): this {
    return this.change((core, cache) => core.call(Operation.cacheClear, cache));
  }

  /**
   * Removes `tokens` tokens from index `first` on. Those after them move up to where the first of them stood, and are
   * turned anew in one pass. Throws: out-of-range; unsupported under a policy, which decides that itself.
   */
  evict(first: number, tokens: number): this {
    const whole = must(count());
    return this.change((core, cache) =>
      core.call(Operation.cacheEvict, cache, whole(first, "first"), whole(tokens, "count")),
    );
  }

  /** Adds `delta` to all positions. Nothing is turned: distances stay. Throws: invalid-argument, out-of-range. */
  shift(delta: number): this {
    if (typeof delta !== "number") throw invalid("delta", `must be a number, got ${show(delta)}`);
    return this.change((core, cache) => core.call(Operation.cacheShift, cache, delta));
  }

  /** Beam search: batch row i becomes what row rows[i] was. Throws: shape-mismatch, out-of-range. */
  reorder(rows: NumberArray): this {
    return this.change((core, cache) => {
      const address = core.borrowDoubles(rows, "rows");
      core.call(Operation.cacheReorder, cache, { address, length: rows.length });
    });
  }

  /** All it holds, as plain data that can be stored and cloned. Throws: out-of-memory. */
  snapshot(): CacheSnapshot {
    const core = this.core();
    return core.withScratch(() => {
      const { length, snapshot } = this.facts();
      const address = core.borrow(snapshot);
      core.call(Operation.cacheSnapshot, this.holding.address, { address, length: snapshot });
      return { length, type: this.type, encoding: this.encodings.spec, state: core.bytes(address, snapshot).slice() };
    });
  }

  /**
   * Becomes what a cache was, one with the same sizes, type and policy; its capacity and `undo` may be others. Takes what
   * `snapshot` gave, `state` [bytes]. Throws: invalid-argument where the snapshot is of another one, or damaged.
   */
  restore(snapshot: Omit<CacheSnapshot, "state"> & { readonly state: Uint8Array }): this {
    const { state, encoding, length = NaN, type = this.type } = ((snapshot as unknown) ?? {}) as CacheSnapshot;
    if (arrayType(state) !== "Uint8Array" || typeof length !== "number")
      throw invalid("snapshot", "must be what snapshot() gave");
    if (type !== this.type) throw invalid("snapshot", `must be of a cache with type ${this.type}, got ${show(type)}`);
    this.encodings.check(encoding);
    this.change((core, cache) => {
      const bytes = core.steady(state as Uint8Array);
      const address = core.borrow(bytes.length);
      core.bytes(address, bytes.length).set(bytes);
      core.call(Operation.cacheRestore, cache, { address, length: bytes.length }, length);
    });
    this.encodings.restore(encoding);
    return this;
  }

  /** Was its memory freed? */
  get disposed(): boolean {
    return this.holding.address === 0;
  }

  /** Frees its memory; used afterwards it throws `disposed`. Twice does no harm. */
  dispose(): void {
    if (this.disposed) return;
    this.holding.core.quiet();
    leaks?.unregister(this.holding);
    free(this.holding);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** What it is, without its numbers. */
  toJSON(): object {
    const { type, sizes, capacity, tokens } = this;
    const { batch, heads, dim, valueDim } = sizes;
    return { type, batch, heads, dim, valueDim, capacity, length: tokens };
  }

  /** Frameworks that wrap what they watch leave alone what is no plain object. */
  get [Symbol.toStringTag](): string {
    return "KeyValueCache";
  }

  private core(): Core {
    if (this.disposed) throw new PosencError("disposed", "cache: used after dispose()", "cache");
    return this.holding.core;
  }

  private change(work: (core: Core, cache: number) => void): this {
    const core = this.core();
    core.withScratch(() => work(core, this.holding.address));
    this.measure();
    return this;
  }

  /** Inside a call. */
  private facts(): Facts {
    const { core, address } = this.holding;
    const out = core.borrow(56);
    core.call(Operation.cacheFacts, address, out);
    const [length, bytes, axes, rows, snapshot, past, dropped] = core.doubles(out, 7) as unknown as number[];
    return { length, bytes, axes, rows, snapshot, past, dropped } as Facts;
  }

  private measure(): void {
    const { holding } = this;
    const { length, bytes, dropped } = holding.core.withScratch(() => this.facts());
    this.tokens = length;
    this.gone = dropped;
    holding.core.liveBytes += bytes - holding.bytes;
    holding.bytes = bytes;
  }
}
