// Attention with any encoding, and what helps to understand it.
import { checkNumbers } from "./arrays.js";
import { BiasEncoding } from "./bias.js";
import type { Core, PositionRegion } from "./core.js";
import { Encoding } from "./encoding.js";
import { checkOptions, invalid, show } from "./errors.js";
import { maskRegion } from "./mask.js";
import { countOf, givenPositions, positionRegion, sequenceLength, slicePositions } from "./positions.js";
import { layoutCode } from "./rotary.js";
import { TableEncoding } from "./table.js";
import { nothing, produce, produceAll, readable } from "./tensor.js";
import type { AttentionBackwardOptions, AttentionGradients } from "./training-types.js";
import type { At, AttentionOptions, NumberArray, ScoreTerms, Temperature, Tensor, TensorLike } from "./types.js";

/** softmax(scale · q kᵀ + bias) v; see `Posenc.attention`. */
export function attention<T extends TensorLike = Tensor>(
  core: Core,
  q: TensorLike,
  k: TensorLike,
  v: TensorLike,
  options: AttentionOptions & { out?: T },
): T | Tensor {
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
  options: AttentionOptions & { out?: T },
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
function headDims({ dims }: TensorLike, { layout }: AttentionOptions): [number, number, number] {
  const [batch = 0, second = 0, third = 0] = dims;
  return layoutCode(layout) === 0 ? [batch, second, third] : [batch, third, second];
}

/** What the core's gradients are called, in its order. */
const gradientNames = ["q", "k", "v", "bias", "gateKeys", "sinks"] as const;

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
  given: AttentionBackwardOptions,
): AttentionGradients {
  checkOptions(given, optionNames);
  const { out = {}, ...options } = given;
  checkOptions(out, gradientNames.join(" "), "out");
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
    return produceAll(core, { ...dims, sinks: sinks && [sinks.length] }, out, (results) => {
      core.begin();
      for (const input of inputs) core.region(input);
      for (const name of gradientNames) core.region(results[name] ?? nothing);
      send(core);
      core.call("attentionBackward");
    });
  });
}

const optionNames = "encoding causal window mask bias scale softcap temperature sinks layout at queryAt gateKeys out";

/** Everything of the options is read, checked and copied first; what comes back writes it to the frame. */
function optionSender(core: Core, q: TensorLike, k: TensorLike, options: AttentionOptions): (core: Core) => void {
  checkOptions(options, optionNames);
  for (const at of [options.at, options.queryAt])
    if (at !== undefined) checkOptions(at, "offset positions grid sequenceLength", "at");
  const layout = layoutCode(options.layout);
  const [left, right] = windowOf(options.window);
  const { scale, softcap = 0 } = options;
  for (const [name, value] of [
    ["scale", scale ?? 1],
    ["softcap", softcap],
  ] as const)
    if (typeof value !== "number") throw invalid(name, `must be a number, got ${show(value)}`);
  const temperature = options.temperature === undefined ? [0, 1, 0] : temperatureOf(options.temperature);
  const sinks = sinkRegion(core, options.sinks);
  const mask = maskRegion(core, options.mask);
  const bias = options.bias === undefined ? nothing : readable(core, options.bias, "bias");
  const gates = options.gateKeys === undefined ? nothing : readable(core, options.gateKeys, "gateKeys");
  const handle = encodingHandle(core, options.encoding);
  const { keys, queries, length } = attentionPositions(core, q, k, options);
  return (frame) => {
    frame
      .number(layout)
      .flag(options.causal === true)
      .number(left)
      .number(right)
      .flag(scale !== undefined);
    if (scale !== undefined) frame.number(scale);
    frame.number(softcap);
    for (const value of temperature) frame.number(value);
    frame.number(sinks.address).number(sinks.length).region(mask).region(bias).number(handle);
    frame.region(gates).positions(keys).positions(queries).number(length);
  };
}

function attentionPositions(
  core: Core,
  q: TensorLike,
  k: TensorLike,
  options: AttentionOptions,
): { keys: PositionRegion; queries: PositionRegion; length: number } {
  const [, , queryCount] = headDims(q, options);
  const [batch, , keyCount] = headDims(k, options);
  const at: At = options.at ?? {};
  const keys = positionRegion(core, at, keyCount);
  const length = sequenceLength(at) || sequenceLength(options.queryAt ?? {});
  if (options.queryAt !== undefined)
    return { keys, queries: positionRegion(core, options.queryAt, queryCount), length };
  if (queryCount > keyCount && keys.given > 0)
    throw invalid("queryAt", "with more queries than keys their positions must be given");
  // Queries are the last of the keys.
  if (queryCount === keyCount) return { keys, queries: keys, length };
  if (keys.given <= keyCount)
    return { keys, queries: slicePositions(keys, keyCount, 0, keyCount - queryCount, queryCount), length };
  const axes = keys.extent.map((_, axis) => {
    const all = Array.from(core.doubles(keys.address + 8 * axis * keys.stride, keys.given));
    return Array.from({ length: batch }, (_, row) =>
      all.slice((row + 1) * keyCount - queryCount, (row + 1) * keyCount),
    ).flat();
  });
  return { keys, queries: givenPositions(core, { axes }, queryCount), length };
}

function temperatureOf(temperature: unknown): [number, number, number] {
  checkOptions(temperature, "factor length offset", "temperature");
  const { factor, length, offset = 0 } = temperature as Partial<Temperature>;
  for (const value of [factor, length, offset])
    if (typeof value !== "number") throw invalid("temperature", `must hold numbers, got ${show(value)}`);
  return [factor!, length!, offset];
}

/** [T] multipliers of scores; see `Posenc.queryTemperature`. */
export function queryTemperature<T extends TensorLike = Tensor>(
  core: Core,
  at: At & { temperature: Temperature; out?: T },
): T | Tensor {
  checkOptions(at, "length offset positions grid temperature out");
  const numbers = temperatureOf(at.temperature);
  return core.withScratch(() => {
    const count = countOf(at);
    const positions = positionRegion(core, at, count);
    return produce(core, [count], at.out, (out) => {
      core.begin();
      for (const value of numbers) core.number(value);
      core.positions(positions).region(out).call("queryTemperature");
    });
  });
}

function windowOf(window: AttentionOptions["window"]): [number, number] {
  if (window === undefined) return [-1, -1];
  if (typeof window === "number") {
    if (!Number.isInteger(window) || window < 1) throw invalid("window", `must be a whole number ≥ 1, got ${window}`);
    return [window - 1, window - 1];
  }
  if (!Array.isArray(window) || window.length !== 2 || window.some((side) => !Number.isInteger(side) || side < 0))
    throw invalid("window", `must be a whole number ≥ 1 or [left, right], got ${show(window)}`);
  return [window[0]!, window[1]!];
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
  if (!Number.isInteger(maxDistance) || maxDistance < 0 || maxDistance > 16777216)
    throw invalid("maxDistance", `must be a whole number from 0 to 2^24, got ${show(maxDistance)}`);
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
