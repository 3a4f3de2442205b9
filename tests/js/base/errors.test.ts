// Is every bad spec, tensor and position a clear error? The right class, code and field; the input untouched; the library still works.
import { createRotary, createTable, loosely, pe } from "../helpers/library";
import { randomNumbers, randomTensor } from "../helpers/numbers";
import { describeRefusals } from "../helpers/refusals";
import type { Refusal } from "../helpers/refusals";

const rope = createRotary({ kind: "rope", dim: 8 });
const table = createTable({ kind: "sinusoidal", dim: 8 });
const x = (...dims: number[]) => randomTensor(dims, 51);

const make = (spec: unknown) => () => pe.create(loosely(spec));

describeRefusals("specs", [
  ["an unknown kind", "invalid-spec", "kind", make({ kind: "rotary", dim: 8 })],
  ["no kind", "invalid-spec", "kind", make({ dim: 8 })],
  ["no spec", "invalid-spec", undefined, make(undefined)],
  ["a kind that goes on as a field", "invalid-spec", "kind", make({ kind: "rope\x1edim\x1fn\x1f" })],
  [
    "a field that tells of numbers it has not",
    "invalid-spec",
    "frequencyFactors l 9999999",
    make({ kind: "rope", dim: 8, "frequencyFactors\x1fl\x1f9999999": 1 }),
  ],
  ["an unknown field", "invalid-spec", "theta", make({ kind: "rope", dim: 8, theta: 10000 })],
  ["a missing field", "invalid-spec", "dim", make({ kind: "rope" })],
  [
    "a missing list",
    "invalid-spec",
    "longFactor",
    make({ kind: "rope-longrope", dim: 8, shortFactor: [1], originalLength: 8 }),
  ],
  ["dim 0", "invalid-spec", "dim", make({ kind: "sinusoidal", dim: 0 })],
  ["dim -2", "invalid-spec", "dim", make({ kind: "rope", dim: -2 })],
  ["an odd dim", "invalid-spec", "dim", make({ kind: "rope", dim: 7 })],
  ["a dim that is no whole number", "invalid-spec", "dim", make({ kind: "rope", dim: 8.5 })],
  ["a dim that is text", "invalid-spec", "dim", make({ kind: "rope", dim: "8" })],
  ["a dim beyond all memory", "invalid-spec", "dim", make({ kind: "rope", dim: 2 ** 31 })],
  ["a NaN base", "invalid-spec", "base", make({ kind: "rope", dim: 8, base: NaN })],
  ["an infinite base", "invalid-spec", "base", make({ kind: "rope", dim: 8, base: Infinity })],
  ["a base below 1", "invalid-spec", "base", make({ kind: "rope", dim: 8, base: 0.5 })],
  ["a factor below 1", "invalid-spec", "factor", make({ kind: "rope-yarn", dim: 8, factor: 0.5, originalLength: 8 })],
  [
    "an originalLength of 0",
    "invalid-spec",
    "originalLength",
    make({ kind: "rope-dynamic", dim: 8, factor: 2, originalLength: 0 }),
  ],
  ["an odd rotaryDim", "invalid-spec", "rotaryDim", make({ kind: "rope", dim: 8, rotaryDim: 3 })],
  ["a rotaryDim beyond dim", "invalid-spec", "rotaryDim", make({ kind: "rope", dim: 8, rotaryDim: 10 })],
  ["an unknown pairing", "invalid-spec", "pairing", make({ kind: "rope", dim: 8, pairing: "neox" })],
  ["heads 0", "invalid-spec", "heads", make({ kind: "alibi", heads: 0 })],
  ["a negative maxBias", "invalid-spec", "maxBias", make({ kind: "alibi", heads: 2, maxBias: -1 })],
  [
    "a short list of factors",
    "invalid-spec",
    "shortFactor",
    make({ kind: "rope-longrope", dim: 8, shortFactor: [1, 1], longFactor: [4], originalLength: 8 }),
  ],
]);

