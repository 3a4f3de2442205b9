// The calls: each is that of the core, done where the numbers lie.
import type { TableAt } from "../base/call-options.js";
import { sizeOf } from "../base/dims.js";
import { PosencError, invalid, isCount, show } from "../base/errors.js";
import { inspected } from "../base/inspected.js";
import type { OwnedFloat32Array } from "../base/types.js";
import type { BiasEncoding } from "../encodings/bias.js";
import type { Encoding } from "../encodings/encoding.js";
import { checkFamily } from "../encodings/family.js";
import type { RotaryEncoding } from "../encodings/rotary.js";
import type { TableEncoding } from "../encodings/table.js";
import { isGpuTensor, kindOf, optionsOf, refuseUnknown, resultType } from "./arguments.js";
import { biasNumbers, checkCounts, goesByPlace } from "./biases.js";
import type { Engine } from "./engine.js";
import { keyOf } from "./keys.js";
import { keptOf, mixOf, pickOf, type TableResizer } from "./mixing.js";
import { checkCpu, cpuTensor, halves, wantedOf, type CpuTensor, type OwnCpuTensor } from "./numbers.js";
import type {
  GpuBiasOptions,
  GpuResizeOptions,
  KeepOptions,
  MoveOptions,
  RotateOptions,
  TableOptions,
} from "./options.js";
import { mixed, onCpu, sent, spread, tablesOut } from "./results.js";
import { addRows, checkRows, keptRows, tableRows, type Adder } from "./rows.js";
import { shaderOf } from "./shader-text.js";
import { check, checkOut, create, fromOrt, resultOf, toOrt, type OrtTensor, type OrtTensorClass } from "./tensors.js";
import { turnOnGpu } from "./turning.js";
import type { GpuTensor, GpuType, OwnGpuTensor } from "./types.js";

/** What of an instance is asked here: `pe`, of any entry. */
export type PosencLike = TableResizer & Adder;

/** What calls make: on the GPU, or under `fallback: "wasm"` maybe on the CPU. */
export type Result<Fallback extends boolean> = Fallback extends true ? OwnGpuTensor | OwnCpuTensor : OwnGpuTensor;
type Input<Fallback extends boolean> = GpuTensor | (Fallback extends true ? CpuTensor : never);
type AnyInput = GpuTensor | CpuTensor;

/**
 * A device at work. All calls but `read` and `settled` return at once, as `queue.submit` does, and what they do comes in order.
 * Errors are thrown before anything is written; what only the device knows, that a buffer is of another device or destroyed, it
 * says later: such a call writes nothing, `settled` and `read` throw then, and so does the next call with that buffer.
 */
export class Gpu<Fallback extends boolean = false> {
  private readonly pe: PosencLike;
  private readonly engine: Engine | undefined;
  private readonly fallback: boolean;
  private readonly end: () => void;
  private ended = false;

  /** @internal */
  constructor(pe: PosencLike, engine: Engine | undefined, fallback: boolean, end: () => void) {
    this.pe = pe;
    this.engine = engine;
    this.fallback = fallback;
    this.end = end;
  }

  /** @internal */
  [inspected](): string {
    return `Gpu { onGpu: ${this.onGpu} }`;
  }

  /** Do calls run on the GPU? Not under `fallback: "wasm"` without a device, or once it was lost. */
  get onGpu(): boolean {
    return !this.ended && this.engine !== undefined && !this.engine.isLost;
  }

  /**
   * Turns queries or keys in place, as `encoding.apply` does: x [B, H, T, D] ("bhtd") or [B, T, H, D] ("bthd"), float16 computed
   * in float32 and rounded once; returns x. The core makes cosines and sines, exact at any position; the GPU multiplies and adds:
   * within 1 ulp of float32 of the pair's length, or of float16. Throws: as `apply`; disposed, unsupported.
   */
  rotate<T extends Input<Fallback>>(x: T, options: RotateOptions): T {
    const { encoding, ...at } = optionsOf(options, "{ encoding, offset }");
    checkFamily(encoding, "rotary", "rotate");
    const engine = this.placeOf(x, "x");
    if (!engine) return encoding.apply(x as CpuTensor, at) as T & CpuTensor;
    const way = at.inverse || at.transpose ? "backward" : "forward";
    turnOnGpu(engine, check(engine, x, "x"), {
      encoding,
      options: at,
      way,
      turn: (pairs) => encoding.apply(pairs, at),
    });
    return x;
  }

