// Additive biases [heads, queries, keys], made anew.
import { product, sampled } from "../numbers.mjs";
import { filled, kinds, specOf } from "./kinds.mjs";

const bias = (kind, heads, targets, own = {}) => ({
  id: `bias-${kind}`,
  group: "biases",
  work: "bias",
  title: (size) => `${kinds[kind].title} bias, ${size.heads} × ${size.length}²`,
  kind,
  own,
  size: { heads, length: 1024 },
  tiny: { heads: 4, length: 9 },
  tolerance: 1e-6,
  rate: { unit: "GB/s", amount: ({ heads, length }) => 4 * heads * length * length },
  targets,
});

export const biasCases = [
  bias("alibi", 32, [
    { of: "tensor", against: "store", share: 0.9 },
    { of: "tensor", against: "onnx", faster: 10 },
  ]),
  bias(
    "t5",
    12,
    [
      { of: "tensor", against: "store", share: 0.85 },
      { of: "tensor", against: "onnx", faster: 40 },
    ],
    { bidirectional: true },
  ),
];

/** The spec for these sizes, its learned numbers, its formula and what is true. */
export function prepareBias({ kind, own, size }) {
  const { heads, length } = size;
  const spec = specOf(kind, size, own);
  const parameters = filled(kinds[kind].parameters?.(spec) ?? {});
  const value = kinds[kind].bias(spec, parameters);
  const dims = [heads, length, length];
  const at = sampled(product(dims));
  const values = Float64Array.from(at, (i) => {
    const cell = i % (length * length);
    return value(Math.floor(i / (length * length)), Math.floor(cell / length), cell % length);
  });
  return { spec, parameters, value, dims, truth: { bias: { at, values, length: product(dims) } } };
}
