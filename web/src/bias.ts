// The family "additive attention bias".
import type { Core } from "./core.js";
import { Encoding, createHandle, filled } from "./encoding.js";
import { PosencError, checkOptions, invalid, isCount, show } from "./errors.js";
import { maskRegion } from "./mask.js";
import { givenPositions, positionRun, readPositions } from "./positions.js";
import { resizeTable } from "./resize.js";
import type { Spec, SwinSpec } from "./specs.gen.js";
import { nothing, operand, produce, produceFrom, readable } from "./tensor.js";
import type { BiasBackwardOptions } from "./training-types.js";
import type {
  ApplyBiasOptions,
  BiasOptions,
  BucketOptions,
  IdTensor,
  Tensor,
  TensorLike,
  WindowResizeOptions,
} from "./types.js";

type Send = (core: Core) => Core;

/** What the core is to do with the places, in the order of its enum. */
const tasks = { bias: 0, apply: 1, buckets: 2, backward: 3 };

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

  /**
   * The biases of `queries` × `keys` positions; the first query stands at `offset` (default keys - queries: the last
   * query at the last key). `mask` hides keys with -Infinity. Returns [heads, queries, keys], or with a mask of
   * [batch, keys] [batch, heads, queries, keys]. Throws: invalid-argument, out-of-range, shape-mismatch.
   */
  bias<T extends TensorLike = Tensor>(options: BiasOptions & { out?: T }): T | Tensor {
    checkOptions(options, "queries keys offset keyPositions mask out");
    const { queries, keys, mask, out } = options;
    return this.core.withScratch(() => {
      const send = this.sender("bias", options, queries, keys);
      const batch = mask !== undefined && "dims" in mask ? mask.dims.slice(0, -1) : [];
      return produce(this.core, [...batch, this.heads, queries, keys], out, (result) =>
        send(this.core).region(result).call("biasRows"),
      );
    });
  }

  /**
   * What attention does with the bias: scores (scaled already) [..., heads, queries, keys] += bias, in place; kinds that
   * also weigh scores (`kerple`, form "weighted") multiply first. Returns `scores`. Throws: as `bias`.
   */
  applyTo<T extends TensorLike>(scores: T, options: ApplyBiasOptions = {}): T {
    checkOptions(options, "offset keyPositions mask");
    return this.core.withScratch(() => {
      const tensor = readable(this.core, scores, "scores");
      const [queries = 0, keys = 0] = tensor.dims.slice(-2);
      this.sender("apply", options, queries, keys)(this.core).region(tensor).call("biasRows");
      tensor.store();
      return scores;
    });
  }

  /**
   * The gradient of `applyTo` and of `bias`: adds that of the parameters to `gradients`. gradOut [..., heads, queries,
   * keys] is the gradient of what they made. Returns that of the scores, of the same dims: gradOut where the key is visible,
   * times the weight where scores were weighed. Throws: as `bias`, and invalid-argument where `scores` are needed.
   */
  backward<T extends TensorLike = Tensor>(
    gradOut: TensorLike,
    options: BiasBackwardOptions & { out?: T } = {},
  ): T | Tensor {
    const gradient = operand(this.core, gradOut, "gradOut");
    checkOptions(options, "offset keyPositions mask scores out");
    return this.core.withScratch(() => {
      const scores = options.scores === undefined ? nothing : readable(this.core, options.scores, "scores");
      const [queries = 0, keys = 0] = gradient.dims.slice(-2);
      const send = this.sender("backward", options, queries, keys);
      return produceFrom(this.core, gradient, options.out, (result) =>
        send(this.core).region(result).region(scores).call("biasRows"),
      );
    });
  }

  /**
   * Which row of the learned table each query reads for each key: the published `relative_position_bucket` or
   * `relative_position_index`. Returns [queries, keys] int32. Throws: unsupported for kinds without a table.
   */
  buckets(options: BucketOptions): IdTensor {
    checkOptions(options, "queries keys offset keyPositions");
    const { queries, keys } = options;
    return this.core.withScratch(() => {
      const send = this.sender("buckets", options, queries, keys);
      const { data, dims } = produce(this.core, [queries, keys], undefined, (result) =>
        send(this.core).region(result).call("biasRows"),
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
    checkOptions(options, "windowHeight windowWidth mode antialias");
    const old = this.spec as unknown as Required<SwinSpec>;
    const { windowHeight = old.windowHeight, windowWidth = old.windowWidth, ...how } = options;
    const spec = { ...this.spec, windowHeight, windowWidth };
    const displacements = (height: number, width: number): number[] => [2 * height - 1, 2 * width - 1];
    const from = displacements(old.windowHeight, old.windowWidth);
    const made = new BiasEncoding<S>(this.core, createHandle(this.core, spec), spec, this.description);
    return filled(made, (resized) =>
      resizeTable(this.core, this.parameters["weights"]!, {
        ...how,
        from,
        grid: displacements(windowHeight, windowWidth),
        suffix: old.classToken ? 3 : 0,
        out: resized.parameters["weights"]!,
      }),
    );
  }

  /** Reads and checks the places; what comes back writes them to the frame. */
  private sender(task: keyof typeof tasks, options: ApplyBiasOptions, queries: number, keys: number): Send {
    const { offset: given, keyPositions } = options;
    for (const [name, value] of Object.entries({ queries, keys, offset: given === undefined ? 0 : given }))
      if (typeof value !== "number") throw invalid(name, `must be a number, got ${show(value)}`);
    const offset = given ?? keys - queries;
    const positions =
      keyPositions === undefined
        ? positionRun(0, keys)
        : givenPositions(this.core, readPositions(keyPositions, "keyPositions"), keys, undefined, "keyPositions");
    const mask = maskRegion(this.core, options.mask);
    const send: Send = (core) =>
      core
        .begin(this.handle)
        .number(tasks[task])
        .number(queries)
        .number(keys)
        .number(offset)
        .positions(positions)
        .region(mask);
    // Nonsensical counts are worded by the core before memory is asked for.
    if (!isCount(queries) || !isCount(keys)) send(this.core).region(nothing).call("biasRows");
    return send;
  }
}
