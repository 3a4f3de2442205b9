// xPos: RoPE whose scores also decay with distance. Queries and keys turn differently, so say which is which.
import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
// With a cache of keys the centre must stay where it is; without, half of the sequence length is right.
const xpos = pe.create({ kind: "xpos", dim: 64, centre: 0 });
const ones = () => ({ data: new Float32Array(64).fill(1 / 8), dims: [1, 1, 1, 64] });
const score = (query, key) => {
  const q = xpos.apply(ones(), { offset: query, role: "query" }).data;
  const k = xpos.apply(ones(), { offset: key, role: "key" }).data;
  return q.reduce((sum, x, i) => sum + x * k[i], 0).toFixed(5);
};
console.log("distance 0, 512, 2048:", score(2048, 2048), score(2048, 1536), score(2048, 0));
console.log("the same, further on: ", score(9048, 9048), score(9048, 8536), score(9048, 7000));

// Attention knows which is which.
const q = { data: new Float32Array(5 * 64).fill(0.1), dims: [1, 1, 5, 64] };
console.log(pe.attentionWeights(q, q, { encoding: xpos, causal: true }).dims);
