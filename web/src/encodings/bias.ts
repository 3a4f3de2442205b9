// The family "additive attention bias".
import { Operation, type BiasFields } from "../base/calls.gen.js";
import { PosencError } from "../base/errors.js";
import { count, flag, maybe, must, number, type Read, readOptions, tensor } from "../base/options.js";
import { nothing } from "../base/regions.js";
import type { Spec, SwinSpec } from "../base/specs.gen.js";
import type {
  ApplyBiasOptions,
  BiasOptions,
  BucketOptions,
  IdTensor,
  NewOption,
  OutOption,
  Tensor,
  TensorLike,
  VisibilityOptions,
  WindowResizeOptions,
} from "../base/types.js";
import { givenPositions, positionRun, readPositions } from "../positions/at.js";
import { readVisibility, visibilityOptions } from "../positions/mask.js";
import { operand, produce, produceFrom, readable } from "../tensors/operand.js";
import { resized, resizeOptions } from "../tensors/resize.js";
import { Encoding, createHandle, filled } from "./encoding.js";
import type { BiasBackwardOptions } from "./training.js";

const placeOptions = { offset: maybe(number), keyPositions: maybe(readPositions) };
const applyOptions = { ...placeOptions, ...visibilityOptions };
const backwardOptions = { ...applyOptions, scores: tensor, out: tensor };
const counts = { queries: must(count()), keys: must(count()) };
const bucketOptions = { ...placeOptions, ...counts };
const biasOptions = { ...applyOptions, ...counts, out: tensor };
const windowOptions = {
  windowHeight: maybe(number),
  windowWidth: maybe(number),
  mode: resizeOptions.mode,
  antialias: flag,
};

/** A number [heads, queries, keys] that is added to the scaled attention scores. */
export class BiasEncoding<S extends Spec = Spec> extends Encoding<S> {
  readonly family = "bias";
  readonly heads: number;

  /** @internal */
  constructor(...args: ConstructorParameters<typeof Encoding<S>>) {
    super(...args);
    this.heads = (this.spec as unknown as { heads: number }).heads;
  }

  /** One slope for each head, [heads]; empty for kinds that are no straight lines. */
  get slopes(): Float32Array {
    return this.parameters["slopes"]?.data.slice() ?? new Float32Array(0);
  }

  /** As below, written into `out`, which it returns. */
  bias<T extends TensorLike>(options: BiasOptions & OutOption<T>): T;
  /**
   * The biases of `queries` × `keys` positions; the first query stands at `offset` (default keys - queries: the last
   * query at the last key). Hidden keys get -Infinity. Returns [heads, queries, keys], or where what hides them has a
   * batch, [batch, heads, queries, keys]. Throws: invalid-argument, out-of-range, shape-mismatch.
   */
  bias(options: BiasOptions & NewOption): Tensor;
  bias<T extends TensorLike>(options: BiasOptions & Partial<OutOption<T>>): T | Tensor {
    const read = readOptions(options, biasOptions);
    const { queries, keys, out } = read;
    return this.core.withScratch(() => {
      const { fields, batch } = this.placesOf(read, queries, keys);
      const dims = [...(batch === undefined ? [] : [batch]), this.heads, queries, keys];
      return produce(this.core, dims, out, (result) =>
        this.core.call(Operation.biasRows, this.handle, ...fields, result),
      );
    });
  }

  /**
   * What attention does with the bias: scores (scaled already) [..., heads, queries, keys] += bias, in place; kinds that
   * also weigh scores (`kerple`, form "weighted") multiply first. Returns `scores`. Throws: as `bias`.
   */
  applyTo<T extends TensorLike>(scores: T, options: ApplyBiasOptions = {}): T {
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

  /** As below, written into `out`, which it returns. */
  backward<T extends TensorLike>(gradOut: TensorLike, options: BiasBackwardOptions & OutOption<T>): T;
  /**
   * The gradient of `applyTo` and of `bias`: adds that of the parameters to `gradients`. gradOut [..., heads, queries,
   * keys] is the gradient of what they made. Returns that of the scores, of the same dims: gradOut where the key is visible,
   * times the weight where scores were weighed. Throws: as `bias`, and invalid-argument where `scores` are needed.
   */
  backward(gradOut: TensorLike, options?: BiasBackwardOptions & NewOption): Tensor;
  backward<T extends TensorLike>(
    gradOut: TensorLike,
    options: BiasBackwardOptions & Partial<OutOption<T>> = {},
  ): T | Tensor {
    const read = readOptions(options, backwardOptions);
    const gradient = operand(this.core, gradOut, "gradOut");
    return this.core.withScratch(() => {
      const scores = read.scores === undefined ? nothing : readable(this.core, read.scores, "scores");
      const [queries = 0, keys = 0] = gradient.dims.slice(-2);
      const { fields } = this.placesOf(read, queries, keys);
      return produceFrom(this.core, this.handle, gradient, read.out as T | undefined, (result) =>
        this.core.call(Operation.biasBackward, this.handle, ...fields, result, scores),
      );
    });
  }

  /**
   * Which row of the learned table each query reads for each key: the published `relative_position_bucket` or
   * `relative_position_index`. Returns [queries, keys] int32. Throws: unsupported for kinds without a table.
   */
  buckets(options: BucketOptions): IdTensor {
    const read = readOptions(options, bucketOptions);
    const { queries, keys } = read;
    return this.core.withScratch(() => {
      const { fields } = this.placesOf(read, queries, keys);
      const { data, dims } = produce(this.core, [queries, keys], undefined, (result) =>
        this.core.call(Operation.biasBuckets, this.handle, ...fields, result),
      ) as Tensor;
      return { type: "int32", data: new Int32Array(data.buffer), dims };
    });
  }

  /**
   * Swin and BEiT: a new encoding for another window, its table made from this one's as PyTorch's `interpolate` does it;
   * the rows of a class token stay. Throws: invalid-spec, invalid-argument, unsupported for other kinds.
   */
  resize(options: WindowResizeOptions): BiasEncoding<S> {
    if (this.kind !== "swin") throw new PosencError("unsupported", `resize: ${this.kind} has no window`, "resize");
    const how = readOptions(options, windowOptions);
    const old = this.spec as unknown as Required<SwinSpec>;
    const { windowHeight = old.windowHeight, windowWidth = old.windowWidth } = how;
    const spec = { ...this.spec, windowHeight, windowWidth };
    const displacements = (height: number, width: number): number[] => [2 * height - 1, 2 * width - 1];
    const from = displacements(old.windowHeight, old.windowWidth);
    const made = new BiasEncoding<S>(this.core, createHandle(this.core, spec), spec);
    return filled(made, (other) =>
      resized(this.core, this.parameters["weights"]!, {
        ...readOptions({}, resizeOptions),
        mode: how.mode,
        antialias: how.antialias,
        from,
        grid: displacements(windowHeight, windowWidth),
        suffix: old.classToken ? 3 : 0,
        out: other.parameters["weights"]!,
      }),
    );
  }

  /** Reads and checks the places; `batch` is undefined where what hides keys tells no batch rows apart. */
  private placesOf(
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
