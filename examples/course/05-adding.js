// The four terms of an attention score; then concatenation and dropout.
import { init } from "posenc";

const dim = 64;
const words = 6;
const wordScale = 1;
const dropout = 0.1;

const pe = await init();
// Random numbers with a given deviation: the first values of a learned table.
function random(length, std, seed) {
  const drawn = pe.create({ kind: "learned", length, dim, std, seed });
  return { data: drawn.weights.data.slice(), dims: [length, dim] };
}
const x = random(words, wordScale, 1);
const [wq, wk] = [random(dim, dim ** -0.5, 2), random(dim, dim ** -0.5, 3)];
const positions = pe.create({ kind: "sinusoidal", dim });

const terms = pe.scoreTerms(x, positions.table({ length: words }), wq, wk);
for (const [name, { data }] of Object.entries(terms)) {
  const sum = data.reduce((total, value) => total + Math.abs(value), 0);
  console.log(name.padEnd(16), (sum / data.length).toFixed(2));
}
//> positionPosition 2.34
//> positionContent  5.06
//> contentPosition  4.39
//> contentContent   5.25

// The score of x + PE: with positions of zero it is all in the first term.
const sums = positions.addTo({ data: x.data.slice(), dims: x.dims });
const nothing = { data: new Float32Array(words * dim), dims: [words, dim] };
const scores = pe.scoreTerms(sums, nothing, wq, wk).contentContent.data;
const parts = Object.values(terms);
const total = (i) => parts.reduce((sum, { data }) => sum + data[i], 0);
const equal = scores.every((score, i) => Math.abs(score - total(i)) < 1e-4);
console.log("they add up to the score:", equal);
//> they add up to the score: true

console.log("concatenated:", positions.concatTo(x).dims.join(" × "));
//> concatenated: 6 × 128
const { data } = positions.addTo(x, { dropout, seed: 7 });
const zeros = data.filter((value) => value === 0).length;
console.log(`dropout has set ${zeros} of ${words * dim} numbers to zero`);
//> dropout has set 37 of 384 numbers to zero
