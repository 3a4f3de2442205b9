// The family "additive attention bias".
import type { ApplyBiasOptions, BiasOptions, ResultIn, OutOption, VisibilityOptions } from "../base/call-options.js";
import { Operation, type BiasFields } from "../base/calls.gen.js";
import { count, maybe, must, number, type Read, readOptions, tensor } from "../base/options.js";
import { nothing } from "../base/regions.js";
import type { Spec } from "../base/specs.gen.js";
import type { InputTensor, Tensor } from "../base/types.js";
import { givenPositions, positionRun, readPositions } from "../positions/at.js";
import { readVisibility, visibilityOptions } from "../positions/mask.js";
import { operand, produce, produceFrom, readable } from "../tensors/operand.js";
import { Encoding } from "./encoding.js";
import type { BiasBackwardOptions } from "./training.js";

export const biasPositionOptions = { offset: maybe(number), keyPositions: maybe(readPositions) };
const applyOptions = { ...biasPositionOptions, ...visibilityOptions };
const backwardOptions = { ...applyOptions, scores: tensor, out: tensor };
export const counts = { queries: must(count()), keys: must(count()) };
const biasOptions = { ...applyOptions, ...counts, out: tensor };

/** A bias [heads, queries, keys] that is added to the scaled attention scores. */
export class BiasEncoding<S extends Spec = Spec> extends Encoding<S> {
  /** Always "bias". */
  readonly family = "bias";
  /** Number of heads with different biases; 1 if all heads share one. */
  readonly heads: number;

  /** @internal */
  constructor(...args: ConstructorParameters<typeof Encoding<S>>) {
    super(...args);
    this.heads = (this.spec as unknown as { heads: number }).heads;
  }

  /**
   * Returns the biases of `queries` × `keys` positions, to be added to scaled scores.
   *
   * `applyTo` adds them to existing scores in place, and also applies the factors of kinds that weigh scores (`kerple`, form
   * "weighted"). The last query is at the last key unless `offset` is given. Masked keys get -Infinity.
   * @param options Number of `queries` and `keys`, positions and masks; `out` receives the result.
   * @returns Shape [heads, queries, keys], or [batch, heads, queries, keys] if a mask or `segments` has a batch dim; float32. If
   * `out` was given, `out`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if positions, masks or `out` do not fit;
   * `out-of-memory`.
   * @example
   * const { data, dims } = pe.create({ kind: "alibi", heads: 8 }).bias({ queries: 128, keys: 128 });
   */
  bias<Out extends InputTensor | undefined = undefined>(options: BiasOptions & OutOption<Out>): ResultIn<Out, Tensor> {
    const read = readOptions(options, biasOptions);
    const { queries, keys, out } = read;
    return this.core.withScratch(() => {
      const { fields, batch } = this.readBiasPositions(read, queries, keys);
      const dims = [...(batch === undefined ? [] : [batch]), this.heads, queries, keys];
      return produce(this.core, dims, out, (result) =>
        this.core.call(Operation.biasRows, this.handle, ...fields, result),
      );
    }) as never;
  }

  /**
   * Adds the bias to attention scores in place: `scores` itself changes.
   *
   * The scores are scaled already. Kinds that also weigh scores (`kerple`, form "weighted") multiply first.
   * @param scores Shape [..., heads, queries, keys]. It changes.
   * @param options Positions and masks; masked keys get -Infinity.
   * @returns `scores`.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range`; `scores` is unchanged then.
   * @example
   * pe.create({ kind: "alibi", heads: 8 }).applyTo(scores);
   */
  applyTo<T extends InputTensor>(scores: T, options: ApplyBiasOptions = {}): T {
    const read = readOptions(options, applyOptions);
    return this.core.withScratch(() => {
      const tensor = readable(this.core, scores, "scores");
      const [queries = 0, keys = 0] = tensor.dims.slice(-2);
      const { fields } = this.readBiasPositions(read, queries, keys);
      this.core.call(Operation.biasApply, this.handle, ...fields, tensor);
      tensor.store();
      return scores;
    });
  }

  /**
   * Computes the gradients of `applyTo` or `bias`, called with the same options.
   *
   * Adds the gradients of the parameters to `gradients`. The gradient of a score equals the gradient of the result if the key
   * is visible, otherwise it is 0. Kinds that weigh scores (`kerple`, form "weighted") multiply it by the weight and require
   * the option `scores`.
   * @param gradOut Gradient of the result, shape [..., heads, queries, keys].
   * @param options Options of the forward call, and `scores` before `applyTo`; `out` receives the result, and may be `gradOut`.
   * @returns Gradient of the scores, shape [..., heads, queries, keys], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if the inputs or options do not fit;
   * `invalid-argument` also if required `scores` are missing; `not-loaded`; `out-of-memory`.
   */
  backward<Out extends InputTensor | undefined = undefined>(
    gradOut: InputTensor,
    options: BiasBackwardOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    const read = readOptions(options, backwardOptions);
    const gradient = operand(this.core, gradOut, "gradOut");
    return this.core.withScratch(() => {
      const scores = read.scores === undefined ? nothing : readable(this.core, read.scores, "scores");
      const [queries = 0, keys = 0] = gradient.dims.slice(-2);
      const { fields } = this.readBiasPositions(read, queries, keys);
      return produceFrom(this.core, this.handle, gradient, read.out, (result) =>
        this.core.call(Operation.biasBackward, this.handle, ...fields, result, scores),
      );
    }) as never;
  }

  /** @internal Reads and checks positions and masks; `batch` is undefined if no mask has a batch dim. */
  protected readBiasPositions(
    options: Read<typeof biasPositionOptions> & VisibilityOptions,
    queries: number,
    keys: number,
  ): { fields: BiasFields; batch: number | undefined } {
    const { offset = keys - queries, keyPositions } = options;
    const positions = keyPositions
      ? givenPositions(this.core, keyPositions, keys, undefined, "keyPositions")
      : positionRun(0, keys);
    const sight = readVisibility(this.core, options, keys);
    return { fields: [queries, keys, offset, positions, ...sight.fields], batch: sight.batch };
  }
}
