// Every public call with all the tensors it can take, by the names its errors have for them. A method that is missing here
// is a type error; one without tensors has an empty list.
import type { Posenc, RotaryEncoding } from "posenc";
import { createBias, createRotary, createTable, pe, type AnyBias, type AnyTable } from "./library";
import { inkling, path, relative, shaw } from "./relative-calls";
import {
  call,
  features,
  gates,
  heads,
  hidden,
  none,
  outOf,
  sight,
  square,
  type Calls,
  type TensorCall,
} from "./tensor-call";

export * from "./relative-calls";
export type { TensorCall, Tensors } from "./tensor-call";

export const learned = createTable({ kind: "learned", length: 40, dim: 4, seed: 3 });
export const sinusoidal = createTable({ kind: "sinusoidal", dim: 4 });
export const rope = createRotary({ kind: "rope", dim: 4, frequencies: [1, 0.5] });
export const kerple = createBias({ kind: "kerple", heads: 2, form: "weighted" });
export const swin = createBias({ kind: "swin", windowHeight: 2, windowWidth: 2, heads: 2 });

const table: Calls<AnyTable> = {
  ...none,
  load: [call({ weights: [40, 4] }, ({ weights }) => learned.load({ weights }).table({ length: 40 }))],
  table: [
    call({ out: [3, 4] }, ({ out }) => learned.table({ length: 3, out })),
    call({ positions: [3], out: [3, 4] }, ({ positions, out }) => sinusoidal.table({ positions: positions.data, out })),
  ],
  addTo: [
    call({ x: features }, ({ x }) => learned.addTo(x, { offset: 1 })),
    call({ x: features, positions: [3] }, ({ x, positions }) => sinusoidal.addTo(x, { positions: positions.data })),
  ],
  concatTo: [
    call({ x: [2, 3, 2], out: [2, 3, 6] }, ({ x, out }) => learned.concatTo(x, { out })),
    call({ x: [3, 1], positions: [3], out: [3, 5] }, ({ x, positions, out }) =>
      sinusoidal.concatTo(x, { positions: positions.data, out }),
    ),
  ],
  backward: [
    call({ gradOfX: features }, ({ gradOfX }) => learned.backward(gradOfX)),
    call({ gradOfX: features }, ({ gradOfX }) => learned.backward(gradOfX, { dropout: 0.5, seed: 3 })),
  ],
  shift: [call({ out: [2, 2, 2] }, ({ out }) => sinusoidal.shift(3, { out }))],
  resize: [],
};

const rotary: Calls<RotaryEncoding> = {
  ...none,
  load: [call({ frequencies: [2] }, ({ frequencies }) => rope.load({ frequencies }).tables({ length: 3 }))],
  frequenciesAt: [],
  rememberedLength: [],
  tables: [
    call({ positions: [3], "out.cos": [3, 2], "out.sin": [3, 2] }, (t) =>
      rope.tables({ positions: t.positions.data, out: { cos: t["out.cos"], sin: t["out.sin"] } }),
    ),
  ],
  angles: [call({ positions: [3] }, ({ positions }) => rope.angles({ positions: positions.data }))],
  apply: [
    call({ x: heads, positions: [3] }, ({ x, positions }) =>
      rope.apply(x, { positions: positions.data, layout: "bhtd" }),
    ),
  ],
  backward: [
    call({ x: heads, gradOut: heads, positions: [3], out: heads }, ({ x, gradOut, positions, out }) =>
      rope.backward(x, gradOut, { positions: positions.data, out }),
    ),
  ],
  rerotate: [
    call({ x: heads, from: [3], to: [3] }, ({ x, from, to }) => rope.rerotate(x, { from: from.data, to: to.data })),
  ],
};

