// The calls: each is a call of the core, on the device that stores its tensors.
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
import { isGpuTensor, kindOf, optionsOf, rejectUnknown, resultType } from "./arguments.js";
import { biasValues, checkCounts, dependsOnIndexOnly } from "./biases.js";
import type { Engine } from "./engine.js";
import { keyOf } from "./keys.js";
import { keptOf, mixOf, pickOf, type TableResizer } from "./mixing.js";
import { checkCpu, cpuTensor, float16Array, wantedOf, type CpuTensor, type OwnCpuTensor } from "./cpu-tensors.js";
import type {
  GpuBiasOptions,
  GpuResizeOptions,
  KeepOptions,
  MoveOptions,
  RotateOptions,
  TableOptions,
} from "./options.js";
import { mixed, onCpu, sent, spread, tablesOut, tableValues } from "./results.js";
import { addRows, checkRows, keptRows, tableRows, type Adder } from "./rows.js";
import { shaderOf } from "./shader-text.js";
import { check, checkOut, create, fromOrt, resultOf, toOrt, type OrtTensor, type OrtTensorClass } from "./tensors.js";
import { rotateOnGpu } from "./rotate.js";
import type { GpuTensor, GpuType, OwnGpuTensor } from "./types.js";

/** The methods of a posenc instance that are called here. `init()` of any entry returns one. */
export type PosencLike = TableResizer & Adder;

/** Result of a call: on the GPU, or under `fallback: "wasm"` possibly on the CPU. */
export type Result<Fallback extends boolean> = Fallback extends true ? OwnGpuTensor | OwnCpuTensor : OwnGpuTensor;
type Input<Fallback extends boolean> = GpuTensor | (Fallback extends true ? CpuTensor : never);
type AnyInput = GpuTensor | CpuTensor;

