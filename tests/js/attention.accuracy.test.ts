// Logits as large as real ones, of ±40 and more: attention and its gradients are nearer to the truth than float32 sums
// and a float32 softmax are. A score of 40 has roundings of 2e-6 there, which the softmax makes errors of its weights.
import { describe, expect, it } from "vitest";
import { pe } from "./helpers/library";
import { maxDifference } from "./helpers/numbers";
import { arithmetics, normalInputs, plainAttention } from "./helpers/plain-attention";
import type { Given, Numbers } from "./helpers/plain-attention";

const names = ["out", "weights", "q", "k", "v"] as const;

function computed({ queries, keys, dim, scale, q, k, v, gradOut }: Given): Record<keyof Numbers, Float32Array> {
  const tensor = (data: Float32Array, rows: number) => ({ data, dims: [1, 1, rows, dim] });
  const heads = [tensor(q, queries), tensor(k, keys), tensor(v, keys)] as const;
  const gradients = pe.attentionBackward(...heads, tensor(gradOut, queries), { scale });
  return {
    out: pe.attention(...heads, { scale }).data,
    weights: pe.attentionWeights(heads[0], heads[1], { scale }).data,
    q: gradients.q.data,
    k: gradients.k.data,
    v: gradients.v.data,
  };
}

/** The largest errors of several draws: of one draw of a few keys they are a matter of luck. */
function errorsOf(queries: number, keys: number, dim: number, draws: number) {
  const most = { ours: {} as Record<string, number>, plain: {} as Record<string, number> };
  for (let seed = 1; seed <= draws; seed++) {
    const given = normalInputs(queries, keys, dim, seed);
    const truth = plainAttention(given, arithmetics.float64);
    const plain = plainAttention(given, arithmetics.float32);
    const ours = computed(given);
    for (const name of names) {
      most.ours[name] = Math.max(most.ours[name] ?? 0, maxDifference(ours[name], truth[name]));
      most.plain[name] = Math.max(most.plain[name] ?? 0, maxDifference(plain[name], truth[name]));
    }
  }
  return most;
}

describe("large logits", () => {
  it.each([
    { queries: 9, keys: 9, dim: 80, draws: 8 },
    { queries: 9, keys: 9, dim: 128, draws: 8 },
    { queries: 1, keys: 130, dim: 80, draws: 12 },
    { queries: 3, keys: 33, dim: 128, draws: 8 },
    { queries: 70, keys: 70, dim: 64, draws: 1 },
    { queries: 40, keys: 160, dim: 80, draws: 1 },
    { queries: 128, keys: 128, dim: 128, draws: 1 },
  ])("$queries queries, $keys keys, dim $dim", ({ queries, keys, dim, draws }) => {
    const { ours, plain } = errorsOf(queries, keys, dim, draws);
    for (const name of names) expect(ours[name], name).toBeLessThan(plain[name]!);
  });
});
