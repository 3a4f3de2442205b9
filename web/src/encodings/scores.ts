// Scores of queries and keys with any encoding: their options, the core's arguments, the scores and their gradients.
import { checkNumbers } from "../base/arrays.js";
import { AttentionRows, HeadLayout, Operation, type AttentionFields, type GradientFields } from "../base/calls.gen.js";
import { invalid, show } from "../base/errors.js";
import {
  anEncoding,
  flag,
  layout,
  list,
  maybe,
  nested,
  number,
  or,
  type Read,
  type Reader,
  sizes,
  tensor,
  withoutEffect,
} from "../base/options.js";
import { nothing, type List, type PositionRegion, type Region } from "../base/regions.js";
import type { InputTensor, NumberArray, TensorOf, TensorType } from "../base/types.js";
import { positionRegion, positionRun, prefix, run, sequenceLength } from "../positions/at.js";
import { readVisibility, visibilityOptions } from "../positions/mask.js";
import { produce, produceAll, readable } from "../tensors/operand.js";
import type { Core } from "../wasm/core.js";
import { checkEncoding, Encoding } from "./encoding.js";
import { noRemap, noTemperature, remap, temperature } from "./remap.js";
import type { AttentionGradients } from "./training.js";

/** Reads positions of keys or queries. */
export const at = maybe(nested({ ...run, grid: sizes, prefix, sequenceLength }));

/** Reads w (keys on each side, the query's own included) or [left, right]. -1: no limit. */
export const window: Reader<readonly [number, number]> = or(
  (value, name) => {
    const isWhole = (side: unknown): side is number => Number.isInteger(side) && (side as number) >= 0;
    if (isWhole(value) && value > 0) return [value - 1, value - 1];
    if (!Array.isArray(value) || value.length !== 2 || !value.every(isWhole))
      throw invalid(name, `must be a whole number ≥ 1 or [left, right], got ${show(value)}`);
    return value as [number, number];
  },
  [-1, -1] as const,
);

/** Per-token inputs of relative encodings. */
export const tokenOptions = {
  logGates: tensor,
  directions: tensor,
  strengths: tensor,
  gateRows: tensor,
  relativeStates: tensor,
};
type TokenName = keyof typeof tokenOptions;
const tokenNames = Object.keys(tokenOptions) as TokenName[];
/** The regions of these inputs in a call, in the core's order. */
const ofTokens = (region: (name: TokenName) => Region): [Region, Region, Region, Region, Region] =>
  tokenNames.map(region) as [Region, Region, Region, Region, Region];

/** Options that mask keys. */
export const visibility = { causal: flag, window, ...visibilityOptions };
export const attentionOptions = {
  ...visibility,
  encoding: anEncoding,
  bias: tensor,
  scale: maybe(number),
  softcap: or(number, 0),
  temperature: or(temperature, noTemperature),
  remap: or(remap, noRemap),
  sinks: list,
  layout,
  at,
  queryAt: at,
  gateKeys: tensor,
  ...tokenOptions,
  out: tensor,
};
type Options = Read<typeof attentionOptions>;

/**
 * Returns one value for each query and key, [B, Hq, Tq, Tk]: the softmax (`Posenc.attentionWeights`), the scores before
 * it, or the positions of a contextual encoding. Only the softmax has the dtype of q.
 */
export function attentionRows<T extends InputTensor>(
  core: Core,
  wanted: AttentionRows | "positions",
  q: InputTensor,
  k: InputTensor,
  options: Options,
): T | TensorOf<TensorType> {
  return core.withScratch(() => {
    const inputs = [readable(core, q, "q"), readable(core, k, "k")] as const;
    const fields = attentionFields(core, ...inputs, options);
    const [batch, heads, queries] = headDims(inputs[0], options);
    const dims = [batch, heads, queries, headDims(inputs[1], options)[2]];
    const fill = (out: Region): void =>
      wanted === "positions"
        ? core.call(Operation.contextPositions, ...inputs, ...fields, out)
        : core.call(Operation.attentionRows, ...inputs, ...fields, out, wanted);
    return produce(core, dims, options.out, fill, { like: wanted === AttentionRows.weights ? inputs[0] : undefined });
  });
}

/** Returns [batch, heads, positions] of q or k. Missing dims count as 0; the core rejects them. */
function headDims({ dims }: Region, { layout }: Options): [number, number, number] {
  const [batch = 0, second = 0, third = 0] = dims;
  return layout === HeadLayout.bhtd ? [batch, second, third] : [batch, third, second];
}

