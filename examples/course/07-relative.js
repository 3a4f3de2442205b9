// Distances instead of positions: Shaw's rows, T5's buckets, Transformer-XL's shift.
import { init } from "posenc";

const clip = 2;
const memory = 2;
const buckets = 16;
const maxDistance = 64;

const pe = await init({ parts: ["relative"] });
const distances = [-9, -3, -2, -1, 0, 1, 2, 3, 9];
const shaw = pe.create({ kind: "shaw", dim: 64, maxDistance: clip });
console.log("key - query:", distances.join(" "));
//> key - query: -9 -3 -2 -1 0 1 2 3 9
console.log("Shaw's rows:", shaw.bucketOf(distances).join(" "));
//> Shaw's rows: 0 0 0 1 2 3 4 4 4

const t5 = pe.create({ kind: "t5", heads: 1, buckets, maxDistance });
const keys = distances.length;
const asked = { queries: 1, keys, offset: 0, keyPositions: distances };
console.log("T5's buckets:", t5.buckets(asked).data.join(" "));
//> T5's buckets: 5 3 2 1 0 9 10 11 13

// Three queries and their memory: scores by distance (the farthest first;
// 10 for distance 0, 20 for 1 …) become scores by key.
const columns = 3 + memory;
const score = (_, i) => 10 * (columns - (i % columns));
const data = Float32Array.from({ length: 3 * columns }, score);
const scores = { data, dims: [3, columns] };
const shifted = pe.relativeShift(scores, { zeroWrapped: true }).data;
for (const row of [0, 1, 2]) {
  console.log(shifted.slice(row * columns, (row + 1) * columns).join(" "));
}
//> 30 20 10 0 0
//> 40 30 20 10 0
//> 50 40 30 20 10
