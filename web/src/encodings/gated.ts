// Relative encodings with per-token inputs: gates, the rows that gates are made of, and relative states.
import type {
  AttentionOptions,
  GateBiasOptions,
  LayoutOption,
  OutOption,
  RelativeLogitsOptions,
  ResultIn,
} from "../base/call-options.js";
import { AttentionRows, HeadLayout, Operation } from "../base/calls.gen.js";
import { PosencError } from "../base/errors.js";
import { count, layout, maybe, readOptions, tensor, type Read } from "../base/options.js";
import type {
  DataDependentAlibiSpec,
  ForgetSpec,
  GrapeApSpec,
  InklingSpec,
  PerRowAlibiSpec,
  Spec,
} from "../base/specs.gen.js";
import type { InputTensor, Tensor } from "../base/types.js";
import { operand, produce, readable } from "../tensors/operand.js";
import { RelativeEncoding } from "./relative.js";
import { at, attentionOptions, attentionRows, visibility } from "./scores.js";
import type { GatesBackwardOptions } from "./training.js";
import type { Core } from "../wasm/core.js";

const gateOptions = { layout, out: tensor };
const gateBiasOptions = { ...visibility, queries: maybe(count()), layout, out: tensor };
const relativeLogitsOptions = {
  ...visibility,
  keys: maybe(count()),
  layout,
  ...{ at, queryAt: at, temperature: attentionOptions.temperature },
  out: tensor,
};

/** A relative encoding whose bias is computed from per-token gates. */
export class GatedRelative<S extends Spec = ForgetSpec | DataDependentAlibiSpec> extends RelativeEncoding<S> {
  /**
   * Computes the logarithms of the gates, the option `logGates` of attention.
   *
   * Kind `forget` computes ln σ(x), also precisely for gates close to 1. Kind `data-dependent-alibi` computes the gates from the
   * layer's input with its learned parameters.
   * @param x Kind `forget`: logits of the gates, of any dims. Kind `data-dependent-alibi`: the layer's input, shape [B, T, dim].
   * @param options `layout` of the gates, default "bhtd"; `out` receives the result.
   * @returns Kind `forget`: the dims of x. Kind `data-dependent-alibi`: [B, heads, T], or [B, T, heads] with `layout: "bthd"`;
   * twice as many heads if it is bidirectional. float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if x or `out` has other dims; `invalid-argument` if an option is not valid.
   */
  logGates<Out extends InputTensor | undefined = undefined>(
    x: InputTensor,
    options: LayoutOption & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return gatesOf(this.core, this.handle, x, options, (dims, layout) => this.gateDims(dims, layout)) as never;
  }

  /**
   * Computes the gradients of `logGates`, called with the same options.
   *
   * Adds the gradients of the parameters to `gradients`.
   * @param x The x of the forward call.
   * @param gradOut Gradient of the result of `logGates`, in its shape.
   * @param options `layout` of the forward call; `out` receives the result.
   * @returns Gradient of x, in the dims of x (`data-dependent-alibi`: [B, T, dim]), float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if x, `gradOut` or `out` has other dims; `invalid-argument` if an option is not valid;
   * `out-of-memory`.
   */
  logGatesBackward(x: InputTensor, gradOut: InputTensor, options: GatesBackwardOptions = {}): Tensor {
    return gatesBackward(this.core, this.handle, x, gradOut, options);
  }