const gradients = { q: tensor, k: tensor, v: tensor, bias: tensor, gateKeys: tensor, sinks: tensor, ...tokenOptions };
const gradientNames = Object.keys(gradients) as (keyof typeof gradients)[];
const gradientsOut = or(nested(gradients), {} as Partial<Record<keyof typeof gradients, any>>);

/**
 * Returns the gradients of `attention` (see `Posenc.attentionBackward`). Without v, those of the logits, for a gradient
 * of shape [B, Hq, Tq, Tk].
 */
export function attentionBackward(
  core: Core,
  q: InputTensor,
  k: InputTensor,
  v: InputTensor | undefined,
  gradOut: InputTensor,
  options: Options,
): AttentionGradients {
  const out = gradientsOut(options.out, "out");
  return core.withScratch(() => {
    const inputs = [
      readable(core, q, "q"),
      readable(core, k, "k"),
      v === undefined ? nothing : readable(core, v, "v"),
      readable(core, gradOut, "gradOut"),
    ] as const;
    const fields = attentionFields(core, inputs[0], inputs[1], options);
    const { bias, gateKeys, sinks } = options;
    const [forQ, forK, forV] = inputs.map(({ dims }) => dims);
    const dims = { q: forQ, k: forK, v: v && forV, bias: bias?.dims, gateKeys: gateKeys?.dims };
    const tokens = Object.fromEntries(tokenNames.map((name) => [name, options[name]?.dims]));
    const wanted = { ...dims, sinks: sinks && [sinks.length], ...(tokens as Record<TokenName, number[] | undefined>) };
    for (const name of gradientNames)
      if (out[name] !== undefined && !wanted[name]) throw withoutEffect(`out.${name}`, `no ${name} in this call`);
    return produceAll(core, wanted, out, (results) => {
      const { q = nothing, k = nothing, v = nothing, bias = nothing, gateKeys = nothing, sinks = nothing } = results;
      const tokens = ofTokens((name) => results[name] ?? nothing);
      const regions: GradientFields = [q, k, v, bias, gateKeys, sinks, ...tokens];
      core.call(Operation.attentionBackward, ...inputs, ...regions, ...fields);
    });
  });
}

/** Returns the options as the core takes them: checked, with their data copied. */
export function attentionFields(core: Core, q: Region, k: Region, options: Options): AttentionFields {
  const { scale, softcap, window, causal } = options;
  const sinks = sinkList(core, options.sinks);
  const sight = readVisibility(core, options, headDims(k, options)[2]);
  const given = (name: "bias" | "gateKeys" | TokenName): Region =>
    options[name] === undefined ? nothing : readable(core, options[name], name);
  const bias = given("bias");
  const gates = given("gateKeys");
  const handle = encodingHandle(core, options.encoding);
  const { keys, queries, length } = attentionPositions(core, q, k, options);
  return [
    options.layout,
    causal,
    ...window,
    scale !== undefined,
    scale ?? 0,
    softcap,
    ...options.temperature,
    sinks,
    ...sight.fields,
    bias,
    handle,
    gates,
    ...ofTokens(given),
    keys,
    queries,
    length,
    ...options.remap,
  ];
}

/** Returns the positions of keys and queries. Queries without positions are the last of the keys. */
function attentionPositions(
  core: Core,
  q: Region,
  k: Region,
  options: Options,
): { keys: PositionRegion; queries: PositionRegion; length: number } {
  const [, , queryCount] = headDims(q, options);
  const [, , keyCount] = headDims(k, options);
  const { at, queryAt } = options;
  const keys = positionRegion(core, at ?? {}, keyCount);
  if (!queryAt && queryCount > keyCount && keys.given > 0)
    throw invalid("queryAt", "with more queries than keys their positions must be given");
  const queries = queryAt ? positionRegion(core, queryAt, queryCount) : positionRun(NaN, queryCount);
  return { keys, queries, length: at?.sequenceLength || queryAt?.sequenceLength || 0 };
}

function sinkList(core: Core, sinks: NumberArray | undefined): List {
  if (sinks === undefined) return { address: 0, length: 0 };
  checkNumbers(sinks, "sinks");
  const values = Array.from(sinks as ArrayLike<number>);
  if (!values.every(Number.isFinite)) throw invalid("sinks", "must be finite numbers");
  const address = core.borrow(4 * values.length);
  core.floats(address, values.length).set(values);
  return { address, length: values.length };
}

/** Returns the core's handle of an encoding; 0: no encoding. */
export function encodingHandle(core: Core, encoding: object | undefined): number {
  if (encoding === undefined) return 0;
  if (encoding instanceof Encoding && encoding.family === "table")
    throw invalid("encoding", `${encoding.kind} is added to the features before attention: use addTo`);
  checkEncoding(encoding);
  return encoding.handleIn(core);
}
