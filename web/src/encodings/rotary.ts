// The family "rotation".
import { checkWhole } from "../base/arrays.js";
import type {
  ApplyOptions,
  ResultIn,
  OutOption,
  RerotateOptions,
  RoleOption,
  RotaryAt,
  NewTypeOption,
  TypeOption,
} from "../base/call-options.js";
import { Direction, HeadLayout, Operation, Role } from "../base/calls.gen.js";
import { invalid, show } from "../base/errors.js";
import { flag, layout, nested, or, type Reader, readOptions, role, tensor, withoutEffect } from "../base/options.js";
import type { PositionRegion, Region } from "../base/regions.js";
import type { Spec } from "../base/specs.gen.js";
import type {
  InputTensor,
  NumberArray,
  OwnedFloat64Array,
  RotaryTables,
  Tensor,
  TensorOf,
  TensorType,
} from "../base/types.js";
import {
  checkLengthOf,
  countOf,
  givenPositions,
  lengthOf,
  positionOptions,
  positionRegion,
  positionRun,
  readPositions,
  sequenceLength,
  slicePositions,
  type PositionArrays,
  type Where,
} from "../positions/at.js";
import { inChunks } from "../tensors/chunks.js";
import {
  likeType,
  operand,
  produceAll,
  produceFrom,
  readable,
  residentRegion,
  tensorType,
  type Operand,
} from "../tensors/operand.js";
import { Encoding } from "./encoding.js";
import type { RotaryBackwardOptions } from "./training.js";

const angleOptions = { ...positionOptions, sequenceLength };
export const tableOptions = { ...angleOptions, role };
const resultOptions = { ...tableOptions, type: tensorType, out: or(nested({ cos: tensor, sin: tensor }), {}) };
const rotateOptions = { ...tableOptions, layout };
export const applyOptions = { ...rotateOptions, inverse: flag, transpose: flag };
const backwardOptions = { ...rotateOptions, out: tensor };

/** `from` or `to` of `rerotate`: an encoding, a first position, or positions. */
const end: Reader<RotaryEncoding<any> | number | PositionArrays> = (value, name) => {
  if (typeof value === "number" || value instanceof RotaryEncoding) return value;
  if (value === null || typeof value !== "object" || value instanceof Encoding)
    throw invalid(name, `must be positions or a RotaryEncoding, got ${show(value)}`);
  return readPositions(value, name);
};
const rerotateOptions = { ...angleOptions, from: end, to: end, fromSequenceLength: sequenceLength, layout };

/** Rotates queries and keys by position · frequency, so that scores depend only on distances. */
export class RotaryEncoding<S extends Spec = Spec> extends Encoding<S> {
  /** Always "rotary". */
  readonly family = "rotary";
  /** Head dimension. */
  readonly dim: number;
  /** Number of feature pairs per head that are rotated. */
  readonly pairs: number;
  /** Factor of cos and sin (YaRN, LongRoPE; otherwise 1). `tables` and `apply` already include it. */
  readonly attentionFactor: number;
  /**
   * Factor of the softmax scale of DeepSeek's latent attention (YaRN with `mscaleAllDim`); otherwise 1.
   *
   * `apply` and `attention` do not include it: pass `scale: softmaxFactor / Math.sqrt(queryDim)`. The query dimension is
   * qk_nope_head_dim + qk_rope_head_dim (DeepSeek-V3: 128 + 64 = 192), not `dim`, which is the rotated part.
   */
  readonly softmaxFactor: number;
  /** Number of coordinates per position (1 text, 2 image, 3 video or M-RoPE). */
  readonly axes: number;
  private frequencies: OwnedFloat64Array | undefined;

  /** @internal */
  constructor(...args: ConstructorParameters<typeof Encoding<S>>) {
    super(...args);
    const facts = this.numbersOf(Operation.rotaryFacts, 5);
    [this.dim, this.pairs, this.attentionFactor, this.softmaxFactor, this.axes] = [...facts] as [
      number,
      number,
      number,
      number,
      number,
    ];
  }

