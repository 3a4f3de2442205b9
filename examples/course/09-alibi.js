// ALiBi: a slope for each head, what a head still sees, and a text longer than any it was trained on.
import { init } from "posenc";

const heads = 8;
const head = 8;
const length = 4096;

const pe = await init();
const alibi = pe.create({ kind: "alibi", heads });
const slope = alibi.slopes[head - 1];
console.log(`head ${head} of ${heads}: ${slope.toFixed(6)} less for every step back`);
//> head 8 of 8: 0.003906 less for every step back
const [half, tiny] = [Math.LN2, Math.log(1000)].map((points) => Math.round(points / slope));
console.log(`weight halved ${half} keys back, a thousandth left ${tiny} keys back`);
//> weight halved 177 keys back, a thousandth left 1768 keys back

// One query that finds all keys equally good: the bias alone decides where it looks.
const ask = (keys) => {
  const [q, k] = [1, keys].map((rows) => ({ data: new Float32Array(heads * rows * 4), dims: [1, heads, rows, 4] }));
  const weights = pe.attentionWeights(q, k, { encoding: alibi }).data.slice((head - 1) * keys, head * keys);
  return weights.reverse(); // the nearest key first
};
const share = (weights, keys) => weights.slice(0, keys).reduce((sum, weight) => sum + weight, 0);
console.log(`${length} keys: ${(100 * share(ask(length), 1024)).toFixed(1)} % of the weight on the last 1024`);
//> 4096 keys: 98.2 % of the weight on the last 1024
console.log(
  `${4 * length} keys: ${(100 * share(ask(4 * length), 1024)).toFixed(1)} %: the longer text changes nothing`,
);
//> 16384 keys: 98.2 %: the longer text changes nothing
