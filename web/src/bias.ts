// The family "additive attention bias".
import { Encoding } from "./encoding.js";
import { PosencError, checkOptions, invalid, isCount, show } from "./errors.js";
import { checkNumbers } from "./positions.js";
import type { Spec } from "./specs.gen.js";
import { produce } from "./tensor.js";
import type { BiasOptions, NumberArray, Tensor, TensorLike } from "./types.js";

/** A number [heads, queries, keys] that is added to the scaled attention scores. */
export class BiasEncoding<S extends Spec = Spec> extends Encoding<S> {
  readonly family = "bias";
  readonly heads: number;
  private readonly headSlopes: Float32Array;

  /** @internal */
  constructor(...args: ConstructorParameters<typeof Encoding<S>>) {
    super(...args);
    this.heads = (this.spec as unknown as { heads: number }).heads;
    this.headSlopes = this.core.withScratch(() => {
      const address = this.core.borrow(4 * this.heads);
      this.core.begin(this.handle).number(address).call("biasFacts");
      return this.core.floats(address, this.heads).slice();
    });
  }

  /** One slope for each head, [heads]. */
  get slopes(): Float32Array {
    return this.headSlopes.slice();
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
      const address = this.keyPositions(options.keyPositions, keys);
      const dims = [this.heads, queries, keys];
      const send = (result: { address: number; length: number; dims: readonly number[] }): void =>
        this.core
          .begin(this.handle)
          .number(queries)
          .number(keys)
          .number(options.offset ?? keys - queries)
          .positions({ address, given: options.keyPositions?.length ?? 0, offset: 0, count: keys })
          .region(result)
          .call("biasRows");
      // Nonsensical counts are worded by the core before memory is asked for.
      if (!isCount(queries) || !isCount(keys)) send({ address: 0, length: 0, dims: [0] });
      return produce(this.core, dims, out, send);
    });
  }

  private keyPositions(positions: NumberArray | undefined, keys: number): number {
    if (positions === undefined) return 0;
    checkNumbers(positions, "keyPositions");
    if (positions.length === 0 && keys > 0)
      throw new PosencError("shape-mismatch", `keyPositions: must hold ${keys} numbers, got 0`, "keyPositions");
    return this.core.borrowDoubles(positions, "keyPositions");
  }
}
