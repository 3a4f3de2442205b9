// The family "additive table".
import type { DropoutOptions, ResultIn, OutOption, TableAt, NewTypeOption, TypeOption } from "../base/call-options.js";
import { HeadLayout, Operation, type ScatterFields } from "../base/calls.gen.js";
import { sizeOf } from "../base/dims.js";
import { invalid } from "../base/errors.js";
import { count, flag, maybe, number, or, type Read, readOptions, tensor, withoutEffect } from "../base/options.js";
import type { PositionRegion, Region } from "../base/regions.js";
import type { Spec } from "../base/specs.gen.js";
import type { InputTensor, ResultLike, Tensor, TensorOf, TensorType } from "../base/types.js";
import {
  checkLengthOf,
  countOf,
  positionOptions,
  positionRegion,
  slicePositions,
  type Where,
  prefix,
} from "../positions/at.js";
import { inChunks } from "../tensors/chunks.js";
import {
  likeType,
  operand,
  produce,
  produceFrom,
  readable,
  residentRegion,
  tensorType,
  type Operand,
} from "../tensors/operand.js";
import { Encoding } from "./encoding.js";
import type { ScatterOptions } from "./training.js";

export const tableOptions = { ...positionOptions, prefix };
const dropoutOptions = { dropout: maybe(number), seed: maybe(count(0, 4294967295)), training: or(flag, true) };
export const addOptions = { ...tableOptions, ...dropoutOptions };
const resultOptions = { ...tableOptions, out: tensor };
const rowOptions = { ...resultOptions, type: tensorType };
const scatterOptions = { ...addOptions, paddingIndex: or(number, -1), scaleByFrequency: flag };

type Add = (region: Region, positions: PositionRegion, firstElement: number) => void;

/** A vector [dim] for each position, which is added to the features or concatenated with them. */
export class TableEncoding<S extends Spec = Spec> extends Encoding<S> {
  /** Always "table". */
  readonly family = "table";
  /** @internal dim, axes, and the number of pairs of sinusoids in a row. */
  protected readonly facts = this.numbersOf(Operation.tableFacts, 3);
  /** Number of features in a row. */
  readonly dim: number = this.facts[0]!;
  /** Number of coordinates per position (1 text, 2 image). */
  readonly axes: number = this.facts[1]!;
  /**
   * Returns the rows of the table: PE(position) for `length` positions from `offset` (default 0), or for `positions`.
   *
   * @param options Positions; `type` or `out` of the result.
   * @returns Shape [positions, dim], float32 or of `type`; `out` if it was given.
   * @throws {PosencError} `invalid-argument` or `out-of-range` if the positions are; `shape-mismatch` if `out` is of other dims.
   * @example
   * const { data, dims } = pe.create({ kind: "sinusoidal", dim: 512 }).table({ length: 50 });
   */
  table<Type extends TensorType = "float32", Out extends InputTensor | undefined = undefined>(
    options: TableAt & NewTypeOption<Type, Out> & OutOption<Out>,
  ): ResultIn<Out, TensorOf<Type>> {
    const at = readOptions(options as TableAt & Partial<TypeOption> & OutOption, rowOptions);
    const like = likeType(at.type, at.out);
    return this.core.withScratch(() => {
      const count = countOf(at);
      const positions = positionRegion(this.core, at, count);
      const fill = (result: Region): void => this.core.call(Operation.tableRows, this.handle, positions, result);
      return produce(this.core, [count, this.dim], at.out, fill, { like });
    }) as never;
  }

  /**
   * Adds the rows to the features in place, then applies dropout: `x` itself changes.
   *
   * `addPositional` of posenc/transformers returns a new tensor instead. Positions are shared by all leading dims, or given for
   * each ([B * T]). 16-bit floats are rounded once.
   * @param x Features, shape [..., T, dim]; float32, float16 or bfloat16. It changes.
   * @param options Positions and dropout.
   * @returns `x`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range`; `x` is unchanged then.
   * @example
   * sinusoidal.addTo(hidden, { offset: past });
   */
  addTo<T extends InputTensor>(x: T, options: TableAt & DropoutOptions = {}): T {
    const at = readOptions(options, addOptions);
    const tensor = operand(this.core, x, "x");
    const { rate, seed } = dropoutOf(at);
    return this.core.withScratch(() => {
      const positions = this.positionsOf(tensor, at);
      const add: Add = (region, where, firstElement) =>
        this.core.call(Operation.tableAdd, this.handle, region, where, rate, seed, firstElement);
      const resident = residentRegion(tensor);
      if (resident) {
        add(resident, positions, 0);
        return x;
      }
      this.core.call(Operation.tableCheck, this.handle, tensor, positions);
      this.inChunks(tensor, positions, add);
      return x;
    });
  }