const bias: Calls<AnyBias> = {
  ...none,
  load: [
    call({ p: [2], a: [2] }, (t) => {
      const [first, second] = Object.keys(kerple.parameters) as [string, string];
      return kerple.load({ [first]: t.p, [second]: t.a }).bias({ queries: 2, keys: 3 });
    }),
  ],
  bias: [
    call({ keyPositions: [3], out: [2, 3, 3] }, ({ keyPositions, out }) =>
      kerple.bias({ queries: 3, keys: 3, keyPositions: keyPositions.data, out }),
    ),
  ],
  applyTo: [
    call({ scores: square, keyPositions: [3] }, ({ scores, keyPositions }) =>
      kerple.applyTo(scores, { keyPositions: keyPositions.data }),
    ),
    call({ scores: square, ...sight }, (t) => kerple.applyTo(t.scores, hidden(t))),
  ],
  backward: [
    call({ gradOut: square, scores: square, keyPositions: [3], out: square }, (t) =>
      kerple.backward(t.gradOut, { scores: t.scores, keyPositions: t.keyPositions.data, out: t.out }),
    ),
  ],
  buckets: [],
  resize: [],
};

const qkv = { q: heads, k: heads, v: heads };
const withAll = { ...qkv, bias: [3, 3], sinks: [2] };

