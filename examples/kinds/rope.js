// RoPE: queries and keys turn with their positions; a score then depends on the distance alone.
import { init } from "posenc";

const pe = await init();
const rope = pe.create({ kind: "rope", dim: 64 });
const vector = (seed) => ({
  data: Float32Array.from({ length: 64 }, (_, i) => Math.sin(seed + i * i)),
  dims: [1, 1, 1, 64],
});
const score = (query, key) => {
  const q = rope.apply(vector(1), { offset: query }).data;
  const k = rope.apply(vector(2), { offset: key }).data;
  return q.reduce((sum, x, i) => sum + x * k[i], 0).toFixed(4);
};
console.log("q at 5, k at 2:      ", score(5, 2));
console.log("q at 1005, k at 1002:", score(1005, 1002));
console.log("q at 5, k at 4:      ", score(5, 4));
