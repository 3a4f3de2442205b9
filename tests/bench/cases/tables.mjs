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
  tiny: { positions: 7, dim: 12 },
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

export function prepareCosSin({ size }) {
  const turns = angles(size);
  const truth = { cos: { values: turns.map(Math.cos) }, sin: { values: turns.map(Math.sin) } };
  return { ...float32Inputs(size), truth };
}

/** Sine and cosine beside each other. */
export function prepareSinusoidal({ size }) {
  const turns = angles(size);
  const values = Float64Array.from({ length: 2 * turns.length }, (_, i) =>
    (i % 2 ? Math.cos : Math.sin)(turns[i >> 1]),
  );
  return { ...float32Inputs(size), truth: { table: { values } } };
}
