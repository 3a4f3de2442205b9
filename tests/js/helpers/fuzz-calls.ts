// What every method of the API is called with in the fuzz test. A method that is missing here is a type error.
import type { Posenc, RotaryEncoding } from "posenc";
import fc from "fast-check";
import { descriptions, exampleSpec, type AnyBias, type AnyRelative, type AnyTable } from "./library";
import {
  always,
  flag,
  grid,
  mask,
  number,
  numbers,
  of,
  options,
  pick,
  positions,
  positive,
  size,
  tensor,
  usually,
  whole,
} from "./fuzz-values";
import type { Drawn } from "./fuzz-values";

export type MethodsOf<T> = { [K in keyof T]: T[K] extends (...given: any) => unknown ? K : never }[keyof T];
/** The arguments of each method; those of getters are none. */
type Calls<T> = Record<Exclude<MethodsOf<T>, symbol>, Drawn[]>;

const at = { offset: number, positions: positions("T"), grid: grid("T") };
const sized = { ...at, length: size("T") };
const layout = pick("bhtd", "bthd");
const role = pick("query", "key");
const end = fc.oneof(positions("T"), number);
const dropout = { dropout: of(fc.double({ min: 0, max: 1 })), seed: whole(9), training: flag };
const x = tensor("B", "H", "T", "dim");
const scores = tensor("B", "heads", "T", "S");
const config = pick(
  { model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_theta: 10000 },
  { model_type: "llama", hidden_size: 64, num_attention_heads: 4, rope_scaling: { rope_type: "yarn", factor: 2 } },
  { model_type: "bert", hidden_size: 16, max_position_embeddings: 32 },
  { model_type: "bloom", n_head: 4 },
  { rope_parameters: null, head_dim: "8" },
);
const resizing = {
  grid: pick([2, 3], [4], [1, 1, 1]),
  length: whole(20),
  from: pick([1, 1], [4, 4], [9]),
  prefix: whole(2),
  suffix: whole(2),
  mode: pick("nearest", "linear", "bilinear", "bicubic"),
  antialias: flag,
  alignCorners: flag,
  scaleOffset: pick(0, 0.1),
};

const tensorType = pick("float16", "bfloat16", "float32");

const everyEncoding = {
  toJSON: [],
  toString: [],
  zeroGradients: [],
  step: [
    options(
      {
        optimizer: pick("sgd", "adam", "adamw"),
        learningRate: pick(0.1, 0, 1e-3),
        weightDecay: number,
        momentum: pick(0, 0.9),
        nesterov: flag,
        betas: pick([0.9, 0.999], [0, 0], [1, 2]),
        epsilon: pick(1e-8, 0),
      },
      ["optimizer", "learningRate"],
    ),
  ],
  load: [usually(pick(Float32Array.of(1, 2), [1], { weights: [1] }, { keys: Float32Array.of(2) }), 2)],
  dispose: [],
};

const table: Calls<AnyTable> = {
  ...everyEncoding,
  table: [options({ ...sized, prefix: whole(2), type: tensorType, out: tensor("T", "dim") }, ["length"])],
  addTo: [x, options({ ...sized, ...dropout, prefix: whole(2) })],
  concatTo: [tensor("B", "T", "D"), options({ ...sized, out: tensor("B", "T", "D") })],
  backward: [x, options({ ...at, ...dropout, paddingIndex: whole(3), scaleByFrequency: flag })],
  shift: [number, options({ out: tensor("pairs", 2, 2) })],
  resize: [options(resizing, ["length"])],
};

const rotary: Calls<RotaryEncoding> = {
  ...everyEncoding,
  frequenciesAt: [number],
  rememberedLength: [usually(pick([300], [300, 200, 50]), 4)],
  tables: [
    options({ ...sized, role, sequenceLength: number, type: tensorType, out: pick({}, { cos: 1 }) }, ["length"]),
  ],
  angles: [options({ ...sized, sequenceLength: number }, ["length"])],
  apply: [x, options({ ...sized, layout, role, inverse: flag, transpose: flag, sequenceLength: number })],
  backward: [x, x, options({ ...at, layout, role, out: x })],
  rerotate: [x, options({ ...at, from: end, to: end, layout, fromSequenceLength: number }, ["from", "to"])],
};

