// Rotations whose frequencies are not those of a base alone: one token at a new place each call, and attention with
// them inside. Plain RoPE in the same run is what they are held against.
import { frequencies, product, sinusoid } from "../numbers.mjs";
import { prepareAttention } from "./attention.mjs";
import { rotated, angles } from "./rope.mjs";

const base = 10000;

const listed = (dim) => Array.from(frequencies(dim, base));

/** The base of dynamic NTK in a sequence of that length. */
const grown = (dim, length, { factor, originalLength }) =>
  base * (factor * (Math.max(length, originalLength) / originalLength - 1) + 1) ** (dim / (dim - 2));

const dynamic = (originalLength) => ({ kind: "rope-dynamic", base, factor: 2, originalLength });
const qwen = { kind: "rope-qwen", base, originalLength: 1e9 };
const longrope = (originalLength) => ({
  kind: "rope-longrope",
  base,
  shortFactor: [1],
  longFactor: [1.5],
  originalLength,
});

/** { spec, offsetOf(call), rates }: the place of each call, and the frequencies at the first. */
const kinds = ({ offset, dim }) => {
  const next = (call) => offset + call;
  const usual = frequencies(dim, base);
  const growing = dynamic(Math.ceil(offset / 2));
  return {
    rope: { title: "RoPE", spec: { kind: "rope", base }, offsetOf: next, rates: usual },
    "rope-dynamic": { title: "dynamic NTK", spec: dynamic(1e9), offsetOf: next, rates: usual },
    growing: {
      title: "dynamic NTK beyond its length",
      spec: growing,
      offsetOf: next,
      rates: frequencies(dim, grown(dim, offset + 1, growing)),
    },
    "rope-qwen": { title: "Qwen's dynamic NTK", spec: qwen, offsetOf: next, rates: usual },
    "rope-longrope": { title: "LongRoPE", spec: longrope(1e9), offsetOf: next, rates: usual },
    crossing: {
      title: "LongRoPE, from short to long and back",
      spec: longrope(4 * offset),
      offsetOf: (call) => (call % 2 ? 5 * offset : offset),
      rates: usual,
    },
    frequencies: {
      title: "listed frequencies",
      spec: { kind: "rope", frequencies: listed(dim) },
      offsetOf: next,
      rates: usual,
    },
  };
};

const against = (names, role, atMost) =>
  names.map((name) => ({ of: `${role} ${name}`, against: `${role} rope`, atMost }));
const fixedCost = ["rope-dynamic", "rope-qwen", "rope-longrope", "frequencies"];

export const rotatingCases = [
  {
    id: "rope-new-place",
    group: "rope",
    work: "rotating",
    title: ({ heads, dim }) => `one token at a new place each call, q [1, 1, ${heads}, ${dim}]`,
    size: { offset: 1000, positions: 1, heads: 32, dim: 128 },
    tiny: { offset: 3, positions: 1, heads: 2, dim: 16 },
    tolerance: 1e-6,
    targets: [...against([...fixedCost, "crossing"], "new place", 1.3), { of: "new place growing", microseconds: 15 }],
  },
  {
    id: "attention-turning",
    group: "attention",
    work: "attentionRotating",
    title: ({ heads, length, dim }) =>
      `attention, ${heads} × ${length} × ${dim}, rotations with frequencies of their own`,
    size: { heads: 4, length: 256, dim: 128 },
    tiny: { heads: 2, length: 16, dim: 16 },
    tolerance: 1e-5,
    targets: against(fixedCost, "inside", 1.05),
  },
];

/** The heads of one token, and what each rotation makes of them at the first place. */
export function prepareRotating({ size }) {
  const x = sinusoid(product([size.positions, size.heads, size.dim]));
  const rotating = Object.entries(kinds(size)).map(([name, { title, spec, offsetOf, rates }]) => {
    const angleTables = angles(size, rates);
    const exact = { cos: angleTables.map(Math.cos), sin: angleTables.map(Math.sin) };
    const truth = { y: { values: rotated(x, exact, size, "half") } };
    return { label: title, role: `new place ${name}`, spec: { ...spec, dim: size.dim }, offsetOf, truth };
  });
  return { x, rotating, truth: {} };
}

/** The same attention with each rotation whose frequencies are those of plain RoPE there. */
export function prepareAttentionRotating(one) {
  const plain = prepareAttention({ ...one, kind: "rope", isCausal: true });
  const all = kinds({ offset: 0, dim: one.size.dim });
  return {
    inside: ["rope", ...fixedCost].map((name) => ({
      ...plain,
      spec: { ...all[name].spec, dim: one.size.dim },
      label: all[name].title,
      role: `inside ${name}`,
    })),
  };
}
