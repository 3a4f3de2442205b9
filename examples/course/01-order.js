// Two sentences made of the same words: does attention notice?
import { init } from "posenc";

const causal = false;
const dim = 16;

const pe = await init({ parts: ["attention"] });
const rope = pe.create({ kind: "rope", dim });
// A made-up vector for each word: 0 the, 1 dog, 2 bites, 3 man.
const vector = (word) => Array.from({ length: dim }, (_, i) => 2 * Math.sin((word + 1) * (i + 1) ** 2));
const dogBitesMan = [0, 1, 2, 0, 3];
const manBitesDog = [0, 3, 2, 0, 1];

// The output of "dog". Every word is query, key and value.
function dogIn(sentence, options) {
  const x = { data: Float32Array.from(sentence.flatMap(vector)), dims: [1, 1, 5, dim] };
  const start = sentence.indexOf(1) * dim;
  return pe.attention(x, x, x, options).data.slice(start, start + dim);
}

function change(options) {
  const before = dogIn(dogBitesMan, options);
  const after = dogIn(manBitesDog, options);
  const moves = before.map((value, i) => Math.abs(value - after[i]));
  return Math.max(...moves).toFixed(3);
}

console.log("change without positions:", change({ causal }));
//> change without positions: 0.000
console.log("change with RoPE:", change({ causal, encoding: rope }));
//> change with RoPE: 0.022
console.log("change with a causal mask:", change({ causal: true }));
//> change with a causal mask: 0.052
