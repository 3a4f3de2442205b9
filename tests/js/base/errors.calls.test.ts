// Is every bad call a clear error? Options, results, attention, configs, masks: the right class, code and field.
import { createBias, createRotary, createTable, loosely, pe } from "../helpers/library";
import { randomTensor } from "../helpers/numbers";
import { describeRefusals } from "../helpers/refusals";
import type { Refusal } from "../helpers/refusals";

const rope = createRotary({ kind: "rope", dim: 8 });
const table = createTable({ kind: "sinusoidal", dim: 8 });
const alibi = createBias({ kind: "alibi", heads: 2 });
const x = (...dims: number[]) => randomTensor(dims, 51);

describeRefusals("out", [
  ["of the wrong shape, table", "shape-mismatch", "out", (watch) => table.table({ length: 3, out: watch(x(3, 7)) })],
  ["transposed, table", "shape-mismatch", "out", (watch) => table.table({ length: 3, out: watch(x(8, 3)) })],
  [
    "of the wrong shape, bias",
    "shape-mismatch",
    "out",
    (watch) => alibi.bias({ queries: 2, keys: 3, out: watch(x(2, 3, 2)) }),
  ],
  [
    "of the wrong shape, attention",
    "shape-mismatch",
    "out",
    (watch) => pe.attention(watch(x(1, 2, 3, 8)), x(1, 2, 3, 8), x(1, 2, 3, 8), { out: watch(x(1, 2, 4, 8)) }),
  ],
  [
    "of the wrong shape, concatTo",
    "shape-mismatch",
    "out",
    (watch) => table.concatTo(watch(x(3, 2)), { out: watch(x(3, 8)) }),
  ],
  ["a number", "invalid-argument", "out", () => rope.tables({ length: 2, out: loosely(5) })],
  [
    "Float64Array",
    "invalid-argument",
    "out",
    (watch) => table.table({ length: 1, out: loosely(watch({ data: new Float64Array(8), dims: [1, 8] })) }),
  ],
] satisfies Refusal[]);

describeRefusals("options", [
  ["dropout of 1", "invalid-argument", "dropout", (watch) => table.addTo(watch(x(3, 8)), { dropout: 1 })],
  ["negative dropout", "invalid-argument", "dropout", (watch) => table.addTo(watch(x(3, 8)), { dropout: -0.1 })],
  ["NaN dropout", "invalid-argument", "dropout", (watch) => table.addTo(watch(x(3, 8)), { dropout: NaN })],
  [
    "both inverse and transpose",
    "invalid-argument",
    undefined,
    (watch) => rope.apply(watch(x(1, 2, 3, 8)), { inverse: true, transpose: true }),
  ],
  [
    "a shift of a table that has none",
    "unsupported",
    undefined,
    () => createTable({ kind: "one-hot", dim: 4 }).shift(1),
  ],
  ["a NaN shift", "invalid-argument", "k", () => table.shift(NaN)],
  [
    "a bias for a negative number of queries",
    "invalid-argument",
    "queries",
    () => alibi.bias({ queries: -1, keys: 3 }),
  ],
  ["a bias without keys", "invalid-argument", "keys", () => alibi.bias(loosely({ queries: 1 }))],
  ["a bias beyond all memory", "out-of-memory", undefined, () => alibi.bias({ queries: 2 ** 20, keys: 2 ** 20 })],
  [
    "too few key positions",
    "shape-mismatch",
    "keyPositions",
    () => alibi.bias({ queries: 1, keys: 3, keyPositions: [0, 1] }),
  ],
  [
    "NaN key positions",
    "invalid-argument",
    "keyPositions",
    () => alibi.bias({ queries: 1, keys: 2, keyPositions: [0, NaN] }),
  ],
  [
    "rerotate between other widths",
    "invalid-argument",
    "from",
    (watch) => rope.rerotate(watch(x(1, 1, 2, 8)), { from: createRotary({ kind: "rope", dim: 16 }), to: rope }),
  ],
  [
    "rerotate without to",
    "invalid-argument",
    "to",
    (watch) => rope.rerotate(watch(x(1, 1, 2, 8)), loosely({ from: [0, 1] })),
  ],
] satisfies Refusal[]);