describeRefusals("tensors", [
  ["no tensor", "invalid-argument", "x", () => rope.apply(loosely(undefined))],
  ["a bare array", "invalid-argument", "x", () => rope.apply(loosely(new Float32Array(8)))],
  [
    "Float64Array data",
    "invalid-argument",
    "x",
    (watch) => rope.apply(loosely(watch({ data: new Float64Array(8), dims: [1, 1, 1, 8] }))),
  ],
  [
    "plain array data",
    "invalid-argument",
    "x",
    (watch) => rope.apply(loosely(watch({ data: [1, 2, 3, 4, 5, 6, 7, 8], dims: [1, 1, 1, 8] }))),
  ],
  [
    "int8 data",
    "unsupported",
    "x",
    (watch) => rope.apply(loosely(watch({ type: "int8", data: new Int8Array(8), dims: [1, 1, 1, 8] }))),
  ],
  [
    "a tensor on the GPU",
    "unsupported",
    "x",
    () =>
      rope.apply(loosely({ type: "float32", location: "gpu-buffer", dims: [1, 1, 1, 8], data: new Float32Array(8) })),
  ],
  ["a GPU tensor whose data throws", "unsupported", "x", () => rope.apply(loosely(gpuTensor()))],
  ["no dims", "invalid-argument", "x", () => rope.apply(loosely({ data: new Float32Array(8) }))],
  [
    "dims that are text",
    "invalid-argument",
    "x",
    () => rope.apply(loosely({ data: new Float32Array(8), dims: "1118" })),
  ],
  ["3 dims", "shape-mismatch", "x", (watch) => rope.apply(watch(x(2, 3, 8)))],
  ["5 dims", "shape-mismatch", "x", (watch) => rope.apply(watch(x(1, 1, 2, 3, 8)))],
  ["another width", "shape-mismatch", "x", (watch) => rope.apply(watch(x(1, 2, 3, 10)))],
  [
    "data that is too short",
    "shape-mismatch",
    "x",
    (watch) => rope.apply(watch({ data: randomNumbers(40), dims: [1, 2, 3, 8] })),
  ],
  [
    "data that is too long",
    "shape-mismatch",
    "x",
    (watch) => rope.apply(watch({ data: randomNumbers(49), dims: [1, 2, 3, 8] })),
  ],
  [
    "a negative dim",
    "shape-mismatch",
    "x",
    (watch) => rope.apply(watch({ data: randomNumbers(48), dims: [-1, 2, -3, 8] })),
  ],
  [
    "a dim that is no whole number",
    "shape-mismatch",
    "x",
    (watch) => rope.apply(watch({ data: randomNumbers(48), dims: [1, 1.5, 4, 8] })),
  ],
  ["a NaN dim", "shape-mismatch", "x", (watch) => rope.apply(watch({ data: randomNumbers(48), dims: [1, NaN, 3, 8] }))],
  [
    "dims whose product overflows",
    "shape-mismatch",
    "x",
    (watch) => rope.apply(watch({ data: randomNumbers(8), dims: [65536, 65536, 65536, 8] })),
  ],
  [
    "an unknown layout",
    "invalid-argument",
    "layout",
    (watch) => rope.apply(watch(x(1, 2, 3, 8)), loosely({ layout: "bdht" })),
  ],
  ["x of a table with another width", "shape-mismatch", "x", (watch) => table.addTo(watch(x(2, 3, 7)))],
  ["x of a table with one dim", "shape-mismatch", "x", (watch) => table.addTo(watch(x(8)))],
  [
    "a disposed tensor",
    "disposed",
    undefined,
    () => {
      const inside = pe.tensor([1, 1, 1, 8]);
      inside.dispose();
      return rope.apply(inside);
    },
  ],
  [
    "the data of a disposed tensor",
    "disposed",
    undefined,
    () => {
      const inside = pe.tensor([8]);
      inside.dispose();
      return inside.data;
    },
  ],
  ["a tensor of 5 GB", "out-of-memory", undefined, () => pe.tensor([5, 16384, 16384])],
  ["a tensor of 9 dims", "shape-mismatch", "dims", () => pe.tensor([1, 1, 1, 1, 1, 1, 1, 1, 1])],
  ["a tensor of text", "invalid-argument", "data", () => pe.tensor(loosely("abc"), [3])],
  ["a tensor of negative size", "shape-mismatch", "dims", () => pe.tensor([2, -3])],
  [
    "a tensor whose data does not fill its dims",
    "shape-mismatch",
    undefined,
    () => pe.tensor(new Float32Array(5), [2, 3]),
  ],
] satisfies Refusal[]);

