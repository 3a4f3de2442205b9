// The family "content-dependent relative".
import { checkNumbers } from "../base/arrays.js";
import { AttentionRows, HeadLayout, Operation, Role } from "../base/calls.gen.js";
import { invalid } from "../base/errors.js";
import { count, flag, layout, maybe, must, type Read, readOptions, role, tensor } from "../base/options.js";
import type { Spec } from "../base/specs.gen.js";
import type {
  ExpandOptions,
  LogitsOptions,
  NewOption,
  NumberArray,
  OutOption,
  Tensor,
  TensorLike,
} from "../base/types.js";
import { positionRegion, run } from "../positions/at.js";
import { produce, readable } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";
import { Encoding } from "./encoding.js";
import { at, attentionBackward, attentionOptions, attentionRows, visibility } from "./scores.js";
import type { LogitsBackwardOptions, LogitsGradients, LogitsGradientsOut } from "./training.js";

const logitsOptions = { ...run, ...visibility, layout, queryAt: at, gateKeys: tensor, out: tensor };
const expandOptions = { ...run, role: must(role), layout, out: tensor };
const shiftOptions = { keys: maybe(count()), zeroWrapped: flag, out: tensor };

/** Which columns of shifted scores are wanted. */
export interface ShiftOptions {
  /** So many columns, at most as many as x has, which is the default. */
  keys?: number;
  /** What wraps around the end of a row becomes 0. Default false. */
  zeroWrapped?: boolean;
}

/** Attention scores that need q and k themselves. Also works inside `pe.attention`, as its `encoding`. */
export class RelativeEncoding<S extends Spec = Spec> extends Encoding<S> {
  readonly family = "relative";

  /** Width of a head. */
  get dim(): number {
    return (this.spec as unknown as { dim: number }).dim;
  }

  /** As below, written into `out`, which it returns. */
  logits<T extends TensorLike>(q: TensorLike, k: TensorLike, at: LogitsOptions & OutOption<T>): T;
  /**
   * q·k and what positions add to it, before any scale: q [B, Hq, Tq, D], k [B, Hk, Tk, D] ("bhtd", or "bthd"). The last
   * query stands at the last key unless positions are given. Hidden keys have -Infinity.
   * Returns [B, Hq, Tq, Tk]. Throws: shape-mismatch, invalid-argument, out-of-range, out-of-memory.
   */
  logits(q: TensorLike, k: TensorLike, at?: LogitsOptions & NewOption): Tensor;
  logits<T extends TensorLike>(
    q: TensorLike,
    k: TensorLike,
    at: LogitsOptions & Partial<OutOption<T>> = {},
  ): T | Tensor {
    return this.rows(AttentionRows.logits, q, k, at);
  }

  /** As below, those in `out` written there. */
  backward(
    q: TensorLike,
    k: TensorLike,
    gradOut: TensorLike,
    at: LogitsOptions & LogitsGradientsOut,
  ): LogitsGradients<TensorLike>;
  /**
   * The gradient of `logits` (give the same options): adds that of the parameters to `gradients`. gradOut [B, Hq, Tq, Tk].
   * Returns those of q and k (and of gateKeys, where given). Throws: as `logits`.
   */
  backward(q: TensorLike, k: TensorLike, gradOut: TensorLike, at?: LogitsOptions & NewOption): LogitsGradients;
  backward(
    q: TensorLike,
    k: TensorLike,
    gradOut: TensorLike,
    at: LogitsBackwardOptions = {},
  ): LogitsGradients<TensorLike> {
    return attentionBackward(this.core, q, k, undefined, gradOut, this.logitsOptions(at));
  }

  /** As below, written into `out`, which it returns. */
  contextPositions<T extends TensorLike>(q: TensorLike, k: TensorLike, at: LogitsOptions & OutOption<T>): T;
  /**
   * `cope` only: how far each query sees each key, counted in open gates, 0 for hidden keys. Arguments as in `logits`.
   * Returns [B, Hq, Tq, Tk]. Throws: unsupported, and as `logits`.
   */
  contextPositions(q: TensorLike, k: TensorLike, at?: LogitsOptions & NewOption): Tensor;
  contextPositions<T extends TensorLike>(
    q: TensorLike,
    k: TensorLike,
    at: LogitsOptions & Partial<OutOption<T>> = {},
  ): T | Tensor {
    return this.rows("positions", q, k, at);
  }

  /**
   * Into which bucket each distance (key - query) falls: the row of Shaw's tables, DeBERTa's signed bucket.
   * Throws: unsupported where distances are not sorted, invalid-argument.
   */
  bucketOf(distances: NumberArray): Int32Array {
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

  /** As below, written into `out`, which it returns. */
  expand<T extends TensorLike>(x: TensorLike, options: ExpandOptions & OutOption<T>): T;
  /**
   * `pope` only: queries or keys x [B, H, T, D] as attention multiplies them, [B, H, T, D + rotaryDim] (or "bthd"): the
   * magnitude times cosine and sine of each turning feature, interleaved, then the other features. Queries that are the
   * last of T keys stand at `offset` T - queries. Throws: unsupported, shape-mismatch, invalid-argument, out-of-range.
   */
  expand(x: TensorLike, options: ExpandOptions & NewOption): Tensor;
  expand<T extends TensorLike>(x: TensorLike, options: ExpandOptions & Partial<OutOption<T>>): T | Tensor {
    const read = readOptions(options, expandOptions);
    const { role, layout, out } = read;
    return this.core.withScratch(() => {
      const source = readable(this.core, x, "x");
      const positions = positionRegion(this.core, read, source.dims[layout === HeadLayout.bhtd ? 2 : 1] ?? 0);
      const width = this.dim + ((this.spec as { rotaryDim?: number }).rotaryDim || this.dim);
      return produce(this.core, [...source.dims.slice(0, -1), width], out, (result) =>
        this.core.call(Operation.relativeExpand, this.handle, source, role === Role.key, layout, positions, result),
      );
    });
  }

  private rows<T extends TensorLike>(
    wanted: Parameters<typeof attentionRows>[1],
    q: TensorLike,
    k: TensorLike,
    at: LogitsOptions & Partial<OutOption<T>>,
  ): T | Tensor {
    return attentionRows(this.core, wanted, q, k, this.logitsOptions(at));
  }

  private logitsOptions(given: LogitsOptions): Read<typeof attentionOptions> {
    const { offset, positions, ...read } = readOptions(given, logitsOptions);
    const place = { offset, positions, grid: undefined, sequenceLength: 0 };
    return { ...readOptions({ encoding: this, scale: 1 }, attentionOptions), ...read, at: place };
  }
}

/** See `Posenc.relativeShift`. */
export function relativeShift<T extends TensorLike>(
  core: Core,
  x: TensorLike,
  options: ShiftOptions & Partial<OutOption<T>>,
): T | Tensor {
  const { keys, zeroWrapped, out } = readOptions(options, shiftOptions);
  return core.withScratch(() => {
    const source = readable(core, x, "x");
    const width = source.dims.at(-1) ?? 0;
    if (keys !== undefined && keys > width)
      throw invalid("keys", `must be a whole number up to x's last dim (${width}), got ${keys}`);
    return produce(core, [...source.dims.slice(0, -1), keys ?? width], out as T | undefined, (result) =>
      core.call(Operation.relativeShift, source, zeroWrapped, result),
    );
  });
}