describeRefusals("options that nobody knows", [
  ["apply", "invalid-argument", "postions", (watch) => rope.apply(watch(x(1, 1, 2, 8)), loosely({ postions: [3, 4] }))],
  ["tables", "invalid-argument", "lenght", () => rope.tables(loosely({ lenght: 3 }))],
  [
    "rerotate",
    "invalid-argument",
    "form",
    (watch) => rope.rerotate(watch(x(1, 1, 1, 8)), loosely({ form: 1, from: 1, to: 2 })),
  ],
  ["table", "invalid-argument", "layout", () => table.table(loosely({ length: 3, layout: "bhtd" }))],
  ["addTo", "invalid-argument", "droput", (watch) => table.addTo(watch(x(2, 8)), loosely({ droput: 0.1 }))],
  ["concatTo", "invalid-argument", "dropout", (watch) => table.concatTo(watch(x(2, 8)), loosely({ dropout: 0.1 }))],
  ["bias", "invalid-argument", "query", () => alibi.bias(loosely({ queries: 1, keys: 1, query: 1 }))],
  ["attention", "invalid-argument", "casual", () => pe.attention(q(), kv(), kv(), loosely({ casual: true }))],
  [
    "attention's at",
    "invalid-argument",
    "postions",
    () => pe.attention(q(), kv(), kv(), loosely({ at: { postions: [1] } })),
  ],
  ["distanceProfile", "invalid-argument", "max", () => pe.distanceProfile(rope, loosely({ maxDistance: 3, max: 3 }))],
  ["positionIds", "invalid-argument", "past", () => pe.positionIds([[1, 1]], loosely({ past: 1 }))],
  [
    "fromConfig",
    "invalid-argument",
    "layer",
    () => pe.fromConfig(nestedConfig(), loosely({ layer: "full_attention" })),
  ],
] satisfies Refusal[]);

describeRefusals("where things stand", [
  ["a length that x has not", "invalid-argument", "length", (watch) => rope.apply(watch(x(1, 1, 2, 8)), { length: 3 })],
  ["the same for a table", "invalid-argument", "length", (watch) => table.addTo(watch(x(2, 8)), { length: 3 })],
  [
    "positions and offset at once",
    "invalid-argument",
    "offset",
    (watch) => rope.apply(watch(x(1, 1, 2, 8)), { positions: [0, 1], offset: 2 }),
  ],
  ["a length and fewer positions", "shape-mismatch", "positions", () => table.table({ length: 3, positions: [0, 1] })],
  ["neither length nor positions", "invalid-argument", "length", () => table.table({})],
  ["a sequenceLength of 0", "invalid-argument", "sequenceLength", () => rope.tables({ length: 1, sequenceLength: 0 })],
  [
    "a NaN sequenceLength",
    "invalid-argument",
    "sequenceLength",
    (watch) => rope.apply(watch(x(1, 1, 1, 8)), { sequenceLength: NaN }),
  ],
  [
    "a NaN sequenceLength in attention",
    "invalid-argument",
    "sequenceLength",
    () => pe.attention(q(), kv(), kv(), { encoding: rope, at: { sequenceLength: NaN } }),
  ],
  ["frequencies at length 0", "invalid-argument", "length", () => rope.frequenciesAt(0)],
  ["frequencies at NaN", "invalid-argument", "length", () => rope.frequenciesAt(NaN)],
  [
    "positions of keys that do not fit, by their own name",
    "shape-mismatch",
    "keyPositions",
    () => alibi.bias({ queries: 2, keys: 3, keyPositions: [0, 1] }),
  ],
  ["an offset beyond 2^48", "out-of-range", "offset", () => alibi.bias({ queries: 2, keys: 3, offset: 1e15 })],
  ["a seed below 0", "invalid-argument", "seed", (watch) => table.addTo(watch(x(1, 8)), { dropout: 0.5, seed: -1 })],
  ["a seed of 1.5", "invalid-argument", "seed", (watch) => table.addTo(watch(x(1, 8)), { dropout: 0.5, seed: 1.5 })],
] satisfies Refusal[]);

