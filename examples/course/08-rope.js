// One query and one key, turned by their positions: the score knows how far,
// not where.
import { init } from "posenc";

const base = 10000;
const query = 12;
const key = 20;
const shift = 100;

const pe = await init();
const rope = pe.create({ kind: "rope", dim: 64, base });
const vector = (seed) => ({
  data: Float32Array.from({ length: 64 }, (_, i) => 1 + Math.sin(seed * i)),
  dims: [1, 1, 1, 64],
});

function score(queryPosition, keyPosition) {
  const q = rope.apply(vector(1), { positions: [queryPosition] }).data;
  const k = rope.apply(vector(2), { positions: [keyPosition] }).data;
  return q.reduce((sum, x, i) => sum + x * k[i], 0).toFixed(3);
}

console.log(`query at ${query}, key at ${key}: ${score(query, key)}`);
//> query at 12, key at 20: 47.849
console.log(`both moved by ${shift}: ${score(query + shift, key + shift)}`);
//> both moved by 100: 47.849
console.log(`swapped: ${score(key, query)}`);
//> swapped: 48.266
rope.dispose();
