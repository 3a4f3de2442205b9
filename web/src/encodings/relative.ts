// The family "content-dependent relative".
import type {
  AttentionOptions,
  ContextLogitsOptions,
  LogitsOptions,
  ResultIn,
  OutOption,
} from "../base/call-options.js";
import { AttentionRows, Operation } from "../base/calls.gen.js";
import { checkSameDims } from "../base/dims.js";
import { invalid } from "../base/errors.js";
import { count, flag, layout, maybe, type Read, readOptions, sizes, tensor } from "../base/options.js";
import type { Spec } from "../base/specs.gen.js";
import type { InputTensor, Tensor } from "../base/types.js";
import { prefix, run } from "../positions/at.js";
import { produce, readable } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";
import { Encoding } from "./encoding.js";
import { at, attentionBackward, attentionOptions, attentionRows, tokenOptions, visibility } from "./scores.js";
import type { LogitsGradients, LogitsGradientsOut, Written } from "./training.js";

const logitsOptions = {
  ...run,
  grid: sizes,
  prefix,
  ...visibility,
  layout,
  queryAt: at,
  gateKeys: tensor,
  ...tokenOptions,
  out: tensor,
};
const shiftOptions = { keys: maybe(count()), zeroWrapped: flag, out: tensor };

/** Options of `relativeShift`. */
export interface ShiftOptions {
  /** Number of columns of the result, at most the last dim of x, which is the default. */
  keys?: number;
  /** Sets values that wrap around the end of a row to 0. Default false. */
  zeroWrapped?: boolean;
}

/** An encoding of attention scores that depends on the content of q and k. Also works as the `encoding` of `pe.attention`. */
export class RelativeEncoding<S extends Spec = Spec> extends Encoding<S> {
  /** Always "relative". */
  readonly family = "relative";

  /** Head dimension; for `data-dependent-alibi` the dimension of the layer's input; 0: any. */
  get dim(): number {
    return (this.spec as unknown as { dim?: number }).dim ?? 0;
  }

  /**
   * Computes attention scores before any scale, q·k with the positional terms.
   *
   * Use it if attention is computed elsewhere; `pe.attention` takes the encoding itself. The last query is at the last key unless
   * positions are given. Masked keys get -Infinity.
   * @param q Queries, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`.
   * @param k Keys, shape [B, Hk, Tk, D] in the same layout. Hq is a multiple of Hk.
   * @param options Positions of the keys, `queryAt` of the queries, masks, per-token inputs; `out` receives the result.
   * @returns Shape [B, Hq, Tq, Tk], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument` or `out-of-range` if the inputs or options do not fit;
   * `unsupported` if the kind does not use a given per-token input, such as `logGates`; `out-of-memory`.
   * @example
   * const scores = pe.create({ kind: "shaw", dim: 64, maxDistance: 16 }).logits(q, k, { causal: true });
   */
  logits<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    options: LogitsOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return this.rows(AttentionRows.logits, q, k, options);
  }

  /**
   * Computes the gradients of `logits`, called with the same options.
   *
   * Adds the gradients of the parameters to `gradients`.
   * @param q Queries of the forward call, shape [B, Hq, Tq, D], or [B, Tq, Hq, D] with `layout: "bthd"`.
   * @param k Keys of the forward call, shape [B, Hk, Tk, D] in the same layout.
   * @param gradOut Gradient of the scores, shape [B, Hq, Tq, Tk].
   * @param options Options of the forward call; the tensors of `out` receive the gradients of their names.
   * @returns Gradients of `q` and `k`, and of the per-token inputs that were given; each has the dims of its input, float32.
   * Tensors of `out` are returned by their names.
   * @throws {PosencError} `shape-mismatch`, `invalid-argument`, `out-of-range`, `unsupported` or `out-of-memory`, as `logits`.
   */
  backward<Out extends Partial<LogitsGradients<InputTensor>> = {}>(
    q: InputTensor,
    k: InputTensor,
    gradOut: InputTensor,
    options: LogitsOptions & LogitsGradientsOut<Out> = {},
  ): Written<LogitsGradients, Out> {
    return attentionBackward(this.core, q, k, undefined, gradOut, this.logitsOptions(options)) as never;
  }

  /** @internal One value for each query and key. */
  protected rows<Out extends InputTensor | undefined>(
    wanted: Parameters<typeof attentionRows>[1],
    q: InputTensor,
    k: InputTensor,
    at: LogitsOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    return attentionRows(this.core, wanted, q, k, this.logitsOptions(at)) as never;
  }

  /** @internal The options with which attention has these logits as its scores. */
  protected logitsOptions(given: ContextLogitsOptions & { out?: object }): Read<typeof attentionOptions> {
    const { offset, positions, grid, prefix, ...read } = readOptions(given, logitsOptions);
    const whole: AttentionOptions & OutOption = { encoding: this, scale: 1 };
    const where = { offset, positions, grid, prefix, sequenceLength: 0 };
    return { ...readOptions(whole, attentionOptions), ...read, at: where };
  }
}

/** See `Posenc.relativeShift`. */
export function relativeShift<T extends InputTensor = Tensor>(
  core: Core,
  x: InputTensor,
  options: ShiftOptions & OutOption<T>,
): T | Tensor {
  const { keys, zeroWrapped, out } = readOptions(options, shiftOptions);
  return core.withScratch(() => {
    const source = readable(core, x, "x");
    const width = source.dims.at(-1) ?? 0;
    if (keys !== undefined && keys > width)
      throw invalid("keys", `must be a whole number up to x's last dim (${width}), got ${keys}`);
    const dims = [...source.dims.slice(0, -1), keys ?? width];
    return produce(core, dims, out as T | undefined, (result) => {
      // The core fills `out` whatever its number of keys.
      checkSameDims(result.dims, dims, "out");
      core.call(Operation.relativeShift, source, zeroWrapped, result);
    });
  });
}
