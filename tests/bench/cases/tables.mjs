// Tables of cos and sin, made anew.
import { frequencies } from "../numbers.mjs";
import { angles } from "./rope.mjs";

const base = 10000;
const exactEnough = 1.2e-7;

/** What angles in float32 can be off by: half a unit in the last place of the frequency, and of the largest angle. */
const float32Angles = (positions) => positions * 1.3e-7;

const cosSin = (positions, dim, targets) => ({
  id: `cos-sin-${positions}`,
  group: "tables",
  work: "cosSin",
  title: (size) => `cos and sin tables, ${size.positions} × ${size.dim}`,
  spec: { kind: "rope", base },
  size: { positions, dim },
  tiny: { positions: 7, dim: 16 },
  tolerance: exactEnough,
  rate: { unit: "ns an element", amount: (size) => size.positions * size.dim },
  targets,
});

export const tableCases = [
  cosSin(4096, 128, [
    { of: "tensor", nsAnElement: 0.65 },
    { of: "tensor", against: "onnx", faster: 15 },
    { of: "tensor", against: "plain", faster: 15 },
  ]),
  cosSin(131072, 128, [
    { of: "tensor", against: "tuned", atMost: 1 },
    { of: "tensor", against: "onnx", faster: 25 },
    { of: "tensor", against: "plain", faster: 25 },
  ]),
  {
    id: "sinusoidal-5000",
    group: "tables",
    work: "sinusoidal",
    title: (size) => `sinusoidal table, ${size.positions} × ${size.dim}`,
    spec: { kind: "sinusoidal", base },
    size: { positions: 5000, dim: 512 },
    tiny: { positions: 7, dim: 12 },
    tolerance: exactEnough,
    rate: { unit: "ns an element", amount: (size) => size.positions * size.dim },
    targets: [
      { of: "tensor", against: "onnx", faster: 15 },
      { of: "tensor", against: "plain", faster: 15 },
    ],
  },
];

const float32Inputs = ({ positions, dim }) => ({
  positions: Float32Array.from({ length: positions }, (_, t) => t),
  rates: Float32Array.from(frequencies(dim, base)),
  float32Tolerance: float32Angles(positions),
});

/** Rows of two cosines and two sines in turn, at 0, step, 2 step, … */
function rowsOfTwo(count, step, dim) {
  const rows = new Float64Array(count * dim);
  const rates = frequencies(dim, base);
  for (let t = 0; t < count; t++)
    rates.forEach((rate, k) => {
      const at = t * dim + (k >> 1) * 4 + (k & 1);
      rows[at] = Math.cos(t * step * rate);
      rows[at + 2] = Math.sin(t * step * rate);
    });
  return { rows, count };
}

/** What tables come from by adding angles: position = together · block + row. */
function factorsOf({ positions, dim }) {
  const together = positions % 32 ? positions : 32;
  return { coarse: rowsOfTwo(positions / together, together, dim), fine: rowsOfTwo(together, 1, dim) };
}

export function prepareCosSin({ size }) {
  const tables = angles(size);
  const truth = { cos: { values: tables.map(Math.cos) }, sin: { values: tables.map(Math.sin) } };
  return { ...float32Inputs(size), factors: factorsOf(size), truth };
}

/** Sine and cosine beside each other. */
export function prepareSinusoidal({ size }) {
  const tables = angles(size);
  const values = Float64Array.from({ length: 2 * tables.length }, (_, i) =>
    (i % 2 ? Math.cos : Math.sin)(tables[i >> 1]),
  );
  return { ...float32Inputs(size), truth: { table: { values } } };
}
