// Relative encodings that have more than others of their family: buckets of distances, places of their own, wider rows.
import type { ContextLogitsOptions, ExpandOptions, LogitsOptions, ResultIn, OutOption } from "../base/call-options.js";
import { AttentionRows, HeadLayout, Operation, Role } from "../base/calls.gen.js";
import { checkNumbers } from "../base/arrays.js";
import { layout, must, readOptions, role, tensor } from "../base/options.js";
import type { CopeSpec, DebertaSpec, GrapeASpec, PopeSpec, ShawSpec, Spec } from "../base/specs.gen.js";
import type { InputTensor, NumberArray, OwnedInt32Array, Tensor } from "../base/types.js";
import { positionRegion, run } from "../positions/at.js";
import { produce, readable } from "../tensors/operand.js";
import { lend } from "./encoding.js";
import { GatedRelative, GatedRowRelative, RowRelative } from "./gated.js";
import { RelativeEncoding } from "./relative.js";
import { attentionRows } from "./scores.js";
import type { LogitsGradients, LogitsGradientsOut, Written } from "./training.js";
import { TurningRelative } from "./turning.js";

const expandOptions = { ...run, role: must(role), layout, out: tensor };

/** A relative encoding that sorts distances into buckets. */
export class BucketRelative<S extends Spec = ShawSpec | DebertaSpec> extends RelativeEncoding<S> {
  /**
   * Into which bucket each distance (key - query) falls, [distances]: the row of Shaw's tables, DeBERTa's signed bucket.
   * Throws: invalid-argument.
   */
  bucketOf(distances: NumberArray): OwnedInt32Array {
    checkNumbers(distances, "distances");
    return this.core.withScratch(() => {
      const count = distances.length;
      const address = this.core.borrowDoubles(distances, "distances");
      const result = this.core.borrow(4 * count);
      this.core.call(Operation.relativeBuckets, this.handle, { address, length: count }, result);
      const { buffer, byteOffset } = this.core.bytes(result, 4 * count);
      return new Int32Array(buffer, byteOffset, count).slice();
    });
  }
}

/** A relative encoding whose positions follow from what queries and keys say. */
export class ContextRelative<S extends Spec = CopeSpec> extends RelativeEncoding<S> {
  /**
   * How far each query sees each key, counted in open gates, 0 for hidden keys. Arguments as in `logits`.
   * Returns [B, Hq, Tq, Tk]. Throws: as `logits`.
   */
  contextPositions<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    at: ContextLogitsOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return this.rows("positions", q, k, at);
  }
}

// Its gates may have keys of their own.
export interface ContextRelative<S extends Spec = CopeSpec> {
  /** As `RelativeEncoding.logits`: [B, Hq, Tq, Tk]; `gateKeys` open the gates. Throws: as there. */
  logits<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    at?: ContextLogitsOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor>;
  /** As `RelativeEncoding.backward`, for gradOut [B, Hq, Tq, Tk]; with that of `gateKeys`. Throws: as there. */
  backward<Out extends Partial<LogitsGradients<InputTensor>> = {}>(
    q: InputTensor,
    k: InputTensor,
    gradOut: InputTensor,
    at?: ContextLogitsOptions & LogitsGradientsOut<Out>,
  ): Written<LogitsGradients, Out>;
}

/** A relative encoding that makes rows of magnitudes and phases. */
export class PolarRelative<S extends Spec = PopeSpec> extends RelativeEncoding<S> {
  /**
   * Queries or keys x [B, H, T, D] as attention multiplies them, [B, H, T, D + rotaryDim] (or "bthd"): the
   * magnitude times cosine and sine of each turning feature, interleaved, then the other features. Queries that are the
   * last of T keys stand at `offset` T - queries. Throws: shape-mismatch, invalid-argument, out-of-range.
   */
  expand<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    options: ExpandOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    const read = readOptions(options, expandOptions);
    const { role, layout, out } = read;
    return this.core.withScratch(() => {
      const source = readable(this.core, x, "x");
      const positions = positionRegion(this.core, read, source.dims[layout === HeadLayout.bhtd ? 2 : 1] ?? 0);
      const width = this.dim + ((this.spec as { rotaryDim?: number }).rotaryDim || this.dim);
      return produce(this.core, [...source.dims.slice(0, -1), width], out, (result) =>
        this.core.call(Operation.relativeExpand, this.handle, source, role === Role.key, layout, positions, result),
      );
    }) as never;
  }
}

/** A relative encoding that adds a bias, made of queries and keys, to scaled scores. */
export class BiasedRelative<S extends Spec = GrapeASpec> extends RelativeEncoding<S> {
  /**
   * What is added to scaled scores, for attention that is computed elsewhere. Arguments as in `logits`; hidden keys have
   * -Infinity. Returns [B, Hq, Tq, Tk]. Throws: as `logits`.
   */
  biasOf<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    at: LogitsOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return attentionRows(this.core, AttentionRows.logits, q, k, { ...this.logitsOptions(at), scale: 0 }) as never;
  }
}

lend(
  RelativeEncoding,
  BucketRelative,
  ContextRelative,
  PolarRelative,
  BiasedRelative,
  GatedRelative,
  RowRelative,
  GatedRowRelative,
  TurningRelative,
);