  /**
   * Moves cached keys in place and in one pass, as `encoding.rerotate` does: from positions to positions, or from another encoding.
   * Returns x, [B, H, T, D] or [B, T, H, D]. Throws: as `rotate`.
   */
  rerotate<T extends Input<Fallback>>(x: T, options: MoveOptions): T {
    const { encoding: given, ...at } = optionsOf(options, "{ encoding, from, to }");
    const encoding = [given, at.to, at.from].find(isEncoding) as RotaryEncoding<any>;
    checkFamily(encoding, "rotary", "rerotate");
    const engine = this.placeOf(x, "x");
    if (!engine) return encoding.rerotate(x as CpuTensor, at) as T & CpuTensor;
    const turn = (pairs: { data: Float32Array; dims: number[] }): unknown => encoding.rerotate(pairs, at);
    turnOnGpu(engine, check(engine, x, "x"), { encoding, options: at, way: "again", turn });
    return x;
  }

  /**
   * cos and sin of position · frequency as tensors on the GPU, [T, pairs] each: what `encoding.tables` answers, its very bits, for
   * graphs that take them as inputs. Throws: as `tables`; shape-mismatch (of `out`).
   */
  tables(
    encoding: RotaryEncoding<any>,
    options: TableOptions<Input<Fallback>>,
  ): { cos: Result<Fallback>; sin: Result<Fallback> } {
    checkFamily(encoding, "rotary", "tables");
    const { out, type, ...at } = optionsOf(options, "{ length }");
    const results = tablesOut(out);
    const types = [resultType(type, results?.cos), resultType(type, results?.sin)] as const;
    const { cos, sin } = encoding.tables(at);
    const engines = [this.place(results?.cos), this.place(results?.sin)] as const;
    // Both are checked before one is written.
    for (const [i, to] of [results?.cos, results?.sin].entries())
      if (to !== undefined) checkOut((engines[i] ? check(engines[i], to, "out") : to).dims, cos.dims);
    const placed = (which: 0 | 1, numbers: unknown, to: AnyInput | undefined): Result<Fallback> => {
      const [engine, wanted, made] = [engines[which], types[which], numbers as CpuTensor];
      return (engine ? spread(engine, made, wanted, to) : onCpu(this.pe, made, wanted, to)) as Result<Fallback>;
    };
    return { cos: placed(0, cos, results?.cos), sin: placed(1, sin, results?.sin) };
  }

  /**
   * The biases of `queries` × `keys` positions on the GPU, [heads, queries, keys], the bits that `encoding.bias` answers, which tells
   * the options; where a bias depends on distances only, one row of them is sent. Throws: as `bias`; shape-mismatch (of `out`).
   */
  bias(encoding: BiasEncoding<any>, options: GpuBiasOptions<Input<Fallback>>): Result<Fallback> {
    checkFamily(encoding, "bias", "bias");
    const { out, type: given, finite = false, ...how } = optionsOf(options, "{ queries, keys }");
    if (typeof finite !== "boolean") throw invalid("finite", `must be true or false, got ${show(finite)}`);
    checkCounts(how);
    const type = resultType(given, out);
    const engine = this.place(out);
    const lowest = !finite ? undefined : type === "float16" ? -65504 : -3.4028234663852886e38;
    if (!engine) return onCpu(this.pe, biasNumbers(encoding, how, lowest, false), type, out) as Result<Fallback>;
    const key = goesByPlace(how) ? keyOf(encoding, { ...how, lowest, what: "bias" }) : undefined;
    let made: ReturnType<typeof biasNumbers> | undefined;
    const make = (): NonNullable<typeof made> => (made ??= biasNumbers(encoding, how, lowest, true));
    if (out !== undefined) check(engine, out, "out");
    const held = engine.memory.hold(encoding, key, () => make().data);
    const { queries, keys } = how;
    const dims = made?.dims ?? [encoding.heads, queries, keys];
    const step = held.length < sizeOf(dims) ? queries + keys - 1 : 0;
    const result = resultOf(engine, out, dims, type);
    const { buffer: x, isHalf, first, size, words } = check(engine, result, "out");
    const by = step ? { width: keys, rows: queries, step } : {};
    engine.run("spread", isHalf, { threads: words[1], first, size, ...by }, { x, numbers: held.buffer });
    return result as Result<Fallback>;
  }

