// The family "rotation".
import { checkNumbers } from "./arrays.js";
import type { PositionRegion, Region } from "./core.js";
import { Encoding } from "./encoding.js";
import { checkOptions, invalid, show } from "./errors.js";
import { inPieces } from "./pieces.js";
import {
  countOf,
  givenPositions,
  largestOf,
  positionRegion,
  positionRun,
  readPositions,
  sequenceLength,
  slicePositions,
} from "./positions.js";
import type { Spec } from "./specs.gen.js";
import { operand, produceAll, produceFrom, readable, residentRegion, type Operand } from "./tensor.js";
import type { RotaryBackwardOptions } from "./training-types.js";
import type {
  ApplyOptions,
  At,
  Layout,
  NumberArray,
  RerotateOptions,
  RoleOption,
  Tensor,
  TensorLike,
} from "./types.js";

export const layoutCode = (layout: Layout | undefined): number => {
  if (layout === undefined || layout === "bhtd") return 0;
  if (layout === "bthd") return 1;
  throw invalid("layout", `must be "bhtd" or "bthd", got ${show(layout)}`);
};

const keyRole = 2;

function roleCode(role: unknown): number {
  if (role === undefined) return 0;
  if (role !== "query" && role !== "key") throw invalid("role", `must be "query" or "key", got ${show(role)}`);
  return role === "query" ? 1 : keyRole;
}

type AnyRotary = RotaryEncoding<any>;

/** Queries and keys turned by position · frequency: scores then depend on distances only. */
export class RotaryEncoding<S extends Spec = Spec> extends Encoding<S> {
  readonly family = "rotary";
  /** Width of a head. */
  readonly dim: number;
  /** How many pairs turn. */
  readonly pairs: number;
  /** Magnitude of cos and sin (YaRN, LongRoPE; otherwise 1); already inside `tables` and `apply`. */
  readonly attentionFactor: number;
  /**
   * What the softmax scale of DeepSeek's MLA is to be multiplied by (YaRN with `mscaleAllDim`); otherwise 1. Not inside
   * `apply` or `attention`: pass `scale: softmaxFactor / sqrt(dim)`.
   */
  readonly softmaxFactor: number;
  /** Numbers that make a place: 1 in a text, 2 in an image, 3 in a video or with M-RoPE. */
  readonly axes: number;
  private frequencies: Float64Array | undefined;

  /** @internal */
  constructor(...args: ConstructorParameters<typeof Encoding<S>>) {
    super(...args);
    const facts = this.core.withScratch(() => {
      const address = this.core.borrow(40);
      this.core.begin(this.handle).number(address).call("rotaryFacts");
      return [...this.core.doubles(address, 5)] as [number, number, number, number, number];
    });
    [this.dim, this.pairs, this.attentionFactor, this.softmaxFactor, this.axes] = facts;
  }

  /** Features that turn. */
  get rotaryDim(): number {
    return (this.spec as unknown as { rotaryDim?: number }).rotaryDim || 2 * this.pairs;
  }

  /** Radians per position of each pair, [pairs]; for the shortest sequence where they depend on its length. */
  get inverseFrequencies(): Float64Array {
    if (this.learnedNames().length > 0) return this.frequenciesAt(1);
    return (this.frequencies ??= this.frequenciesAt(1)).slice();
  }

  /** Radians per position of each pair in a sequence of that length (`rope-dynamic`, `rope-longrope`). */
  frequenciesAt(length: number): Float64Array {
    if (typeof length !== "number") throw invalid("sequenceLength", `must be a number, got ${show(length)}`);
    return this.core.withScratch(() => {
      const address = this.core.borrow(8 * this.pairs);
      this.core.begin(this.handle).number(length).number(address).call("rotaryFrequencies");
      return this.core.doubles(address, this.pairs).slice();
    });
  }

