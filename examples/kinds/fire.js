// FIRE: a small network maps the distance, relative to the query's place, to a bias for each head.
import { init } from "posenc";

const pe = await init();
const fire = pe.create({ kind: "fire", heads: 2, width: 32, length: 16, seed: 1 });
console.log("parameters:", Object.keys(fire.parameters).join(" "));
// The same distance means less to a query that stands farther on.
for (const query of [16, 64, 1024]) {
  const { data } = fire.bias({ queries: 1, keys: 1, offset: query, keyPositions: [query - 8] });
  console.log(`8 back from ${query}:`, Array.from(data, (b) => b.toFixed(4)).join(" "));
}
