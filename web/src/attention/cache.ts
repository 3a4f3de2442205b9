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
  number,
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
import { withChunks, type ChunkRange } from "./chunks.js";

/** How a cache stores elements. */
export type CacheType = "float32" | "float16" | "int8";

/** The result of `cache.snapshot()`: plain data for `structuredClone`, `postMessage` and databases. */
export interface CacheSnapshot {
  /** Number of tokens. */
  length: number;
  /** The cache's `type`. */
  type: CacheType;
  /** The spec of the encoding that `attend` used. null: no encoding; undefined: `attend` was not called. */
  encoding?: object | null | undefined;
  /** The cache's contents, with a checksum, [bytes]. The format is specific to this version of the library. */
  state: OwnedUint8Array;
}

const types = ["float32", "float16", "int8"] as const;
const tokens = count(1);
const policy = nested({ window: must(tokens), sinks: or(count(), 0), undo: or(count(), 0) });
/** null means no encoding, unlike undefined, which means not given. */
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
const { layout: _layout, at: _at, queryAt: _queryAt, gateKeys: _gateKeys, ...otherOptions } = attentionOptions;
const attendOptions = { ...otherOptions, encoding, causal: or(flag, true) };

const readingOptions = {
  encoding,
  out: or(nested({ k: tensor, v: tensor }), {} as Partial<Record<"k" | "v", any>>),
};

type Facts = Record<"length" | "bytes" | "axes" | "rows" | "snapshot" | "past" | "dropped", number>;

/** Memory that is freed once. */
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
 * The keys and values of all tokens so far, in wasm memory. `pe.cache` creates it, `dispose()` or `using` frees it.
 *
 * Keys are stored as the encoding of the last `attend` rotates them: a step costs no more than attention without an encoding.
 * Another encoding, or other frequencies of the same one (LongRoPE crossing its length, either way), re-rotates all keys in one
 * pass, which rounds them once more. Keys are instead rotated on each read
 *
 * - if frequencies change with each token (`rope-dynamic` beyond its length), with `xpos`, with `remap`, and if axes depend on
 *   the size of a grid;
 * - after 32 passes, those of `evict` included (4 for float16 and int8), so that errors do not accumulate.
 *
 * A call that throws changes nothing. After `dispose()` calls throw `disposed`.
 */
export class KeyValueCache {
  /** How elements are stored. */
  readonly type: CacheType;
  /** Order of the dims of keys, values, queries and results. */
  readonly layout: "bhtd" | "bthd";
  /** Number of tokens that fit. With a policy, a longer append takes more memory until the next one. */
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
    if (options.capacity === undefined && !window) throw invalid("capacity", "required without policy: { window }");
    this.capacity = options.capacity ?? sinks + window + undo + Math.max(64, Math.ceil(window / 4));
    this.encodings.choose(core, options.encoding);
    this.type = type;
    this.layout = layout === HeadLayout.bhtd ? "bhtd" : "bthd";
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

  /** Returns the text that consoles show: class and sizes. */
  toString(): string {
    return this[inspected]();
  }

  /** @internal */
  [inspected](): string {
    return printed(this, this.toJSON()) + (this.disposed ? " (disposed)" : "");
  }

  /** Number of tokens in the cache. With a policy it may exceed `sinks + window` until more are appended. */
  get length(): number {
    this.core();
    return this.tokens;
  }

  /** Number of older tokens that the policy has removed. */
  get dropped(): number {
    this.core();
    return this.gone;
  }

  /**
   * The encoding that `attend` and `read` use by default. null: no encoding; undefined: calls pass their own.
   *
   * Assign another one to change it: the next `attend` re-rotates all keys.
   * @throws {PosencError} On assignment, `invalid-argument` if it is not an encoding that attention can apply; `disposed`.
   */
  get encoding(): EncodingLike | null | undefined {
    return this.encodings.chosen;
  }

  /** Sets the encoding that `attend` and `read` use. The next `attend` re-rotates all keys. */
  set encoding(value: EncodingLike | null | undefined) {
    this.encodings.choose(this.core(), encoding(value, "encoding"));
  }

