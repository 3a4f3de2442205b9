// Relative encodings that go by what each token says of itself: gates, and the rows that gates are made of.
import type { AttentionOptions, GateBiasOptions, LayoutOption, ResultIn, OutOption } from "../base/call-options.js";
import { AttentionRows, HeadLayout, Operation } from "../base/calls.gen.js";
import { PosencError } from "../base/errors.js";
import { count, layout, maybe, readOptions, tensor, type Read } from "../base/options.js";
import type { DataDependentAlibiSpec, ForgetSpec, GrapeApSpec, PerRowAlibiSpec, Spec } from "../base/specs.gen.js";
import type { InputTensor, Tensor } from "../base/types.js";
import { operand, produce, readable } from "../tensors/operand.js";
import { RelativeEncoding } from "./relative.js";
import { attentionOptions, attentionRows, visibility } from "./scores.js";
import type { GatesBackwardOptions } from "./training.js";
import type { Core } from "../wasm/core.js";

const gateOptions = { layout, out: tensor };
const gateBiasOptions = { ...visibility, queries: maybe(count()), layout, out: tensor };

/** A relative encoding that goes by gates of the tokens. */
export class GatedRelative<S extends Spec = ForgetSpec | DataDependentAlibiSpec> extends RelativeEncoding<S> {
  /**
   * The logarithms of gates, attention's `logGates`. `forget`: ln σ(x) of logits x of any dims, precise where gates are all but
   * open, too. `data-dependent-alibi`: of the layer's input x [B, T, dim], by its learned numbers: [B, heads, T] ("bthd":
   * [B, T, heads]), twice as many heads where it is bidirectional. Throws: shape-mismatch.
   */
  logGates<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    options: LayoutOption & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return gatesOf(this.core, this.handle, x, options, (dims, layout) => this.gateDims(dims, layout)) as never;
  }

  /**
   * The gradient of `logGates`: gradOut is that of its result. Returns that of x, [B, T, dim] or x's own dims; adds those of the
   * parameters to `gradients`. Throws: shape-mismatch.
   */
  logGatesBackward(x: InputTensor, gradOut: InputTensor, options: GatesBackwardOptions = {}): Tensor {
    return gatesBackward(this.core, this.handle, x, gradOut, options);
  }

  /**
   * What is added to scaled scores, for attention that is computed elsewhere: [B, heads, queries, T] of logGates [B, heads, T]
   * ("bthd": [B, T, heads]). The queries are the last of the T tokens; hidden keys have -Infinity.
   * Throws: shape-mismatch, invalid-argument.
   */
  bias<Out extends InputTensor | undefined = undefined>(
    logGates: InputTensor,
    options: GateBiasOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return biasOfTokens(this, { logGates }, readOptions(options, gateBiasOptions)) as never;
  }

  private gateDims(dims: readonly number[], layout: HeadLayout): number[] {
    if (this.kind === "forget") return [...dims];
    const { heads, bidirectional } = this.spec as unknown as Required<DataDependentAlibiSpec>;
    return headsOf(dims, bidirectional ? 2 * heads : heads, layout);
  }
}

/** A relative encoding that sums up what queries find in rows of the tokens. */
export class RowRelative<S extends Spec = GrapeApSpec | PerRowAlibiSpec> extends RelativeEncoding<S> {
  /**
   * What is added to scaled scores, for attention that is computed elsewhere: [B, heads, queries, T] of gateRows [B, heads, T,
   * width] ("bthd": [B, T, heads, width]). The queries are the last of the T tokens; hidden keys have -Infinity.
   * Throws: shape-mismatch, invalid-argument.
   */
  biasOfRows<Out extends InputTensor | undefined = undefined>(
    gateRows: InputTensor,
    options: GateBiasOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return biasOfTokens(this, { gateRows }, readOptions(options, gateBiasOptions)) as never;
  }
}

