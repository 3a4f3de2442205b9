// Tensors of 16 bits against float32, in wasm memory: computed in float32, rounded once.
import { frequencies, product, sinusoid } from "../numbers.mjs";
import { prepareAttention } from "./attention.mjs";
import { angles, rotated } from "./rope.mjs";

/** Half the distance from 1 to the next number of the type, twice: numbers are rounded as they come and as they go. */
const tolerances = { float32: 1e-5, float16: 2e-3, bfloat16: 2e-2 };
const types = Object.entries(tolerances).map(([type, tolerance]) => ({ type, tolerance, role: type, label: type }));
const targets = (atMost) => ["float16", "bfloat16"].map((type) => ({ of: type, against: "float32", atMost }));

export const sixteenCases = [
  {
    id: "rope-sixteen",
    group: "rope",
    work: "ropeSixteen",
    title: ({ positions, heads, dim }) => `RoPE half, q [1, ${positions}, ${heads}, ${dim}], by type`,
    size: { offset: 0, positions: 2048, heads: 12, dim: 64 },
    tiny: { offset: 3, positions: 5, heads: 2, dim: 16 },
    tolerance: 1e-6,
    targets: targets(2),
  },
  {
    id: "attention-sixteen",
    group: "attention",
    work: "attentionSixteen",
    title: ({ heads, length, dim }) => `attention, ${heads} × ${length} × ${dim}, causal, RoPE inside, by type`,
    size: { heads: 8, length: 512, dim: 64 },
    tiny: { heads: 2, length: 16, dim: 16 },
    tolerance: 1e-5,
    targets: targets(1.15),
  },
];

export function prepareRopeSixteen({ size }) {
  const tables = angles(size, frequencies(size.dim, 10000));
  const x = sinusoid(product([size.positions, size.heads, size.dim]));
  const exact = { cos: tables.map(Math.cos), sin: tables.map(Math.sin) };
  return { x, types, truth: { y: { values: rotated(x, exact, size, "half") } } };
}

export const prepareAttentionSixteen = (one) => ({
  ...prepareAttention({ ...one, kind: "rope", isCausal: true }),
  types,
});
