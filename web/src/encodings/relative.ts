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

/** Which columns of shifted scores are wanted. */
export interface ShiftOptions {
  /** So many columns, at most as many as x has, which is the default. */
  keys?: number;
  /** What wraps around the end of a row becomes 0. Default false. */
  zeroWrapped?: boolean;
}

/** Attention scores that need q and k themselves. Also works inside `pe.attention`, as its `encoding`. */
export class RelativeEncoding<S extends Spec = Spec> extends Encoding<S> {
  /** "relative". */
  readonly family = "relative";

  /** Width of a head; of `data-dependent-alibi`: of the layer's input; 0: any. */
  get dim(): number {
    return (this.spec as unknown as { dim?: number }).dim ?? 0;
  }

  /**
   * q·k and what positions add to it, before any scale: q [B, Hq, Tq, D], k [B, Hk, Tk, D] ("bhtd", or "bthd"). The last
   * query stands at the last key unless positions are given. Hidden keys have -Infinity.
   * Returns [B, Hq, Tq, Tk]. Throws: shape-mismatch, invalid-argument, out-of-range, out-of-memory.
   */
  logits<Out extends InputTensor | undefined = undefined>(
    q: InputTensor,
    k: InputTensor,
    at: LogitsOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return this.rows(AttentionRows.logits, q, k, at);
  }

  /**
   * The gradient of `logits` (give the same options): adds that of the parameters to `gradients`. gradOut [B, Hq, Tq, Tk].
   * Returns those of q and k (and of gateKeys and tokens, where given). Throws: as `logits`.
   */
  backward<Out extends Partial<LogitsGradients<InputTensor>> = {}>(
    q: InputTensor,
    k: InputTensor,
    gradOut: InputTensor,
    at: LogitsOptions & LogitsGradientsOut<Out> = {},
  ): Written<LogitsGradients, Out> {
    return attentionBackward(this.core, q, k, undefined, gradOut, this.logitsOptions(at)) as never;
  }

  /** @internal A number for each query and key. */
  protected rows<Out extends InputTensor | undefined>(
    wanted: Parameters<typeof attentionRows>[1],
    q: InputTensor,
    k: InputTensor,
    at: LogitsOptions & OutOption<Out>,
  ): ResultIn<Out, Tensor> {
    return attentionRows(this.core, wanted, q, k, this.logitsOptions(at)) as never;
  }

  /** @internal Those of attention whose scores these logits are. */
  protected logitsOptions(given: ContextLogitsOptions & { out?: object }): Read<typeof attentionOptions> {
    const { offset, positions, grid, prefix, ...read } = readOptions(given, logitsOptions);
    const whole: AttentionOptions & OutOption = { encoding: this, scale: 1 };
    const place = { offset, positions, grid, prefix, sequenceLength: 0 };
    return { ...readOptions(whole, attentionOptions), ...read, at: place };
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
      // The core takes as many keys as there is room for.
      checkSameDims(result.dims, dims, "out");
      core.call(Operation.relativeShift, source, zeroWrapped, result);
    });
  });
}
