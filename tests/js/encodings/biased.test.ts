// Relative encodings that add a bias of queries and keys to scaled scores.
import type { BiasedRelative } from "posenc";
import { describe, expect, it } from "vitest";
import { createRelative, pe } from "../helpers/library";
import { expectSameBits, maxDifference, randomNumbers, randomTensor, swapMiddle } from "../helpers/numbers";

const [HEADS, DIM] = [4, 6];

describe.each([{}, { gates: "query" }, { gates: "query-key", normalize: false }])("grape-a %j", (changes) => {
  const encoding = createRelative({ kind: "grape-a", dim: DIM, heads: HEADS, ...changes }) as unknown as BiasedRelative;
  let seed = 3;
  for (const tensor of Object.values(encoding.parameters)) tensor.data.set(randomNumbers(tensor.size, seed++));
  const [q, k, v] = [
    randomTensor([2, HEADS, 5, DIM], 11),
    randomTensor([2, 2, 70, DIM], 12),
    randomTensor([2, 2, 70, DIM], 13),
  ];

  it("adds its bias after scale and softcap", () => {
    const options = { causal: true, softcap: 0.5, scale: 2, window: 40 };
    const bias = encoding.biasOf(q, k);
    expect(bias.dims).toEqual([2, HEADS, 5, 70]);
    const inside = pe.attention(q, k, v, { ...options, encoding });
    expect(maxDifference(inside.data, pe.attention(q, k, v, { ...options, bias }).data)).toBeLessThan(1e-6);
  });

  it("is 0 at the query and after it, and falls with the distance", () => {
    const alike = { ...q, data: q.data.map((_, i) => q.data[i % DIM]!) };
    const same = { ...k, data: k.data.map((_, i) => k.data[i % DIM]!) };
    const bias = encoding.biasOf(alike, same).data;
    bias.forEach((x, n) => {
      const [j, row] = [n % 70, 65 + (Math.floor(n / 70) % 5)];
      if (j >= row) expect(x).toBeCloseTo(0, 12);
      else expect(x).toBeLessThan(bias[n + 1]!);
    });
  });

  it("depends on distances only, in both layouts, and hides", () => {
    const here = encoding.biasOf(q, k);
    expect(maxDifference(encoding.biasOf(q, k, { offset: 1000 }).data, here.data)).toBeLessThan(1e-6);
    expectSameBits(encoding.biasOf(swapMiddle(q), swapMiddle(k), { layout: "bthd" }).data, here.data);
    const hidden = encoding.biasOf(q, k, { causal: true }).data;
    hidden.forEach((x, n) => expect(x === -Infinity).toBe(n % 70 > 65 + (Math.floor(n / 70) % 5)));
  });
});