  /** Bytes of memory that the cache takes, which `pe.liveBytes` includes. */
  get bytes(): number {
    this.core();
    return this.holding.bytes;
  }

  /**
   * Positions of the cached tokens, [length]; or [batch * length], one batch element after the other, if batch elements have their
   * own positions.
   *
   * If positions have several axes, it is a list with one such array per axis. With a policy with `sinks`, positions are counted
   * inside the cache. Each read returns a copy.
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
   * Appends the keys and values of new tokens, without any encoding.
   *
   * Positions continue after the last token unless `options` sets them. A policy first removes tokens that it no longer needs,
   * and takes any number of tokens: beyond `capacity` the cache is larger until the next `append`, as `attend` may query all of
   * them.
   * @param k Keys, shape [B, H, T, dim] in the cache's layout; float32, float16 or bfloat16.
   * @param v Values, shape [B, H, T, valueDim].
   * @param options `offset`, the position of the first token, or `positions` in any form.
   * @returns The cache.
   * @throws {PosencError} `shape-mismatch`, also if the encoding has another number of axes than `positions`;
   * `invalid-argument`; `out-of-range` if a cache without a policy is full, or positions exceed ±2^48; `unsupported` if a policy
   * with sinks is given positions, except the `offset` of the first tokens; `out-of-memory`.
   * @example
   * const out = cache.append(k, v).attend(q);
   */
  append(k: InputTensor, v: InputTensor, options: CacheAt = {}): this {
    const core = this.core();
    const where = readOptions(options, run);
    // For the core, NaN means that no offset was given.
    if (Number.isNaN(where.offset)) throw invalid("offset", "must be finite, got NaN");
    core.withScratch(() => {
      const inputs = [readable(core, k, "k"), readable(core, v, "v")] as const;
      const some = inputs[0].dims[this.sizes.layout === HeadLayout.bhtd ? 2 : 1] ?? 0;
      const given = where.offset !== undefined || where.positions !== undefined;
      const positions = given ? positionRegion(core, where, some) : positionRun(NaN, some);
      core.call(Operation.cacheAppend, this.holding.address, this.encodings.handleIn(core), ...inputs, positions);
    });
    this.measure();
    return this;
  }

  /**
   * Computes attention of the newest tokens over all cached tokens, without copying these. It is causal by default, unlike
   * `pe.attention`.
   *
   * The queries are those of the last Tq tokens. Masks and biases have `length` columns, one for each cached token. Under a
   * policy each query attends to the tokens that it would have attended to if tokens had come one by one. `segments` may then
   * have a value for each token of the text (`dropped + length`), and must if results depend on positions in a sequence whose
   * beginning was removed (`temperature`). Scaling rules use the sequence length that the largest position in the cache implies.
   *
   * Without `encoding` the cache's is used; null means no encoding. A cache created without one stays with the encoding of its
   * first call: another one, or omitting it, throws until `cache.encoding` is assigned. null is always possible.
   *
   * float32 results equal attention from scratch within 1e-6. For normally distributed keys and values (64 features, 512 tokens,
   * results around 0.08) the mean absolute error is 3e-5 with float16 and 6e-4 with int8, the largest 1e-4 and 2e-3.
   * @param q Queries, shape [B, Hq, Tq, dim] in the cache's layout. Hq is a multiple of the cache's heads.
   * @param options Encoding, masks, scale, as for `attention`; `causal`, default true; `out` receives the result.
   * @returns Shape [B, Hq, Tq, valueDim] in the cache's layout, dtype of q; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` or `invalid-argument` if the inputs or options do not fit together; `out-of-range` if
   * there are more queries than tokens that can still be queried; `unsupported` for `causal: false` with several queries
   * under a policy; `out-of-memory`.
   * @example
   * const out = cache.attend(q, { softcap: 50 });
   */
  attend<Q extends InputTensor, F extends Family = Family, Out extends InputTensor | undefined = undefined>(
    q: Q,
    options: AttendOptions<F> & OutOption<Out> = {},
  ): ResultIn<Out, ResultLike<Q>> {
    return this.attendChunks(q, options) as never;
  }