// onnxruntime throws when the data of a tensor that is not on the CPU is read.
function gpuTensor() {
  return {
    type: "float32",
    location: "gpu-buffer",
    dims: [1, 1, 1, 8],
    get data(): Float32Array {
      throw new Error("The data is not on CPU.");
    },
  };
}

describeRefusals("positions", [
  ["too few", "shape-mismatch", "positions", (watch) => rope.apply(watch(x(1, 2, 3, 8)), { positions: [0, 1] })],
  [
    "too many",
    "shape-mismatch",
    "positions",
    (watch) => rope.apply(watch(x(2, 2, 3, 8)), { positions: [0, 1, 2, 3, 4] }),
  ],
  ["none", "shape-mismatch", "positions", (watch) => rope.apply(watch(x(1, 2, 3, 8)), { positions: [] })],
  ["NaN", "invalid-argument", "positions", (watch) => rope.apply(watch(x(1, 2, 3, 8)), { positions: [0, NaN, 2] })],
  [
    "Infinity",
    "invalid-argument",
    "positions",
    (watch) => rope.apply(watch(x(1, 2, 3, 8)), { positions: [0, Infinity, 2] }),
  ],
  ["text", "invalid-argument", "positions", (watch) => rope.apply(watch(x(1, 2, 3, 8)), loosely({ positions: "012" }))],
  [
    "a list with text",
    "invalid-argument",
    "positions",
    (watch) => rope.apply(watch(x(1, 2, 3, 8)), loosely({ positions: [0, "1", 2] })),
  ],
  ["a number", "invalid-argument", "positions", (watch) => rope.apply(watch(x(1, 2, 3, 8)), loosely({ positions: 3 }))],
  [
    "far beyond reason",
    "out-of-range",
    "positions",
    (watch) => rope.apply(watch(x(1, 2, 3, 8)), { positions: [0, 1, 1e300] }),
  ],
  ["a NaN offset", "invalid-argument", "offset", (watch) => rope.apply(watch(x(1, 2, 3, 8)), { offset: NaN })],
  [
    "an offset that is text",
    "invalid-argument",
    "offset",
    (watch) => rope.apply(watch(x(1, 2, 3, 8)), loosely({ offset: "3" })),
  ],
  [
    "an offset far beyond reason",
    "out-of-range",
    "offset",
    (watch) => rope.apply(watch(x(1, 2, 3, 8)), { offset: 1e300 }),
  ],
  [
    "NaN in a table",
    "invalid-argument",
    "positions",
    (watch) => table.addTo(watch(x(3, 8)), { positions: [0, NaN, 2] }),
  ],
  ["a negative length", "invalid-argument", "length", () => table.table({ length: -1 })],
  ["a length that is no whole number", "invalid-argument", "length", () => table.table({ length: 2.5 })],
  ["a NaN length", "invalid-argument", "length", () => rope.tables({ length: NaN })],
  ["a table beyond all memory", "out-of-memory", undefined, () => table.table({ length: 2 ** 31 - 1 })],
  [
    "a one-hot position beyond dim",
    "out-of-range",
    "positions",
    () => createTable({ kind: "one-hot", dim: 3 }).table({ length: 4 }),
  ],
  [
    "a one-hot fraction",
    "out-of-range",
    "positions",
    () => createTable({ kind: "one-hot", dim: 3 }).table({ positions: [0.5] }),
  ],
  [
    "a binary position of too many digits",
    "out-of-range",
    "positions",
    () => createTable({ kind: "binary", dim: 2 }).table({ positions: [4] }),
  ],
  [
    "a negative binary position",
    "out-of-range",
    "positions",
    () => createTable({ kind: "binary", dim: 2 }).table({ positions: [-1] }),
  ],
] satisfies Refusal[]);
