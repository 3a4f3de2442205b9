// One query over a cache of keys with a kind inside, against the same call with nothing: what generation pays for its
// positions, token by token.
const most = {
  "transformer-xl": 3,
  pope: 3,
  deberta: 2,
  shaw: 2,
  cope: 2,
  kerple: 1.15,
  t5: 1.15,
  fire: 1.15,
};

export const decodeInsideCases = [
  {
    id: "decode-inside",
    group: "decode",
    work: "inside",
    kinds: Object.keys(most),
    title: ({ heads, length, dim }) => `one query over ${length} keys, ${heads} × ${dim}, a kind inside`,
    size: { heads: 12, length: 2048, dim: 64, queries: 1 },
    tiny: { heads: 2, length: 16, dim: 16, queries: 1 },
    tolerance: 1e-5,
    isCausal: true,
    targets: Object.entries(most).map(([kind, atMost]) => ({
      of: `inside ${kind}`,
      against: "inside none",
      atMost,
    })),
  },
];