  /** @internal Computes some chunks of queries of `attend`. */
  attendChunks(q: InputTensor, options: AttendOptions & OutOption, chunks?: ChunkRange): InputTensor {
    const core = this.core();
    // Programs without types may pass it.
    if ((options as { gateKeys?: unknown } | null)?.gateKeys !== undefined)
      throw invalid("gateKeys", "cannot be used with a cache");
    const read = readOptions(options, attendOptions);
    const { batch, heads, dim, valueDim } = this.sizes;
    const encoding = this.encodings.resolveUsed(read.encoding);
    const result = core.withScratch(() => {
      const query = readable(core, q, "q");
      const keys = { ...nothing, dims: [batch, heads, this.tokens, dim] };
      const packed = segmentsOfText(read, this.gone + this.tokens, this.tokens, batch);
      const none = { at: undefined, queryAt: undefined, gateKeys: undefined };
      const plain = { ...read, ...packed, ...none, encoding, layout: HeadLayout.bhtd };
      const fields = attentionFields(core, query, keys, plain);
      const fill = (out: Region): void =>
        withChunks(core, chunks, (range) =>
          core.call(Operation.cacheAttend, this.holding.address, query, ...fields, range, out),
        );
      return produce(core, [...query.dims.slice(0, -1), valueDim], read.out, fill, { like: query });
    });
    this.encodings.remember(read.encoding);
    this.measure();
    return result;
  }