const library: Calls<Posenc> = {
  describe: [],
  toJSON: [],
  toString: [],
  load: [],
  create: [
    call({ weights: [6, 4] }, ({ weights }) => {
      using made = createTable({ kind: "learned", length: 6, dim: 4, weights: weights.data });
      return made.table({ length: 6 });
    }),
  ],
  fromConfig: [],
  explain: [],
  layers: [],
  layerSpecs: [],
  compare: [],
  tensor: [
    call({ data: [6] }, ({ data }) => {
      using made = pe.tensor(data.data, [2, 3]);
      return Float32Array.from(made.data);
    }),
  ],
  attention: [
    call({ ...withAll, out: heads }, ({ q, k, v, bias, sinks, out }) =>
      pe.attention(q, k, v, { bias, sinks: sinks.data, out }),
    ),
    call({ ...qkv, positions: [3], out: heads }, ({ q, k, v, positions, out }) =>
      pe.attention(q, k, v, { encoding: rope, at: { positions: positions.data }, out }),
    ),
    call({ ...qkv, out: heads }, ({ q, k, v, out }) => pe.attention(q, k, v, { encoding: shaw, causal: true, out })),
    call({ ...qkv, logGates: gates, directions: heads, strengths: gates, out: heads }, ({ q, k, v, out, ...tokens }) =>
      pe.attention(q, k, v, { encoding: path, ...tokens, out }),
    ),
    call({ ...qkv, relativeStates: heads, out: heads }, ({ q, k, v, relativeStates, out }) =>
      pe.attention(q, k, v, { encoding: inkling, relativeStates, out }),
    ),
    call({ ...qkv, ...sight, out: heads }, (t) => pe.attention(t.q, t.k, t.v, { ...hidden(t), out: t.out })),
  ],
  cache: [
    call({ ...qkv, bias: [3, 3], sinks: [2], out: heads }, ({ q, k, v, bias, sinks, out }) => {
      using cache = pe.cache({ heads: 2, dim: 4, capacity: 3 }).append(k, v);
      return cache.attend(q, { bias, sinks: sinks.data, out });
    }),
  ],
  attentionWeights: [
    call({ q: heads, k: heads, bias: [3, 3], sinks: [2], out: square }, ({ q, k, bias, sinks, out }) =>
      pe.attentionWeights(q, k, { bias, sinks: sinks.data, out }),
    ),
  ],
  attentionBackward: [
    call(
      {
        ...{ ...withAll, gradOut: heads },
        ...{ "out.q": heads, "out.k": heads, "out.v": heads, "out.bias": [3, 3], "out.sinks": [2] },
      },
      (t) =>
        pe.attentionBackward(t.q, t.k, t.v, t.gradOut, { bias: t.bias, sinks: t.sinks.data, out: outOf(t) as never }),
    ),
    call({ ...qkv, gradOut: heads, "out.q": heads, "out.k": heads, "out.v": heads }, (t) =>
      pe.attentionBackward(t.q, t.k, t.v, t.gradOut, { encoding: shaw, out: outOf(t) as never }),
    ),
    call(
      {
        ...{ ...qkv, logGates: gates, directions: heads, strengths: gates, gradOut: heads },
        ...{ "out.q": heads, "out.k": heads, "out.v": heads },
        ...{ "out.logGates": gates, "out.directions": heads, "out.strengths": gates },
      },
      (t) => {
        const { logGates, directions, strengths } = t;
        const options = { encoding: path, logGates, directions, strengths };
        return pe.attentionBackward(t.q, t.k, t.v, t.gradOut, { ...options, out: outOf(t) as never });
      },
    ),
    call(
      {
        ...{ ...qkv, relativeStates: heads, gradOut: heads },
        ...{ "out.q": heads, "out.k": heads, "out.v": heads, "out.relativeStates": heads },
      },
      (t) => {
        const options = { encoding: inkling, relativeStates: t.relativeStates, out: outOf(t) as never };
        return pe.attentionBackward(t.q, t.k, t.v, t.gradOut, options);
      },
    ),
    call({ ...qkv, ...sight, gradOut: heads, "out.q": heads, "out.k": heads, "out.v": heads }, (t) =>
      pe.attentionBackward(t.q, t.k, t.v, t.gradOut, { ...hidden(t), out: outOf(t) as never }),
    ),
  ],
  relativeShift: [call({ x: [2, 3, 4], out: [2, 3, 4] }, ({ x, out }) => pe.relativeShift(x, { out }))],
  cumulativePhases: [call({ gates: [1, 3, 2] }, ({ gates }) => pe.cumulativePhases(gates))],
  queryTemperature: [
    call({ positions: [3], out: [3] }, ({ positions, out }) =>
      pe.queryTemperature({
        positions: positions.data.map(Math.abs),
        temperature: { factor: 0.1, length: 1 },
        out,
      }),
    ),
  ],
  similarity: [call({ table: [3, 4], out: [3, 3] }, ({ table, out }) => pe.similarity(table, { out }))],
  distanceProfile: [
    call({ out: [2, 6] }, ({ out }) => pe.distanceProfile(kerple, { maxDistance: 5, out })),
    call({ out: [6] }, ({ out }) => pe.distanceProfile(rope, { maxDistance: 5, out })),
  ],
  scoreTerms: [
    call({ x: [3, 4], table: [3, 4], wq: [2, 4], wk: [2, 4] }, ({ x, table, wq, wk }) =>
      pe.scoreTerms(x, table, wq, wk),
    ),
  ],
  resizeTable: [
    call({ table: [4, 2], out: [9, 2] }, ({ table, out }) => pe.resizeTable(table, { grid: [3, 3], out })),
    call({ table: [9, 2], out: [4, 2] }, ({ table, out }) =>
      pe.resizeTable(table, { grid: [3, 3], from: [2, 2], transpose: true, out }),
    ),
  ],
  permuteWeights: [
    call({ weights: [4, 3], out: [4, 3] }, ({ weights, out }) =>
      pe.permuteWeights(weights, { heads: 1, from: "half", to: "interleaved", out }),
    ),
  ],
  positionIds: [],
  gridPositionIds: [],
  mropePositionIds: [],
  glmPositionIds: [],
  pixelPositions: [],
  toFloat32: [
    call({ x: [4] }, ({ x }) =>
      pe.toFloat32({ type: "float16", data: new Uint16Array(x.data.buffer, x.data.byteOffset, 8), dims: [8] }),
    ),
  ],
  toFloat16: [call({ x: [4] }, ({ x }) => pe.toFloat16(x))],
  toBfloat16: [call({ x: [4] }, ({ x }) => pe.toBfloat16(x))],
  trim: [],
};

export const tensorCalls = { library, table, rotary, bias, relative };
