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

export const placeOptions = { offset: maybe(number), keyPositions: maybe(readPositions) };
const applyOptions = { ...placeOptions, ...visibilityOptions };
const backwardOptions = { ...applyOptions, scores: tensor, out: tensor };
export const counts = { queries: must(count()), keys: must(count()) };
const biasOptions = { ...applyOptions, ...counts, out: tensor };

/** A number [heads, queries, keys] that is added to the scaled attention scores. */
export class BiasEncoding<S extends Spec = Spec> extends Encoding<S> {
  /** "bias". */
  readonly family = "bias";
  /** How many heads have a bias of their own. */
  readonly heads: number;

  /** @internal */
  constructor(...args: ConstructorParameters<typeof Encoding<S>>) {
    super(...args);
    this.heads = (this.spec as unknown as { heads: number }).heads;
  }

  /**
   * The biases of `queries` × `keys` positions; the first query stands at `offset` (default keys - queries: the last
   * query at the last key). Hidden keys get -Infinity. Returns [heads, queries, keys], or where what hides them has a
   * batch, [batch, heads, queries, keys]. Throws: invalid-argument, out-of-range, shape-mismatch.
   */
  bias<Out extends InputTensor | undefined = undefined>(options: BiasOptions & OutOption<Out>): ResultIn<Out, Tensor> {
    const read = readOptions(options, biasOptions);
    const { queries, keys, out } = read;
    return this.core.withScratch(() => {
      const { fields, batch } = this.placesOf(read, queries, keys);
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
   */
  applyTo<T extends InputTensor>(scores: T, options: ApplyBiasOptions = {}): T {
    const read = readOptions(options, applyOptions);
    return this.core.withScratch(() => {
      const tensor = readable(this.core, scores, "scores");
      const [queries = 0, keys = 0] = tensor.dims.slice(-2);
      const { fields } = this.placesOf(read, queries, keys);
      this.core.call(Operation.biasApply, this.handle, ...fields, tensor);
      tensor.store();
      return scores;
    });
  }

  /**
   * The gradient of `applyTo` and of `bias`: adds that of the parameters to `gradients`. gradOut [..., heads, queries,
   * keys] is the gradient of what they made. Returns that of the scores, of the same dims: gradOut where the key is visible,
   * times the weight where scores were weighed. Throws: as `bias`, and invalid-argument where `scores` are needed.
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
      const { fields } = this.placesOf(read, queries, keys);
      return produceFrom(this.core, this.handle, gradient, read.out, (result) =>
        this.core.call(Operation.biasBackward, this.handle, ...fields, result, scores),
      );
    }) as never;
  }

  /**
   * @internal Reads and checks the places; `batch` is undefined where what hides keys tells no batch rows apart.
   */
  protected placesOf(
    options: Read<typeof placeOptions> & VisibilityOptions,
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
