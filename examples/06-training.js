// Trains positions: a T5 bias learns to look at the token before, a learned table finds the rows that are missing.
import { init } from "posenc";

const pe = await init({ parts: ["attention", "training"] });
const random = (count, seed) => Float32Array.from({ length: count }, (_, i) => Math.sin(seed * 78.233 + i * 12.9898));
const squareMean = (x) => x.reduce((sum, value) => sum + value * value, 0) / x.length;

// Each query is to answer with the value that stands before it; contents say nothing about that.
const [length, dim] = [16, 8];
const dims = [1, 1, length, dim];
const bias = pe.create({ kind: "t5", heads: 1, bidirectional: false, std: 0 });
for (let step = 0; step <= 200; step++) {
  const [q, k, v] = [1, 2, 3].map((n) => ({ data: random(length * dim, 3 * step + n), dims }));
  const options = { encoding: bias, causal: true, scale: 0.1 };
  const out = pe.attention(q, k, v, options);
  const error = out.data.map((value, i) => (i < dim ? 0 : value - v.data[i - dim]));
  if (step % 100 === 0) console.log(`step ${step}: loss ${squareMean(error).toFixed(4)}`);
  const gradOut = { data: error.map((value) => (2 * value) / error.length), dims };
  pe.attentionBackward(q, k, v, gradOut, options); // adds to bias.gradients.weights
  bias.step({ optimizer: "adam", learningRate: 0.1 });
}
const scores = bias.parameters.weights.data;
console.log("the bias is largest for distance", scores.indexOf(Math.max(...scores)));

// The same for a table that is added to the features.
const missing = random(length * dim, 9);
const table = pe.create({ kind: "learned", length, dim });
for (let step = 0; step <= 200; step++) {
  const x = table.addTo({ data: new Float32Array(length * dim), dims: [length, dim] });
  const error = x.data.map((value, i) => value - missing[i]);
  if (step % 100 === 0) console.log(`table after ${step} steps: loss ${squareMean(error).toFixed(4)}`);
  table.backward({ data: error, dims: x.dims }); // adds to table.gradient
  table.step({ optimizer: "sgd", learningRate: 0.05, momentum: 0.5 });
}
