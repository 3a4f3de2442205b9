// The family "additive attention bias".
import type { PositionRegion } from "./core.js";
import { Encoding } from "./encoding.js";
import { checkOptions, invalid, isCount, show } from "./errors.js";
import { givenPositions, positionRun } from "./positions.js";
import type { Spec } from "./specs.gen.js";
import { produce } from "./tensor.js";
import type { BiasOptions, NumberArray, Tensor, TensorLike } from "./types.js";

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
   * query at the last key). Returns [heads, queries, keys]. Throws: invalid-argument, shape-mismatch (of `out`).
   */
  bias<T extends TensorLike = Tensor>(options: BiasOptions & { out?: T }): T | Tensor {
    checkOptions(options, "queries keys offset keyPositions out");
    const { queries, keys, out } = options;
    for (const [name, value] of [
      ["queries", queries],
      ["keys", keys],
      ["offset", options.offset ?? 0],
    ] as const)
      if (typeof value !== "number") throw invalid(name, `must be a number, got ${show(value)}`);
    return this.core.withScratch(() => {
      const positions = this.keyPositions(options.keyPositions, keys);
      const dims = [this.heads, queries, keys];
      const send = (result: { address: number; length: number; dims: readonly number[] }): void =>
        this.core
          .begin(this.handle)
          .number(queries)
          .number(keys)
          .number(options.offset ?? keys - queries)
          .positions(positions)
          .region(result)
          .call("biasRows");
      // Nonsensical counts are worded by the core before memory is asked for.
      if (!isCount(queries) || !isCount(keys)) send({ address: 0, length: 0, dims: [0] });
      return produce(this.core, dims, out, send);
    });
  }

  private keyPositions(positions: NumberArray | undefined, keys: number): PositionRegion {
    if (positions === undefined) return positionRun(0, keys);
    return givenPositions(this.core, positions, keys, undefined, "keyPositions");
  }
}
