// A learned table finds out that every word wants the word before it.
import { init, PosencError } from "posenc";

const length = 20;
const steps = 600;
const seed = 1;

const pe = await init({ parts: ["attention", "training"] });
// Two halves of a row: one asks (the query), one is asked (the key).
const half = { length: 48, dim: 8, std: 0.3 };
const asks = pe.create({ kind: "learned", ...half, seed: 2 * seed });
const answers = pe.create({ kind: "learned", ...half, seed: 2 * seed + 1 });
const dims = [1, 1, length, 8];
const rowsOf = (table) => ({ data: table.table({ length }).data, dims });
const noise = (step) => (_, i) => Math.sin(step * 78.233 + i * i);
for (let step = 0; step <= steps; step++) {
  const data = Float32Array.from({ length: length * 8 }, noise(step));
  const [q, k, words] = [rowsOf(asks), rowsOf(answers), { data, dims }];
  const answer = pe.attention(q, k, words).data;
  const error = answer.map((x, i) => (i < 8 ? 0 : x - data[i - 8]));
  const size = Math.hypot(...error).toFixed(2);
  if (step % 200 === 0) console.log(`step ${step}: error ${size}`);
  const gradients = pe.attentionBackward(q, k, words, { data: error, dims });
  asks.backward(gradients.q); // adds to asks.gradient
  answers.backward(gradients.k);
  for (const table of [asks, answers]) table.step({ optimizer: "adam", learningRate: 0.02 });
}
//> step 0: error 8.48
//> step 200: error 0.39
//> step 400: error 0.18
//> step 600: error 0.12
const weights = pe.attentionWeights(rowsOf(asks), rowsOf(answers)).data;
const seventh = weights.slice(7 * length, 8 * length);
console.log("word 7 looks at word", seventh.indexOf(Math.max(...seventh)));
//> word 7 looks at word 6
try {
  asks.table({ positions: [48] });
} catch (problem) {
  console.log(problem instanceof PosencError && problem.message);
  //> positions: must be whole numbers from 0 to 47 (learned has 48 rows), got 48
}
