import { init } from "posenc";

const pe = await init();
const rope = pe.create({ kind: "rope", dim: 64 });

// queries: [batch, heads, positions, dim], rotated in place
const dims = [1, 8, 128, 64];
const queries = { data: new Float32Array(8 * 128 * 64).fill(1), dims };
rope.apply(queries, { offset: 1000 });

console.log(pe.variant, queries.data.slice(0, 4));
