// One query, or a few, over a cache of keys: in both layouts, with heads that share keys.
import { softmax } from "./attention.mjs";
import { product, sinusoid } from "../numbers.mjs";

const decode = (heads, dim, ofTheSum) => ({
  id: `decode-${heads}x${dim}`,
  group: "decode",
  work: "attention",
  title: (size) => `one query over a cache of ${size.length} keys, ${size.heads} × ${size.dim}`,
  size: { heads, length: 2048, dim, queries: 1 },
  tiny: { heads: 2, length: 12, dim: 16, queries: 1 },
  tolerance: 1e-5,
  rate: { unit: "GB/s", amount: (size) => 8 * size.heads * size.length * size.dim },
  targets: [
    { of: "tensor", against: "onnx", faster: 9 },
    { of: "tensor", against: "read", atMost: ofTheSum },
  ],
});

const few = (id, title, calls, targets) => ({
  id: `few-${id}`,
  group: "few-queries",
  work: "fewQueries",
  title: () => title,
  size: { calls },
  tiny: {
    calls: calls.map((call) => ({ ...call, heads: call.heads / 4, keyHeads: call.keyHeads / 4, length: 70, dim: 8 })),
  },
  tolerance: 1e-5,
  targets,
});

const layouts = (heads, dim) => {
  const call = { heads, keyHeads: heads, length: 2048, dim, queries: 1 };
  const title = `one query over a cache of 2048 keys, ${heads} × ${dim}, by layout`;
  const calls = [
    { ...call, role: "bhtd", label: "head-major", layout: "bhtd" },
    { ...call, role: "bthd", label: "token-major", layout: "bthd" },
  ];
  return few(`layouts-${heads}x${dim}`, title, calls, [{ of: "bthd", against: "bhtd", atMost: 1.1 }]);
};

const grouped = [
  { role: "alone", label: "32 heads × 512 keys", heads: 32, keyHeads: 32, length: 512 },
  { role: "grouped", label: "32 heads on 4 × 4096 keys", heads: 32, keyHeads: 4, length: 4096 },
].map((call) => ({ ...call, dim: 64, queries: 1, layout: "bhtd" }));

const counts = [1, 2, 3, 4, 5, 6, 7, 8];
const counted = counts.map((queries) => {
  const label = queries === 1 ? "1 query" : `${queries} queries`;
  return { role: `${queries}`, label, heads: 12, keyHeads: 12, length: 2048, dim: 64, queries, layout: "bhtd" };
});

export const decodeCases = [
  decode(12, 64, 1.4),
  decode(32, 128, 1.25),
  layouts(12, 64),
  layouts(32, 128),
  few("grouped", "one query, heads that share the same bytes of keys", grouped, [
    { of: "grouped", against: "alone", atMost: 1.4 },
  ]),
  few(
    "queries",
    "a few queries over a cache of 2048 keys, 12 × 64",
    counted,
    counts.slice(1).map((count) => ({ of: `${count - 1}`, against: `${count}`, atMost: 1.02 })),
  ),
];

/** The causal result in float64, [heads, queries, dim]. */
function resultOf({ q, k, v }, { heads, keyHeads, length, dim, queries }) {
  const out = new Float64Array(heads * queries * dim);
  for (let h = 0; h < heads; h++) {
    const keys = Math.floor((h * keyHeads) / heads) * length;
    for (let i = 0; i < queries; i++) {
      const at = (h * queries + i) * dim;
      const row = new Float64Array(length + 1 + i - queries);
      for (let j = 0; j < row.length; j++)
        for (let d = 0; d < dim; d++) row[j] += (q[at + d] * k[(keys + j) * dim + d]) / Math.sqrt(dim);
      softmax(row);
      for (let j = 0; j < row.length; j++)
        for (let d = 0; d < dim; d++) out[at + d] += row[j] * v[(keys + j) * dim + d];
    }
  }
  return out;
}

/** [heads, positions, dim] as [positions, heads, dim] */
function tokenMajor(data, heads, dim) {
  const positions = data.length / heads / dim;
  const out = data.slice();
  for (let h = 0; h < heads; h++)
    for (let t = 0; t < positions; t++)
      out.set(data.subarray((h * positions + t) * dim, (h * positions + t + 1) * dim), (t * heads + h) * dim);
  return out;
}

function prepareCall(call) {
  const { heads, keyHeads, length, dim, queries, layout } = call;
  const keyFloats = product([keyHeads, length, dim]);
  const given = {
    q: sinusoid(product([heads, queries, dim]), 0.7, 1.5),
    k: sinusoid(keyFloats, 0.31, 1.5),
    v: sinusoid(keyFloats, 0.57),
  };
  const values = resultOf(given, call);
  const isTokenMajor = layout === "bthd";
  const dimsOf = (count, positions) => (isTokenMajor ? [1, positions, count, dim] : [1, count, positions, dim]);
  const laid = (data, count) => (isTokenMajor ? tokenMajor(data, count, dim) : data);
  const at = Uint32Array.from({ length: values.length }, (_, i) => i);
  return {
    ...call,
    isCausal: true,
    q: laid(given.q, heads),
    k: laid(given.k, keyHeads),
    v: laid(given.v, keyHeads),
    dims: dimsOf(keyHeads, length),
    queryDims: dimsOf(heads, queries),
    truth: { y: { at, values: laid(values, heads), length: values.length } },
  };
}

/** Inputs and truth of each call. */
export const prepareFewQueries = ({ size }) => ({ calls: size.calls.map(prepareCall) });