  /**
   * Returns the cached keys and values that the next token attends to, for models whose attention is inside a graph.
   *
   * Keys are rotated by the rotary `encoding` at their positions; without one, or with `none`, they are as appended. Under a
   * policy with sinks these positions are 0 … past - 1, and the position of the next token is `past`.
   * @param options `encoding`, default the cache's; null means no encoding. `out` receives `k` and `v`.
   * @returns `k` [B, H, past, dim] and `v` [B, H, past, valueDim] in the cache's layout, float32; if `out` has `k` or `v`, that
   * tensor.
   * @throws {PosencError} `unsupported` if the encoding rotates no keys; `shape-mismatch` if it has another head dimension or
   * `out` other dims; `invalid-argument` if it is not the cache's; `out-of-memory`.
   */
  read(options: ReadingOptions = {}): { k: Tensor; v: Tensor } {
    const core = this.core();
    const { encoding: given, out } = readOptions(options, readingOptions);
    const encoding = this.encodings.resolve(given);
    if (encoding && encoding.family !== "rotary" && encoding.kind !== "none")
      throw new PosencError("unsupported", `encoding: ${encoding.kind} does not rotate keys`, "encoding");
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
   * Removes the newest tokens and keeps the first `length`, such as after rejected draft tokens.
   *
   * Under a policy, tokens that had left the window return: the cache then has the state of the shorter text.
   * @param length Number of tokens to keep.
   * @returns The cache.
   * @throws {PosencError} `out-of-range` if there are fewer tokens, or the policy has removed more than its `undo` keeps;
   * `invalid-argument` if `length` is not a whole number.
   * @example
   * cache.truncate(cache.length - rejected);
   */
  truncate(length: number): this {
    return this.change((core, cache) => core.call(Operation.cacheTruncate, cache, must(count())(length, "length")));
  }

  /**
   * Removes all tokens, before a new text begins.
   *
   * @returns The cache.
   */
  clear(): this {
    return this.change((core, cache) => core.call(Operation.cacheClear, cache));
  }

  /**
   * Removes tokens from the middle or the beginning of the cache.
   *
   * Later tokens shift to the position of the first removed one, and their keys are re-rotated in one pass.
   * @param first Index of the first token to remove.
   * @param tokens Number of tokens to remove.
   * @returns The cache.
   * @throws {PosencError} `out-of-range` if there are fewer tokens, or later ones would shift beyond position ±2^48;
   * `invalid-argument` if an argument is not a whole number; `unsupported` under a policy, which decides itself; `out-of-memory`.
   * @example
   * cache.evict(4, 128); // keeps the first 4 tokens
   */
  evict(first: number, tokens: number): this {
    const whole = must(count());
    return this.change((core, cache) =>
      core.call(Operation.cacheEvict, cache, whole(first, "first"), whole(tokens, "tokens")),
    );
  }

  /**
   * Adds a number to all positions, or one per axis. Keys are not re-rotated, as distances do not change.
   *
   * @param delta Number of positions, or a list of one per axis: [t, h, w] for M-RoPE.
   * @returns The cache.
   * @throws {PosencError} `invalid-argument` if `delta` is not finite; `shape-mismatch` if positions or the cache's encoding have
   * another number of axes; `unsupported` for a list under a policy with sinks; `out-of-range` if positions exceed ±2^48 or all
   * shifts add up to more than 2^50; `out-of-memory`.
   */
  shift(delta: number | NumberArray): this {
    const list = typeof delta === "number" ? [delta] : delta;
    return this.change((core, cache) => {
      const address = core.borrowDoubles(list, "delta");
      const encoding = this.encodings.handleIn(core);
      core.call(Operation.cacheShift, cache, encoding, { address, length: list.length });
    });
  }

  /**
   * Replaces each batch element i by batch element rows[i], for beam search.
   *
   * @param rows One index for each batch element, [B].
   * @returns The cache.
   * @throws {PosencError} `shape-mismatch` if the number of indices is not B; `out-of-range` if one is not an index of a batch
   * element; `invalid-argument` if `rows` does not contain numbers; `out-of-memory`.
   */
  reorder(rows: NumberArray): this {
    return this.change((core, cache) => {
      const address = core.borrowDoubles(rows, "rows");
      core.call(Operation.cacheReorder, cache, { address, length: rows.length });
    });
  }

  /**
   * Returns the contents of the cache as plain data that can be stored and cloned.
   *
   * @returns The snapshot; its `state` is a copy, [bytes].
   * @throws {PosencError} `out-of-memory`, `disposed`.
   */
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
   * Replaces the contents of the cache by those of a snapshot.
   *
   * The cache must have the sizes, the type and the policy of the cache that made the snapshot; `undo` may differ, and
   * `capacity` if the tokens fit.
   * @param snapshot The result of `snapshot()`, with `state` [bytes].
   * @returns The cache.
   * @throws {PosencError} `invalid-argument` if the snapshot is damaged, or was made by a cache with other sizes, type, policy
   * or encoding, or does not fit into `capacity`; `out-of-memory`.
   */
  restore(snapshot: Omit<CacheSnapshot, "state"> & { readonly state: Uint8Array }): this {
    const { state, encoding, length = NaN, type = this.type } = ((snapshot as unknown) ?? {}) as CacheSnapshot;
    if (arrayType(state) !== "Uint8Array")
      throw invalid(
        "snapshot",
        `state must be a Uint8Array, got ${show(state)}; JSON loses it: use structuredClone or IndexedDB`,
      );
    if (type !== this.type) throw invalid("snapshot", `must be of a cache with type ${this.type}, got ${show(type)}`);
    number(length, "length");
    this.encodings.check(encoding);
    this.change((core, cache) => {
      const bytes = core.copyIfWasmBacked(state as Uint8Array);
      const address = core.borrow(bytes.length);
      core.bytes(address, bytes.length).set(bytes);
      core.call(Operation.cacheRestore, cache, { address, length: bytes.length }, length);
    });
    this.encodings.restore(encoding);
    return this;
  }

  /** Whether the memory was freed. */
  get disposed(): boolean {
    return this.holding.address === 0;
  }

  /** Frees the memory; calls after that throw `disposed`. A second `dispose()` has no effect. */
  dispose(): void {
    if (this.disposed) return;
    this.holding.core.assertIdle();
    leaks?.unregister(this.holding);
    free(this.holding);
  }

  /** Calls `dispose()` at the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Returns sizes and type, without keys and values. */
  toJSON(): object {
    const { type, sizes, capacity, tokens } = this;
    const { batch, heads, dim, valueDim } = sizes;
    return { type, batch, heads, dim, valueDim, capacity, length: tokens };
  }

  /** "KeyValueCache". Frameworks with reactive proxies (Vue) leave objects with a tag as they are. */
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

  /** Returns facts about the cache. Call it inside a call only. */
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