/** A relative encoding that makes such rows of the layer's input. */
export class GatedRowRelative<S extends Spec = PerRowAlibiSpec> extends RowRelative<S> {
  /**
   * Attention's `gateRows` of the layer's input x [B, T, dim], by the learned numbers: [B, heads, T, 2 · gateDim] ("bthd": [B, T,
   * heads, 2 · gateDim]), in the first half what queries ask with. Throws: shape-mismatch.
   */
  gateRows<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    options: LayoutOption & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    const { heads, gateDim } = this.spec as unknown as Required<PerRowAlibiSpec>;
    return gatesOf(this.core, this.handle, x, options, (dims, layout) => [
      ...headsOf(dims, heads, layout),
      2 * gateDim,
    ]) as never;
  }

  /**
   * The gradient of `gateRows`: gradOut is that of its result. Returns that of x [B, T, dim]; adds those of the parameters to
   * `gradients`. Throws: shape-mismatch.
   */
  gateRowsBackward(x: InputTensor, gradOut: InputTensor, options: GatesBackwardOptions = {}): Tensor {
    return gatesBackward(this.core, this.handle, x, gradOut, options);
  }
}

const headsOf = ([batch = 0, tokens = 0]: readonly number[], heads: number, layout: HeadLayout): number[] =>
  layout === HeadLayout.bhtd ? [batch, heads, tokens] : [batch, tokens, heads];

/** What the core makes of x for the calls' tokens. */
function gatesOf<T extends InputTensor>(
  core: Core,
  handle: number,
  x: InputTensor,
  options: LayoutOption & OutOption<T>,
  dimsOf: (dims: readonly number[], layout: HeadLayout) => number[],
): T | Tensor {
  const { layout, out } = readOptions(options, gateOptions);
  return core.withScratch(() => {
    const source = readable(core, x, "x");
    return produce(core, dimsOf(source.dims, layout), out, (result) =>
      core.call(Operation.relativeGates, handle, source, layout, result),
    );
  }) as T | Tensor;
}

function gatesBackward(
  core: Core,
  handle: number,
  x: InputTensor,
  gradOut: InputTensor,
  options: GatesBackwardOptions,
): Tensor {
  const { layout, out } = readOptions(options, gateOptions);
  return core.withScratch(() => {
    const [source, gradient] = [readable(core, x, "x"), readable(core, gradOut, "gradOut")];
    return produce(core, [...source.dims], out as Tensor | undefined, (result) =>
      core.call(Operation.relativeGatesBackward, handle, source, gradient, layout, result),
    );
  });
}

/** The scores of queries and keys that are 0. */
function biasOfTokens(
  encoding: RelativeEncoding<any>,
  tokens: { logGates?: InputTensor; gateRows?: InputTensor },
  { queries, ...read }: Read<typeof gateBiasOptions>,
): InputTensor {
  const [[name, given]] = Object.entries(tokens) as [[string, InputTensor]];
  const Reading = "logGates" in tokens ? GatedRelative : RowRelative;
  if (!(encoding instanceof Reading))
    throw new PosencError(
      "unsupported",
      `bias: must be asked of an encoding with gates, got ${encoding.kind}; use logits or attention`,
      "bias",
    );
  const rows = operand(encoding.core, given, name);
  const [batch = 0, second = 0, third = 0] = rows.dims;
  const isBhtd = read.layout === HeadLayout.bhtd;
  const count = isBhtd ? third : second;
  const { heads } = encoding.spec as unknown as { heads: number };
  const zeros = (heads: number, positions: number): Tensor => ({
    type: "float32",
    data: new Float32Array(batch * heads * positions),
    dims: isBhtd ? [batch, heads, positions, 1] : [batch, positions, heads, 1],
  });
  const whole: AttentionOptions & OutOption = { encoding, scale: 1, [name]: rows };
  const asked = { ...readOptions(whole, attentionOptions), ...read };
  const [q, k] = [zeros(heads, queries ?? count), zeros(1, count)];
  return attentionRows(encoding.core, AttentionRows.logits, q, k, asked);
}
