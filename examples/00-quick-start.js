import { init } from "posenc";

const pe = await init();
const rope = pe.create({ kind: "rope", dim: 64 });

// Four times the same word, as queries and as keys: [batch, heads, positions, dim]
const words = { data: new Float32Array(4 * 64).fill(1), dims: [1, 1, 4, 64] };
const { data } = pe.attentionWeights(words, words, { encoding: rope, causal: true });

for (let i = 0; i < 16; i += 4) console.log(...Array.from(data.slice(i, i + 4), (weight) => weight.toFixed(2)));
