// Rotations of queries, in place: out of the caches, in them, and one token at a time.
import { frequencies, product, sinusoid } from "../numbers.mjs";

const base = 10000;

/** What the library aims at, in the terms of targets.mjs. */
const targets = {
  long: (limit) => [
    { of: "tensor", against: "multiply", atMost: limit },
    { of: "tensor", against: "tuned", atMost: 1.05 },
    { of: "tensor", against: "onnx", faster: 25 },
    { of: "tensor", against: "plain", faster: 8 },
    { of: "array", against: "onnx", faster: 5 },
    { of: "array", against: "plain", faster: 1.8 },
  ],
  short: (limit) => [
    { of: "tensor", against: "multiply", atMost: limit },
    { of: "tensor", against: "tuned", atMost: 1.05 },
  ],
  decode: () => [
    { of: "tensor", microseconds: 1 },
    { of: "tensor", against: "tuned", atMost: 1.4 },
    { of: "tensor", against: "onnx", faster: 20 },
  ],
};

const sizes = {
  long: { size: { offset: 0, positions: 2048, heads: 32, dim: 128 }, limits: { half: 1.15, interleaved: 1.25 } },
  short: { size: { offset: 0, positions: 128, heads: 12, dim: 64 }, limits: { half: 1.35, interleaved: 1.7 } },
  decode: { size: { offset: 1000, positions: 1, heads: 32, dim: 128 }, limits: {} },
};
const rate = { unit: "GB/s", amount: ({ positions, heads, dim }) => 8 * positions * heads * dim };
const tiny = { offset: 3, positions: 5, heads: 2, dim: 32 };

export const ropeCases = Object.entries(sizes).flatMap(([name, { size, limits }]) =>
  ["half", "interleaved"].map((pairing) => ({
    id: `rope-${name}-${pairing}`,
    group: "rope",
    work: "rope",
    title: ({ positions, heads, dim }) =>
      `RoPE ${pairing}, q [1, ${positions}, ${heads}, ${dim}] (${sizeText(4 * positions * heads * dim)})`,
    spec: { kind: "rope", base, pairing },
    size,
    tiny,
    tolerance: 1e-6,
    rate,
    targets: targets[name](limits[pairing]),
  })),
);

const layoutSizes = { "2-MB": 128, "8-MB": 512, "34-MB": 2048, "134-MB": 8192 };

/** Rotations in the second-level cache, in the third and beyond, in both layouts. */
export const ropeLayoutCases = Object.entries(layoutSizes).flatMap(([name, positions]) =>
  ["bthd", "bhtd"].flatMap((layout) =>
    ["half", "interleaved"].map((pairing) => ({
      id: `rope-${name}-${layout}-${pairing}`,
      group: "rope-layouts",
      work: "ropeLayout",
      title: ({ positions: tokens, heads, dim }) =>
        `RoPE ${pairing}, ${layout}, ${tokens} positions of ${heads} × ${dim} (${sizeText(4 * tokens * heads * dim)})`,
      spec: { kind: "rope", base, pairing },
      layout,
      size: { offset: 0, positions, heads: 32, dim: 128 },
      tiny,
      tolerance: 1e-6,
      rate,
      targets: [{ of: "tensor", against: "tuned", atMost: 1.1 }],
    })),
  ),
);

const sizeText = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

/** Where the pairs of a head are: [first of pair k, how far away the second is]. */
export const pairsOf = (pairing, dim) => (pairing === "half" ? [(k) => k, dim / 2] : [(k) => 2 * k, 1]);

/** Angles of `positions` positions from `offset` on, [positions, dim / 2]. */
export function angles({ offset = 0, positions, dim }, rates = frequencies(dim, base)) {
  const out = new Float64Array((positions * dim) / 2);
  for (let t = 0, i = 0; t < positions; t++) for (const rate of rates) out[i++] = (offset + t) * rate;
  return out;
}

/** x rotated in float64, [positions, heads, dim]. */
export function rotated(x, tables, { positions, heads, dim }, pairing) {
  const out = new Float64Array(x.length);
  const [first, apart] = pairsOf(pairing, dim);
  for (let t = 0, row = 0; t < positions; t++)
    for (let h = 0; h < heads; h++, row += dim)
      for (let k = 0; k < dim / 2; k++) {
        const [c, s] = [tables.cos[(t * dim) / 2 + k], tables.sin[(t * dim) / 2 + k]];
        const [a, b] = [row + first(k), row + first(k) + apart];
        out[a] = x[a] * c - x[b] * s;
        out[b] = x[a] * s + x[b] * c;
      }
  return out;
}

function exactTables(size) {
  const tables = angles(size);
  return { cos: tables.map(Math.cos), sin: tables.map(Math.sin) };
}

const rounded = ({ cos, sin }) => ({ cos: Float32Array.from(cos), sin: Float32Array.from(sin) });

/** Queries and ready tables. */
export function prepareRope({ size, spec }) {
  const exact = exactTables(size);
  const x = sinusoid(product([size.positions, size.heads, size.dim]));
  return { x, ...rounded(exact), truth: { y: { values: rotated(x, exact, size, spec.pairing) } } };
}

/** The same in either layout; all heads are alike, and the first is compared. */
export function prepareRopeLayout({ size, spec, layout }) {
  const exact = exactTables(size);
  const { positions, heads, dim } = size;
  const values = rotated(sinusoid(positions * dim), exact, { ...size, heads: 1 }, spec.pairing);
  const apart = layout === "bthd" ? heads * dim : dim;
  const at = values.map((_, i) => Math.floor(i / dim) * apart + (i % dim));
  return {
    ...rounded(exact),
    layout,
    head: sinusoid(positions * dim),
    truth: { y: { values, at, length: positions * heads * dim } },
  };
}