  /**
   * Computes the bias that is added to scaled scores, for attention that is computed elsewhere.
   *
   * The queries are the last of the T tokens. Masked keys get -Infinity.
   * @param logGates Logarithms of the gates, shape [B, heads, T], or [B, T, heads] with `layout: "bthd"`; twice as many heads if
   * they are bidirectional.
   * @param options Number of `queries` (default T), masks, `layout` of `logGates`; `out` receives the result.
   * @returns Shape [B, heads, queries, T], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if `logGates`, `queries` or masks do not fit; `invalid-argument` if an option is not
   * valid or `logGates` are not finite; `out-of-memory`.
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

/** A relative encoding whose bias is computed from one row of features per token and head. */
export class RowRelative<S extends Spec = GrapeApSpec | PerRowAlibiSpec> extends RelativeEncoding<S> {
  /**
   * Computes the bias that is added to scaled scores, for attention that is computed elsewhere.
   *
   * The queries are the last of the T tokens. Masked keys get -Infinity.
   * @param gateRows Shape [B, heads, T, width], or [B, T, heads, width] with `layout: "bthd"`; the width is even, for
   * `per-row-alibi` 2 · gateDim.
   * @param options Number of `queries` (default T), masks, `layout` of `gateRows`; `out` receives the result.
   * @returns Shape [B, heads, queries, T], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if `gateRows`, `queries` or masks do not fit; `invalid-argument` if an option is not
   * valid; `out-of-memory`.
   */
  biasOfRows<Out extends InputTensor | undefined = undefined>(
    gateRows: InputTensor,
    options: GateBiasOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    return biasOfTokens(this, { gateRows }, readOptions(options, gateBiasOptions)) as never;
  }
}

/** A relative encoding that computes the rows of its bias from the layer's input. */
export class GatedRowRelative<S extends Spec = PerRowAlibiSpec> extends RowRelative<S> {
  /**
   * Computes the option `gateRows` of attention from the layer's input with the learned parameters.
   *
   * @param x The layer's input, shape [B, T, dim].
   * @param options `layout` of the rows, default "bhtd"; `out` receives the result.
   * @returns Shape [B, heads, T, 2 · gateDim], or [B, T, heads, 2 · gateDim] with `layout: "bthd"`; float32. Each row has a query
   * vector, then a key vector. If `out` was given, `out`.
   * @throws {PosencError} `shape-mismatch` if x or `out` has other dims; `invalid-argument` if an option is not valid.
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
   * Computes the gradients of `gateRows`, called with the same options.
   *
   * Adds the gradients of the parameters to `gradients`.
   * @param x The layer's input of the forward call, shape [B, T, dim].
   * @param gradOut Gradient of the result of `gateRows`, in its shape.
   * @param options `layout` of the forward call; `out` receives the result.
   * @returns Gradient of x, shape [B, T, dim], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if x, `gradOut` or `out` has other dims; `invalid-argument` if an option is not valid;
   * `out-of-memory`.
   */
  gateRowsBackward(x: InputTensor, gradOut: InputTensor, options: GatesBackwardOptions = {}): Tensor {
    return gatesBackward(this.core, this.handle, x, gradOut, options);
  }
}

/** A relative encoding whose bias is computed from one state per query and head. */
export class StateRelative<S extends Spec = InklingSpec> extends RelativeEncoding<S> {
  /**
   * Computes the bias that is added to scaled scores, for attention that is computed elsewhere.
   *
   * The queries are the last of the keys. Masked keys get -Infinity.
   * @param relativeStates Shape [B, heads, queries, relativeDim], or [B, queries, heads, relativeDim] with `layout: "bthd"`.
   * @param options Number of `keys` (default: of queries), positions, `temperature`, masks, `layout` of `relativeStates`; `out`
   * receives the result.
   * @returns Shape [B, heads, queries, keys], float32; `out` if it was given.
   * @throws {PosencError} `shape-mismatch` if `relativeStates`, positions or masks do not fit; `invalid-argument` if an option is
   * not valid; `out-of-memory`.
   */
  relativeLogits<Out extends InputTensor | undefined = undefined>(
    relativeStates: InputTensor,
    options: RelativeLogitsOptions & OutOption<Out> = {},
  ): ResultIn<Out, Tensor> {
    const { keys, ...read } = readOptions(options, relativeLogitsOptions);
    if (!(this instanceof StateRelative)) throw notFor(this, "relativeLogits", "relative states");
    const [batch = 0, second = 0, third = 0] = operand(this.core, relativeStates, "relativeStates").dims;
    const [heads, queries] = read.layout === HeadLayout.bhtd ? [second, third] : [third, second];
    const sizes: Sizes = { batch, heads, queries, keys: keys ?? queries };
    return scoresOfZeros(this, sizes, { relativeStates }, read) as never;
  }
}

const headsOf = ([batch = 0, tokens = 0]: readonly number[], heads: number, layout: HeadLayout): number[] =>
  layout === HeadLayout.bhtd ? [batch, heads, tokens] : [batch, tokens, heads];

/** Computes gates or gate rows from x in the core. */
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

const notFor = ({ kind }: RelativeEncoding<any>, call: string, inputs: string): PosencError =>
  new PosencError(
    "unsupported",
    `${call}: requires an encoding with ${inputs}, got ${kind}; use logits or attention`,
    call,
  );

type Tokens = Pick<AttentionOptions, "logGates" | "gateRows" | "relativeStates">;

/** Returns only the bias: the scores of queries and keys that are 0. */
function biasOfTokens(
  encoding: RelativeEncoding<any>,
  tokens: Tokens,
  { queries, ...read }: Read<typeof gateBiasOptions>,
): InputTensor {
  const [[name, given]] = Object.entries(tokens) as [[string, InputTensor]];
  const Reading = "logGates" in tokens ? GatedRelative : RowRelative;
  if (!(encoding instanceof Reading)) throw notFor(encoding, "bias", "gates");
  const rows = operand(encoding.core, given, name);
  const [batch = 0, second = 0, third = 0] = rows.dims;
  const keys = read.layout === HeadLayout.bhtd ? third : second;
  const { heads } = encoding.spec as unknown as { heads: number };
  return scoresOfZeros(encoding, { batch, heads, queries: queries ?? keys, keys }, { [name]: rows }, read);
}

interface Sizes {
  readonly batch: number;
  readonly heads: number;
  readonly queries: number;
  readonly keys: number;
}

function scoresOfZeros(
  encoding: RelativeEncoding<any>,
  { batch, heads, queries, keys }: Sizes,
  tokens: Tokens,
  read: Partial<Read<typeof attentionOptions>> & Read<typeof gateOptions>,
): InputTensor {
  const isBhtd = read.layout === HeadLayout.bhtd;
  const zeros = (heads: number, positions: number): Tensor => ({
    type: "float32",
    data: new Float32Array(batch * heads * positions),
    dims: isBhtd ? [batch, heads, positions, 1] : [batch, positions, heads, 1],
  });
  const whole: AttentionOptions & OutOption = { encoding, scale: 1, ...tokens };
  const logitOptions = { ...readOptions(whole, attentionOptions), ...read };
  return attentionRows(encoding.core, AttentionRows.logits, zeros(heads, queries), zeros(1, keys), logitOptions);
}
