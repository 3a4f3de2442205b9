// The four terms of an attention score, and what concatenation and dropout do to the rows.
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
for (const name of ["contentContent", "contentPosition", "positionContent", "positionPosition"]) {
  const sizes = terms[name].data.map(Math.abs);
  console.log(name.padEnd(16), (sizes.reduce((sum, size) => sum + size) / sizes.length).toFixed(2));
}
//> contentContent   5.25
//> contentPosition  4.39
//> positionContent  5.06
//> positionPosition 2.34

// The score of the sums, x + PE: with a table of zeros it is all in the first term.
const sums = positions.addTo({ data: x.data.slice(), dims: x.dims });
const nothing = { data: new Float32Array(words * dim), dims: [words, dim] };
const scores = pe.scoreTerms(sums, nothing, wq, wk).contentContent.data;
const total = (i) => Object.values(terms).reduce((sum, { data }) => sum + data[i], 0);
console.log(
  "they add up to the score:",
  scores.every((score, i) => Math.abs(score - total(i)) < 1e-4),
);
//> they add up to the score: true

console.log("concatenated:", positions.concatTo(x).dims.join(" × "), "instead of", x.dims.join(" × "));
//> concatenated: 6 × 128 instead of 6 × 64
const dropped = positions.addTo(x, { dropout, seed: 7 }).data.filter((value) => value === 0).length;
console.log(`dropout has set ${dropped} of ${words * dim} numbers to zero`);
//> dropout has set 37 of 384 numbers to zero