  /** Number of features per head that are rotated. */
  get rotaryDim(): number {
    return (this.spec as unknown as { rotaryDim?: number }).rotaryDim || 2 * this.pairs;
  }

  /** Frequency of each pair in radians per position, [pairs]; for the shortest sequence if they depend on its length. */
  get inverseFrequencies(): OwnedFloat64Array {
    if (this.learnedNames().length > 0) return this.frequenciesAt(1);
    return (this.frequencies ??= this.frequenciesAt(1)).slice();
  }

  /**
   * Returns the frequency of each pair in a sequence of `length` positions.
   *
   * They depend on the length for `rope-dynamic`, `rope-qwen` and `rope-longrope`. For other kinds use `inverseFrequencies`.
   * @param length Sequence length in positions, 1 to 2^48.
   * @returns Radians per position, shape [pairs], float64.
   * @throws {PosencError} `invalid-argument` if the length is not from 1 to 2^48.
   */
  frequenciesAt(length: number): OwnedFloat64Array {
    if (typeof length !== "number") throw invalid("length", `must be a number, got ${show(length)}`);
    return this.core.withScratch(() => {
      const address = this.core.borrow(8 * this.pairs);
      this.core.call(Operation.rotaryFrequencies, this.handle, length, address);
      return this.core.doubles(address, this.pairs).slice();
    });
  }

  /**
   * Returns the sequence length that Transformers' rotary module uses in the last of several calls.
   *
   * Pass it as `sequenceLength` to reproduce that module. With `rope-dynamic` the module remembers the longest sequence so far,
   * until a call is shorter than `originalLength`. posenc uses only the length of the current call.
   * @param lengths Sequence lengths of all calls so far, in order, whole numbers ≥ 0.
   * @returns Length in positions; for kinds other than `rope-dynamic` the last of `lengths`.
   * @throws {PosencError} `invalid-argument` if `lengths` is empty or holds other values.
   * @see Hugging Face Transformers, `dynamic_rope_update`
   */
  rememberedLength(lengths: NumberArray): number {
    checkWhole(lengths, "lengths");
    const calls = Array.from<number | bigint, number>(lengths, Number);
    if (calls.length === 0 || !calls.every((length) => length >= 0))
      throw invalid("lengths", `must be the lengths of the calls so far, got ${show(lengths)}`);
    const { originalLength } = this.spec as unknown as { originalLength: number };
    if (this.kind !== "rope-dynamic") return calls.at(-1)!;
    return calls.reduce(
      (longest, length) => (length < originalLength ? originalLength : Math.max(longest, length)),
      originalLength,
    );
  }

  /**
   * Returns cos and sin of position · frequency with one column for each pair: [T, pairs], half the head dimension.
   *
   * ONNX RotaryEmbedding takes these caches. Transformers' rotary modules return [1, T, dim], each value twice: call
   * `rotaryInputs` of posenc/transformers with `layout: "hf"`. The attention factor is already multiplied in.
   * @param options Positions; `type` or `out` of the results; `role`, required by kind "xpos".
   * @returns `cos` and `sin`, shape [T, pairs] each, float32 or of `type`; the tensors of `out` if they were given.
   * @throws {PosencError} `invalid-argument` or `out-of-range` if the positions are; `shape-mismatch` if `out` is of other
   * dims.
   * @example
   * const { cos, sin } = rope.tables({ length: 4096 });
   */
  tables<Type extends TensorType = "float32", Out extends InputTensor | undefined = undefined>(
    options: RotaryAt & RoleOption & NewTypeOption<Type, Out> & { out?: { cos: Out; sin: Out } },
  ): RotaryTables<ResultIn<Out, TensorOf<Type>>> {
    type Given = RotaryAt & RoleOption & Partial<TypeOption> & { out?: Record<"cos" | "sin", InputTensor> };
    const at = readOptions(options as Given, resultOptions);
    const like = likeType(at.type, Object.values(at.out).find(Boolean));
    return this.core.withScratch(() => {
      const count = countOf(at);
      const positions = positionRegion(this.core, at, count);
      const dims = [count, this.pairs];
      const fill = ({ cos, sin }: { cos?: Region; sin?: Region }): void =>
        this.core.call(Operation.rotaryTables, this.handle, positions, at.sequenceLength, cos!, sin!, at.role);
      return produceAll<"cos" | "sin">(this.core, { cos: dims, sin: dims }, at.out, fill, like);
    }) as never;
  }