const q = () => x(1, 4, 3, 8);
const kv = () => x(1, 2, 5, 8);

describeRefusals("attention", [
  [
    "k of another batch",
    "shape-mismatch",
    "k",
    (watch) => pe.attention(watch(q()), watch(x(2, 2, 5, 8)), watch(x(2, 2, 5, 8))),
  ],
  ["k of another width", "shape-mismatch", "k", (watch) => pe.attention(watch(q()), watch(x(1, 2, 5, 6)), watch(kv()))],
  [
    "query heads that are no multiple of the key heads",
    "shape-mismatch",
    "k",
    (watch) => pe.attention(watch(q()), x(1, 3, 5, 8), x(1, 3, 5, 8)),
  ],
  ["v of another length", "shape-mismatch", "v", (watch) => pe.attention(watch(q()), kv(), watch(x(1, 2, 4, 8)))],
  ["v of other heads", "shape-mismatch", "v", (watch) => pe.attention(watch(q()), kv(), watch(x(1, 4, 5, 8)))],
  ["q of 3 dims", "shape-mismatch", "q", (watch) => pe.attention(watch(x(4, 3, 8)), kv(), kv())],
  [
    "a mask of the wrong shape",
    "shape-mismatch",
    "mask",
    () => pe.attention(q(), kv(), kv(), { mask: { data: new Uint8Array(12), dims: [3, 4] } }),
  ],
  [
    "a mask whose data does not fill it",
    "shape-mismatch",
    "mask",
    () => pe.attention(q(), kv(), kv(), { mask: { data: new Uint8Array(14), dims: [3, 5] } }),
  ],
  [
    "a bias of the wrong shape",
    "shape-mismatch",
    "bias",
    (watch) => pe.attention(q(), kv(), kv(), { bias: watch(x(2, 3, 5)) }),
  ],
  ["a NaN scale", "invalid-argument", "scale", () => pe.attention(q(), kv(), kv(), { scale: NaN })],
  ["a softcap below 0", "invalid-argument", "softcap", () => pe.attention(q(), kv(), kv(), { softcap: -1 })],
  ["a window below 0", "invalid-argument", "window", () => pe.attention(q(), kv(), kv(), { window: -1 })],
  [
    "a window of three",
    "invalid-argument",
    "window",
    () => pe.attention(q(), kv(), kv(), { window: loosely([1, 2, 3]) }),
  ],
  ["NaN sinks", "invalid-argument", "sinks", () => pe.attention(q(), kv(), kv(), { sinks: [0, NaN, 0, 0] })],
  [
    "sinks of text",
    "invalid-argument",
    "sinks",
    () => pe.attention(q(), kv(), kv(), { sinks: loosely(["1", 0, 0, 0]) }),
  ],
  [
    "a mask of text",
    "invalid-argument",
    "mask",
    () => pe.attention(q(), kv(), kv(), { mask: loosely(["a", 1, 1, 1, 1]) }),
  ],
  ["options that are null", "invalid-argument", undefined, () => pe.attention(q(), kv(), kv(), loosely(null))],
  ["sinks for other heads", "shape-mismatch", "sinks", () => pe.attention(q(), kv(), kv(), { sinks: [1, 2] })],
  [
    "an encoding of another width",
    "shape-mismatch",
    "encoding",
    () => pe.attention(q(), kv(), kv(), { encoding: createRotary({ kind: "rope", dim: 6 }) }),
  ],
  [
    "an encoding for other heads",
    "shape-mismatch",
    "encoding",
    () => pe.attention(q(), kv(), kv(), { encoding: alibi }),
  ],
  [
    "an encoding that is none",
    "invalid-argument",
    "encoding",
    () => pe.attention(q(), kv(), kv(), loosely({ encoding: {} })),
  ],
  [
    "a table as the encoding",
    "invalid-argument",
    "encoding",
    () => pe.attention(q(), kv(), kv(), loosely({ encoding: table })),
  ],
  [
    "positions of the wrong length",
    "shape-mismatch",
    /positions|at/,
    () => pe.attention(q(), kv(), kv(), { encoding: rope, at: { positions: [0, 1] } }),
  ],
] satisfies Refusal[]);