/**
 * The library's calls on a GPU device. All calls except `read` and `settled` return at once, as `queue.submit` does, and run in
 * order.
 *
 * Errors are thrown before anything is written. Only the device knows that a buffer belongs to another device or is destroyed,
 * and it reports that later: such a call writes nothing, and `settled`, `read` and the next call with that buffer throw.
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

  /**
   * Whether calls run on the GPU. False after the device was lost or `destroy()`, and under `fallback: "wasm"` without a device.
   */
  get onGpu(): boolean {
    return !this.ended && this.engine !== undefined && !this.engine.isLost;
  }

  /**
   * Rotates queries or keys in place, as `apply` of a rotary encoding does: `x` itself changes.
   *
   * The CPU computes cosines and sines, exact at any position; the GPU multiplies and adds. Results are within 1 ulp of float32
   * of the pair's length. float16 is computed in float32 and rounded once, within 1 ulp of float16.
   * @param x Queries or keys, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`; float32 or float16. It changes.
   * @param options `encoding`, and the options of its `apply`: positions, layout and direction.
   * @returns `x`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if x or options do not fit; `unsupported` if the
   * encoding is not rotary or x of another type; `disposed`.
   * @example
   * gpu.rotate(q, { encoding: rope, offset: past });
   */
  rotate<T extends Input<Fallback>>(x: T, options: RotateOptions): T {
    const { encoding, ...at } = optionsOf(options, "{ encoding, offset }");
    checkFamily(encoding, "rotary", "rotate");
    const engine = this.engineOf(x, "x");
    if (!engine) return encoding.apply(x as CpuTensor, at) as T & CpuTensor;
    const way = at.inverse || at.transpose ? "backward" : "forward";
    rotateOnGpu(engine, check(engine, x, "x"), {
      encoding,
      options: at,
      way,
      rotate: (pairs) => encoding.apply(pairs, at),
    });
    return x;
  }

  /**
   * Re-rotates cached keys in place and in one pass, as `rerotate` of a rotary encoding does.
   *
   * From positions to positions, or from another encoding: `x` itself changes.
   * @param x Keys, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`; float32 or float16. It changes.
   * @param options `from` and `to`, positions or encodings; `encoding`, required if neither is an encoding.
   * @returns `x`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument`, `out-of-range`, `unsupported` or `disposed`, as `rotate`.
   * @example
   * gpu.rerotate(keys, { encoding: rope, from: 1000, to: 0 });
   */
  rerotate<T extends Input<Fallback>>(x: T, options: MoveOptions): T {
    const { encoding: given, ...at } = optionsOf(options, "{ encoding, from, to }");
    const encoding = [given, at.to, at.from].find(isEncoding) as RotaryEncoding<any>;
    checkFamily(encoding, "rotary", "rerotate");
    const engine = this.engineOf(x, "x");
    if (!engine) return encoding.rerotate(x as CpuTensor, at) as T & CpuTensor;
    const rotate = (pairs: { data: Float32Array; dims: number[] }): unknown => encoding.rerotate(pairs, at);
    rotateOnGpu(engine, check(engine, x, "x"), { encoding, options: at, way: "again", rotate });
    return x;
  }

  /**
   * Returns cos and sin of position · frequency as tensors on the GPU, for graphs that take them as inputs.
   *
   * In float32 they are bit-identical to the results of `tables` of the encoding.
   * @param encoding An encoding of the family "rotary".
   * @param options Positions; `type` or `out` of the results; `role`, required by kind "xpos".
   * @returns `cos` and `sin`, shape [T, pairs] each, float32 or of `type`; the tensors of `out` if they were given.
   * @throws {PosencError} `invalid-argument` or `out-of-range` if the positions are; `shape-mismatch` if `out` has other dims;
   * `unsupported` if the encoding is not rotary; `disposed`.
   * @example
   * const { cos, sin } = gpu.tables(rope, { length: 4096 });
   */
  tables(
    encoding: RotaryEncoding<any>,
    options: TableOptions<Input<Fallback>>,
  ): { cos: Result<Fallback>; sin: Result<Fallback> } {
    checkFamily(encoding, "rotary", "tables");
    const { out, type, ...at } = optionsOf(options, "{ length }");
    const results = tablesOut(out);
    const types = [resultType(type, results?.cos), resultType(type, results?.sin)] as const;
    const engines = [this.engineForResult(results?.cos), this.engineForResult(results?.sin)] as const;
    const values = tableValues(encoding, at);
    const dims = values.dims(engines[0] ?? engines[1]);
    // Both are checked before one is written.
    for (const [i, to] of [results?.cos, results?.sin].entries())
      if (to !== undefined) checkOut((engines[i] ? check(engines[i], to, "out") : to).dims, dims);
    const resultOn = (which: 0 | 1, name: "cos" | "sin", to: AnyInput | undefined): Result<Fallback> => {
      const [engine, wanted] = [engines[which], types[which]];
      if (!engine) return onCpu(this.pe, values.made()[name] as CpuTensor, wanted, to) as Result<Fallback>;
      return spread(engine, values.held(engine, name), dims, wanted, to) as Result<Fallback>;
    };
    return { cos: resultOn(0, "cos", results?.cos), sin: resultOn(1, "sin", results?.sin) };
  }

  /**
   * Returns the biases of `queries` × `keys` positions as a tensor on the GPU.
   *
   * In float32 they are bit-identical to the result of `bias` of the encoding, whose options it takes. If a bias depends on
   * distances only, one row per head is sent.
   * @param encoding An encoding of the family "bias".
   * @param options `queries` and `keys`, positions and masks; `finite`; `type` or `out` of the result.
   * @returns Shape [heads, queries, keys], or [batch, heads, queries, keys] if a mask has a batch; float32 or of `type`; `out` if
   * it was given.
   * @throws {PosencError} `invalid-argument`, `out-of-range` or `shape-mismatch` if options or `out` do not fit; `unsupported` if
   * the encoding is not a bias; `disposed`.
   * @example
   * const bias = gpu.bias(alibi, { queries: 16, keys: 1024, finite: true });
   */
  bias(encoding: BiasEncoding<any>, options: GpuBiasOptions<Input<Fallback>>): Result<Fallback> {
    checkFamily(encoding, "bias", "bias");
    const { out, type: given, finite = false, ...how } = optionsOf(options, "{ queries, keys }");
    if (typeof finite !== "boolean") throw invalid("finite", `must be true or false, got ${show(finite)}`);
    checkCounts(how);
    const type = resultType(given, out);
    const engine = this.engineForResult(out);
    const lowest = !finite ? undefined : type === "float16" ? -65504 : -3.4028234663852886e38;
    if (!engine) return onCpu(this.pe, biasValues(encoding, how, lowest, false), type, out) as Result<Fallback>;
    const key = dependsOnIndexOnly(how) ? keyOf(encoding, { ...how, lowest, what: "bias" }) : undefined;
    let made: ReturnType<typeof biasValues> | undefined;
    const make = (): NonNullable<typeof made> => (made ??= biasValues(encoding, how, lowest, true));
    if (out !== undefined) check(engine, out, "out");
    const held = engine.memory.hold(encoding, key, () => make().data);
    const { queries, keys } = how;
    const dims = made?.dims ?? [encoding.heads, queries, keys];
    const step = held.length < sizeOf(dims) ? queries + keys - 1 : 0;
    const result = resultOf(engine, out, dims, type);
    const { buffer: x, isFloat16, first, size, words } = check(engine, result, "out");
    const by = step ? { width: keys, rows: queries, step } : {};
    engine.run("spread", isFloat16, { threads: words[1], first, size, ...by }, { x, numbers: held.buffer });
    return result as Result<Fallback>;
  }

  /**
   * Adds the rows of a table to features in place: `x` itself changes.
   *
   * The table is an encoding, as in `addTo` (without dropout), or a tensor on the CPU, such as learned embeddings. float16 is
   * rounded once.
   * @param x Features, shape [..., T, dim]; float32 or float16. It changes.
   * @param encoding An encoding of the family "table"; or a tensor on the CPU whose dims equal the last dims of x, such
   * as [T, dim]. It is added as it is.
   * @param options Positions of the rows of an encoding, default 0, 1, 2, …; a tensor takes none.
   * @returns `x`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if x, rows or positions do not fit;
   * `unsupported` for dropout, and if the encoding is not a table; `disposed`.
   * @example
   * gpu.add(hidden, sinusoidal, { offset: past });
   */
  add<T extends Input<Fallback>>(x: T, encoding: TableEncoding<any> | CpuTensor, options: TableAt = {}): T {
    const rows = isEncoding(encoding) ? undefined : (encoding as CpuTensor);
    if (!rows) checkFamily(encoding as TableEncoding<any>, "table", "add");
    if (kindOf(options) !== "Object")
      throw invalid("options", `must be an object such as { offset }, got ${show(options)}`);
    if ("dropout" in options) throw new PosencError("unsupported", "dropout: not on the GPU", "dropout");
    const engine = this.engineOf(x, "x");
    if (rows) {
      checkRows(rows, (engine ? check(engine, x, "x") : x).dims);
      for (const name of Object.keys(options)) throw withoutPositions(name);
    }
    if (!engine)
      return rows
        ? addRows(this.pe, x as CpuTensor & T, rows)
        : ((encoding as TableEncoding).addTo(x as CpuTensor, options) as T & CpuTensor);
    const { buffer, dims, isFloat16, first, size, words } = check(engine, x, "x");
    const owner = encoding as TableEncoding<any>;
    const key = rows ? undefined : keyOf(owner, { ...options, dims });
    const { buffer: numbers, length: width } = engine.memory.hold(rows ? engine : owner, key, () =>
      rows ? (this.pe.toFloat32(rows).data as OwnedFloat32Array) : tableRows(owner, dims, options),
    );
    engine.run("add", isFloat16, { threads: words[1], first, size, width }, { x: buffer, numbers });
    return x;
  }

  /**
   * Returns the rows of a learned table for another grid, as `pe.resizeTable` does.
   *
   * @param table Shape [..., rows, dim]; float32 or float16. It is unchanged.
   * @param options New `grid` or `length`, and interpolation; `out` receives the result.
   * @returns Shape [..., new rows, dim], dtype of table; `out` if it was given.
   * @throws {PosencError} `invalid-argument` or `shape-mismatch` if table, options or `out` do not fit; `out-of-range` if the
   * result is larger than the device binds; `disposed`.
   * @example
   * const resized = gpu.resize(gpu.tensor(learned.weights), { grid: [24, 16] });
   */
  resize(table: Input<Fallback>, options: GpuResizeOptions<Input<Fallback>>): Result<Fallback> {
    const { out, ...how } = optionsOf(options, "{ grid }");
    const engine = this.engineOf(table, "table");
    if (!engine) {
      const made = this.pe.resizeTable(table as CpuTensor, how) as CpuTensor;
      return onCpu(this.pe, made, typeOf(table), out) as Result<Fallback>;
    }
    const source = check(engine, table, "table");
    const axis = source.dims.length - 2;
    return mixed(engine, source, axis, mixOf(this.pe, source.dims[axis] ?? 0, how), out) as Result<Fallback>;
  }

  /**
   * Returns a copy of some positions of a tensor, such as the positions to keep in a cache.
   *
   * @param x Shape [..., T, D], such as keys [B, H, T, D]; float32 or float16. It is unchanged.
   * @param options `window`, the number of last positions, and `sinks`, of first ones; or `ranges`; `axis`; `out` receives the
   * result.
   * @returns Shape of x with the kept positions on `axis` (default: the last but one), dtype of x; `out` if it was given.
   * @throws {PosencError} `invalid-argument` or `shape-mismatch` if options or `out` do not fit x; `disposed`.
   * @example
   * const cache = gpu.keep(keys, { sinks: 4, window: 1020 });
   */
  keep(x: Input<Fallback>, options: KeepOptions<Input<Fallback>>): Result<Fallback> {
    const { out, ranges, sinks, window, axis: given, ...unknown } = optionsOf(options, "{ window }");
    rejectUnknown(unknown, "ranges, sinks, window, axis, out");
    const engine = this.engineOf(x, "x");
    const { dims } = engine ? check(engine, x, "x") : x;
    const axis = given ?? dims.length - 2;
    if (!isCount(axis) || dims[axis] === undefined)
      throw invalid("axis", `must be an axis of [${dims.join(", ")}], got ${show(axis)}`);
    const kept = keptOf({ ranges, sinks, window }, dims[axis]);
    if (engine) return mixed(engine, check(engine, x, "x"), axis, pickOf(kept), out) as Result<Fallback>;
    return onCpu(this.pe, keptRows(x as CpuTensor, axis, kept), typeOf(x), out) as Result<Fallback>;
  }

  /**
   * Creates a tensor of zeros on the GPU.
   *
   * @param dims Shape of the tensor, at most 8 dims.
   * @param options `type`, "float32" (default) or "float16".
   * @returns The tensor, [...dims]. Dispose of it.
   * @throws {PosencError} `shape-mismatch` or `invalid-argument` if the dims are not valid; `unsupported` if the type is not;
   * `out-of-range` if it is larger than the device binds; `disposed`. `settled` throws `out-of-memory`.
   * @example
   * const q = gpu.tensor([1, 8, 16, 64], { type: "float16" });
   */
  tensor(dims: readonly number[], options?: { type?: GpuType }): Result<Fallback>;
  /**
   * Creates a tensor on the GPU from values.
   *
   * @param data Values, row-major, as many as the dims say. With `type: "float16"` they are rounded; a Uint16Array then holds
   * bits.
   * @param dims Shape of the tensor, at most 8 dims.
   * @param options `type`, "float32" (default) or "float16".
   * @returns The tensor, [...dims]. Dispose of it.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument`, `out-of-range` or `disposed`. `settled` throws `out-of-memory`.
   */
  tensor(data: ArrayLike<number>, dims: readonly number[], options?: { type?: GpuType }): Result<Fallback>;
  /**
   * Creates a tensor on the GPU from a tensor of the CPU.
   *
   * @param x A float32 or float16 tensor { type, data, dims }.
   * @returns The tensor, with the dims and type of x. Dispose of it.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument`, `out-of-range` or `disposed`. `settled` throws `out-of-memory`.
   */
  tensor(x: { type?: string; data: any; dims: readonly number[] }): Result<Fallback>;
  tensor(...given: any[]): Result<Fallback> {
    const wanted = wantedOf(given);
    const engine = this.engineForResult();
    if (engine && wanted.data === undefined) return create(engine, wanted.dims, wanted.type) as Result<Fallback>;
    const numbers = cpuTensor(this.pe, wanted);
    return (engine ? sent(engine, numbers) : numbers) as Result<Fallback>;
  }

  /**
   * Reads a tensor back from the GPU, once all earlier calls are done.
   *
   * @param x A tensor on the GPU; under `fallback: "wasm"` also a CPU tensor, which is returned unchanged.
   * @returns A tensor of the CPU, with the dims and type of x.
   * @throws {PosencError} `invalid-argument`, `shape-mismatch` or `out-of-range` if x is invalid; `invalid-argument` or
   * `out-of-memory` if the device reported an error of an earlier call; `disposed`.
   * @example
   * const { data, dims } = await gpu.read(q);
   */
  async read(x: Input<Fallback>): Promise<CpuTensor> {
    const engine = this.engineOf(x, "x");
    if (!engine) return x as CpuTensor;
    const { buffer, dims, isFloat16, first, size } = check(engine, x, "x");
    const width = isFloat16 ? 2 : 4;
    const bytes = await engine.read(buffer, width * first, width * size);
    return {
      type: x.type,
      data: isFloat16 ? float16Array(new Uint16Array(bytes)) : new Float32Array(bytes),
      dims: [...dims],
    };
  }

  /**
   * Waits until the device has accepted all earlier calls.
   *
   * @throws {PosencError} `invalid-argument` or `out-of-memory`, which the device has reported since the last `settled` or
   * `read`.
   */
  async settled(): Promise<void> {
    await this.engine?.settled();
  }

  /**
   * Returns the kernels for an encoding as text in WGSL, for pipelines of your own.
   *
   * Comments above them describe the contents of each binding.
   * @param encoding A rotation, bias or table.
   * @returns WGSL source text.
   * @throws {PosencError} `unsupported` if there is no kernel for the encoding.
   */
  wgsl(encoding: Encoding<any>): string {
    return shaderOf(encoding);
  }

  /**
   * Returns a tensor of onnxruntime on the GPU as the calls take it, as the function `fromOrt` does.
   *
   * @param x A tensor of onnxruntime with `location` "gpu-buffer".
   * @returns A tensor with the same buffer, dims and type. The buffer stays onnxruntime's.
   * @throws {PosencError} `invalid-argument` if x is not on the GPU; `unsupported` if it is neither float32 nor float16.
   */
  fromOrt(x: OrtTensor): GpuTensor<any> {
    return fromOrt(x);
  }

  /**
   * Returns a tensor on the GPU as a tensor of onnxruntime, as the function `toOrt` does.
   *
   * @param x A tensor on the GPU, without `offset`.
   * @param Tensor Class `Tensor` of onnxruntime-web.
   * @returns A tensor with the same buffer, dims and type.
   * @throws {PosencError} `invalid-argument` if an argument is invalid; `unsupported` if x has an offset.
   */
  toOrt<T>(x: GpuTensor, Tensor: OrtTensorClass<T>): T {
    return toOrt(x, Tensor);
  }

  /**
   * Frees its buffers and pipelines on the device, and the device itself if `webgpu` created it.
   *
   * You must dispose of results yourself. A second call has no effect.
   */
  destroy(): void {
    if (!this.ended) this.end();
    this.ended = true;
  }

  /** Calls `destroy()` at the end of a block with `using`. */
  [Symbol.dispose](): void {
    this.destroy();
  }

  /** Returns the device for a result; undefined: the CPU. Checks `out` if it is given. */
  private engineForResult(out?: unknown): Engine | undefined {
    return out === undefined ? this.engineFor(out) : this.engineOf(out, "out");
  }

  /** Returns the device that holds a tensor; undefined: a valid CPU tensor. */
  private engineOf(x: unknown, field: string): Engine | undefined {
    const engine = this.engineFor(x);
    if (!engine) checkCpu(x, field);
    return engine;
  }

  /**
   * Returns the device if the call runs there; undefined: the CPU. A call without a tensor runs on the device if there
   * is one.
   */
  private engineFor(x: unknown): Engine | undefined {
    if (this.ended) throw new PosencError("disposed", "gpu: used after destroy()", "gpu");
    const here = this.onGpu ? this.engine : undefined;
    if (here && (x === undefined || !this.fallback || isGpuTensor(x))) return here;
    if (!this.fallback || isGpuTensor(x))
      throw new PosencError(
        "disposed",
        "device: the GPUDevice was lost; request a new one and call webgpu(pe, device) again",
        "device",
      );
    return undefined;
  }
}

const isEncoding = (x: unknown): x is Encoding<any> => typeof (x as { family?: unknown } | null)?.family === "string";
const typeOf = (x: AnyInput): GpuType => x.type ?? "float32";
const withoutPositions = (name: string): PosencError =>
  invalid(name, "without effect: rows of the CPU have no positions; pass the encoding to add rows by position");
