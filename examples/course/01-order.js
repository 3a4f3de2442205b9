// Two sentences made of the same words: does attention notice?
import { init } from "posenc";

const causal = false;
const dim = 16;

const pe = await init();
// A made-up vector for each word: 0 the, 1 dog, 2 bites, 3 man.
const words = pe.create({ kind: "learned", length: 4, dim, std: 1, seed: 1 });
const dogBitesMan = words.table({ positions: [0, 1, 2, 0, 3] });
const manBitesDog = words.table({ positions: [0, 3, 2, 0, 1] });

/** Every word is query, key and value; positions come from `options` alone. */
function outputOf(place, sentence, options) {
  const x = { data: sentence.data, dims: [1, 1, 5, dim] };
  return pe.attention(x, x, x, options).data.slice(place * dim, (place + 1) * dim);
}

function change(options) {
  const [before, after] = [outputOf(1, dogBitesMan, options), outputOf(4, manBitesDog, options)];
  return Math.max(...before.map((value, index) => Math.abs(value - after[index]))).toFixed(3);
}

console.log("the dog's output, without positions, changes by", change({ causal }));
//> the dog's output, without positions, changes by 0.000
console.log("with RoPE it changes by", change({ causal, encoding: pe.create({ kind: "rope", dim }) }));
//> with RoPE it changes by 0.066
console.log("without positions, under a causal mask, by", change({ causal: true }));
//> without positions, under a causal mask, by 0.075