const biasPositions = { offset: number, keyPositions: numbers("S") };
const counts = { queries: size("T"), keys: size("S") };
const hiding = {
  mask: mask("T", "S"),
  attentionMask: mask("B", "S"),
  segments: mask("B", "S"),
  cuSeqlens: pick([0, 1], [0, 2, 2, 5], [0, 0]),
};
const bias: Calls<AnyBias> = {
  ...everyEncoding,
  bias: [options({ ...counts, ...biasPositions, ...hiding, out: tensor("heads", "T", "S") }, ["queries", "keys"])],
  applyTo: [scores, options({ ...biasPositions, ...hiding })],
  backward: [scores, options({ ...biasPositions, ...hiding, scores, out: scores })],
  buckets: [options({ ...counts, ...biasPositions }, ["queries", "keys"])],
  resize: [
    options({ windowHeight: whole(5), windowWidth: whole(5), mode: pick("bicubic", "linear"), antialias: flag }),
  ],
};

const q = tensor("B", "G·heads", "T", "dim");
const k = tensor("B", "heads", "S", "dim");
const v = tensor("B", "heads", "S", "D");
const visible = {
  causal: flag,
  window: pick(1, 5, [0, 3], [2, 2]),
  ...hiding,
  layout,
  queryAt: options({ offset: number, positions: positions("T") }),
};
const gates = tensor("B", "G·heads", "S");
const tokens = {
  logGates: gates,
  directions: k,
  strengths: tensor("B", "heads", "S"),
  gateRows: tensor("B", "G·heads", "S", 4),
  relativeStates: tensor("B", "G·heads", "T", 16),
};
const logits = {
  ...visible,
  ...tokens,
  offset: number,
  positions: positions("S"),
  grid: grid("S"),
  prefix: whole(3),
  gateKeys: k,
};
const transform = { ...sized, prefix: whole(3), layout };
const square = tensor("B", "G·heads", "T", "S");

const relative: Calls<AnyRelative> = {
  ...everyEncoding,
  logits: [q, k, options({ ...logits, out: square })],
  backward: [q, k, square, options({ ...logits, out: options({ q, k }) })],
  contextPositions: [q, k, options({ ...logits, out: square })],
  bucketOf: [numbers("T")],
  logGates: [tensor("B", "S", "dim"), options({ layout, out: gates })],
  logGatesBackward: [tensor("B", "S", "dim"), gates, options({ layout, out: tensor("B", "S", "dim") })],
  gateRows: [tensor("B", "S", "dim"), options({ layout, out: tokens.gateRows })],
  gateRowsBackward: [tensor("B", "S", "dim"), tokens.gateRows, options({ layout, out: tensor("B", "S", "dim") })],
  biasOfRows: [
    tokens.gateRows,
    options({ queries: size("T"), causal: flag, window: pick(1, [0, 3]), ...hiding, layout, out: square }),
  ],
  relativeLogits: [tokens.relativeStates, options({ ...visible, keys: size("S"), layout, out: square })],
  biasOf: [q, k, options({ ...logits, out: square })],
  bias: [gates, options({ queries: size("T"), causal: flag, window: pick(1, [0, 3]), ...hiding, layout, out: square })],
  expand: [x, options({ role, offset: number, positions: positions("T"), layout, out: x }, ["role"])],
  apply: [x, options({ ...transform, inverse: flag, transpose: flag })],
  applyBackward: [x, x, options({ ...transform, out: x })],
};

/** By family; `pe` is the library itself, whose `encoding` arguments are the one at hand. */
export const callsOf = { table, rotary, bias, relative };

const attention = {
  ...visible,
  bias: tensor("T", "S"),
  scale: number,
  softcap: number,
  temperature: options({ factor: number, length: number, offset: number }, ["factor", "length"]),
  remap: options({
    kind: pick("self-extend", "rerope", "dual-chunk"),
    group: number,
    window: number,
    chunk: number,
    local: number,
  }),
  sinks: numbers("G·heads"),
  at: options({ offset: number, positions: positions("S") }),
  gateKeys: k,
  ...tokens,
};

