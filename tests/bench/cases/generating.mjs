// A token over a cache of all those before it, appended and attended to with RoPE, for each type the cache has; against one
// query on tensors of as many keys with nothing inside.
import { prepareAttention } from "./attention.mjs";

/** How far results may be off, as what is stored was rounded, and how much longer a token may take. */
const types = {
  float32: { tolerance: 1e-5, atMost: 1.15 },
  float16: { tolerance: 1e-3, atMost: 2 },
  int8: { tolerance: 2e-2, atMost: 1.5 },
};

export const generatingCases = [
  {
    id: "cache-step",
    group: "decode",
    work: "cacheStep",
    title: ({ heads, length, dim }) =>
      `a token over a cache of ${length} keys, ${heads} × ${dim}: append and attend, RoPE`,
    size: { heads: 12, length: 2048, dim: 64, queries: 1 },
    tiny: { heads: 2, length: 16, dim: 16, queries: 1 },
    tolerance: 1e-5,
    targets: Object.entries(types).map(([type, { atMost }]) => ({
      of: `cache ${type}`,
      against: "inside none",
      atMost,
    })),
  },
];

export function prepareCacheStep(one) {
  const plain = {
    ...prepareAttention({ ...one, isCausal: true }),
    role: "inside none",
    label: "no cache, nothing inside",
  };
  const given = prepareAttention({ ...one, kind: "rope", isCausal: true });
  const caches = Object.entries(types).map(([type, { tolerance }]) => ({
    type,
    tolerance,
    label: `cache, ${type}`,
    role: `cache ${type}`,
  }));
  return { ...given, plain, caches };
}
