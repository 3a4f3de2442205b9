// Attention with any encoding, and what helps to understand it.
import { checkNumbers } from "./arrays.js";
import { BiasEncoding } from "./bias.js";
import type { Core, PositionRegion } from "./core.js";
import { Encoding } from "./encoding.js";
import { invalid, show } from "./errors.js";
import {
  anEncoding,
  flag,
  layout,
  list,
  maybe,
  must,
  nested,
  number,
  or,
  type Read,
  type Reader,
  readOptions,
  tensor,
  withoutEffect,
} from "./options.js";
import { readVisibility, visibilityOptions } from "./mask.js";
import { countOf, places, positionRegion, positionRun, run, sequenceLength, sizes } from "./positions.js";
import { TableEncoding } from "./table.js";
import { nothing, produce, produceAll, readable } from "./tensor.js";
import type { AttentionGradients } from "./training-types.js";
import type { At, AttentionOptions, NumberArray, ScoreTerms, Temperature, Tensor, TensorLike } from "./types.js";

const inside =
  (read: Reader<number>): Reader<number> =>
  (value, name) =>
    read(value, `temperature.${name}`);
const temperature = nested({
  factor: inside(must(number)),
  length: inside(must(number)),
  offset: inside(or(number, 0)),
});
/** Where keys or queries stand. */
export const at = maybe(nested({ ...run, grid: sizes, sequenceLength }));

/** w keys on either side, itself among them, or [left, right]; -1: all. */
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

/** What hides keys. */
export const visibility = { causal: flag, window, ...visibilityOptions };
export const attentionOptions = {
  ...visibility,
  encoding: anEncoding,
  bias: tensor,
  scale: maybe(number),
  softcap: or(number, 0),
  temperature: maybe(temperature),
  sinks: list,
  layout,
  at,
  queryAt: at,
  gateKeys: tensor,
  out: tensor,
};
type Options = Read<typeof attentionOptions>;

/** softmax(scale · q kᵀ + bias) v; see `Posenc.attention`. */
export function attention<T extends TensorLike = Tensor>(
  core: Core,
  q: TensorLike,
  k: TensorLike,
  v: TensorLike,
  given: AttentionOptions & { out?: T },
): T | Tensor {
  const options = readOptions(given, attentionOptions);
  return core.withScratch(() => {
    const inputs = [readable(core, q, "q"), readable(core, k, "k"), readable(core, v, "v")] as const;
    const send = optionSender(core, inputs[0], inputs[1], options);
    const dims = [...inputs[0].dims.slice(0, -1), inputs[2].dims.at(-1) ?? 0];
    return produce(core, dims, options.out, (out) => {
      core.begin();
      for (const input of inputs) core.region(input);
      send(core.region(out));
      core.call("attention");
    });
  });
}

/** AttentionRows of the core. */
const rowKinds = ["weights", "logits", "places"] as const;
export type Rows = (typeof rowKinds)[number];

/**
 * A number for each query and key, [B, Hq, Tq, Tk]: the softmax (`Posenc.attentionWeights`), the scores before it, or
 * where a contextual encoding sees the keys.
 */
export function attentionRows<T extends TensorLike = Tensor>(
  core: Core,
  wanted: Rows,
  q: TensorLike,
  k: TensorLike,
  options: Options,
): T | Tensor {
  return core.withScratch(() => {
    const inputs = [readable(core, q, "q"), readable(core, k, "k")] as const;
    const send = optionSender(core, ...inputs, options);
    const [batch, heads, queries] = headDims(inputs[0], options);
    const dims = [batch, heads, queries, headDims(inputs[1], options)[2]];
    return produce(core, dims, options.out, (out) => {
      core.begin().region(inputs[0]).region(inputs[1]);
      send(core.region(out).number(rowKinds.indexOf(wanted)));
      core.call("attentionRows");
    });
  });
}

/** [batch, heads, positions] of q or k; missing dims count as 0 and are complained of by the core. */
function headDims({ dims }: TensorLike, { layout }: Options): [number, number, number] {
  const [batch = 0, second = 0, third = 0] = dims;
  return layout === 0 ? [batch, second, third] : [batch, third, second];
}

/** What the core's gradients are called, in its order. */
const gradientNames = ["q", "k", "v", "bias", "gateKeys", "sinks"] as const;
const gradientsOut = or(
  nested({ q: tensor, k: tensor, v: tensor, bias: tensor, gateKeys: tensor, sinks: tensor }),
  {} as Partial<Record<(typeof gradientNames)[number], any>>,
);

/**
 * The gradients of `attention` (see `Posenc.attentionBackward`); without v those of the logits, for a gradient of [B, Hq,
 * Tq, Tk].
 */