export const libraryCalls = (encoding: object): Calls<Posenc> => {
  const withIt = { ...attention, encoding: always(encoding) };
  const subject = usually(pick(encoding, ...descriptions.map((description) => exampleSpec(description))), 8);
  return {
    describe: [],
    toJSON: [],
    toString: [],
    load: [pick("attention", "cache", "all")],
    create: [pick(...descriptions.map((description) => exampleSpec(description)))],
    fromConfig: [config, options({ layerType: pick("vision", "full_attention") })],
    layers: [config, options({ part: pick("text", "vision") })],
    layerSpecs: [config, options({ part: pick("text", "vision") })],
    explain: [usually(subject, 8), options({ contextLength: number })],
    compare: [subject, subject],
    tensor: [
      usually(numbers("T"), 3),
      usually(pick([2, 3], [0], [], { type: "bfloat16" }), 3),
      options({ type: tensorType }),
    ],
    attention: [q, k, v, options({ ...withIt, out: tensor("B", "G·heads", "T", "D") })],
    cache: [
      options(
        {
          heads: size("H"),
          dim: size("D"),
          valueDim: size("D"),
          capacity: size("S"),
          batch: size("B"),
          type: pick("float32", "float16", "int8"),
          layout,
          policy: options({ window: whole(9, 1), sinks: whole(3) }, ["window"]),
        },
        ["heads", "dim", "capacity"],
      ),
    ],
    attentionWeights: [q, k, options({ ...withIt, out: square })],
    attentionBackward: [q, k, v, tensor("B", "G·heads", "T", "D"), options({ ...withIt, out: options({ q, k, v }) })],
    relativeShift: [tensor("B", "T", "S"), options({ keys: size("S"), zeroWrapped: flag, out: tensor("B", "T", "S") })],
    cumulativePhases: [tensor("B", "T", "heads"), options({ form: pick("sigmoid", "softplus"), scale: number })],
    queryTemperature: [options({ ...sized, temperature: attention.temperature }, ["length", "temperature"])],
    similarity: [tensor("T", "D"), options({ out: tensor("T", "T") })],
    distanceProfile: [always(encoding), options({ maxDistance: whole(99) }, ["maxDistance"])],
    scoreTerms: [tensor("T", "D"), tensor("T", "D"), tensor("S", "D"), tensor("S", "D")],
    resizeTable: [tensor(16, "D"), options({ ...resizing, transpose: flag }, ["grid"])],
    permuteWeights: [
      tensor(16, "D"),
      options({ heads: pick(1, 2), from: pick("half"), to: pick("interleaved"), rotaryDim: whole(8) }, [
        "heads",
        "from",
      ]),
    ],
    positionIds: [mask("B", "T"), options({ padding: pick("repeat", 1), pastLength: whole(3), packed: flag })],
    gridPositionIds: [
      usually(positive("axes"), 4),
      options({ mergeSize: pick(1, 2), columns: whole(9), offset: whole(9), type: pick("int64") }),
    ],
    pixelPositions: [mask("B", "T")],
    mropePositionIds: [
      usually(pick([{ text: 3 }], [{ image: [1, 2, 2] }, { text: 1 }], [{ video: [2, 2, 2] }]), 4),
      options({ mergeSize: pick(1, 2), after: pick("spatial"), padding: whole(2) }),
    ],
    glmPositionIds: [
      mask("B", "T"),
      options({ bosTokenId: pick(0, 1), maskPosition: whole(2), gmask: flag }, ["bosTokenId", "maskPosition"]),
    ],
    toFloat32: [usually(pick({ type: "float16", data: Uint16Array.of(1, 0x7c01, 0xffff), dims: [3] }), 4)],
    toFloat16: [tensor("T", "D")],
    toBfloat16: [tensor("T", "D")],
    trim: [],
  };
};
