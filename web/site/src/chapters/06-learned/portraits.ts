// Two pictures of a table: how alike its rows are, and which position looks at which.
import type { Posenc } from "../../lib/engine.svelte.ts";
import { asking } from "../../lib/learners.ts";

export function portraits(pe: Posenc, weights: Float32Array, dim: number) {
  const { q, k } = asking(weights, dim);
  return {
    similar: pe.similarity({ data: weights, dims: [weights.length / dim, dim] }).data,
    weights: pe.attentionWeights(q, k).data,
  };
}