  /**
   * Returns the angles position · frequency in radians, which many code bases call `freqs`.
   *
   * `tables` returns their cosines and sines. With several axes the position is the coordinate on the axis of the pair.
   * @param options Positions, and `sequenceLength` for kinds whose frequencies depend on it.
   * @returns Shape [T * pairs], the pairs of one position together; float64.
   * @throws {PosencError} `invalid-argument`, `shape-mismatch` or `out-of-range` if the positions do not fit.
   */
  angles(options: RotaryAt): OwnedFloat64Array {
    const at = readOptions(options, angleOptions);
    return this.core.withScratch(() => {
      const count = countOf(at);
      const positions = positionRegion(this.core, at, count);
      const address = this.core.borrow(8 * count * this.pairs);
      this.core.call(Operation.rotaryAngles, this.handle, positions, at.sequenceLength, address);
      return this.core.doubles(address, count * this.pairs).slice();
    });
  }

  /**
   * Rotates queries or keys in place: `x` itself changes. Each pair (a, b) becomes (a cos - b sin, a sin + b cos).
   *
   * `inverse` undoes it, `transpose` is its gradient. If values are rotated like keys (DeepSeek-V4: K = V), `inverse` on the
   * output of attention at the queries' positions undoes the rotation. 16-bit floats are rounded once, at the end.
   * @param x Queries or keys, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`. It changes.
   * @param options Positions, layout and direction.
   * @returns `x`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range`; `x` is unchanged then.
   * @example
   * rope.apply(q, { offset: past });
   * @see Su et al. 2021, arXiv:2104.09864, eq. 34
   */
  apply<T extends InputTensor>(x: T, options: ApplyOptions = {}): T {
    const at = readOptions(options, applyOptions);
    const { role, layout, sequenceLength: length } = at;
    const tensor = operand(this.core, x, "x");
    if (at.inverse && at.transpose) throw invalid("transpose", "give either inverse or transpose, not both");
    const direction = at.inverse ? Direction.inverse : at.transpose ? Direction.transpose : Direction.forward;
    return this.core.withScratch(() => {
      const positions = this.positionsOf(tensor, at, layout);
      const rotate = (region: Region, where: PositionRegion, length: number): void =>
        this.core.call(Operation.rotaryApply, this.handle, region, layout, where, length, direction, role);
      const resident = residentRegion(tensor);
      if (resident) {
        rotate(resident, positions, length);
        return x;
      }
      this.check(tensor, layout, positions, length, role);
      const all = perRow(tensor, layout);
      const whole = length || lengthOf(this.core, positions);
      inChunks(tensor, tensor.dims, layout, (region, row, first, count) =>
        rotate(region, slicePositions(positions, all, row, first, count), whole),
      );
      return x;
    });
  }