  /**
   * x += PE in place, as `encoding.addTo` does without dropout: x [..., T, dim], float16 rounded once; returns x. Or adds rows of the
   * CPU, of x's last dims. Throws: as `addTo`; shape-mismatch (of rows).
   */
  add<T extends Input<Fallback>>(x: T, encoding: TableEncoding<any> | CpuTensor, at: TableAt = {}): T {
    const rows = isEncoding(encoding) ? undefined : (encoding as CpuTensor);
    if (!rows) checkFamily(encoding as TableEncoding<any>, "table", "add");
    if (kindOf(at) !== "Object") throw invalid("options", `must be an object such as { offset }, got ${show(at)}`);
    if ("dropout" in at) throw new PosencError("unsupported", "dropout: not on the GPU", "dropout");
    const engine = this.placeOf(x, "x");
    if (rows) {
      checkRows(rows, (engine ? check(engine, x, "x") : x).dims);
      for (const name of Object.keys(at)) throw withoutPositions(name);
    }
    if (!engine)
      return rows
        ? addRows(this.pe, x as CpuTensor & T, rows)
        : ((encoding as TableEncoding).addTo(x as CpuTensor, at) as T & CpuTensor);
    const { buffer, dims, isHalf, first, size, words } = check(engine, x, "x");
    const owner = encoding as TableEncoding<any>;
    const key = rows ? undefined : keyOf(owner, { ...at, dims });
    const { buffer: numbers, length: width } = engine.memory.hold(rows ? engine : owner, key, () =>
      rows ? (this.pe.toFloat32(rows).data as OwnedFloat32Array) : tableRows(owner, dims, at),
    );
    engine.run("add", isHalf, { threads: words[1], first, size, width }, { x: buffer, numbers });
    return x;
  }

  /**
   * The rows of a learned table [..., rows, dim] for another grid, as `pe.resizeTable` makes them: the core says which rows each new
   * one is a sum of. Returns a tensor of the table's type. Throws: as `resizeTable`; shape-mismatch (of `out`).
   */
  resize(table: Input<Fallback>, options: GpuResizeOptions<Input<Fallback>>): Result<Fallback> {
    const { out, ...how } = optionsOf(options, "{ grid }");
    const engine = this.placeOf(table, "table");
    if (!engine) {
      const made = this.pe.resizeTable(table as CpuTensor, how) as CpuTensor;
      return onCpu(this.pe, made, typeOf(table), out) as Result<Fallback>;
    }
    const source = check(engine, table, "table");
    const axis = source.dims.length - 2;
    return mixed(engine, source, axis, mixOf(this.pe, source.dims[axis] ?? 0, how), out) as Result<Fallback>;
  }

  /**
   * Some positions of a tensor, such as a cache [B, H, T, D], as a new one: `ranges`, or the first `sinks` and the last `window`.
   * Returns a tensor of x's type. Throws: invalid-argument, shape-mismatch (of `out`).
   */
  keep(x: Input<Fallback>, options: KeepOptions<Input<Fallback>>): Result<Fallback> {
    const { out, ranges, sinks, window, axis: given, ...unknown } = optionsOf(options, "{ window }");
    refuseUnknown(unknown, "ranges, sinks, window, axis, out");
    const engine = this.placeOf(x, "x");
    const { dims } = engine ? check(engine, x, "x") : x;
    const axis = given ?? dims.length - 2;
    if (!isCount(axis) || dims[axis] === undefined)
      throw invalid("axis", `must be an axis of [${dims.join(", ")}], got ${show(axis)}`);
    const kept = keptOf({ ranges, sinks, window }, dims[axis]);
    if (engine) return mixed(engine, check(engine, x, "x"), axis, pickOf(kept), out) as Result<Fallback>;
    return onCpu(this.pe, keptRows(x as CpuTensor, axis, kept), typeOf(x), out) as Result<Fallback>;
  }

