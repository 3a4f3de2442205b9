import { init } from "posenc";

const pe = await init({ parts: ["attention"] });
const rope = pe.create({ kind: "rope", dim: 64 });

// Queries and keys, four times the same word: [batch, heads, positions, dim]
const x = { data: new Float32Array(4 * 64).fill(1), dims: [1, 1, 4, 64] };
const { data } = pe.attentionWeights(x, x, { encoding: rope, causal: true });

for (let i = 0; i < 16; i += 4) {
  const row = Array.from(data.slice(i, i + 4), (weight) => weight.toFixed(2));
  console.log(...row);
}