  /**
   * Computes the gradients of `apply`, called with the same options.
   *
   * If the spec has a list of `frequencies`, they are learned, and their gradient is added to `gradients.frequencies`. For only
   * the gradient of x, call `apply(gradOut, { transpose: true })`.
   * @param x Queries or keys before the rotation, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`. It stays
   * unchanged.
   * @param gradOut Gradient of the rotated x, of the same shape. It stays unchanged unless it is `out`.
   * @param options Positions, `layout` and `role` of the forward call; `out` receives the result, and may be `gradOut`.
   * @returns Gradient of x, in the shape of x, such as [B, H, T, D]; float32. If `out` was given, `out`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` as `apply`; `not-loaded`;
   * `out-of-memory`.
   */
  backward<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    gradOut: InputTensor,
    options: RotaryBackwardOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    const at = readOptions(options, backwardOptions);
    const { layout } = at;
    const gradient = operand(this.core, gradOut, "gradOut");
    return this.core.withScratch(() => {
      const input = readable(this.core, x, "x");
      const positions = this.positionsOf(input, at, layout);
      return produceFrom(this.core, this.handle, gradient, at.out, (result) =>
        this.core.call(
          Operation.rotaryBackward,
          this.handle,
          input,
          result,
          layout,
          positions,
          at.sequenceLength,
          at.role,
        ),
      );
    }) as never;
  }

  /** @internal A list of frequencies in the spec can be learned. */
  protected override learnedNames(): readonly string[] {
    const { frequencies } = this.spec as unknown as { frequencies?: ArrayLike<number> | null };
    return frequencies?.length ? ["frequencies"] : [];
  }

  /**
   * Re-rotates cached keys in place, from old to new positions or from one rotary encoding to another.
   *
   * Use it after a context shift, or when a sequence exceeds the length at which LongRoPE or dynamic NTK change their
   * frequencies. One pass does it. If `from` or `to` is an encoding, `positions`, `offset` or `grid` are the positions on that
   * side.
   * @param x Rotated keys, shape [B, H, T, D], or [B, T, H, D] with `layout: "bthd"`. It changes.
   * @param options `from` and `to` (a first position, positions, or an encoding), `layout`; for kinds that depend on the
   * sequence length, `fromSequenceLength` and `sequenceLength`.
   * @returns `x`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range`, as `apply`; `invalid-argument` also if the two
   * encodings differ in `dim`, `rotaryDim` or `pairing`. `x` is unchanged then.
   * @example
   * rope.rerotate(keys, { from: 100, to: 0 });
   */
  rerotate<T extends InputTensor>(x: T, options: RerotateOptions): T {
    const at = readOptions(options, rerotateOptions);
    const { layout, sequenceLength: toLength } = at;
    const tensor = operand(this.core, x, "x");
    const source = at.from instanceof RotaryEncoding ? at.from : this;
    const target = at.to instanceof RotaryEncoding ? at.to : this;
    if (at.from !== source && at.to !== target)
      for (const name of ["positions", "offset", "grid"] as const)
        if (at[name] !== undefined) throw withoutEffect(name, "from and to are both positions");
    source.handleIn(this.core);
    const fromLength = at.fromSequenceLength || toLength;
    return this.core.withScratch(() => {
      const count = perRow(tensor, layout);
      checkLengthOf(at, count);
      const from = this.endPositions(at.from, at, count, "from");
      const to = this.endPositions(at.to, at, count, "to");
      target.check(tensor, layout, to, toLength, Role.key);
      const rotate = (region: Region, fromSlice: PositionRegion, toSlice: PositionRegion): void =>
        this.core.call(
          Operation.rotaryRerotate,
          target.handle,
          source.handleIn(this.core),
          region,
          layout,
          fromSlice,
          toSlice,
          fromLength,
          toLength,
        );
      rotate(readable(this.core, tensor, "x"), from, to);
      tensor.store();
      return x;
    });
  }

  private endPositions(
    end: ReturnType<typeof rerotateOptions.from>,
    at: Where,
    count: number,
    field: string,
  ): PositionRegion {
    if (end instanceof RotaryEncoding) return positionRegion(this.core, at, count);
    if (typeof end === "number") return positionRun(end, count);
    return givenPositions(this.core, end, count, undefined, field);
  }

  private positionsOf(x: Operand, at: Where, layout: HeadLayout): PositionRegion {
    const count = perRow(x, layout);
    checkLengthOf(at, count);
    return positionRegion(this.core, at, count);
  }

  private check(x: Operand, layout: HeadLayout, positions: PositionRegion, length: number, role: Role): void {
    this.core.call(Operation.rotaryCheck, this.handle, x, layout, positions, length, role);
  }
}

const perRow = (x: Operand, layout: HeadLayout): number => x.dims[layout === HeadLayout.bhtd ? 2 : 1] ?? 0;