  /**
   * The sequence length that Transformers' module works with in the last of these calls: it remembers the longest so far,
   * until a call shorter than `originalLength` makes it forget (`rope-dynamic`; the other kinds remember nothing). The library
   * goes by the call at hand alone: to repeat what that module makes, give this as `sequenceLength`.
   * Throws: invalid-argument. Source: Hugging Face `dynamic_rope_update`.
   */
  rememberedLength(lengths: NumberArray): number {
    checkNumbers(lengths, "lengths");
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
   * cos and sin of position · frequency, times the attention factor: [T, pairs] each, the caches that ONNX
   * RotaryEmbedding takes. xPos needs a `role`. Throws: invalid-argument, out-of-range, shape-mismatch (of `out`).
   */
  tables<T extends TensorLike = Tensor>(
    at: At & RoleOption & { out?: { cos: T; sin: T } },
  ): { cos: T | Tensor; sin: T | Tensor } {
    checkOptions(at, "length offset positions grid sequenceLength role out");
    const role = roleCode(at.role);
    if (at.out !== undefined) checkOptions(at.out, "cos sin", "out");
    return this.core.withScratch(() => {
      const count = countOf(at);
      const positions = positionRegion(this.core, at, count);
      const length = sequenceLength(at);
      const dims = [count, this.pairs];
      return produceAll(this.core, { cos: dims, sin: dims }, at.out ?? {}, ({ cos, sin }) =>
        this.core
          .begin(this.handle)
          .positions(positions)
          .number(length)
          .number(role)
          .region(cos!)
          .region(sin!)
          .call("rotaryTables"),
      ) as { cos: T | Tensor; sin: T | Tensor };
    });
  }

  /**
   * coordinate · frequency in radians, [T * pairs] row by row: what `tables` takes cosines and sines of, and many code bases
   * call `freqs`. Throws: invalid-argument, out-of-range.
   */
  angles(at: At): Float64Array {
    checkOptions(at, "length offset positions grid sequenceLength");
    return this.core.withScratch(() => {
      const count = countOf(at);
      const positions = positionRegion(this.core, at, count);
      const address = this.core.borrow(8 * count * this.pairs);
      this.core.begin(this.handle).positions(positions).number(sequenceLength(at)).number(address).call("rotaryAngles");
      return this.core.doubles(address, count * this.pairs).slice();
    });
  }

  /**
   * Turns q or k in place: (a, b) -> (a cos - b sin, a sin + b cos) for each pair. x [B, H, T, D] float32 ("bhtd") or
   * [B, T, H, D] ("bthd"); returns x. `inverse` undoes it, `transpose` is its gradient. Where values are turned like keys
   * (DeepSeek-V4: K = V), `inverse` on the output of attention at the queries' positions takes the turn out again.
   * Throws: shape-mismatch, invalid-argument, out-of-range; x is untouched then.
   * Source: Su et al. 2021, arXiv:2104.09864, eq. 34.
   */
  apply<T extends TensorLike>(x: T, at: ApplyOptions = {}): T {
    const tensor = operand(this.core, x, "x");
    checkOptions(at, "length offset positions grid sequenceLength layout inverse transpose role");
    const role = roleCode(at.role);
    const layout = layoutCode(at.layout);
    if (at.inverse && at.transpose) throw invalid("transpose", "give either inverse or transpose, not both");
    const direction = at.inverse ? 1 : at.transpose ? 2 : 0;
    return this.core.withScratch(() => {
      const positions = this.positionsOf(tensor, at, layout);
      const rotate = (region: Region, where: PositionRegion, length: number): void =>
        this.core
          .begin(this.handle)
          .region(region)
          .number(layout)
          .positions(where)
          .number(length)
          .number(direction)
          .number(role)
          .call("rotaryApply");
      const length = sequenceLength(at);
      const resident = residentRegion(tensor);
      if (resident) return (rotate(resident, positions, length), x);
      this.check(tensor, layout, positions, length, role);
      const all = perRow(tensor, layout);
      const whole = length || this.lengthOf(positions);
      inPieces(this.core, tensor, layout, (region, row, first, count) =>
        rotate(region, slicePositions(positions, all, row, first, count), whole),
      );
      return x;
    });
  }

  /**
   * The gradient of `apply` (give the same options), where frequencies were given and can be learned: adds theirs to
   * `gradients.frequencies`. x as it was before, gradOut the gradient of what it became, both untouched. Returns the gradient
   * of x, which is `apply(gradOut, { transpose: true })`. Throws: as `apply`.
   */
  backward<T extends TensorLike = Tensor>(
    x: TensorLike,
    gradOut: TensorLike,
    at: RotaryBackwardOptions & { out?: T } = {},
  ): T | Tensor {
    const gradient = operand(this.core, gradOut, "gradOut");
    checkOptions(at, "length offset positions grid sequenceLength layout role out");
    const layout = layoutCode(at.layout);
    const role = roleCode(at.role);
    return this.core.withScratch(() => {
      const input = readable(this.core, x, "x");
      const positions = this.positionsOf(input, at, layout);
      return produceFrom(this.core, gradient, at.out, (result) =>
        this.core
          .begin(this.handle)
          .region(input)
          .region(result)
          .number(layout)
          .positions(positions)
          .number(sequenceLength(at))
          .number(role)
          .call("rotaryBackward"),
      );
    });
  }

  /** @internal Frequencies that were given can be learned. */
  protected override learnedNames(): readonly string[] {
    const { frequencies } = this.spec as unknown as { frequencies?: ArrayLike<number> | null };
    return frequencies?.length ? ["frequencies"] : [];
  }

  /**
   * Moves cached keys in one pass: from positions to positions, or from another rotary encoding (or this one) to this
   * one at the same positions. With several axes, positions are one array for each. x as in `apply`, in place; returns x.
   * Saves the keys of a context shift or of a crossing of LongRoPE's or dynamic NTK's length. Throws: as `apply`.
   */
  rerotate<T extends TensorLike>(x: T, options: RerotateOptions): T {
    const tensor = operand(this.core, x, "x");
    checkOptions(options, "from to length offset positions grid fromSequenceLength sequenceLength layout");
    const layout = layoutCode(options.layout);
    const { source, target } = this.ends(options);
    source.handleIn(this.core);
    const toLength = sequenceLength(options);
    const fromLength = sequenceLength({ sequenceLength: options.fromSequenceLength }) || toLength;
    return this.core.withScratch(() => {
      const count = perRow(tensor, layout);
      const from = this.endPositions(options.from, options, count, "from");
      const to = this.endPositions(options.to, options, count, "to");
      target.check(tensor, layout, to, toLength, keyRole);
      const turn = (region: Region, fromSlice: PositionRegion, toSlice: PositionRegion): void =>
        this.core
          .begin(target.handle)
          .number(source.handleIn(this.core))
          .region(region)
          .number(layout)
          .positions(fromSlice)
          .positions(toSlice)
          .number(fromLength)
          .number(toLength)
          .call("rotaryRerotate");
      turn(readable(this.core, tensor, "x"), from, to);
      tensor.store();
      return x;
    });
  }

  private ends({ from, to }: RerotateOptions): { source: AnyRotary; target: AnyRotary } {
    for (const [name, end] of [
      ["from", from],
      ["to", to],
    ] as const)
      if (
        typeof end !== "number" &&
        (end === null || typeof end !== "object" || end instanceof Encoding) &&
        !(end instanceof RotaryEncoding)
      )
        throw invalid(name, `must be positions or a RotaryEncoding, got ${show(end)}`);
    return {
      source: from instanceof RotaryEncoding ? from : this,
      target: to instanceof RotaryEncoding ? to : this,
    };
  }

  private endPositions(end: RerotateOptions["from"], at: At, count: number, field: string): PositionRegion {
    if (end instanceof RotaryEncoding) return positionRegion(this.core, at, count);
    if (typeof end === "number") return positionRun(end, count);
    return givenPositions(this.core, readPositions(end, field), count, undefined, field);
  }

  private positionsOf(x: Operand, at: At, layout: number): PositionRegion {
    const count = perRow(x, layout);
    if (at.length !== undefined && at.length !== count)
      throw invalid("length", `x has ${count} positions, got ${show(at.length)}`);
    return positionRegion(this.core, at, count);
  }

  private check(x: Operand, layout: number, positions: PositionRegion, length: number, role: number): void {
    this.core
      .begin(this.handle)
      .region(x)
      .number(layout)
      .positions(positions)
      .number(length)
      .number(role)
      .call("rotaryCheck");
  }

  /** The sequence length of the whole call, which its pieces must share. */
  private lengthOf({ address, given, offset, count, extent, stride }: PositionRegion): number {
    if (given > 0) return Math.max(1, largestOf(this.core.doubles(address, stride * (extent.length - 1) + given)) + 1);
    return Math.max(1, ...(extent.length > 1 ? extent : [Math.floor(offset + count)]));
  }
}

const perRow = (x: Operand, layout: number): number => x.dims[layout === 0 ? 2 : 1] ?? 0;
