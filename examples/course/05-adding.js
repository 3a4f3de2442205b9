// The four terms of an attention score; then concatenation and dropout.
import { init } from "posenc";

const dim = 64;
const words = 6;
const wordScale = 1;
const dropout = 0.1;

const pe = await init({ parts: ["attention"] });
// Random numbers with a given deviation: the first values of a learned table.
function random(length, std, seed) {
  const learned = pe.create({ kind: "learned", length, dim, std, seed });
  return learned.table({ length });
}
const x = random(words, wordScale, 1);
const [wq, wk] = [random(dim, dim ** -0.5, 2), random(dim, dim ** -0.5, 3)];
const positions = pe.create({ kind: "sinusoidal", dim });

// How the word at position 0 scores the word at position 1.
const terms = pe.scoreTerms(x, positions.table({ length: words }), wq, wk);
let total = 0;
for (const [name, { data }] of Object.entries(terms)) {
  total += data[1];
  console.log(name.padEnd(16), data[1].toFixed(3));
}
console.log("their sum:      ", total.toFixed(3));
//> positionPosition 5.940
//> positionContent  -6.332
//> contentPosition  3.788
//> contentContent   6.155
//> their sum:       9.551

// The score of x + PE: with positions of zero it is all in the first term.
const nothing = { data: new Float32Array(words * dim), dims: x.dims };
const sums = positions.addTo(random(words, wordScale, 1));
const { contentContent } = pe.scoreTerms(sums, nothing, wq, wk);
console.log("the score:      ", contentContent.data[1].toFixed(3));
//> the score:       9.551

console.log("concatenated:", positions.concatTo(x).dims.join(" × "));
//> concatenated: 6 × 128
const { data } = positions.addTo(x, { dropout, seed: 7 });
const zeros = data.filter((value) => value === 0).length;
console.log(`dropout has set ${zeros} of ${words * dim} numbers to zero`);
//> dropout has set 37 of 384 numbers to zero
