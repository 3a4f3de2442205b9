// A learned table finds out by itself that each word
// is to be answered with the word before it.
import { init, PosencError } from "posenc";

const length = 20;
const steps = 600;
const seed = 1;

const pe = await init();
const random = (count, start) => Float32Array.from({ length: count }, (_, i) => Math.sin(start * 78.233 + i * i));
// Two halves of a row: one asks (the query), one is asked (the key).
const [asks, answers] = [0, 1].map((half) =>
  pe.create({ kind: "learned", length: 48, dim: 8, std: 0.3, seed: 2 * seed + half }),
);
const rowsOf = (table) => ({ data: table.table({ length }).data, dims: [1, 1, length, 8] });
for (let step = 0; step <= steps; step++) {
  const words = { data: random(length * 8, step), dims: [1, 1, length, 8] };
  const [q, k] = [rowsOf(asks), rowsOf(answers)];
  const error = pe.attention(q, k, words).data.map((x, i) => (i < 8 ? 0 : x - words.data[i - 8]));
  if (step % 200 === 0) console.log(`step ${step}: error ${Math.hypot(...error).toFixed(2)}`);
  const gradients = pe.attentionBackward(q, k, words, { data: error, dims: words.dims });
  asks.backward(gradients.q); // adds to asks.gradient
  answers.backward(gradients.k);
  for (const table of [asks, answers]) table.step({ optimizer: "adam", learningRate: 0.02 });
}
//> step 0: error 8.48
//> step 200: error 0.39
//> step 400: error 0.18
//> step 600: error 0.12
const weights = pe.attentionWeights(rowsOf(asks), rowsOf(answers)).data.slice(7 * length, 8 * length);
console.log("word 7 looks at word", weights.indexOf(Math.max(...weights)));
//> word 7 looks at word 6
try {
  asks.table({ positions: [48] });
} catch (problem) {
  console.log(problem instanceof PosencError && problem.message);
  //> positions: learned has 48 rows: positions are whole numbers from 0 to 47, got 48
}
