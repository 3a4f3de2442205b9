// Diagnostics of encodings: similarity of rows, decay of scores, and the terms of scores.
import { Operation } from "../base/calls.gen.js";
import { checkSameDims } from "../base/dims.js";
import type { InputTensor, ScoreTerms, Tensor } from "../base/types.js";
import { BiasEncoding } from "../encodings/bias.js";
import { checkEncoding, type Encoding } from "../encodings/encoding.js";
import { produce, produceAll, readable } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";

/** Returns the dot products of a table's rows, [T, T]; see `Posenc.similarity`. */
export function similarity<T extends InputTensor = Tensor>(core: Core, table: InputTensor, out?: T): T | Tensor {
  return core.withScratch(() => {
    const source = readable(core, table, "table");
    const rows = source.dims[0] ?? 0;
    return produce(core, [rows, rows], out, (result) => core.call(Operation.similarity, source, result));
  });
}

/** Returns how a score changes with distance; see `Posenc.distanceProfile`. */
export function distanceProfile<T extends InputTensor = Tensor>(
  core: Core,
  encoding: Encoding<any>,
  maxDistance: number,
  out?: T,
): T | Tensor {
  checkEncoding(encoding);
  const dims = encoding instanceof BiasEncoding ? [encoding.heads, maxDistance + 1] : [maxDistance + 1];
  return core.withScratch(() =>
    produce(core, dims, out, (result) => {
      // The core fills `out` whatever its size.
      checkSameDims(result.dims, dims, "out");
      core.call(Operation.distanceProfile, encoding.handleIn(core), result);
    }),
  );
}

/** Returns the four terms of a score; see `Posenc.scoreTerms`. */
export function scoreTerms(
  core: Core,
  x: InputTensor,
  table: InputTensor,
  wq: InputTensor,
  wk: InputTensor,
): ScoreTerms {
  return core.withScratch(() => {
    const inputs = [
      readable(core, x, "x"),
      readable(core, table, "table"),
      readable(core, wq, "wq"),
      readable(core, wk, "wk"),
    ] as const;
    const rows = inputs[0].dims[0] ?? 0;
    const dims = [rows, rows];
    const terms = { contentContent: dims, contentPosition: dims, positionContent: dims, positionPosition: dims };
    return produceAll(core, terms, {}, (results) => {
      const { contentContent, contentPosition, positionContent, positionPosition } = results as Required<
        typeof results
      >;
      const out = [contentContent, contentPosition, positionContent, positionPosition] as const;
      core.call(Operation.scoreTerms, ...inputs, ...out);
    });
  });
}