export function attentionBackward(
  core: Core,
  q: TensorLike,
  k: TensorLike,
  v: TensorLike | undefined,
  gradOut: TensorLike,
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
    const send = optionSender(core, inputs[0], inputs[1], options);
    const { bias, gateKeys, sinks } = options;
    const [forQ, forK, forV] = inputs.map(({ dims }) => dims);
    const dims = { q: forQ, k: forK, v: v && forV, bias: bias?.dims, gateKeys: gateKeys?.dims };
    const wanted = { ...dims, sinks: sinks && [sinks.length] };
    for (const name of gradientNames)
      if (out[name] !== undefined && !wanted[name]) throw withoutEffect(`out.${name}`, `there is no ${name}`);
    return produceAll(core, wanted, out, (results) => {
      core.begin();
      for (const input of inputs) core.region(input);
      for (const name of gradientNames) core.region(results[name] ?? nothing);
      send(core);
      core.call("attentionBackward");
    });
  });
}

/** Everything of the options is checked and copied first; what comes back writes it to the frame. */
function optionSender(core: Core, q: TensorLike, k: TensorLike, options: Options): (core: Core) => void {
  const { scale, softcap, window, causal, temperature: { factor, length: per, offset } = noTemperature } = options;
  const sinks = sinkRegion(core, options.sinks);
  const sight = readVisibility(core, options, headDims(k, options)[2]);
  const bias = options.bias === undefined ? nothing : readable(core, options.bias, "bias");
  const gates = options.gateKeys === undefined ? nothing : readable(core, options.gateKeys, "gateKeys");
  const handle = encodingHandle(core, options.encoding);
  const { keys, queries, length } = attentionPositions(core, q, k, options);
  return (frame) => {
    frame
      .number(options.layout)
      .flag(causal)
      .number(window[0])
      .number(window[1])
      .flag(scale !== undefined);
    if (scale !== undefined) frame.number(scale);
    frame.number(softcap);
    frame.number(factor).number(per).number(offset);
    sight.send(frame.number(sinks.address).number(sinks.length)).region(bias).number(handle);
    frame.region(gates).positions(keys).positions(queries).number(length);
  };
}

/** Where keys and queries stand; queries that are not told of are the last of the keys. */
function attentionPositions(
  core: Core,
  q: TensorLike,
  k: TensorLike,
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

const noTemperature = { factor: 0, length: 1, offset: 0 };
const temperatureOptions = { ...places, temperature: must(temperature), out: tensor };

/** [T] multipliers of scores; see `Posenc.queryTemperature`. */
export function queryTemperature<T extends TensorLike = Tensor>(
  core: Core,
  options: At & { temperature: Temperature; out?: T },
): T | Tensor {
  const at = readOptions(options, temperatureOptions);
  const { factor, length, offset } = at.temperature;
  return core.withScratch(() => {
    const count = countOf(at);
    const positions = positionRegion(core, at, count);
    return produce(core, [count], at.out, (out) => {
      core.begin().number(factor).number(length).number(offset);
      core.positions(positions).region(out).call("queryTemperature");
    });
  });
}

function sinkRegion(core: Core, sinks: NumberArray | undefined): { address: number; length: number } {
  if (sinks === undefined) return { address: 0, length: 0 };
  checkNumbers(sinks, "sinks");
  const values = Array.from(sinks as ArrayLike<number>);
  if (!values.every(Number.isFinite)) throw invalid("sinks", "must be finite numbers");
  const address = core.borrow(4 * values.length);
  core.floats(address, values.length).set(values);
  return { address, length: values.length };
}

function encodingHandle(core: Core, encoding: object | undefined): number {
  if (encoding === undefined) return 0;
  if (encoding instanceof TableEncoding)
    throw invalid("encoding", `${encoding.kind} is added to the features before attention: use addTo`);
  if (!(encoding instanceof Encoding)) throw invalid("encoding", `must come from create(), got ${show(encoding)}`);
  return encoding.handleIn(core);
}

/** [T, T] dot products of a table's rows; see `Posenc.similarity`. */
export function similarity<T extends TensorLike = Tensor>(core: Core, table: TensorLike, out?: T): T | Tensor {
  return core.withScratch(() => {
    const source = readable(core, table, "table");
    const rows = source.dims[0] ?? 0;
    return produce(core, [rows, rows], out, (result) => core.begin().region(source).region(result).call("similarity"));
  });
}

/** How a score decays with distance; see `Posenc.distanceProfile`. */
export function distanceProfile<T extends TensorLike = Tensor>(
  core: Core,
  encoding: Encoding<any>,
  maxDistance: number,
  out?: T,
): T | Tensor {
  if (!(encoding instanceof Encoding)) throw invalid("encoding", `must come from create(), got ${show(encoding)}`);
  const dims = encoding instanceof BiasEncoding ? [encoding.heads, maxDistance + 1] : [maxDistance + 1];
  return core.withScratch(() =>
    produce(core, dims, out, (result) => core.begin(encoding.handleIn(core)).region(result).call("distanceProfile")),
  );
}

/** The four terms of a score; see `Posenc.scoreTerms`. */
export function scoreTerms(core: Core, x: TensorLike, table: TensorLike, wq: TensorLike, wk: TensorLike): ScoreTerms {
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
      core.begin();
      for (const region of [...inputs, ...Object.values(results)]) core.region(region);
      core.call("scoreTerms");
    });
  });
}