  /**
   * A tensor on the GPU: of zeros, of numbers (float16 rounded from them, or a Uint16Array of its bits), or of a tensor of the CPU.
   * Throws: shape-mismatch, invalid-argument, out-of-range (beyond what the device binds), out-of-memory (from `settled`).
   */
  tensor(dims: readonly number[], options?: { type?: GpuType }): Result<Fallback>;
  tensor(data: ArrayLike<number>, dims: readonly number[], options?: { type?: GpuType }): Result<Fallback>;
  tensor(x: { type?: string; data: any; dims: readonly number[] }): Result<Fallback>;
  tensor(...given: any[]): Result<Fallback> {
    const wanted = wantedOf(given);
    const engine = this.place();
    if (engine && wanted.data === undefined) return create(engine, wanted.dims, wanted.type) as Result<Fallback>;
    const numbers = cpuTensor(this.pe, wanted);
    return (engine ? sent(engine, numbers) : numbers) as Result<Fallback>;
  }

  /**
   * The numbers of a tensor with its dims and type, once all calls before are done. Throws: as other calls, and what the device
   * has complained of.
   */
  async read(x: Input<Fallback>): Promise<CpuTensor> {
    const engine = this.placeOf(x, "x");
    if (!engine) return x as CpuTensor;
    const { buffer, dims, isHalf, first, size } = check(engine, x, "x");
    const width = isHalf ? 2 : 4;
    const bytes = await engine.read(buffer, width * first, width * size);
    return { type: x.type, data: isHalf ? halves(new Uint16Array(bytes)) : new Float32Array(bytes), dims: [...dims] };
  }

  /** Resolves when the device has taken all calls so far. Throws: what it has complained of (invalid-argument, out-of-memory). */
  async settled(): Promise<void> {
    await this.engine?.settled();
  }

  /**
   * The text of the kernels for an encoding, in WGSL, for pipelines of one's own: what its bindings hold stands above it.
   * Throws: unsupported.
   */
  wgsl(encoding: Encoding<any>): string {
    return shaderOf(encoding);
  }

  /** The buffer, type and dims of a tensor of onnxruntime. Throws: as the function `fromOrt`. */
  fromOrt(x: OrtTensor): GpuTensor<any> {
    return fromOrt(x);
  }

  /** A tensor of onnxruntime with the same buffer and dims. Throws: as the function `toOrt`. */
  toOrt<T>(x: GpuTensor, Tensor: OrtTensorClass<T>): T {
    return toOrt(x, Tensor);
  }

  /** Frees what it has on the device, and the device where it asked for one itself; results are yours. Twice does no harm. */
  destroy(): void {
    if (!this.ended) this.end();
    this.ended = true;
  }

  [Symbol.dispose](): void {
    this.destroy();
  }

  /** Where a result goes: the device; undefined: the CPU. `out` is checked, if it is given. */
  private place(out?: unknown): Engine | undefined {
    return out === undefined ? this.engineFor(out) : this.placeOf(out, "out");
  }

  /** Where a tensor is: on the device; undefined: on the CPU, and it is one that calls take. */
  private placeOf(x: unknown, field: string): Engine | undefined {
    const engine = this.engineFor(x);
    if (!engine) checkCpu(x, field);
    return engine;
  }

  /** The device, if the call runs there; undefined: on the CPU. Without a tensor, it runs on the device if there is one. */
  private engineFor(x: unknown): Engine | undefined {
    if (this.ended) throw new PosencError("disposed", "gpu: used after destroy()", "gpu");
    const here = this.onGpu ? this.engine : undefined;
    if (here && (x === undefined || !this.fallback || isGpuTensor(x))) return here;
    if (!this.fallback || isGpuTensor(x)) throw new PosencError("disposed", "device: it was lost", "device");
    return undefined;
  }
}

const isEncoding = (x: unknown): x is Encoding<any> => typeof (x as { family?: unknown } | null)?.family === "string";
const typeOf = (x: AnyInput): GpuType => x.type ?? "float32";
const withoutPositions = (name: string): PosencError =>
  invalid(name, "without effect: rows of the CPU have no positions; pass the encoding to add rows by position");