  /**
   * Returns the features followed by the rows of the table: [x | PE]. `x` is unchanged.
   *
   * @param x Features, shape [..., T, D].
   * @param options Positions; `out` receives the result.
   * @returns Shape [..., T, D + dim], dtype of x; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range`.
   */
  concatTo<X extends InputTensor, Out extends InputTensor | undefined = undefined>(
    x: X,
    options: TableAt & OutOption<Out> = {},
  ): ResultIn<Out, ResultLike<X>> {
    const at = readOptions(options, resultOptions);
    return this.core.withScratch(() => {
      const source = readable(this.core, x, "x");
      const positions = this.positionsOf(source, at);
      const dims = [...source.dims.slice(0, -1), (source.dims.at(-1) ?? 0) + this.dim];
      const fill = (result: Region): void =>
        this.core.call(Operation.tableConcat, this.handle, source, positions, result);
      return produce(this.core, dims, at.out, fill, { like: source });
    }) as never;
  }

  /**
   * Computes the gradients of `addTo`, called with the same options.
   *
   * Adds the gradients of the parameters to `gradients`. A row that is read several times gets the sum.
   * @param gradOfX Gradient of the result of `addTo`, shape [..., T, dim]. It stays unchanged.
   * @param options Options of the forward call; `paddingIndex` and `scaleByFrequency` as in PyTorch's `Embedding`.
   * @returns Gradient of the features, shape [..., T, dim]. Without dropout it is `gradOfX`, with dropout a new float32 tensor.
   * @throws {PosencError} `unsupported` for kinds without parameters, for `scaleByFrequency` of a table that is not "learned",
   * `not-loaded`; `shape-mismatch`, `invalid-argument` or `out-of-range` as `addTo`; `out-of-memory`.
   */
  backward<T extends InputTensor = Tensor>(gradOfX: T, options: ScatterOptions = {}): T | Tensor {
    const at = readOptions(options, scatterOptions);
    const gradient = operand(this.core, gradOfX, "gradOfX");
    const { rate, seed } = dropoutOf(at);
    const { paddingIndex, scaleByFrequency } = at;
    return this.core.withScratch(() => {
      const positions = this.positionsOf(gradient, at);
      const options: ScatterFields = [paddingIndex, scaleByFrequency, rate, seed];
      const scatter = (region: Region): unknown =>
        this.core.call(Operation.tableBackward, this.handle, region, positions, ...options);
      if (rate > 0) return produceFrom<T>(this.core, this.handle, gradient, undefined, scatter);
      scatter(readable(this.core, gradient, "gradOfX"));
      return gradOfX;
    });
  }

  /** @internal Radians per position of each pair of sinusoids; empty for rows without such pairs. */
  sinusoidFrequencies(): Float64Array {
    return this.numbersOf(Operation.tableFrequencies, this.facts[2]!);
  }

  private positionsOf(x: Operand, at: Where): PositionRegion {
    const length = x.dims.at(-2) ?? 0;
    checkLengthOf(at, length);
    return positionRegion(this.core, at, length);
  }

  private inChunks(x: Operand, positions: PositionRegion, add: Add): void {
    const [perRow, features] = x.dims.slice(-2) as [number, number];
    const dims = [sizeOf(x.dims.slice(0, -2)), 1, perRow, features];
    inChunks(x, dims, HeadLayout.bhtd, (region, run, t, count) =>
      add(region, slicePositions(positions, perRow, run, t, count), (run * perRow + t) * features),
    );
  }
}

export function dropoutOf({ dropout, seed, training }: Read<typeof dropoutOptions>): { rate: number; seed: number } {
  if (seed !== undefined && dropout === undefined) throw withoutEffect("seed", "requires dropout");
  const rate = dropout ?? 0;
  if (!(rate >= 0 && rate < 1)) throw invalid("dropout", `must be in [0, 1), got ${rate}`);
  return { rate: training ? rate : 0, seed: seed ?? 0 };
}