describeRefusals("the rest", [
  ["a config that is no object", "invalid-argument", "config", () => pe.fromConfig(loosely("llama"))],
  [
    "an unknown rope_type",
    "unsupported",
    "rope_type",
    () => pe.fromConfig({ hidden_size: 64, num_attention_heads: 4, rope_scaling: { rope_type: "spiral", factor: 2 } }),
  ],
  ["no hidden_size", "invalid-argument", "hidden_size", () => pe.fromConfig({ num_attention_heads: 4 })],
  [
    "an unknown layerType",
    "invalid-argument",
    "layerType",
    () => pe.fromConfig(nestedConfig(), { layerType: "lunar_attention" }),
  ],
  ["a mask of 3 dims", "invalid-argument", "attentionMask", () => pe.positionIds({ data: [1, 1, 1], dims: [1, 1, 3] })],
  [
    "a mask whose data does not fill it",
    "invalid-argument",
    "attentionMask",
    () => pe.positionIds({ data: [1, 1, 1], dims: [2, 2] }),
  ],
  ["a ragged mask", "invalid-argument", "attentionMask", () => pe.positionIds([[1, 1], [1]])],
  ["a mask without dims", "invalid-argument", "attentionMask", () => pe.positionIds(loosely({ data: [1] }))],
  ["a profile without options", "invalid-argument", "options", () => pe.distanceProfile(rope, loosely(undefined))],
  ["null options for similarity", "invalid-argument", undefined, () => pe.similarity(x(2, 3), loosely(null))],
  ["null options for apply", "invalid-argument", undefined, (watch) => rope.apply(watch(x(1, 1, 1, 8)), loosely(null))],
  ["a negative pastLength", "invalid-argument", "pastLength", () => pe.positionIds([[1, 1]], { pastLength: -1 })],
  ["an unknown id type", "invalid-argument", "type", () => pe.positionIds([[1, 1]], loosely({ type: "int16" }))],
  ["a table of 3 dims to compare", "shape-mismatch", "table", (watch) => pe.similarity(watch(x(2, 3, 4)))],
  ["a negative maxDistance", "invalid-argument", "maxDistance", () => pe.distanceProfile(rope, { maxDistance: -1 })],
  [
    "weights of another width",
    "shape-mismatch",
    "wq",
    (watch) => pe.scoreTerms(watch(x(3, 8)), watch(x(3, 8)), watch(x(4, 7)), watch(x(4, 7))),
  ],
  [
    "weights that differ",
    "shape-mismatch",
    "wk",
    (watch) => pe.scoreTerms(watch(x(3, 8)), watch(x(3, 8)), watch(x(4, 8)), watch(x(5, 8))),
  ],
  [
    "x and table of other lengths",
    "shape-mismatch",
    "table",
    (watch) => pe.scoreTerms(watch(x(3, 8)), watch(x(4, 8)), x(4, 8), x(4, 8)),
  ],
] satisfies Refusal[]);

function nestedConfig() {
  const rope_parameters = {
    full_attention: { rope_type: "default", rope_theta: 1e6 },
    sliding_attention: { rope_type: "default", rope_theta: 1e4 },
  };
  return { hidden_size: 64, num_attention_heads: 4, rope_parameters };
}
