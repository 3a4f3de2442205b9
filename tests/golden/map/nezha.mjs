// NEZHA: attention over projected hidden states, with sinusoids of distances at keys and values.
import { needKind } from "../needs.mjs";
import { checkFact } from "../restated.mjs";
import { float32, joinHeads, linear, permute, splitHeads } from "../plumbing.mjs";

/** The rows of all pairs, [queries, keys, dim]: what queries of a single feature see in keys of zeros. */
function rowsOf(encoding, count, dim) {
  const one = new Float32Array(dim * count * dim);
  for (let row = 0; row < dim * count; row++) one[row * dim + Math.floor(row / count)] = 1;
  const dims = [1, dim, count, dim];
  const { data } = encoding.logits({ data: one, dims }, { data: new Float32Array(one.length), dims });
  return permute({ data, dims: [dim, count, count] }, [1, 2, 0]);
}

function run(pe, parsed) {
  needKind(pe, "nezha");
  const { params, inputs } = parsed;
  const { num_heads: heads, head_dim: dim, max_relative_position: maxDistance, base } = params;
  const count = inputs.x.dims[1];
  checkFact(parsed, "T", count);
  const encoding = pe.create({ kind: "nezha", dim, maxDistance, base });
  const [q, k, v] = ["query", "key", "value"].map((name) =>
    splitHeads(linear(inputs.x, inputs[`${name}.weight`], inputs[`${name}.bias`]), heads),
  );
  const { mask } = inputs;
  const bias = mask && float32(mask);
  const added = (at) => (mask ? mask.data[Math.floor(at / (heads * count * count)) * count + (at % count)] : 0);
  const scores = () => {
    const { data, dims } = encoding.logits(q, k);
    return { data: Float64Array.from(data, (value, at) => value / Math.sqrt(dim) + added(at)), dims };
  };
  const distances = Array.from({ length: count * count }, (_, at) => (at % count) - Math.floor(at / count));
  return {
    relative_embeddings: () => rowsOf(encoding, count, dim),
    index: () => ({ data: encoding.bucketOf(distances), dims: [count, count] }),
    scores,
    output: () => joinHeads(pe.attention(q, k, v, { encoding, bias })),
  };
}

export const NEZHA = [{ matches: ({ params }) => "max_relative_position" in params, run }];
